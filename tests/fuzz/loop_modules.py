"""Random modules of loops, with blocks or without."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects import loop
from tilewright.dialects.index_expr import Index
from tilewright.dialects.loop.pragmas import AUTO_UNROLL, UNROLL_EXPLICIT
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    StringAttr,
    UnitAttr,
    f32,
    f64,
)
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from .blocks import add_nest
from .draw import Draw
from .foreign import FOREIGN
from .loop_scope import Buffer, Scope
from .loop_templates import TEMPLATES, ended_loop
from .scalars import ELEMENTS, SIZED_ELEMENTS
from .te_modules import constant_of, reshaped

INPUT, BOTH, OUTPUT = "input", "both", "output"


class LoopFunction:
    """Writes one function on buffers."""

    def __init__(
        self, draw: Draw, *, smooth: bool, blocks: bool, foreign: bool = True, while_loops: bool = True
    ) -> None:
        self.draw = draw
        self.blocks = blocks
        self.foreign = foreign
        self.templates = [t for t in TEMPLATES if while_loops or t is not ended_loop]
        self.scope = Scope(draw, smooth=smooth)
        self.block = self.scope.scalars.block
        self.roles: list[str] = []
        self.kernels: dict[str, list[tuple[Attribute, str]]] = {}

    def write(self, name: str, *, symbolic: bool, length: int, private: bool = False) -> FuncOp:
        self._arguments(symbolic, private)
        for _ in range(self.draw.between(0, 2)):
            self.draw.one_of((self._constant, self._view, self._allocate, self._arena))()
        for _ in range(length):
            self._top_level()
        self.block.add_op(ReturnOp())
        function = FuncOp(name, ([a.type for a in self.block.args], []), Region(self.block))
        outputs = [DictionaryAttr({"tw.output": UnitAttr()} if r == OUTPUT else {}) for r in self.roles]
        function.arg_attrs = ArrayAttr(outputs)
        if private:
            function.sym_visibility = StringAttr("private")
        return function

    # The head of the function

    def _arguments(self, symbolic: bool, private: bool) -> None:
        draw, scope = self.draw, self.scope
        if symbolic and draw.chance(0.5):
            size = self._argument(IndexType(), INPUT)
            scope.affine.size(size)
            scope.sizes.append(Index.of(size))
            scope.scalars.values.append(size)
            scope.scalars.leaves.add(size)
        filled: list[Buffer] = []
        roles = [INPUT] * draw.between(1, 2) + [BOTH] * (0 if private else draw.between(1, 2))
        roles += [OUTPUT] * (draw.between(1, 2) if private else draw.between(0, 1))
        for role in roles:
            shape = scope.shape() if role != OUTPUT else tuple(Index.of(draw.extent()) for _ in range(2))
            element = draw.favoured(SIZED_ELEMENTS)
            if role == INPUT and draw.chance(0.1):
                element = IndexType()
            value = self._argument(scope.type_of(element, shape), role)
            shape = self._state_shape(value, shape, symbolic and role != OUTPUT)
            buffer = Buffer(value, shape, role == INPUT)
            scope.buffers.append(buffer)
            if role == OUTPUT:
                filled.append(buffer)
        for buffer in filled:
            scope.fill(buffer)

    def _argument(self, type_: Attribute, role: str) -> SSAValue:
        value = self.block.insert_arg(type_, len(self.block.args))
        value.name_hint = self.draw.name("n" if isinstance(type_, IndexType) else "A")
        self.roles.append(role)
        return value

    def _state_shape(self, value: SSAValue, shape: Sequence[Index], symbolic: bool) -> tuple[Index, ...]:
        """State the shape of an argument whose type leaves it open; now and then it brings a size of its own."""
        draw, scope = self.draw, self.scope
        if all(e.is_constant for e in shape) and symbolic and draw.chance(0.3):
            type_ = value.type
            assert isinstance(type_, MemRefType)
            open_type = loop.buffer_type([DYNAMIC_INDEX, *type_.get_shape()[1:]], type_.element_type, loop.GLOBAL)
            value._type = open_type  # pyright: ignore
            dim = loop.DimOp(value, 0, name_hint=draw.name("m"))
            scope.add(dim)
            scope.affine.size(dim.res)
            scope.sizes.append(Index.of(dim.res))
            shape = (Index.of(dim.res), *shape[1:])
            if draw.chance(0.4):
                return tuple(shape)  # fix-layouts binds it
        if all(e.is_constant for e in shape):
            return tuple(shape)
        strides = _strides(shape)
        if strides is None:
            return tuple(shape)
        scope.add(loop.BindOp(value, shape, strides))
        return tuple(shape)

    def _constant(self) -> None:
        draw = self.draw
        shape = [draw.one_of((1, 2, 3, 4)) for _ in range(draw.between(1, 2))]
        element = draw.one_of(SIZED_ELEMENTS)
        op = constant_of(draw, element, shape, lambda v, t: loop.ConstantOp(v, MemRefType(element, shape)))  # type: ignore
        self.scope.add(op)
        self.scope.buffers.append(Buffer(op.results[0], tuple(map(Index.of, shape)), True))

    def _view(self) -> None:
        """Add a view of a buffer in another shape."""
        static = [b for b in self.scope.buffers if b.is_static and b.root is None]
        if not static:
            return
        buffer = self.draw.one_of(static)
        shape = reshaped(self.draw, [e.constant for e in buffer.shape])
        op = loop.ViewOp(buffer.value, 0, loop.buffer_type(shape, buffer.element, loop.scope_of(buffer.type)))
        self.scope.add(op)
        self.scope.buffers.append(Buffer(op.res, tuple(map(Index.of, shape)), buffer.is_leaf, buffer.value))

    def _allocate(self) -> None:
        scope = self.draw.one_of((None, None, "local", "shared"))
        self.scope.allocate(self.draw.favoured(SIZED_ELEMENTS), self.scope.shape(), scope)

    def _arena(self) -> None:
        """Add two buffers within the bytes of one."""
        shapes = [tuple(Index.of(self.draw.extent()) for _ in range(2)) for _ in range(2)]
        sizes = [s[0].constant * s[1].constant * 4 for s in shapes]
        arena = loop.AllocOp(loop.buffer_type([sum(sizes)], IntegerType(8), loop.GLOBAL), name_hint="arena")
        self.scope.add(arena)
        for shape, offset in zip(shapes, (0, sizes[0]), strict=True):
            view = loop.ViewOp(arena.res, offset, self.scope.type_of(f32, shape), name_hint=self.draw.name("v"))
            self.scope.add(view)
            buffer = Buffer(view.res, shape, False, arena.res)
            self.scope.fill(buffer)
            self.scope.buffers.append(buffer)

    # Statements

    def _top_level(self) -> None:
        draw = self.draw
        if self.blocks:
            draw.one_of((self._nest, self._nest, self._nest, self._allocate, self._call))()
            return
        steps = (
            self._loop,
            self._loop,
            self._loop,
            self._loop,
            self._parallel,
            self._template,
            self._template,
            self._call,
        )
        draw.one_of((*steps, self._conditional, self._scalar, self._allocate, self._foreign))()

    def _nest(self) -> None:
        add_nest(self.scope)

    def _template(self) -> None:
        self.draw.one_of(self.templates)(self.scope)

    def _scalar(self) -> None:
        scope, draw = self.scope, self.draw
        lanes = draw.one_of((None, None, None, None, 2, 4, 8))
        for _ in range(draw.between(0, 2)):
            scope.load(lanes=lanes)
        if draw.chance(0.25):
            expression = scope.affine.expression(lane=lanes, sizes=scope.sizes)
            scope.scalars.emit(loop.ApplyOp(expression, lanes), leaf=True)
        if draw.chance(0.25):
            test = loop.TestOp(scope.affine.conditions(lane=lanes, sizes=scope.sizes), lanes)
            scope.scalars.emit(test, leaf=True)
        scope.scalars.grow(draw.between(0, 3), (None, lanes))
        if draw.chance(0.1):
            self._prefetch()
        if draw.chance(0.05):
            self._assert()
        scope.store(lanes=lanes)
        if draw.chance(0.15):
            self._loaded_index()

    def _update(self) -> None:
        """Read, write and read again an element; the order shows in what is stored elsewhere."""
        scope, draw = self.scope, self.draw
        known = scope.writable()
        if not known:
            return
        buffer = draw.one_of(known)
        scope.load(buffer)
        if draw.chance(0.5):
            scope.store()
        scope.scalars.grow(draw.between(0, 1))
        scope.store(buffer)
        scope.load(buffer)
        scope.store()

    def _prefetch(self) -> None:
        known = [b for b in self.scope.buffers if loop.scope_of(b.type) != loop.REGISTER]
        if not known:
            return
        buffer = self.draw.one_of(known)
        if isinstance(self.scope.scalars.block.parent_op(), loop.ForOp) and self.draw.chance(0.5):
            self.scope.add(loop.PrefetchAheadOp(buffer.value, self.draw.between(1, 3)))
        else:
            self.scope.add(loop.PrefetchOp(buffer.value, [self.scope.affine.expression() for _ in buffer.shape]))

    def _assert(self) -> None:
        """Assert a condition that holds: a variable is not below its range."""
        affine = self.scope.affine
        known = [(v, low) for v in affine.variables if (low := affine.ranges[v][0]) is not None]
        variable, low = self.draw.one_of(known) if known else (None, 0)
        asserted = Index.of(0 if variable is None else variable)
        self.scope.add(loop.AssertOp([asserted - low], f"expected {low} or more, but got {{}}", [asserted]))

    def _loaded_index(self) -> None:
        """Load an element as an index of accesses that follow."""
        buffers = [b for b in self.scope.readable() if isinstance(b.element, IndexType)]
        chosen = self.scope.load(self.draw.one_of(buffers)) if buffers else None
        value = chosen or self.scope.scalars.of_type(IndexType())
        self.scope.affine.enter(value, (None, None))
        self._scalar()

    def _statement(self, depth: int) -> None:
        draw = self.draw
        choices = [self._scalar, self._scalar, self._update, self._update]
        if depth < 3:
            choices += [lambda: self._loop(depth), lambda: self._loop(depth), lambda: self._conditional(depth)]
            choices += [lambda: self._private(depth)]
        draw.one_of(choices)()

    def _body(self, depth: int) -> None:
        for _ in range(self.draw.one_of((1, 1, 2, 2, 3))):
            self._statement(depth)

    def _loop(self, depth: int = 0) -> None:
        draw, scope = self.draw, self.scope
        lowers, uppers = self._bounds()
        kinds = [loop.SERIAL] * 4 + [loop.VECTORIZED, loop.VECTORIZED]
        probe = loop.ForOp(lowers, uppers)
        if probe.constant_trip_count is not None:
            kinds += [loop.UNROLLED, loop.UNROLLED]
        probe.drop_all_references()
        carried: list[SSAValue] = []
        if draw.chance(0.25):
            carried = [scope.scalars.operand(draw.favoured(ELEMENTS)) for _ in range(draw.between(1, 2))]
        op = loop.ForOp(lowers, uppers, kind=draw.one_of(kinds), iter_args=carried, name_hint=draw.name("i"))
        if draw.chance(0.08):
            op.attributes[f"pragma.{AUTO_UNROLL}"] = IntegerAttr(draw.one_of((4, 16, 64)), 64)
            op.attributes[f"pragma.{UNROLL_EXPLICIT}"] = IntegerAttr(draw.between(0, 1), 1)
        with scope.inside(op.body.block):
            scope.scalars.values += op.body.block.args[1:]
            scope.enter(op, lowers, uppers)
            self._body(depth + 1)
            if carried:
                last = [scope.scalars.conclude(v.type) for v in carried]
                op.body.block.add_op(loop.YieldOp(*last))
        scope.add(op)
        if carried:
            scope.scalars.values += op.res
            scope.store()

    def _bounds(self) -> tuple[list[Index], list[Index]]:
        draw, variables = self.draw, self.scope.affine.variables
        extent = draw.extent()
        if self.scope.sizes and draw.chance(0.3):
            size = draw.one_of(self.scope.sizes)
            return [Index.of(0)], [size] if draw.chance(0.6) else [size, Index.of(extent)]
        if variables and draw.chance(0.3):
            outer = Index.of(draw.one_of(variables))
            first = outer * draw.one_of((1, extent))
            uppers = [first + extent]
            if draw.chance(0.4):
                uppers.append(Index.of(draw.between(3, 20)))
            return [first], uppers
        if variables and draw.chance(0.15):
            outer = Index.of(draw.one_of(variables))
            return [Index.of(0), outer - 2], [Index.of(extent + 2), outer + 2]
        lower = draw.one_of((0, 0, 0, 0, 1))
        return [Index.of(lower)], [Index.of(lower + extent)]

    def _parallel(self) -> None:
        """Add a loop whose iterations keep to elements of their own."""
        draw, scope = self.draw, self.scope
        mine = draw.some_of([b for b in scope.writable() if b.root is None and b.shape], least=0)
        kind = draw.one_of((loop.PARALLEL, loop.PARALLEL, _kind("vthread"), _kind("thread", "threadIdx.x")))
        upper = Index.of(draw.extent())
        if kind == loop.PARALLEL and scope.sizes and draw.chance(0.3):
            upper = draw.one_of(scope.sizes)
        op = loop.ForOp(0, upper, kind=kind, name_hint=draw.name("p"))
        variable = Index.of(op.induction_variable)
        owned = {b.value: {draw.between(0, len(b.shape) - 1): variable} for b in mine}
        with scope.owning(owned), scope.inside(op.body.block):
            scope.enter(op, [Index.of(0)], [upper])
            self._body(1)
        scope.add(op)

    def _private(self, depth: int) -> None:
        """Add a buffer that lives for one iteration."""
        scope = self.draw.one_of((None, None, "local"))
        shape = tuple(Index.of(self.draw.extent()) for _ in range(self.draw.between(1, 2)))
        self.scope.allocate(self.draw.favoured(SIZED_ELEMENTS), shape, scope)
        self._body(depth + 1)

    def _conditional(self, depth: int = 0) -> None:
        scope = self.scope
        otherwise = Region(Block()) if self.draw.chance(0.4) else None
        op = loop.IfOp(scope.affine.conditions(sizes=scope.sizes), Region(Block()), otherwise)
        with scope.inside(op.then_body.block):
            self._body(depth + 1)
        if otherwise is not None:
            with scope.inside(op.else_body.block):
                self._body(depth + 1)
        scope.add(op)

    def _foreign(self) -> None:
        """Add foreign code that turns the signs of a row."""
        known = [b for b in self.scope.buffers if b.is_static and b.element in (f32, f64)]
        targets = [b for b in known if b in self.scope.writable()]
        pairs = [(x, y) for x in known for y in targets if x.element == y.element and x.storage is not y.storage]
        if not pairs or not self.foreign:
            return
        x, y = self.draw.one_of(pairs)
        count = min(x.shape[-1].constant, y.shape[-1].constant)
        arguments: list[loop.Argument] = []
        for mode, buffer in (("write", y), ("read", x)):
            rank = len(buffer.shape)
            box = loop.box_of([1] * (rank - 1) + [count])
            arguments.append(loop.AccessArgument(mode, buffer.value, (Index.of(0),) * rank, box))
        self.scope.add(loop.CallExternOp(FOREIGN, arguments))

    def _call(self) -> None:
        """Add a call of a kernel with buffers of its arguments' types."""
        if not self.kernels:
            return
        name = self.draw.one_of(list(self.kernels))
        given: list[SSAValue] = []
        written: set[SSAValue] = set()
        for type_, role in self.kernels[name]:
            assert isinstance(type_, MemRefType)
            known = [b for b in self.scope.buffers if b.type == type_ and b.storage not in written]
            if role != INPUT:
                known = [b for b in known if not b.is_leaf and b.value not in given and b.root is None]
            shape = tuple(map(Index.of, type_.get_shape()))
            buffer = self.draw.one_of(known) if known else self._plain(type_.element_type, shape)
            given.append(buffer.value)
            if role != INPUT:
                written.add(buffer.storage)
        storages = [next(b.storage for b in self.scope.buffers if b.value is v) for v in given]
        if len(set(storages)) == len(storages):
            self.scope.add(CallOp(name, given, []))

    def _plain(self, element: Attribute, shape: tuple[Index, ...]) -> Buffer:
        if isinstance(element, IndexType):
            op = loop.AllocOp(self.scope.type_of(element, shape), name_hint=self.draw.name("t"))
            self.scope.add(op)
            buffer = Buffer(op.res, shape)
            self.scope.fill(buffer)
            self.scope.buffers.append(buffer)
            return buffer
        return self.scope.allocate(element, shape)


def loop_module(draw: Draw, *, smooth: bool, blocks: bool, foreign: bool = True, while_loops: bool = True) -> ModuleOp:
    """Return a module of one function or of several, the last of which calls the others."""
    functions: list[Operation] = []
    main = LoopFunction(draw, smooth=smooth, blocks=blocks, foreign=foreign, while_loops=while_loops)
    for position in range(draw.one_of((0, 0, 0, 1, 1))):
        kernel = LoopFunction(draw, smooth=smooth, blocks=blocks, foreign=foreign, while_loops=while_loops)
        name = f"kernel{position}"
        functions.append(kernel.write(name, symbolic=False, length=draw.between(1, 2), private=True))
        main.kernels[name] = [(a.type, r) for a, r in zip(kernel.block.args, kernel.roles, strict=True)]
    functions.append(main.write("main", symbolic=draw.chance(0.4), length=draw.between(1, 4)))
    return ModuleOp(functions)


def _kind(kind: str, tag: str = "") -> loop.LoopKindAttr:
    return loop.LoopKindAttr.of(kind, tag)


def _strides(shape: Sequence[Index]) -> list[Index] | None:
    """Return row-major strides where they are index expressions."""
    strides = [Index.of(1)]
    for extent in reversed(shape[1:]):
        last = strides[0]
        if last.is_constant:
            strides.insert(0, extent * last.constant)
        elif extent.is_constant:
            strides.insert(0, last * extent.constant)
        else:
            return None
    return strides
