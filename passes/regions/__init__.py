"""Which elements loops touch, and how much room there is around them."""
