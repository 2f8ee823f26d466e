"""What is done with the rules and the notation: reading, judging, generating and reporting games."""
