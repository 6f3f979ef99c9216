"""Exact values: the rules as arrays, the compiled search, and `solve` in front of it."""
