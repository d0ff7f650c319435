"""Lowering rules that several targets share."""
