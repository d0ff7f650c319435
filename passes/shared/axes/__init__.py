"""Axes of computes, which `collapse-dimensions` merges and splits."""
