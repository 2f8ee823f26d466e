"""Proving, refuting and finding: the same recorded rules, asked of every game instead of one."""
