"""The software pipeline that a loop's annotations request: the statements of its body, each with a stage and an order.

A statement is an operation of the body that stores, together with the loads and computations that it uses. Allocations
and unused values are not statements. A schedule counts the same statements: a copy of a tile, a nest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from xdsl.dialects.func import CallOp
from xdsl.ir import Operation, SSAValue

from ...analysis.access import accesses_in
from ...analysis.domain import is_inside
from ...diagnostics import fail
from ...diagnostics.locations import describe, name_of
from ...dialects import loop
from ...dialects.loop.pragmas import (
    NUM_STAGES,
    PIPELINE_ASYNC,
    PIPELINE_ORDER,
    PIPELINE_STAGE,
    annotation_key,
    integers_of,
)
from ...ir import editor as edit
from ...traversal import operations

KEYS = (PIPELINE_STAGE, PIPELINE_ORDER, NUM_STAGES)


@dataclass(frozen=True, eq=False)
class Statement:
    """One statement of a pipelined loop."""

    number: int
    """The position in the body."""
    ops: tuple[Operation, ...]
    """The operations of the statement, in order. The last one stores."""
    stage: int = 0
    """The number of iterations that it runs behind the first stage."""
    order: int = 0
    """The position among the statements of one time step."""

    @property
    def root(self) -> Operation:
        return self.ops[-1]


def is_annotated(op: Operation) -> bool:
    """Return whether a loop is annotated as a pipeline."""
    return isinstance(op, loop.ForOp) and bool(op.attributes) and any(annotation_key(op, k) for k in KEYS)


def planned_statements(around: loop.ForOp) -> list[Statement]:
    """Return the statements of an annotated loop with their stages and positions.

    Raises TilewrightError TW0540 where the annotations do not fit the loop, TW0542 where a value goes from one
    statement to another.
    """
    if around.kind not in (loop.SERIAL, loop.UNROLLED) or around.iter_args:
        what = "passes values on" if around.iter_args else f"is of kind {around.kind.kind.data}"
        _refuse(around, f"expected a serial loop to pipeline, but loop {_name(around)} {what}")
    statements = _statements(around)
    stages, orders = _derived(around, statements) if annotation_key(around, NUM_STAGES) else _listed(around, statements)
    first = min(stages, default=0)
    return [
        Statement(s.number, s.ops, stage - first, order)
        for s, stage, order in zip(statements, stages, orders, strict=True)
    ]


def drop_annotations(around: loop.ForOp) -> None:
    """Take the annotations of a pipeline off a loop."""
    for key in (*KEYS, PIPELINE_ASYNC):
        while (name := annotation_key(around, key)) is not None:
            del edit.change(around).attributes[name]


def _listed(around: loop.ForOp, statements: Sequence[Statement]) -> tuple[Sequence[int], Sequence[int]]:
    """Return stages and positions as the annotations list them; without an order statements keep theirs."""
    count = len(statements)
    stages = _integers(around, PIPELINE_STAGE)
    if stages is None:
        _refuse(around, f"expected {PIPELINE_STAGE} beside {PIPELINE_ORDER} at loop {_name(around)}, but it is missing")
    orders = _integers(around, PIPELINE_ORDER)
    if orders is None:
        orders = tuple(range(count))
    for key, values in ((PIPELINE_STAGE, stages), (PIPELINE_ORDER, orders)):
        if len(values) != count:
            _refuse(
                around,
                f"expected {count} entries in {key}, one for each statement of loop {_name(around)}, "
                f"but got {len(values)}",
                statements,
            )
    if min(stages, default=0) < 0:
        _refuse(around, f"expected stages of at least 0 in {PIPELINE_STAGE}, but got {min(stages)}")
    if sorted(orders) != list(range(count)):
        listed = ", ".join(map(str, orders))
        _refuse(around, f"expected {PIPELINE_ORDER} to be a permutation of 0 to {count - 1}, but got [{listed}]")
    return stages, orders


def _derived(around: loop.ForOp, statements: Sequence[Statement]) -> tuple[Sequence[int], Sequence[int]]:
    """Return stages and positions for `num_stages`: statements that fill buffers come first, everything else in the
    last stage."""
    if any(annotation_key(around, key) for key in (PIPELINE_STAGE, PIPELINE_ORDER)):
        _refuse(around, f"expected {NUM_STAGES} or {PIPELINE_STAGE} at loop {_name(around)}, but got both")
    numbers = _integers(around, NUM_STAGES) or ()
    if len(numbers) != 1 or numbers[0] < 1:
        _refuse(around, f"expected {NUM_STAGES} to be one number of at least 1, but got {list(numbers)}")
    written = {a.buffer for a in accesses_in(around) if a.is_write}
    fills = [_is_fill(s, around, written) for s in statements]
    if not any(fills) or all(fills):
        _refuse(
            around,
            f"expected statements of loop {_name(around)} that fill buffers of an iteration from data that the loop "
            f"leaves alone, and others that use them, but {'all' if any(fills) else 'none'} of them do",
            statements,
        )
    ordered = sorted(range(len(statements)), key=lambda i: not fills[i])
    return [0 if fill else numbers[0] - 1 for fill in fills], [ordered.index(i) for i in range(len(statements))]


def _is_fill(statement: Statement, around: loop.ForOp, written: set[SSAValue]) -> bool:
    """Return whether a statement only copies data that the loop does not write into buffers of an iteration."""
    accesses = [a for op in statement.ops for a in accesses_in(op) if not is_inside(a.buffer, op)]
    stored = {a.buffer for a in accesses if a.is_write}
    return bool(stored) and all(
        _is_of_iteration(a.buffer, around) if a.is_write else a.buffer not in written or a.buffer in stored
        for a in accesses
    )


def _is_of_iteration(buffer: SSAValue, around: loop.ForOp) -> bool:
    """Return whether only the loop uses a buffer: it is defined inside, or is shared memory without other users."""
    if is_inside(buffer, around):
        return True
    shared = isinstance(buffer.owner, loop.AllocOp) and loop.scope_of(buffer.type) == loop.SHARED
    return shared and all(around.is_ancestor(use.operation) for use in buffer.uses)


def _statements(around: loop.ForOp) -> list[Statement]:
    """Return the statements of a loop's body, each with the operations that compute its values."""
    ops = list(around.body.block.ops)
    roots = [op for op in ops if not isinstance(op, loop.AllocOp) and not _computes_values(op)]
    for root in roots:
        if any(isinstance(nested, loop.BarrierOp) for nested in operations(root)):
            fail(
                "TW0542",
                f"loop {_name(around)} is not pipelined: its statements meet at a barrier",
                op=root,
                help="pipeline the loop before barriers are placed",
            )
    return [Statement(k, _with_inputs(root, ops, around, roots)) for k, root in enumerate(roots)]


def _computes_values(op: Operation) -> bool:
    """Return whether an operation has results and stores nothing."""
    stores = (CallOp, loop.BarrierOp)
    return (
        bool(op.results)
        and not any(isinstance(nested, stores) for nested in operations(op))
        and not any(a.is_write for a in accesses_in(op))
    )


def _with_inputs(
    root: Operation, ops: Sequence[Operation], around: loop.ForOp, roots: Sequence[Operation]
) -> tuple[Operation, ...]:
    """Return `root` and the operations of the body whose values it uses, in order."""
    found = {root}
    pending = [root]
    while pending:
        for value in [v for nested in operations(pending.pop()) for v in nested.operands]:
            owner = value.owner
            if not isinstance(owner, Operation) or owner.parent is not around.body.block or owner in found:
                continue
            if isinstance(owner, loop.AllocOp):
                continue
            if owner in roots:
                fail(
                    "TW0542",
                    f"loop {_name(around)} is not pipelined: {name_of(value)} goes from statement "
                    f"{roots.index(owner)} to statement {roots.index(root)} as a value",
                    op=root,
                    help="let it go through a buffer that is allocated inside the loop",
                )
            found.add(owner)
            pending.append(owner)
    return tuple(op for op in ops if op in found)


def _integers(around: loop.ForOp, key: str) -> tuple[int, ...] | None:
    name = annotation_key(around, key)
    if name is None:
        return None
    values = integers_of(around, name)
    if values is None:
        _refuse(around, f"expected integers in {key} of loop {_name(around)}, but got {around.attributes[name]}")
    return values


def _name(around: loop.ForOp) -> str:
    return name_of(around.induction_variable)


def _refuse(around: loop.ForOp, message: str, statements: Sequence[Statement] = ()) -> NoReturn:
    notes = [f"{describe(s.root)}statement {s.number}: {s.root.name}" for s in statements]
    fail("TW0540", message, op=around, notes=notes)
