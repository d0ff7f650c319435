"""Tensors that foreign code or a statement built in Python computes; and mistakes."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
import tilewright
from tilewright import TilewrightError, te, tir
from tilewright.diagnostics.locations import source_position
from tilewright.dialects import context, loop
from tilewright.dialects.index_expr import Index
from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.parser import Parser
from xdsl.rewriter import InsertPoint

from .running import expect

ROW_SUMS = """
int row_sums(float *out, const float *a, int rows, int columns, float scale) {
  for (int i = 0; i < rows; i++) {
    out[i] = 0;
    for (int j = 0; j < columns; j++) out[i] += scale * a[i * columns + j];
  }
  return 0;
}
"""


def data(*shape: int) -> np.ndarray:
    return np.random.default_rng(2).integers(-4, 5, shape).astype(np.float32)


def row_sums():
    a = te.placeholder((4, 6), name="A")
    before = te.compute((4, 6), lambda i, j: a[i, j] + 1, name="before")
    sums = te.extern(
        (4,), [before],
        lambda ins, outs: te.call_extern("int32", "row_sums", outs[0], ins[0], 4, 6, te.const(2.0)),
        name="sums", c_source=ROW_SUMS,
    )  # fmt: skip
    return a, te.compute((4,), lambda i: sums[i] * 3, name="after")


def test_foreign_code_between_computes() -> None:
    a, after = row_sums()
    x = data(4, 6)
    expect([a, after], [x], 6 * (x + 1).sum(1))
    np.testing.assert_array_equal(tilewright.compile(te.to_module([a, after]))(x), 6 * (x + 1).sum(1))


def test_text_and_names() -> None:
    a, after = row_sums()
    (sums,) = after.op.inputs
    assert str(sums.op) == "sums = extern(before)"
    assert (sums.shape, sums.dtype) == ((4,), "float32")
    assert list(te.block_labels([after]).values()) == ["before", "sums", "after"]
    text = str(te.to_module([a, after]))
    assert str(Parser(context(), text).parse_module()) == text


def test_several_calls_and_results() -> None:
    a = te.placeholder((3, 5), name="A")

    def statement(ins, outs):
        ib = tir.ir_builder.create()
        for k, out in enumerate(outs):
            pointers = out.access_ptr("w"), ins[0].access_ptr("r")
            ib.emit(te.call_extern("int32", "row_sums", *pointers, 3, 5, te.const(k + 1.0)))
        return ib.get()

    once, twice = te.extern([(3,), (3,)], [a], statement, name="sums", c_source=ROW_SUMS)
    x = data(3, 5)
    expect([a, once, twice], [x], x.sum(1), 2 * x.sum(1))


def reversed_rows(builder: Builder, source, target) -> None:
    """Build a loop nest that turns rows around."""
    rows, columns = (builder.insert(loop.DimOp(source, d)).res for d in range(2))
    outer, inner = loop.ForOp(0, Index.of(rows), name_hint="i"), loop.ForOp(0, Index.of(columns), name_hint="j")
    builder.insert(outer)
    outer.body.block.add_op(inner)
    inside = Builder(InsertPoint.at_end(inner.body.block))
    i, j = (Index.of(op.induction_variable) for op in (outer, inner))
    value = inside.insert(loop.LoadOp(source, [i, Index.of(columns) - 1 - j]))
    inside.insert(loop.StoreOp(inside.insert(arith.NegfOp(value.res)).result, target, [i, j]))


@pytest.mark.parametrize("shape", [(1, 1), (3, 4)])
def test_a_statement_built_in_python(shape: tuple[int, int]) -> None:
    n, m = te.var("n"), te.var("m")
    a = te.placeholder((n, m), name="A")
    turned = te.extern((n, m), [a], lambda ins, outs: reversed_rows, name="turned")
    after = te.compute((n, m), lambda i, j: turned[i, j] + a[i, j], name="after")
    x = data(*shape)
    expect([a, after], [x], x - x[:, ::-1])
    np.testing.assert_array_equal(tilewright.compile(te.to_module([a, after]))(x), x - x[:, ::-1])


A = te.placeholder((4,), name="A")
B = te.placeholder((4,), "int32", name="B")
N = te.var("n")
S = te.placeholder((N,), name="S")
OTHER = tir.decl_buffer((4,), "float32", "other")

MISTAKES = {
    "no dtype": (lambda: te.extern((4,), [A, B], lambda i, o: 3), "inputs of one type or a dtype", "float32, int32"),
    "dtypes": (lambda: te.extern([(4,), (4,)], [A], lambda i, o: None, dtype=["int32"]), "expected 2 dtypes", ""),
    "statement": (
        lambda: te.extern((4,), [A], lambda i, o: 3),
        "expected statements, calls or a function",
        "but got 3",
    ),
    "buffers": (lambda: te.extern((4,), [A], lambda i, o: 3, in_buffers=[OTHER, OTHER]), "a buffer for each input", ""),
    "symbolic": (
        lambda: te.to_module([S, te.extern((4,), [S], lambda i, o: te.call_extern("int32", "f", o[0], i[0]))]),
        "expected constant sizes of buffer 'S'", "but got n",
    ),
    "foreign buffer": (
        lambda: te.to_module([A, te.extern((4,), [A], lambda i, o: te.call_extern("int32", "f", o[0], OTHER))]),
        "to use only buffers that it is given, but got 'other'", "",
    ),
    "argument": (
        lambda: te.to_module([A, te.extern((4,), [A], lambda i, o: te.call_extern("int32", "f", o[0], A[0]))]),
        "expected buffers, pointers, strides and numbers in calls", "but got `A[0]`",
    ),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake(mistake: str) -> None:
    build, *words = MISTAKES[mistake]
    with pytest.raises(TilewrightError) as caught:
        build()
    assert caught.value.code == "TW0466"
    assert all(w in caught.value.message for w in words)
    position = source_position(caught.value.location)
    assert position is not None
    first = inspect.getsourcelines(build)[1]
    assert (position.file, position.line in range(first, first + 3)) == (__file__, True)
