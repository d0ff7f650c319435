"""The loop level under the names that programs import: schedules of functions, and functions of scalars.

    sch = tir.Schedule(tilewright.IRModule({"main": te.create_prim_func([A, B])}))
    C = te.compute((n,), lambda i: tir.exp(A[i]), name="C")

Scalar functions are those of `te`, whose tensors this level has none of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..lazy import load

if TYPE_CHECKING:
    from ..schedule import Schedule as Schedule

_TENSORS = frozenset(
    {
        "Computation",
        "Placeholder",
        "Tensor",
        "build_computes",
        "compute",
        "create_prim_func",
        "create_schedule",
        "extern",
        "placeholder",
        "scan",
        "to_module",
    }
)
"""Names of `te` that make or mean tensors."""


def __getattr__(name: str) -> Any:
    if name == "Schedule":
        return load("schedule:Schedule", "tilewright")
    if not name.startswith("_") and name not in _TENSORS:
        from .. import te

        if name in te.__all__:
            return getattr(te, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    from .. import te

    return sorted([*globals(), "Schedule", *set(te.__all__) - _TENSORS])
