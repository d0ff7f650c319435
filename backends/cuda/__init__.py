"""Kernels of CUDA: thread-bound loops as Python source that numba compiles for a GPU, or that a simulator runs."""
