"""Deals to counts: one hand (`sample`), or a study of many in blocks, kept in a run directory."""
