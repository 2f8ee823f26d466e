"""The native back end: integer states of a few words, and source that numba compiles, both made from the record.

The generated source is plain Python over whole numbers below 2**63. Without numba it runs as it is, slowly.
"""

from fairdeal.checker.engines.native.model import Native
from fairdeal.checker.engines.native.packing import Words
from fairdeal.checker.engines.native.searching import Limits, Search

__all__ = ["Limits", "Native", "Search", "Words"]
