"""Validation and bisection find stores that are missing or read too early where a program only moves values."""

from __future__ import annotations

from typing import Any

import pytest
import tilewright
from tilewright.diagnostics import TilewrightError
from tilewright.dialects import loop
from tilewright.driver import oracle
from tilewright.driver.oracle import compare_with_plain
from tilewright.ir import editor as edit
from tilewright.passes.framework.context import as_pass
from xdsl.dialects.builtin import ModuleOp

from .planted import module_of
from .planted_stores import planted_stores

RELU = """\
func.func @main(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = graph.relu %x : tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
"""


def test_each_fault_is_named_and_pinned() -> None:
    """`make proof` asks the same behind the default passes."""
    problems = {str(planted): planted.problem() for planted in planted_stores(optimised=False)}
    assert len(problems) > 30
    assert {name: problem for name, problem in problems.items() if problem is not None} == {}


def test_results_of_a_call_before_are_no_results(monkeypatch: pytest.MonkeyPatch) -> None:
    """Code that writes fresh outputs and leaves those of its caller as they are is wrong in any memory."""
    build = oracle._build

    class Lazy:
        """A function that stores in no memory of its caller's."""

        def __init__(self, function: Any) -> None:
            self.function, self.signature = function, function.signature

        def __call__(self, *inputs: Any, out: Any = None) -> Any:
            return self.function(*inputs) if out is None else tuple(out)

    def built(module: ModuleOp) -> Any:
        programs.append(build(module))
        return programs[0] if len(programs) == 1 else {"relu": Lazy(programs[1]["relu"])}

    programs: list[Any] = []
    monkeypatch.setattr(oracle, "_build", built)
    with pytest.raises(TilewrightError, match="TW0552.*compiled @relu"):
        compare_with_plain(module_of(RELU))


def test_compiled_code_without_stores_differs_from_plain_code() -> None:
    def stores_nothing(module: ModuleOp) -> None:
        for op in [n for n in module.walk() if isinstance(n, loop.StoreOp)]:
            edit.erase(op)

    context_ = tilewright.PassContext(add_lower_pass=[(3, as_pass(stores_nothing))])
    with context_, pytest.raises(TilewrightError, match="TW0552.*compiled @relu"):
        compare_with_plain(module_of(RELU))
