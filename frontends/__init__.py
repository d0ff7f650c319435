"""Frontends: models of other systems into graph IR."""
