"""Measures speed and memory, each speed beside that of python-chess reading PGN in the same run."""
