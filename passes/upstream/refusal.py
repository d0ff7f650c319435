"""Refusals of the conversions of upstream MLIR."""

from __future__ import annotations

from typing import NoReturn

from xdsl.ir import Operation

from ...diagnostics import fail


def refuse_operation(op: Operation, help: str | None = None) -> NoReturn:
    """Raise TilewrightError TW0570 at an operation that no conversion covers."""
    fail("TW0570", f"'{op.name}' is not converted", op=op, help=help)


def refuse_form(op: Operation, message: str, help: str | None = None) -> NoReturn:
    """Raise TilewrightError TW0571 at an operation that is covered, in a form that is not."""
    fail("TW0571", message, op=op, help=help)


def refuse_while(op: Operation) -> NoReturn:
    """Raise TilewrightError TW0573 at a loop that a condition ends."""
    fail(
        "TW0573",
        f"expected a loop that counts, but '{op.name}' ends by a condition that its body computes",
        op=op,
        help="write it as scf.for: mlir-opt --scf-uplift-while-to-for, where it counts",
    )
