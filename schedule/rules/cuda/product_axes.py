"""The axes of a contraction on a GPU: rows, columns, terms and batches, independent of the form of the contraction.

An axis of the result is a row if only one operand moves along it, a column if only the other operand does, and a batch
if both do. A convolution is such a product of pixels (rows) and output channels (columns), with the elements of a
window as terms; the image is read at sums of axes, which matters only to the code that fetches it. An axis of which an
operand uses only the quotient, as in grouped channels, counts as two digits.

Several axes of one role count as one, the innermost fastest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects import arith, math
from xdsl.ir import BlockArgument, Operation, SSAValue

from ....analysis.block_reductions import Reduction, reduction_of
from ....dialects import loop
from ....dialects.index_expr import FloorDiv, Index, Symbol
from ...index_map import IndexMap
from ..block_structure import ASSUMED_EXTENT, Operand, Shape, shape_of

LEAST_EXTENT = 4
"""The least extent of rows and columns: a product with a vector is a reduction of rows."""

_WIDENING = (arith.BitcastOp, arith.ExtFOp, arith.ExtSIOp, arith.ExtUIOp, arith.SIToFPOp, arith.UIToFPOp)


@dataclass(frozen=True)
class Digit:
    """An axis of a block, or one of the two digits of it."""

    position: int
    """Of the iteration variable."""
    extent: Index
    divisor: int = 1
    is_quotient: bool = False

    def of(self, variable: Index) -> Index:
        if self.divisor == 1:
            return variable
        return variable // self.divisor if self.is_quotient else variable % self.divisor

    @property
    def count(self) -> int:
        """The extent, an assumed one where it is symbolic."""
        return self.extent.constant if self.extent.is_constant else ASSUMED_EXTENT


@dataclass(frozen=True)
class Product:
    """A reduction of products of two operands."""

    shape: Shape
    left: Operand
    right: Operand
    batches: tuple[Digit, ...]
    rows: tuple[Digit, ...]
    """The digits along which `left` alone moves."""
    columns: tuple[Digit, ...]
    """The digits along which `right` alone moves; results lie side by side along these, if along either."""
    terms: tuple[Digit, ...]

    @property
    def index_map(self) -> IndexMap:
        """From the iteration variables to batches, row, column and term; axes of one iteration have no position in the
        results."""
        names = tuple(f"v{n}" for n in range(len(self.shape.block.variables)))
        symbols = [Index.of(Symbol(name)) for name in names]
        single = [digit.of(symbols[digit.position]) for digit in self.batches]
        return IndexMap(names, (*single, *(_joined(group, symbols) for group in (self.rows, self.columns, self.terms))))

    @property
    def is_plain(self) -> bool:
        """True where the iteration variables are batches, row, column and term already, in this order."""
        index_map = self.index_map
        return index_map.results == tuple(map(Index.of, index_map.symbols))

    @property
    def extents(self) -> tuple[int, int, int]:
        """The numbers of rows, columns and terms, assumed ones where they are symbolic."""
        return count(self.rows), count(self.columns), count(self.terms)

    @property
    def batch_count(self) -> int:
        return count(self.batches)


def count(digits: Sequence[Digit]) -> int:
    return prod(digit.count for digit in digits)


def product_of(block: loop.BlockOp) -> Product | None:
    """Return the product that a block computes; None where it is no sum of products of two operands with rows and
    columns."""
    shape, reduction = shape_of(block), reduction_of(block)
    if shape is None or reduction is None or not _is_sum_of_products(reduction, shape):
        return None
    first, second = shape.operands
    digits = [digit for axis in shape.spatial for digit in _digits(shape, axis.position)]
    roles = {digit: (_moves(first, shape, digit), _moves(second, shape, digit)) for digit in digits}
    moving = [digit for digit in digits if digit.extent != Index.of(1)]
    if any(roles[digit] == (False, False) for digit in moving):
        return None
    alone = [[d for d in moving if roles[d] == role] for role in ((True, False), (False, True))]
    side_by_side = _is_columns(shape, alone)
    if side_by_side == 0:
        first, second, alone = second, first, alone[::-1]
    terms = [Digit(axis.position, _extent(shape, axis.position)) for axis in shape.reduce]
    summed = [d for d in terms if d.extent != Index.of(1)]
    if not all(_moves(o, shape, d) for o in (first, second) for d in summed) or not summed:
        return None
    summed = _ordered(summed, shape, (first, second))
    rows, columns, joined = (_joinable(group) for group in (*alone, summed))
    together = {*rows, *columns, *joined}
    batches = tuple(d for d in moving if d not in together)
    if len(joined) < len(summed) or count(rows) < LEAST_EXTENT or count(columns) < LEAST_EXTENT:
        return None
    return Product(shape, first, second, batches, rows, columns, joined)


def _is_sum_of_products(reduction: Reduction, shape: Shape) -> bool:
    """Return whether zeros add nothing: the terms are products of one element of each of two buffers."""
    if not reduction.is_single or not isinstance(reduction.combine, (arith.AddfOp, arith.AddiOp, math.FmaOp)):
        return False
    if any(isinstance(op, loop.IfOp) for op in shape.block.body.block.ops) or len(shape.operands) != 2:
        return False
    terms = reduction.combine.operands[:2] if isinstance(reduction.combine, math.FmaOp) else reduction.values
    factors = [factor for term in terms for factor in _factors(term)]
    loads = [operand.op for operand in shape.operands]
    is_product = len(factors) == 2 and set(factors) == set(loads)
    return is_product and loads[0].buffer is not loads[1].buffer


def _factors(value: SSAValue) -> Iterator[Operation | SSAValue]:
    owner = value.owner
    if isinstance(owner, (arith.MulfOp, arith.MuliOp, *_WIDENING)):
        for operand in owner.operands:
            yield from _factors(operand)
    else:
        yield owner if isinstance(owner, Operation) else value


def _extent(shape: Shape, position: int) -> Index:
    return list(shape.block.iteration())[position][3]


def _digits(shape: Shape, position: int) -> list[Digit]:
    """Return the digits of an axis in the operands: the axis itself, unless an operand uses only its quotient."""
    variable, extent = shape.block.variables[position], _extent(shape, position)
    for operand in shape.operands:
        divisor = _quotient(operand, variable)
        if divisor is not None and extent.is_constant and extent.constant % divisor == 0:
            whole = Digit(position, Index.of(extent.constant // divisor), divisor, is_quotient=True)
            return [whole, Digit(position, Index.of(divisor), divisor)]
    return [Digit(position, extent)]


def _quotient(operand: Operand, variable: BlockArgument) -> int | None:
    """Return the divisor of a variable in every index of an operand that uses it; None without a common divisor."""
    atoms = [atom for e in (*operand.op.index, *operand.op.conditions) for atom, _ in e.terms]
    found = [atom for atom in atoms if variable in Index.of_atom(atom).variables]
    divisors = {atom.divisor for atom in found if isinstance(atom, FloorDiv) and atom.numerator == Index.of(variable)}
    plain = all(isinstance(atom, FloorDiv) and atom.numerator == Index.of(variable) for atom in found)
    return divisors.pop() if plain and len(divisors) == 1 else None


def _moves(operand: Operand, shape: Shape, digit: Digit) -> bool:
    variable = shape.block.variables[digit.position]
    if variable not in operand.variables:
        return False
    return digit.is_quotient or digit.divisor == 1 or _quotient(operand, variable) != digit.divisor


def _is_columns(shape: Shape, alone: Sequence[Sequence[Digit]]) -> int:
    """Return the number of the operand whose separate axes are the columns: contiguous results, or else the more
    numerous axes."""
    axis = shape.row_axis()
    for number, group in enumerate(alone):
        if axis is not None and any(digit.position == axis.position and not digit.is_quotient for digit in group):
            return number
    return 0 if count(alone[0]) > count(alone[1]) else 1


def _ordered(terms: Sequence[Digit], shape: Shape, operands: Sequence[Operand]) -> list[Digit]:
    """Return the terms with the one innermost along which an operand lies side by side: a channel that comes last."""
    ordered = list(terms)
    for operand in reversed(operands):
        for digit in terms:
            if digit.extent.is_constant and operand.lane_stride(shape.block.variables[digit.position]) == 1:
                ordered.remove(digit)
                ordered.append(digit)
    return ordered


def _joinable(group: Sequence[Digit]) -> tuple[Digit, ...]:
    """Return the innermost of these axes that one variable can represent: of symbolic ones only the outermost."""
    joined: list[Digit] = []
    for digit in reversed(group):
        joined.insert(0, digit)
        if not digit.extent.is_constant:
            break
    return tuple(joined)


def _joined(group: Sequence[Digit], symbols: Sequence[Index]) -> Index:
    total = Index.of(0)
    for digit in group:
        value = digit.of(symbols[digit.position])
        total = value if digit is group[0] else total * digit.extent.constant + value
    return total
