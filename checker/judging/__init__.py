"""From a trace to a verdict: sessions, findings, readings that would excuse them."""
