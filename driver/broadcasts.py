"""Broadcasting of arguments at run time: `buffer_type="auto_broadcast"` of `binds`.

An argument whose extent along a dimension is 1 is read there as if it had the extent of the loop. The index along such
a dimension is selected at run time: 0 where the extent is 1, otherwise the index of the access. Accesses with selected
indices are not vectorized. The function is therefore cloned: the first clone keeps the indices, and is called where all
of these extents are more than 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.arith import ConstantOp, SelectOp
from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ..diagnostics.remarks import remark
from ..dialects.index_expr import Index
from ..dialects.loop import ApplyOp, DimOp, LoadOp, TestOp
from ..ir import editor as edit
from ..te import Tensor
from ..te.foreign import Buffer
from .functions import arguments_by_name, call_one, leave_sizes

REMARK, OUTPUT = "TW0617", "tw.output"


def bind_broadcasts(function: FuncOp, binds: Mapping[Tensor, Buffer], *, versions: bool) -> None:
    """Let inputs that are bound to broadcasting buffers be read at index 0 along dimensions of extent 1.

    With `versions`, a separate clone with plain indices runs where all these extents are more than 1.
    """
    names = [tensor.name for tensor, buffer in binds.items() if buffer.broadcasts]
    arguments = arguments_by_name(function)
    attributes = function.arg_attrs.data if function.arg_attrs is not None else ()
    outputs = {k for k, each in enumerate(attributes) if OUTPUT in each.data}
    inputs = [a.index for name in names if (a := arguments[name]).index not in outputs]
    dimensions = {k: _dimensions(function.body.block.args[k]) for k in inputs}
    symbolic = [(k, d) for k, ds in dimensions.items() for d, extent in ds if extent != 1]
    if not symbolic or not versions:
        _choose_indices(function, dimensions)
        return
    plain, chosen = function.clone(), function.clone()
    _choose_indices(plain, {k: [(d, n) for d, n in ds if n == 1] for k, ds in dimensions.items()})
    _choose_indices(chosen, dimensions)
    _call_versions(function, plain, chosen, symbolic)


def _dimensions(argument: SSAValue) -> list[tuple[int, int | None]]:
    """Return the dimensions whose extent may be 1, with the extent where it is known."""
    type_ = argument.type
    assert isinstance(type_, MemRefType)
    extents = [None if n < 0 else n for n in type_.get_shape()]
    return [(d, n) for d, n in enumerate(extents) if n is None or n == 1]


def _choose_indices(function: FuncOp, dimensions: Mapping[int, Sequence[tuple[int, int | None]]]) -> None:
    for k, chosen in dimensions.items():
        argument = function.body.block.args[k]
        for op in [use.operation for use in argument.uses]:
            if isinstance(op, LoadOp) and op.buffer is argument:
                _choose(function, op, chosen)


def _choose(function: FuncOp, load: LoadOp, dimensions: Sequence[tuple[int, int | None]]) -> None:
    """Let a load read at 0 along dimensions of extent 1."""
    index = list(load.index)
    made: list[Operation] = []
    for d, extent in dimensions:
        if extent == 1 or index[d] == Index.of(0):
            index[d] = Index.of(0)
            continue
        size = Index.of(_extent(function, load.buffer, d))
        zero, given = ConstantOp(IntegerAttr(0, IndexType())), ApplyOp(index[d])
        is_one = TestOp([-size + 1])
        select = SelectOp(is_one.res, zero.result, given.res)
        made += [zero, given, is_one, select]
        index[d] = Index.of(select.result)
    for op in made:
        op.location = load.location
    new = LoadOp(load.buffer, index, load.conditions, load.otherwise, load.lanes)
    edit.change(new).attributes |= load.attributes
    new.location = load.location
    edit.insert(made, InsertPoint.before(load))
    edit.replace(load, new)


def _extent(function: FuncOp, argument: SSAValue, dimension: int) -> SSAValue:
    """Return the size of a dimension; a read of it is inserted at the start where the function has none."""
    for op in function.body.block.ops:
        if isinstance(op, DimOp) and op.buffer is argument and op.dimension.value.data == dimension:
            return op.res
    made = DimOp(argument, dimension)
    edit.insert(made, InsertPoint.at_start(function.body.block))
    return made.res


def _call_versions(function: FuncOp, plain: FuncOp, chosen: FuncOp, symbolic: Sequence[tuple[int, int]]) -> None:
    """Let the function call `plain` where no dimension has extent 1, else `chosen`."""
    names = function.body.block.args
    axes = ", ".join(f"{names[k].name_hint} along {d}" for k, d in symbolic)
    remark(
        REMARK,
        f"{function.sym_name.data}: extents of 1 are found when the program is called ({axes}); a second version, with "
        "an index chosen for each element, computes what they concern",
        op=function,
    )
    leave_sizes(function)
    arguments = function.body.block.args
    sizes = [Index.of(_extent(function, arguments[k], d)) for k, d in symbolic]
    call_one(function, plain, chosen, ("plain", "broadcast"), [size - 2 for size in sizes])
