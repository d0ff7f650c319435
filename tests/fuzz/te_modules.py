"""Random modules of tensor expressions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tilewright.dialects import loop, te
from tilewright.dialects.combiner import Identity
from tilewright.dialects.constant_data import constant_attr
from tilewright.dialects.dtypes import is_float, numpy_dtype
from tilewright.dialects.graph import make_type
from tilewright.dialects.graph.control_flow import repeat_body
from tilewright.dialects.index_expr import Index
from tilewright.dialects.te import extern_body, scan_body
from tilewright.semantics.drawn_inputs import random_array
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    FloatAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    f32,
    f64,
    i1,
)
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from .affine import Affine, Shape
from .draw import Draw
from .foreign import FOREIGN
from .scalars import FLOATS, INTEGERS, SIZED_ELEMENTS, UNSIGNED, Scalars

COMBINED = (*FLOATS, *INTEGERS)
NAMES = ("n", "m")


@dataclass(frozen=True)
class Tensor:
    """A tensor in scope and its extents; a leaf holds what no rounding made."""

    value: SSAValue
    shape: Shape
    is_leaf: bool

    @property
    def element(self) -> Attribute:
        assert isinstance(self.value.type, TensorType)
        return self.value.type.element_type


class TeFunction:
    """Writes one function on tensors."""

    def __init__(self, draw: Draw, *, smooth: bool, foreign: bool = True) -> None:
        self.draw = draw
        self.smooth = smooth
        self.foreign = foreign
        self.block = Block()
        self.tensors: list[Tensor] = []
        self.sizes: list[Index] = []
        self.kernels: dict[str, tuple[FuncOp, Sequence[Tensor], Sequence[Tensor]]] = {}

    def write(self, name: str, *, symbolic: bool, length: int) -> FuncOp:
        self._arguments(symbolic)
        steps = (
            *[self._compute] * 8, self._reduction, self._reduction, self._reduction, self._scan, self._extern,
            self._reshape, self._constant, self._call, self._call, self._region,
        )  # fmt: skip
        for _ in range(length):
            self.draw.one_of(steps)()
        return self._finish(name)

    def add(self, op: Operation) -> SSAValue:
        self.block.add_op(op)
        return op.results[0]

    # The function

    def _arguments(self, symbolic: bool) -> None:
        draw = self.draw
        names = dict.fromkeys(NAMES[: draw.between(1, 2)]) if symbolic else {}
        for position in range(draw.between(1, 3)):
            element = draw.favoured(SIZED_ELEMENTS)
            dims = [draw.extent() for _ in range(draw.one_of((0, 1, 1, 2, 2, 3)))]
            named = [
                draw.one_of(list(names)) if names and (draw.chance(0.4) or (position == 0 and d == 0)) else n
                for d, n in enumerate(dims or ([1] if names and position == 0 else []))
            ]
            value = self.block.insert_arg(make_type(named, element), len(self.block.args))
            value.name_hint = draw.name("a")
            self._size_argument(value, named, names)
        if names and draw.chance(0.4):
            self._bound_argument()

    def _size_argument(self, value: SSAValue, named: Sequence[int | str], names: dict[str, Index | None]) -> None:
        shape: list[Index] = []
        for dimension, size in enumerate(named):
            if isinstance(size, int):
                shape.append(Index.of(size))
                continue
            known = names[size]
            if known is None:
                known = Index.of(self.add(te.DimOp(value, dimension, name_hint=size)))
                names[size] = known
                self.sizes.append(known)
            shape.append(known)
        self.tensors.append(Tensor(value, tuple(shape), True))

    def _bound_argument(self) -> None:
        """Add an argument whose size is computed from those of others."""
        if not self.sizes:
            return
        size = self.draw.one_of(self.sizes) * self.draw.one_of((1, 2)) + self.draw.between(0, 2)
        type_ = TensorType(self.draw.one_of(FLOATS), [DYNAMIC_INDEX, 2])
        value = self.block.insert_arg(type_, len(self.block.args))
        value.name_hint = self.draw.name("a")
        self.block.add_op(te.BindOp(value, [size, Index.of(2)]))
        self.tensors.append(Tensor(value, (size, Index.of(2)), True))

    def _finish(self, name: str) -> FuncOp:
        made = [t for t in self.tensors if isinstance(t.value, SSAValue) and t.value.owner is not self.block]
        if not made:
            self._compute()
            made = self.tensors[-1:]
        results = [made[-1], *self.draw.some_of(made[:-1])[:2]]
        if self.draw.chance(0.05):
            results.append(self.draw.one_of(self.tensors))
        self.block.add_op(ReturnOp(*[t.value for t in results]))
        types = ([a.type for a in self.block.args], [t.value.type for t in results])
        function = FuncOp(name, types, Region(self.block))
        self.results = results
        return function

    # Computes

    def _shape(self, least: int = 0) -> Shape:
        """Return the shape of a tensor to be, often that of one that is there."""
        draw = self.draw
        shapes = [t.shape for t in self.tensors if len(t.shape) >= least]
        if shapes and draw.chance(0.5):
            return draw.one_of(shapes)
        extents = [Index.of(draw.extent()) for _ in range(draw.one_of((least, 1, 1, 2, 2, 3)))]
        while len(extents) < least:
            extents.append(Index.of(draw.extent()))
        if self.sizes and extents and draw.chance(0.4):
            size = draw.one_of(self.sizes)
            extents[draw.between(0, len(extents) - 1)] = size + draw.one_of((0, 0, 0, 1, 2))
        return tuple(extents)

    def _result_type(self, element: Attribute, shape: Shape) -> TensorType:
        return TensorType(element, [e.constant if e.is_constant else DYNAMIC_INDEX for e in shape])

    def _body(self, block: Block, shape: Shape) -> tuple[Scalars, Affine]:
        scalars, affine = Scalars(self.draw, smooth=self.smooth), Affine(self.draw)
        scalars.block = block
        for size in self.sizes:
            affine.size(size.values()[0])
        for axis, extent in zip(block.args, shape, strict=True):
            high = extent.constant - 1 if extent.is_constant else None
            axis.name_hint = self.draw.name("i")
            affine.enter(axis, (0, high), None if extent.is_constant else extent)
        return scalars, affine

    def _read(self, scalars: Scalars, affine: Affine, tensor: Tensor) -> None:
        indices, guard = affine.inside(tensor.shape)
        if self.draw.chance(0.1):
            guard += affine.conditions(sizes=self.sizes)
        if not guard:
            scalars.emit(te.ReadOp(tensor.value, indices), leaf=tensor.is_leaf)
        else:
            otherwise = scalars.operand(tensor.element)
            leaf = tensor.is_leaf and otherwise in scalars.leaves
            scalars.emit(te.ReadOp(tensor.value, indices, guard, otherwise), leaf=leaf)
        if tensor.element in UNSIGNED:
            width = next(t for t in INTEGERS if t.width.data == tensor.element.width.data)  # pyright: ignore
            scalars.derive(arith.BitcastOp(scalars.values[-1], width))

    def _fill(self, scalars: Scalars, affine: Affine) -> None:
        """Add reads, index values, tests and operations."""
        draw = self.draw
        for _ in range(draw.between(1, 3)):
            if self.tensors:
                self._read(scalars, affine, draw.one_of(self.tensors[-4:] if draw.chance(0.7) else self.tensors))
        if draw.chance(0.3):
            scalars.emit(te.ApplyOp(affine.expression(sizes=self.sizes)), leaf=True)
        if draw.chance(0.3):
            scalars.emit(te.TestOp(affine.conditions(sizes=self.sizes)), leaf=True)
        scalars.grow(draw.between(0, 4))

    def _compute(self) -> None:
        shape = self._shape()
        op = te.ComputeOp(self.draw.name("c"), shape, [], [])
        scalars, affine = self._body(op.body.block, shape)
        self._fill(scalars, affine)
        count = self.draw.one_of((1, 1, 1, 1, 2))
        values = [self._yielded(scalars) for _ in range(count)]
        self._close(op, shape, values, te.YieldOp(values), scalars)

    def _yielded(self, scalars: Scalars) -> SSAValue:
        return scalars.conclude(self.draw.favoured(SIZED_ELEMENTS))

    def _close(
        self, op: te.ComputeOp, shape: Shape, values: Sequence[SSAValue], end: Operation, scalars: Scalars
    ) -> te.ComputeOp:
        """Add the compute with its results' types."""
        op.body.block.add_op(end)
        types = [self._result_type(v.type, shape) for v in values]
        extents = op.index_list("extents")
        region = op.detach_region(op.body)
        made = te.ComputeOp(op.label, extents[: len(shape)], extents[len(shape) :], types, region)
        op.drop_all_references()
        self.block.add_op(made)
        for result, value in zip(made.res, values, strict=True):
            result.name_hint = op.label
            self.tensors.append(Tensor(result, shape, value in scalars.leaves and isinstance(end, te.YieldOp)))
        return made

    def _reduction(self) -> None:
        draw = self.draw
        shape = self._shape()
        reduced = tuple(Index.of(draw.extent()) for _ in range(draw.one_of((1, 1, 2))))
        if self.sizes and draw.chance(0.4):
            reduced = (draw.one_of(self.sizes), *reduced[1:])
        op = te.ComputeOp(draw.name("r"), shape, reduced, [])
        scalars, affine = self._body(op.body.block, (*shape, *reduced))
        starts: list[SSAValue] = []
        if draw.chance(0.25):
            affine.leave(len(shape))
            self._fill(scalars, affine)
            starts = [v for v in scalars.values if v.type in COMBINED][-1:]
            for axis, extent in zip(op.body.block.args[len(shape) :], reduced, strict=True):
                affine.variables.append(axis)
                if not extent.is_constant:
                    affine.limits[axis] = extent
        self._fill(scalars, affine)
        if draw.chance(0.3):
            values, end = self._tuple_combiner(scalars)
            starts = []
        else:
            element = starts[0].type if starts else self.draw.favoured(COMBINED)
            kinds = ("add", "max", "min") if self.smooth and is_float(element) else te.COMBINERS
            values = [scalars.conclude(element)]
            end = te.ReduceOp(draw.one_of(kinds), values, starts)
        self._close(op, shape, values, end, scalars)

    def _tuple_combiner(self, scalars: Scalars) -> tuple[list[SSAValue], te.ReduceOp]:
        """Return the index and the value of an extreme, or sums side by side."""
        draw = self.draw
        if draw.chance(0.5):
            index, value = scalars.operand(INTEGERS[2]), scalars.careful(draw.one_of((f32, f64)))
            values = [index, value]
            region = _extreme(index.type, value.type)
            lowest: list[Identity] = [IntegerAttr(2**31 - 1, INTEGERS[2]), FloatAttr(float("-inf"), value.type)]
            return values, te.ReduceOp((ArrayAttr(lowest), region), values)
        types = [draw.one_of(INTEGERS) for _ in range(draw.between(1, 2))]
        values = [scalars.conclude(t) for t in types]
        zeros = ArrayAttr([IntegerAttr(0, t) for t in types])
        return values, te.ReduceOp((zeros, sums(types, "te")), values)

    # What is not a compute

    def _constant(self) -> None:
        draw = self.draw
        shape = [draw.one_of((1, 2, 3, 4)) for _ in range(draw.between(0, 2))]
        op = constant_of(draw, draw.one_of(SIZED_ELEMENTS), shape, te.ConstantOp)
        self.tensors.append(Tensor(self.add(op), tuple(map(Index.of, shape)), True))

    def _reshape(self) -> None:
        static = [t for t in self.tensors if all(e.is_constant for e in t.shape)]
        if not static:
            return
        tensor = self.draw.one_of(static)
        shape = reshaped(self.draw, [e.constant for e in tensor.shape])
        op = te.ReshapeOp(tensor.value, TensorType(tensor.element, shape))
        self.tensors.append(Tensor(self.add(op), tuple(map(Index.of, shape)), tensor.is_leaf))

    def _scan(self) -> None:
        """Add a recurrence over the first axis; each step reads the previous one."""
        draw = self.draw
        first = draw.between(1, 2)
        steps = Index.of(first + draw.between(0, 3))
        if self.sizes and draw.chance(0.4):
            steps = draw.one_of(self.sizes) + first
        rest = tuple(Index.of(draw.extent()) for _ in range(draw.between(0, 2)))
        element = draw.favoured((*FLOATS, *INTEGERS))
        init_shape = (Index.of(first), *rest)
        init = self._plain(init_shape, element)
        type_ = self._result_type(element, (steps, *rest))
        label = draw.name("s")
        body = scan_body([type_], [draw.name("state")])
        shape = (steps, *rest)
        compute = te.ComputeOp(draw.name("u"), shape, [], [type_])
        scalars, affine = self._body(compute.body.block, shape)
        step = compute.body.block.args[0]
        back = {0: Index.of(step) - draw.between(1, first)}
        indices, guard = affine.inside(shape, fixed=back)
        guard = [e for e in guard if e != back[0]]
        otherwise = [scalars.operand(element)] if guard else []
        scalars.emit(te.ReadOp(body.args[0], indices, guard, *otherwise))
        before = scalars.values[-1]
        self._fill(scalars, affine)
        value = scalars.conclude(element)
        mixed = arith.AddfOp(before, value) if is_float(element) else arith.AddiOp(before, value)
        compute.body.block.add_ops([mixed, te.YieldOp([mixed.results[0]])])
        body.add_ops([compute, te.YieldOp([compute.res[0]])])
        op = te.ScanOp(label, [init.value], [type_], Region(body))
        self.tensors.append(Tensor(self.add(op), shape, False))

    def _plain(self, shape: Shape, element: Attribute) -> Tensor:
        """Return a tensor of that shape that one compute makes."""
        op = te.ComputeOp(self.draw.name("p"), shape, [], [])
        scalars, affine = self._body(op.body.block, shape)
        self._fill(scalars, affine)
        value = scalars.conclude(element)
        self._close(op, shape, [value], te.YieldOp([value]), scalars)
        return self.tensors[-1]

    def _extern(self) -> None:
        """Add a statement on buffers: a loop, or foreign code."""
        floats = [t for t in self.tensors if len(t.shape) == 1 and t.shape[0].is_constant and t.element in (f32, f64)]
        if not floats:
            return
        tensor = self.draw.one_of(floats)
        type_ = tensor.value.type
        block = extern_body([type_, type_], ["x", "y"])
        x, y = block.args
        extent = tensor.shape[0].constant
        if self.foreign and self.draw.chance(0.5):
            box = loop.box_of([extent])
            zero = (Index.of(0),)
            arguments = [loop.AccessArgument("write", y, zero, box), loop.AccessArgument("read", x, zero, box)]
            block.add_op(loop.CallExternOp(FOREIGN, arguments))
        else:
            nest = loop.ForOp(0, extent, name_hint="e")
            variable = nest.induction_variable
            read = loop.LoadOp(x, [extent - 1 - Index.of(variable)])
            store = loop.StoreOp(read.res, y, [variable])
            nest.body.block.add_ops([read, store])
            block.add_op(nest)
        op = te.ExternOp(self.draw.name("x"), [tensor.value], [tensor.shape], [type_], Region(block))
        self.tensors.append(Tensor(self.add(op), tensor.shape, tensor.is_leaf))

    def _region(self) -> None:
        """Add a branch, or a loop that carries a tensor; their bodies are computes."""
        draw = self.draw
        shape, element = tuple(Index.of(draw.extent()) for _ in range(draw.between(0, 2))), draw.favoured(FLOATS)
        type_ = self._result_type(element, shape)
        if draw.chance(0.5):
            condition = self._plain((), i1).value
            regions = [Region(self._passing(Block(), shape, element)) for _ in range(2)]
            op: te.IfOp | te.LoopOp = te.IfOp(condition, [type_], *regions)
        else:
            init = self._plain(shape, element).value
            body = repeat_body([init], [])
            region = Region(self._passing(body, shape, element, Tensor(body.args[1], shape, False)))
            op = te.LoopOp([init], [], [type_], region, trips=draw.between(0, 3))
        self.tensors.append(Tensor(self.add(op), shape, False))

    def _passing(self, block: Block, shape: Shape, element: Attribute, *carried: Tensor) -> Block:
        """Fill a region with a compute that it passes on."""
        outer, tensors, self.block = self.block, len(self.tensors), block
        self.tensors += carried
        value = self._plain(shape, element).value
        self.block, self.tensors = outer, self.tensors[:tensors]
        block.add_op(te.YieldOp([value]))
        return block

    def _call(self) -> None:
        """Add a call of each of some kernels, with tensors that are there."""
        for name in self.draw.some_of(list(self.kernels)):
            function, arguments, results = self.kernels[name]
            given: list[Tensor] = []
            for argument in arguments:
                same = [t for t in self.tensors if t.element == argument.element and t.shape == argument.shape]
                given.append(self.draw.one_of(same) if same else self._plain(argument.shape, argument.element))
            types = list(function.function_type.outputs)
            op = CallOp(name, [t.value for t in given], types)
            self.block.add_op(op)
            self.tensors += [Tensor(v, r.shape, False) for v, r in zip(op.res, results, strict=True)]


def te_module(draw: Draw, *, smooth: bool, foreign: bool = True) -> ModuleOp:
    """Return a module of one function or, where it is static, of several of which the last calls the others."""
    functions: list[Operation] = []
    main = TeFunction(draw, smooth=smooth, foreign=foreign)
    for position in range(draw.one_of((0, 0, 0, 1, 2))):
        kernel = TeFunction(draw, smooth=smooth, foreign=foreign)
        function = kernel.write(f"kernel{position}", symbolic=False, length=draw.between(1, 3))
        function.sym_visibility = StringAttr("private")
        arguments = [t for t in kernel.tensors if t.value.owner is kernel.block]
        main.kernels[function.sym_name.data] = (function, arguments, kernel.results)
        functions.append(function)
    functions.append(main.write("main", symbolic=draw.chance(0.4), length=draw.between(1, 6)))
    return ModuleOp(functions)


def constant_of(draw: Draw, element: Attribute, shape: Sequence[int], op: type) -> Operation:
    """Return a constant op of random data."""
    import numpy as np

    rng = np.random.default_rng(draw.between(0, 2**31))
    name = draw.name("w")
    array = random_array(rng, tuple(shape), numpy_dtype(element))
    return op(constant_attr(array, name), TensorType(element, list(shape)))


def reshaped(draw: Draw, shape: Sequence[int]) -> list[int]:
    """Return another shape of as many elements."""
    count = 1
    for size in shape:
        count *= size
    divisors = [d for d in range(1, count + 1) if count % d == 0] or [1]
    first = draw.one_of(divisors)
    choices = ([count], [first, count // first], [1, count], [*shape, 1], [1, *shape])
    return draw.one_of(choices)


def sums(types: Sequence[Attribute], dialect: str) -> Region:
    """Return a combiner that adds integers side by side."""
    block = Block(arg_types=[*types, *types])
    added = [arith.AddiOp(a, b) for a, b in zip(block.args, block.args[len(types) :], strict=False)]
    block.add_ops(added)
    results = [op.result for op in added]
    block.add_op(te.YieldOp(results) if dialect == "te" else loop.YieldOp(*results))
    return Region(block)


def _extreme(index: Attribute, value: Attribute) -> Region:
    """Return a combiner that keeps the greater value, of equals the one whose index is least; a NaN loses."""
    block = Block(arg_types=[index, value, index, value])
    xi, xv, yi, yv = block.args
    greater, equal = arith.CmpfOp(xv, yv, "ogt"), arith.CmpfOp(xv, yv, "oeq")
    unordered, before = arith.CmpfOp(yv, yv, "uno"), arith.CmpiOp(xi, yi, "sle")
    first = arith.AndIOp(equal.result, before.result)
    better = arith.OrIOp(arith.OrIOp(greater.result, first.result).result, unordered.result)
    inner = better.lhs.owner
    chosen = [arith.SelectOp(better.result, xi, yi), arith.SelectOp(better.result, xv, yv)]
    block.add_ops([greater, equal, unordered, before, first, inner, better, *chosen])  # pyright: ignore
    block.add_op(te.YieldOp([op.result for op in chosen]))
    return Region(block)
