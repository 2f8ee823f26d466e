"""The Z3 back end: recorded terms, guards and effects over a symbolic table; needs ``z3-solver``."""
