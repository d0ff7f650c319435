"""Modules of functions, the editor through which all IR is changed, and the count of rewrites.

    from tilewright.ir import IRModule

The table of the package's root re-exports names of higher layers.
"""

# pyright: reportUnsupportedDunderAll=false

from __future__ import annotations

from ..lazy import exports

__all__ = ["IRModule", "register_intrin_lowering", "register_op_attr"]
__getattr__, _ = exports(__name__, {})


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
