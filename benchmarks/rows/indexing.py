"""Indices that are data: rows and columns by number, embeddings, single elements, rows written at given numbers."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from harness.row import Arrays, Row, Work
from systems import blas, loops, ort, ours, torch_cpu

TABLE, WIDTH, COUNT = 8192, 256, 16384
WORDS, FEATURES, TOKENS = 30522, 768, (8, 512)
ELEMENTS = 1 << 20


def rows() -> list[Row]:
    return [gather_rows(), gather_columns(), gather_elements(), embedding(), scatter_rows()]


def gather_rows() -> Row:
    return _taken("gather-rows", (TABLE, WIDTH), (COUNT,), 0)


def gather_columns() -> Row:
    return _taken("gather-columns", (WIDTH, TABLE), (COUNT,), 1)


def gather_elements() -> Row:
    return _taken("gather-elements-1M", (ELEMENTS,), (4 * ELEMENTS,), 0)


def embedding() -> Row:
    return _taken("embedding-bert", (WORDS, FEATURES), TOKENS, 0)


def _taken(name: str, table: tuple[int, ...], numbers: tuple[int, ...], axis: int) -> Row:
    """Return a row of numpy's `take`. Systems count negative numbers from the end, as ONNX does; none is drawn."""

    def define(x: Any, chosen: Any) -> Any:
        from tilewright import topi

        return topi.take(x, chosen, axis=axis, mode="wrap_negative")

    def in_torch(torch: Any, out: Any, x: Any, chosen: Any) -> None:
        torch.index_select(x, axis, chosen.reshape(-1), out=out.view(flat))

    def in_numpy(out: np.ndarray, x: np.ndarray, chosen: np.ndarray) -> None:
        np.take(x, chosen, axis=axis, out=out, mode="clip")  # the mode that needs no copy of the result

    shape = (*table[:axis], *numbers, *table[axis + 1 :])
    count = int(np.prod(numbers))
    flat = (*table[:axis], count, *table[axis + 1 :])
    systems = {
        "tilewright": ours.tensors(define),
        "torch": torch_cpu.eager(in_torch),
        "numpy": blas.with_numpy(in_numpy),
        "onnxruntime": ort.graph(f"y = Gather <axis = {axis}> (a, b)"),
        "numba": loops.with_numba("take_columns" if axis else "take_rows"),
    }
    moved = 4 * int(np.prod(shape))
    return Row(
        name,
        "indexing",
        systems,
        inputs=partial(_table_and_numbers, table, numbers, table[axis]),
        expected=lambda inputs: np.take(inputs[0], inputs[1], axis=axis).astype(np.float64),
        output=(shape, "float32"),
        work=Work(read=min(moved, 4 * int(np.prod(table))) + 8 * count, written=moved),
    )


def scatter_rows() -> Row:
    """Return the rows of a matrix, some of them replaced; no row is named twice."""

    def expected(inputs: Arrays) -> np.ndarray:
        data, chosen, updates = inputs
        result = data.astype(np.float64)
        result[chosen] = updates
        return result

    def in_torch(torch: Any, out: Any, data: Any, chosen: Any, updates: Any) -> None:
        out.copy_(data).index_copy_(0, chosen, updates)

    def in_numpy(out: np.ndarray, data: np.ndarray, chosen: np.ndarray, updates: np.ndarray) -> None:
        np.copyto(out, data)
        out[chosen] = updates

    count = TABLE // 2
    shape = f"s = Constant <value = int64[2] {{{count}, 1}}> ()"
    systems = {
        "tilewright": ours.loops(SCATTER),
        "torch": torch_cpu.eager(in_torch),
        "numpy": blas.with_numpy(in_numpy),
        "onnxruntime": ort.graph(f"{shape} i = Reshape (b, s) y = ScatterND (a, i, c)"),
        "numba": loops.with_numba("put_rows"),
    }
    return Row(
        "scatter-rows",
        "indexing",
        systems,
        inputs=_scattered,
        expected=expected,
        output=((TABLE, WIDTH), "float32"),
        work=Work(read=4 * WIDTH * TABLE + 8 * count, written=4 * WIDTH * (TABLE + count)),
    )


SCATTER = f"""
func.func @main(%data: memref<{TABLE}x{WIDTH}xf32> {{tw.name = "data"}},
                %rows: memref<{TABLE // 2}xi64> {{tw.name = "rows"}},
                %updates: memref<{TABLE // 2}x{WIDTH}xf32> {{tw.name = "updates"}},
                %out: memref<{TABLE}x{WIDTH}xf32> {{tw.name = "out", tw.output}}) {{
  loop.for %i = 0 to {TABLE} kind parallel {{
    loop.for %j = 0 to {WIDTH // 16} {{
      %x = loop.load %data[%i, %j * 16 + lane] : memref<{TABLE}x{WIDTH}xf32>, vector<16xf32>
      loop.store %x, %out[%i, %j * 16 + lane] : vector<16xf32>, memref<{TABLE}x{WIDTH}xf32>
    }}
  }}
  loop.for %i = 0 to {TABLE // 2} kind parallel {{
    %0 = loop.load %rows[%i] : memref<{TABLE // 2}xi64>
    %row = arith.index_cast %0 : i64 to index
    loop.for %j = 0 to {WIDTH // 16} {{
      %x = loop.load %updates[%i, %j * 16 + lane] : memref<{TABLE // 2}x{WIDTH}xf32>, vector<16xf32>
      loop.store %x, %out[%row, %j * 16 + lane] : vector<16xf32>, memref<{TABLE}x{WIDTH}xf32>
    }}
  }}
  func.return
}}
"""
"""The loops of a scatter: no operator of te writes at an index that is data."""


def _table_and_numbers(table: tuple[int, ...], numbers: tuple[int, ...], limit: int) -> Arrays:
    rng = np.random.default_rng(0)
    return [rng.standard_normal(table, dtype=np.float32), rng.integers(0, limit, numbers)]


def _scattered() -> Arrays:
    rng = np.random.default_rng(0)
    count = TABLE // 2
    chosen = rng.permutation(TABLE)[:count]
    data, updates = (rng.standard_normal((n, WIDTH), dtype=np.float32) for n in (TABLE, count))
    return [data, chosen, updates]
