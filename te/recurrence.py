"""`te.scan`: tensors whose steps along the first axis are computed from earlier ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from xdsl.dialects.builtin import LocationAttr

from ..diagnostics.expectations import expect_type
from ..diagnostics.locations import caller_location
from .expr import Axis, Binary, Cast, Choice, Const, Expr, Read, walk
from .shapes import Size, attributes_of, format_shape, same_size
from .te_errors import te_error
from .tensor import Computation, Definition, Placeholder, Tensor


@dataclass(frozen=True, eq=False, repr=False)
class Scan(Definition):
    """The definition of tensors by their first steps and by a step in terms of earlier ones.

    For each state: `init` gives the first steps, `update` every later one, in which `state` stands for the result.
    """

    name: str
    scan_axis: Axis
    init: tuple[Tensor, ...]
    update: tuple[Tensor, ...]
    state: tuple[Tensor, ...]
    body: tuple[Computation, ...]
    """The computes that make one step, in order."""
    location: LocationAttr | None
    tag: str = ""
    attrs: Mapping[str, Any] = field(default_factory=dict)

    @property
    def axis(self) -> tuple[Axis, ...]:  # pyright: ignore[reportIncompatibleVariableOverride]
        return (self.scan_axis,)

    @property
    def reduce_axis(self) -> tuple[Axis, ...]:  # pyright: ignore[reportIncompatibleVariableOverride]
        return ()

    @cached_property
    def spatial_axis_(self) -> list[Axis]:
        """An axis for each dimension of each result behind the first one."""
        sizes = [(k, d, n) for k, t in enumerate(self.update) for d, n in enumerate(t.shape[1:])]
        return [Axis(f"{self.name}.idx{k}.i{d}", 0, n) for k, d, n in sizes]

    @property
    def num_outputs(self) -> int:
        return len(self.update)

    @property
    def inputs(self) -> tuple[Tensor, ...]:
        """The initial states, and the other tensors that a step reads without computing them."""
        computed = {*self.state, *(t for op in self.body for t in op.outputs)}
        read = [t for op in self.body for t in op.inputs if t not in computed]
        return tuple(dict.fromkeys((*self.init, *read)))

    def output_shape(self, index: int) -> tuple[Size, ...]:
        return self.update[index].shape

    def output_dtype(self, index: int) -> str:
        return self.update[index].dtype

    def __str__(self) -> str:
        parts = zip(self.init, self.update, strict=True)
        steps = ", ".join(f"init={i.name}, update={u.name}" for i, u in parts)
        return f"{self.name} = scan({steps}, over {self.scan_axis})"

    __repr__ = __str__


def scan(
    init: Tensor | Sequence[Tensor],
    update: Tensor | Sequence[Tensor],
    state_placeholder: Tensor | Sequence[Tensor],
    inputs: Tensor | Sequence[Tensor] | None = None,
    name: str = "scan",
    tag: str = "",
    attrs: Mapping[str, Any] | None = None,
) -> Any:
    """Return a recurrence along the first axis; a list of tensors where there are several states.

        X = te.placeholder((m, n), name="X")
        state = te.placeholder((m, n))
        init = te.compute((1, n), lambda _, i: X[0, i])
        update = te.compute((m, n), lambda t, i: state[t - 1, i] + X[t, i])
        sums = te.scan(init, update, state, inputs=[X])

    `init` holds the first steps. `update` is computed for every later step t and reads states of earlier steps only, at
    `t - 1`, `t - 2` and so on, as far back as `init` reaches. Computes between the states and `update` are made at each
    step, too; they have the same first axis and are read at step t. So are computes for `update` alone that read their
    input at an earlier step, as the first steps have none. `inputs` are tensors that `init` and `update` are computed
    from.

    Raises TW0465 for parts that do not fit one another, and for an input that nothing reads.
    """
    inits, updates, states = _tensors(init), _tensors(update), _tensors(state_placeholder)
    if not len(inits) == len(updates) == len(states) or not states:
        counts = f"{len(inits)}, {len(updates)} and {len(states)}"
        te_error("TW0465", f"expected as many inits and updates as states in scan {name!r}, but got {counts}")
    for first, step, state in zip(inits, updates, states, strict=True):
        _check_state(name, first, step, state)
    if len({*updates}) < len(updates) or len({*states}) < len(states):
        te_error("TW0465", f"expected a different state and update for each result of scan {name!r}")
    steps = updates[0].op.axis[0].extent
    body = _body_of(name, updates, states, steps)
    for op in body:
        _check_step(name, op, steps, inits, states, body)
    _check_inputs(name, _tensors(inputs or ()), (*inits, *updates))
    axis = Axis("t", inits[0].shape[0], steps)
    op = Scan(name, axis, inits, updates, states, body, caller_location(), tag, attributes_of(attrs))
    return op.outputs[0] if isinstance(update, Tensor) else list(op.outputs)


def _tensors(value: Tensor | Sequence[Tensor]) -> tuple[Tensor, ...]:
    tensors = (value,) if isinstance(value, Tensor) else value
    expect_type("tensors of the scan", tensors, tuple, list)
    for each in tensors:
        expect_type("tensors of the scan", each, Tensor)
    return tuple(tensors)


def _check_inputs(name: str, inputs: Sequence[Tensor], computed: Sequence[Tensor]) -> None:
    reached, waiting = set[Tensor](), list(computed)
    while waiting:
        tensor = waiting.pop()
        if tensor not in reached:
            reached.add(tensor)
            waiting += tensor.op.inputs
    for tensor in inputs:
        if tensor not in reached:
            te_error("TW0465", f"expected scan {name!r} to read its input {tensor.name!r}, but it does not")


def _check_state(name: str, init: Tensor, update: Tensor, state: Tensor) -> None:
    if not isinstance(state.op, Placeholder):
        te_error("TW0465", f"expected a placeholder as state of scan {name!r}, but got {state.name!r}")
    if not isinstance(update.op, Computation) or update.ndim == 0:
        te_error("TW0465", f"expected a compute with a time axis as update of scan {name!r}, but got {update.name!r}")
    if not init.dtype == update.dtype == state.dtype:
        kinds = f"{init.dtype}, {update.dtype} and {state.dtype}"
        te_error("TW0465", f"expected init, update and state of scan {name!r} of one type, but got {kinds}")
    same = len(update.shape) == len(state.shape) and all(map(same_size, update.shape, state.shape))
    if not same:
        got = f"{format_shape(update.shape)} and {format_shape(state.shape)}"
        te_error("TW0465", f"expected update and state of scan {name!r} of one shape, but got {got}")
    if len(init.shape) != len(update.shape) or not all(map(same_size, init.shape[1:], update.shape[1:])):
        got = f"{format_shape(init.shape)} and {format_shape(update.shape)}"
        te_error("TW0465", f"expected init and update of scan {name!r} to differ in the first size only, but got {got}")
    first, steps = init.shape[0], update.shape[0]
    if isinstance(first, int) and isinstance(steps, int) and not 0 < first <= steps:
        te_error("TW0465", f"expected between 1 and {steps} first steps in the init of scan {name!r}, but got {first}")


def _body_of(name: str, updates: Sequence[Tensor], states: Sequence[Tensor], steps: Size) -> tuple[Computation, ...]:
    """Return the computes that depend on states, or have no meaning at the first steps, down to the updates, each after
    those that it reads."""
    depends: dict[Definition, bool] = {s.op: True for s in states}
    order: list[Computation] = []
    stack: list[tuple[Definition, bool]] = [(u.op, False) for u in reversed(updates)]
    while stack:
        op, inputs_done = stack.pop()
        if op in depends:
            continue
        if not inputs_done:
            stack += [(op, True), *((t.op, False) for t in reversed(op.inputs) if t.op not in depends)]
            continue
        depends[op] = any(depends[t.op] for t in op.inputs) or _reads_earlier_steps(op, steps)
        if depends[op] or op in {u.op for u in updates}:
            if not isinstance(op, Computation):
                te_error("TW0465", f"expected computes between state and update of scan {name!r}, but got {op.name!r}")
            order.append(op)
    return tuple(order)


def _reads_earlier_steps(op: Definition, steps: Size) -> bool:
    """Return whether a compute over the steps reads an input at an earlier step, at every step."""
    if not isinstance(op, Computation) or not op.axis or not same_size(op.axis[0].extent, steps):
        return False
    nodes = [node for body in op.bodies for node in walk(body)]
    if any(isinstance(node, Choice) for node in nodes):
        return False
    reads = (node for node in nodes if isinstance(node, Read) and node.indices)
    return any((_steps_back(read.indices[0], op.axis[0]) or 0) > 0 for read in reads)


def _check_step(
    name: str,
    op: Computation,
    steps: Size,
    inits: Sequence[Tensor],
    states: Sequence[Tensor],
    body: Sequence[Computation],
) -> None:
    """Check that a compute of a step runs over the time axis first, and reads nothing that is not computed by then."""
    if not op.axis or not same_size(op.axis[0].extent, steps):
        te_error("TW0465", f"expected compute {op.name!r} of scan {name!r} to run over all {steps} steps first")
    time = op.axis[0]
    for read in (n for b in op.bodies for n in walk(b) if isinstance(n, Read)):
        if read.tensor in states:
            known = inits[states.index(read.tensor)].shape[0]
            back = _steps_back(read.indices[0], time)
            if back is None or back < 1 or (isinstance(known, int) and back > known):
                te_error(
                    "TW0465",
                    f"expected compute {op.name!r} to read an earlier step of a state, at most {known} back, "
                    f"but got `{read}`",
                    help=f"read it at {time.name} - 1",
                )
        elif read.tensor.op in body and _steps_back(read.indices[0], time) != 0:
            te_error("TW0465", f"expected what a step computes to be read at {time.name}, but got `{read}`")


def _steps_back(index: Expr, time: Axis) -> int | None:
    """Return c where the index is `time - c`."""
    match index:
        case Cast():
            return _steps_back(index.operand, time)
        case Binary(op="add" | "sub", rhs=Const(value=int(value))):
            back = _steps_back(index.lhs, time)
            return None if back is None else back + (value if index.op == "sub" else -value)
        case _:
            return 0 if index is time else None
