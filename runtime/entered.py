"""Objects that are called without Python code in between."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from .buffers import Array
    from .checked_call import Outputs


class Entered:
    """An object whose calls go straight to a callable that it holds.

    The interpreter looks `__call__` up in the class, finds the slot, and takes what the object keeps there: a call
    costs as much as one of that callable and no frame.
    """

    if not TYPE_CHECKING:  # checkers take what stands in slots for values, which bind no self
        __slots__ = ("__call__",)

    if TYPE_CHECKING:

        def __call__(
            self, *arrays: object, out: Outputs | None = None, threads: int | None = None, **named: object
        ) -> Array | tuple[Array, ...] | None: ...

    def enter_by(self, call: Callable[..., Array | tuple[Array, ...] | None]) -> None:
        """Let calls of this object be calls of `call`."""
        object.__setattr__(self, "__call__", call)
