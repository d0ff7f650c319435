"""Reference implementations of the device operations on numpy, bit-exact where the hardware's result is defined."""
