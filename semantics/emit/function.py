"""Translation of one function: names of values, objects that the source refers to, and operations in order."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from xdsl.dialects import func
from xdsl.ir import Block, Operation, SSAValue

from ...analysis.init_nests import reductions_by_first_loop
from ...diagnostics import fail
from ...dialects.index_expr import Index
from ...dialects.loop import BlockOp, ForOp, ViewOp
from ...dialects.loop.memory_spaces import (
    ARENA_BYTES,
    IN_ARENA,
    OF_BLOCK,
    OF_THREAD,
    SHARED_BYTES,
    THREAD_BYTES,
    bytes_of,
)
from ..assigned_memory import memory, memory_of_thread
from .text import Lines, guard_text, index_text, tuple_text

if TYPE_CHECKING:
    from ..program import Program

MAXIMUM_DEPTH = 80
"""Python's tokenizer takes 100 levels of indentation."""

_TABLES = ("scalars", "scalar_calls", "control", "control_flow", "foreign", "memory", "threads", "te", "graph")
"""Modules of this package with a table `EMIT`."""


class FunctionEmitter:
    """The source of the Python function that executes a `func.func`, with one variable for each SSA value."""

    def __init__(self, program: Program, function: func.FuncOp) -> None:
        self.program = program
        self.function = function
        self.lines = Lines()
        self.objects: dict[str, Any] = {}
        self.loop_depth = 0
        self.is_grid = False
        """True where values are arrays over a grid of points, as within a te.compute."""
        self.threads: dict[str, str] | None = None
        """Within a thread of a block: the variable that holds its number along each axis."""
        self.made_before = set[Operation]()
        """Allocations of the threads' shared buffers, made before the threads start."""
        self.lines_in_memory = dict[SSAValue, str]()
        """Buffers whose pieces are permuted: the variables of their memory."""
        self._names: dict[SSAValue, str] = {}
        self._bound: dict[int, str] = {}
        self._count = 0
        self._memory: dict[str, str] = {}
        self._detached: list[Operation] = []
        self._started_reductions: dict[ForOp, list[BlockOp]] | None = None

    def compile(self) -> Callable[..., Any]:
        """Return the Python function."""
        blocks = self.function.body.blocks
        if len(blocks) != 1:
            fail("TW0720", f"expected a function body of one block, but got {len(blocks)}", op=self.function)
        arguments = [self.define(a) for a in blocks[0].args]
        with self.lines.block(f"def function({', '.join(arguments)}):"):
            self._emit_memory()
            try:
                self.emit_block(blocks[0])
            finally:
                for op in self._detached:
                    op.erase()
        name = f"<semantics of {self.function.sym_name.data}>"
        exec(compile(str(self.lines), name, "exec"), self.objects)
        return self.objects["function"]

    def _emit_memory(self) -> None:
        """Emit the memory that the function states its buffers to lie in."""
        stated = (
            (IN_ARENA, ARENA_BYTES, memory),
            (OF_THREAD, THREAD_BYTES, memory_of_thread),
            (OF_BLOCK, SHARED_BYTES, memory),
        )
        for kind, attribute, make in stated:
            if size := bytes_of(self.function, attribute):
                self._memory[kind] = name = self.fresh(kind)
                self.add(f"{name} = {self.bind(make, kind)}({size})")

    def memory(self, kind: str) -> str:
        """Return the variable of a memory that buffers share."""
        if kind not in self._memory:
            self._memory[kind] = name = self.bind(memory(0), "nothing")
            return name
        return self._memory[kind]

    def lines_of(self, buffer: SSAValue) -> str:
        """Return the memory, a flat array, of the buffer that `buffer` is a view of."""
        at = buffer
        while isinstance(at.owner, ViewOp):
            at = at.owner.buffer
        return self.lines_in_memory.get(at) or f"{self.name(at)}.reshape(-1)"

    def emit_block(self, block: Block) -> None:
        """Emit the operations of a block, in order."""
        for op in block.ops:
            self.emit(op)

    def emit_detached(self, op: Operation) -> None:
        """Emit an operation that stands nowhere in the function, and erase it afterwards."""
        self.emit(op)
        self._detached.append(op)

    def emit(self, op: Operation) -> None:
        """Emit one operation."""
        emit = emitters().get(op.name)
        if emit is None:
            from .registered import emit_registered as emit
        emit(self, op)

    def reductions_started_at(self, op: ForOp) -> Sequence[BlockOp]:
        """Return the blocks whose reductions begin at a loop."""
        if self._started_reductions is None:
            self._started_reductions = reductions_by_first_loop(self.function)
        return self._started_reductions.get(op, ())

    # Names

    def define(self, value: SSAValue) -> str:
        """Define a fresh variable for an SSA value, and return its name."""
        self._names[value] = name = self.fresh(value.name_hint or "")
        return name

    def name(self, value: SSAValue) -> str:
        """Return the variable that holds an SSA value."""
        return self._names[value]

    def names(self, values: Sequence[SSAValue]) -> list[str]:
        return [self._names[v] for v in values]

    def alias(self, value: SSAValue, name: str) -> None:
        """Let the variable or object `name` hold an SSA value."""
        self._names[value] = name

    def fresh(self, hint: str) -> str:
        self._count += 1
        return f"v{self._count}_{re.sub(r'[^0-9A-Za-z]', '_', hint)}"

    def bind(self, item: Any, hint: str) -> str:
        """Return the name of a Python object, the same for the same object."""
        key = id(item)
        if key not in self._bound:
            self._bound[key] = name = f"{hint.upper()}{len(self._bound)}"
            self.objects[name] = item
        return self._bound[key]

    # Text

    def add(self, line: str) -> None:
        self.lines.add(line)

    def set(self, value: SSAValue, text: str) -> None:
        """Assign an expression to the variable of `value`."""
        self.lines.add(f"{self.define(value)} = {text}")

    def index(self, expression: Index, lanes: str = "") -> str:
        return index_text(expression, self.name, lanes)

    def indices(self, expressions: Sequence[Index], lanes: str = "") -> str:
        """Return a tuple of index expressions."""
        return tuple_text([self.index(e, lanes) for e in expressions])

    def guard(self, conditions: Sequence[Index], lanes: str = "") -> str:
        return guard_text(conditions, self.name, lanes)

    def op(self, op: Operation) -> str:
        """Return the name of the operation itself, for errors that say where they happened."""
        return self.bind(op, "op")


Emit = Callable[[FunctionEmitter, Any], None]


def emitters() -> dict[str, Emit]:
    """Return the functions that translate operations, by the operations' names."""
    if not _EMITTERS:
        for module in _TABLES:
            _EMITTERS.update(import_module(f".{module}", __package__).EMIT)
    return _EMITTERS


_EMITTERS: dict[str, Emit] = {}
