"""Arguments whose strides callers choose: `binds` of `build`.

A buffer of the IR is row-major, and `loop.bind` states the strides of one that comes from outside. A bound argument is
viewed as a buffer of only dynamic dimensions, whose strides are therefore all read off its `loop.bind`; where its rows
are not dense either, the view has one more dimension of extent 1, which takes the stride 1 that the last dimension of
any buffer has. Strides that only a caller knows are `index` arguments before all others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FunctionType,
    IndexType,
    MemRefType,
    ModuleOp,
    StringAttr,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ..diagnostics import fail
from ..dialects import context
from ..dialects.index_expr import Index, IndexLike
from ..dialects.loop import BindOp, DimOp, LoadOp, StoreOp, ViewOp
from ..dialects.names import NAME_ATTRIBUTE, STRIDES_ATTRIBUTE
from ..passes.base import Level, level_of
from ..passes.manager import PassManager
from ..passes.pipeline import conversion
from ..te import Tensor
from ..te.foreign import Buffer

Strides = tuple[int | None, ...]
"""In elements; None is for the caller to say."""


def bind_strides(module: ModuleOp, binds: Mapping[Tensor, Buffer]) -> None:
    """Let the arguments of the module's entry that are bound to buffers have the strides of those.

    Raises TilewrightError TW0615 for what is no argument, a buffer of another rank or element type, or a function
    that passes the argument on.
    """
    if level_of(module) > Level.BLOCK:
        PassManager(conversion(level_of(module), Level.BLOCK), verify_each=False).run(context(), module)
    (function,) = (f for f in module.ops if isinstance(f, FuncOp) and f.sym_visibility is None)
    wanted = {tensor.name: _strides(tensor, buffer) for tensor, buffer in binds.items()}
    arguments = {_name(function, a): a for a in function.body.block.args}
    unknown = next((name for name in wanted if name not in arguments), None)
    if unknown is not None:
        fail("TW0615", f"expected binds for arguments of the function, but '{unknown}' is none")
    # In the order of the arguments, which callers follow.
    free = [(a, name) for name, a in arguments.items() if name in wanted]
    position = 0
    for argument, name in free:
        strides = wanted[name]
        added: list[SSAValue] = []
        for dimension, stride in enumerate(strides):
            if stride is None:
                added.append(_add_argument(function, position, f"{argument.name_hint or 'argument'}_stride{dimension}"))
                position += 1
        _view(function, argument, strides, added)
        _set_attribute(function, argument, strides)


def _strides(tensor: Tensor, buffer: Any) -> Strides:
    what = f"expected a buffer of tir.decl_buffer with {tensor.ndim} dimensions of {tensor.dtype} for '{tensor.name}'"
    if not isinstance(buffer, Buffer):
        fail("TW0615", f"{what}, but got {type(buffer).__name__}")
    if len(buffer.strides) != tensor.ndim or buffer.dtype != tensor.dtype:
        fail("TW0615", f"{what}, but got {len(buffer.strides)} dimensions of {buffer.dtype}")
    return tuple(stride.expected for stride in buffer.strides)


def _view(function: FuncOp, argument: BlockArgument, strides: Strides, added: Sequence[SSAValue]) -> None:
    type_ = argument.type
    assert isinstance(type_, MemRefType)
    uses = [use.operation for use in argument.uses]
    bound = next((op for op in uses if isinstance(op, BindOp)), None)
    shape: list[IndexLike] = list(bound.index_list("shape")) if bound is not None else list(type_.get_shape())
    values = iter(added)
    stated: list[IndexLike] = [next(values) if stride is None else stride for stride in strides]
    extra = bool(strides) and strides[-1] != 1
    rank = len(shape) + extra
    view = ViewOp(argument, 0, MemRefType(type_.element_type, [DYNAMIC_INDEX] * rank), argument.name_hint)
    bind = BindOp(view.res, [*shape, *[1] * extra], [*stated, *[1] * extra])
    accesses = [op for op in uses if not isinstance(op, (BindOp, DimOp))]
    first = next((op for op in function.body.block.ops if any(op.is_ancestor(access) for access in accesses)), None)
    if first is None:
        return
    Rewriter.insert_op([view, bind], InsertPoint.before(first))
    for op in accesses:
        _redirect(op, view.res, extra)


def _redirect(op: Operation, view: SSAValue, extra: bool) -> None:
    index: list[Index]
    match op:
        case LoadOp():
            index = [*op.index, *[Index.of(0)] * extra]
            new: Operation = LoadOp(view, index, op.conditions, op.otherwise, op.lanes)
        case StoreOp():
            index = [*op.index, *[Index.of(0)] * extra]
            new = StoreOp(op.value, view, index, op.conditions)
        case _:
            fail("TW0615", f"expected a bound argument to be loaded and stored only, but {op.name} takes it", op=op)
    new.attributes |= op.attributes
    new.location = op.location
    Rewriter.replace_op(op, new)


def _add_argument(function: FuncOp, position: int, name: str) -> SSAValue:
    argument = function.body.block.insert_arg(IndexType(), position)
    argument.name_hint = name
    types = function.function_type
    function.function_type = FunctionType.from_lists([IndexType(), *types.inputs], list(types.outputs))
    attributes = list(function.arg_attrs or [DictionaryAttr({})] * len(types.inputs))
    function.arg_attrs = ArrayAttr([DictionaryAttr({}), *attributes])
    return argument


def _set_attribute(function: FuncOp, argument: BlockArgument, strides: Strides) -> None:
    assert function.arg_attrs is not None
    attributes = list(function.arg_attrs)
    stated = DenseArrayBase.from_list(i64, [DYNAMIC_INDEX if s is None else s for s in strides])
    attributes[argument.index] = DictionaryAttr({**attributes[argument.index].data, STRIDES_ATTRIBUTE: stated})
    function.arg_attrs = ArrayAttr(attributes)


def _name(function: FuncOp, argument: BlockArgument) -> str | None:
    attributes = function.arg_attrs.data[argument.index].data if function.arg_attrs else {}
    name = attributes.get(NAME_ATTRIBUTE)
    return name.data if isinstance(name, StringAttr) else argument.name_hint
