"""The operations of kernels on numpy: what an intrinsic computes, to the bit where the hardware's result is defined."""
