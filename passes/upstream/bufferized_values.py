"""The buffers of tensors during the conversion of a function with control flow on tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, MemRefType, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...diagnostics import fail
from ...dialects import loop
from ...dialects.index_expr import Index
from ...ir import editor as edit
from .control import Emit, emitter
from .extents import shape_of
from .indices import value_of
from .refusal import refuse_form

Element = Callable[[Sequence[Index], Emit], SSAValue]
"""Emits the element at an index."""


@dataclass
class Buffers:
    """The buffer of each tensor. A buffer holds its tensor for as long as the tensor is used."""

    function: FuncOp
    of: dict[SSAValue, SSAValue] = field(default_factory=dict)
    sizes: dict[SSAValue, list[Index]] = field(default_factory=dict)
    """The extents of each tensor."""
    undefined: set[SSAValue] = field(default_factory=set)
    """Tensors whose elements nobody may use."""
    free: set[SSAValue] = field(default_factory=set)
    """Tensors that no other tensor shares the buffer of, so that their last user may overwrite it."""
    homes: dict[Block, Block] = field(default_factory=dict)
    """The blocks that operations of other ones have moved to."""

    def take_argument(self, argument: SSAValue) -> None:
        """Let a tensor argument of the function be a buffer."""
        type_ = argument.type
        assert isinstance(type_, TensorType)
        buffer = edit.retype(argument, MemRefType(type_.element_type, type_.get_shape()))
        entry = InsertPoint.at_start(self.function.body.block)

        def emit(op: Operation) -> SSAValue:
            edit.insert(op, entry, of=self.function)
            return op.results[0]

        sizes: list[Index] = []
        for d, size in enumerate(shape_of(buffer)):
            if size == DYNAMIC_INDEX:
                number = emit(arith.ConstantOp(IntegerAttr.from_index_int_value(d)))
                size = emit(memref.DimOp(buffer, number))
            sizes.append(Index.of(size))
        self.of[buffer] = buffer
        self.sizes[buffer] = sizes

    def define(self, tensor: SSAValue, buffer: SSAValue, sizes: Sequence[Index], *, is_free: bool = True) -> None:
        """Let a buffer of these extents hold a tensor."""
        self.of[tensor] = buffer
        self.sizes[tensor] = list(sizes)
        if is_free:
            self.free.add(tensor)
        if buffer.name_hint is None and tensor.name_hint:
            edit.rename(buffer, tensor.name_hint)

    def share(self, tensor: SSAValue, source: SSAValue, sizes: Sequence[Index] | None = None) -> None:
        """Let a tensor have the buffer of another one; neither may be overwritten."""
        self.define(tensor, self.of[source], sizes or self.sizes[source], is_free=False)
        self.free.discard(source)
        if source in self.undefined:
            self.undefined.add(tensor)

    def allocate(self, element: Attribute, sizes: Sequence[Index], user: Operation, like: Attribute) -> SSAValue:
        """Allocate a new buffer before `user`, of the static sizes that the type `like` has."""
        emit = emitter(InsertPoint.before(user), user)
        assert isinstance(like, (TensorType, MemRefType))
        shape = list(like.get_shape())
        dynamic = [value_of(size, emit) for size, n in zip(sizes, shape, strict=True) if n == DYNAMIC_INDEX]
        return emit(memref.AllocOp.get(element, shape=shape, dynamic_sizes=dynamic))

    def new(self, tensor: SSAValue, sizes: Sequence[Index], user: Operation) -> SSAValue:
        """Allocate a new buffer before `user` that holds a tensor."""
        assert isinstance(tensor.type, TensorType)
        buffer = self.allocate(tensor.type.element_type, sizes, user, tensor.type)
        self.define(tensor, buffer, sizes)
        return buffer

    def destination(self, tensor: SSAValue, user: Operation) -> SSAValue:
        """Return a buffer with the elements of a tensor that `user` may overwrite: the tensor's, or a copy of it."""
        buffer = self.of[tensor]
        if tensor in self.free and self._is_last_use(tensor, user):
            self.free.discard(tensor)
            return buffer
        assert isinstance(tensor.type, (TensorType, MemRefType))
        new = self.allocate(tensor.type.element_type, self.sizes[tensor], user, tensor.type)
        if tensor not in self.undefined:
            edit.insert(memref.CopyOp(buffer, new), InsertPoint.before(user), of=user)
        return new

    def _is_last_use(self, tensor: SSAValue, user: Operation) -> bool:
        """Return whether `user` runs once for each time that a tensor is made, uses it once, and after all other
        users."""
        block = tensor.owner if isinstance(tensor.owner, Block) else tensor.owner.parent
        home = self.homes.get(block, block) if block is not None else None
        if home is None or user.parent is not home:
            return False
        order = {op: number for number, op in enumerate(home.ops)}
        others = [use for use in tensor.uses if use.operation is not user]
        if len(list(tensor.uses)) - len(others) != 1:
            return False
        return all((top := _within(use.operation, home)) is not None and order[top] < order[user] for use in others)

    def nest(self, sizes: Sequence[Index], target: SSAValue, user: Operation, element: Element,
             where: Callable[[Sequence[Index]], Sequence[Index]] = list) -> None:  # fmt: skip
        """Insert loops before `user` over extents, which write elements of a buffer at indices that `where` gives."""
        point = InsertPoint.before(user)
        variables: list[Index] = []
        for number, size in enumerate(sizes):
            new = loop.ForOp(0, size, name_hint=f"i{number}")
            edit.insert(new, point, of=user)
            point = InsertPoint.at_end(new.body.block)
            variables.append(Index.of(new.induction_variable))
        value = element(variables, emitter(point, user))
        edit.insert(loop.StoreOp(value, target, where(variables)), point, of=user)

    def same_sizes(self, tensor: SSAValue, sizes: Sequence[Index], user: Operation) -> None:
        """Raise TilewrightError TW0575 where a tensor is not known to have these extents."""
        if list(self.sizes[tensor]) != list(sizes):
            refuse_sizes(user)


def refuse_sizes(user: Operation) -> NoReturn:
    """Raise TilewrightError TW0575: control flow passes on tensors of different sizes."""
    fail(
        "TW0575",
        f"expected tensors of one size as '{user.name}' passes them on, but their sizes are not known to be equal",
        op=user,
        help="bufferize the function first: mlir-opt --one-shot-bufferize",
    )


def _within(op: Operation, block: Block) -> Operation | None:
    """Return the operation of a block that holds `op`, or is it."""
    current: Operation | None = op
    while current is not None and current.parent is not block:
        current = current.parent_op()
    return current


def refuse_tensor(op: Operation) -> NoReturn:
    """Raise TilewrightError TW0571 for an operation on tensors that has no form on buffers here."""
    refuse_form(
        op,
        f"expected operations of linalg, tensor and arith on tensors beside control flow, but got '{op.name}'",
        help="bufferize the function first: mlir-opt --one-shot-bufferize",
    )
