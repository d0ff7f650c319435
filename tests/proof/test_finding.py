"""Bisection, reproducers and reduction, on planted faults."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from tilewright.diagnostics import TilewrightError, fail
from tilewright.dialects import context, loop, te
from tilewright.ir.rewrites import count_rewrites, may_rewrite
from tilewright.passes.framework.base import Level
from tilewright.passes.framework.bisection import bisect, fails
from tilewright.passes.framework.manager import PassManager, verify_module
from tilewright.passes.framework.reducing import Reducer, count_ops
from tilewright.passes.framework.reproducer import Reproducer, read
from tilewright.passes.framework.rewriting import rewrite
from tilewright.passes.framework.validation import Validation
from tilewright.passes.phase0 import lower_te
from tilewright.passes.pipeline import conversion
from tilewright.tools.cli import main as tilewright_main
from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, ModuleOp
from xdsl.dialects.func import CallOp
from xdsl.ir import Operation
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
)
from xdsl.rewriter import Rewriter

from .planted import CONVOLUTION, SUM, Crashes, SkipsRelu, Subtracts, module_of

SMALL_LOOPS = """\
func.func @f(%a: memref<8xf32>, %b: memref<8xf32> {tw.output}) {
  loop.for %i = 0 to 8 {
    %0 = loop.load %a[%i] : memref<8xf32>
    %1 = arith.addf %0, %0 : f32
    %2 = arith.mulf %1, %0 : f32
    loop.store %2, %b[%i] : memref<8xf32>
  }
  func.return
}
"""


class Commutes(RewritePattern):
    """Swap the operands of additions and products, once each; of products with a mistake."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if "swapped" in op.attributes or not isinstance(op, (arith.AddfOp, arith.MulfOp)):
            return
        made = type(op)(op.rhs, op.lhs) if isinstance(op, arith.AddfOp) else arith.MulfOp(op.rhs, op.rhs)
        made.attributes["swapped"] = arith.IntegerAttr(1, 1)
        rewriter.replace(op, made)


def test_bisection_finds_pass_and_position() -> None:
    passes = [*conversion(Level.GRAPH, Level.LOOP), Subtracts(), *conversion(Level.LOOP, Level.LOOP)]
    found = bisect(module_of(SUM), passes, 2)
    assert (found.pass_.name, found.position) == ("subtracts", len(passes))
    assert found.rewrite is not None and (found.rewrite.number, found.rewrite.total) == (1, 1)
    assert found.rewrite.description.startswith("subtracts on builtin.module")  # it counts none of its own


def test_a_pass_that_counts_nothing_is_one_rewrite() -> None:
    module = module_of(SMALL_LOOPS)
    before = str(module)
    with count_rewrites(0, counts_passes=True) as counter:
        PassManager([Subtracts()]).run(context(), module)
    assert (counter.count, str(module)) == (0, before)
    with count_rewrites(1, counts_passes=True) as counter:
        PassManager([Subtracts()]).run(context(), module)
    assert counter.count == 1 and str(module) != before


def test_bisection_finds_the_rewrite() -> None:
    from tilewright.passes.framework.context import as_pass

    pass_ = as_pass(lambda ctx, module: rewrite(module, [Commutes()]))
    found = bisect(module_of(SMALL_LOOPS), [pass_], 2)
    assert found.rewrite is not None
    assert (found.rewrite.number, found.rewrite.total) == (2, 2)
    assert found.rewrite.description.startswith("Commutes on arith.mulf")
    assert "--rewrite-limit 2 makes it the last one" in found.report()


class Keeps(RewritePattern):
    """Changes nothing."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        return


@pytest.mark.parametrize("several", [False, True])
def test_rewrites_of_xdsls_walker_are_counted(several: bool) -> None:
    """A pass written for xDSL makes its walker itself; of several patterns the one that fired is named."""
    from tilewright.passes.framework.context import as_pass

    def commute(module: ModuleOp) -> None:
        patterns = GreedyRewritePatternApplier([Keeps(), Commutes()], dce_enabled=False) if several else Commutes()
        PatternRewriteWalker(patterns).rewrite_module(module)

    found = bisect(module_of(SMALL_LOOPS), [as_pass(commute)], 2)
    assert found.rewrite is not None and found.rewrite.is_counted
    assert (found.rewrite.number, found.rewrite.total) == (2, 2)
    assert found.rewrite.description.startswith("Commutes on arith.mulf")
    module = module_of(SMALL_LOOPS)
    with count_rewrites(1) as counter:
        commute(module)
    assert (counter.count, str(module).count("swapped")) == (1, 1)
    commute(module)  # nobody counts: the walker does all of its work
    assert str(module).count("swapped") == 2


def test_xdsls_walker_is_as_it_was_when_nothing_counts() -> None:
    """Counters nest, and those of several threads overlap; a walk counts in the thread of its counter alone."""
    original = PatternRewriteWalker.rewrite_region
    first_ended, second_started = Event(), Event()
    counts = dict[str, int]()

    def first() -> None:
        with count_rewrites(), count_rewrites() as counter:
            assert second_started.wait(10)
            PatternRewriteWalker(Commutes()).rewrite_module(module_of(SMALL_LOOPS))
            counts["first"] = counter.count
        first_ended.set()

    def second() -> None:
        with count_rewrites() as counter:
            second_started.set()
            assert first_ended.wait(10)
            assert PatternRewriteWalker.rewrite_region is not original
            counts["second"] = counter.count

    with ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(first), pool.submit(second)]:
            done.result()
    assert counts == {"first": 2, "second": 0}
    assert PatternRewriteWalker.rewrite_region is original
    with pytest.raises(TilewrightError), count_rewrites():
        fail("TW0214", "expected an error")
    assert PatternRewriteWalker.rewrite_region is original


def test_a_walker_that_another_library_changed_meanwhile_keeps_the_change(monkeypatch: pytest.MonkeyPatch) -> None:
    original = PatternRewriteWalker.rewrite_region
    with count_rewrites() as counter:
        ours = PatternRewriteWalker.rewrite_region
        theirs = lambda self, region: ours(self, region)  # noqa: E731
        monkeypatch.setattr(PatternRewriteWalker, "rewrite_region", theirs)
    assert PatternRewriteWalker.rewrite_region is theirs
    with count_rewrites() as counter:
        PatternRewriteWalker(Commutes()).rewrite_module(module_of(SMALL_LOOPS))
    assert counter.count == 2
    assert PatternRewriteWalker.rewrite_region is theirs
    monkeypatch.setattr(PatternRewriteWalker, "rewrite_region", original)


def test_what_xdsls_walker_folds_or_erases_is_a_rewrite() -> None:
    module = module_of(SMALL_LOOPS.replace("%1 = arith.addf", "%dead = arith.addf %0, %0 : f32\n    %1 = arith.addf"))
    walker = PatternRewriteWalker(GreedyRewritePatternApplier([Keeps()]))
    with count_rewrites() as counter:
        walker.rewrite_module(module)
    assert [*counter.by_name.items()] == [("fold or erase", 1)]
    assert "%dead" not in str(module)


SEVERAL = """\
func.func @main(%a: tensor<?xf32, #graph.dims<n>>, %b: tensor<?xf32, #graph.dims<n>>) -> tensor<?xf32, #graph.dims<n>> {
  %s = graph.sub %a, %b : tensor<?xf32, #graph.dims<n>>
  %t = graph.mul %s, %b : tensor<?xf32, #graph.dims<n>>
  %u = graph.sub %t, %a : tensor<?xf32, #graph.dims<n>>
  func.return %u : tensor<?xf32, #graph.dims<n>>
}
"""


def test_bisection_of_a_conversion_names_the_operation(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pass that makes all anew counts no rewrites; it runs on each operation alone."""
    build = lower_te.build_nest

    def build_wrong_nest(op: te.ComputeOp, *arguments: Any) -> Operation:
        nest = build(op, *arguments)
        for inner in [inner for inner in nest.walk() if isinstance(inner, arith.MulfOp)]:
            Rewriter.replace_op(inner, arith.AddfOp(inner.lhs, inner.rhs))
        return nest

    module = module_of(SEVERAL)
    PassManager(conversion(Level.GRAPH, Level.TE)).run(context(), module)
    assert any(isinstance(op, CallOp) for op in module.walk())
    monkeypatch.setattr(lower_te, "build_nest", build_wrong_nest)
    found = bisect(module, [lower_te.LowerTePass()], 2)
    assert found.rewrite is not None and not found.rewrite.is_counted
    assert found.rewrite.description == "te.compute (test.mlir:3:8)"
    report = found.report()
    assert f"what it makes of te.compute (test.mlir:3:8), operation {found.rewrite.number} of" in report
    assert "--rewrite-limit" not in report


def test_bisection_of_a_conversion_names_the_return(monkeypatch: pytest.MonkeyPatch) -> None:
    """A returned argument is copied, and only the return stands for the copy."""
    build = lower_te.build_copy

    def build_wrong_copy(*arguments: Any) -> Operation:
        copy = build(*arguments)
        for load in [inner for inner in copy.walk() if isinstance(inner, loop.LoadOp)]:
            Rewriter.replace_op(load, arith.ConstantOp(FloatAttr(7.0, load.res.type)))
        return copy

    monkeypatch.setattr(lower_te, "build_copy", build_wrong_copy)
    text = "func.func @f(%a: tensor<8xf32>) -> (tensor<8xf32>) {\n  func.return %a : tensor<8xf32>\n}\n"
    found = bisect(module_of(text), [lower_te.LowerTePass()], 2)
    assert found.rewrite is not None
    assert found.rewrite.description == "func.return (test.mlir:2:3)"


def test_bisection_of_a_crash() -> None:
    found = bisect(module_of(SMALL_LOOPS), [Crashes()], 1)
    assert isinstance(found.error, ZeroDivisionError)


def test_right_pipelines_have_nothing_to_bisect() -> None:
    with pytest.raises(TilewrightError, match="TW0554"):
        bisect(module_of(SUM), conversion(Level.GRAPH, Level.LOOP), 1)


def test_rewrites_are_counted_and_limited() -> None:
    ops = [op for op in module_of(SMALL_LOOPS).walk() if isinstance(op, (arith.AddfOp, arith.MulfOp))]
    assert all(may_rewrite("change", op) for op in ops)
    with count_rewrites(1) as counter:
        assert [may_rewrite("change", op) for op in ops] == [True, False]
    assert (counter.count, counter.last.split(" (")[0]) == (1, "change on arith.addf")


def test_reproducers_hold_what_failed(tmp_path: Path) -> None:
    path = tmp_path / "failed.mlir"
    passes = [*conversion(Level.GRAPH, Level.LOOP), Crashes()]
    with pytest.raises(ZeroDivisionError):
        PassManager(passes, [Reproducer(path, {"validate": 3})]).run(context(), module_of(SUM))
    text = path.read_text()
    recipe = read(text, str(path))
    assert (recipe.pipeline, recipe.failure) == ("crashes", "ZeroDivisionError: planted")
    assert recipe.options == {"validate": 3}
    assert set(recipe.versions) == {"tilewright", "python", "xdsl"}
    verify_module(module_of(text))
    assert "loop.for" in text


@pytest.mark.parametrize("text", ["", "// tilewright reproducer pipeline: cse", "func.func @f() { func.return }"])
def test_other_files_are_no_reproducers(text: str) -> None:
    with pytest.raises(TilewrightError, match="TW0553"):
        read(text, "x.mlir")


def test_reduction_of_a_graph() -> None:
    tried: list[ModuleOp] = []

    def is_wrong(module: ModuleOp) -> bool:
        verify_module(module)
        tried.append(module)
        return fails(module, [SkipsRelu()], Validation(1))

    reducer = Reducer(module_of(CONVOLUTION), is_wrong)
    smallest = reducer.run()
    assert [op.name for op in smallest.walk() if op.name.startswith("graph.")] == ["graph.add", "graph.relu"]
    assert reducer.tests == len(tried)
    assert "1x2x2x2" in str(smallest)


def test_reduction_of_loops() -> None:
    smallest = Reducer(module_of(SMALL_LOOPS), lambda module: "arith.mulf" in str(module)).run()
    assert count_ops(smallest) <= 3
    assert "loop.for" not in str(smallest)


def test_reduction_respects_its_limit() -> None:
    module = module_of(SMALL_LOOPS)
    assert Reducer(module, lambda module: True, seconds=-1).run() is module


def test_reduce_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, output = tmp_path / "in.mlir", tmp_path / "out.mlir"
    source.write_text(SMALL_LOOPS)
    assert tilewright_main(["reduce", str(source), "--test", "grep -q arith.addf", "-o", str(output)]) == 0
    assert "arith.addf" in output.read_text()
    assert count_ops(module_of(output.read_text())) <= 3
    assert "operations reduced to" in capsys.readouterr().err


def test_reduce_wants_an_interesting_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "in.mlir"
    source.write_text(SMALL_LOOPS)
    assert tilewright_main(["reduce", str(source), "--test", "false"]) == 1
    assert "TW0555" in capsys.readouterr().err


def test_only_valid_modules_are_tried() -> None:
    tried = 0

    def is_interesting(candidate: ModuleOp) -> bool:
        nonlocal tried
        tried += 1
        verify_module(candidate)
        return any(op.name == "graph.relu" for op in candidate.walk())

    reduced = Reducer(module_of(CONVOLUTION), is_interesting).run()
    assert tried > 3
    assert [op.name for op in reduced.walk() if op.name.startswith("graph.")] == ["graph.relu"]


THREADS = """\
func.func @f(%b: memref<8xf32> {tw.output}) {
  %zero = arith.constant 0.0 : f32
  loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
    loop.for %i = 0 to 4 {
      loop.barrier <"shared">
      loop.store %zero, %b[%t] : memref<8xf32>
    }
  }
  func.return
}
"""


def test_a_barrier_keeps_the_loop_over_its_threads() -> None:
    """The other loop goes; without that over threads the barrier would not be valid."""

    def is_interesting(candidate: ModuleOp) -> bool:
        verify_module(candidate)
        return any(isinstance(op, loop.BarrierOp) for op in candidate.walk())

    reduced = Reducer(module_of(THREADS), is_interesting).run()
    assert [op.name for op in reduced.walk()][1:] == ["func.func", "loop.for", "loop.barrier", "func.return"]


CALLS = """\
func.func private @half(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.add %x, %x : tensor<4xf32>
  func.return %y : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = graph.relu %x : tensor<4xf32>
  %y = func.call @half(%r) : (tensor<4xf32>) -> tensor<4xf32>
  %z = graph.add %y, %r : tensor<4xf32>
  func.return %z : tensor<4xf32>
}
"""


def test_functions_go_with_the_last_call() -> None:
    """The function that is being cut stands behind one that goes with it: @half cannot be dropped before."""

    def is_interesting(candidate: ModuleOp) -> bool:
        names = {op.name for op in candidate.walk()}
        return "graph.relu" in names and ("func.call" in names or "graph.add" not in names)

    reduced = Reducer(module_of(CALLS), is_interesting).run()
    assert [op.name for op in reduced.walk()] == ["builtin.module", "func.func", "graph.relu", "func.return"]
