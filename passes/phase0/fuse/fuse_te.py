"""Fusion at te level: producers without a reduction are inlined into the computes that read them.

Inlining saves a store and loads of the intermediate tensor, but may repeat work. So a producer is inlined if it only
moves data (under a guard or at a stride only if few reads repeat the move), if each of its elements is read at most
once, or if it consists of a few cheap operations and its readers do not repeat the read along reduce axes. A producer
is inlined into all of its readers or into none.
"""

from __future__ import annotations

from math import prod

from xdsl.dialects import arith, func, math
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, TensorType
from xdsl.ir import Operation, SSAValue

from ....diagnostics.remarks import remark, remarks_wanted
from ....dialects import loop, te
from ....dialects.index_expr import Index
from ....ir import editor as edit
from ....ir.rewrites import may_rewrite
from ....traversal import operations
from .te_inlining import inline_into

MAX_REPEATED_OPERATIONS = 8
"""The most cheap operations that are computed again rather than stored and loaded."""

MAX_SLOW_READS = 9
"""The most times that an element is read by a slow read rather than stored once: those of a 3x3 window."""

_EXPENSIVE = (
    arith.DivfOp,
    arith.DivSIOp,
    arith.DivUIOp,
    arith.FloorDivSIOp,
    arith.RemSIOp,
    arith.RemUIOp,
)
_CHEAP_MATH = (math.AbsFOp, math.AbsIOp, math.FmaOp, math.FloorOp, math.CeilOp, math.RoundEvenOp)
_FREE = (te.ApplyOp, te.TestOp, te.YieldOp, arith.ConstantOp, arith.SelectOp, arith.IndexCastOp)


def fuse_te(module: ModuleOp) -> None:
    """Inline producers into their readers in every function, and remove computes that nothing reads any more."""
    for function in operations(module):
        if isinstance(function, func.FuncOp) and function.body.blocks:
            _fuse_function(function)


def _fuse_function(function: func.FuncOp) -> None:
    """Decide whether to inline each compute, in program order, by its body after the inlining of its producers.

    A reader of a costly producer is costly too, so the decision about the reader does not need its rewritten body. Such
    readers are rewritten only when a compute that stays inlines the bodies of a whole chain, so that each body is
    written once.
    """
    inlined: dict[te.ComputeOp, None] = {}
    costly: set[te.ComputeOp] = set()
    for op in function.body.block.ops:
        if not isinstance(op, te.ComputeOp):
            continue
        sources = {r.tensor.owner for r in op.body.block.ops if isinstance(r, te.ReadOp)}
        is_costly = not costly.isdisjoint(sources)
        is_waiting = is_costly
        if not is_waiting and any(source in inlined for source in sources):
            inline_into(op, inlined)
        is_costly = is_costly or not (_only_moves_data(op) or _is_cheap(op))
        obstacle = _obstacle(op, is_costly=is_costly)
        stays = obstacle is not None or not may_rewrite("inline", op)
        if stays and is_waiting:
            inline_into(op, inlined)
        if not stays:
            inlined[op] = None
            if is_costly:
                costly.add(op)
        if remarks_wanted() and (obstacle is not None or not stays):
            _remark_decision(op, obstacle)
    for op in inlined:
        _replace_sizes(op)
    for op in reversed(list(function.body.block.ops)):
        is_unused = op.dialect_name() == "te" and op.results and not any(result.uses for result in op.results)
        if is_unused and (op in inlined or may_rewrite("erase", op)):
            edit.erase(op)


def _obstacle(producer: te.ComputeOp, *, is_costly: bool) -> str | None:
    """Return the reason why a producer stays; None where it is inlined."""
    if producer.reduce_axes:
        return "it reduces"
    if any(isinstance(op, (loop.PrintOp, loop.CallExternOp)) for op in producer.body.block.ops):
        return "it prints or traces each element once"
    uses = [use.operation for result in producer.res for use in result.uses]
    reads = [op for op in uses if isinstance(op, te.ReadOp)]
    if not reads or any(not isinstance(op, (te.ReadOp, te.DimOp)) for op in uses):
        return "something else than computes uses it"
    if any(_reader(read).parent is not producer.parent for read in reads):
        return "the steps of a scan read it again and again"
    if not is_costly and _only_moves_data(producer):
        if not (_slows_reads(producer) and any(map(_repeats_often, reads))):
            return None
        return "its elements are read again and again, and slowly where it moves them"
    if len(reads) == 1 and _reads_each_element_once(reads[0]):
        return None
    if is_costly:
        return "its elements are read more than once, and cost too much to be computed again"
    if any(_reader(read).reduce_axes for read in reads):
        return "its elements are read again and again along a reduction"
    return None


def _remark_decision(op: te.ComputeOp, obstacle: str | None) -> None:
    """Say whether a compute that others read is inlined into them."""
    if obstacle is None:
        remark("TW0220", f"compute '{op.label}' is inlined where it is read", op=op, kind="passed")
    elif any(isinstance(use.operation, te.ReadOp) for result in op.res for use in result.uses):
        remark("TW0221", f"compute '{op.label}' is not inlined where it is read: {obstacle}", op=op)


def _reader(read: te.ReadOp) -> te.ComputeOp:
    parent = read.parent_op()
    assert isinstance(parent, te.ComputeOp)
    return parent


def _only_moves_data(producer: te.ComputeOp) -> bool:
    ops = list(producer.body.block.ops)
    reads = [op for op in ops if isinstance(op, te.ReadOp)]
    return len(reads) <= 1 and all(isinstance(op, (te.ReadOp, *_FREE)) for op in ops)


def _slows_reads(producer: te.ComputeOp) -> bool:
    """Return whether reading through the producer costs more than reading its result: it has a guard or strided
    reads."""
    reads = [op for op in producer.body.block.ops if isinstance(op, te.ReadOp)]
    return any(op.conditions or _is_strided(op, producer) for op in reads)


def _is_strided(read: te.ReadOp, producer: te.ComputeOp) -> bool:
    if not read.index or not producer.spatial_axes:
        return False
    return abs(read.index[-1].coefficient(producer.spatial_axes[-1])) > 1


def _repeats_often(read: te.ReadOp) -> bool:
    """Return whether an element is read so often that slow reads cost more than storing the elements once.

    That is padding in front of a convolution, whose border would be tested once for each channel and window position.
    A pooling window overlaps a few times only.
    """
    reader, type = _reader(read), read.tensor.type
    extents = reader.index_list("extents")
    assert isinstance(type, TensorType)
    if DYNAMIC_INDEX in type.get_shape() or not all(e.is_constant for e in extents):
        return bool(reader.reduce_axes)
    readers = [use.operation for use in read.tensor.uses if use.operation.parent_op() is reader]
    return len(readers) * prod(e.constant for e in extents) > MAX_SLOW_READS * prod(type.get_shape())


def _reads_each_element_once(read: te.ReadOp) -> bool:
    """Return whether no two points of the reader's index space read one element: each axis is the whole index of a
    dimension."""
    reader = _reader(read)
    alone = {_bare_axis(index) for index in read.index}
    extents = zip(reader.body.block.args, reader.index_list("extents"), strict=True)
    return all(axis in alone or extent == Index.of(1) for axis, extent in extents)


def _bare_axis(index: Index) -> SSAValue | None:
    """Return the one variable of `axis + constant` or `-axis + constant`."""
    if len(index.terms) != 1 or abs(index.terms[0][1]) != 1:
        return None
    atom = index.terms[0][0]
    return atom if isinstance(atom, SSAValue) else None


def _is_cheap(producer: te.ComputeOp) -> bool:
    work = [op for op in producer.body.block.ops if not isinstance(op, _FREE)]
    return len(work) <= MAX_REPEATED_OPERATIONS and not any(_is_expensive(op) for op in work)


def _is_expensive(op: Operation) -> bool:
    if isinstance(op, loop.ScalarCallOp):
        return True
    return isinstance(op, _EXPENSIVE) or (op.dialect_name() == "math" and not isinstance(op, _CHEAP_MATH))


def _replace_sizes(producer: te.ComputeOp) -> None:
    """Replace the sizes of a compute that goes by its extents."""
    for use in [use for result in producer.res for use in result.uses]:
        if not isinstance(dim := use.operation, te.DimOp):
            continue
        extent = producer.spatial_extents[dim.dimension.value.data]
        for user in [u.operation for u in dim.res.uses]:
            if isinstance(user, loop.IndexedOp):
                user.substitute_indices({dim.res: extent})
        edit.replace(dim, te.ApplyOp(extent))
