"""Pass `plan-arena`: the buffers of a program become views of one arena.

A kernel's buffers of fixed size become slices of the caller's memory, which is passed as an argument. So the size of
the whole program's memory is known at compile time, and a call allocates nothing. Lifetimes are counted in operations
of a function's block, which are calls and loop nests. A buffer that is used inside one of them lives while that
operation runs.

First, a producer whose only use is a concatenation writes directly into its slice of the result (`parts_in_place`).

Other buffers are left to `reuse-storage`: those on the stack of an iteration of a parallel loop, in memory that threads
share, and of symbolic size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    MemRefType,
    ModuleOp,
    UnitAttr,
    i8,
)
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ....analysis.aliases import callees_first
from ....diagnostics.remarks import remark
from ....dialects.index_expr import Index, IndexLike
from ....dialects.loop import (
    GLOBAL,
    PARALLEL,
    AllocOp,
    BindOp,
    ForOp,
    ViewOp,
    buffer_type,
    byte_size,
    enclosing,
    scope_of,
)
from ....dialects.loop.storage import owner_of, set_owner
from ....dialects.target import target_of
from ....ir import editor as edit
from ....ir.rewrites import may_rewrite
from ....traversal import operations
from ...framework.base import Level, Pass
from ...framework.instruments import statistic
from ...shared.arena_offsets import Lifetime, aligned, assign_offsets
from .parts_in_place import write_parts_in_place
from .symbolic_slots import is_plain_size, share_symbolic_memory, steps_of_accesses


@dataclass(frozen=True)
class PlanArenaPass(Pass):
    """Replace buffers of fixed size by views of one arena. Buffers with disjoint lifetimes may share offsets.

    ```mlir
    func.func @main(%x: memref<64xf32>, %y: memref<64xf32> {tw.output}) {
      %a = loop.alloc : memref<64xf32>
      func.call @k(%x, %a) : …
      func.call @k(%a, %y) : …
    }
    func.func private @k(%x: memref<64xf32>, %y: memref<64xf32> {tw.output}) {
      %t = loop.alloc : memref<8xf32>
      …
    }
    // becomes
    func.func @main(%x: memref<64xf32>, %y: memref<64xf32> {tw.output}) {
      %arena = loop.alloc : memref<320xi8>
      %a = loop.view %arena[0] : memref<320xi8> to memref<64xf32>
      %workspace = loop.view %arena[256] : memref<320xi8> to memref<64xi8>
      func.call @k(%x, %workspace, %a) : …
      …
    }
    func.func private @k(%x: memref<64xf32>, %workspace: memref<64xi8> {tw.workspace}, %y: memref<64xf32> {tw.output}) {
      %t = loop.view %workspace[0] : memref<64xi8> to memref<8xf32>
      …
    }
    ```
    A call of a function that concatenates its arguments is removed if their producers can write into the result:
    ```mlir
    func.call @k(%x, %a) : …
    func.call @k(%a, %b) : …
    func.call @join(%a, %b, %y) : …
    // becomes
    %a = loop.view %y[0] : memref<128xf32> to memref<64xf32>
    %b = loop.view %y[256] : memref<128xf32> to memref<64xf32>
    func.call @k(%x, %a) : …
    func.call @k(%a, %b) : …
    ```
    Offsets are multiples of 64 bytes. A remark states the size of each arena. Allocations inside a parallel loop stay,
    because each iteration needs a separate buffer.

    Buffers of an entry function whose only symbolic size is the outermost one, and equal, share an arena of that many
    pieces. A buffer at bytes a to b of a piece is at bytes `n * a` to `n * b` of the arena:
    ```mlir
    %a = loop.alloc (%n) : memref<?x64xf32>
    %b = loop.alloc (%n) : memref<?x16xf32>
    // becomes
    %arena = loop.alloc (%n) : memref<?x320xi8>
    %a = loop.view %arena[0] : memref<?x320xi8> to memref<?x64xf32>
    loop.bind %a shape [%n, 64] strides [64, 1] : memref<?x64xf32>
    %b = loop.view %arena[%n * 256] : memref<?x320xi8> to memref<?x16xf32>
    loop.bind %b shape [%n, 16] strides [16, 1] : memref<?x16xf32>
    ```
    The next call reuses one large block, whereas many small ones would be returned to the system in between. Other
    buffers of symbolic size become views of a second allocation with numbered parts (`tw.slot`). Buffers of equal sizes
    with disjoint lifetimes use the same part.

    Needs: loop level, buffers of their final sizes.
    Grants: outside of parallel loops an entry function allocates at most one buffer of fixed size, and a private
    function with callers none.
    """

    name = "plan-arena"
    phase = 1
    levels = (Level.LOOP,)
    opt_level = 1
    asks_target = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        write_parts_in_place(ctx, op, self.name)
        target = target_of(op)
        for function, calls in _with_calls(op):
            if calls and _is_private(function):
                _to_workspace(function, calls)
            else:
                if target is None or not target.launches_kernels:  # kernels take buffers at constant positions
                    _to_open_arenas(function)
                    share_symbolic_memory(function)
                _to_arena(function)


def _is_private(function: func.FuncOp) -> bool:
    return function.sym_visibility is not None and function.sym_visibility.data == "private"


def _with_calls(module: ModuleOp) -> Iterator[tuple[func.FuncOp, list[func.CallOp]]]:
    """Yield the functions with bodies and the calls of each, a function after those that it calls."""
    calls: dict[str, list[func.CallOp]] = {}
    for op in operations(module):
        if isinstance(op, func.CallOp):
            calls.setdefault(op.callee.root_reference.data, []).append(op)
    for function in callees_first(module):
        yield function, calls.get(function.sym_name.data, [])


def _to_arena(function: func.FuncOp) -> None:
    allocs, offsets, size = _plan(function)
    if not allocs or not may_rewrite("share an arena", function):
        return
    arena = AllocOp(buffer_type([size], i8), name_hint="arena")
    arena.location = allocs[0].location
    first = function.body.block.first_op
    assert first is not None
    edit.insert(arena, InsertPoint.before(first))
    _to_views(allocs, offsets, arena.res)
    _remark_size(function, allocs, size, "an arena")


def _to_open_arenas(function: func.FuncOp) -> None:
    """Let buffers with the same symbolic size, their outermost one, share memory."""
    groups: dict[SSAValue, list[AllocOp]] = {}
    for op in function.body.block.ops:
        if isinstance(op, AllocOp) and (size := _counting_size(op)) is not None:
            groups.setdefault(size, []).append(op)
    steps = {op: i for i, op in enumerate(function.body.block.ops)}
    for value, found in groups.items():
        size = Index.of(value)
        uses = {op: sorted(steps_of_accesses(op.res, steps)) for op in found}
        allocs = [op for op in found if uses[op]]
        if len(allocs) < 2 or not may_rewrite("share an arena", function):
            continue
        lifetimes = [Lifetime(_piece_bytes(op) or 0, uses[op][0], uses[op][-1]) for op in allocs]
        offsets, piece = assign_offsets(lifetimes)
        arena = AllocOp(buffer_type([DYNAMIC_INDEX, piece], i8), [size], name_hint="arena")
        edit.insert(arena, InsertPoint.before(allocs[0]), of=allocs[0])
        for alloc, view in zip(allocs, _to_views(allocs, [size * n for n in offsets], arena.res), strict=True):
            shape = [*alloc.dynamic_sizes, *alloc.res.type.get_shape()[1:]]
            strides = [prod(alloc.res.type.get_shape()[d + 1 :]) for d in range(len(shape))]
            edit.insert(BindOp(view.res, shape, strides), InsertPoint.after(view), of=view)
        separate = sum(aligned(lifetime.size) for lifetime in lifetimes)
        text = f"{len(allocs)} buffers of symbolic size, {separate} bytes for each piece, in an arena of {piece} bytes"
        remark("TW0521", f"@{function.sym_name.data}: {text}", op=function, kind="analysis")


def _piece_bytes(alloc: AllocOp) -> int | None:
    """Return the bytes of a buffer for each unit of the size that its outermost dimension is a number of times."""
    bytes_ = byte_size(buffer_type(alloc.res.type.get_shape()[1:], alloc.res.type.element_type))
    return None if bytes_ is None else bytes_ * alloc.dynamic_sizes[0].terms[0][1]


def _counting_size(alloc: AllocOp) -> SSAValue | None:
    """Return the size of an argument that the outermost dimension of a buffer is a number of times, where only that one
    is symbolic; else None."""
    outermost, *others = alloc.res.type.get_shape() or (0,)
    if scope_of(alloc.res.type) != GLOBAL or outermost != DYNAMIC_INDEX or DYNAMIC_INDEX in others:
        return None
    (size,) = alloc.dynamic_sizes
    return size.terms[0][0] if is_plain_size(size) else None  # pyright: ignore[reportReturnType]


def _to_workspace(function: func.FuncOp, calls: Sequence[func.CallOp]) -> None:
    """Pass the function's buffers in: one argument before the outputs, allocated by each caller beside the call."""
    allocs, offsets, size = _plan(function)
    if not allocs or not may_rewrite("pass a workspace", function):
        return
    type = buffer_type([size], i8)
    position = _insert_argument(function, type)
    workspace = function.body.block.args[position]
    _to_views(allocs, offsets, workspace)
    for call in calls:
        slice = AllocOp(type, name_hint="workspace")
        operands = [*call.operands[:position], slice.res, *call.operands[position:]]
        passing = func.CallOp(call.callee, operands, [r.type for r in call.res])
        edit.change(passing).attributes |= call.attributes
        slice.location = passing.location = call.location
        edit.insert(slice, InsertPoint.before(call))
        edit.replace(call, passing)
    _remark_size(function, allocs, size, "a workspace")


def _insert_argument(function: func.FuncOp, type: MemRefType) -> int:
    """Add an argument before the outputs, which come last; its position."""
    inputs = list(function.function_type.inputs)
    attributes = list(function.arg_attrs.data) if function.arg_attrs is not None else [DictionaryAttr({})] * len(inputs)
    position = next((i for i, a in enumerate(attributes) if "tw.output" in a.data), len(inputs))
    edit.rename(edit.insert_argument(function.body.block, type, position), "workspace")
    inputs.insert(position, type)
    attributes.insert(position, DictionaryAttr({"tw.workspace": UnitAttr()}))
    edit.change(function).function_type = FunctionType.from_lists(inputs, list(function.function_type.outputs))
    edit.change(function).arg_attrs = ArrayAttr(attributes)
    return position


def _plan(function: func.FuncOp) -> tuple[list[AllocOp], list[int], int]:
    """Return the buffers of the function that share memory, their offsets, and how much they take together."""
    steps = {op: i for i, op in enumerate(function.body.block.ops)}
    allocs: list[AllocOp] = []
    lifetimes: list[Lifetime] = []
    for op in operations(function):
        if not isinstance(op, AllocOp) or (size := _shared_size(op)) is None:
            continue
        used = sorted(steps_of_accesses(op.res, steps))
        if not used:
            continue
        allocs.append(op)
        lifetimes.append(Lifetime(size, used[0], used[-1]))
    offsets, size = assign_offsets(lifetimes)
    return allocs, offsets, size


def _shared_size(alloc: AllocOp) -> int | None:
    """Return the bytes of a buffer that can live in memory of the whole function, else None."""
    if scope_of(alloc.res.type) != GLOBAL:
        return None
    in_parallel_loop = any(isinstance(op, ForOp) and op.kind == PARALLEL for op in enclosing(alloc, ForOp))
    return None if in_parallel_loop else byte_size(alloc.res.type)


def _to_views(allocs: Sequence[AllocOp], offsets: Sequence[IndexLike], memory: SSAValue) -> list[ViewOp]:
    views: list[ViewOp] = []
    for alloc, offset in zip(allocs, offsets, strict=True):
        view = ViewOp(memory, offset, alloc.res.type, name_hint=alloc.res.name_hint)
        view.location = alloc.location
        if owner := owner_of(alloc):
            set_owner(view, owner)
        edit.replace(alloc, view)
        views.append(view)
    return views


def _remark_size(function: func.FuncOp, allocs: Sequence[AllocOp], size: int, kind: str) -> None:
    separate = sum(aligned(byte_size(alloc.res.type) or 0) for alloc in allocs)
    count = "1 buffer" if len(allocs) == 1 else f"{len(allocs)} buffers"
    text = f"@{function.sym_name.data}: {count}, {separate} bytes, in {kind} of {size} bytes"
    remark("TW0521", text, op=function, kind="analysis")
    statistic("bytes of buffers", separate)
    statistic("bytes planned", size)
