"""Execution of programs of GPU kernels: launches, the arrays of a call, CUDA's driver. It does not import xdsl."""
