"""How Queen City Rum is played at random."""

from __future__ import annotations

from fairdeal.spec.language.policy import Policy

POLICY = Policy(preferences=(), layouts={})
