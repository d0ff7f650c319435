"""Schedules of one function for ranges of its symbolic sizes: one function for each range, and a dispatching
function."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from xdsl.dialects.builtin import StringAttr, SymbolRefAttr, UnitAttr
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue

from ....dialects import loop
from ....dialects.index_expr import Index
from ....ir import editor as edit
from ....schedule.open_sizes import OpenSize, Ranges
from ....schedule.unique_names import numbered
from ...shared.scheduling import SCHEDULED

Version = tuple[Ranges, FuncOp | None]
"""Ranges of open sizes, and the function with its schedule for them; None for the default one."""


def choosing(
    function: FuncOp, sizes: Sequence[OpenSize], versions: Sequence[Version], default: FuncOp, taken: Collection[str]
) -> list[FuncOp]:
    """Return the function as calls of its versions: the first whose ranges hold the sizes of a call, else the default.

    ```mlir
    func.func private @relu(%x: memref<?x40xf32>, %y: memref<?x40xf32>) { … }
    ```
    becomes, with a version for up to 512 rows,
    ```mlir
    func.func private @relu(%x: memref<?x40xf32>, %y: memref<?x40xf32>) {
      %n = loop.dim %x, 0 : memref<?x40xf32>
      loop.if (%n >= 1, %n < 513) { func.call @relu_n_1_512(%x, %y) } else { func.call @relu_other(%x, %y) }
    }
    func.func private @relu_n_1_512(…) { … }
    func.func private @relu_other(…) { … }
    ```
    The function has no results. `taken` are the symbols of the module.
    """
    symbols = set(taken)
    other = _private(default, "other", symbols)
    named = [
        (ranges, other if each is None else _private(each, _suffix(ranges, sizes), symbols))
        for ranges, each in versions
    ]
    chooser = _signature(function)
    body = chooser.body.block
    dims = {size.key: _dim(chooser, size) for size in sizes}
    block = body
    for ranges, version in named:
        guard = [condition for size in sizes for condition in _conditions(Index.of(dims[size.key]), ranges[size.key])]
        choice = loop.IfOp(guard, Region(Block([_call(version, chooser)])), Region(Block()))
        edit.append(block, choice)
        block = choice.else_body.block
    edit.append(block, _call(other, chooser))
    edit.append(body, ReturnOp())
    return [chooser, *dict.fromkeys((*(version for _, version in named), other))]


def _signature(function: FuncOp) -> FuncOp:
    """Return the function without its loops: the shapes of its arguments, which callers see."""
    chooser = function.clone()
    kept: set[Operation] = set()
    for op in reversed(list(chooser.body.block.ops)):
        if isinstance(op, loop.BindOp) or any(use.operation in kept for result in op.results for use in result.uses):
            kept.add(op)
        else:
            edit.erase(op)
    edit.change(chooser).attributes[SCHEDULED] = UnitAttr()
    return chooser


def _dim(function: FuncOp, size: OpenSize) -> SSAValue:
    """Return the value of an open size in a function."""
    argument = function.args[size.argument]
    for op in function.body.block.ops:
        if isinstance(op, loop.DimOp) and (op.buffer, op.dimension.value.data) == (argument, size.axis):
            return op.res
    dim = loop.DimOp(argument, size.axis, size.name)
    edit.append(function.body.block, dim)
    return dim.res


def _conditions(size: Index, limits: tuple[int, int | None]) -> list[Index]:
    """Return the expressions that are not below 0 where a size is within its limits."""
    low, high = limits
    return [size - low] if high is None else [size - low, high - size]


def _call(callee: FuncOp, caller: FuncOp) -> CallOp:
    call = CallOp(SymbolRefAttr(callee.sym_name.data), list(caller.args), [])
    call.location = caller.location
    return call


def _suffix(ranges: Ranges, sizes: Sequence[OpenSize]) -> str:
    limits = [(size.name, *ranges[size.key]) for size in sizes]
    return "_".join(f"{name}_{low}_{'up' if high is None else high}" for name, low, high in limits)


def _private(function: FuncOp, suffix: str, symbols: set[str]) -> FuncOp:
    """Make the function private under a new name, which no module beside this one calls."""
    name = next(each for each in numbered(f"{function.sym_name.data}_{suffix}") if each not in symbols)
    symbols.add(name)
    edit.change(function).sym_name = StringAttr(name)
    edit.change(function).sym_visibility = StringAttr("private")
    edit.change(function).attributes[SCHEDULED] = UnitAttr()
    return function
