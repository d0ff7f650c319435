"""Weights that are read in several arrangements: stored once, with the bits of programs that store them twice."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import onnx
import onnx.parser
import pytest
import tilewright
from onnx import numpy_helper
from tilewright.diagnostics import TilewrightError
from tilewright.frontends.onnx import import_model
from tilewright.passes.framework.context import PassContext

TERMS = 64
TIED = "e = Gather (w, ids) h = Relu (e) t = Transpose <perm = [1, 0]> (w) y = MatMul (h, t)"
BRANCHES = """
  t = Transpose <perm = [1, 0]> (w)
  e = If (flag) <then_branch = g1 () => (float[n, 64] a) { a = Gather (w, ids) },
                 else_branch = g2 () => (float[n, 64] b) { s = Gather (w, ids) b = Neg (s) }>
  y = MatMul (e, t)
"""
TWICE = "a = MatMul (x, w) b = Relu (a) c = MatMul (b, v) y = MatMul (c, u)"


@cache
def weights(rows: int) -> np.ndarray:
    return np.random.default_rng(rows).standard_normal((rows, TERMS), np.float32)


def tied(rows: int, count: int | str, nodes: str = TIED) -> onnx.ModelProto:
    """Return a model that reads rows of a matrix and multiplies by it."""
    flag = ", bool flag" if "flag" in nodes else ""
    found = onnx.parser.parse_model(
        f'<ir_version: 10, opset_import: ["" : 22]> g (int64[{count}] ids{flag}) => (float[{count}, {rows}] y) '
        f"{{ {nodes} }}"
    )
    found.graph.initializer.append(numpy_helper.from_array(weights(rows), "w"))
    return found


def constants_of(program: tilewright.runtime.Module) -> int:
    """Return the number of bytes of the program's constants."""
    return sum(c.nbytes for c in {id(c): c for e in program.code.entries for c in e.constants}.values())


@pytest.mark.parametrize("target", ["llvm", "c"])
@pytest.mark.parametrize("count", [5, "n"])
@pytest.mark.parametrize("rows", [128, 100])
def test_rows_of_the_matrix_that_a_product_reads(rows: int, count: int | str, target: str) -> None:
    """The columns of 128 rows come out even in blocks; those of 100 are read from the transpose."""
    model = import_model(tied(rows, count))
    shared = tilewright.compile(model, target)
    with PassContext(disabled_pass=["share-weights"]):
        twice = tilewright.compile(import_model(tied(rows, count)), target)
    table = weights(rows)
    for number in (0, 1, 7, 40) if count == "n" else (count,):
        ids = np.random.default_rng(3).integers(-rows, rows, number)
        found = np.asarray(shared(ids))
        np.testing.assert_array_equal(found, np.asarray(twice(ids)))
        exact = np.maximum(table[ids].astype(np.float64), 0) @ table.T.astype(np.float64)
        assert np.abs(found - exact).max(initial=0) <= 1e-5 * np.abs(exact).max(initial=0)
    assert constants_of(shared) < 1.1 * table.nbytes
    assert constants_of(twice) >= 2 * table.nbytes


@pytest.mark.parametrize("rows", [128, 100])
def test_rows_that_are_not_there(rows: int) -> None:
    program = tilewright.compile(import_model(tied(rows, "n")))
    for wrong in (rows, -rows - 1, 1 << 40):
        with pytest.raises(TilewrightError, match="expected an index within") as error:
            program(np.array([0, wrong, 1]))
        assert error.value.code == "TW0730"


def test_rows_in_branches() -> None:
    program = tilewright.compile(import_model(tied(128, "n", BRANCHES)))
    ids, table = np.array([3, -1, 127, 64]), weights(128)
    assert constants_of(program) < 1.1 * table.nbytes
    for flag, sign in ((True, 1), (False, -1)):
        exact = sign * table[ids].astype(np.float64) @ table.T.astype(np.float64)
        assert np.abs(np.asarray(program(ids, np.array(flag))) - exact).max() < 1e-5 * np.abs(exact).max()


def test_a_matrix_that_is_read_otherwise_stays() -> None:
    nodes = f"{TIED.replace('y =', 'z =')} m = ReduceMax <keepdims = 0> (w) y = Add (z, m)"
    program = tilewright.compile(import_model(tied(128, 4, nodes)))
    ids, table = np.array([3, -1, 127, 64]), weights(128)
    exact = np.maximum(table[ids].astype(np.float64), 0) @ table.T.astype(np.float64) + table.max()
    assert np.abs(np.asarray(program(ids)) - exact).max() < 1e-5 * np.abs(exact).max()


def test_equal_weights_are_stored_once() -> None:
    """Layers that share weights, and exporters that write them again under another name."""
    model = onnx.parser.parse_model(
        f'<ir_version: 10, opset_import: ["" : 22]> g (float[8, {TERMS}] x) => (float[8, {TERMS}] y) {{ {TWICE} }}'
    )
    square = np.random.default_rng(1).standard_normal((TERMS, TERMS)).astype(np.float32)
    other = square.copy()
    other[-1, -1] += 1
    for name, array in (("w", square), ("v", square.copy()), ("u", other)):
        model.graph.initializer.append(numpy_helper.from_array(array, name))
    program = tilewright.compile(import_model(model))
    assert constants_of(program) == 2 * square.nbytes
    x = np.random.default_rng(2).standard_normal((8, TERMS)).astype(np.float32)
    exact = np.maximum(x.astype(np.float64) @ square, 0) @ square @ other
    assert np.abs(np.asarray(program(x)) - exact).max() < 1e-5 * np.abs(exact).max()


def test_saved_programs_have_tied_weights_once(tmp_path: Path) -> None:
    rows = 4096
    path = tmp_path / "tied.onnx"
    onnx.save(tied(rows, 4), path)
    program = tilewright.compile(path)
    ids = np.array([0, 1, -1, rows - 1])
    expected, nbytes = np.asarray(program(ids)), weights(rows).nbytes
    for name in ("tied.so", "tied.tar"):
        program.save(tmp_path / name)
        assert nbytes < (tmp_path / name).stat().st_size < 1.4 * nbytes
        np.testing.assert_array_equal(np.asarray(tilewright.load_module(tmp_path / name)(ids)), expected)
    import onnxruntime

    (reference,) = onnxruntime.InferenceSession(path).run(None, {"ids": ids})
    assert np.abs(expected - reference).max() < 1e-5 * np.abs(reference).max()
