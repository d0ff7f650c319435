"""Lowering rules for operations that CUDA kernels lack."""
