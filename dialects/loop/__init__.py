"""The loop dialect."""
