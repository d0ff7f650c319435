"""Axes of computes, which `collapse-dimensions` collapses and splits."""
