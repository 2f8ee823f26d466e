"""Replay: a log as one page, to step through in a browser."""
