"""Queen City Rum for two players: the rules."""

from fairdeal.spec.queen_city_rum import deal, ending, seen, turn
from fairdeal.spec.queen_city_rum.game import RUM
from fairdeal.spec.queen_city_rum.policy import LEVEL, USUAL

RUM.policies.update(usual=USUAL, level=LEVEL)

__all__ = ["RUM", "deal", "ending", "seen", "turn"]
