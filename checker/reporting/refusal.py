"""How the command line says no: wrong calls, unreadable sources, and failures of its own."""

# Imports wait inside functions: only a call that fails pays for them.

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any

import click

from fairdeal.checker.reporting.output import OutputError, settle, silence
from fairdeal.checker.reporting.terminal import WIDEST_PROSE, clipped, path_letter, terminal_width, visible, wrap

FAILED = 2
INTERRUPTED = 130
PIPE_CLOSED = 141
"""128 and the number of SIGPIPE, as a shell counts a program that a closed pipe ended."""

_NAME = "fairdeal: "
_LONGEST = 2000
_LIST = 70


class Refusal(click.ClickException):
    """A call that is not carried out; it is told why in a sentence, and exits 2."""

    exit_code = FAILED

    def show(self, file: IO[Any] | None = None) -> None:
        """Writes the sentence to standard error."""
        say(self.message)


class Shell(click.Group):
    """A group of commands that never ends in a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        """Runs a command and turns whatever goes wrong into a sentence and an exit code."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except KeyboardInterrupt:
            say("interrupted")
            settle()
            raise click.exceptions.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            silence()
            raise click.exceptions.Exit(PIPE_CLOSED) from None
        except OutputError as failure:
            raise Refusal(str(failure)) from failure
        except Exception as failure:
            say(failure_of(failure))
            settle()
            raise click.exceptions.Exit(FAILED) from None


def say(message: str) -> None:
    """Writes a sentence to standard error, safe to show; nobody may be listening.

    It is broken between words, as reports are: to the terminal's width and to 80 columns at most, wherever it goes.
    """
    with suppress(OSError, ValueError):
        for line in clipped(message, _LONGEST).split("\n"):
            click.echo("\n".join(_broken(visible(line))), err=True)


def _broken(line: str) -> list[str]:
    import textwrap

    wrapper = textwrap.TextWrapper(min(terminal_width(), WIDEST_PROSE), _NAME, " " * len(_NAME))
    wrapper.break_long_words = wrapper.break_on_hyphens = False
    return wrapper.wrap(line) or [_NAME]


def failure_of(failure: Exception, where: str = "") -> str:
    """The sentence for an exception that nobody foresaw; FAIRDEAL_DEBUG=1 prints its traceback too."""
    if isinstance(failure, OSError) and not where:
        return f"cannot write: {failure.strerror or type(failure).__name__}"
    if os.environ.get("FAIRDEAL_DEBUG", "") not in ("", "0"):
        import traceback

        with suppress(OSError, ValueError):
            traceback.print_exception(failure, file=sys.stderr)
    return (
        f"{where}this is a fault of fairdeal itself ({type(failure).__name__}: {clipped(str(failure), 200)}); "
        "please report it with the call and the log, and with what FAIRDEAL_DEBUG=1 prints"
    )


def source_failure(failure: Exception) -> str:
    """The message for a source that could not be checked: why it is unreadable, or that fairdeal failed."""
    from fairdeal.checker.reading.source import SourceError
    from fairdeal.spec.language import OptionError

    if isinstance(failure, SourceError):
        return failure.message
    if isinstance(failure, OptionError):
        return str(failure)
    if isinstance(failure, OSError):
        return failure.strerror or type(failure).__name__
    return failure_of(failure, "not checked to its end: ")


@contextmanager
def refusing() -> Iterator[None]:
    """Turns the errors that a caller can mend into refusals: sources, places, options."""
    try:
        yield
    except click.ClickException:
        raise
    except Exception as failure:
        message = _mendable(failure)
        if message is None:
            raise
        raise Refusal(message) from failure


def _mendable(failure: Exception) -> str | None:
    from fairdeal.checker.judging.inspection import PlaceError
    from fairdeal.checker.reading.source import SourceError
    from fairdeal.spec.language import OptionError

    if isinstance(failure, SourceError):
        return f"{''.join(map(path_letter, failure.path))}: {failure.message}"
    if isinstance(failure, PlaceError | OptionError):
        return str(failure)
    if isinstance(failure, OSError) and failure.filename is not None:
        return f"{failure.filename}: {failure.strerror}"
    return None


def unknown(kind: str, name: str, known: Iterable[str], *, listed: bool = True, near: str = "", where: str = "") -> str:
    """The sentence for a name that there is not: the nearest one as a hint, and which there are.

    ``near`` is a hint that the caller knows better, ``where`` says what lists them; it is said where nothing is near.
    """
    names = list(dict.fromkeys(known))
    near = near or nearest(name, names) or ""
    hint = f"; did you mean {near}?" if near else f"; {where}" if where else ""
    lines = wrap([f"{each}," for each in names[:-1]] + names[-1:], _LIST, "known: ") if listed else []
    return "\n".join([f"there is no {kind} {name}{hint}", *lines])


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The name that one most likely meant: a third of its letters are wrong at most, or it is a part; or else none."""
    from difflib import get_close_matches

    wanted = name.casefold()
    folded = {each.casefold(): each for each in names}
    close = get_close_matches(wanted, folded, n=3, cutoff=0.5)
    few = max(2 if len(wanted) > 3 else 1, len(wanted) // 3)
    return next((folded[each] for each in close if wanted in each or _changes(wanted, each) <= few), None)


def _changes(one: str, other: str) -> int:
    """How many letters of one word are changed, left out or added to make the other."""
    from difflib import SequenceMatcher

    steps = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    return sum(max(end - start, stop - begin) for kind, start, end, begin, stop in steps if kind != "equal")
