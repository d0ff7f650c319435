"""Tensor intrinsics for matrix products on CPUs: one file for each family of instructions."""

from __future__ import annotations

from ....schedule.product_kernels import ProductKernel
from . import amx, dot_of_bf16, dot_of_bytes, multiply_add_pairs

KERNELS: tuple[ProductKernel, ...] = (
    *multiply_add_pairs.KERNELS,
    *dot_of_bytes.KERNELS,
    *dot_of_bf16.KERNELS,
    *amx.KERNELS,
)
"""The compiler's kernels, for `schedule.product_kernels`."""
