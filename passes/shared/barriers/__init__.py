"""What `insert-barriers` asks: which threads meet at an element, and what keeps them apart."""
