"""Names that kernels may not use for what the IR names."""

from __future__ import annotations

import keyword

from ...written.fresh_names import Reserved
from ..source import TYPES

RESERVED = Reserved(
    frozenset(
        {
            *keyword.kwlist,
            *keyword.softkwlist,
            *TYPES,
            "math",
            "cuda",
            "device",
            "range",
            "min",
            "max",
            "abs",
            "round",
            "float",
            "int",
            "bool",
            "float16",
        }
    )  # fmt: skip
)
"""Words of Python and names that kernels use."""
