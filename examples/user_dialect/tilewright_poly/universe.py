"""The dialect and its passes for `xdsl-opt`."""

from __future__ import annotations

from tilewright.passes import pattern_pass
from xdsl.universe import Universe

from .dialect import POLY
from .passes import LowerPoly, TrimPoly

UNIVERSE = Universe(
    all_dialects={"poly": lambda: POLY},
    all_passes={
        "trim-poly": lambda: pattern_pass("trim-poly", [TrimPoly]),
        "lower-poly": lambda: pattern_pass("lower-poly", [LowerPoly]),
    },
)
