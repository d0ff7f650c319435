"""Operators: one record each, read by type inference, fusion and lowering."""
