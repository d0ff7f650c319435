"""Faults of kernels: what a thread did wrong, before it is known who and where."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from .memory import Shadow


class Fault(Exception):
    """Raised inside a thread; the launch adds thread, block and place, and makes an error of it."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        line: int | None = None,
        other: tuple[str, int] | None = None,
        help: str | None = None,
        thread: int | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.line = line
        self.other = other
        """What another thread did, as a verb, and its stamp."""
        self.help = help
        self.thread = thread
        self.missing: tuple[Shadow, int] | None = None
        """The cell of shared memory that was read before it was written."""


class Poison:
    """What local memory holds before anything is written to it: every use but copying it is a fault."""

    __slots__ = ("name",)
    __array_ufunc__ = None  # numpy's scalars leave arithmetic to the other operand

    def __init__(self, name: str) -> None:
        self.name = name

    def _fault(self, *operands: Any) -> NoReturn:
        raise Fault(
            "TW0653",
            f"use of an element of '{self.name}', local memory, that was read before anything was written to it",
            help="write the initial value first",
        )

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _fault
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = __neg__ = __pos__ = __abs__ = _fault
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __lshift__ = __rlshift__ = __rshift__ = _fault
    __rrshift__ = __invert__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __int__ = __float__ = __index__ = _fault
    __eq__ = __ne__ = _fault  # pyright: ignore[reportAssignmentType, reportIncompatibleMethodOverride]
    __hash__ = None  # pyright: ignore[reportAssignmentType]
