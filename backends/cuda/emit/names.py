"""What names in kernels may not be called."""

from __future__ import annotations

import keyword

RESERVED = frozenset({
    *keyword.kwlist, *keyword.softkwlist,
    "math", "cuda", "device", "range", "min", "max", "abs", "round", "float", "int", "bool", "boolean",
    "float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
})  # fmt: skip
"""Words of Python and names that kernels use."""
