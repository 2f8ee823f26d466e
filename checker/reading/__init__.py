"""From bytes to parsed lines: sources, line prefixes, headers, bodies."""
