"""Stores past the caches: what is written where addresses allow it and where they do not, and that it is complete."""

from __future__ import annotations

import re

import numpy as np
import pytest

LINE = 64

BODY = """
        loop.for %i = 0 to {rows} kind parallel attributes {{pragma.streaming_stores = true}} {{
          loop.for %j = 0 to 3 {{
            %v = loop.load %x[%i, %j * 16 + lane] : memref<{rows}x{columns}xf32>, vector<16xf32>
            %w = arith.addf %v, %v : vector<16xf32>
            loop.store %w, %y[%i, %j * 16 + lane] : vector<16xf32>, memref<{rows}x{columns}xf32>
          }}
        }}"""


def doubling(main, rows: int, columns: int):
    kind = f"memref<{rows}x{columns}xf32>"
    return main(f"%x: {kind}, %y: {kind} {{tw.output}}", BODY.format(rows=rows, columns=columns))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.each("offset", [0, 1, 4, 8])  # elements from the begin of a cache line
@pytest.mark.parametrize("columns", [48, 52, 53, 64])
def test_every_element_is_stored(main, columns: int, offset: int, threads: int) -> None:
    rows = 7
    x = np.random.default_rng(0).random((rows, columns), np.float32)
    memory = np.zeros(rows * columns + LINE, np.float32)
    begin = -memory.ctypes.data % LINE // 4 + offset
    out = memory[begin : begin + x.size].reshape(x.shape)
    doubling(main, rows, columns)(x, out, threads=threads)
    np.testing.assert_array_equal(out[:, :48], x[:, :48] * 2)
    assert not out[:, 48:].any() and not memory[:begin].any() and not memory[begin + x.size :].any()


def functions(text: str) -> list[str]:
    return re.findall(r"^define .*?^}", text, re.MULTILINE | re.DOTALL)


def test_a_vector_streams_as_one_or_in_parts_and_each_thread_waits_once(main) -> None:
    text = doubling(main, 7, 48).get_source("llvm")
    (body,) = (f for f in functions(text) if "!nontemporal" in f)
    assert re.findall(r"align (\d+), !nontemporal", body) == ["64", "16"]
    assert body.count("fence") == 1
    assert text.count("fence") == 1


def test_it_is_asked_before_the_loops_whether_rows_of_whole_lines_are_aligned(main) -> None:
    (body,) = (f for f in functions(doubling(main, 7, 64).get_source("llvm")) if "!nontemporal" in f)
    before, _, loops = body.partition("loop")
    assert before.count("ptrtoint") == 1 and "ptrtoint" not in loops
