"""The graph dialect."""
