"""That no card of Queen City Rum is lost or doubled, by two solvers that know nothing of each other."""

from __future__ import annotations

from fairdeal.checker.proving.asking import Budget
from fairdeal.checker.proving.prover import Prover
from fairdeal.checker.proving.steps import Model
from fairdeal.spec.queen_city_rum.properties import PROPERTIES


def test_conservation_is_proved_and_cvc5_agrees_on_every_query() -> None:
    model = Model(PROPERTIES.game, counted=PROPERTIES.counted)
    (result,) = Prover(model, PROPERTIES, Budget(60, cross_check=True)).answer([PROPERTIES["Q-CONSERVE"]])
    assert result.status == "proved", result.reason
    assert result.agreed == result.queries
    assert result.queries > len(model.acts())  # each event, for each player and meld
