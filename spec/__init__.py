"""What the rules are: the rules language, the cards, the games and their clauses."""
