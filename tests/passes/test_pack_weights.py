"""Weights packed while compiling: programs of few rows compute the same, and read whole vectors of weights."""

from __future__ import annotations

from functools import cache

import numpy as np
import onnx
import onnx.parser
import pytest
import tilewright
from onnx import numpy_helper
from tilewright.dialects import context
from tilewright.dialects.target import TARGET_ATTRIBUTE, CpuTargetAttr
from tilewright.frontends.onnx import import_model
from tilewright.passes.manager import PassManager
from tilewright.passes.pipeline import PHASES
from tilewright.passes.registry import parse_pipeline

TERMS, COLUMNS = 48, 96
NODES = """
  a = MatMul (x, w) b = Add (a, c) r = Relu (b)
  d = MatMul (r, v) y = Add (d, x)
"""
ATTENDED = """
  a = MatMul (x, w) b = Add (a, c) h = Reshape (b, parts) t = Transpose <perm = [0, 2, 1]> (h) y = Exp (t)
"""


@cache
def model(rows: tuple[int, ...], nodes: str = NODES) -> onnx.ModelProto:
    shape = ", ".join(map(str, (*rows, TERMS)))
    found = onnx.parser.parse_model(
        f'<ir_version: 10, opset_import: ["" : 22]> g (float[{shape}] x) => (float y) {{ {nodes} }}'
    )
    rng = np.random.default_rng(0)
    for name, size in {"w": (TERMS, COLUMNS), "v": (COLUMNS, TERMS), "c": (COLUMNS,)}.items():
        values = rng.standard_normal(size).astype(np.float32)
        found.graph.initializer.append(numpy_helper.from_array(values, name))
    parts = np.array([rows[0], 4, COLUMNS // 4], np.int64)
    found.graph.initializer.append(numpy_helper.from_array(parts, "parts"))
    return found


def expected(nodes: str, rows: tuple[int, ...], x: np.ndarray) -> np.ndarray:
    """In double precision."""
    w, v, c, _ = (numpy_helper.to_array(i).astype(np.float64) for i in model(rows, nodes).graph.initializer)
    added = x.astype(np.float64) @ w + c
    if nodes == ATTENDED:
        return np.exp(added.reshape(rows[0], 4, -1).swapaxes(1, 2))
    return np.maximum(added, 0) @ v + x


@pytest.mark.parametrize("nodes", [NODES, ATTENDED], ids=["layers", "taken apart"])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("rows", [(1,), (2,), (5,), (16,), (37,), (160,), (161,)])
def test_values(rows: tuple[int, ...], threads: int, nodes: str) -> None:
    x = np.random.default_rng(1).standard_normal((*rows, TERMS), np.float32) / 4
    found = np.asarray(tilewright.compile(import_model(model(rows, nodes)), threads=threads)(x))
    exact = expected(nodes, rows, x)
    assert np.abs(found - exact).max() < 1e-5 * np.abs(exact).max()


def test_values_of_a_batch() -> None:
    x = np.random.default_rng(1).standard_normal((3, 5, TERMS), np.float32)
    found = np.asarray(tilewright.compile(import_model(model((3, 5))))(x))
    exact = expected(NODES, (3, 5), x)
    assert np.abs(found - exact).max() < 1e-5 * np.abs(exact).max()


@pytest.mark.parametrize("rows", [(16,), (3, 5)])
def test_columns_are_taken_apart_by_no_access(rows: tuple[int, ...]) -> None:
    """Blocks of columns, and places in a block, are dimensions of all that the kernels touch."""
    module = import_model(model(rows))
    module.attributes[TARGET_ATTRIBUTE] = CpuTargetAttr.get(["avx512f", "fma"], 512, [48 << 10, 2 << 20, 32 << 20], 1)
    before = PHASES[0][: PHASES[0].index("auto-schedule")]
    PassManager(parse_pipeline(",".join(before)), verify_each=False).run(context(), module)
    text = str(module)
    for weights in (f"{COLUMNS // 16}x{TERMS}x16xf32", f"{TERMS // 16}x{COLUMNS}x16xf32"):
        assert weights in text
    assert " floordiv " not in text and " mod " not in text
