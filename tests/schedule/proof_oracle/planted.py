"""Faults planted in passes and primitives: a helper of one is replaced by a wrong one, and the step is taken."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from importlib import import_module
from typing import Any
from unittest import mock

from tilewright.dialects import context, loop
from tilewright.dialects.index_expr import Index
from tilewright.dialects.target import TARGET_ATTRIBUTE
from tilewright.passes.framework.base import algebra_of
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.schedule import Schedule
from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, ModuleOp
from xdsl.rewriter import InsertPoint

from ..programs import chain, elementwise, parse
from ..test_empty_reductions import fixed, row_sums
from ..test_scratch import scanned_consumer
from .known_wrong import schedule_by
from .steps import TARGET, Step, functions

Wrong = Callable[[Callable[..., Any]], Any]
"""Makes the wrong helper of the right one."""


@dataclass(frozen=True)
class Planted:
    """A fault in one step of a program."""

    name: str
    text: str
    step: str
    """A pass, or a call of the schedule."""
    where: str = ""
    """The helper, as `module:name`; empty where an argument of the call switches its check off."""
    wrong: Wrong | None = None
    prepare: str = ""
    """Calls before the step."""
    passes: str = ""
    """Passes before the step."""
    refused_without: bool = False
    """True if the step is refused without the planted fault."""

    def taken(self, *, planted: bool = True) -> Step:
        """Return the program before and after the step, with the fault or without."""
        module = parse(self.text)
        module.attributes[TARGET_ATTRIBUTE] = TARGET
        schedule = Schedule(module)
        schedule_by(schedule, self.prepare)
        if self.passes:
            PassManager(parse_pipeline(self.passes)).run(context(), module)
        before = functions(module)[0].clone()
        with ExitStack() as stack:
            if planted and self.where and self.wrong is not None:
                path, name = self.where.split(":")
                owner: Any = import_module(f"tilewright.{path}")
                *classes, name = name.split(".")
                for each in classes:
                    owner = getattr(owner, each)
                stack.enter_context(mock.patch.object(owner, name, self.wrong(getattr(owner, name))))
            algebra = self._take(module, schedule)
        assert isinstance(module, ModuleOp)
        return Step(self.name, before, functions(module)[0].clone(), algebra)

    def _take(self, module: ModuleOp, schedule: Schedule) -> Any:
        if "(" in self.step:
            before = schedule.algebra
            schedule_by(schedule, self.step)
            module.verify()
            return before | schedule.algebra
        (pass_,) = parse_pipeline(self.step)
        PassManager([pass_]).run(context(), module)
        return algebra_of(pass_)


def _always(answer: Any) -> Wrong:
    return lambda right: lambda *arguments, **options: answer


def _result(change: Callable[[Any], Any]) -> Wrong:
    """Return the right result, changed."""
    return lambda right: lambda *arguments, **options: change(right(*arguments, **options))


def _first_operand(right: Callable[..., Any]) -> Callable[..., Any]:
    """Let x + y be x."""
    return lambda op: op.lhs if isinstance(op, arith.AddfOp) else right(op)


def _one_less_at_most(right: Callable[..., Any]) -> Callable[..., Any]:
    def widest(positions: Any, *, greatest: bool) -> Any:
        bound = right(positions, greatest=greatest)
        return bound - 1 if greatest and bound is not None else bound

    return widest


def _without_the_last(right: Callable[..., Any]) -> Callable[..., Any]:
    def expand(op: loop.ForOp) -> None:
        op.set_index_lists(upper=[e - 1 for e in op.uppers])
        right(op)

    return expand


def _other_start(right: Callable[..., Any]) -> Callable[..., Any]:
    """Let partial results start from 1 more than their identity."""

    def start(plan: Any, new: loop.BlockOp, *others: Any) -> None:
        right(plan, new, *others)
        assert new.init is not None
        for op in new.init.walk():
            if isinstance(op, arith.ConstantOp) and isinstance(op.value, FloatAttr):
                op.properties["value"] = FloatAttr(op.value.value.data + 1.0, op.value.type)

    return start


class _Late(InsertPoint):
    """Puts after what should come before."""

    before = InsertPoint.after


IN_TURN = """
func.func @k(%A: memref<8xf64>, %C: memref<8xf64> {tw.output}) {
  %zero = arith.constant 0.0 : f64
  %T = loop.alloc : memref<9xf64>
  loop.for %z = 0 to 9 { loop.store %zero, %T[%z] : memref<9xf64> }
  loop.for %x = 0 to 8 {
    %t = loop.load %T[%x] : memref<9xf64>
    %a = loop.load %A[%x] : memref<8xf64>
    %s = arith.addf %t, %a : f64
    loop.store %s, %T[%x + 1] : memref<9xf64>
    %u = loop.load %T[%x] : memref<9xf64>
    %r = arith.mulf %u, %s : f64
    loop.store %r, %C[%x] : memref<8xf64>
  }
  func.return
}"""
"""Running sums, each read before and after a store."""

AGAIN = """
func.func @k(%A: memref<8xf64>, %C: memref<8xf64> {tw.output}) {
  %T = loop.alloc : memref<1xf64>
  loop.for %x = 0 to 8 {
    %a = loop.load %A[%x] : memref<8xf64>
    loop.store %a, %T[0] : memref<1xf64>
    %t = loop.load %T[0] : memref<1xf64>
    %s = arith.mulf %t, %t : f64
    loop.store %s, %T[0] : memref<1xf64>
    %u = loop.load %T[0] : memref<1xf64>
    %r = arith.subf %u, %t : f64
    loop.store %r, %C[%x] : memref<8xf64>
  }
  func.return
}"""
"""One element, read, overwritten and read again."""

CARRIED = """
func.func @k(%A: memref<8xf64>, %C: memref<8xf64> {tw.output}) {
  %zero = arith.constant 0.0 : f64
  %T = loop.alloc : memref<9xf64>
  loop.for %x = 0 to 8 {
    %t = loop.load %T[%x] where (%x >= 1) else %zero : memref<9xf64>
    %a = loop.load %A[%x] : memref<8xf64>
    %s = arith.addf %t, %a : f64
    loop.store %s, %T[%x + 1] : memref<9xf64>
    loop.store %s, %C[%x] : memref<8xf64>
  }
  func.return
}"""
"""Sums that one iteration leaves for the next."""

PARTLY = """
func.func @k(%A: memref<8xf64>, %C: memref<8xf64> {tw.output}) {
  %zero = arith.constant 0.0 : f64
  %T = loop.alloc : memref<8xf64>
  loop.for %z = 0 to 8 { loop.store %zero, %T[%z] : memref<8xf64> }
  loop.for %x = 0 to 8 {
    loop.if (%x >= 3) {
      %a = loop.load %A[%x] : memref<8xf64>
      loop.store %a, %T[%x] : memref<8xf64>
    }
  }
  loop.for %y = 0 to 8 {
    %t = loop.load %T[%y] : memref<8xf64>
    loop.store %t, %C[%y] : memref<8xf64>
  }
  func.return
}"""
"""A buffer of which a condition lets some elements be overwritten."""

BESIDE = """
func.func @k(%A: memref<8xf64>, %C: memref<8xf64> {tw.output}) {
  %T = loop.alloc : memref<8xf64>
  %U = loop.alloc : memref<8xf64>
  loop.for %x = 0 to 8 {
    %a = loop.load %A[%x] : memref<8xf64>
    %b = arith.mulf %a, %a : f64
    loop.store %b, %T[%x] : memref<8xf64>
  }
  loop.for %y = 0 to 8 {
    %a = loop.load %A[7 - %y] : memref<8xf64>
    loop.store %a, %U[%y] : memref<8xf64>
  }
  loop.for %z = 0 to 8 {
    %t = loop.load %T[%z] : memref<8xf64>
    %u = loop.load %U[%z] : memref<8xf64>
    %r = arith.addf %t, %u : f64
    loop.store %r, %C[%z] : memref<8xf64>
  }
  func.return
}"""
"""Two buffers that are needed at once."""

SHORT = """
func.func @k(%A: memref<4xf64>, %C: memref<5xf64> {tw.output}) {
  loop.for %x = 0 to 4 kind unrolled {
    %a = loop.load %A[%x] : memref<4xf64>
    %c = loop.load %C[%x] : memref<5xf64>
    %r = arith.addf %a, %c : f64
    loop.store %r, %C[%x] : memref<5xf64>
  }
  func.return
}"""
"""A short loop to be written out."""

_LOWERED = "lower-blocks"
PLANTED = (
    Planted("a sum begins at each term", fixed(7), "lower-blocks", "passes.phase1.lower_blocks:unproved", _always(())),
    Planted(
        "the guard of a block is dropped",
        elementwise(10, 6),
        "lower-blocks",
        "passes.phase1.lower_blocks:unproved",
        _always(()),
        "split(i, [None, 4])",
    ),
    Planted(
        "a load goes before a loop that writes its element",
        fixed(7),
        "hoist",
        "passes.phase3.hoist:_may_load_before",
        lambda right: lambda op, around: isinstance(op, loop.LoadOp),
        passes=_LOWERED,
    ),
    Planted("x + y = x", fixed(7), "simplify", "passes.phase3.simplify:identity_of", _first_operand, passes=_LOWERED),
    Planted(
        "a tile ends before its tensor does",
        elementwise(10, 6),
        "trim-loops",
        "passes.phase1.trim_loops:_widest",
        _one_less_at_most,
        "split(i, [None, 4])",
        _LOWERED,
    ),
    Planted(
        "the main part of a loop is one iteration too long",
        elementwise(10, 6),
        "partition-loops",
        "passes.phase2.partition_loops:_cuts",
        _result(lambda cuts: (cuts[0], [e + 1 for e in cuts[1]])),
        "split(i, [None, 4])",
        _LOWERED,
    ),
    Planted(
        "a buffer moves into a loop whose iterations share it",
        CARRIED,
        "sink-allocations",
        "passes.phase1.sink_allocations:_may_enter",
        _always(True),
    ),
    Planted(
        "buffers that are needed at once lie at one place of the arena",
        BESIDE,
        "plan-arena",
        "passes.phase1.plan_arena:assign_offsets",
        _result(lambda planned: ([0] * len(planned[0]), planned[1])),
    ),
    Planted(
        "buffers that are needed at once share one",
        BESIDE,
        "reuse-storage",
        "analysis.lifetimes:Lifetimes.may_share",
        _always(True),
    ),
    Planted(
        "rows overlap",
        elementwise(4, 6),
        "flatten-buffers",
        "passes.phase1.flatten_buffers:_linear",
        lambda right: lambda index, shape: right(index, [n - 1 for n in shape]),
        passes=_LOWERED,
    ),
    Planted(
        "a guard goes that keeps elements as they were",
        PARTLY,
        "relax-guards",
        "passes.phase1.relax_guards:_Buffers.confines",
        _always(True),
    ),
    Planted("a load before a store is used after it", AGAIN, "cse", "passes.phase3.cse:_forget", _always(None)),
    Planted(
        "the last iteration is not written out",
        SHORT,
        "expand-unrolled",
        "passes.phase2.expand_unrolled:expand",
        _without_the_last,
    ),
    Planted(
        "lanes beyond the end are stored",
        elementwise(10, 6),
        "vectorize",
        "passes.phase2.vectorize.loop_lanes:_unique",
        _always(()),
        "split(j, [None, 4]); vectorize(ji)",
        _LOWERED,
    ),
    Planted(
        "all iterations are held in one register",
        SHORT,
        "store-last",
        "passes.phase2.store_last:_count",
        _always(Index.of(0)),
    ),
    Planted(
        "the parts of a split overlap",
        elementwise(12, 6),
        "split(i, [None, 4])",
        "schedule.primitives.split:_position",
        lambda right: lambda loops, extents: (Index.of(loops[0].induction_variable) + loops[1].induction_variable, []),
    ),
    Planted(
        "a split has no guard",
        elementwise(10, 6),
        "split(i, [None, 4])",
        "schedule.primitives.split:_is_exact",
        _always(True),
    ),
    Planted(
        "a fused loop is taken apart by the wrong size",
        elementwise(4, 6),
        "fuse(i, j)",
        "schedule.primitives.fuse:_digits",
        lambda right: lambda fused, inner: right(fused, [n - 1 for n in inner]),
    ),
    Planted(
        "loops change places against a dependence",
        scanned_consumer(),
        "reorder(j, i)",
        "schedule.primitives.reorder:reversed_by",
        _always(None),
        refused_without=True,
    ),
    Planted(
        "loops in a row are merged against a dependence",
        chain(8, "7 - %vj"),
        "merge(i, j)",
        "schedule.primitives.merge:reversed_by_merging",
        _always(None),
        refused_without=True,
    ),
    Planted(
        "a producer computes the element beside the one that is read",
        chain(8, "7 - %vj"),
        "compute_at(B, j)",
        "schedule.primitives.compute_at:iteration_spans",
        _result(lambda spans: [(6 - lower + 1, count) for lower, count in spans]),
    ),
    Planted(
        "a part of the result is copied back",
        fixed(7),
        'cache_write(S, 0, "local")',
        "schedule.primitives.cache_read_write:_copied_spans",
        _result(lambda spans: [(lower, count - 1) for lower, count in spans]),
    ),
    Planted(
        "partial results do not start from the identity",
        fixed(8),
        "rfactor(ki)",
        "schedule.primitives.rfactor:_start_from_identity",
        _other_start,
        "split(k, [None, 4])",
    ),
    Planted(
        "a sum is begun after its terms",
        row_sums(),
        "decompose_reduction(S, k)",
        "schedule.primitives.decompose_reduction:InsertPoint",
        lambda right: _Late,
    ),
)
