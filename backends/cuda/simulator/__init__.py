"""A simulator of numba.cuda kernels: computes their results, and detects races, uninitialised reads and other faults.

`load(path).function(name)` is a kernel of a file, `launch(kernel, grid, block, arguments)` runs it on numpy arrays. No
GPU, no CUDA library and no numba is needed. A kernel is translated into a Python generator for one thread
(`translate`), whose values have numba's types. All threads run on one thread of the system, alternating at barriers
(`block`). Every access to memory is checked (`memory`).
"""

from __future__ import annotations

from .launch import launch
from .source import Kernel, KernelFile, load, parse

__all__ = ["Kernel", "KernelFile", "launch", "load", "parse"]
