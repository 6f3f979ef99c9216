"""Counts to figures: rates with their intervals, calls, groups of hands, comparisons."""
