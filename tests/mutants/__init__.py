"""Rule mutants: the recorded rules with one thing changed; ``traces/`` must tell each of them from the rules."""
