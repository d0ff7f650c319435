"""Source locations: their construction, the location of an op, and the file, line and column of a location.

A location states the line of the user's text, model or Python file that an op comes from. An op that a pass builds
carries the location of the op that it replaces; if the pass sets none, `complete_locations` takes the location of an op
inside it, around it or using it. An op that replaces several ops carries the locations of all of them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path
from types import CodeType
from typing import NamedTuple, NoReturn

from xdsl.dialects.builtin import (
    ArrayAttr,
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    IndexType,
    IntAttr,
    LocationAttr,
    NameLoc,
    NoneAttr,
    StringAttr,
    UnknownLoc,
)
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue

from ..runtime.errors import SourcePosition as SourcePosition
from ..traversal import operations

_PACKAGE = str(Path(__file__).parent.parent)
_LIBRARY_FOLDERS = tuple(f"{_PACKAGE}/{p.name}/" for p in Path(_PACKAGE).iterdir() if (p / "__init__.py").exists())

_CALLS = f"{_PACKAGE}/runtime/calls.py"
"""The file whose frames stand between users and the functions that they call."""
_sources: set[str] = set()
"""Names of files that were read or run, and may be quoted."""

_FUSED = 4
"""The largest number of locations of an operation that replaces several."""

_STACK = 16
"""The number of frames up the stack in which an expression looks for the user's line; beyond them another caller made
it."""


class CodePoint(NamedTuple):
    """An instruction of a Python function: cheap to record; its line and column are looked up on demand."""

    code: CodeType
    instruction: int

    @property
    def location(self) -> FileLineColLoc:
        return _point_location(self.code.co_filename, self)

    def __deepcopy__(self, memo: object) -> CodePoint:
        return self

    def __reduce__(self) -> NoReturn:
        """Raise TilewrightError TW0251, which is an AttributeError: expressions know the code that wrote them."""
        from .errors import UnknownNameError

        raise UnknownNameError(
            "TW0251",
            "expressions and schedules cannot be pickled: they refer to the code of the program that wrote them",
            help="save the text of a lowered module: str(tilewright.lower(schedule, args))",
        )


def note_source(file: str) -> None:
    """Let errors quote lines of this file."""
    _sources.add(file)


def is_source(file: str) -> bool:
    """Return whether errors may quote lines of this file."""
    return file in _sources


def file_location(file: str, line: int, column: int) -> FileLineColLoc:
    """Return the location of `column` in `line` of `file`, both counted from 1."""
    return FileLineColLoc(StringAttr(file), IntAttr(line), IntAttr(column))


def model_location(file: str, name: str) -> NameLoc:
    """Return the location of the object called `name` in a model file, which has no lines."""
    return NameLoc(StringAttr(name), FileLineColLoc(StringAttr(file), IntAttr(0), IntAttr(0)))


def fused_location(*locations: LocationAttr | None) -> LocationAttr:
    """Return the location of an op that replaces several: each location once, no more than a few of them."""
    known: dict[LocationAttr, None] = {}
    for location in locations:
        parts = getattr(location.locations, "data", ()) if isinstance(location, FusedLoc) else (location,)
        known |= dict.fromkeys(part for part in parts if isinstance(part, LocationAttr) and is_known(part))
    kept = list(known)[:_FUSED]
    if len(kept) > 1:
        return FusedLoc(ArrayAttr(kept), NoneAttr())
    return kept[0] if kept else UnknownLoc()


def is_known(location: Attribute | None) -> bool:
    """Return whether the location is known."""
    return location is not None and type(location) is not UnknownLoc


def location_of(op: Operation) -> LocationAttr | None:
    """Return the location of `op`; where it has none, that of the operation that it comes from, by its
    position.

    That is an op inside it, a user of its results, a producer of its operands, or an op around it.
    """
    if is_known(op.location):
        return op.location
    inside = (nested.location for nested in op.walk())
    users = (use.operation.location for result in op.results for use in result.uses)
    makers = (value.owner.location for value in op.operands if isinstance(value.owner, Operation))
    around = (outer.location for outer in _enclosing(op))
    return next(filter(is_known, chain(inside, users, makers, around)), None)


def _enclosing(op: Operation) -> Iterator[Operation]:
    while (parent := op.parent_op()) is not None:
        yield parent
        op = parent


def source_position(location: Attribute | SourcePosition | None) -> SourcePosition | None:
    """Return the first file position inside `location`; None where there is none."""
    match location:
        case SourcePosition():
            return location
        case FileLineColLoc():
            return SourcePosition(location.filename.data, location.line.data, location.column.data)
        case NameLoc():
            position = source_position(location.location)
            if position is None or position.line:
                return position
            return position._replace(file=f"{position.file}:{location.desc.data}")
        case CallSiteLoc():
            return source_position(location.callee) or source_position(location.caller)
        case FusedLoc():
            parts = getattr(location.locations, "data", ())
            return next((position for part in parts if (position := source_position(part))), None)
        case _:
            return None


def describe(op: Operation) -> str:
    """Return `file:line:column: ` of `op` for the start of a note; empty where it is not known."""
    position = source_position(location_of(op))
    return f"{position}: " if position else ""


def caller_location(callee: str | None = None) -> LocationAttr:
    """Return the call in the innermost Python frame outside this library: the user's line and column that build an op.

    With `callee`, a folder of the library, only where the user calls into that one, not another part of the library.
    """
    skipped = _LIBRARY_FOLDERS if callee is None else (f"{_PACKAGE}/{callee}/", _CALLS)
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(skipped):
        frame = frame.f_back
    if frame is None or frame.f_code.co_filename.startswith(_LIBRARY_FOLDERS):
        return UnknownLoc()
    return CodePoint(frame.f_code, frame.f_lasti).location


def caller_point() -> CodePoint | None:
    """Return the point of the user's Python that builds the object whose `__post_init__` calls this; None far up the
    stack."""
    frame = sys._getframe(3)  # past __post_init__ and __init__
    for _ in range(_STACK):
        if frame is None:
            return None
        if not frame.f_code.co_filename.startswith(_LIBRARY_FOLDERS):
            return CodePoint(frame.f_code, frame.f_lasti)
        frame = frame.f_back
    return None


@lru_cache(maxsize=4096)
def _point_location(file: str, point: CodePoint) -> FileLineColLoc:
    """Return the line of an instruction, and the column where the expression that it evaluates begins.

    The file is part of the key, because equal code of two files is equal.
    """
    positions = islice(point.code.co_positions(), point.instruction // 2, None)
    line, _, column, _ = next(positions, (None,) * 4)
    note_source(file)
    return file_location(file, line or point.code.co_firstlineno, 1 if column is None else column + 1)


def written_name(value: SSAValue) -> str | None:
    """Return a value's name as the program has it: an index is called by an identifier, whose `i_2` is `i.2` as a hint.

    Tensors of models may have dots in their names, so others keep theirs.
    """
    hint = value.name_hint
    return hint.replace(".", "_") if hint is not None and isinstance(value.type, IndexType) else hint


def name_of(value: SSAValue) -> str:
    """Return the name of a value in messages: `%name`, or the result or argument that it is where it has no name."""
    if (name := written_name(value)) is not None:
        return f"%{name}"
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
    for nested in operations(op):
        if not is_known(nested.location):
            nested.location = location


def complete_locations(root: Operation) -> None:
    """Set the location of every op inside `root` that has none to the location that `location_of` derives for it."""
    for op in operations(root):
        if type(op.location) is UnknownLoc and op is not root:
            op.location = location_of(op) or op.location


def count_located(root: Operation) -> tuple[int, int]:
    """Return the number of operations inside `root` that have a location, and the number of all operations inside
    it."""
    ops = [op for op in operations(root) if op is not root]
    return sum(is_known(op.location) for op in ops), len(ops)
