"""Guards that keep instances beyond the domain of a block from changing the results of other instances.

A primitive may always execute more instances of the box that the block's extents span. So a block whose domain grows by
padding has guards on its accesses instead of a guard around the block: the added instances are harmless wherever they
run.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ...analysis.access import accesses_in, accesses_of
from ...analysis.divergence import DIVISIONS
from ...analysis.ranges import Facts
from ...dialects import loop
from ...dialects.index_expr import Index
from ...ir import editor as edit
from ...te.scalar_operations import emit_constant, inserter
from ...traversal import operations
from ..forms import unsuitable


def check_padding(primitive: str, block: loop.BlockOp) -> None:
    """Refuse a block in which instances beyond its domain change results even with guarded accesses."""
    if any(isinstance(op, loop.BlockOp) for op in block.body.walk()):
        unsuitable(primitive, block, "holds blocks, whose domains instances added as padding must not leave")
    if any(isinstance(op, DIVISIONS) for op in operations(block)):
        unsuitable(primitive, block, "divides integers, which instances added as padding must not do")
    if any(not isinstance(a.op, (loop.LoadOp, loop.StoreOp)) for a in accesses_in(block)):
        unsuitable(primitive, block, "calls foreign code, which instances added as padding must not do")


def keep_in_domain(block: loop.BlockOp, domain: Sequence[tuple[Index, Index]]) -> None:
    """Guard the accesses of a block to where each expression of `domain` is in [0, extent).

    The expressions are over the iteration variables. Guarded loads give 0. An access that stays inside its buffer
    anyway is not guarded, if it is a load, or a store of each instance to a separate element that nothing else writes.
    `check_padding` comes before.
    """
    box = [e for v, _, _, n in block.iteration() for e in (Index.of(v), n - v - 1)]
    facts = Facts({}).where(*box)
    guard = [c for e, n in domain for c in (e, n - e - 1) if not facts.proves(c)]
    if not guard:
        return
    of_init = _at_first_term(block, guard)
    for op in list(block.walk()):
        conditions = of_init if block.init is not None and block.init.is_ancestor(op) else guard
        if isinstance(op, loop.LoadOp) and conditions and not _stays_inside(op, facts):
            _guard_load(op, conditions)
        elif isinstance(op, loop.StoreOp) and not (_stays_inside(op, facts) and _is_alone(block, op)):
            op.set_index_lists(guard=(*op.conditions, *conditions))


def _at_first_term(block: loop.BlockOp, guard: Sequence[Index]) -> list[Index]:
    """Return the conditions with all reduce variables 0, less those that only state that there is a first term.

    Without a first term the init is still the result.
    """
    zeros: dict[SSAValue, Index] = {v: Index.of(0) for v, kind, _, _ in block.iteration() if kind == "reduce"}
    first = dict.fromkeys(e.substitute(zeros) for e in guard)
    return [e for e in first if any(v in block.variables for v in e.values())]


def _guard_load(op: loop.LoadOp, guard: Sequence[Index]) -> None:
    otherwise = op.otherwise
    if otherwise is None:
        assert isinstance(op.buffer.type, MemRefType)
        otherwise = emit_constant(inserter(InsertPoint.before(op)), 0, op.buffer.type.element_type)
        edit.rename(otherwise, "pad")
    guarded = loop.LoadOp(op.buffer, op.index, (*op.conditions, *guard), otherwise)
    guarded.location = op.location
    edit.rename(guarded.res, op.res.name_hint)
    edit.replace(op, guarded)


def _stays_inside(op: loop.LoadOp | loop.StoreOp, facts: Facts) -> bool:
    shape = _shape(op.buffer)
    return shape is not None and all(
        facts.proves(c) for e, n in zip(op.index, shape, strict=True) for c in (e, n - e - 1)
    )


def _shape(buffer: SSAValue) -> Sequence[Index] | None:
    if isinstance(buffer.owner, loop.AllocOp):
        return buffer.owner.shape
    assert isinstance(buffer.type, MemRefType)
    extents = buffer.type.get_shape()
    return None if DYNAMIC_INDEX in extents else [Index.of(n) for n in extents]


def _is_alone(block: loop.BlockOp, store: loop.StoreOp) -> bool:
    """Return whether each instance stores to a separate element of an allocation, indexed by its variables, and nothing
    else writes the buffer."""
    if not isinstance(store.buffer.owner, loop.AllocOp) or "reduce" in block.kinds:
        return False
    if any(a.is_write and a.op is not store for a in accesses_of(store.buffer)):
        return False
    used = [e.single_value for e in store.index if not e.is_constant]
    free = [v for v, _, _, n in block.iteration() if n != Index.of(1)]
    return None not in used and len(set(used)) == len(used) and set(free) <= set(used)
