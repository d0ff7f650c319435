"""Backends: each a vertical slice of target, lowering rules, emission and module."""
