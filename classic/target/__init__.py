"""Targets: `tilewright.target.Target("llvm -mcpu=x86-64-v3")`, and functions that dispatch on the current target."""

from __future__ import annotations

from . import codegen
from .generic import GenericFunc, generic_func, get_native_generic_func, override_native_generic_func
from .names import (
    Target,
    arm_cpu,
    bifrost,
    create,
    cuda,
    hexagon,
    intel_graphics,
    mali,
    rasp,
    riscv_cpu,
    rocm,
    vta,
)

__all__ = [
    "GenericFunc",
    "Target",
    "arm_cpu",
    "bifrost",
    "codegen",
    "create",
    "cuda",
    "generic_func",
    "get_native_generic_func",
    "hexagon",
    "intel_graphics",
    "mali",
    "override_native_generic_func",
    "rasp",
    "riscv_cpu",
    "rocm",
    "vta",
]
