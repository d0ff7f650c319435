"""Reductions: updates of elements whose order may change, up to rounding.

Two forms are known: one accumulator combined by an operation of arith that is associative and commutative, and one or
several combined by a `loop.combine` whose combiner obeys the laws of `semantics.combiner_laws`. Both state what is
accumulated, what is added to it, how the two are combined and from what value a reduction starts, so that a rewrite
needs no case for either. A combiner that breaks a law makes no reduction: its terms keep their order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import AnyFloat, ArrayAttr, FloatAttr, IntegerAttr, IntegerType
from xdsl.ir import Attribute, Operation, SSAValue

from ..dialects import loop
from ..ir import editor as edit
from ..lazy import Slot

BROKEN_LAW: Slot[Callable[..., str | None]] = Slot("analysis.block_reductions:BROKEN_LAW")
"""Describes values at which a combiner breaks a law; None where none are found."""

_IDENTITIES: dict[type[Operation], str] = {
    arith.AddfOp: "zero",
    arith.AddiOp: "zero",
    arith.MulfOp: "one",
    arith.MuliOp: "one",
    arith.MaximumfOp: "least",
    arith.MinimumfOp: "greatest",
    arith.MaxnumfOp: "least",
    arith.MinnumfOp: "greatest",
    arith.MaxSIOp: "least",
    arith.MinSIOp: "greatest",
    arith.MaxUIOp: "zero",
    arith.MinUIOp: "ones",
    arith.AndIOp: "ones",
    arith.OrIOp: "zero",
    arith.XOrIOp: "zero",
    math.FmaOp: "zero",
}
"""Operations that are associative and commutative, floats up to rounding, and their identities.

A fused multiply-add accumulates its last operand.
"""


class Accumulator(NamedTuple):
    """One of the elements that an instance updates: `buffer[index]` is loaded, combined and stored."""

    buffer: SSAValue
    load: loop.LoadOp
    store: loop.StoreOp


@dataclass(frozen=True)
class Reduction:
    """`buffer[index] = combine(buffer[index], term)`, for one or several buffers at once."""

    accumulators: tuple[Accumulator, ...]
    combine: Operation
    """Takes the loaded elements and the terms; its results are stored."""

    @property
    def is_single(self) -> bool:
        """Return whether the reduction combines one element by an operation of arith."""
        return not isinstance(self.combine, loop.CombineOp)

    @property
    def buffer(self) -> SSAValue:
        """The buffer of the first accumulator."""
        return self.accumulators[0].buffer

    @property
    def load(self) -> loop.LoadOp:
        return self.accumulators[0].load

    @property
    def store(self) -> loop.StoreOp:
        return self.accumulators[0].store

    @property
    def loads(self) -> tuple[loop.LoadOp, ...]:
        return tuple(a.load for a in self.accumulators)

    @property
    def stores(self) -> tuple[loop.StoreOp, ...]:
        return tuple(a.store for a in self.accumulators)

    @property
    def values(self) -> tuple[SSAValue, ...]:
        """The term of each accumulator; empty for a fused multiply-add, whose product is no value."""
        if isinstance(self.combine, loop.CombineOp):
            return tuple(self.combine.added)
        if isinstance(self.combine, math.FmaOp):
            return ()
        return tuple(v for v in self.combine.operands if v is not self.load.res)

    @property
    def identities(self) -> tuple[IntegerAttr | FloatAttr, ...]:
        """The value of each accumulator that changes nothing it is combined with."""
        if isinstance(self.combine, loop.CombineOp):
            given = self.combine.identities
            assert isinstance(given, ArrayAttr)
            return tuple(given.data)
        return (_identity(_IDENTITIES[type(self.combine)], self.combine.results[0].type),)

    def combining(self, accumulated: Sequence[SSAValue], added: Sequence[SSAValue]) -> Operation:
        """Return a new operation that combines other values in the same way; its results are those of the
        accumulators."""
        if isinstance(self.combine, math.FmaOp):
            return arith.AddfOp(accumulated[0], added[0], self.combine.fastmath)
        if isinstance(self.combine, loop.CombineOp):
            new = self.combine.clone()
            edit.change(new).operands = (*accumulated, *added)
            return new
        new = self.combine.clone()
        edit.change(new).operands = [accumulated[0] if v is self.load.res else added[0] for v in self.combine.operands]
        return new


def reduction_of(block: loop.BlockOp) -> Reduction | None:
    """Return the reduction that a block with reduce variables performs, if its body has that form and its order is
    free."""
    reduction = _form_of(block)
    return None if reduction is None or _broken_law(block, reduction) is not None else reduction


def why_ordered(block: loop.BlockOp | None) -> str | None:
    """Return the law that the combiner of a block breaks, with numbers, so that its terms keep their order; None if it
    breaks none."""
    reduction = _form_of(block) if block is not None else None
    return None if block is None or reduction is None else _broken_law(block, reduction)


def _broken_law(block: loop.BlockOp, reduction: Reduction) -> str | None:
    if not isinstance(reduction.combine, loop.CombineOp):
        return None
    is_started = block.init is None or starts_from_identity(block, reduction)
    return BROKEN_LAW.value(reduction.combine, is_started=is_started)


def _form_of(block: loop.BlockOp) -> Reduction | None:
    if "reduce" not in block.kinds:
        return None
    body = _statements(block)
    stores = [op for op in body if isinstance(op, loop.StoreOp)]
    combine = stores[0].value.owner if stores else None
    if not isinstance(combine, Operation) or list(combine.results) != [s.value for s in stores]:
        return None
    loads = [_accumulator_load(body, store) for store in stores]
    found = [load for load in loads if load is not None]
    if len(found) != len(stores) or not _combines(combine, found):
        return None
    triples = zip(stores, found, strict=True)
    return Reduction(tuple(Accumulator(store.buffer, load, store) for store, load in triples), combine)


def starts_from_identity(block: loop.BlockOp, reduction: Reduction) -> bool:
    """Return whether the init of a block stores the identities of the reduction and nothing else."""
    if block.init is None:
        return False
    stores = [op for op in block.init.body.block.ops if isinstance(op, loop.StoreOp)]
    stored = {op.buffer: _constant(op.value) for op in stores}
    expected = {a.buffer: i for a, i in zip(reduction.accumulators, reduction.identities, strict=True)}
    return len(stores) == len(expected) and all(
        buffer in stored and stored[buffer] is not None and _same_number(stored[buffer], expected[buffer])
        for buffer in expected
    )


def _statements(block: loop.BlockOp) -> list[Operation]:
    """Return the operations of a block besides its init; if they are one `loop.if` without an else, its body."""
    body = [op for op in block.body.block.ops if not isinstance(op, loop.InitOp)]
    if len(body) == 1 and isinstance(only := body[0], loop.IfOp) and not only.else_body.blocks:
        return list(only.then_body.block.ops)
    return body


def _accumulator_load(body: Sequence[Operation], store: loop.StoreOp) -> loop.LoadOp | None:
    """Return the load of the element that is stored; the two are all that uses the buffer, in nested regions too."""
    users = [op for top in body for op in top.walk() if store.buffer in op.operands]
    load = users[0] if len(users) == 2 and users[1] is store else None
    if not isinstance(load, loop.LoadOp) or load.parent is not store.parent or load.index != store.index:
        return None
    return None if store.conditions or load.conditions else load


def _combines(combine: Operation, loads: Sequence[loop.LoadOp]) -> bool:
    """Return whether `combine` has the loaded values as its accumulated operands and is their only user."""
    if any([use.operation for use in load.res.uses] != [combine] for load in loads):
        return False
    if isinstance(combine, loop.CombineOp):
        return list(combine.accumulated) == [load.res for load in loads]
    if isinstance(combine, math.FmaOp):
        return combine.c is loads[0].res
    return type(combine) in _IDENTITIES


def _identity(which: str, type: Attribute) -> IntegerAttr | FloatAttr:
    if isinstance(type, AnyFloat):
        numbers = {"zero": 0.0, "one": 1.0, "least": float("-inf"), "greatest": float("inf")}
        return FloatAttr(numbers[which], type)
    assert isinstance(type, IntegerType)
    half = 1 << (type.width.data - 1)
    return IntegerAttr({"zero": 0, "one": 1, "least": -half, "greatest": half - 1, "ones": -1}[which], type)


def _constant(value: SSAValue) -> IntegerAttr | FloatAttr | None:
    """Return the number that a value is, through changes of its type."""
    while isinstance(value.owner, arith.BitcastOp):
        value = value.owner.input
    if not isinstance(value.owner, arith.ConstantOp):
        return None
    number = value.owner.value
    return number if isinstance(number, (IntegerAttr, FloatAttr)) else None


def _same_number(a: IntegerAttr | FloatAttr | None, b: IntegerAttr | FloatAttr) -> bool:
    """Return whether two numbers are equal; integers are compared modulo 2 to the power of their width."""
    if isinstance(a, IntegerAttr) and isinstance(b, IntegerAttr):
        type = b.type
        width = type.width.data if isinstance(type, IntegerType) else 64
        return (a.value.data - b.value.data) % (1 << width) == 0
    return a == b
