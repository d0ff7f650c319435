"""Remarks: messages of passes that do not stop them, such as an optimisation that was not applied.

A remark has a code of the same table as errors. It is passed to the active collectors, and dropped if there is none. A
message that is expensive to build is given as a function, which is called only if there is a collector; so passes need
no check.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from ..runtime.error_codes import entry_of
from .locations import source_position
from .rendering import quote

if TYPE_CHECKING:
    from xdsl.dialects.builtin import LocationAttr
    from xdsl.ir import Operation

Kind: TypeAlias = Literal["passed", "missed", "analysis"]
"""The kind of a remark: a change that was made, one that was not and why, or a result of an analysis."""

KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True)
class Remark:
    """One remark, rendered like an error, with its kind and its pass after the message."""

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


_TAGS: dict[Kind, str] = {"passed": "!Passed", "missed": "!Missed", "analysis": "!Analysis"}
_ESCAPED = re.compile(r'["\\]|[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]')


def as_yaml(remarks: Iterable[Remark]) -> str:
    """Return the remarks as YAML: a document for each, in the structure of LLVM's optimisation records, which its
    viewers read.

    ```yaml
    --- !Missed
    Pass:            "vectorize"
    Name:            "TW0510"
    DebugLoc:        { File: "scan.mlir", Line: 2, Column: 3 }
    Function:        "scan"
    Args:
      - String:          "loop %i is not vectorised: its iterations depend on one another through %A"
    ...
    ```
    Every string stands in double quotes, where YAML takes the escapes of JSON.
    """
    return "".join(f"{line}\n" for remark in remarks for line in _document(remark))


def _document(remark: Remark) -> Iterator[str]:
    yield f"--- {_TAGS[remark.kind]}"
    yield f"Pass:            {_quoted(remark.pass_name)}"
    yield f"Name:            {_quoted(remark.code)}"
    position = source_position(remark.location)
    if position is not None:
        where = f"File: {_quoted(position.file)}, Line: {position.line}, Column: {position.column}"
        yield f"DebugLoc:        {{ {where} }}"
    yield f"Function:        {_quoted(remark.function)}"
    yield "Args:"
    yield f"  - String:          {_quoted(remark.message)}"
    yield from (f"  - Note:            {_quoted(note)}" for note in remark.notes)
    yield "..."


def _quoted(text: str) -> str:
    return f'"{_ESCAPED.sub(_escape, text)}"'


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    return f"\\{character}" if character in '"\\' else f"\\u{ord(character):04x}"
