"""Vectors of upstream MLIR as buffers and index expressions, during the conversion of a function.

Vectors of the loop dialect have one dimension. A vector of any shape becomes a buffer, which a loop nest fills element
by element. Transposes, broadcasts, slices and masks need no buffer: their users read the operand at other indices.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import prod

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType, VectorType, i1, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import loop
from ...dialects.index_expr import Index
from ...ir import editor as edit
from .control import emitter
from .refusal import refuse_form, refuse_operation

Emit = Callable[[Operation], SSAValue]
Read = Callable[[Sequence[Index], Emit], SSAValue]
"""Gives the element at an index, by operations that it emits."""


@dataclass(frozen=True)
class Elements:
    """The elements of a vector, each computed at its use."""

    type: VectorType
    read: Read
    conditions: Callable[[Sequence[Index]], list[Index]] | None = None
    """For a mask: expressions that are all >= 0 where the element is true."""
    buffer: SSAValue | None = None
    """The buffer that holds the elements, where one was made for this vector alone."""

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.type.get_shape())

    def at(self, type: VectorType, indexed: Callable[[Sequence[Index]], Sequence[Index]]) -> Elements:
        """Return a vector whose element at `i` is that of this one at `indexed(i)`."""
        conditions = self.conditions
        return Elements(
            type,
            lambda indices, emit: self.read(indexed(indices), emit),
            None if conditions is None else lambda indices: conditions(indexed(indices)),
        )


def mask_of(type: VectorType, conditions: Callable[[Sequence[Index]], list[Index]]) -> Elements:
    """Return a mask that holds where some expressions are all >= 0."""

    def read(indices: Sequence[Index], emit: Emit) -> SSAValue:
        guard = known(conditions(indices))
        return emit(loop.TestOp(guard)) if guard else emit(arith.ConstantOp(IntegerAttr(1, i1)))

    return Elements(type, read, conditions)


def known(guard: Sequence[Index]) -> list[Index]:
    """Return a guard without the conditions that are numbers and hold."""
    return [e for e in guard if not e.is_constant or e.constant < 0]


def within(mask: Elements | None, indices: Sequence[Index], point: InsertPoint, of: Operation) -> InsertPoint:
    """Return the point at which operations run only where a mask of data holds: in a condition, made at `point`.

    A mask that is no data is a guard instead, `guard_by`.
    """
    if mask is None or mask.conditions is not None:
        return point
    emit = emitter(point, of)
    number = emit(arith.IndexCastOp(emit(arith.ExtUIOp(mask.read(indices, emit), i64)), IndexType()))
    condition = loop.IfOp([Index.of(number) - 1], Region(Block()), None)
    edit.insert(condition, point, of=of)
    return InsertPoint.at_end(condition.then_body.block)


def guard_by(mask: Elements | None, indices: Sequence[Index]) -> list[Index]:
    """Return expressions that are all >= 0 where a mask holds that is no data; none for other masks."""
    return known(mask.conditions(indices)) if mask is not None and mask.conditions is not None else []


def linear(shape: Sequence[int], indices: Sequence[Index]) -> Index:
    """Return the number of an element in row-major order."""
    position = Index.of(0)
    for size, index in zip(shape, indices, strict=True):
        position = position * size + index
    return position


def split(shape: Sequence[int], position: Index) -> list[Index]:
    """Return the indices of the element of that number in row-major order."""
    found: list[Index] = []
    for d, size in enumerate(shape):
        inner = prod(shape[d + 1 :])
        found.append(position // inner if d == 0 else position // inner % size)
    return found


@dataclass
class VectorValues:
    """The vectors of one function."""

    elements: dict[SSAValue, Elements] = field(default_factory=dict)

    def of(self, value: SSAValue, user: Operation) -> Elements:
        """Return the elements of a vector. Raises TilewrightError TW0570 at the operation that makes it."""
        if value not in self.elements:
            refuse_operation(value.owner if isinstance(value.owner, Operation) else user)
        return self.elements[value]

    def element(self, value: SSAValue, indices: Sequence[Index], emit: Emit, user: Operation) -> SSAValue:
        """Return an element of a vector; of a number, the number."""
        return self.of(value, user).read(indices, emit) if isinstance(value.type, VectorType) else value

    def allocate(self, type: VectorType, emit: Emit, hint: str | None = None) -> Elements:
        """Allocate a buffer for a vector."""
        buffer = emit(loop.AllocOp(MemRefType(type.element_type, type.get_shape()), name_hint=hint))
        return Elements(type, lambda indices, emit: emit(loop.LoadOp(buffer, indices)), buffer=buffer)

    def fill(self, type: VectorType, op: Operation, read: Read, hint: str | None = None) -> Elements:
        """Compute a vector in a separate buffer before `op`. One element needs no buffer."""
        emit = emitter(InsertPoint.before(op), op)
        if prod(type.get_shape()) == 1:
            value = read([Index.of(0)] * type.get_num_dims(), emit)
            return Elements(type, lambda indices, emit: value)
        made = self.allocate(type, emit, hint)
        store(made, op, read)
        return made

    def keep(self, value: SSAValue, op: Operation) -> Elements:
        """Keep a vector in a buffer, or as a single element, from `op` on."""
        elements = self.of(value, op)
        if elements.buffer is not None:
            return elements
        return self.fill(elements.type, op, elements.read, value.name_hint)

    def changed(self, value: SSAValue, op: Operation) -> Elements:
        """Return a buffer with the elements of a vector, which `op` may change: the vector's, where `op` is its only
        user."""
        elements = self.of(value, op)
        is_last = len(list(value.uses)) == 1 and isinstance(value.owner, Operation) and value.owner.parent is op.parent
        if elements.buffer is not None and is_last:
            return elements
        made = self.allocate(elements.type, emitter(InsertPoint.before(op), op), value.name_hint)
        store(made, op, elements.read)
        return made


def is_data(mask: Elements | None) -> bool:
    """Return if a mask is data."""
    return mask is not None and mask.conditions is None


def loops_over(shape: Sequence[int | Index], point: InsertPoint, of: Operation) -> tuple[list[Index], InsertPoint]:
    """Insert loops over a shape at a point; return the indices and the point within. A dimension of size 1 has none."""
    indices: list[Index] = []
    for size in shape:
        if Index.of(size) == Index.of(1):
            indices.append(Index.of(0))
            continue
        made = loop.ForOp(0, size, name_hint="l")
        edit.insert(made, point, of=of)
        point = InsertPoint.at_end(made.body.block)
        indices.append(Index.of(made.induction_variable))
    return indices, point


def store(target: Elements, op: Operation, read: Read) -> None:
    """Fill the buffer of a vector before `op`."""
    assert target.buffer is not None
    indices, point = loops_over(target.shape, InsertPoint.before(op), op)
    emit = emitter(point, op)
    edit.insert(loop.StoreOp(read(indices, emit), target.buffer, indices), point, of=op)


def vector_type(value: SSAValue, op: Operation) -> VectorType:
    """Return the type of a vector. Raises TilewrightError TW0571 at `op` for other types and for scalable vectors."""
    type_ = value.type
    if not isinstance(type_, VectorType):
        refuse_form(op, f"expected a vector, but got {type_}")
    if any(each.value.data for each in type_.scalable_dims):
        refuse_form(op, f"expected vectors of fixed length, but got {type_}")
    return type_


def element_of(type: Attribute) -> Attribute:
    """Return the element type of a vector; of any other type, the type itself."""
    return type.element_type if isinstance(type, VectorType) else type
