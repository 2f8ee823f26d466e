"""What makes two findings of two runs the same one, though lines have moved between them."""

from __future__ import annotations

import hashlib
import os

from fairdeal.checker.reading.errors import NotationError
from fairdeal.checker.reading.prefix import split_prefix
from fairdeal.checker.reading.source import STDIN
from fairdeal.checker.verdict import Finding


def fingerprint(path: str, finding: Finding) -> str:
    """A digest of the log's path, the code and the line without its number and time, as 16 hexadecimal digits.

    A finding on a line that has no text is told by its message.
    """
    key = "\0".join((place_of(path), finding.code, body_of(finding.source) or finding.message))
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def place_of(path: str) -> str:
    """A path from the folder in which fairdeal is called, if it lies below, however the call has named it.

    So a baseline and a service that shows findings beside a change know the log. Other paths are as they are named.
    """
    if path == STDIN:
        return path
    try:
        straight = _straight(path)
        below = os.path.relpath(straight)
    except (OSError, ValueError):  # on another drive, or none at all
        return path
    if below == STDIN:  # a file of that name
        return f"./{below}"
    outside = below.partition(os.sep)[0] == os.pardir
    return (os.path.normpath(straight) if outside else below).replace(os.sep, "/")


def _straight(path: str) -> str:
    """A path without ``..`` after a folder's name, which may be a link that leads elsewhere."""
    climbs = os.pardir in path.lstrip(f".{os.sep}").split(os.sep)
    return os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path)) if climbs else path


def body_of(source: str) -> str:
    """A line of a log without its number and time, in single spaces."""
    try:
        start = split_prefix(source).start
    except NotationError:
        start = 0
    return " ".join(source[start:].split())
