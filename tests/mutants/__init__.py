"""Rule mutants: the recorded rules with one thing changed, each of which the games in ``traces/`` must tell from the rules."""
