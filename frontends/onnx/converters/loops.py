"""Loop and Scan.

A loop whose carried values keep their types becomes a region. A loop that changes the types is unrolled if its number
of iterations is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from xdsl.ir import Block, Region, SSAValue

from ....dialects import graph
from ....dialects.dtypes import numpy_dtype
from ....dialects.graph.control_flow import collected_type, repeat_body
from ....dialects.names import value_name
from ..listed import Absent, AnyValue, Listed, flattened, kind_of, structure
from ..node import Node, Value, dtype, rank, shape, static_dim
from ..subgraphs import DependsOnIteration, convert_graph
from .branches import as_scalar, drop, truth

_WRITTEN_OUT = 256
"""The most iterations of a loop that is written out."""
_MOST_ROOM = 1 << 26
"""The most elements that a loop with a condition collects, where its number of iterations is the room that it gets."""
_USUAL_ROOM, _USUAL_ITERATIONS = 1 << 22, 1024
"""The elements, or the iterations if these need more, that it has room for where that number is larger or unknown."""


def loop(node: Node) -> Sequence[AnyValue]:
    """Convert Loop: a number of iterations, a condition, or both; neither is a loop without an end."""
    body, given = node.attr("body"), [node.any_input(k) for k in range(2, node.input_count)]
    if len(body.input) != len(given) + 2 or len(body.output) <= len(given):
        node.fail("TW0303", f"expected a body that takes {len(given) + 2} values and gives more than {len(given)}")
    going = node.optional(1)
    if isinstance(going, np.ndarray) and not truth(node, going):
        trips: Value | None = np.array(0)
    else:
        trips = node.optional(0)
    inits = flattened(given)
    if len(set(structure(given)) - {-1}):
        return _written_out(node, body, given, trips, going, "it carries a sequence or an optional")
    collects = len(body.output) > len(inits) + 1
    if collects and trips is not None and not isinstance(trips, np.ndarray):
        trips = node.numbers(0, "the number of iterations of a loop that collects values")
    if isinstance(going, np.ndarray):
        going = None
    trial = _Trial(node, inits, [])
    try:
        with trial:
            given = [trial.block.args[0], np.array(True), *trial.block.args[1:]]
            trial.results = _tensors(node, convert_graph(node, body, given))
    except DependsOnIteration as error:
        if error.block is not trial.block:
            raise
        trial.drop()
        return _written_out(node, body, inits, trips, going, "what it computes depends on the number of the iteration")
    again = trial.results[0]
    if problem := trial.difference(trial.results[1 : len(inits) + 1]):
        trial.drop()
        return _written_out(node, body, inits, trips, going, problem)
    if isinstance(again, np.ndarray) and not truth(node, again):
        trips = np.array(1) if trips is None else node.emit(graph.MinimumOp, _count(node, trips), np.array(1))
    if isinstance(again, np.ndarray) and going is None and trips is None:
        trial.drop()
        node.fail("TW0303", "expected a loop with an end, but its condition always holds and no number is given")
    is_conditional = going is not None or not isinstance(again, np.ndarray)
    start = None
    if is_conditional:
        start = as_scalar(node, going) if going is not None else node.importer.materialized(np.array(True))
        if collects and not (isinstance(trips, np.ndarray) and trips.reshape(-1)[0] <= 0):
            trial.drop()
            return _collected_while(node, body, inits, trips, start)
        if collects:
            start, is_conditional = None, False
    kept = trial.results[1:] if not is_conditional else [again, *trial.results[1:]]
    return trial.close(kept, len(inits), [], start, trips)


def _collected_while(
    node: Node, body: Any, inits: Sequence[Value], trips: Value | None, start: SSAValue
) -> Sequence[Value]:
    """Emit a loop that collects values until its condition fails: into room for all that there may be, of which the
    results are the first parts, as many as it counts."""
    with _Trial(node, [*inits, np.array(0), start], []) as trial:
        number, *carried = trial.block.args
        again, *results = _tensors(node, convert_graph(node, body, [number, np.array(True), *carried[:-2]]))
        count = node.emit(graph.AddOp, number, np.array(1))
        trial.results = [again, *results[: len(inits)], count, again, *results[len(inits) :]]
    most = None if not isinstance(trips, np.ndarray) else int(trips.reshape(-1)[0])
    room = _room(most, results[len(inits) :])
    found = trial.close(trial.results, len(inits) + 2, [], start, np.array(room))
    count, goes_on, *parts = found[len(inits) :]
    counts = node.importer.materialized(node.emit(graph.ReshapeOp, count, shape=[1]))
    if most is None or most > room:
        # A condition that holds still is the index of an element that is not there: the call ends with TW0730.
        counts.name_hint = value_name(f"{node.label}_has_room_for_{room}_iterations")
        beyond = node.emit(graph.ReshapeOp, node.emit(graph.CastOp, goes_on, to="int64"), shape=[1])
        counts = node.emit(graph.GatherOp, counts, beyond, axis=0)
    prefixes = node.prefixes(parts, counts)
    return [*found[: len(inits)], *prefixes]


def _room(most: int | None, parts: Sequence[Value]) -> int:
    """Return the number of iterations that a loop of at most so many has room for."""
    elements = max(1, *(prod(size for size in shape(part) if isinstance(size, int)) for part in parts))
    if most is not None and most * elements <= _MOST_ROOM:
        return most
    usual = max(_USUAL_ROOM // elements, min(_USUAL_ITERATIONS, _MOST_ROOM // elements), 1)
    return usual if most is None else min(most, usual)


def _count(node: Node, trips: Value) -> Value:
    """Return a number of iterations without dimensions, of 64 bits."""
    if rank(trips):
        trips = node.emit(graph.ReshapeOp, trips, shape=[])
    return trips if dtype(trips) == "int64" else node.emit(graph.CastOp, trips, to="int64")


def _written_out(
    node: Node, body: Any, inits: Sequence[AnyValue], trips: Value | None, going: Value | None, why: str
) -> Sequence[AnyValue]:
    """Write out the iterations one after the other."""
    what = f"of a loop that is written out ({why})"
    if going is not None:
        going = node.constant(1, f"the condition {what}")
        trips = trips if truth(node, going) else np.array(0)
    if trips is None:
        most: int | None = None
    else:
        known = trips if isinstance(trips, np.ndarray) else node.numbers(0, f"the number of iterations {what}")
        most = int(known.reshape(-1)[0])
    values, parts = list(inits), [list[Value]() for _ in body.output[len(inits) + 1 :]]
    number = 0
    while most is None or number < most:
        if number == _WRITTEN_OUT:
            node.fail("TW0304", f"expected at most {_WRITTEN_OUT} iterations {what}, but there are more")
        condition, *results = convert_graph(node, body, [np.array(number), np.array(True), *values])
        values = results[: len(inits)]
        for part, value in zip(parts, _tensors(node, results[len(inits) :]), strict=True):
            part.append(value)
        number += 1
        (again,) = _tensors(node, [condition])
        if not isinstance(again, np.ndarray):
            node.fail("TW0304", f"expected the condition {what} to be known, but it is computed")
        if not truth(node, again):
            break
    if not number and parts:
        return [*values, *_no_parts(node, body, inits)]
    return [*values, *(_stacked(node, part) for part in parts)]


def _tensors(node: Node, values: Sequence[AnyValue]) -> list[Value]:
    """Check that values are tensors and return them."""
    for value in values:
        if isinstance(value, (Listed, Absent)):
            node.fail("TW0305", f"expected a tensor from the body, but got {kind_of(value)}")
    return flattened(values)


def _no_parts(node: Node, body: Any, inits: Sequence[AnyValue]) -> list[Value]:
    """Return empty collected values: their types are those of an iteration that is converted and dropped."""
    block = Block()
    with node.importer.building(block):
        results = convert_graph(node, body, [np.array(0), np.array(True), *inits])
        parts = _tensors(node, results[1 + len(inits) :])
        sizes = [[size if isinstance(size, int) else 0 for size in shape(part)] for part in parts]
        types = [numpy_dtype(dtype(part)) for part in parts]
        found: list[Value] = [np.zeros((0, *each), type_) for each, type_ in zip(sizes, types, strict=True)]
    drop([block])
    return found


def _stacked(node: Node, parts: Sequence[Value]) -> Value:
    rows = [node.emit(graph.UnsqueezeOp, part, axes=[0]) for part in parts]
    return rows[0] if len(rows) == 1 else node.emit(graph.ConcatOp, *rows, axis=0)


class _Trial:
    """A tentative conversion of a loop to a region, which is discarded if the types of carried values change."""

    def __init__(self, node: Node, inits: Sequence[Value], sources: Sequence[SSAValue]) -> None:
        self._node, self._sources = node, sources
        self._inits = [node.importer.materialized(init) for init in inits]
        self.block = repeat_body(self._inits, sources)
        self.results: list[Value] = []

    def __enter__(self) -> _Trial:
        self._building = self._node.importer.building(self.block)
        self._building.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._building.__exit__(*error)

    def difference(self, handed_on: Sequence[Value]) -> str:
        """Return the reason why the carried values cannot be carried; empty where they can."""
        for init, value in zip(self._inits, handed_on, strict=True):
            if (dtype(init), shape(init)) != (dtype(value), shape(value)) or None in shape(init):
                before, after = (f"{dtype(v)}{graph.format_shape(shape(v))}" for v in (init, value))
                return f"a carried value changes from {before} to {after}"
        return ""

    def drop(self) -> None:
        drop([self.block])

    def close(
        self,
        passed: Sequence[Value],
        carried: int,
        sources: Sequence[SSAValue],
        going: SSAValue | None = None,
        trips: Value | None = None,
    ) -> Sequence[Value]:
        """Close the loop, whose region passes on these values, and return its results."""
        importer = self._node.importer
        with importer.building(self.block):
            importer.insert(graph.YieldOp(*(importer.materialized(value) for value in passed)))
        last = self.block.last_op
        assert last is not None
        first = 0 if going is None else 1
        length = max(0, int(trips.reshape(-1)[0])) if isinstance(trips, np.ndarray) else None
        if sources:
            length = graph.shape_of(sources[0])[0]
        collected = [collected_type(value.type, length) for value in last.operands[first + carried :]]
        count = length if isinstance(trips, np.ndarray) else None
        if trips is not None and not isinstance(trips, np.ndarray):
            count = importer.materialized(_count(self._node, trips))
        types = [*(init.type for init in self._inits), *collected]
        op = graph.LoopOp(self._inits, sources, types, Region(self.block), going=going, trips=count)
        op.location = self._node.location
        return list(importer.insert(op))


def scan(node: Node) -> Sequence[Value]:
    """Convert Scan: values are scanned along any axis, in either direction, and so are collected values. Before opset 9
    all have a batch in front."""
    body, count = node.attr("body"), node.attr("num_scan_inputs")
    if node.opset < 9:
        return _scan_of_batches(node, body, count)
    given = node.inputs()
    inits, sources = given[: len(given) - count], given[len(given) - count :]
    axes = node.attr("scan_input_axes") or [0] * count
    backward = node.attr("scan_input_directions") or [0] * count
    sources = [_forward(node, *each) for each in zip(sources, axes, backward, strict=True)]
    results = _scan(node, body, inits, sources)
    outputs = len(results) - len(inits)
    axes = node.attr("scan_output_axes") or [0] * outputs
    backward = node.attr("scan_output_directions") or [0] * outputs
    parts = [_back(node, *each) for each in zip(results[len(inits) :], axes, backward, strict=True)]
    return [*results[: len(inits)], *parts]


def _scan_of_batches(node: Node, body: Any, count: int) -> Sequence[Value]:
    """Emit a loop over the batch around that over the sequence."""
    if node.has(0):
        node.fail("TW0302", "lengths of sequences are not supported")
    given = [node.input(k) for k in range(1, node.input_count)]
    backward = node.attr("directions") or [0] * count
    carried = len(given) - count
    whole = [node.importer.materialized(value) for value in given]
    with _Trial(node, [], whole) as trial:
        arguments = list(trial.block.args[1:])
        sources = [_forward(node, v, 0, d) for v, d in zip(arguments[carried:], backward, strict=True)]
        trial.results = list(_scan(node, body, arguments[:carried], sources))
    return trial.close(trial.results, 0, whole)


def _scan(node: Node, body: Any, inits: Sequence[Value], sources: Sequence[Value]) -> Sequence[Value]:
    operands = [node.importer.materialized(source) for source in sources]
    lengths = {shape(source)[0] for source in operands}
    if len(lengths) != 1:
        node.fail("TW0303", f"expected values to scan that have as many parts, but got {sorted(map(str, lengths))}")
    with _Trial(node, inits, operands) as trial:
        trial.results = _tensors(node, convert_graph(node, body, list(trial.block.args[1:])))
    if problem := trial.difference(trial.results[: len(inits)]):
        trial.drop()
        node.fail("TW0303", problem)
    return trial.close(trial.results, len(inits), operands)


def _forward(node: Node, value: Value, axis: int, is_backward: int) -> Value:
    """Return a value whose parts lie along the first axis, in the order in which they are scanned."""
    axis = node.axis(axis, rank(value))
    if axis:
        order = [axis, *(k for k in range(rank(value)) if k != axis)]
        value = node.emit(graph.TransposeOp, value, permutation=order)
    return _reversed(node, value) if is_backward else value


def _back(node: Node, value: Value, axis: int, is_backward: int) -> Value:
    """Return results that were collected along the first axis, along `axis` and in the requested order."""
    value = _reversed(node, value) if is_backward else value
    axis = node.axis(axis, rank(value))
    if not axis:
        return value
    order = [*range(1, axis + 1), 0, *range(axis + 1, rank(value))]
    return node.emit(graph.TransposeOp, value, permutation=order)


def _reversed(node: Node, value: Value) -> Value:
    size = static_dim(node, shape(value)[0], "the number of parts that are scanned backwards")
    rest = rank(value) - 1
    return node.emit(
        graph.SliceOp,
        value,
        starts=[max(0, size - 1)] + [0] * rest,
        sizes=[size] + [-1] * rest,
        steps=[-1] + [1] * rest,
    )
