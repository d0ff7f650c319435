"""Modules of functions, and the editor through which every program is changed, with the count of its rewrites.

    from tilewright.ir import IRModule

Names that stand above this folder are handed on by the table of the package's root.
"""

# pyright: reportUnsupportedDunderAll=false

from __future__ import annotations

from ..lazy import exports

__all__ = ["IRModule", "register_intrin_lowering", "register_op_attr"]
__getattr__, _ = exports(__name__, {})


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
