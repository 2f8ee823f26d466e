"""Exploring: everything that can happen from one table on."""
