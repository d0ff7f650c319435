"""Random nests of loops around a block."""

from __future__ import annotations

from dataclasses import dataclass, field

from tilewright.dialects import loop
from tilewright.dialects.dtypes import is_float
from tilewright.dialects.index_expr import Index
from xdsl.dialects import arith
from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, IntegerType, i1
from xdsl.ir import Attribute, SSAValue

from .loop_scope import Buffer, Scope
from .scalars import FLOATS, INTEGERS, SIZED_ELEMENTS
from .te_modules import sums


@dataclass
class _Nest:
    """The loops of a nest, and how its iteration variables are bound to them."""

    scope: Scope
    loops: list[tuple[loop.ForOp, bool]] = field(default_factory=list[tuple[loop.ForOp, bool]])
    """Each loop, and whether what it runs over is reduced."""

    guard: list[Index] = field(default_factory=list[Index])

    def bind(self, extent: Index, *, reduced: bool) -> Index:
        """Add loops that run over [0, extent), and return the position in it."""
        draw = self.scope.draw
        if extent.is_constant and extent.constant > 1 and draw.chance(0.4):
            factor = draw.one_of((2, 3, 4))
            outer = self._loop(Index.of(-(-extent.constant // factor)), reduced)
            inner = self._loop(Index.of(factor), reduced)
            position = outer * factor + inner
            if extent.constant % factor:
                self.guard.append(extent - 1 - position)
            return position
        if not extent.is_constant and draw.chance(0.3):
            position = self._loop(extent.ceildiv(4), reduced) * 4 + self._loop(Index.of(4), reduced)
            self.guard.append(extent - 1 - position)
            return position
        return self._loop(extent, reduced)

    def _loop(self, extent: Index, reduced: bool) -> Index:
        op = loop.ForOp(0, extent, name_hint=self.scope.draw.name("i"))
        self.loops.append((op, reduced))
        return Index.of(op.induction_variable)

    def close(self, block: loop.BlockOp, *, independent: bool) -> None:
        """Put the loops around the block, in an order in which splits and reductions run upwards."""
        draw = self.scope.draw
        if draw.chance(0.3):
            spatial = [each for each in self.loops if not each[1]]
            draw.random.shuffle(spatial)
            rest = iter(spatial)
            self.loops = [each if each[1] else next(rest) for each in self.loops]
        inner = block
        for op, reduced in reversed(self.loops):
            if not reduced and independent and draw.chance(0.15):
                op.kind = draw.one_of((loop.PARALLEL, loop.VECTORIZED))
            elif op.constant_trip_count is not None and draw.chance(0.1):
                op.kind = loop.UNROLLED
            op.body.block.add_op(inner)
            inner = op
        self.scope.add(inner)


def add_nest(scope: Scope) -> None:
    """Add a nest that writes a buffer that is there, or one of its own that later nests read."""
    draw = scope.draw
    known = [b for b in scope.writable() if b.root is None]
    fresh = not known or draw.chance(0.4)
    if fresh:
        shape = scope.shape()
        element = draw.favoured(SIZED_ELEMENTS)
        dynamic = [e for e in shape if not e.is_constant]
        op = loop.AllocOp(scope.type_of(element, shape), dynamic, name_hint=draw.name("t"))
        scope.add(op)
        target = Buffer(op.res, shape)
    else:
        target = draw.one_of(known)
    _Writer(scope, target, fresh).write()
    if fresh:
        scope.buffers.append(target)


class _Writer:
    """One block, which writes `target`."""

    def __init__(self, scope: Scope, target: Buffer, fresh: bool) -> None:
        self.scope = scope
        self.target = target
        self.fresh = fresh
        self.nest = _Nest(scope)

    def write(self) -> None:
        draw, scope = self.scope.draw, self.scope
        reduced = [Index.of(draw.extent()) for _ in range(draw.one_of((0, 0, 0, 1, 1, 2)))]
        if reduced and scope.sizes and draw.chance(0.3):
            reduced[0] = draw.one_of(scope.sizes)
        if self.target.element == i1 or not isinstance(self.target.element, (IntegerType, *map(type, FLOATS))):
            reduced = []
        if isinstance(self.target.element, IntegerType) and self.target.element not in INTEGERS:
            reduced = []
        extents = [*self.target.shape, *reduced]
        kinds = ["spatial"] * len(self.target.shape) + ["reduce"] * len(reduced)
        bindings = [self.nest.bind(e, reduced=k == "reduce") for e, k in zip(extents, kinds, strict=True)]
        hints = [draw.name("v") for _ in extents]
        block = loop.BlockOp(draw.name("B"), kinds, bindings, extents, self.nest.guard, name_hints=hints)
        independent = self._body(block, extents, len(reduced))
        self.nest.close(block, independent=independent)

    def _body(self, block: loop.BlockOp, extents: list[Index], reduced: int) -> bool:
        """Fill the block; whether no instance reads what another writes."""
        scope, target = self.scope, self.target
        variables = list(block.variables)
        spatial = variables[: len(variables) - reduced]
        outer_buffers = scope.buffers
        scope.buffers = [b for b in outer_buffers if b.storage is not target.storage]
        with scope.inside(block.body.block):
            scope.affine.variables, outer_variables = [], scope.affine.variables
            for variable, extent in zip(variables, extents, strict=True):
                high = extent.constant - 1 if extent.is_constant else None
                scope.affine.enter(variable, (0, high), None if extent.is_constant else extent)
            if reduced:
                self._reduction(block, spatial)
                independent = True
            else:
                independent = self._statement(spatial)
            scope.affine.variables = outer_variables
        scope.buffers = outer_buffers
        return independent

    def _fill(self) -> None:
        scope, draw = self.scope, self.scope.draw
        for _ in range(draw.between(1, 2)):
            scope.load()
        if draw.chance(0.2):
            scope.scalars.emit(loop.ApplyOp(scope.affine.expression(sizes=scope.sizes)), leaf=True)
        if draw.chance(0.2):
            scope.scalars.emit(loop.TestOp(scope.affine.conditions(sizes=scope.sizes)), leaf=True)
        scope.scalars.grow(draw.between(0, 3))

    def _statement(self, spatial: list[SSAValue]) -> bool:
        scope, draw, target = self.scope, self.scope.draw, self.target
        self._fill()
        independent = True
        if not self.fresh and draw.chance(0.3):
            indices, guard = list(map(Index.of, spatial)), []
            if spatial and draw.chance(0.4):
                indices[0] = indices[0] - 1
                guard, independent = [indices[0]], False
            otherwise = scope.scalars.operand(target.element) if guard else None
            scope.scalars.emit(loop.LoadOp(target.value, indices, guard, otherwise))
        value = scope.scalars.conclude(target.element)
        guard = scope.affine.conditions(sizes=scope.sizes) if not self.fresh and draw.chance(0.15) else []
        if guard and draw.chance(0.5):
            choice = loop.IfOp(guard)
            choice.then_body.block.add_op(loop.StoreOp(value, target.value, spatial))
            scope.add(choice)
        else:
            scope.add(loop.StoreOp(value, target.value, spatial, guard))
        return independent

    def _reduction(self, block: loop.BlockOp, spatial: list[SSAValue]) -> None:
        scope, target, draw = self.scope, self.target, self.scope.draw
        body = block.body.block
        if self.fresh or draw.chance(0.8):
            init = loop.InitOp()
            body.add_op(init)
            with scope.scalars.inside(init.body.block):
                reduce_count = len(block.variables) - len(spatial)
                scope.affine.leave(len(spatial))
                start = scope.scalars.operand(target.element)
                scope.add(loop.StoreOp(start, target.value, spatial))
                for variable in block.variables[len(spatial) :][:reduce_count]:
                    scope.affine.variables.append(variable)
        self._fill()
        element = target.element
        accumulated = loop.LoadOp(target.value, spatial)
        value = scope.scalars.conclude(element)
        scope.add(accumulated)
        if isinstance(element, IntegerType) and draw.chance(0.4):
            zeros = ArrayAttr([IntegerAttr(0, element)])
            combined: SSAValue = loop.CombineOp([accumulated.res], [value], zeros, sums([element], "loop")).res[0]
            scope.add(combined.owner)  # pyright: ignore
        else:
            combined = _combine(scope, element, accumulated.res, value)
        scope.add(loop.StoreOp(combined, target.value, spatial))


def _combine(scope: Scope, element: Attribute, accumulated: SSAValue, value: SSAValue) -> SSAValue:
    floats = (arith.AddfOp, arith.MaximumfOp, arith.MinimumfOp)
    integers = (arith.AddiOp, arith.MuliOp, arith.MaxSIOp, arith.MinSIOp)
    op = scope.draw.one_of(floats if is_float(element) else integers)(accumulated, value)
    scope.add(op)
    return op.results[0]
