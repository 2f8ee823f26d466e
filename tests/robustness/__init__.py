"""Hostile input: what the checker does with logs that are none, or that mean harm."""
