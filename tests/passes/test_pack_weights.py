"""Weights packed while compiling: programs of few rows compute the same, and read whole vectors of weights."""

from __future__ import annotations

from functools import cache

import numpy as np
import onnx
import onnx.parser
import pytest
import tilewright
from onnx import numpy_helper
from tilewright.analysis.access import blocks_in
from tilewright.dialects import context
from tilewright.dialects.target import TARGET_ATTRIBUTE, CpuTargetAttr
from tilewright.frontends.onnx import import_model
from tilewright.passes.framework.manager import PassManager
from tilewright.schedule.rules.contraction import plan_contraction
from tilewright.schedule.rules.packed_rows import plan_packed_rows
from unscheduled import before_schedules
from xdsl.dialects.builtin import ModuleOp

TARGET = CpuTargetAttr.get(["avx512f", "fma"], 512, [48 << 10, 2 << 20, 32 << 20], 1)
TERMS, COLUMNS = 48, 96
NODES = """
  a = MatMul (x, w) b = Add (a, c) r = Relu (b)
  d = MatMul (r, v) y = Add (d, x)
"""
ATTENDED = """
  a = MatMul (x, w) b = Add (a, c) h = Reshape (b, parts) t = Transpose <perm = [0, 2, 1]> (h) y = Exp (t)
"""


@cache
def model(rows: tuple[int | str, ...], nodes: str = NODES) -> onnx.ModelProto:
    shape = ", ".join(map(str, (*rows, TERMS)))
    found = onnx.parser.parse_model(
        f'<ir_version: 10, opset_import: ["" : 22]> g (float[{shape}] x) => (float y) {{ {nodes} }}'
    )
    rng = np.random.default_rng(0)
    for name, size in {"w": (TERMS, COLUMNS), "v": (COLUMNS, TERMS), "c": (COLUMNS,)}.items():
        values = rng.standard_normal(size).astype(np.float32)
        found.graph.initializer.append(numpy_helper.from_array(values, name))
    parts = np.array([-1, 4, COLUMNS // 4], np.int64)
    found.graph.initializer.append(numpy_helper.from_array(parts, "parts"))
    return found


def expected(nodes: str, x: np.ndarray) -> np.ndarray:
    """Return the results in double precision."""
    w, v, c, _ = (numpy_helper.to_array(i).astype(np.float64) for i in model((1,), nodes).graph.initializer)
    added = x.astype(np.float64) @ w + c
    if nodes == ATTENDED:
        return np.exp(added.reshape(len(x), 4, COLUMNS // 4).swapaxes(1, 2))
    return np.maximum(added, 0) @ v + x


@pytest.mark.sampled(2)
@pytest.mark.parametrize("nodes", [NODES, ATTENDED], ids=["layers", "taken apart"])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.each("rows", [(1,), (2,), (5,), (16,), (37,), (160,), (161,)], shards=2)
def test_values(rows: tuple[int, ...], threads: int, nodes: str) -> None:
    x = np.random.default_rng(1).standard_normal((*rows, TERMS), np.float32) / 4
    found = np.asarray(tilewright.compile(import_model(model(rows, nodes)), threads=threads)(x))
    exact = expected(nodes, x)
    assert np.abs(found - exact).max() < 1e-5 * np.abs(exact).max()


def test_values_of_a_batch() -> None:
    x = np.random.default_rng(1).standard_normal((3, 5, TERMS), np.float32)
    found = np.asarray(tilewright.compile(import_model(model((3, 5))))(x))
    exact = expected(NODES, x)
    assert np.abs(found - exact).max() < 1e-5 * np.abs(exact).max()


@pytest.mark.parametrize("nodes", [NODES, ATTENDED], ids=["layers", "taken apart"])
@pytest.mark.parametrize("threads", [1, 2])
def test_values_of_any_number_of_rows(threads: int, nodes: str) -> None:
    program = tilewright.compile(import_model(model(("n",), nodes)), threads=threads)
    for rows in (0, 1, 3, 6, 64, 201):
        x = np.random.default_rng(rows).standard_normal((rows, TERMS), np.float32) / 4
        found, exact = np.asarray(program(x)), expected(nodes, x)
        assert found.shape == exact.shape
        assert np.abs(found - exact).max(initial=0) <= 1e-5 * np.abs(exact).max(initial=0)


def before_scheduling(rows: tuple[int | str, ...]) -> ModuleOp:
    module = import_model(model(rows))
    module.attributes[TARGET_ATTRIBUTE] = TARGET
    PassManager(before_schedules(), verify_each=False).run(context(), module)
    return module


@pytest.mark.parametrize(("rows", "is_planned"), [((16,), True), (("n",), False)])
def test_tiles_of_short_rows_are_for_known_sizes(rows: tuple[int | str, ...], is_planned: bool) -> None:
    """They are cut for as many rows as there are; others are contractions, which end where the rows do."""
    products = [b for f in before_scheduling(rows).ops for b in blocks_in(f) if b.label == "matmul"]  # pyright: ignore
    assert len(products) == 2
    for block in products:
        assert (plan_packed_rows(block, TARGET) is not None) == is_planned
        assert is_planned or plan_contraction(block, TARGET) is not None


@pytest.mark.parametrize("rows", [(16,), (3, 5)])
def test_columns_are_split_by_no_access(rows: tuple[int, ...]) -> None:
    """Blocks of columns, and places in a block, are dimensions of all that the kernels touch."""
    text = str(before_scheduling(rows))
    for weights in (f"{COLUMNS // 16}x{TERMS}x16xf32", f"{TERMS // 16}x{COLUMNS}x16xf32"):
        assert weights in text
    assert " floordiv " not in text and " mod " not in text
