"""Programs of kernels as they run: what is launched when, the arrays of a call, CUDA's driver. Imports no xdsl."""
