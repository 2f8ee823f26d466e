"""What makes two findings of two runs the same one, though lines have moved between them."""

from __future__ import annotations

import hashlib

from fairdeal.checker.reading.errors import NotationError
from fairdeal.checker.reading.prefix import split_prefix
from fairdeal.checker.verdict import Finding


def fingerprint(path: str, finding: Finding) -> str:
    """A digest of the log's path, the code and the line without its number and time, as 16 hexadecimal digits.

    A finding on a line that has no text is told by its message.
    """
    key = "\0".join((path, finding.code, body_of(finding.source) or finding.message))
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def body_of(source: str) -> str:
    """A line of a log without its number and time, in single spaces."""
    try:
        start = split_prefix(source).start
    except NotationError:
        start = 0
    return " ".join(source[start:].split())
