"""Columns of registers: stated in the IR, taken by the interpreter as shuffles take them."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.dialects.loop import LoadOp
from tilewright.dialects.loop.widths import column_width
from tilewright.ir.rewrites import count_rewrites
from tilewright.passes.framework.bisection import bisect
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.passes.phase3 import shuffle_columns
from tilewright.passes.phase3.shuffle_columns import ShuffleColumnsPass
from tilewright.semantics import evaluate
from tilewright.traversal import operations
from xdsl.dialects.builtin import ModuleOp


def turned(n: int, lanes: int, type_: str = "f32", chunk: int | None = None) -> ModuleOp:
    """Return the transpose of an n by n matrix through registers, in chunks of `chunk` elements, n by default."""
    width = chunk or n
    return parse(
        context(),
        f"""
        func.func @main(%x: memref<{n * n}x{type_}>, %y: memref<{n * n}x{type_}> {{tw.output}}) {{
          %r = loop.alloc : memref<{n}x{n}x{type_}, "register">
          loop.for %u = 0 to {n * n // width} kind unrolled {{
            %v = loop.load %x[%u * {width} + lane] : memref<{n * n}x{type_}>, vector<{width}x{type_}>
            loop.store %v, %r[%u * {width} floordiv {n}, (%u * {width}) mod {n} + lane] :
              vector<{width}x{type_}>, memref<{n}x{n}x{type_}, "register">
          }}
          loop.for %u = 0 to {n} kind unrolled {{
            loop.for %p = 0 to {n // lanes} kind unrolled {{
              %v = loop.load %r[%p * {lanes} + lane, %u] : memref<{n}x{n}x{type_}, "register">, vector<{lanes}x{type_}>
              loop.store %v, %y[%u * {n} + %p * {lanes} + lane] : vector<{lanes}x{type_}>, memref<{n * n}x{type_}>
            }}
          }}
          func.return
        }}""",
        "turned.mlir",
    )


def columns(module: ModuleOp) -> list[int]:
    return [width for op in operations(module) if isinstance(op, LoadOp) and (width := column_width(op))]


@pytest.mark.parametrize(
    ("n", "lanes", "type_", "chunk", "expected"),
    [
        (8, 8, "f32", None, [8]),
        (16, 16, "i8", None, [16]),
        (16, 4, "i16", None, [16]),
        (8, 4, "f64", 4, [4]),
        (8, 8, "i32", 2, [8]),
        (6, 6, "f32", None, []),
        (4, 1, "f32", None, []),
    ],
)
def test_columns_are_turned(n: int, lanes: int, type_: str, chunk: int | None, expected: list[int]) -> None:
    module = turned(n, lanes, type_, chunk)
    with count_rewrites() as counter:
        PassManager(parse_pipeline("assign-memory-spaces,shuffle-columns,shuffle-columns")).run(context(), module)
    assert columns(module) == expected and counter.by_name.get("column", 0) == len(expected)
    x = np.arange(n * n).astype({"f": "float", "i": "int"}[type_[0]] + type_[1:])
    np.testing.assert_array_equal(evaluate(module, x)[0], x.reshape(n, n).T.ravel())
    program = tilewright.compile(turned(n, lanes, type_, chunk), threads=1)
    np.testing.assert_array_equal(program(x), x.reshape(n, n).T.ravel())
    assert not expected or "shufflevector" in program.get_source("llvm")


def test_validation_names_the_step_and_bisection_the_rewrite(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks are taken for half as large as they are in the second load."""
    found = shuffle_columns._column_of  # pyright: ignore[reportPrivateUsage]
    monkeypatch.setattr(shuffle_columns, "_column_of", lambda load: 3 if found(load) else 0)
    module = turned(8, 8)
    PassManager(parse_pipeline("assign-memory-spaces")).run(context(), module)
    result = bisect(module, [ShuffleColumnsPass()], 1)
    assert result.position == 1 and result.rewrite is not None and "column" in str(result.rewrite)
