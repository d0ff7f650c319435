"""Computes that a tensor intrinsic computes tile by tile."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te, tir

ADD = """
static int calls = 0;
int add_tile(float* out, const float* a, const float* b, int n) {
  calls += 1;
  for (int i = 0; i < n; ++i) out[i] = a[i] + b[i];
  return 0;
}
"""
PRODUCT = """
void fill(float* c, int m, int n, int row) {
  for (int i = 0; i < m; ++i) for (int j = 0; j < n; ++j) c[i * row + j] = 0;
}
void gather(float* c, const float* a, const float* b, int m, int n, int l, int row) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < l; ++k) c[i * row + j] += a[i * l + k] * b[j * l + k];
}
"""


def refused(code: str, message: str) -> Any:
    return pytest.raises(tvm.TilewrightError, match=rf"(?s){code}.*{message}")


def random(*shape: int) -> np.ndarray:
    return np.random.default_rng(len(shape)).integers(-4, 5, shape).astype(np.float32)


def add_of(n: int, **parameters: Any) -> Any:
    """Return an intrinsic that adds `n` elements, by foreign code."""
    x, y = te.placeholder((n,), name="x"), te.placeholder((n,), name="y")
    z = te.compute((n,), lambda i: x[i] + y[i], name="z")

    def body(ins: Any, outs: Any) -> Any:
        addresses = outs[0].access_ptr("w"), ins[0].access_ptr("r"), ins[1].access_ptr("r")
        return tir.call_extern("int32", "add_tile", *addresses, n)

    return te.decl_tensor_intrin(z.op, body, default_buffer_params=parameters, c_source=ADD)


def product_of(m: int, n: int, depth: int) -> Any:
    """Return an intrinsic for the product of two tiles, the right one transposed."""
    a, b = te.placeholder((m, depth), name="a"), te.placeholder((n, depth), name="b")
    k = te.reduce_axis((0, depth), "k")
    c = te.compute((m, n), lambda i, j: te.sum(a[i, k] * b[j, k], axis=k), name="c")
    result = tir.decl_buffer((m, n), "float32", name="c", strides=[te.var("row"), 1])

    def body(ins: Any, outs: Any) -> Any:
        out, row = outs[0].access_ptr("rw"), outs[0].strides[0]
        start = tir.call_extern("void", "fill", outs[0].access_ptr("w"), m, n, row)
        more = tir.call_extern("void", "gather", out, ins[0].access_ptr("r"), ins[1].access_ptr("r"), m, n, depth, row)
        return None, start, more

    return te.decl_tensor_intrin(c.op, body, binds={c: result}, c_source=PRODUCT)


def text_of(schedule: Any, args: Any) -> str:
    return str(tvm.lower(schedule, args))


@pytest.mark.parametrize("target", ["llvm", "c"])
def test_an_intrinsic_computes_the_rows_of_a_tensor(target: str) -> None:
    add = add_of(16)
    A, B = te.placeholder((6, 16), name="A"), te.placeholder((16, 6), name="B")
    T = te.compute((6, 16), lambda i, j: B[j, i], name="T")
    C = te.compute((6, 16), lambda i: add(A[i, 0:16], T[i, :]), name="C")
    s = te.create_schedule(C.op)
    assert text_of(s, [A, B, C]).count("add_tile") >= 1
    a, b = random(6, 16), random(16, 6)
    np.testing.assert_array_equal(tvm.build(s, [A, B, C], target)(a, b), a + b.T)


def test_it_means_what_the_intrinsic_describes() -> None:
    add = add_of(4)
    A = te.placeholder((5, 12), name="A")
    C = te.compute((5, 2, 4), lambda i, j: add(A[i, j * 4 : j * 4 + 4], A[4 - i, 8:12]), name="C")
    a = random(5, 12)
    expected = a[:, :8].reshape(5, 2, 4) + a[::-1, None, 8:]
    np.testing.assert_array_equal(tvm.build([A, C], target="interpreter")(a), expected)
    np.testing.assert_array_equal(tvm.build(te.create_schedule(C.op), [A, C])(a), expected)


def test_terms_of_a_reduction_lie_in_several_tiles() -> None:
    product = product_of(4, 8, 3)
    A, B = te.placeholder((2, 5, 4, 3), name="A"), te.placeholder((3, 5, 8, 3), name="B")
    k = te.reduce_axis((0, 5), "ko")
    C = te.compute((2, 3, 4, 8), lambda i, j: product(A[i, k, 0:4, 0:3], B[j, k, 0:8, 0:3], reduce_axis=k), name="C")
    assert C.op.reduce_axis[0] is k
    a, b = random(2, 5, 4, 3), random(3, 5, 8, 3)
    expected = np.einsum("ikmr,jknr->ijmn", a, b)
    plain = te.create_schedule(C.op)
    np.testing.assert_allclose(tvm.build(plain, [A, B, C])(a, b), expected)
    s = te.create_schedule(C.op)
    i, j = C.op.axis[:2]
    outer, inner = s[C].split(i, factor=2)
    s[C].reorder(j, outer, inner)
    np.testing.assert_allclose(tvm.build(s, [A, B, C])(a, b), expected)
    text = text_of(s, [A, B, C])
    assert "fill" in text
    assert "gather" in text


def test_copies_and_other_stages_stand_around_tiles() -> None:
    add = add_of(8)
    A, B = te.placeholder((6, 8), name="A"), te.placeholder((6, 8), name="B")
    D = te.compute((6, 8), lambda i, j: B[i, j] * 2.0, name="D")
    C = te.compute((6, 8), lambda i: add(A[i, 0:8], D[i, 0:8]), name="C")
    E = te.compute((6, 8), lambda i, j: C[i, j] + 1.0, name="E")
    s = te.create_schedule(E.op)
    cache = s.cache_write(C, "local")
    s.cache_read(A, "local", [cache])
    s[D].compute_at(s[cache], s[cache].op.axis[0])
    assert "add_tile" in text_of(s, [A, B, E])
    a, b = random(6, 8), random(6, 8)
    np.testing.assert_array_equal(tvm.build(s, [A, B, E])(a, b), a + b * 2 + 1)


def test_functions_of_python_get_tiles() -> None:
    def add(x: Any, y: Any, z: Any) -> None:
        z.copyfrom(x.numpy() + y.numpy())

    tvm.register_func("test.tiles.add", add, override=True)
    try:
        x, y = te.placeholder((8,), name="x"), te.placeholder((8,), name="y")
        z = te.compute((8,), lambda i: x[i] + y[i], name="z")
        parameters = {"offset_factor": 8, "data_alignment": 16}
        intrin = te.decl_tensor_intrin(
            z.op,
            lambda ins, outs: tir.call_packed("test.tiles.add", *ins, *outs),
            default_buffer_params=parameters,
        )
        A, B = te.placeholder((3, 8), name="A"), te.placeholder((3, 8), name="B")
        C = te.compute((3, 8), lambda i: intrin(A[i, 0:8], B[i, 0:8]), name="C")
        a, b = random(3, 8), random(3, 8)
        np.testing.assert_array_equal(tvm.build(te.create_schedule(C.op), [A, B, C])(a, b), a + b)
    finally:
        tvm._ffi.remove_global_func("test.tiles.add")


# Where tiles start


def test_tiles_start_at_multiples() -> None:
    add = add_of(8, offset_factor=8)
    A, B = te.placeholder((4, 16), name="A"), te.placeholder((4, 16), name="B")
    C = te.compute((4, 16), lambda i, j: A[i, j] + B[i, j], name="C")
    s = te.create_schedule(C.op)
    _, inner = s[C].split(C.op.axis[1], factor=8)
    s[C].tensorize(inner, add)
    a, b = random(4, 16), random(4, 16)
    np.testing.assert_array_equal(tvm.build(s, [A, B, C])(a, b), a + b)


@pytest.mark.parametrize(("width", "start"), [(18, 0), (32, 4)])
def test_tiles_elsewhere_are_refused(width: int, start: int) -> None:
    add = add_of(8, offset_factor=8)
    A = te.placeholder((4, width), name="A")
    C = te.compute((4, 8), lambda i: add(A[i, start : start + 8], A[i, start : start + 8]), name="C")
    with refused("TW0426", "multiples of 8 elements"):
        tvm.lower(te.create_schedule(C.op), [A, C])


def test_rows_of_a_buffer_that_may_shrink_are_refused() -> None:
    add = add_of(8, offset_factor=8)
    A = te.placeholder((4, 16), name="A")
    B = te.compute((4, 16), lambda i, j: A[i, j] + 1.0, name="B")
    C = te.compute((4, 8), lambda i: add(B[i, 0:8], B[i, 8:16]), name="C")
    with refused("TW0426", "multiples of 8 elements"):
        tvm.lower(te.create_schedule(C.op), [A, C])


def test_memory_of_another_scope_is_refused() -> None:
    add = add_of(8, scope="local")
    A = te.placeholder((4, 8), name="A")
    C = te.compute((4, 8), lambda i: add(A[i, 0:8], A[i, 0:8]), name="C")
    with refused("TW0426", "in scope 'local', but it lies in 'global'"):
        tvm.lower(te.create_schedule(C.op), [A, C])


def test_functions_of_c_get_addresses_aligned_to_elements() -> None:
    with refused("TW0430", "data_alignment 16"):
        add_of(8, data_alignment=16)


# What is refused


def test_regions_of_other_shapes_are_refused() -> None:
    add = add_of(8)
    A = te.placeholder((4, 16), name="A")
    cases = {
        r"expected 2 regions": lambda i: add(A[i, 0:8]),
        r"shape \(8,\) as operand 'x'": lambda i: add(A[i, 0:9], A[i, 0:8]),
        r"A\[i, 0:None\]": lambda i: add(A[i, 0:8], A[i, :]),
        r"a step of 2": lambda i: add(A[i, 0:16:2], A[i, 0:8]),
        r"expected regions of tensors": lambda i: add(A[i, 0:8], 1.0),
        r"axes of te.reduce_axis": lambda i: add(A[i, 0:8], A[i, 0:8], reduce_axis=i),
        r"to describe a reduction": lambda i: add(A[i, 0:8], A[i, 0:8], reduce_axis=te.reduce_axis((0, 2))),
    }
    for message, function in cases.items():
        with refused("TW0453", message):
            te.compute((4, 8), function, name="C")
    with refused("TW0453", r"to end in dimensions \(8,\)"):
        te.compute((4, 9), lambda i: add(A[i, 0:8], A[i, 0:8]), name="C")
    with refused("TW0453", "to take 2 arguments"):
        te.compute((4, 8), lambda i: A[i, 0] + 1.0, name="C")


def test_primitives_of_single_elements_are_refused() -> None:
    product = product_of(4, 8, 3)
    A, B = te.placeholder((2, 5, 4, 3), name="A"), te.placeholder((5, 8, 3), name="B")
    k = te.reduce_axis((0, 5), "ko")
    C = te.compute((2, 4, 8), lambda i: product(A[i, k, 0:4, 0:3], B[k, 0:8, 0:3], reduce_axis=k), name="C")
    D = te.compute((2, 4, 8), lambda i, j, h: C[i, j, h] + 1.0, name="D")
    s = te.create_schedule(D.op)
    with refused("TW0487", "whole tiles by intrinsic"):
        s.rfactor(C, k)
    with refused("TW0487", "whole tiles by intrinsic"):
        s[C].compute_inline()
    with refused("TW0492", "tensorize was called"):
        s[C].split(C.op.axis[1], factor=2)
    with refused("TW0455", "a slice"):
        te.compute((2,), lambda i: A[i, 0, 0, 0:2] + 1.0)


def test_what_an_intrinsic_says_of_itself() -> None:
    add = add_of(8)
    x, y = add.op.inputs
    assert (add.inputs, add.reduce_init, [b.name for b in add.buffers]) == ((x, y), None, ["x", "y", "z"])
    s = te.create_schedule(te.compute((8,), lambda i: x[i] + y[i], name="C").op)
    (axis,) = s.stages[-1].op.axis
    s.stages[-1].tensorize(axis, add)
    (attributes,) = s.stages[-1].iter_var_attrs.values()
    assert attributes.tensor_intrin is add
    with pytest.raises(AttributeError, match="TW0251.*no 'prefetch'"):
        _ = attributes.prefetch
