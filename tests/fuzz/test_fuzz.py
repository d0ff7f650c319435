"""The generator of random modules and its runner: everything is emitted, valid and reproducible, faults are found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tilewright.diagnostics import TilewrightError
from tilewright.dialects import graph, loop, te
from tilewright.passes.framework.base import Level, Pass
from tilewright.passes.framework.manager import verify_module
from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from .campaign import Summary, draw_many, reduced
from .draw import Draw
from .foreign import register
from .graph_modules import graph_module
from .loop_modules import loop_module
from .te_modules import te_module
from .trial import DIFFERENT, SAME, Trial, Verdict, changes, draw_module

GRAPHS = 460
"""The number of graph modules that are drawn."""


@pytest.fixture(scope="module")
def modules() -> list[ModuleOp]:
    """Return some modules of each level, and more graphs, which have the most operators."""
    register()
    drawn = [graph_module(Draw(0, number)) for number in range(GRAPHS)]
    drawn += [te_module(Draw(1, number), smooth=number % 2 == 0) for number in range(50)]
    drawn += [loop_module(Draw(7, number), smooth=number % 2 == 0, blocks=number % 3 == 0) for number in range(90)]
    return drawn


def _dialect_ops() -> Iterator[str]:
    for dialect in (graph.Graph, te.TE, loop.Loop):
        yield from (op.name for op in dialect.operations)


COUNTED = ["graph.prefix", "loop.print", "te.match", "te.prefix"]
"""Parts as long as a count says, which has to be a size of the function: tests of counted results have them. Sizes that
are matched: random graphs have them, before they are lowered. What prints has tests of its own."""


def test_every_operation_is_emitted(modules: list[ModuleOp]) -> None:
    emitted = Counter(op.name for module in modules for op in module.walk())
    assert sorted(set(_dialect_ops()) - set(emitted)) == COUNTED
    assert sum(name.startswith(("arith.", "math.")) for name in emitted) > 70


def test_graphs_have_empty_dimensions_and_results_that_are_moved(modules: list[ModuleOp]) -> None:
    graphs = modules[:GRAPHS]
    empty = [m for m in graphs if any(0 in graph.shape_of(op.results[0]) for op in m.walk() if _is_operator(op))]
    moved = [m for m in graphs if any(_is_moved(op) for op in m.walk())]
    assert len(empty) >= 6 and len(moved) >= 6


def _is_operator(op: Operation) -> bool:
    return isinstance(op, graph.GraphOp) and bool(op.results)


def _is_moved(op: Operation) -> bool:
    """Return whether it reads a convolution or a transpose of an image at other indices."""
    made = op.operands[0].owner if isinstance(op, (graph.GatherOp, graph.ResizeOp)) else None
    return isinstance(made, (graph.Conv2dOp, graph.TransposeOp)) and len(graph.shape_of(made.results[0])) == 4


def test_modules_are_valid(modules: list[ModuleOp]) -> None:
    def is_valid(module: ModuleOp) -> bool:
        try:
            verify_module(module)
        except TilewrightError:
            return False
        return True

    assert sum(map(is_valid, modules)) >= 0.99 * len(modules)


def test_a_number_names_a_module(modules: list[ModuleOp]) -> None:
    for number in (0, 7, 21):
        assert str(graph_module(Draw(0, number))) == str(modules[number])
    assert str(draw_module(3, 5)[3]) == str(draw_module(3, 5)[3])
    assert str(draw_module(3, 6)[3]) != str(draw_module(3, 5)[3])


def test_passes_keep_what_modules_compute() -> None:
    summary = draw_many(0, range(1, 17), None)
    assert summary.bad == []
    assert sum(summary.outcomes.values()) == 16
    assert len(summary.passes) > 20


@dataclass(frozen=True)
class _Planted(Pass):
    """Turns additions into subtractions."""

    name = "planted"
    phase = 2
    levels = (Level.LOOP,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for each in list(op.walk()):
            if isinstance(each, arith.AddiOp):
                Rewriter.replace_op(each, arith.SubiOp(each.lhs, each.rhs))
            elif isinstance(each, arith.AddfOp):
                Rewriter.replace_op(each, arith.SubfOp(each.lhs, each.rhs))


def test_a_wrong_pass_is_found_and_its_module_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    verdict = next(v for number in range(60) if (v := _through(number, _Planted())).outcome != SAME)
    assert verdict.outcome == DIFFERENT
    assert verdict.pass_ == "planted"
    assert verdict.before is not None
    assert changes(verdict.before, _Planted()) is not None
    monkeypatch.setattr(_PARSE, lambda _: [_Planted()])
    small = reduced(verdict, 2.0)
    assert small is not None
    assert sum(1 for _ in small.walk()) <= sum(1 for _ in verdict.before.walk())
    assert changes(small, _Planted()) is not None


_PARSE = f"{draw_many.__module__}.parse_pipeline"


def _through(number: int, pass_: Pass) -> Verdict:
    trial = Trial(0, number)
    if trial.verdict.kind == "loop":
        trial.pipeline = [pass_]
        return trial.run()
    return trial.verdict


def test_the_summary_counts(tmp_path: Path) -> None:
    summary = Summary()
    verdict = Verdict(3, 5, "loop", DIFFERENT, "output 0", "cse")
    summary.add(verdict)
    summary.add(Verdict(3, 6, "te", SAME))
    text = str(summary)
    assert "failures: 1" in text
    assert "--seed 3 --number 5: loop different in cse: output 0" in text
    assert "same 1" in text
