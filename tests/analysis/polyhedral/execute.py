"""A model run at given sizes: its instances in the order of their times, on numpy scalars.

What a model says is compared with what the interpreter computes. The operations' meanings are the interpreter's; which
instances there are, when they run, which elements they touch and what they compute is the model's alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from tilewright.analysis.integer_set.calculus import Calculus
from tilewright.analysis.polyhedral.expression_trees import (
    Apply,
    Choice,
    Constant,
    Expression,
    IndexValue,
    ReadValue,
    Undefined,
)
from tilewright.analysis.polyhedral.flow import Flow
from tilewright.analysis.polyhedral.model import Cell, Model, Read, Statement, Union
from tilewright.dialects import context
from tilewright.dialects.constant_data import constant_array
from tilewright.dialects.index_expr import Symbol
from tilewright.semantics.elementwise import scalar_implementation
from tilewright.semantics.values import dtype_of
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Attribute
from xdsl.utils.test_value import create_ssa_value

Point = tuple[int, ...]
Instance = tuple[int, Point]
"""The number of a statement, and the values of its variables."""

NOTHING = object()
"""The value of an element that was never written, and of expressions over such an element."""


@dataclass
class Run:
    """A model at given sizes: what the arguments hold at the end, and who wrote last what each read has read."""

    model: Model
    arguments: list[Any]
    sizes: dict[Symbol, int]
    memory: dict[tuple[Cell, Point], Any] = field(default_factory=dict[tuple[Cell, Point], Any])
    last: dict[tuple[Cell, Point], Instance] = field(default_factory=dict[tuple[Cell, Point], Instance])
    writers: dict[tuple[int, Point], Instance | None] = field(default_factory=dict[tuple[int, Point], Instance | None])
    """For each read and instance the writer; None where nobody had written."""
    undefined: list[tuple[Cell, Point]] = field(default_factory=list[tuple[Cell, Point]])
    """Elements of arguments that are undefined at the end; `arguments` has there what was passed."""


def execute(model: Model, arguments: Sequence[Any]) -> Run:
    """Run a model on copies of arrays and on numbers. The arrays after it are in `arguments` of the result."""
    copies = [np.array(a) if isinstance(a, np.ndarray) else a for a in arguments]
    sizes = sizes_of(model, arguments)
    run = Run(model, copies, sizes)
    values: dict[tuple[int, Point], Any] = {}
    events: list[tuple[Point, int, Read | Statement, Point]] = []
    for access in (*model.reads, *model.statements):
        for point in points(model, access.domain, access.variables, sizes):
            where = _at(access, point, sizes)
            time = tuple(int(e.evaluate(where)) for e in access.time)
            events.append((time, len(events), access, point))
    length = max((len(time) for time, *_ in events), default=0)
    events.sort(key=lambda event: (event[0] + (0,) * (length - len(event[0])), event[1]))
    written_at: set[Point] = set()
    for time, _, access, point in events:
        where = _at(access, point, sizes)
        key = access.cell, tuple(int(e.evaluate(where)) for e in access.element)
        if isinstance(access, Read):
            values[access.number, point] = run.memory.get(key, NOTHING) if key in run.memory else _initial(run, *key)
            run.writers[access.number, point] = run.last.get(key)
            continue
        padded = time + (0,) * (length - len(time))
        assert padded not in written_at, "two writes at one time"
        written_at.add(padded)
        run.memory[key] = _evaluate(access.value, point, where, values)
        run.last[key] = access.number, point
    for (cell, element), value in run.memory.items():
        given = None if cell.argument is None else copies[cell.argument]
        if isinstance(given, np.ndarray) and value is NOTHING:
            run.undefined.append((cell, element))
        elif isinstance(given, np.ndarray):
            given.reshape(_shape(cell, sizes))[element] = value
    return run


def sizes_of(model: Model, arguments: Sequence[Any]) -> dict[Symbol, int]:
    """Return the values of the parameters in a call."""
    return {
        p.symbol: int(arguments[p.argument]) if p.dimension is None else arguments[p.argument].shape[p.dimension]
        for p in model.parameters
    }


def check_last_writers(run: Run) -> None:
    """Compare the flow of a model with who wrote last in a run of it."""
    calculus = Calculus(run.model.symbols)
    flow = Flow(run.model, calculus)
    for read in run.model.reads:
        sources = flow.sources(read)
        found: dict[tuple[int, Point], Instance | None] = {}
        for source in sources.writers:
            for pair in source.instances.points(run.sizes):
                key = read.number, pair[: len(read.variables)]
                assert key not in found, "two last writers"
                found[key] = source.statement.number, pair[len(read.variables) :]
        for pair in sources.initial.points(run.sizes):
            key = read.number, pair[: len(read.variables)]
            assert key not in found
            found[key] = None
        assert found == {k: v for k, v in run.writers.items() if k[0] == read.number}, read.op
    for cell in run.model.outputs:
        sources = flow.final(cell)
        at_end = {
            pair[: len(cell.shape)]: (source.statement.number, pair[len(cell.shape) :])
            for source in sources.writers
            for pair in source.instances.points(run.sizes)
        }
        assert at_end == {element: w for (written, element), w in run.last.items() if written is cell}
        untouched = {pair[: len(cell.shape)] for pair in sources.initial.points(run.sizes)}
        assert untouched == set(np.ndindex(_shape(cell, run.sizes))) - set(at_end)


def points(model: Model, domain: Union, variables: Sequence[Symbol], sizes: dict[Symbol, int]) -> list[Point]:
    """Return the points of a domain at given sizes. Each is in one of the systems."""
    return Calculus(model.symbols).set(variables, domain).points(sizes) if domain else []


def _at(access: Read | Statement, point: Point, sizes: dict[Symbol, int]) -> dict[Symbol, int]:
    return {**sizes, **dict(zip(access.variables, point, strict=True))}


def _shape(cell: Cell, sizes: dict[Symbol, int]) -> tuple[int, ...]:
    return tuple(int(e.evaluate(sizes)) for e in cell.shape)


def _initial(run: Run, cell: Cell, element: Point) -> Any:
    if cell.argument is not None:
        given = run.arguments[cell.argument]
        return given.reshape(_shape(cell, run.sizes))[element] if isinstance(given, np.ndarray) else given
    if cell.data is not None:
        return constant_array(cell.data)[element]
    raise AssertionError(f"{cell.name} is read before it is allocated")


def _evaluate(e: Expression, point: Point, where: dict[Symbol, int], values: dict[tuple[int, Point], Any]) -> Any:
    match e:
        case Apply():
            operands = [_evaluate(o, point, where, values) for o in e.operands]
            return _apply(e, operands)
        case Constant():
            return constant(e.type, e.bits)
        case ReadValue():
            return values[e.read, point]
        case IndexValue():
            return int(e.index.evaluate(where))
        case Undefined():
            return NOTHING
        case Choice():
            chosen = [x for union, x in e.cases if any(s.contains(where) for s in union)]
            assert len(chosen) == 1, "expected one case to hold"
            return _evaluate(chosen[0], point, where, values)


def constant(type: Attribute, bits: int) -> Any:
    """Return the value of a type that has these bits."""
    dtype = dtype_of(type)
    return np.frombuffer(bits.to_bytes(dtype.itemsize, "little"), dtype)[0]


_functions: dict[tuple[object, ...], Any] = {}


def _apply(e: Apply, operands: list[Any]) -> Any:
    if e.name == "arith.select" and operands[0] is not NOTHING:
        return operands[1] if operands[0] else operands[2]
    if any(o is NOTHING for o in operands):
        return NOTHING
    result = next((value.value.data for name, value in e.properties if name == "result"), 0)
    key = (e.name, e.properties, e.type, *(o.type for o in e.operands))
    if key not in _functions:
        op_class = context().get_op(e.name)
        properties = {name: value for name, value in e.properties if name != "result"}
        op = op_class.create(
            operands=[create_ssa_value(o.type) for o in e.operands],
            result_types=[e.type] * (result + 1),
            properties=properties,
        )
        _functions[key] = scalar_implementation(op)
    with np.errstate(all="ignore"):
        value = _functions[key](*operands)
    value = value[result] if isinstance(value, tuple) else value
    return int(value) if isinstance(e.type, IndexType) else value
