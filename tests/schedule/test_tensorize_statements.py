"""Tensor intrinsics whose bodies a `tir.ir_builder` collects: loops, conditions, vectors, scratch and calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from tilewright import TilewrightError, te, tir

Body = Callable[[Sequence[Any], Sequence[Any]], Any]
ROWS, COLUMNS = 2, 4


def _relu(ins: Sequence[Any], outs: Sequence[Any]) -> Any:
    """Compute elements by their number in the tile, under conditions."""
    ib = tir.ir_builder.create()
    x, z = ib.buffer_ptr(ins[0]), ib.buffer_ptr(outs[0])
    with ib.for_range(0, ROWS * COLUMNS, name="q") as q:
        with ib.if_scope(x[q] > 0):
            z[q] = x[q] * 2
        with ib.else_scope():
            z[q] = 0.0
    return ib.get()


def _two_indices(ins: Sequence[Any], outs: Sequence[Any]) -> Any:
    ib = tir.ir_builder.create()
    x, z = ib.buffer_ptr(ins[0]), ib.buffer_ptr(outs[0])
    with ib.for_range(0, ROWS, name="p") as p, ib.for_range(0, COLUMNS, name="q", kind="vectorize") as q:
        z[p, q] = te.max(x[p, q], 0.0) * 2
    return ib.get()


def _other_extents(ins: Sequence[Any], outs: Sequence[Any]) -> Any:
    ib = tir.ir_builder.create()
    x, z = ib.buffer_ptr(ins[0], shape=(4, 2)), ib.buffer_ptr(outs[0], shape=(8,))
    with ib.for_range(0, 4, name="p") as p, ib.for_range(0, 2, name="q", kind="unroll") as q:
        z[p * 2 + q] = te.max(x[p, q], 0.0) * 2
    return ib.get()


def _vectors(ins: Sequence[Any], outs: Sequence[Any]) -> Any:
    ib = tir.ir_builder.create()
    for p in range(ROWS):
        ib.emit(outs[0].vstore([p, 0], te.max(ins[0].vload([p, 0], "float32x4"), 0.0) * 2))
    return ib.get()


def _scratch(ins: Sequence[Any], outs: Sequence[Any]) -> Any:
    ib = tir.ir_builder.create()
    x, z = ib.buffer_ptr(ins[0]), ib.buffer_ptr(outs[0])
    kept = ib.allocate("float32", (8,), name="kept", scope="local")
    with ib.for_range(0, 8, name="q") as q:
        kept[q] = x[q] * 2
    with ib.for_range(0, 8, name="q") as q:
        z[q] = te.max(kept[q], 0.0)
    return ib.get()


def _declared(body: Body, **options: Any) -> Any:
    x = te.placeholder((ROWS, COLUMNS), name="x")
    z = te.compute(x.shape, lambda i, j: te.max(x[i, j], 0.0) * 2, name="z")
    return te.decl_tensor_intrin(z.op, body, name="double_relu", **options)


def _tensorized(intrinsic: Any, columns: int = 16) -> tuple[Any, list[Any]]:
    a = te.placeholder((6, columns), name="A")
    b = te.compute(a.shape, lambda i, j: te.max(a[i, j], 0.0) * 2, name="B")
    s = te.create_schedule(b.op)
    _, _, rows, _ = s[b].tile(*b.op.axis, ROWS, COLUMNS)
    s[b].tensorize(rows, intrinsic)
    return s, [a, b]


def test_statements_compute_tiles_of_larger_tensors() -> None:
    x = np.random.default_rng(0).standard_normal((6, 16)).astype(np.float32)
    wrong = []
    for body in (_relu, _two_indices, _other_extents, _vectors, _scratch):
        intrinsic = _declared(body)
        intrinsic.check()
        for target in ("interpreter", "cpu", "c"):
            result = np.full_like(x, np.nan)
            tvm.build(*_tensorized(intrinsic), target=target)(x, result)
            if not np.array_equal(result, np.maximum(x, 0) * 2):
                wrong.append((body.__name__, target))
    assert wrong == []


def _product_body(ins: Sequence[Any], outs: Sequence[Any]) -> tuple[Any, Any, Any]:
    def statements(starts: bool, goes_on: bool) -> Any:
        ib = tir.ir_builder.create()
        x, y, z = (ib.buffer_ptr(each) for each in (*ins, *outs))
        with ib.for_range(0, 4, name="i") as i:
            if starts:
                z[i] = 0.0
            if goes_on:
                with ib.for_range(0, 8, name="k") as k:
                    z[i] = z[i] + x[i, k] * y[k]
        return ib.get()

    return statements(True, True), statements(True, False), statements(False, True)


def test_statements_start_and_continue_reductions() -> None:
    x, y, k = te.placeholder((4, 8), name="x"), te.placeholder((8,), name="y"), te.reduce_axis((0, 8), "k")
    z = te.compute((4,), lambda i: te.sum(x[i, k] * y[k], axis=k), name="z")
    intrinsic = te.decl_tensor_intrin(z.op, _product_body, name="gemv")
    intrinsic.check()
    rng = np.random.default_rng(1)
    for terms in (8, 24):
        a, b, r = (
            te.placeholder((8, terms), name="A"),
            te.placeholder((terms,), name="B"),
            te.reduce_axis((0, terms), "r"),
        )
        c = te.compute((8,), lambda i, a=a, b=b, r=r: te.sum(a[i, r] * b[r], axis=r), name="C")
        s = te.create_schedule(c.op)
        io, ii = s[c].split(c.op.axis[0], 4)
        ro, ri = s[c].split(r, 8)
        s[c].reorder(io, ro, ii, ri)
        s[c].tensorize(ii, intrinsic)
        arrays = rng.integers(-8, 8, (8, terms)).astype(np.float32), rng.integers(-8, 8, terms).astype(np.float32)
        result = np.full(8, np.nan, np.float32)
        tvm.build(s, [a, b, c])(*arrays, result)
        np.testing.assert_array_equal(result, arrays[0] @ arrays[1])


_SCALE = "void scale(float *p) { for (int i = 0; i < 8; ++i) p[i] *= 2; }"


def _with_a_call(ins: Sequence[Any], outs: Sequence[Any]) -> Any:
    ib = tir.ir_builder.create()
    x, z = ib.buffer_ptr(ins[0]), ib.buffer_ptr(outs[0])
    with ib.for_range(0, 8, name="q") as q:
        z[q] = te.max(x[q], 0.0)
    ib.emit(tir.call_extern("void", "scale", outs[0].access_ptr("rw")))
    return ib.get()


def test_calls_among_statements_count_on_packed_tiles() -> None:
    intrinsic = _declared(_with_a_call, c_source=_SCALE)
    with pytest.raises(TilewrightError, match="counts on a stride of 4 in dimension 0") as refused:
        tvm.lower(*_tensorized(intrinsic))
    assert refused.value.code == "TW0426"
    x = np.random.default_rng(2).standard_normal((6, COLUMNS)).astype(np.float32)
    result = np.full_like(x, np.nan)
    tvm.build(*_tensorized(intrinsic, COLUMNS), target="c")(x, result)
    np.testing.assert_array_equal(result, np.maximum(x, 0) * 2)


def _one_element(ins: Sequence[Any], outs: Sequence[Any]) -> Any:
    return outs[0].vstore([0, 0], ins[0].vload([0, 0]))


def _loop(extent: Any, writes: str = "out", source: Any = None) -> Body:
    def body(ins: Sequence[Any], outs: Sequence[Any]) -> Any:
        ib = tir.ir_builder.create()
        x, z = ib.buffer_ptr(source or ins[0]), ib.buffer_ptr(outs[0])
        with ib.for_range(0, extent, name="q") as q:
            if writes == "out":
                z[q] = x[q] * 2
            else:
                x[q] = 2.0
        return ib.get()

    return body


def test_a_body_that_computes_something_else_is_found_by_the_check() -> None:
    for body in (_one_element, _loop(8)):
        with pytest.raises(TilewrightError, match="its body computes another result than described") as refused:
            _declared(body).check()
        assert refused.value.code == "TW0430"


def test_statements_that_are_no_body_are_refused() -> None:
    cases = {
        "expected accesses inside of %x, but .* lies outside": (_loop(9), "TW0430"),
        "expected an implementation that reads %x only": (_loop(8, "in"), "TW0430"),
        "expected statements of constant extents as body, but they use 'n'": (_loop(te.var("n")), "TW0430"),
        "expected statements on the buffers given, but they use 'other'": (
            _loop(8, source=tir.decl_buffer((8,), name="other")), "TW0466",
        ),
    }  # fmt: skip
    for message, (body, code) in cases.items():
        with pytest.raises(TilewrightError, match=message) as refused:
            _declared(body)
        assert refused.value.code == code


def test_text_that_leaves_its_tile_is_refused() -> None:
    text = """
func.func @copy(%a: memref<4xf32>, %b: memref<4xf32>) {{
  loop.for %i = 0 to 4 {{
    %x = loop.load %a[%i] : memref<4xf32>
    loop.store %x, %b[%i{offset}] : memref<4xf32>
  }}
  func.return
}}"""
    x = te.placeholder((4,), name="x")
    z = te.compute((4,), lambda i: x[i], name="z")
    te.decl_tensor_intrin(z.op, lambda ins, outs: text.format(offset=""), name="copy")
    with pytest.raises(TilewrightError, match=r"expected accesses inside of %b, but \[%i \+ 1\] lies outside"):
        te.decl_tensor_intrin(z.op, lambda ins, outs: text.format(offset=" + 1"), name="copy")
