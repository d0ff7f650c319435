"""Arguments whose strides callers choose: `binds` of `build`.

A buffer of the IR is row-major, and `loop.bind` states the strides of an argument. A bound argument is viewed as a
buffer with dynamic dimensions only, so all its strides are read off its `loop.bind`. The last dimension of a buffer
always has stride 1; where the rows of the argument are not dense, the view has one more dimension of extent 1 at the
end. Strides that only the caller knows are `index` arguments before all others.

Only dense rows are vectorized. A CPU function whose rows may be dense or not is cloned, and selects a clone at entry.
"""

from __future__ import annotations

from collections.abc import Mapping
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
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ..diagnostics import fail
from ..diagnostics.expectations import expect_type
from ..dialects import context
from ..dialects.index_expr import Index, IndexLike
from ..dialects.loop import BindOp, DimOp, LoadOp, StoreOp, ViewOp
from ..dialects.names import STRIDES_ATTRIBUTE
from ..dialects.target import target_of
from ..ir import editor as edit
from ..passes.framework.base import Level, level_of
from ..passes.framework.manager import PassManager
from ..passes.pipeline import conversion
from ..te import Tensor
from ..te.foreign import Buffer, check_whole
from .broadcasts import bind_broadcasts
from .functions import arguments_by_name, call_one, is_private, leave_sizes

Strides = tuple[int | None, ...]
"""In elements; None is a stride that the caller chooses."""


def bind_strides(module: ModuleOp, binds: Mapping[Tensor, Buffer]) -> None:
    """Give the arguments of the module's entry that are bound to buffers the strides of these buffers.

    Raises TilewrightError TW0615 for a tensor that is no argument, a buffer of another rank or element type, or a
    function that uses the argument other than in loads and stores.
    """
    if level_of(module) > Level.BLOCK:
        PassManager(conversion(level_of(module), Level.BLOCK), verify_each=False).run(context(), module)
    functions = [f for f in module.ops if isinstance(f, FuncOp) and not is_private(f)]
    if len(functions) != 1:
        names = ", ".join(f"@{f.sym_name.data}" for f in functions) or "none"
        fail("TW0615", f"expected one public function beside binds, but got {names}")
    function = functions[0]
    for tensor in binds:
        expect_type("binds", tensor, Tensor)
    wanted = {tensor.name: _strides(tensor, buffer) for tensor, buffer in binds.items()}
    arguments = arguments_by_name(function)
    unknown = next((name for name in wanted if name not in arguments), None)
    if unknown is not None:
        fail("TW0615", f"expected binds for arguments of the function, but '{unknown}' is none")
    target = target_of(module)
    launches = target is not None and target.launches_kernels
    # A function is cloned for one reason only: strides that callers choose come before broadcasts.
    some = any(s is None for each in wanted.values() for s in each)
    bind_broadcasts(function, binds, versions=not launches and not some)
    arguments = arguments_by_name(function)
    wanted = {tensor.name: wanted[tensor.name] for tensor, buffer in binds.items() if not buffer.is_packed}
    if not wanted:
        return
    # In the order of the arguments, which callers follow.
    strides = {a: wanted[name] for name, a in arguments.items() if name in wanted}
    _add_arguments(function, strides)
    bound = {a.index: s for a, s in strides.items()}
    if any(s[-1:] == (None,) for s in bound.values()) and not launches:
        _add_versions(function, bound)
    else:
        _use_strides(function, bound)


def _strides(tensor: Tensor, buffer: Any) -> Strides:
    what = f"expected a buffer of tir.decl_buffer with {tensor.ndim} dimensions of {tensor.dtype} for '{tensor.name}'"
    if not isinstance(buffer, Buffer):
        fail("TW0615", f"{what}, but got {type(buffer).__name__}")
    check_whole(buffer, f"argument {tensor.name!r}")
    if len(buffer.strides) != tensor.ndim or buffer.dtype != tensor.dtype:
        fail("TW0615", f"{what}, but got {len(buffer.strides)} dimensions of {buffer.dtype}")
    return tuple(stride.expected for stride in buffer.strides)


def _add_arguments(function: FuncOp, strides: Mapping[BlockArgument, Strides]) -> None:
    """Give the function an index argument for each stride that is not known, and note the strides on the arguments."""
    block, types = function.body.block, function.function_type
    attributes = list(function.arg_attrs or [DictionaryAttr({})] * len(types.inputs))
    names = [f"{a.name_hint or 'argument'}_stride{d}" for a, s in strides.items() for d, n in enumerate(s) if n is None]
    for argument, stated in strides.items():
        values = [DYNAMIC_INDEX if s is None else s for s in stated]
        noted = {STRIDES_ATTRIBUTE: DenseArrayBase.from_list(i64, values)}
        attributes[argument.index] = DictionaryAttr({**attributes[argument.index].data, **noted})
    for position, name in enumerate(names):
        edit.rename(edit.insert_argument(block, IndexType(), position), name)
    edit.change(function).function_type = FunctionType.from_lists([a.type for a in block.args], list(types.outputs))
    edit.change(function).arg_attrs = ArrayAttr([*[DictionaryAttr({})] * len(names), *attributes])


def _add_versions(function: FuncOp, bound: Mapping[int, Strides]) -> None:
    """Move the function's body into two private functions, for rows of neighbours and for any rows, and call one."""
    dense, strided = function.clone(), function.clone()
    _use_strides(dense, bound, dense=True)
    _use_strides(strided, bound)
    leave_sizes(function)
    _state(function, bound)
    inner = [Index.of(s[-1]) for s in _stated(function, bound).values() if isinstance(s[-1], SSAValue)]
    conditions = [condition for s in inner for condition in (s - 1, -s + 1)]
    call_one(function, dense, strided, ("dense", "strided"), conditions)


def _stated(function: FuncOp, bound: Mapping[int, Strides]) -> dict[BlockArgument, list[IndexLike]]:
    """Return the strides of the bound arguments, which are numbers or the first arguments of the function, in order."""
    arguments = function.body.block.args
    passed = iter(arguments)
    return {arguments[k]: [next(passed) if s is None else s for s in strides] for k, strides in bound.items()}


def _state(function: FuncOp, bound: Mapping[int, Strides]) -> None:
    """Let the `loop.bind` of each bound argument say its strides."""
    for argument, stated in _stated(function, bound).items():
        for use in list(argument.uses):
            if isinstance(op := use.operation, BindOp):
                edit.replace(op, BindOp(argument, op.index_list("shape"), stated))


def _use_strides(function: FuncOp, bound: Mapping[int, Strides], *, dense: bool = False) -> None:
    """Access the bound arguments by their strides; with `dense`, strides of the last dimension that callers choose are
    1."""
    _state(function, bound)
    for argument, stated in _stated(function, bound).items():
        if dense and isinstance(stated[-1], SSAValue):
            stated[-1] = 1
        _view(function, argument, stated)


def _view(function: FuncOp, argument: BlockArgument, stated: list[IndexLike]) -> None:
    type_ = argument.type
    assert isinstance(type_, MemRefType)
    uses = [use.operation for use in argument.uses]
    bound = next((op for op in uses if isinstance(op, BindOp)), None)
    shape: list[IndexLike] = list(bound.index_list("shape")) if bound is not None else list(type_.get_shape())
    extra = [1] if stated and stated[-1] != 1 else []
    rank = len(shape) + len(extra)
    view = ViewOp(argument, 0, MemRefType(type_.element_type, [DYNAMIC_INDEX] * rank), argument.name_hint)
    bind = BindOp(view.res, [*shape, *extra], [*stated, *extra])
    accesses = [op for op in uses if not isinstance(op, (BindOp, DimOp))]
    first = next((op for op in function.body.block.ops if any(op.is_ancestor(access) for access in accesses)), None)
    if first is None:
        return
    edit.insert([view, bind], InsertPoint.before(first))
    for op in accesses:
        _redirect(op, view.res, [Index.of(0)] * len(extra))


def _redirect(op: Operation, view: SSAValue, extra: list[Index]) -> None:
    new: Operation
    match op:
        case LoadOp():
            new = LoadOp(view, [*op.index, *extra], op.conditions, op.otherwise, op.lanes)
        case StoreOp():
            new = StoreOp(op.value, view, [*op.index, *extra], op.conditions)
        case _:
            fail("TW0615", f"expected a bound argument to be loaded and stored only, but {op.name} takes it", op=op)
    edit.change(new).attributes |= op.attributes
    new.location = op.location
    edit.replace(op, new)
