"""The sizes of tensors while te functions become loops: equal sizes, and the expressions that compute sizes.

A size is an `Index` over values at the function's entry. Dimensions with the same name are one value. A name that is an
expression, such as the number of flattened rows, is computed from the names in it. The size of a call's result is the
callee's size over the arguments of the call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from math import prod
from typing import TypeAlias

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from ....diagnostics import fail
from ....diagnostics.locations import name_of
from ....dialects import loop, te
from ....dialects.graph.sizes import Dim, Extreme, Quotient, Size, is_computed, size_of
from ....dialects.graph.types import shape_of
from ....dialects.index_expr import Index
from ....dialects.names import NAME_ATTRIBUTE, value_name
from ....ir import editor as edit

Shape: TypeAlias = "tuple[Index, ...]"
Emit: TypeAlias = "Callable[[Operation], SSAValue]"


@dataclass(frozen=True)
class ResultSizes:
    """The sizes of a function's results as expressions of `te.dim` values, and the argument and dimension of each such
    value."""

    sizes: tuple[Shape | None, ...]
    origins: dict[SSAValue, tuple[int, int]]

    @staticmethod
    def of(function: func.FuncOp) -> ResultSizes:
        """Return the sizes of a function's results: those of results of computes, None for the others."""
        origins: dict[SSAValue, tuple[int, int]] = {
            op.res: (op.tensor.index, op.dimension.value.data)
            for op in function.body.block.ops
            if isinstance(op, te.DimOp) and isinstance(op.tensor, BlockArgument)
        }
        last = function.body.block.last_op
        owners = [v.owner for v in last.operands] if last is not None else []
        return ResultSizes(tuple(_compute_sizes(owner, origins) for owner in owners), origins)


def _compute_sizes(owner: object, origins: dict[SSAValue, tuple[int, int]]) -> Shape | None:
    if not isinstance(owner, te.ComputeOp):
        return None
    sizes = owner.spatial_extents
    return sizes if all(v in origins for size in sizes for v in size.values()) else None


def _dim(buffer: SSAValue, dimension: int, name: str) -> loop.DimOp:
    """Read an extent. A name that no SSA value can have is kept beside it: users know the size by it."""
    op = loop.DimOp(buffer, dimension, name_hint=value_name(name))
    if op.res.name_hint != name:
        edit.change(op).attributes[NAME_ATTRIBUTE] = StringAttr(name)
    return op


@dataclass
class SizeTable:
    """The shapes of a function's tensors, filled in program order. `emit` inserts at the function's entry."""

    emit: Emit
    shapes: dict[SSAValue, Shape] = field(default_factory=dict)
    named: dict[str, Index] = field(default_factory=dict)

    def add_arguments(self, arguments: Iterable[tuple[SSAValue, SSAValue]]) -> None:
        """Read the dynamic dimensions of arguments off their buffers; an equal name is an equal size.

        Names that are expressions of others come last, so that these are known.
        """
        pairs = list(arguments)
        for comes_last in (False, True):
            for argument, buffer in pairs:
                for d, size in enumerate(shape_of(argument)):
                    if isinstance(size, str) and is_computed(size) == comes_last and self._size_of(size) is None:
                        self.named[size] = Index.of(self.emit(_dim(buffer, d, size)))
        for argument, buffer in pairs:
            self.shapes[argument] = tuple(self._size_of_argument(argument, buffer, d) for d in _dimensions(argument))

    def _size_of_argument(self, argument: SSAValue, buffer: SSAValue, d: int) -> Index:
        size = shape_of(argument)[d]
        known = self._size_of(size)
        if known is not None:
            return known
        return Index.of(self.emit(_dim(buffer, d, f"{argument.name_hint or 'arg'}_dim{d}")))

    def _size_of(self, size: Dim) -> Index | None:
        """Return a size that is a number, a name that an argument has, or an expression of such; None for any other."""
        if isinstance(size, int):
            return Index.of(size)
        if size is None or size in self.named:
            return None if size is None else self.named[size]
        expression = size_of(size)
        if not is_computed(size) or not all(name in self.named for name in expression.names):
            return None
        self.named[size] = self._computed(expression)
        return self.named[size]

    def _computed(self, size: Size) -> Index:
        """Return the sum of the products that an expression of known names is."""
        total = Index.of(0)
        for monomial, coefficient in size.terms:
            factors = [Index.of(coefficient)]
            for atom in monomial:
                match atom:
                    case Quotient():
                        factors.append(self._computed(atom.numerator) // atom.divisor)
                    case Extreme():
                        sides = [_value(self._computed(side), self.emit) for side in (atom.left, atom.right)]
                        choice = arith.MaxSIOp if atom.kind == "max" else arith.MinSIOp
                        factors.append(Index.of(self.emit(choice(sides[0], sides[1]))))
                    case _:
                        factors.append(self.named[atom])
            total += product_of(factors, self.emit)
        return total

    def shape_of_call(self, call: func.CallOp, result: int, callee: ResultSizes | None) -> Shape:
        sizes = callee.sizes[result] if callee is not None else None
        if callee is None or sizes is None:
            return self.shape_of_type(call.results[result].type, call)
        mapping = {value: self.shapes[call.arguments[a]][d] for value, (a, d) in callee.origins.items()}
        return tuple(size.substitute(mapping) for size in sizes)

    def shape_of_type(self, type: Attribute, op: Operation) -> Shape:
        """Return the sizes that a type states: numbers, and names that arguments give. Raises TW0501 for any other."""
        return tuple(self._known(size, f"dimension {d}", op) for d, size in enumerate(shape_of(type)))

    def size_of(self, size: Dim, op: Operation) -> Index:
        """Return a number of iterations: a number, or a name that an argument gives. Raises TW0501 for any other."""
        return self._known(size, "the number of iterations", op)

    def _known(self, size: Dim, subject: str, op: Operation) -> Index:
        known = self._size_of(size)
        if known is None:
            what = "without a name" if size is None else f"named {size!r}, which no argument has"
            fail(
                "TW0501",
                f"expected to know the sizes of {name_of(op.results[0])} at entry, but {subject} is one {what}",
                op=op,
                help="name the dynamic sizes of the inputs that it follows from",
            )
        return known

    def shape_of_reshape(self, op: te.ReshapeOp) -> Shape:
        """Return the sizes of a tensor's elements in another shape: one size that has no name holds those that are
        left.

        Raises TW0501 where more are unknown, or where the others do not divide the number of elements.
        """
        sizes = [self._size_of(size) for size in shape_of(op.res.type)]
        left = [size for size in self.shapes[op.tensor] if size != Index.of(1)]
        if sizes.count(None) == 1:
            taken = 1
            for size in (size for size in sizes if size is not None):
                if size in left:
                    left.remove(size)
                else:
                    taken *= size.constant if size.is_constant else 0
            number = prod(size.constant for size in left if size.is_constant)
            if taken and number % taken == 0:
                others = [size for size in left if not size.is_constant]
                sizes[sizes.index(None)] = product_of([Index.of(number // taken), *others], self.emit)
        return tuple(sizes) if None not in sizes else self.shape_of_type(op.res.type, op)  # pyright: ignore


def _dimensions(value: SSAValue) -> range:
    return range(len(shape_of(value)))


def row_major_strides(shape: Sequence[Index], emit: Emit) -> Shape:
    """Return the strides, in elements, of a contiguous buffer."""
    strides = [Index.of(1)]
    for size in reversed(shape[1:]):
        strides.append(_product(strides[-1], size, emit))
    return tuple(reversed(strides)) if shape else ()


def product_of(sizes: Sequence[Index], emit: Emit) -> Index:
    """Return the product of sizes; an operation computes that of two that are known at entry only."""
    return reduce(lambda a, b: _product(a, b, emit), sizes)


def _product(a: Index, b: Index, emit: Emit) -> Index:
    if a.is_constant:
        return b * a.constant
    if b.is_constant:
        return a * b.constant
    return Index.of(emit(arith.MuliOp(_value(a, emit), _value(b, emit))))


def _value(index: Index, emit: Emit) -> SSAValue:
    return emit(loop.ApplyOp(index))
