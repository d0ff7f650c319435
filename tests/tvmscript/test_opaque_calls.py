"""Calls of the original's own functions, pointers into buffers, and numbers with types, as older scripts have them."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright as tvm
from tilewright import TilewrightError
from tilewright.ir import assert_structural_equal
from tilewright.script import from_source
from tilewright.script import tir as T

RNG = np.random.default_rng(7)


@T.prim_func
def fragments(a: T.handle, b: T.handle) -> None:
    A = T.match_buffer(a, (64, 32), "float16")
    B = T.match_buffer(b, (64, 32), "float16")
    for i, j in T.grid(4, 2):
        with T.block("load"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(A[vi * 16 : vi * 16 + 16, vj * 16 : vj * 16 + 16])
            T.writes(B[vi * 16 : vi * 16 + 16, vj * 16 : vj * 16 + 16])
            A0 = T.match_buffer(
                A[vi * 16 : vi * 16 + 16, vj * 16 : vj * 16 + 16],
                (16, 16),
                "float16",
                strides=[32, 1],
                offset_factor=1,
            )
            T.evaluate(
                T.tvm_load_matrix_sync(
                    B.data,
                    16,
                    16,
                    16,
                    vi * 2 + vj,
                    T.tvm_access_ptr(
                        T.type_annotation(dtype="float16"), A0.data, A0.elem_offset, A0.strides[0], 1, dtype="handle"
                    ),
                    32,
                    "row_major",
                    dtype="handle",
                )
            )


def test_a_call_on_fragments_is_one_operation() -> None:
    text = str(fragments)
    assert 'loop.call_extern "tir.tvm_load_matrix_sync"(update %B[0, 0] box [64, 32]' in text
    assert "read %A[%vi * 16, %vj * 16] box [16, 16]" in text
    assert 'texts = ["row_major"]' in text
    assert_structural_equal(fragments, from_source(fragments.script("tvmscript")))


def test_such_a_program_is_not_built() -> None:
    with pytest.raises(TilewrightError, match=r"TW0432.*tir\.tvm_load_matrix_sync"):
        tvm.build(fragments)


def test_an_intrinsic_by_its_name_is_the_same_call() -> None:
    @T.prim_func
    def by_name(C: T.Buffer((16, 16), "float32")):
        T.evaluate(T.call_intrin("handle", "tir.tvm_fill_fragment", C.data, 16, 16, 16, 0, T.float32(0)))

    @T.prim_func
    def plain(C: T.Buffer((16, 16), "float32")):
        T.evaluate(T.tvm_fill_fragment(C.data, 16, 16, 16, 0, T.float32(0), dtype="handle"))

    assert_structural_equal(by_name, plain)


def test_regions_say_what_a_foreign_function_reads() -> None:
    @T.prim_func
    def calls(A: T.Buffer((256,), "float32"), B: T.Buffer((256,), "float32")):
        for i in range(2):
            with T.block("call"):
                v = T.axis.S(2, i)
                T.reads(A[v * 128 : v * 128 + 128])
                T.writes(B[v * 128 : v * 128 + 128])
                T.evaluate(T.call_extern("mine", B.data, A.data, v * 128, dtype=""))

    assert 'loop.call_extern "mine"(update %B[0] box [256] : memref<256xf32>, read %A[0] box [256]' in str(calls)


def test_a_pointer_into_a_buffer_of_one_dimension() -> None:
    @T.prim_func
    def calls(A: T.Buffer((256,), "float32"), B: T.Buffer((256,), "float32")):
        for i in range(2):
            T.call_extern("mine", B.access_ptr("w", offset=i * 128, extent=128), A.access_ptr("r"), dtype="int32")

    assert "(write %B[%i * 128] box [128] : memref<256xf32>, read %A[0] box [256] : memref<256xf32>)" in str(calls)


def test_a_pointer_into_a_matrix_needs_its_indices() -> None:
    text = (
        "@T.prim_func\ndef f(A: T.Buffer((8, 8), 'float32')):\n"
        "    T.call_extern('int32', 'mine', A.access_ptr('r', offset=3))"
    )
    with pytest.raises(TilewrightError, match=r":3:36: error\[TW0314\]: expected the address of a whole buffer"):
        from_source(text)


def test_fixed_point_products_round_to_the_nearest() -> None:
    @T.prim_func
    def products(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), C: T.Buffer((64,), "int32")):
        for i in range(64):
            B[i] = T.q_multiply_shift(A[i], 1269068532, 31, -4, dtype="int32")
            C[i] = T.q_multiply_shift(A[i], 1395864371, 31, 3, dtype="int32")

    edges = [-(2**31), -1, 0, 1, 13, 14, 2**28 - 1]
    x = np.concatenate([edges, RNG.integers(-(2**28), 2**28, 64 - len(edges))]).astype(np.int32)
    down, up = tvm.build(products)(x)
    exact = x.astype(object)
    np.testing.assert_array_equal(down, (exact * 1269068532 + 2**34) // 2**35)
    wanted = [(int(v) * 8 * 1395864371 + 2**30) // 2**31 for v in x]
    fits = [-(2**31) <= v < 2**31 for v in wanted]
    np.testing.assert_array_equal(up[fits], np.array(wanted)[fits])


def test_numbers_with_types_are_parts_of_indices() -> None:
    @T.prim_func
    def typed(A: T.Buffer((T.int64(4), T.int64(8)), "float32"), B: T.Buffer((32,), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        for i, j in T.grid(T.int64(4), T.int64(8)):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                if vi < T.int64(3):
                    B[vi * T.int64(8) + vj] = A[vi, vj]
                else:
                    B[vi * T.int64(8) + vj] = T.float32(0)

    @T.prim_func
    def plain(A: T.Buffer((4, 8), "float32"), B: T.Buffer((32,), "float32")):
        for i, j in T.grid(4, 8):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                if vi < 3:
                    B[vi * 8 + vj] = A[vi, vj]
                else:
                    B[vi * 8 + vj] = T.float32(0)

    assert_structural_equal(typed, plain)


def test_a_result_that_stands_first_is_the_callers_array() -> None:
    @T.prim_func
    def into(B: T.Buffer((8,), "float32"), A: T.Buffer((8,), "float32")):
        for i in range(8):
            B[i] = A[i] + 1.0

    x, out = RNG.standard_normal(8).astype(np.float32), np.zeros(8, np.float32)
    assert tvm.build(into)(out, x) is None
    np.testing.assert_array_equal(out, x + 1)


def test_an_init_uses_a_part_of_a_buffer() -> None:
    @T.prim_func
    def sums(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4,), "float32")):
        for i, k in T.grid(4, 8):
            with T.block("B"):
                vi, vk = T.axis.remap("SR", [i, k])
                BB = T.match_buffer(B[vi], ())
                with T.init():
                    BB[()] = T.float32(0)
                BB[()] += A[vi, vk]

    x = RNG.integers(-8, 8, (4, 8)).astype(np.float32)
    np.testing.assert_array_equal(tvm.build(sums)(x), x.sum(1))


def test_a_block_uses_the_variable_of_a_loop_over_a_size() -> None:
    @T.prim_func
    def parts(a: T.handle, b: T.handle) -> None:
        n = T.int32()
        A = T.match_buffer(a, (n, 8), "float32")
        B = T.match_buffer(b, (n, 8), "float32")
        for i in range(n):
            with T.block("part"):
                T.reads(A[i, 0:8])
                T.writes(B[i, 0:8])
                for j in range(8):
                    B[i, j] = A[i, j] * 2.0

    assert "spatial(%i) in %n" in str(parts)
    x = RNG.standard_normal((3, 8)).astype(np.float32)
    np.testing.assert_array_equal(tvm.build(parts)(x), x * 2)


def test_strides_of_a_dense_view_are_what_they_are() -> None:
    @T.prim_func
    def views(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
        C = T.decl_buffer((2, 4), "float32", data=A.data, strides=[4, 1])
        for i, j in T.grid(2, 4):
            B[i * C.strides[0] + j] = C[i, j]

    x = RNG.standard_normal(8).astype(np.float32)
    np.testing.assert_array_equal(tvm.build(views)(x), x)


def test_division_that_rounds_up() -> None:
    @T.prim_func
    def tiles(A: T.Buffer((9,), "int32"), B: T.Buffer((9,), "int32")):
        for i in range(9):
            B[i] = T.ceildiv(A[i], 4)

    x = np.arange(-4, 5, dtype=np.int32)
    np.testing.assert_array_equal(tvm.build(tiles)(x), -(-x // 4))
