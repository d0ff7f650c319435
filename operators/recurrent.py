"""
Recurrent networks: one layer in one direction, whose steps run one after another.

The products of the whole sequence with the weights are one matrix product, computed before: these operators take its
result as `gates` [steps, batch, gates * hidden], biases added. Each step then computes the product of the earlier
hidden state with the recurrent weights [gates * hidden, hidden]. The rows of the weights may be stored in blocks of c,
each with contiguous terms: [gates * blocks, hidden, c], with zeros after the last row of a gate where c does not divide
the hidden size. Initial states are [batch, hidden], or [1, hidden] for all.

Each sequence of the batch may have a length: after the end of a sequence its hidden state is unchanged, and its results
are zero. With `reverse` each sequence is read from its end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TypeAlias

from xdsl.dialects.builtin import i32, i64
from xdsl.irdl import operand_def, opt_operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..dialects.graph.base import GraphOp, require_same_element
from ..dialects.graph.families import Elements, require_vector
from ..dialects.graph.properties import flag_prop, opt_float_prop, string_prop
from ..dialects.graph.types import Dim, Tensor, element_of, format_shape, make_type, require_rank, shape_of
from .declaration import register_operator
from .deferred import np, te
from .record import WIDE, FusionKind
from .recurrent_activations import Activation, activation, read_activations
from .sizes import is_one

_States: TypeAlias = "list[te.Tensor]"
_Gates: TypeAlias = "Callable[[int], Callable[..., te.Expr]]"
"""A function from a gate to its products with the step's input and the earlier hidden state, at (step, batch, unit)."""


_PACKED = 3
"""Rank of recurrent weights in blocks."""


class _Sequence:
    """The steps of a layer as a recurrence: state t is the state after t steps."""

    def __init__(self, gates: te.Tensor, hidden: Any, lengths: te.Tensor | None, reverse: bool, dtype: str):
        self.steps, self.batch = gates.shape[0], gates.shape[1]
        self.hidden, self.dtype, self._gates = hidden, dtype, gates
        self._lengths, self._reverse = lengths, reverse

    @property
    def shape(self) -> tuple[Any, ...]:
        return (self.steps + 1, self.batch, self.hidden)

    def compute(self, element: Callable[..., te.Expr], name: str) -> te.Tensor:
        """Compute a tensor of each step, from (step, batch, unit)."""
        return te.compute(self.shape, element, name=name)

    def state(self, name: str) -> te.Tensor:
        return te.placeholder(self.shape, self.dtype, name)

    def start(self, first: te.Tensor, name: str) -> te.Tensor:
        """Return the state before the first step; one row of it serves the whole batch."""
        only = is_one(first.shape[0])
        return te.compute(
            (1, *self.shape[1:]), lambda _, b, j: first(0 if only else b, j).astype(self.dtype), name=name
        )

    def input(self, t: Any, b: Any, gate: Any) -> te.Expr:
        """Return an element of the gates at the position in the sequence that step t reads."""
        return self._gates(self._position(t - 1, b), b, gate).astype(self.dtype)

    def is_inside(self, t: Any, b: Any) -> te.Expr | None:
        """Return the condition that the sequence of a row has a step t, counted from 1; None where all have."""
        return None if self._lengths is None else self._length(b) >= t

    def kept(self, t: Any, b: Any, value: te.Expr, earlier: te.Expr) -> te.Expr:
        """Return the new value of a state, or behind the end of the sequence the earlier one."""
        inside = self.is_inside(t, b)
        return value if inside is None else te.Select(inside, value, earlier)

    def results(self, states: te.Tensor, name: str) -> te.Tensor:
        """Return the state after each position of the sequence."""

        def element(t: Any, b: Any, j: Any) -> te.Expr:
            value = states(self._position(t, b) + 1, b, j)
            inside = self.is_inside(t + 1, b)
            return value if inside is None else te.Select(inside, value, te.const(0, self.dtype))

        return te.compute((self.steps, *self.shape[1:]), element, name=name)

    def last(self, states: te.Tensor, name: str) -> te.Tensor:
        return te.compute(self.shape[1:], lambda b, j: states(self.steps, b, j), name=name)

    def _position(self, t: Any, b: Any) -> Any:
        """Return the position in the sequence of a step, and the step of a position, counted from 0."""
        if not self._reverse:
            return t
        if self._lengths is None:
            return self.steps - 1 - t
        return te.maximum(te.minimum(self._length(b) - 1 - t, self.steps - 1), 0)

    def _length(self, b: Any) -> te.Expr:
        assert self._lengths is not None
        return te.minimum(self._lengths(b).astype("int64"), self.steps)


def _product(sequence: _Sequence, recurrent: te.Tensor, read: Callable[..., te.Expr], gates: range, name: str) -> Any:
    """Return the products of something of each step, (step, batch, unit), with the recurrent weights of `gates`, by
    step, row, gate and unit."""
    k, hidden = te.reduce_axis((0, sequence.hidden), "k"), sequence.hidden

    def term(t: Any, b: Any, *row: Any) -> te.Expr:
        return te.sum(read(t, b, k) * recurrent(*row).astype(sequence.dtype), axis=k)

    if not _is_packed(recurrent):
        shape = (*sequence.shape[:2], len(gates) * hidden)
        whole = te.compute(shape, lambda t, b, g: term(t, b, gates.start * hidden + g, k), name=name)
        return lambda t, b, gate, j: whole(t, b, (gate - gates.start) * hidden + j)
    size = recurrent.shape[-1]
    count = -(-hidden // size)
    shape = (*sequence.shape[:2], len(gates) * count, size)
    blocks = te.compute(shape, lambda t, b, o, c: term(t, b, gates.start * count + o, k, c), name=name)
    return lambda t, b, gate, j: blocks(t, b, (gate - gates.start) * count + j // size, j % size)


def _is_packed(recurrent: Any) -> bool:
    """Return whether recurrent weights, an array or a tensor, are stored in blocks of rows."""
    return recurrent.ndim == _PACKED


def _limited(value: te.Expr, clip: float | None) -> te.Expr:
    return value if clip is None else te.maximum(te.minimum(value, clip), -clip)


def _rnn_te(
    gates: te.Tensor,
    recurrent: te.Tensor,
    initial: te.Tensor,
    lengths: te.Tensor | None = None,
    *,
    activations: str,
    clip: float | None = None,
    reverse: bool = False,
    sums: str,
) -> _States:
    (f,) = read_activations(activations)
    run = _Sequence(gates, recurrent.shape[1], lengths, reverse, sums)
    h = run.state("h")
    product = _product(run, recurrent, lambda t, b, k: h(t - 1, b, k), range(1), "product")

    def element(t: Any, b: Any, j: Any) -> te.Expr:
        value = activation(f, _limited(run.input(t, b, j) + product(t, b, 0, j), clip), te)
        return run.kept(t, b, value, h(t - 1, b, j))

    states = te.scan(run.start(initial, "start"), run.compute(element, "next"), h, name="rnn")
    return [run.results(states, "results"), run.last(states, "last")]


def _gru_te(
    gates: te.Tensor,
    recurrent: te.Tensor,
    bias: te.Tensor,
    initial: te.Tensor,
    lengths: te.Tensor | None = None,
    *,
    activations: str,
    clip: float | None = None,
    linear_before_reset: bool = False,
    reverse: bool = False,
    sums: str,
) -> _States:
    f, g = read_activations(activations)
    run = _Sequence(gates, recurrent.shape[1], lengths, reverse, sums)
    size, h = run.hidden, run.state("h")

    def previous(t: Any, b: Any, k: Any) -> te.Expr:
        return h(t - 1, b, k)

    both = _product(run, recurrent, previous, range(2), "both")

    def gate(number: int) -> Callable[..., te.Expr]:
        def element(t: Any, b: Any, j: Any) -> te.Expr:
            return activation(f, _limited(run.input(t, b, number * size + j) + both(t, b, number, j), clip), te)

        return element

    update, reset = run.compute(gate(0), "update"), run.compute(gate(1), "reset")
    if linear_before_reset:
        product = _product(run, recurrent, previous, range(2, 3), "product")
        rest = run.compute(lambda t, b, j: reset(t, b, j) * (product(t, b, 2, j) + bias(j).astype(sums)), "rest")
    else:
        kept = run.compute(lambda t, b, k: reset(t, b, k) * h(t - 1, b, k), "kept")
        product = _product(run, recurrent, lambda t, b, k: kept(t, b, k), range(2, 3), "product")
        rest = run.compute(lambda t, b, j: product(t, b, 2, j) + bias(j).astype(sums), "rest")

    def element(t: Any, b: Any, j: Any) -> te.Expr:
        candidate = activation(g, _limited(run.input(t, b, 2 * size + j) + rest(t, b, j), clip), te)
        z = update(t, b, j)
        return run.kept(t, b, (1 - z) * candidate + z * h(t - 1, b, j), h(t - 1, b, j))

    states = te.scan(run.start(initial, "start"), run.compute(element, "next"), h, name="gru")
    return [run.results(states, "results"), run.last(states, "last")]


def _lstm_te(
    gates: te.Tensor,
    recurrent: te.Tensor,
    peepholes: te.Tensor,
    initial: te.Tensor,
    initial_cell: te.Tensor,
    lengths: te.Tensor | None = None,
    *,
    activations: str,
    clip: float | None = None,
    input_forget: bool = False,
    reverse: bool = False,
    sums: str,
) -> _States:
    f, g, out = read_activations(activations)
    run = _Sequence(gates, recurrent.shape[1], lengths, reverse, sums)
    size, h, cell = run.hidden, run.state("h"), run.state("cell")
    product = _product(run, recurrent, lambda t, b, k: h(t - 1, b, k), range(4), "product")

    def gate(t: Any, b: Any, j: Any, number: int) -> te.Expr:
        return run.input(t, b, number * size + j) + product(t, b, number, j)

    def sluice(t: Any, b: Any, j: Any, number: int, hole: int, seen: te.Expr) -> te.Expr:
        """Return a gate that sees the cell through a peephole."""
        weight = peepholes(hole * size + j).astype(sums)
        return activation(f, _limited(gate(t, b, j, number) + weight * seen, clip), te)

    def next_cell(t: Any, b: Any, j: Any) -> te.Expr:
        earlier = cell(t - 1, b, j)
        enter = sluice(t, b, j, 0, 0, earlier)
        keep = 1 - enter if input_forget else sluice(t, b, j, 2, 2, earlier)
        value = keep * earlier + enter * activation(g, _limited(gate(t, b, j, 3), clip), te)
        return run.kept(t, b, value, earlier)

    cells = run.compute(next_cell, "next_cell")

    def next_hidden(t: Any, b: Any, j: Any) -> te.Expr:
        leave = sluice(t, b, j, 1, 1, cells(t, b, j))
        return run.kept(t, b, leave * activation(out, cells(t, b, j), te), h(t - 1, b, j))

    starts = [run.start(initial, "start"), run.start(initial_cell, "start_cell")]
    states, kept = te.scan(starts, [run.compute(next_hidden, "next"), cells], [h, cell], name="lstm")
    return [run.results(states, "results"), run.last(states, "last"), run.last(kept, "last_cell")]


def in_blocks(recurrent: np.ndarray, size: int) -> np.ndarray:
    """Return recurrent weights with the rows of each gate in blocks of `size`, the last one filled up with zeros."""
    rows, hidden = recurrent.shape
    gates = np.pad(recurrent.reshape(rows // hidden, hidden, hidden), [(0, 0), (0, -hidden % size), (0, 0)])
    return gates.reshape(-1, size, hidden).swapaxes(1, 2)


def _matrix(recurrent: np.ndarray) -> np.ndarray:
    """Return recurrent weights as [gates * hidden, hidden]."""
    if not _is_packed(recurrent):
        return recurrent
    _, hidden, size = recurrent.shape
    rows = recurrent.swapaxes(1, 2).reshape(-1, -(-hidden // size) * size, hidden)
    return rows[:, :hidden].reshape(-1, hidden)


def _run_reference(
    gates: np.ndarray,
    first: Sequence[np.ndarray],
    lengths: np.ndarray | None,
    reverse: bool,
    step: Callable[..., Sequence[np.ndarray]],
) -> list[np.ndarray]:
    """Return the hidden state at each position of the sequences, then the states behind their ends."""
    count, batch = gates.shape[:2]
    counts = np.full(batch, count) if lengths is None else np.minimum(lengths.astype(np.int64), count)
    states = [np.broadcast_to(state, (batch, state.shape[1])).astype(gates.dtype) for state in first]
    results = np.zeros((count, *states[0].shape), gates.dtype)
    rows = np.arange(batch)
    for t in range(count):
        inside = (t < counts)[:, None]
        position = np.clip(counts - 1 - t, 0, count - 1) if reverse else np.full(batch, t)
        states = [
            np.where(inside, new, old) for new, old in zip(step(gates[position, rows], *states), states, strict=True)
        ]
        results[position[t < counts], rows[t < counts]] = states[0][t < counts]
    return [results, *states]


def _clipped(value: np.ndarray, clip: float | None) -> np.ndarray:
    return value if clip is None else np.clip(value, -clip, clip)


def _rnn_reference(
    gates: np.ndarray,
    recurrent: np.ndarray,
    initial: np.ndarray,
    lengths: np.ndarray | None = None,
    *,
    activations: str,
    clip: float | None = None,
    reverse: bool = False,
) -> list[np.ndarray]:
    (f,) = read_activations(activations)
    recurrent = _matrix(recurrent)

    def step(x: np.ndarray, h: np.ndarray) -> list[np.ndarray]:
        return [activation(f, _clipped(x + h @ recurrent.T, clip), np)]

    return _run_reference(gates, [initial], lengths, reverse, step)


def _gru_reference(
    gates: np.ndarray,
    recurrent: np.ndarray,
    bias: np.ndarray,
    initial: np.ndarray,
    lengths: np.ndarray | None = None,
    *,
    activations: str,
    clip: float | None = None,
    linear_before_reset: bool = False,
    reverse: bool = False,
) -> list[np.ndarray]:
    f, g = read_activations(activations)
    recurrent, size = _matrix(recurrent), recurrent.shape[1]

    def step(x: np.ndarray, h: np.ndarray) -> list[np.ndarray]:
        both = activation(f, _clipped(x[:, : 2 * size] + h @ recurrent[: 2 * size].T, clip), np)
        z, r = both[:, :size], both[:, size:]
        last = recurrent[2 * size :].T
        rest = r * (h @ last + bias) if linear_before_reset else (r * h) @ last + bias
        candidate = activation(g, _clipped(x[:, 2 * size :] + rest, clip), np)
        return [(1 - z) * candidate + z * h]

    return _run_reference(gates, [initial], lengths, reverse, step)


def _lstm_reference(
    gates: np.ndarray,
    recurrent: np.ndarray,
    peepholes: np.ndarray,
    initial: np.ndarray,
    initial_cell: np.ndarray,
    lengths: np.ndarray | None = None,
    *,
    activations: str,
    clip: float | None = None,
    input_forget: bool = False,
    reverse: bool = False,
) -> list[np.ndarray]:
    f, g, out = read_activations(activations)
    recurrent = _matrix(recurrent)
    see_in, see_out, see_forget = np.split(peepholes, 3)

    def step(x: np.ndarray, h: np.ndarray, cell: np.ndarray) -> list[np.ndarray]:
        enter, leave, keep, new = np.split(x + h @ recurrent.T, 4, axis=1)
        enter = activation(f, _clipped(enter + see_in * cell, clip), np)
        keep = 1 - enter if input_forget else activation(f, _clipped(keep + see_forget * cell, clip), np)
        cell = keep * cell + enter * activation(g, _clipped(new, clip), np)
        leave = activation(f, _clipped(leave + see_out * cell, clip), np)
        return [leave * activation(out, cell, np), cell]

    return _run_reference(gates, [initial, initial_cell], lengths, reverse, step)


def _hidden(recurrent: Any, gates: int) -> Dim:
    """Return the size of the hidden state that fits recurrent weights, in blocks or not; None where none fits."""
    shape = shape_of(recurrent)
    if len(shape) != _PACKED:
        rows, hidden = require_rank(recurrent, 2, "recurrent weights")
        return hidden if isinstance(hidden, int) and rows == gates * hidden else None
    blocks, hidden, size = shape
    is_static = isinstance(hidden, int) and isinstance(size, int) and size > 0
    return hidden if is_static and blocks == gates * -(-hidden // size) else None  # pyright: ignore


class _RecurrentOp(GraphOp):
    """One layer in one direction."""

    GATES: ClassVar[int]

    reverse = flag_prop()
    clip = opt_float_prop()

    def _check(self, operands: Sequence[Any], recurrent: Any, initial: Sequence[Any], lengths: Any) -> list[Tensor]:
        """Return the types of the results, after a check that the operands fit."""
        element = Elements.FLOAT.check(require_same_element(operands))
        steps, batch, width = require_rank(operands[0], 3, "gates")
        hidden = _hidden(recurrent, self.GATES)
        if not isinstance(hidden, int) or width != self.GATES * hidden:
            found = f"{format_shape(shape_of(operands[0]))} and {format_shape(shape_of(recurrent))}"
            raise VerifyException(f"expected gates and recurrent weights of {self.GATES} gates, but got {found}")
        states: tuple[Dim, ...] = (batch, hidden)
        for value in initial:
            if shape_of(value) not in (states, (1, hidden)):
                found = format_shape(shape_of(value))
                raise VerifyException(f"expected an initial state of shape {format_shape(states)}, but got {found}")
        if lengths is not None:
            require_vector(lengths, batch, "lengths")
            if element_of(lengths) not in (i32, i64):
                raise VerifyException(f"expected lengths of i32 or i64, but got {element_of(lengths)}")
        last = make_type(states, element)
        return [make_type((steps, *states), element), *(last for _ in initial)]


def _check_activations(op: Any, count: int) -> None:
    found: list[Activation] = read_activations(op.activations.data)
    if len(found) != count:
        raise VerifyException(f"expected {count} activations, but got '{op.activations.data}'")


@register_operator(kind=FusionKind.OPAQUE, reference=_rnn_reference, te=_rnn_te, accumulator=WIDE)
class RnnOp(_RecurrentOp):
    """
    h' = f(gates + R h), step by step. Results are the hidden state of every step, and the last one.

    ```mlir
    %y, %last = graph.rnn %gates, %r, %h activations "tanh" : tensor<7x2x8xf32>, tensor<2x8xf32>
    ```
    """

    name = "graph.rnn"
    GATES: ClassVar[int] = 1

    gates = operand_def()
    recurrent = operand_def()
    initial = operand_def()
    lengths = opt_operand_def()
    y = result_def()
    last = result_def()

    activations = string_prop("tanh")

    def infer_types(self) -> tuple[Tensor, ...]:
        _check_activations(self, 1)
        operands = (self.gates, self.recurrent, self.initial)
        return tuple(self._check(operands, self.recurrent, [self.initial], self.lengths))


@register_operator(kind=FusionKind.OPAQUE, reference=_gru_reference, te=_gru_te, accumulator=WIDE)
class GruOp(_RecurrentOp):
    """
    z, r = f(gates + R h), then h' = (1 - z) g(gates + R (r h) + bias) + z h, step by step; the gates are z, r and the
    candidate. With `linear_before_reset` the candidate is g(gates + r (R h + bias)). Results are the hidden state of
    every step, and the last one.

    ```mlir
    %y, %last = graph.gru %gates, %r, %bias, %h : tensor<7x2x8xf32>, tensor<2x8xf32>
    ```
    """

    name = "graph.gru"
    GATES: ClassVar[int] = 3

    gates = operand_def()
    recurrent = operand_def()
    bias = operand_def()
    initial = operand_def()
    lengths = opt_operand_def()
    y = result_def()
    last = result_def()

    activations = string_prop("sigmoid, tanh")
    linear_before_reset = flag_prop()

    def infer_types(self) -> tuple[Tensor, ...]:
        _check_activations(self, 2)
        operands = (self.gates, self.recurrent, self.bias, self.initial)
        types = self._check(operands, self.recurrent, [self.initial], self.lengths)
        require_vector(self.bias, shape_of(self.recurrent)[1], "a bias")
        return tuple(types)


@register_operator(kind=FusionKind.OPAQUE, reference=_lstm_reference, te=_lstm_te, accumulator=WIDE)
class LstmOp(_RecurrentOp):
    """
    i, f = f(gates + R h + P c), c' = f c + i g(gates + R h), o = f(gates + R h + P c'), h' = o h(c'), step by step; the
    gates are i, o, f and c, the peepholes P those of i, o and f. With `input_forget` f is 1 - i. Results are the hidden
    state of every step, the last one, and the last cell.

    ```mlir
    %y, %h1, %c1 = graph.lstm %gates, %r, %p, %h, %c : tensor<7x2x8xf32>, tensor<2x8xf32>, tensor<2x8xf32>
    ```
    """

    name = "graph.lstm"
    GATES: ClassVar[int] = 4

    gates = operand_def()
    recurrent = operand_def()
    peepholes = operand_def()
    initial = operand_def()
    initial_cell = operand_def()
    lengths = opt_operand_def()
    y = result_def()
    last = result_def()
    last_cell = result_def()

    activations = string_prop("sigmoid, tanh, tanh")
    input_forget = flag_prop()

    def infer_types(self) -> tuple[Tensor, ...]:
        _check_activations(self, 3)
        operands = (self.gates, self.recurrent, self.peepholes, self.initial, self.initial_cell)
        types = self._check(operands, self.recurrent, [self.initial, self.initial_cell], self.lengths)
        hidden = shape_of(self.recurrent)[1]
        require_vector(self.peepholes, 3 * hidden if isinstance(hidden, int) else None, "peepholes")
        return tuple(types)
