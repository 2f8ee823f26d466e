"""Spit, also called Speed or Slam: the rules, standard and scored."""

from fairdeal.spec.spit import deal, ending, play, seen
from fairdeal.spec.spit.game import SPIT
from fairdeal.spec.spit.policy import POLICY

SPIT.policies["usual"] = POLICY

__all__ = ["SPIT", "deal", "ending", "play", "seen"]
