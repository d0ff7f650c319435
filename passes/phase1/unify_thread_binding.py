"""Pass `unify-thread-binding`: one number of threads along each axis of a kernel.

A schedule binds the loops of each statement separately, so loops over one axis may differ in extent: 16 threads fill a
tile of 16 rows, and 8 threads compute with it. A launch has one number of threads for each axis. All loops over the
axis get that extent, and shorter ones a condition. `insert-barriers` merges them into one nest when statements no
longer move. Until then they run one after the other, which is the meaning of the program.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint

from ...analysis.domain import is_inside, resolve
from ...analysis.ranges import RangeAnalysis
from ...diagnostics import fail
from ...diagnostics.locations import describe, name_of
from ...dialects import loop
from ...dialects.index_expr import Index
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass
from ..shared.loops import inline_body


@dataclass(frozen=True)
class UnifyThreadBindingPass(Pass):
    """Let the loops of a kernel that are bound to one axis of blocks or threads run from 0 to one extent.

    ```mlir
    loop.for %b = 0 to 4 kind thread<"blockIdx.x"> {
      loop.for %t = 0 to 16 kind thread<"threadIdx.x"> { … }
      loop.for %u = 0 to 8 kind thread<"threadIdx.x"> { … }
    }
    // becomes
    loop.for %b = 0 to 4 kind thread<"blockIdx.x"> {
      loop.for %t = 0 to 16 kind thread<"threadIdx.x"> { … }
      loop.for %u = 0 to 16 kind thread<"threadIdx.x"> {
        loop.if (%u < 8) { … }
      }
    }
    ```
    A kernel is an outermost loop over blocks or threads. The extent is the largest one of the axis. It must be provably
    the largest, and computed outside of the kernel. Nested loops over one thread axis are the same threads, so the
    inner one must not be longer; loops over one block axis are not nested. Virtual threads are loops of one thread and
    are ignored.

    Needs: loop level.
    Grants: the loops of a kernel over one axis run from 0 to one extent.
    """

    name = "unify-thread-binding"
    phase = 1
    levels = (Level.LOOP,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel, loops in _kernels(op).items():
            by_tag: dict[str, list[loop.ForOp]] = {}
            for bound in loops:
                by_tag.setdefault(bound.kind.tag.data, []).append(bound)
            for tag, same in by_tag.items():
                if any(not _is_plain(bound) or bound.uppers != same[0].uppers for bound in same):
                    _unify(kernel, tag, same)
                else:
                    _check_nesting(tag, same, RangeAnalysis())


def _kernels(module: ModuleOp) -> dict[loop.ForOp, list[loop.ForOp]]:
    """Return the outermost loops over blocks or threads, each with all such loops inside of it, itself included."""
    kernels: dict[loop.ForOp, list[loop.ForOp]] = {}
    for op in operations(module):
        if isinstance(op, loop.ForOp) and op.kind.tag.data:
            around = [p for p in loop.enclosing(op, loop.ForOp) if isinstance(p, loop.ForOp) and p.kind.tag.data]
            kernels.setdefault(around[-1] if around else op, []).append(op)
    return kernels


def _is_plain(op: loop.ForOp) -> bool:
    """Return whether a loop runs from 0 to one extent."""
    return op.lowers == (Index.of(0),) and len(op.uppers) == 1


def _counts(op: loop.ForOp) -> tuple[Index, ...]:
    """Return expressions of which the least is the number of iterations."""
    return tuple(resolve(upper - op.lowers[0]) for upper in op.uppers)


def _unify(kernel: loop.ForOp, tag: str, loops: Sequence[loop.ForOp]) -> None:
    for op in loops:
        if len(op.lowers) != 1 or op.iter_args:
            what = "carry values from one to the next" if op.iter_args else "start at the largest of several bounds"
            _refuse(tag, f"loop {name_of(op.induction_variable)} must not {what}", op, loops)
    ranges = RangeAnalysis()
    extent = _extent(kernel, tag, loops, ranges)
    _check_nesting(tag, loops, ranges)
    guards = {op: [n for n in _counts(op) if not ranges.at(op).proves(n - extent)] for op in loops}
    for op in loops:
        if (op.lowers, op.uppers) != ((Index.of(0),), (extent,)) and may_rewrite("unify threads", op):
            _extend(op, extent, guards[op])


def _extent(kernel: loop.ForOp, tag: str, loops: Sequence[loop.ForOp], ranges: RangeAnalysis) -> Index:
    """Return the largest extent of the loops, constants tried first."""
    known = dict.fromkeys(n for op in loops for n in _counts(op) if not any(is_inside(v, kernel) for v in n.values()))
    for extent in sorted(known, key=lambda n: (not n.is_constant, n.constant)):
        if all(any(ranges.at(op).proves(extent - n) for n in _counts(op)) for op in loops):
            return extent
    _refuse(tag, "which of their extents is the largest is not known outside of the kernel", loops[-1], loops)


def _check_nesting(tag: str, loops: Sequence[loop.ForOp], ranges: RangeAnalysis) -> None:
    """Refuse loops inside one another that cannot be the same threads."""
    for op in loops:
        outer = next((p for p in loop.enclosing(op, loop.ForOp) if p in loops), None)
        if outer is None:
            continue
        assert isinstance(outer, loop.ForOp)
        names = f"loop {name_of(op.induction_variable)} stands inside loop {name_of(outer.induction_variable)}"
        if tag.startswith("blockIdx"):
            _refuse(tag, names, op, (outer, op))
        facts = ranges.at(op)
        if not all(any(facts.proves(m - n) for n in _counts(op)) for m in _counts(outer)):
            _refuse(tag, f"{names} and may be longer", op, (outer, op))


def _extend(op: loop.ForOp, extent: Index, guards: Sequence[Index]) -> None:
    """Let a loop run from 0 to `extent`, its body where the guards exceed the variable."""
    wider = loop.ForOp(0, extent, kind=op.kind, name_hint=op.induction_variable.name_hint)
    edit.change(wider).attributes |= op.attributes
    edit.insert(wider, InsertPoint.before(op), of=op)
    edit.detach(op)
    block = wider.body.block
    thread = Index.of(wider.induction_variable)
    if guards:
        only = loop.IfOp([n - thread - 1 for n in guards])
        only.location = op.location
        edit.append(block, only)
        block = only.then_body.block
    edit.append(block, op)
    inline_body(op, thread + op.lowers[0])


def _refuse(tag: str, reason: str, op: Operation, loops: Sequence[loop.ForOp]) -> NoReturn:
    notes = [f"{describe(each)}{_header(each)}" for each in loops[:4]]
    fail("TW0543", f"expected one extent for all loops over {tag} of a kernel, but {reason}", op=op, notes=notes)


def _header(op: loop.ForOp) -> str:
    return str(op).partition("{")[0].strip()
