"""Remarks: messages of passes that do not stop them, such as an optimisation that was not applied.

A remark has a code of the same table as errors. It reaches whoever collects remarks and is dropped where nobody does,
so that passes need not ask: a message that costs something to build is given as a function, which is then not called.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from ..runtime.error_codes import entry_of
from .rendering import quote

if TYPE_CHECKING:
    from xdsl.dialects.builtin import LocationAttr
    from xdsl.ir import Operation

Kind: TypeAlias = Literal["passed", "missed", "analysis"]
"""The kind of a remark: a change that was made, one that was not and why, or a result of an analysis."""

KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True)
class Remark:
    """One remark; its text is rendered as an error's is, with its kind and its pass behind the message."""

    code: str
    message: str
    location: LocationAttr | None = None
    notes: tuple[str, ...] = ()
    kind: Kind = "missed"
    pass_name: str = ""
    """The pass that made it; empty outside of passes."""
    function: str = ""
    """The function that it is about; empty where it is about none."""

    def __str__(self) -> str:
        from .locations import source_position

        position = source_position(self.location)
        what = f"{self.kind}, {self.pass_name}" if self.pass_name else self.kind
        where = str(position) if position else f"@{self.function}" if self.function else ""
        lines = [f"{f'{where}: ' if where else ''}remark[{self.code}]: {self.message} [{what}]"]
        lines += quote(position) if position else []
        return "\n".join([*lines, *(f"note: {note}" for note in self.notes)])


@dataclass
class _Collector:
    found: list[Remark] = field(default_factory=list[Remark])
    pass_name: str = ""


_collector: ContextVar[_Collector | None] = ContextVar("remarks", default=None)


def remarks_wanted() -> bool:
    """Return whether a collector of remarks is active: for passes that would have to look for the reason of one."""
    return _collector.get() is not None


def remark(
    code: str,
    message: str | Callable[[], str],
    *,
    op: Operation | None = None,
    notes: Sequence[str] = (),
    kind: Kind = "missed",
) -> None:
    """Emit a remark about `op` to the collector, if there is one. Raises ValueError for a code that no table has."""
    collector = _collector.get()
    if collector is None:
        return
    entry_of(code)
    from .locations import location_of

    text = message if isinstance(message, str) else message()
    location = location_of(op) if op is not None else None
    collector.found.append(Remark(code, text, location, tuple(notes), kind, collector.pass_name, _function_around(op)))


@contextmanager
def collect_remarks() -> Generator[list[Remark], None, None]:
    """Collect the remarks made inside the `with`, in order."""
    collector = _Collector()
    token = _collector.set(collector)
    try:
        yield collector.found
    finally:
        _collector.reset(token)


def collected_remarks() -> list[Remark] | None:
    """Return the remarks that were collected so far; None where nobody collects them."""
    collector = _collector.get()
    return None if collector is None else collector.found


@contextmanager
def remarks_of(pass_name: str) -> Generator[None, None, None]:
    """Count remarks made inside the `with` as those of this pass."""
    collector = _collector.get()
    if collector is None:
        yield
        return
    outer, collector.pass_name = collector.pass_name, pass_name
    try:
        yield
    finally:
        collector.pass_name = outer


def _function_around(op: Operation | None) -> str:
    """Return the name of the innermost operation around `op`, itself included, that is a symbol."""
    from xdsl.dialects.builtin import StringAttr

    while op is not None:
        name = op.properties.get("sym_name")
        if isinstance(name, StringAttr):
            return name.data
        op = op.parent_op()
    return ""
