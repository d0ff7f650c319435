"""Source locations: making them, finding an op's, and reading file, line and column out of one.

A location says where in the user's text, model or Python file an op comes from. Ops that a pass built without
one are placed at their nearest enclosing op that has one, so that every error points somewhere.
"""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from xdsl.dialects.builtin import (
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    IntAttr,
    LocationAttr,
    NameLoc,
    StringAttr,
    UnknownLoc,
)
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue

_PACKAGE = str(Path(__file__).resolve().parent.parent)
_LIBRARY_FOLDERS = tuple(f"{_PACKAGE}/{p.name}/" for p in Path(_PACKAGE).iterdir() if (p / "__init__.py").exists())


class SourcePosition(NamedTuple):
    """A place in a source file; line and column count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


def file_location(file: str, line: int, column: int) -> FileLineColLoc:
    """The location of `column` in `line` of `file`, both counted from 1."""
    return FileLineColLoc(StringAttr(file), IntAttr(line), IntAttr(column))


def is_known(location: Attribute | None) -> bool:
    """Whether the location says anything."""
    return location is not None and not isinstance(location, UnknownLoc)


def location_of(op: Operation) -> LocationAttr | None:
    """The location of `op`, or of the nearest op around it that has one."""
    current: Operation | None = op
    while current is not None:
        if is_known(current.location):
            return current.location
        current = current.parent_op()
    return None


def source_position(location: Attribute | None) -> SourcePosition | None:
    """The first file position inside `location`; None where there is none."""
    match location:
        case FileLineColLoc():
            return SourcePosition(location.filename.data, location.line.data, location.column.data)
        case NameLoc():
            return source_position(location.location)
        case CallSiteLoc():
            return source_position(location.callee) or source_position(location.caller)
        case FusedLoc():
            parts = getattr(location.locations, "data", ())
            return next((position for part in parts if (position := source_position(part))), None)
        case _:
            return None


def describe(op: Operation) -> str:
    """`file:line:column: ` of `op` for the start of a note; empty where it is not known."""
    position = source_position(location_of(op))
    return f"{position}: " if position else ""


def caller_location(callee: str | None = None, *, exact: bool = False) -> LocationAttr:
    """The line of the innermost Python frame outside this library: the user's line that builds an op.

    With `callee`, a folder of the library, only where the user calls into that one, not another part of the library.
    `exact` finds the column of the call too, which takes longer.
    """
    skipped = _LIBRARY_FOLDERS if callee is None else (f"{_PACKAGE}/{callee}/",)
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(skipped):
        frame = frame.f_back
    if frame is None or frame.f_code.co_filename.startswith(_LIBRARY_FOLDERS):
        return UnknownLoc()
    return file_location(frame.f_code.co_filename, frame.f_lineno, _column(frame) if exact else 1)


def _column(frame: FrameType) -> int:
    """Where the expression that a frame evaluates begins in its line."""
    line, _, start, _ = next(islice(frame.f_code.co_positions(), frame.f_lasti // 2, None), (None,) * 4)
    return 1 if start is None or line != frame.f_lineno else start + 1


def name_of(value: SSAValue) -> str:
    """How a message calls a value: `%name`, or where it comes from when it has no name."""
    if value.name_hint is not None:
        return f"%{value.name_hint}"
    match value:
        case OpResult():
            return f"result {value.index} of '{value.op.name}'"
        case BlockArgument():
            parent = value.block.parent_op()
            return f"argument {value.index} of '{parent.name}'" if parent else f"block argument {value.index}"
        case _:
            return "value"


def set_missing_locations(op: Operation, location: LocationAttr) -> None:
    """Give `location` to `op` and the ops inside it where they have none."""
    if not is_known(location):
        return
    for nested in op.walk() if op.regions else (op,):
        if not is_known(nested.location):
            nested.location = location
