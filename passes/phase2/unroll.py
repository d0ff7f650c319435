"""Pass `unroll`: marks short inner loops as unrolled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block

from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...diagnostics.remarks import remark
from ...dialects import loop
from ...dialects.loop.pragmas import AUTO_UNROLL, UNROLL_EXPLICIT, pragma_of
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass
from ..framework.context import PassContext
from ..shared.loops import expand


@dataclass(frozen=True)
class UnrollPass(Pass):
    """Mark short innermost serial loops with a constant trip count as unrolled.

    ```mlir
    loop.for %k = 0 to 3 { … }
    // becomes
    loop.for %k = 0 to 3 kind unrolled { … }
    ```
    `factor`: the longest trip count to unroll. `max_ops`: how many operations the iterations may come to, those of
    unrolled loops inside counted once for each iteration. A loop counts as innermost where all loops inside it are
    unrolled. The loops stay loops: an emitter, or `expand-unrolled`, writes them out.

    The pragma `auto_unroll_max_step` of a loop marks those inside it, innermost first, as long as the iterations of a
    nest come to no more than its value, and overrides the options there. Under the pragma `unroll_explicit` unrolled
    loops are written out here. The setting `tir.UnrollLoop` is such a pragma around every nest that has none: its
    `auto_max_step` is the value, and `auto_max_extent` overrides `factor`.

    An unrolled nest whose iterations come to more operations than the setting `max_unrolled_ops` is an error (TW0222).

    Needs: loop level.
    Grants: nothing that later passes rely on.

    For unroll and jam, tile and reorder the nest first, so that the loop to unroll is innermost.
    """

    name = "unroll"
    phase = 2
    levels = (Level.LOOP,)

    factor: int = 4
    max_ops: int = 64

    def __post_init__(self) -> None:
        if self.factor < 1:
            raise ValueError(f"expected a factor of at least 1, but got {self.factor}")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        loops = [n for n in operations(op) if isinstance(n, loop.ForOp)]
        for nested in loops:
            if (steps := pragma_of(nested, AUTO_UNROLL)) is not None:
                inside = [n for n in operations(nested) if isinstance(n, loop.ForOp) and n is not nested]
                _unroll_up_to(inside, steps, "the pragma")
        setting = PassContext.current().value("tir.UnrollLoop", dict)
        if steps := setting.get("auto_max_step", 0):
            free = [n for n in loops if not _has_limit(n) and pragma_of(n, AUTO_UNROLL) is None]
            _unroll_up_to(free, steps, "the setting")
        self._unroll_short(op, setting.get("auto_max_extent", 0) if setting else self.factor)
        most = PassContext.current().value("max_unrolled_ops", int)
        for nested in loops:
            if nested.kind == loop.UNROLLED:
                _check_size(nested, most)
        for nested in reversed(loops):  # the inner ones first: they are gone after
            if pragma_of(nested, UNROLL_EXPLICIT):
                _expand_inside(nested)

    def _unroll_short(self, op: ModuleOp, most: int) -> None:
        serial = [n for n in operations(op) if isinstance(n, loop.ForOp) and n.kind == loop.SERIAL]
        for nested in reversed(serial):  # the inner ones first
            trips = nested.constant_trip_count
            if trips is None or not 2 <= trips <= most or _has_limit(nested):
                continue
            size = _expanded_size(nested.body.block)
            if size is None:
                continue  # a loop inside it stays one
            if size * trips > self.max_ops:
                _remark_missed(nested, f"its iterations come to {size * trips} operations, more than {self.max_ops}")
            else:
                _mark(nested)


def _check_size(op: loop.ForOp, most: int) -> None:
    """Refuse an unrolled nest whose code would have no end in sight."""
    count = (op.constant_trip_count or 0) * _written_out(op.body.block)
    if count > most:
        fail(
            "TW0222",
            f"loop {name_of(op.induction_variable)} is unrolled, and its iterations come to {count} operations, more "
            f"than {most}",
            op=op,
            help="split it and unroll the inner part, or allow more: PassContext(config={'max_unrolled_ops': ...})",
        )


def _written_out(block: Block) -> int:
    """Count the operations of `block` once unrolled loops in it are written out; of other loops the body counts
    once."""
    total = 0
    for op in block.ops:
        is_unrolled = isinstance(op, loop.ForOp) and op.kind == loop.UNROLLED
        inside = sum(_written_out(inner) for region in op.regions for inner in region.blocks)
        total += inside * (op.constant_trip_count or 0) if is_unrolled and isinstance(op, loop.ForOp) else inside + 1
    return total


def _mark(op: loop.ForOp) -> None:
    if may_rewrite("unroll", op):
        edit.change(op).kind = loop.UNROLLED
        name, trips = name_of(op.induction_variable), op.constant_trip_count
        remark("TW0220", lambda: f"loop {name} is unrolled: {trips} iterations", op=op, kind="passed")


def _remark_missed(op: loop.ForOp, reason: str) -> None:
    remark("TW0221", f"loop {name_of(op.induction_variable)} is not unrolled: {reason}", op=op)


def _has_limit(op: loop.ForOp) -> bool:
    """Return whether a pragma around the loop limits unrolling."""
    return any(pragma_of(around, AUTO_UNROLL) is not None for around in loop.enclosing(op, loop.ForOp))


def _unroll_up_to(loops: Sequence[loop.ForOp], steps: int, limit: str) -> None:
    """Mark the loops whose iterations, times those of unrolled loops in them, come to `steps` at most, as `limit`
    says."""
    for nested in reversed(loops):  # the inner ones first
        if nested.kind != loop.SERIAL:
            continue
        count = _iterations(nested)
        if count is None:
            _remark_missed(nested, "its iterations, or those of a loop inside it, are not counted")
        elif count > steps:
            _remark_missed(nested, f"its iterations come to {count}, more than the {steps} that {limit} allows")
        else:
            _mark(nested)


def _iterations(op: loop.ForOp) -> int | None:
    """Count the iterations of the innermost loops inside, the loop itself counted; None where some loop stays one."""
    trips = op.constant_trip_count
    inner: list[int] = []
    for nested in operations(op):
        if isinstance(nested, loop.ForOp) and nested is not op and _parent_loop(nested) is op:
            count = _iterations(nested)
            if count is None or nested.kind != loop.UNROLLED:
                return None
            inner.append(count)
    return None if trips is None else trips * max(1, sum(inner))


def _parent_loop(op: loop.ForOp) -> loop.ForOp | None:
    found = next(loop.enclosing(op, loop.ForOp), None)
    return found if isinstance(found, loop.ForOp) else None


def _expand_inside(op: loop.ForOp) -> None:
    marked = [n for n in operations(op) if isinstance(n, loop.ForOp) and n.kind == loop.UNROLLED]
    for nested in reversed(marked):
        if may_rewrite("write out", nested):
            expand(nested)


def _expanded_size(block: Block) -> int | None:
    """Count the operations of `block` once its loops are written out; None where one is not unrolled."""
    total = 0
    for op in block.ops:
        times = 1
        if isinstance(op, loop.ForOp):
            trips = op.constant_trip_count
            if op.kind != loop.UNROLLED or trips is None:
                return None
            times = trips
        else:
            total += 1
        for region in op.regions:
            for inner in region.blocks:
                size = _expanded_size(inner)
                if size is None:
                    return None
                total += size * times
    return total
