"""What `collapse-dimensions` does to axes of computes."""
