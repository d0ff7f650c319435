"""What `vectorize` does to a loop, and what the lanes of one are."""
