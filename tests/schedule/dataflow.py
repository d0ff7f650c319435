"""Symbolic results of a small program: it runs on a name for each value instead of a number.

The value that an instance of a statement stores is named by its label, its iteration variables and the values that it
reads, whatever it does with them. Two programs that leave values of the same names in their arguments compute the same;
how often an instance runs, and when, does not matter. Copies, and blocks that are inlined, are seen through.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from tilewright.dialects import loop
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, SSAValue

from .oracle import Environment

Values: TypeAlias = frozenset[int]
"""Numbers of values, by `_Names`: one, or what a copy or an inlined statement made one of."""


@dataclass(frozen=True)
class Outcome:
    """The final contents of a program's arguments, by name and element, and its intermediate values."""

    contents: dict[tuple[str, tuple[int, ...]], Values]
    computed: set[Values]
    """All that instances stored, those of blocks aside of which it does not matter how much they compute."""

    reads_unwritten: bool


class _Names:
    """A number for each value: equal numbers are equal values."""

    def __init__(self) -> None:
        self.numbers: dict[object, int] = {}

    def of(self, *what: object) -> Values:
        return frozenset([self.numbers.setdefault(what, len(self.numbers))])


_NAMES = _Names()


def outcome(function: FuncOp, seen_through: Collection[str] = (), unwatched: Collection[str] = ()) -> Outcome:
    """Return the symbolic results of a program of loops and blocks with constant extents.

    The blocks named in `seen_through` pass on what they read. Those in `unwatched` may compute more than is read.
    """
    run = _Run(seen_through, unwatched)
    run.body(function.body.block, {})
    contents = {
        (buffer.name_hint or "", element): values
        for (buffer, element), values in run.memory.items()
        if isinstance(buffer, BlockArgument) and values != _unwritten(buffer, element)
    }
    return Outcome(contents, run.computed, run.reads_unwritten)


class _Run:
    def __init__(self, seen_through: Collection[str], unwatched: Collection[str]) -> None:
        self.seen_through = seen_through
        self.unwatched = unwatched
        self.computed: set[Values] = set()
        self.reads_unwritten = False
        self.memory: dict[tuple[SSAValue, tuple[int, ...]], Values] = {}

    def body(self, body: Block, environment: Environment) -> None:
        for op in body.ops:
            match op:
                case loop.ForOp():
                    lower = max(e.evaluate(environment) for e in op.lowers)
                    upper = min(e.evaluate(environment) for e in op.uppers)
                    for i in range(lower, upper):
                        self.body(op.body.block, environment | {op.induction_variable: i})
                case loop.BlockOp():
                    if all(e.evaluate(environment) >= 0 for e in op.conditions):
                        self.instance(op, environment)
                case loop.AllocOp():
                    self.memory = {at: values for at, values in self.memory.items() if at[0] is not op.res}
                case _:
                    assert not op.regions, f"expected loops and blocks, but got {op.name}"

    def instance(self, block: loop.BlockOp, outside: Environment) -> None:
        rows = [(v, kind, binding.evaluate(outside)) for v, kind, binding, _ in block.iteration()]
        environment = outside | {v: n for v, _, n in rows}
        label = block.label.removesuffix("_init")
        spatial = tuple(n for _, kind, n in rows if kind == "spatial")
        if block.label != label:  # an init that was split off
            self.statement(f"{label}_init", spatial, block.body.block, environment)
            return
        if block.init is not None and all(n == 0 for _, kind, n in rows if kind == "reduce"):
            self.statement(f"{label}_init", spatial, block.init.body.block, environment)
        self.statement(label, tuple(n for *_, n in rows), block.body.block, environment)

    def statement(self, label: str, point: tuple[int, ...], body: Block, environment: Environment) -> None:
        read = frozenset(n for op in body.ops if isinstance(op, loop.LoadOp) for n in self.read(op, environment))
        value = read if label in self.seen_through else _NAMES.of(label, point, read)
        if label not in self.seen_through and label not in self.unwatched:
            self.computed.add(value)
        for op in body.ops:
            if isinstance(op, loop.StoreOp) and all(e.evaluate(environment) >= 0 for e in op.conditions):
                self.memory[op.buffer, tuple(e.evaluate(environment) for e in op.index)] = value

    def read(self, op: loop.LoadOp, environment: Environment) -> Iterator[int]:
        if all(e.evaluate(environment) >= 0 for e in op.conditions):
            element = tuple(e.evaluate(environment) for e in op.index)
            self.reads_unwritten |= not isinstance(op.buffer, BlockArgument) and (op.buffer, element) not in self.memory
            yield from self.memory.get((op.buffer, element), _unwritten(op.buffer, element))


def _unwritten(buffer: SSAValue, element: tuple[int, ...]) -> Values:
    return _NAMES.of("unwritten", buffer.name_hint, element)
