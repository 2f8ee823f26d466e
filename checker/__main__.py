"""Entry point of ``python -m fairdeal.checker`` and of the ``fairdeal`` command."""

from __future__ import annotations

import sys


def main() -> None:
    """Runs the command line; Ctrl-C while its modules are still loading ends it quietly too."""
    try:
        from fairdeal.checker.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
