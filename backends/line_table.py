"""Line tables: the file and the line of each operation, which debuggers and profilers show for compiled code.

The lines refer to the module's text, which is written to a file for these tools, or to the user's source, by the
locations of the operations.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Literal, TypeAlias

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.printer import Printer

from ..diagnostics import fail
from ..diagnostics.locations import SourcePosition, source_position
from ..passes.framework.context import PassContext

Lines: TypeAlias = Literal["ir", "source"]
"""The text that line tables refer to: the final IR, or the user's source."""

KINDS: tuple[Lines, ...] = ("ir", "source")


@dataclass(frozen=True)
class LineTable:
    """The lines of the ops of one module. An op without a line has that of its parent."""

    path: Path
    """The path of the module's text, whether it is written yet or not."""
    text: str
    positions: Mapping[Operation, SourcePosition]

    def position(self, op: Operation) -> SourcePosition:
        """Return the position of `op` or of its nearest ancestor with one; line 0 of the text where none is known."""
        current: Operation | None = op
        while current is not None:
            if current in self.positions:
                return self.positions[current]
            current = current.parent_op()
        return SourcePosition(str(self.path), 0, 0)


def requested_lines() -> Lines | None:
    """Return the lines that the current `PassContext` wants in debug information; None for no debug information."""
    context = PassContext.current()
    if not context.value("debug_info", bool):
        return None
    wanted = context.value("debug_lines", str)
    for kind in KINDS:
        if wanted == kind:
            return kind
    fail("TW0208", f"configuration key 'debug_lines': expected {' or '.join(KINDS)}, but got '{wanted}'")


def line_table(module: ModuleOp, path: Path, lines: Lines) -> LineTable:
    """Return the lines of the ops inside `module`, whose text `path` will hold."""
    stream = _CountedLines()
    printer = _Printer(stream)
    printer.print_op(module)
    if lines == "ir":
        positions = {op: SourcePosition(str(path), line, column) for op, (line, column) in printer.printed.items()}
    else:
        found = ((op, source_position(op.location)) for op in module.walk())
        positions = {op: position for op, position in found if position is not None and position.line}
    return LineTable(path, stream.getvalue() + "\n", positions)


class _CountedLines(StringIO):
    """Text that is being written, with the current line and column."""

    def __init__(self) -> None:
        super().__init__()
        self.line = 1
        self.column = 1

    def write(self, text: str, /) -> int:
        breaks = text.count("\n")
        self.line += breaks
        self.column = len(text) - text.rindex("\n") if breaks else self.column + len(text)
        return super().write(text)


@dataclass(init=False, eq=False, repr=False)
class _Printer(Printer):
    """A printer that records the line and the column at which each op starts."""

    printed: dict[Operation, tuple[int, int]] = field(default_factory=dict[Operation, tuple[int, int]])

    def __init__(self, stream: _CountedLines) -> None:
        super().__init__(stream=stream)
        self.printed = {}
        self._counted = stream

    def print_op(self, op: Operation) -> None:
        self.printed[op] = (self._counted.line, self._counted.column)
        super().print_op(op)
