"""Remarks: what a pass wants to tell without stopping, such as an optimisation that it could not apply.

A remark has a code of the same table as errors. It reaches whoever collects remarks and is dropped where nobody does,
so that passes need not ask.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .codes import CODES
from .rendering import quote

if TYPE_CHECKING:
    from xdsl.dialects.builtin import LocationAttr
    from xdsl.ir import Operation

_collector: ContextVar[list[Remark] | None] = ContextVar("remarks", default=None)


@dataclass(frozen=True)
class Remark:
    """One remark; its text is rendered as an error's is, with `remark` for `error`."""

    code: str
    message: str
    location: LocationAttr | None = None
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        from .locations import source_position

        position = source_position(self.location)
        lines = [f"{f'{position}: ' if position else ''}remark[{self.code}]: {self.message}"]
        lines += quote(position) if position else []
        return "\n".join([*lines, *(f"note: {note}" for note in self.notes)])


def remark(code: str, message: str, *, op: Operation | None = None, notes: Sequence[str] = ()) -> None:
    """Tell whoever collects remarks about `op`."""
    if code not in CODES:
        raise ValueError(f"expected an error code of the table in diagnostics/codes.py, but got {code}")
    found = _collector.get()
    if found is None:
        return
    from .locations import location_of

    found.append(Remark(code, message, location_of(op) if op is not None else None, tuple(notes)))


@contextmanager
def collect_remarks() -> Generator[list[Remark], None, None]:
    """The remarks made inside the `with`, in order."""
    found: list[Remark] = []
    token = _collector.set(found)
    try:
        yield found
    finally:
        _collector.reset(token)
