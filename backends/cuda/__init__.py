"""The CUDA backend: thread-bound loops become Python kernels, which numba compiles for a GPU or a simulator runs."""
