"""Deferred imports of numpy and te, which operators need only when they are evaluated or lowered.

The modules of operators are imported as soon as a text uses the graph dialect, for the operations that they declare.
Their references and lowerings need numpy and te much later, so these names are proxies that import on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from .. import te
    from ..te import combiners, dtypes, expr
else:
    from ..lazy import Deferred

    _TE = __package__.rpartition(".")[0] + ".te"
    np = Deferred("numpy")
    te = Deferred(_TE)
    combiners, dtypes, expr = (Deferred(f"{_TE}.{name}") for name in ("combiners", "dtypes", "expr"))

__all__ = ["combiners", "dtypes", "expr", "np", "te"]
