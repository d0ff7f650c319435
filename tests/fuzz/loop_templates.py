"""Statements that random choices alone would not make: registers, threads that meet, fused loops, tiles of a block."""

from __future__ import annotations

from tilewright.dialects import loop
from tilewright.dialects.index_expr import Index
from xdsl.dialects import arith
from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, UnitAttr, f32, i1
from xdsl.ir import Block, Region

from .loop_scope import Scope, annotate
from .scalars import FLOATS


def register_tile(scope: Scope) -> None:
    """Add a tile of registers that a serial loop adds to."""
    draw = scope.draw
    width = draw.one_of((2, 3, 4))
    tile = loop.AllocOp(loop.buffer_type([width], f32, loop.REGISTER), name_hint="acc")
    scope.add(tile)
    with _loop(scope, width, loop.UNROLLED) as j:
        scope.add(loop.StoreOp(scope.scalars.operand(f32), tile.res, [j]))
    with _loop(scope, draw.extent()) as _, _loop(scope, width, loop.UNROLLED) as j:
        value = scope.load() if draw.chance(0.5) else None
        term = value if value is not None and value.type == f32 else scope.scalars.operand(f32)
        before = scope.scalars.emit(loop.LoadOp(tile.res, [j]))
        total = scope.scalars.emit(arith.AddfOp(before, term))
        scope.add(loop.StoreOp(total, tile.res, [j]))
    with _loop(scope, width, loop.UNROLLED) as j:
        scope.scalars.emit(loop.LoadOp(tile.res, [j]))
        scope.store()


def fused_loop(scope: Scope) -> None:
    """Add one loop over two extents, one of which may be symbolic."""
    draw = scope.draw
    inner = draw.extent()
    outer = draw.one_of(scope.sizes) if scope.sizes and draw.chance(0.6) else Index.of(draw.extent())
    op = loop.ForOp(0, outer * inner, name_hint="fused")
    split = loop.DelinearizeOp(op.induction_variable, [outer, Index.of(inner)])
    with scope.inside(op.body.block):
        scope.add(split)
        i, j = split.res
        scope.enter(op, [Index.of(0)], [outer * inner])
        high = outer.constant - 1 if outer.is_constant else None
        scope.affine.enter(i, (0, high), None if outer.is_constant else outer)
        scope.affine.enter(j, (0, inner - 1))
        scope.load()
        scope.scalars.grow(draw.between(0, 2))
        scope.store()
    scope.add(op)


def meeting_threads(scope: Scope) -> None:
    """Add threads of a block that read what others wrote to shared memory before a barrier."""
    draw = scope.draw
    blocks, threads = draw.between(1, 3), draw.between(2, 5)
    source = loop.AllocOp(loop.buffer_type([blocks, threads], f32, loop.GLOBAL), name_hint="from")
    scope.add(source)
    with _loop(scope, blocks) as b, _loop(scope, threads) as t:
        scope.load()
        scope.add(loop.StoreOp(scope.scalars.operand(f32), source.res, [b, t]))
    with _loop(scope, blocks, loop.LoopKindAttr.of("thread", "blockIdx.x")) as b:
        shared = loop.AllocOp(loop.buffer_type([threads], f32, "shared"), name_hint="shared")
        scope.add(shared)
        with _loop(scope, threads, loop.LoopKindAttr.of("thread", "threadIdx.x")) as t:
            value = scope.scalars.emit(loop.LoadOp(source.res, [b, t]))
            store = loop.StoreOp(value, shared.res, [t])
            scope.add(store)
            if draw.chance(0.7):
                store.attributes[loop.ASYNC] = UnitAttr()
                scope.add(loop.AsyncCommitOp())
                scope.add(loop.AsyncWaitOp(0))
            scope.add(loop.BarrierOp("shared"))
            other = scope.scalars.emit(loop.LoadOp(shared.res, [threads - 1 - t]))
            doubled = scope.scalars.emit(arith.AddfOp(other, value))
            scope.add(loop.StoreOp(doubled, source.res, [b, t]))
    with _loop(scope, blocks) as b, _loop(scope, threads) as t:
        scope.scalars.emit(loop.LoadOp(source.res, [b, t]))
        scope.store()


def ended_loop(scope: Scope) -> None:
    """Add a loop that a buffer ends: at a bound, at a store of its body, or at whichever comes first."""
    draw = scope.draw
    last = draw.between(0, 4)
    going = loop.AllocOp(loop.buffer_type([], i1, loop.GLOBAL), name_hint="going")
    scope.add(going)
    scope.add(loop.StoreOp(scope.scalars.constant(i1, 1), going.res, []))
    upper = [Index.of(draw.extent())] if draw.chance(0.5) else []
    op = loop.WhileOp(going.res, upper, name_hint=draw.name("w"))
    with scope.inside(op.body.block):
        variable = op.induction_variable
        scope.affine.enter(variable, (0, last))
        scope.load()
        scope.scalars.grow(draw.between(0, 2))
        scope.store()
        end = loop.IfOp([Index.of(variable) - last], Region(Block()))
        with scope.inside(end.then_body.block):
            scope.add(loop.StoreOp(scope.scalars.constant(i1, 0), going.res, []))
        scope.add(end)
    scope.add(op)


def guarded_tile(scope: Scope) -> None:
    """Add tiles of an array in a buffer of their own, cut off at the border: computed, worked on, and stored."""
    draw = scope.draw
    targets = [b for b in scope.writable() if b.shape and b.root is None and scope.private_index(b) == {}]
    if not targets:
        return
    target = draw.one_of(targets)
    extent, element = target.shape[-1], target.element
    size = draw.one_of((2, 4, 8))
    kind = draw.one_of((loop.SERIAL, loop.SERIAL, loop.VECTORIZED))
    outer = loop.ForOp(0, extent.ceildiv(size), name_hint="io")
    with scope.inside(outer.body.block):
        scope.enter(outer, [Index.of(0)], [extent.ceildiv(size)])
        tile = loop.AllocOp(loop.buffer_type([size], element, draw.one_of((loop.GLOBAL, loop.LOCAL))), name_hint="tile")
        annotate(draw, tile)
        scope.add(tile)
        base = Index.of(outer.induction_variable) * size
        for stage in range(draw.between(2, 3)):
            with _loop(scope, size, kind) as i:
                inside = [] if draw.chance(0.2) and stage == 0 else [extent - 1 - base - i]
                block = scope.scalars.block
                choice = loop.IfOp(inside) if inside else None
                with scope.inside(choice.then_body.block if choice else block):
                    if stage:
                        scope.scalars.emit(loop.LoadOp(tile.res, [i]))
                    scope.load()
                    scope.scalars.grow(draw.between(0, 2))
                    scope.add(loop.StoreOp(scope.scalars.conclude(element), tile.res, [i]))
                if choice is not None:
                    scope.add(choice)
        with _loop(scope, size, kind) as i:
            value = scope.scalars.emit(
                loop.LoadOp(tile.res, [i], [extent - 1 - base - i], scope.scalars.operand(element))
            )
            lead, guard = scope.affine.inside(target.shape[:-1])
            scope.add(loop.StoreOp(value, target.value, [*lead, base + i], [*guard, extent - 1 - base - i]))
    scope.add(outer)


def multiply_add(scope: Scope) -> None:
    """Add a dot product, in a carried value or in memory."""
    draw = scope.draw
    op = loop.ForOp(0, draw.extent(), iter_args=[scope.scalars.operand(f32)], name_hint="k")
    with scope.inside(op.body.block):
        scope.enter(op, [Index.of(0)], [Index.of(op.uppers[0].constant)])
        total = op.body.block.args[1]
        scope.scalars.values.append(total)
        scope.load()
        product = arith.MulfOp(scope.scalars.operand(f32, leaf=True), scope.scalars.operand(f32, leaf=True))
        result = draw.one_of((arith.AddfOp, arith.SubfOp))(total, scope.scalars.emit(product))
        scope.add(result)
        op.body.block.add_op(loop.YieldOp(result.results[0]))
    scope.add(op)
    scope.scalars.values += op.res
    scope.store()


def stages(scope: Scope) -> None:
    """Add buffers of an iteration, each computed from the previous one; the loop may be a software pipeline."""
    draw = scope.draw
    element = draw.favoured(FLOATS)
    space = draw.one_of((loop.GLOBAL, loop.LOCAL, loop.LOCAL, "shared"))
    extents = [draw.between(2, 4)] * 4 if draw.chance(0.7) else [draw.between(1, 4) for _ in range(4)]
    trips = draw.extent()
    target = loop.AllocOp(loop.buffer_type([trips, 4], element, loop.GLOBAL), name_hint="to")
    scope.add(target)
    with _loop(scope, trips) as i, _loop(scope, 4) as j:
        scope.add(loop.StoreOp(scope.scalars.constant(element), target.res, [i, j]))
    kind = draw.one_of((loop.SERIAL, loop.SERIAL, loop.PARALLEL))
    outer = loop.ForOp(0, trips, kind=kind, name_hint="it")
    count = draw.between(2, 4)
    with scope.inside(outer.body.block):
        scope.enter(outer, [Index.of(0)], [Index.of(trips)])
        iteration = Index.of(outer.induction_variable)
        before: loop.AllocOp | None = None
        for stage in range(count):
            buffer = loop.AllocOp(loop.buffer_type([extents[stage]], element, space), name_hint=draw.name("b"))
            annotate(draw, buffer)
            scope.add(buffer)
            with _loop(scope, extents[stage]) as j:
                value = scope.scalars.operand(element)
                if before is not None:
                    last = before.res.type.get_shape()[0]
                    index = draw.one_of((j, last - 1 - j, j + 1, j - 1, Index.of(0)))
                    guard = [index, last - 1 - index]
                    value = scope.scalars.emit(loop.LoadOp(before.res, [index], guard, value))
                scope.scalars.grow(draw.between(0, 1))
                scope.add(loop.StoreOp(scope.scalars.conclude(element), buffer.res, [j]))
            before = buffer
        assert before is not None
        with _loop(scope, min(4, extents[count - 1])) as j:
            value = scope.scalars.emit(loop.LoadOp(before.res, [j]))
            scope.add(loop.StoreOp(value, target.res, [iteration, j]))
    if kind == loop.SERIAL and draw.chance(0.4):
        numbers = sorted(draw.between(0, 2) for _ in range(count + 1))
        outer.attributes["software_pipeline_stage"] = ArrayAttr([IntegerAttr(n, 64) for n in numbers])
        order = [IntegerAttr(n, 64) for n in range(count + 1)]
        outer.attributes["software_pipeline_order"] = ArrayAttr(order)
    scope.add(outer)
    with _loop(scope, trips) as i, _loop(scope, 4) as j:
        scope.scalars.emit(loop.LoadOp(target.res, [i, j]))
        scope.store()


class _loop:
    """A loop from 0 on, entered; its variable as an index."""

    def __init__(self, scope: Scope, extent: int, kind: loop.LoopKindAttr = loop.SERIAL) -> None:
        self.scope = scope
        self.op = loop.ForOp(0, extent, kind=kind, name_hint=scope.draw.name("i"))
        self.inside = scope.inside(self.op.body.block)

    def __enter__(self) -> Index:
        self.inside.__enter__()
        self.scope.enter(self.op, [Index.of(0)], [Index.of(self.op.uppers[0].constant)])
        return Index.of(self.op.induction_variable)

    def __exit__(self, *error: object) -> None:
        self.inside.__exit__(None, None, None)
        self.scope.add(self.op)


TEMPLATES = (
    register_tile, fused_loop, meeting_threads, guarded_tile, guarded_tile, multiply_add, stages, stages, ended_loop,
)  # fmt: skip
