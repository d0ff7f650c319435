"""Sizes of a te function as index expressions over parameters: extents of its arguments, and those of its results.

The parameters are those of the function that `lower-te` produces, in which results are arguments after the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, SSAValue

from ...dialects import te
from ...dialects.graph.sizes import Dim, Quotient, Size, is_computed, size_of
from ...dialects.graph.types import shape_of
from ...dialects.index_expr import Atom, Index, Range, Symbol
from ..integer_set import System
from .sizes import Sizes, computed, solved


class TeSizes(Sizes):
    """Index values of a te function, where they are affine in parameters and axes.

    Dimensions of one name are one size; a name that is an expression of others is the size that it computes.
    """

    def __init__(self, function: FuncOp, fixed: Mapping[Symbol, int]) -> None:
        self.parameters = []
        self.known: dict[SSAValue, Index] = {}
        self.shapes: dict[SSAValue, tuple[Index, ...]] = {}
        self.results: list[tuple[Index, ...]] = []
        """The extents of each result, as parameters."""
        self.ranges: dict[Atom, Range] = {}
        self.digits = []
        self._equal: dict[Symbol, Index] = {}
        self._passed = {}
        self._named: dict[str, Index] = {}
        arguments = function.body.block.args
        for position, argument in enumerate(arguments):
            if isinstance(argument.type, TensorType):
                extents = enumerate(argument.type.get_shape())
                self.shapes[argument] = tuple(self._extent(position, d, n) for d, n in extents)
            elif isinstance(argument.type, IndexType):
                self.known[argument] = self._parameter(position, None)
        equations = [Index.of(symbol) - value for symbol, value in fixed.items()]
        equations += self._names_of_arguments(function)
        equations += self._extents_of_results(function)
        self._equal = solved(equations)
        all_extents = [e for shape in (*self.shapes.values(), *self.results) for e in shape if not e.is_constant]
        self.shapes = {v: tuple(map(self._canonical, shape)) for v, shape in self.shapes.items()}
        self.results = [tuple(map(self._canonical, shape)) for shape in self.results]
        self.known = {v: self._canonical(e) for v, e in self.known.items()}
        self._named = {name: self._canonical(e) for name, e in self._named.items()}
        nonnegative = dict.fromkeys((*all_extents, *map(self._canonical, all_extents)))
        self.context = System(tuple(e for e in nonnegative if not e.is_constant or e.constant < 0), tuple(equations))

    def _names_of_arguments(self, function: FuncOp) -> list[Index]:
        """Return the equations that names and `te.bind` state for the extents of arguments."""
        found: list[Index] = []
        named = [
            (name, self.shapes[argument][d])
            for argument in function.body.block.args
            if isinstance(argument.type, TensorType)
            for d, name in enumerate(shape_of(argument))
            if isinstance(name, str)
        ]
        for name, extent in named:
            if not is_computed(name) and self._named.setdefault(name, extent) != extent:
                found.append(self._named[name] - extent)
        for name, extent in named:
            if is_computed(name):
                size = self._size_of(name)
                found += [] if size is None or size == extent else [size - extent]
                self._named.setdefault(name, extent if size is None else size)
        for op in function.body.block.ops:
            if isinstance(op, te.BindOp) and op.tensor in self.shapes:
                stated = zip(self.shapes[op.tensor], map(self.index_or_none, op.sizes), strict=True)
                found += [want - have for have, want in stated if want is not None and want != have]
        return found

    def _extents_of_results(self, function: FuncOp) -> list[Index]:
        """Create the parameters of results, equal to the expressions of the results' sizes."""
        found: list[Index] = []
        last = function.body.block.last_op
        inputs = len(function.body.block.args)
        for k, value in enumerate(last.operands if last is not None else ()):
            if not isinstance(value.type, TensorType):
                continue
            extents = enumerate(value.type.get_shape())
            self.results.append(tuple(self._extent(inputs + k, d, n) for d, n in extents))
            known = self.tensor_shape(value)
            pairs = zip(self.results[-1], known, strict=True)
            found += [e - extent for extent, e in pairs if e is not None and e != extent]
        return found

    def _size_of(self, name: Dim) -> Index | None:
        """Return the size that a name says; None where it is not affine in parameters."""
        if isinstance(name, int):
            return Index.of(name)
        if name is None or name in self._named:
            return None if name is None else self._named[name]
        size = size_of(name)
        if not is_computed(name) or not all(each in self._named for each in size.names):
            return None
        return self._computed(size)

    def _computed(self, size: Size) -> Index | None:
        total = Index.of(0)
        for monomial, coefficient in size.terms:
            factors: list[Index | None] = [Index.of(coefficient)]
            for atom in monomial:
                if isinstance(atom, Quotient):
                    numerator = self._computed(atom.numerator)
                    factors.append(None if numerator is None else numerator // atom.divisor)
                else:
                    factors.append(self._named[atom] if isinstance(atom, str) else None)
            product = reduce(_product, factors)
            if product is None:
                return None
            total += product
        return total

    # Values

    def tensor_shape(self, tensor: SSAValue) -> tuple[Index | None, ...]:
        """Return the extents of a tensor; None for one that is not affine in parameters."""
        if tensor in self.shapes:
            return self.shapes[tensor]
        if isinstance(owner := tensor.owner, te.ComputeOp):
            return tuple(map(self.index_or_none, owner.spatial_extents))
        return tuple(map(self._size_of, shape_of(tensor)))

    def _defined(self, value: SSAValue) -> Index | None:
        if not isinstance(value.type, IndexType) or isinstance(value, BlockArgument):
            return None
        match value.owner:
            case arith.ConstantOp(value=IntegerAttr() as number):
                return Index.of(number.value.data)
            case te.ApplyOp() as op:
                return self.index_or_none(op.index)
            case te.DimOp() as op:
                return self.tensor_shape(op.tensor)[op.dimension.value.data]
            case arith.AddiOp() | arith.SubiOp() | arith.MuliOp() | arith.MaxSIOp() as op:
                a, b = map(self.value, op.operands)
                return None if a is None or b is None else computed(op, a, b)
            case _:
                return None


def _product(a: Index | None, b: Index | None) -> Index | None:
    if a is None or b is None or not (a.is_constant or b.is_constant):
        return None
    return b * a.constant if a.is_constant else a * b.constant
