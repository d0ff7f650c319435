"""Pass `outline-parallel`: states the values that the bodies of parallel loops capture."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ...analysis.aliases import root_of
from ...analysis.captures import captured_values
from ...analysis.entries import entry_functions
from ...dialects.loop import PARALLEL, SERIAL, ForOp
from ...dialects.loop.overlap import may_overlap
from ...dialects.target import target_of
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass
from ..shared.loops import outermost_parallel_loops


@dataclass(frozen=True)
class OutlineParallelPass(Pass):
    """State the values that the body of each outermost parallel loop captures; parallel loops within it become serial.

    ```mlir
    func.func @main(%x: memref<64xf32>, %y: memref<64xf32>) {
      loop.for %i = 0 to 8 kind parallel {
        loop.for %j = 0 to 8 kind parallel { … %x[%i * 8 + %j] … %y[%i * 8 + %j] … }
    // becomes
      loop.for %i = 0 to 8 kind parallel captures(%x apart, %y apart) {
        loop.for %j = 0 to 8 { … %x[%i * 8 + %j] … %y[%i * 8 + %j] … }
    ```
    Emitters make the body a function of the captured values, so that each thread of a team runs it on a share of the
    iterations. A captured buffer is `apart`, which means noalias, if no other captured value is a view of the same
    buffer, and if callers promise the same of arguments. The interpreter stops if the body uses a value that is not
    captured, or if buffers that are stated as disjoint share memory. Kernels that a host launches are left alone: they
    have no parallel loops.

    Needs: `note-aliases`, for arguments; no pass after it moves something out of a loop or into one.
    Grants: emitters decide nothing about parallel loops.
    """

    name = "outline-parallel"
    phase = 3
    levels = (Level.LOOP,)
    asks_target = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = target_of(op)
        if target is not None and target.launches_kernels:
            return
        entries = entry_functions(op)
        for function in op.ops:
            if isinstance(function, FuncOp) and function.body.blocks:
                _outline(function, is_entry=function in entries)


def _outline(function: FuncOp, *, is_entry: bool) -> None:
    overlapping = _that_may_overlap(function, is_entry=is_entry)
    for outer in outermost_parallel_loops(function.body.block):
        for nested in operations(outer):
            if isinstance(nested, ForOp) and nested is not outer and nested.kind == PARALLEL:
                _make_serial(nested)
        captures = captured_values(outer)
        disjoint = captured_disjoint(captures, overlapping)
        is_stated = outer.states_captures and tuple(outer.captures) == captures and outer.captured_disjoint == disjoint
        if not is_stated and may_rewrite("outline", outer):
            outer.state_captures(captures, disjoint)


def _make_serial(nested: ForOp) -> None:
    """Let a thread of a team run the iterations of a loop within its own iterations."""
    if may_rewrite("run serially", nested):
        nested.drop_captures()
        edit.change(nested).kind = SERIAL


def captured_disjoint(captures: tuple[SSAValue, ...], overlapping: frozenset[SSAValue]) -> tuple[SSAValue, ...]:
    """Return the buffers among captured values that share memory with no other one."""
    roots = {value: root_of(value) for value in captures if isinstance(value.type, MemRefType)}
    count = Counter(roots.values())
    return tuple(value for value, root in roots.items() if count[root] == 1 and root not in overlapping)


def _that_may_overlap(function: FuncOp, *, is_entry: bool) -> frozenset[SSAValue]:
    """Return the arguments that may share memory with others: of an entry none, of a function that is promised nothing
    all."""
    arguments, listed = function.body.block.args, may_overlap(function)
    if listed is None:
        return frozenset() if is_entry else frozenset(arguments)
    return frozenset(argument for position, argument in enumerate(arguments) if position in listed)
