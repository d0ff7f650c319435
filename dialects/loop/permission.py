"""Foreign code in IR that was read from a file: it runs only where the user allows it.

A program that the user writes in Python calls what it likes. Text comes from anywhere, and code that it brings, or a
function of the process that it calls by name (`system` is one), can do whatever the user can.
"""

from __future__ import annotations

from typing import NoReturn

from xdsl.dialects.builtin import LocationAttr, ModuleOp
from xdsl.ir import Operation

from ...diagnostics import fail
from .extern import CallExternOp
from .foreign import FOREIGN
from .scalar_calls import CallPureExternOp

FORBIDDEN = "TW0670"


def check_foreign(module: ModuleOp) -> None:
    """Raise TilewrightError TW0670 for the first function that brings foreign code, or operation that calls it."""
    for op in module.walk():
        what = _foreign_of(op)
        if what is not None:
            forbid(what, op=op)


def forbid(what: str, *, op: Operation | None = None, location: LocationAttr | None = None) -> NoReturn:
    """Raise TilewrightError TW0670."""
    fail(
        FORBIDDEN,
        f"expected no foreign code in a file, but {what}",
        op=op,
        location=location,
        help="foreign code can do anything that you can do; for a file that you trust give --allow-foreign, "
        "allow_foreign=True, or the setting allow_foreign (TILEWRIGHT_ALLOW_FOREIGN=1)",
    )


def _foreign_of(op: Operation) -> str | None:
    match op:
        case CallExternOp():
            return f"this calls '{op.callee}'"
        case CallPureExternOp():
            return f"this calls '{op.symbol}'"
        case _ if FOREIGN in op.attributes:
            return "this brings its own"
        case _:
            return None
