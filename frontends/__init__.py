"""Frontends: importers of models of other systems to graph IR."""
