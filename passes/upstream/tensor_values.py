"""Values of te for the tensors and scalars of an upstream function under conversion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, AnyFloat, FloatAttr, IntegerAttr, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.traits import is_side_effect_free

from ...dialects import te
from ...dialects.index_expr import Index
from ...ir import editor as edit
from .extents import shape_of
from .indices import index_of
from .refusal import refuse_form
from .sizes import SizeClasses

BUFFERIZE = "bufferize the function first: mlir-opt --one-shot-bufferize"


@dataclass
class TensorValues:
    """The values of one function: tensors in te, splats and fills, sizes."""

    function: FuncOp
    classes: SizeClasses
    tensors: dict[SSAValue, SSAValue] = field(default_factory=dict)
    """The te value of each tensor."""
    fills: dict[SSAValue, SSAValue | Attribute] = field(default_factory=dict)
    """Tensors all of whose elements are one: a scalar of the function, or a number."""
    undefined: set[SSAValue] = field(default_factory=set)
    """Tensors whose elements nobody may use."""
    _dims: dict[object, Index] = field(default_factory=dict)
    _entry: InsertPoint | None = None

    def extent(self, value: SSAValue, dimension: int, user: Operation) -> Index:
        """Return the extent of an upstream tensor, over values at the function's entry.

        Raises TilewrightError TW0571 at `user` where nothing says it.
        """
        number = self.classes.number(value, dimension)
        if number is not None:
            return Index.of(number)
        root = self.classes.find(value, dimension)
        if root not in self._dims:
            for argument in self.function.body.block.args:
                if not isinstance(argument.type, TensorType):
                    continue
                for d, size in enumerate(shape_of(argument)):
                    if size == DYNAMIC_INDEX and self.classes.find(argument, d) == root:
                        self._dims.setdefault(root, Index.of(self._at_entry(te.DimOp(argument, d))))
        if root in self._dims:
            return self._dims[root]
        known = _defined_extent(self.tensors.get(value, value), dimension)
        if known is None:
            refuse_form(user, f"expected to know dimension {dimension} of {value.type}", help=BUFFERIZE)
        return known

    def _at_entry(self, op: Operation) -> SSAValue:
        if self._entry is None:
            self._entry = InsertPoint.at_start(self.function.body.block)
        edit.insert(op, self._entry, of=self.function)
        return op.results[0]

    def extents(self, value: SSAValue, user: Operation) -> list[Index]:
        return [self.extent(value, d, user) for d in range(len(shape_of(value)))]


def _defined_extent(value: SSAValue, dimension: int) -> Index | None:
    op = value.owner
    if isinstance(op, te.ComputeOp):
        return op.spatial_extents[dimension]
    if isinstance(op, tensor.EmptyOp):
        position = sum(size == DYNAMIC_INDEX for size in shape_of(value)[:dimension])
        extent = index_of(list(op.dynamic_sizes)[position])
        return extent if all(isinstance(v.owner, (te.DimOp, te.ApplyOp)) for v in extent.values()) else None
    return None


class Body:
    """The body of a `te.compute` under construction."""

    def __init__(self, values: TensorValues, block: Block, user: Operation) -> None:
        self.values = values
        self.block = block
        self.user = user
        self._scalars: dict[SSAValue, SSAValue] = {}

    def emit(self, op: Operation) -> SSAValue:
        edit.append(self.block, op)
        return op.results[0]

    def append(self, op: Operation) -> SSAValue:
        """Append an operation of an upstream body that te does not replace by another form."""
        if op.regions or isinstance(op, tensor.ExtractOp):
            refuse_form(op, f"expected scalar operations in {self.user.name} on tensors, but got {op.name}", BUFFERIZE)
        return self.emit(op)

    def read(self, value: SSAValue, indices: Sequence[Index], guard: Sequence[Index] = (),
             otherwise: SSAValue | None = None) -> SSAValue:  # fmt: skip
        """Read an element of an upstream tensor."""
        fill = self.values.fills.get(value)
        if fill is None and value in self.values.undefined:
            fill = zero_of(value)
        if fill is not None:
            element = self.scalar(fill) if isinstance(fill, SSAValue) else self.emit(arith.ConstantOp(fill))  # pyright: ignore
            if otherwise is None:
                return element
            return self.emit(arith.SelectOp(self.emit(te.TestOp(guard)), element, otherwise))
        return self.emit(te.ReadOp(self.values.tensors[value], indices, guard, otherwise))

    def scalar(self, value: SSAValue) -> SSAValue:
        """Return a scalar of the function. The operations that compute it are repeated in the body."""
        if value in self._scalars:
            return self._scalars[value]
        owner = value.owner
        if isinstance(owner, Block):
            if owner is self.block:
                return value
            result = self.emit(te.ReadOp(self.values.tensors[value], []))
        elif isinstance(owner, (te.DimOp, te.ApplyOp)):
            result = value
        elif isinstance(owner, tensor.ExtractOp):
            result = self.read(owner.tensor, [self.index(i) for i in owner.indices])
        elif not owner.regions and is_side_effect_free(owner) and owner.results:
            copy = owner.clone({operand: self.scalar(operand) for operand in owner.operands})
            self.emit(copy)
            result = copy.results[list(owner.results).index(value)]  # pyright: ignore[reportArgumentType]
        else:
            refuse_form(self.user, f"expected scalars that can be repeated, but got one of {owner.name}", BUFFERIZE)
        self._scalars[value] = result
        return result

    def index(self, value: SSAValue) -> Index:
        """Return an index of the function, as an expression in the body."""
        known = index_of(value)
        if all(isinstance(v.owner, (te.DimOp, te.ApplyOp)) or v.owner is self.block for v in known.values()):
            return known
        return index_of(self.scalar(value))

    def finish(self, last: Operation) -> None:
        """End the body, and remove unused operations."""
        edit.append(self.block, last)
        for op in reversed(list(self.block.ops)):
            if op is not last and not any(result.uses for result in op.results):
                edit.erase(op)


def zero_of(value: SSAValue) -> Attribute:
    """Return the number 0 of a tensor's element type."""
    assert isinstance(value.type, TensorType)
    element = value.type.element_type
    return FloatAttr(0.0, element) if isinstance(element, AnyFloat) else IntegerAttr(0, element)  # pyright: ignore


def result_type(extents: Sequence[Index], element: Attribute) -> TensorType:
    """Return the type of a tensor of these extents."""
    return TensorType(element, [e.constant if e.is_constant else DYNAMIC_INDEX for e in extents])
