"""Pass `vectorize`: loops of kind vectorized become operations on vectors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ....analysis.dependence import carried
from ....analysis.divergence import CannotVectorize, Divergence
from ....analysis.domain import resolve
from ....diagnostics import fail
from ....diagnostics.locations import describe, name_of
from ....diagnostics.remarks import remark
from ....dialects import loop
from ....ir import editor as edit
from ....ir.rewrites import may_rewrite
from ....traversal import operations
from ...framework.base import Level, Pass
from ...framework.context import PassContext
from .loop_lanes import Lanes, vectorize_loop
from .vector_loops import choose_loops, holds_vectors, lanes_of, natural_lanes, split_by, start_of


@dataclass(frozen=True)
class VectorizePass(Pass):
    """Turn loops of kind vectorized into operations on vectors, with masks where the trip count leaves a rest.

    ```mlir
    loop.for %j = 0 to 8 kind vectorized {
      loop.for %k = 0 to 64 {
        %a = loop.load %A[%k] : memref<64xf32>
        %b = loop.load %B[%k, %jo * 8 + %j] : memref<64x60xf32>
        …
      }
      loop.if (%jo * 8 + %j < 60) { loop.store %r, %C[%jo * 8 + %j] : memref<60xf32> }
    }
    // becomes
    loop.for %k = 0 to 64 {
      %a = loop.load %A[%k] : memref<64xf32>
      %v = vector.broadcast %a : f32 to vector<8xf32>
      %b = loop.load %B[%k, %jo * 8 + lane] : memref<64x60xf32>, vector<8xf32>
      …
    }
    loop.store %r, %C[%jo * 8 + lane] where (%jo * 8 + lane < 60) : vector<8xf32>, memref<60xf32>
    ```
    `width`: in nests without a vectorized loop, first split the innermost loop whose stores are contiguous and whose
    iterations are independent by that many lanes, which leaves a masked rest. `max_lanes`: longer loops, and those
    whose trip count is not known, are split by the target's vector length. `strict`: a loop that cannot be vectorised
    is an error. A trip count above the vector length that is no power of two becomes an unrolled loop of vectors, where
    the body has no loops. Of nested vectorized loops the innermost is vectorised and the others become unrolled.

    A vectorized loop with more iterations than the setting `max_vector_lanes`, some of which a condition masks, is an
    error (TW0557). Under the setting `tir.disable_vectorize` no loop is vectorised.

    Needs: loop level.
    Grants: no loop of kind vectorized is left. One that cannot be vectorised is serial, or unrolled where
    it indexes registers, and a remark says why.
    """

    name = "vectorize"
    phase = 2
    levels = (Level.LOOP,)
    asks_target = True

    width: int | None = None
    max_lanes: int = 64
    strict: bool = False

    def __post_init__(self) -> None:
        if self.width is not None and self.width < 2:
            raise ValueError(f"expected a width of at least 2, but got {self.width}")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.width is not None:
            chosen, left = choose_loops(op)
            for nested, reason in left.items():
                remark("TW0510", _refused(nested, reason), op=nested)
            for nested in chosen:
                if may_rewrite("split", nested):
                    split_by(nested, self.width)
        marked = [n for n in operations(op) if isinstance(n, loop.ForOp) and n.kind == loop.VECTORIZED]
        if PassContext.current().value("tir.disable_vectorize", bool):
            for nested in marked:
                edit.change(nested).kind = _kind_without_lanes(nested)
                remark("TW0510", _refused(nested, "the setting `tir.disable_vectorize` is on"), op=nested)
            return
        most = PassContext.current().value("max_vector_lanes", int)
        for nested in marked:
            _check_lanes(nested, most)
        for nested in reversed(marked):  # the inner ones first
            if holds_vectors(nested):
                edit.change(nested).kind = loop.UNROLLED if nested.constant_trip_count is not None else loop.SERIAL
                remark("TW0510", _refused(nested, "its body holds vectors"), op=nested)
                continue
            try:
                self._vectorize(nested, op)
            except CannotVectorize as refusal:
                self._refuse(nested, refusal)

    def _vectorize(self, op: loop.ForOp, module: ModuleOp) -> None:
        if (trips := op.constant_trip_count) is not None and trips < 2:
            edit.change(op).kind = loop.SERIAL
            remark("TW0510", _refused(op, f"it has {'one iteration' if trips else 'no iterations'}"), op=op)
            return
        divergence = Divergence(op, start_of(op))
        if (conflict := carried(op)) is not None:
            raise CannotVectorize(conflict.of_iterations(), conflict.sink.op)
        if not may_rewrite("vectorise", op):
            edit.change(op).kind = _kind_without_lanes(op)
            remark("TW0510", _refused(op, "no more rewrites are allowed"), op=op)
            return
        lanes = lanes_of(op)
        if lanes is None or lanes.width > self.max_lanes or _is_awkward(op, lanes.width, natural_lanes(module, op)):
            op = split_by(op, self.width or natural_lanes(module, op))
            if lanes is not None and lanes.width <= self.max_lanes and isinstance(outer := op.parent_op(), loop.ForOp):
                edit.change(outer).kind = loop.UNROLLED
            lanes = lanes_of(op)
            divergence = Divergence(op, start_of(op))
        assert lanes is not None
        remark("TW0220", _done(op, lanes), op=op, kind="passed")
        vectorize_loop(op, lanes, divergence)

    def _refuse(self, op: loop.ForOp, refusal: CannotVectorize) -> None:
        message = _refused(op, refusal.reason)
        where = describe(refusal.op)
        notes = [f"{where}{refusal.op.name} is here"] if where and refusal.op is not op else []
        if self.strict:
            fail("TW0510", message, op=op, notes=notes)
        edit.change(op).kind = _kind_without_lanes(op)
        remark("TW0510", message, op=op, notes=notes)


def _check_lanes(op: loop.ForOp, most: int) -> None:
    """Refuse a loop of very many lanes that conditions mask: those past the end of a tensor are not left out."""
    if (trips := op.constant_trip_count) is not None and trips > most and _is_masked(op):
        fail(
            "TW0557",
            f"loop {name_of(op.induction_variable)} is vectorized and has {trips} iterations, more than {most}, some "
            "of which a condition masks",
            op=op,
            help="split it and vectorize the inner part, or allow more: PassContext(config={'max_vector_lanes': ...})",
        )


def _is_masked(op: loop.ForOp) -> bool:
    """Return whether a condition inside the loop depends on its variable."""
    guarded = (n for n in operations(op) if isinstance(n, (loop.IfOp, loop.LoadOp, loop.StoreOp)))
    return any(op.induction_variable in resolve(e).values() for n in guarded for e in n.conditions)


def _refused(op: loop.ForOp, reason: str) -> str:
    return f"loop {name_of(op.induction_variable)} is not vectorised: {reason}"


def _done(op: loop.ForOp, lanes: Lanes) -> Callable[[], str]:
    masked = ", masked" if lanes.tail else ""
    return lambda: f"loop {name_of(op.induction_variable)} is vectorised: {lanes.width} lanes{masked}"


def _is_awkward(op: loop.ForOp, width: int, natural: int) -> bool:
    """Return whether `width` exceeds a vector of the target and is no power of two, so that LLVM would widen the
    vectors.

    Loops inside stay with one wide vector, as they would run once for each of several.
    """
    if width <= natural or width & (width - 1) == 0:
        return False
    return not any(isinstance(n, loop.ForOp) for n in operations(op)[1:])


def _kind_without_lanes(op: loop.ForOp) -> loop.LoopKindAttr:
    """Return the kind of a loop that is not vectorised."""
    return loop.UNROLLED if _indexes_registers(op) else loop.SERIAL


def _indexes_registers(op: loop.ForOp) -> bool:
    """Return whether the loop's variable indexes register buffers, so that the loop has to be unrolled."""
    accesses = (n for n in operations(op) if isinstance(n, (loop.LoadOp, loop.StoreOp)))
    return op.constant_trip_count is not None and any(
        loop.scope_of(access.buffer.type) == loop.REGISTER
        and any(e.coefficient(op.induction_variable) for e in access.index)
        for access in accesses
    )
