"""Tests of ``checker/judging``."""
