"""Every optimisation pass counts its rewrites, and stops after any number of them with a valid, equivalent program."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tilewright import dialects
from tilewright.dialects import graph
from tilewright.ir.rewrites import count_rewrites
from tilewright.passes.framework.base import is_exact, level_of
from tilewright.passes.framework.manager import verify_module
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.passes.pipeline import with_conversions
from tilewright.semantics.registry import find_reference
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

sys.path.append(str(Path(__file__).resolve().parents[1]))

from fuzz.trial import difference, draw_module, run_all

OPTIMISATIONS = (
    "auto-schedule", "collapse-dimensions", "contract-fma", "cse", "dead-code", "eliminate-common-subexpressions",
    "expand-unrolled", "fix-layouts", "flatten-buffers", "fold-constant", "fuse", "hoist", "lower-blocks",
    "lower-graph", "lower-intrinsics", "outline", "parallelize", "partition-loops", "sink-allocations", "plan-arena",
    "remove-no-op", "reorder", "simplify", "simplify-inference", "tile{sizes=2,2}", "trim-loops", "unroll",
    "vectorize{width=2}",
)  # fmt: skip
LARGE = {"auto-schedule", "lower-intrinsics"}


def _prepared(number: int, pass_: ModulePass) -> ModuleOp | None:
    """Return a random module at a level that the pass works on; None where rounding would make differences large, and
    for groups of operators, which are outlined first."""
    _, _, smooth, module = draw_module(11, number)
    if pass_.name == "lower-graph" and any(isinstance(op, graph.FusedOp) for op in module.walk()):
        return None
    if not smooth and not is_exact(pass_):
        return None
    steps = with_conversions([pass_], level_of(module)) if level_of(module) >= min(pass_.levels) else []  # pyright: ignore
    if not steps or (len(steps) > 1 and not all(map(is_exact, steps[:-1]))):
        return None
    for step in steps[:-1]:
        step.apply(dialects.context(), module)
    return module


@pytest.mark.sampled(2)
@pytest.mark.each("name", OPTIMISATIONS, shards=2)
def test_a_limit_leaves_an_equivalent_program(name: str) -> None:
    assert find_reference("graph.add") is not None
    (pass_,) = parse_pipeline(name)
    exact = is_exact(pass_)
    for number in range(500):
        module = _prepared(number, pass_)
        if module is None:
            continue
        with count_rewrites() as counter:
            whole = module.clone()
            pass_.apply(dialects.context(), whole)
        if str(whole) != str(module):
            assert counter.count > 0, f"{name} changes a module and counts nothing"
        if counter.count < 1:
            continue
        expected = run_all(module)
        for limit in {0, counter.count // 2}:
            part = module.clone()
            with count_rewrites(limit, limits_needed=True) as counted:
                pass_.apply(dialects.context(), part)
            assert counted.count <= limit
            verify_module(part)
            assert difference(expected, run_all(part, expected), exact=exact) is None
        return
    pytest.fail(f"no module for {name}")


def test_a_limit_leaves_out_nothing_that_later_passes_need() -> None:
    """In a pipeline the conversions run whatever the limit is: without them no pass after them would."""
    _, _, _, module = draw_module(11, next(n for n in range(99) if draw_module(11, n)[1] == "graph"))
    with count_rewrites(0):
        for pass_ in with_conversions(parse_pipeline("simplify"), level_of(module)):
            pass_.apply(dialects.context(), module)
    assert level_of(module).name == "LOOP"
