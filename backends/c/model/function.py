"""Functions of a model in C: no heap, no threads, no printing, and a status that names the assertion that failed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar, NoReturn

from xdsl.dialects import func
from xdsl.ir import Attribute, Operation

from ....diagnostics import fail
from ....dialects.loop import AssertOp, ConstantOp, ForOp
from ....runtime.buffers import ALIGNMENT
from ...written.fresh_names import Names, Reserved
from ..control import Interface, call_text, write_loop
from ..dispatch import STATEMENTS
from ..function import FunctionWriter
from ..heap import Heap
from ..storage import condition_text, is_on_heap, is_written_out
from ..text import CLines
from .types import alias_of
from .weights import Weights

NAMES = ("inputs", "most", "outer", "outputs", "top", "used", "weights")
"""Names that the functions of a model use, in addition to the names of all C source."""
FIRST_CHECK = 3
"""The status of the first assertion; the statuses of further assertions follow."""


class ModelWriter(FunctionWriter):
    """Writes the operations of one function of a model."""

    parameters: ClassVar[Mapping[str, str]] = {
        "arena": "void *arena",
        "top": "char *top",
        "weights": "const char *weights",
    }

    def __init__(self, weights: Weights, reserved: Reserved) -> None:
        super().__init__(reserved)
        self.heap: ArenaHeap = ArenaHeap(self.lines, self.names)
        self.weights = weights

    def memory_type(self, element: Attribute) -> str:
        """Return a type that may alias others: the arena holds elements of different types one after the other."""
        return alias_of(element)

    def finished(self, parameters: Sequence[str]) -> Sequence[str]:
        """Return the lines without unused constants and with every parameter used: compilers warn of the others."""
        lines = _without_unused(self.lines.lines)
        return [*unused_lines(parameters, "\n".join(lines)), *lines]

    def constant_data(self, number: int) -> str:
        return self.weights.pointer(number)

    def passed(self, name: str) -> str:
        return self.heap.top if name == "top" else name


def unused_lines(parameters: Sequence[str], body: str) -> list[str]:
    """Return statements that use the parameters that a function's body does not."""
    words = set(re.findall(r"\w+", body))
    names = (re.findall(r"\w+", parameter)[-1] for parameter in parameters)
    return [f"  (void){name};" for name in names if name not in words]


_DECLARATION = re.compile(r" *(?=.*\bconst\b)[\w *]+[ *](?P<name>\w+) = (?P<value>.*);(?:  //.*)?")
_CALL = re.compile(r"\b(?!tw_)\w+\(")


def _without_unused(lines: Sequence[str]) -> list[str]:
    """Return the lines without declarations of constants that no later line in their scope names."""
    kept: list[str] = []
    seen: list[tuple[int, set[str]]] = []
    """The words of the lines that are kept, of each scope that is open, innermost last, with its depth."""
    for line in reversed(lines):
        depth = len(line) - len(line.lstrip(" "))
        inner = set[str]()
        while seen and seen[-1][0] > depth:
            inner |= seen.pop()[1]
        if not seen or seen[-1][0] < depth:
            seen.append((depth, set()))
        words = seen[-1][1]
        words |= inner
        found = _DECLARATION.fullmatch(line)
        if found and found["name"] not in words and not _CALL.search(found["value"]):
            continue
        words.update(re.findall(r"\w+", line))
        kept.append(line)
    return kept[::-1]


class ArenaHeap(Heap):
    """Stack allocation in the arena for buffers whose sizes are known at the call only, until their region ends.

    A function gets the first free byte as its parameter `top`, and passes the first byte behind its buffers to callees.
    """

    def __init__(self, lines: CLines, names: Names) -> None:
        super().__init__(lines, names)
        self._tops: list[str | None] = []

    @property
    def top(self) -> str:
        """The variable that holds the first free byte."""
        return next((top for top in reversed(self._tops) if top is not None), "top")

    def enter(self) -> None:
        self._tops.append(None if self._tops else "top")

    def leave(self) -> None:
        self._tops.pop()

    def open_exit(self) -> None:
        """Do nothing: failures leave where they happen, and there is nothing to free."""

    def close_exit(self, failure: str, end: str) -> None:
        if end:
            self._lines.line(end)

    def allocate(self, size: str) -> str:
        if self._tops[-1] is None:
            outer = self.top
            self._tops[-1] = self._names.fresh_everywhere("top")
            self._lines.line(f"char *{self._tops[-1]} = {outer};")
        name = self._names.fresh_everywhere("room")
        self._lines.line(f"void *const {name} = {self.top};")
        self._lines.line(f"{self.top} += {_rounded(size)};")
        return name

    def fail(self) -> None:
        raise AssertionError("a model leaves with a status")


def _rounded(size: str) -> str:
    """Return the bytes of a buffer with the gap behind it."""
    if size.isdecimal():
        return str(-(-int(size) // ALIGNMENT) * ALIGNMENT)
    return f"tw_rounded({size})"


def needs_of_models(operations: Sequence[Operation], called: Sequence[Interface]) -> list[str]:
    """Return the names of the weights and of the first free byte of the arena, where they are used."""
    used = {
        "weights": any(isinstance(op, ConstantOp) and not is_written_out(op) for op in operations),
        "top": any(is_on_heap(op) for op in operations),
    }
    return [name for name, is_used in used.items() if is_used or any(name in c.extra for c in called)]


def _write_assert(writer: ModelWriter, op: Operation) -> None:
    assert isinstance(op, AssertOp)
    holds = writer.index.holds(op.conditions)
    if holds is not True:
        writer.materialize_reads()
        writer.lines.line(f"if (!({condition_text(holds)})) return {FIRST_CHECK - 1 + writer.checks[op]};")


def _write_call(writer: ModelWriter, op: Operation) -> None:
    assert isinstance(op, func.CallOp)
    text, callee = call_text(writer, op)
    if not callee.can_fail:
        writer.lines.line(f"{text};")
        return
    status = writer.names.fresh_everywhere("failure")
    writer.lines.line(f"const int {status} = {text};")
    writer.lines.line(f"if ({status} != 0) return {status};")


def _write_for(writer: ModelWriter, op: Operation) -> None:
    """Write a loop, which runs serially even where it is parallel."""
    assert isinstance(op, ForOp)
    write_loop(writer, op, parallel=False)


def _refuse_print(writer: ModelWriter, op: Operation) -> None:
    fail("TW0677", "expected a model that prints nothing, because its C file runs without an operating system", op=op)


ModelWriter.statements = {
    **STATEMENTS,
    "func.call": _write_call,
    "loop.assert": _write_assert,
    "loop.for": _write_for,
    "loop.print": _refuse_print,
}


def unknown_size(op: Operation, what: str) -> NoReturn:
    """Raise TW0675 for a buffer whose size the open sizes of a call do not determine."""
    fail(
        "TW0675",
        f"expected {what} of a size that the shapes of the inputs determine, because the C file of a model allocates "
        "nothing on the heap",
        op=op,
        help="save the model as .so, whose programs may allocate while they run",
    )
