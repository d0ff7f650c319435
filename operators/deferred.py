"""numpy and tensor expressions, imported when an operator first computes or is expressed.

The files of operators are read as soon as a text mentions the graph dialect, for the operations that they declare. What
their bodies need is then still far away: these names stand for the modules until something of them is used.
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
