"""Where things may lie in a GPU's memory, in bytes."""

VECTOR_BYTES = 16
"""What one thread loads or stores at once, at most, from a multiple of as many on."""

PIECE, LINE, SWIZZLED = 16, 128, 1024
"""What a swizzle moves as a whole, within a line, and after how many bytes it repeats itself: it permutes by addresses,
so arrays begin at multiples."""
