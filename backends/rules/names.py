"""The operations and dtypes that rules of this package replace, named without loading the rules."""

from __future__ import annotations

from ...dialects import dtypes

NARROW_FLOATS = ("float16", "bfloat16")
"""The dtypes of narrow floats."""
NARROW_OPERATIONS = (
    *("arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.remf", "arith.negf", "arith.cmpf"),
    *("arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf"),
    *("math.absf", "math.ceil", "math.copysign", "math.floor", "math.round", "math.roundeven", "math.trunc"),
    *("math.sqrt", "math.rsqrt", "math.cbrt", "math.powf"),
    *(f"math.{sign}{name}{h}" for sign in ("a", "") for name in ("cos", "sin", "tan") for h in ("", "h")),
    *("math.atan2", "math.erf", "math.exp", "math.exp2", "math.expm1"),
    *("math.log", "math.log10", "math.log1p", "math.log2"),
)
"""The operations that are computed in f32 where their floats are narrow."""
STORAGE_TYPES = tuple(dtypes.STORAGE_TYPES)
"""The dtypes that are moved and converted only."""
