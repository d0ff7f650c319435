"""Rewriting that several passes use."""
