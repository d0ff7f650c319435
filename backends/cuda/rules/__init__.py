"""Rules for what kernels of CUDA do not have."""
