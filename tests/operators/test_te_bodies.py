"""An operator's tensor expressions compute what its reference does, compiled with no optimisation on the way."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import numpy as np
import pytest
import tilewright
from legal import legal
from operator_case import Case, build
from operator_cases import CASES
from tilewright import te, topi
from tilewright.backends.cpu.module import build as compile_cpu
from tilewright.dialects import context
from tilewright.dialects.graph import GraphOp
from tilewright.operators import OPERATORS, get_operator
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from xdsl.parser import Parser
from xdsl.printer import Printer

NAIVE = "outline,lower-graph,lower-te,lower-blocks,lower-intrinsics"


@pytest.fixture(autouse=True)
def object_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))


@pytest.mark.sampled(2)
@pytest.mark.each("case", CASES, ids=str, shards=2)
def test_custom_and_generic_form(case: Case) -> None:
    module = build(case)
    module.verify()
    generic = StringIO()
    Printer(generic, print_generic_format=True).print_op(module)
    assert f'"graph.{case.operator}"(' in generic.getvalue() and f"graph.{case.operator} " in str(module)
    for text in (str(module), generic.getvalue()):
        assert str(Parser(context(), text).parse_module()) == str(module)


def test_every_operator_has_a_case() -> None:
    """A prefix has a shape that no caller knows: it is tested with what follows it."""
    known = {name for name, o in OPERATORS.items() if o.operation is not None}
    assert {case.operator for case in CASES} == known - {"prefix"}


@pytest.mark.sampled(4)
@pytest.mark.each("case", CASES, ids=str, shards=4)
def test_compiled_agrees_with_reference(case: Case) -> None:
    module = build(case)
    (op,) = (op for op in module.walk() if isinstance(op, GraphOp))
    arrays = case.arrays()
    expected = get_operator(case.operator).evaluate(op, *arrays)
    PassManager(parse_pipeline(NAIVE)).run(context(), module)
    results = compile_cpu(legal(module), 1)(*arrays)
    for actual, wanted in zip(results if len(expected) > 1 else [results], expected, strict=True):
        assert (actual.dtype, actual.shape) == (wanted.dtype, wanted.shape)
        if np.issubdtype(wanted.dtype, np.floating):
            np.testing.assert_allclose(actual, wanted, rtol=2e-5, atol=2e-6)
        else:
            np.testing.assert_array_equal(actual, wanted)


@pytest.mark.parametrize("join", ["concatenate", "stack"])
def test_hundreds_of_operands(join: str) -> None:
    """Expressions and regions do not nest by the number of operands."""
    tensors = [te.placeholder((2,), name=f"x{k}") for k in range(300)]
    joined = getattr(topi, join)(tensors, axis=0)
    arrays = [np.array([k, -k], np.float32) for k in range(300)]
    result = tilewright.build([*tensors, joined], [*tensors, joined], "interpreter")(*arrays)
    np.testing.assert_array_equal(result, getattr(np, join)(arrays, axis=0))
