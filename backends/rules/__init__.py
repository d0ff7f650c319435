"""Lowering rules that no target has alone."""
