"""Spit, also called Speed or Slam: the rules, standard and scored."""

from fairdeal.spec.spit import deal, ending, play, seen
from fairdeal.spec.spit.game import SPIT

__all__ = ["SPIT", "deal", "ending", "play", "seen"]
