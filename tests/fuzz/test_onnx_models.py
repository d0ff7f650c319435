"""Random models against onnxruntime: a short draw of the campaign, and that it sees what it is there to see."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import helper
from tilewright.frontends.onnx.converters import declared
from tilewright.frontends.onnx.registry import supported_operators
from tilewright.operators import get_operator
from tilewright.operators.declaration import operators_of_onnx

from .onnx_campaign import BAD, DIFFERENT, SAME, Case, draw_case, draw_one, judge
from .onnx_makers import MAKERS
from .onnx_pool import NEWEST
from .onnx_tolerance import import_unfolded, tolerances

DRAWN = 16


@pytest.mark.sampled(3)
@pytest.mark.parametrize("part", range(3))
def test_models_agree_with_onnxruntime(part: int) -> None:
    verdicts = [draw_one(7, number) for number in range(part * DRAWN, (part + 1) * DRAWN)]
    assert [f"{v.number}: {v.detail}" for v in verdicts if v.outcome in BAD] == []
    assert sum(v.outcome == SAME for v in verdicts) > DRAWN // 2


UNDRAWN = {
    "ConvInteger", "DequantizeLinear", "DynamicQuantizeLinear", "MatMulInteger", "QLinearConv", "QLinearMatMul",
    "QuantizeLinear", "RegexFullMatch", "StringConcat", "StringNormalizer", "StringSplit", "TfIdfVectorizer",
}  # fmt: skip
"""Operators that single nodes are tested with (tests/frontends), and that no random graph has."""


def test_every_operator_of_the_importer_is_drawn() -> None:
    drawn = {name for name in supported_operators() if onnx.defs.has(name, NEWEST)} - UNDRAWN
    assert set(MAKERS) == drawn
    cases = [draw_case(4, number)[1] for number in range(1100)]
    assert {node.op_type for case in cases for node in case.model.graph.node} == drawn
    sizes = [len(case.model.graph.node) for case in cases]
    assert sum(2 <= size <= 10 for size in sizes) > 0.8 * len(sizes)
    assert sum(len(case.runs) > 1 for case in cases) > 0.2 * len(cases)


def test_a_number_names_a_model_for_ever() -> None:
    (_, first), (_, second) = draw_case(5, 8), draw_case(5, 8)
    assert first.model == second.model
    for a, b in zip(first.runs, second.runs, strict=True):
        assert all(np.array_equal(a[name], b[name]) for name in a)


def _case(*nodes: onnx.NodeProto, x: np.ndarray) -> Case:
    kind = helper.np_dtype_to_tensor_dtype(x.dtype)
    inputs, outputs = ([helper.make_tensor_value_info(n, kind, x.shape if n == "x" else None)] for n in ("x", "y"))
    made = helper.make_graph(nodes, "g", inputs, outputs)
    return Case(helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), [{"x": x}])


@pytest.mark.full
def test_a_wrong_converter_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    wrong = operators_of_onnx() | {"Sin": get_operator("tanh")}
    monkeypatch.setattr(declared, "operators_of_onnx", lambda: wrong)
    numbers = [n for n in range(60) if any(node.op_type == "Sin" for node in draw_case(7, n)[1].model.graph.node)]
    verdicts = [draw_one(7, number, tmp_path) for number in numbers[:6]]
    found = [verdict for verdict in verdicts if verdict.outcome == DIFFERENT]
    assert found
    saved = onnx.load(tmp_path / f"7-{found[0].number}.onnx")
    assert "Sin" in {node.op_type for node in saved.graph.node}
    assert (tmp_path / f"7-{found[0].number}.txt").read_text().startswith("output ")


def test_an_error_of_a_hundredth_is_found() -> None:
    x = np.linspace(-1, 1, 40, dtype=np.float32).reshape(4, 10)
    case = _case(helper.make_node("Softmax", ["x"], ["y"], axis=1), x=x)
    assert judge(case)[0] == SAME
    (allowed,) = tolerances(import_unfolded(case.model), [x])
    exact = np.exp(x) / np.exp(x).sum(1, keepdims=True)
    assert (allowed < 1e-4 * exact).all()
    assert (allowed > 1e-7 * exact).all()


def test_what_nothing_rounds_must_be_equal() -> None:
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    case = _case(helper.make_node("Transpose", ["x"], ["t"]), helper.make_node("Relu", ["t"], ["y"]), x=x)
    (allowed,) = tolerances(import_unfolded(case.model), [x])
    assert not allowed.any()


def test_the_command_counts_its_models(tmp_path: Path) -> None:
    command = [sys.executable, str(Path(__file__).with_name("onnx_campaign.py")), "--seed", "7", "--count", "3"]
    done = subprocess.run(
        [*command, "--jobs", "1", "--out", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    first, *_, last = done.stdout.splitlines()
    assert sum(int(part.rsplit(" ", 1)[1]) for part in first.split(", ")) == 3
    assert last == "failures: 0"
