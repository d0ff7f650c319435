"""Faults of kernels, as exceptions that do not have the thread and the source location yet."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from .memory import Shadow


class Fault(Exception):
    """A fault that is raised inside a thread; the launch adds thread, block and source location, and raises an
    error."""

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
        """The access of another thread: a verb and its stamp."""
        self.help = help
        self.thread = thread
        self.missing: tuple[Shadow, int] | None = None
        """The cell of shared memory that was read before it was written."""
        self.poison: Poison | None = None
        """The uninitialised value that was used."""


class Poison:
    """The value of memory that was not written.

    A poison value may be copied and computed with: the result is poison too, and a program whose last store is guarded
    computes with it in the threads that store nothing. It is a fault to branch on poison, to use it as an index, and to
    store it where other threads see it.
    """

    __slots__ = ("cell", "name", "shadow", "space")
    __array_ufunc__ = None  # numpy's scalars leave arithmetic to the other operand

    def __init__(self, name: str, space: str = "local", shadow: Shadow | None = None, cell: int = 0) -> None:
        self.name = name
        self.space = space
        self.shadow = shadow
        self.cell = cell

    def _spread(self, *operands: Any) -> Poison:
        return self

    def _fault(self, *operands: Any) -> NoReturn:
        element = f"element {self.cell}" if self.shadow is not None else "an element"
        fault = Fault(
            "TW0653",
            f"use of {element} of '{self.name}', {self.space} memory, that was read before anything was written to it",
            help="write the initial value first"
            if self.shadow is None
            else "every element is written, and a barrier passed, before it is read",
        )
        fault.poison = self
        if self.shadow is not None:
            fault.missing = (self.shadow, self.cell)
        raise fault

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _spread
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = __neg__ = __pos__ = __abs__ = _spread
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __lshift__ = __rlshift__ = __rshift__ = _spread
    __rrshift__ = __invert__ = __lt__ = __le__ = __gt__ = __ge__ = _spread
    __eq__ = __ne__ = _spread  # pyright: ignore[reportAssignmentType, reportIncompatibleMethodOverride]
    __bool__ = __int__ = __float__ = __index__ = _fault
    __hash__ = None  # pyright: ignore[reportAssignmentType]


def spreading(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function, changed to give poison where it is given some."""

    def compute(*operands: Any) -> Any:
        try:
            return function(*operands)
        except Fault as fault:
            if fault.poison is None:
                raise
            return fault.poison
        except (TypeError, AttributeError):  # numpy's functions take no poison
            poison = next((operand for operand in operands if isinstance(operand, Poison)), None)
            if poison is None:
                raise
            return poison

    return compute
