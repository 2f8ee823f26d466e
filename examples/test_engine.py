"""The gate of the small engine: every game that it plays has to keep the rules."""

from __future__ import annotations

import engine
import pytest


@pytest.mark.parametrize("seed", range(20))
def test_a_round_keeps_the_rules(seed, capsys, fairdeal):
    engine.play_round(seed)
    fairdeal.assert_legal(capsys.readouterr().out, strict=False)  # one round is no whole game: `incomplete`
