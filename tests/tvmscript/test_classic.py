"""Programs as users of the classic language have them, in forms of several of its versions."""

from __future__ import annotations

import linecache
from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from tilewright import TilewrightError
from tilewright.ir import diagnostics
from tilewright.script import from_source
from tilewright.script import ir as I
from tilewright.script import tir as T

RNG = np.random.default_rng(1)


@T.prim_func
def softmax(a: T.handle, c: T.handle) -> None:
    # regions in lists, types of results on calls
    A = T.match_buffer(a, (16, 32), "float32")
    C = T.match_buffer(c, (16, 32), "float32")
    M = T.alloc_buffer([16], dtype="float32")
    E = T.alloc_buffer([16, 32], dtype="float32", elem_offset=0, align=64)
    S = T.alloc_buffer([16], dtype="float32")
    for i0, i1 in T.grid(16, 32):
        with T.block("M"):
            i0_1, k = T.axis.remap("SR", [i0, i1])
            T.reads([A[i0_1, k]])
            T.writes([M[i0_1]])
            with T.init():
                M[i0_1] = T.min_value("float32")
            M[i0_1] = T.max(M[i0_1], A[i0_1, k])
    for i0, i1 in T.grid(16, 32):
        with T.block("E"):
            i0_2, i1_1 = T.axis.remap("SS", [i0, i1])
            E[i0_2, i1_1] = T.exp(A[i0_2, i1_1] - M[i0_2], dtype="float32")
    for i0_3, i1_2 in T.grid(16, 32):
        with T.block("S"):
            i0_4, k = T.axis.remap("SR", [i0_3, i1_2])
            with T.init():
                S[i0_4] = T.float32(0)
            S[i0_4] += E[i0_4, k]
    for i0_5, i1_3 in T.grid(16, 32):
        with T.block("C"):
            i0_6, i1_4 = T.axis.remap("SS", [i0_5, i1_3])
            T.block_attr({"axis": 1})
            C[i0_6, i1_4] = E[i0_6, i1_4] / S[i0_6]


def test_softmax() -> None:
    x = RNG.standard_normal((16, 32)).astype(np.float32)
    e = np.exp(x - x.max(axis=1, keepdims=True))
    np.testing.assert_allclose(tvm.build(softmax)(x), e / e.sum(axis=1, keepdims=True), rtol=1e-5)


@T.prim_func
def flat(a: T.handle, b: T.handle) -> None:
    # the data of buffers, a declaration before those of arguments, and blocks that use the variables of loops
    C = T.alloc_buffer((4, 6))
    A = T.match_buffer(a, (4, 6))
    B = T.match_buffer(b, (4, 6))
    for i, j in T.grid(4, 6):
        with T.block("C"):
            C.data[i * 6 + j] = T.load("float32", A.data, i * 6 + j) + T.float32(1)
    for i, j in T.grid(4, 6):
        with T.block("outer"):
            T.block_attr({"note": 1})
            with T.block("inner"):
                vk = T.axis.scan(4, 3 - i)
                T.store(B.data, vk * 6 + j, C[vk, j] * T.float32(2))


def test_accesses_of_flat_data() -> None:
    x = RNG.standard_normal((4, 6)).astype(np.float32)
    np.testing.assert_array_equal(tvm.build(flat)(x), (x + 1) * 2)
    text = flat.script()
    assert "loop.load %A[%vi, %vj]" in text and "%B[%vk, %vj_2]" in text
    assert from_source(flat.script()).is_structurally_equivalent(flat)
    assert from_source(flat.script("tvmscript")).is_structurally_equivalent(flat)


def test_a_vector_of_flat_data() -> None:
    @T.prim_func
    def rows(A: T.Buffer((3, 4), "float32"), B: T.Buffer((3, 4), "float32")):
        for i in range(6):
            B.data[T.ramp(i * 2, 1, 2)] = T.load("float32x2", A.data, T.ramp(10 - i * 2, 1, 2))

    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    expected = x.reshape(6, 2)[::-1].reshape(3, 4)
    np.testing.assert_array_equal(tvm.build(rows)(x), expected)


def test_regions_of_a_block_of_blocks() -> None:
    @T.prim_func
    def tiles(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
        for io in range(2):
            with T.block("outer"):
                vo = T.axis.spatial(2, io)
                T.reads(A[vo * 4 : vo * 4 + 4])
                T.writes(B[vo * 4 : vo * 4 + 4])
                for ii in range(4):
                    with T.block("inner"):
                        v = T.axis.spatial(8, vo * 4 + ii)
                        B[v] = A[v] * T.float32(3)

    np.testing.assert_array_equal(tvm.build(tiles)(np.ones(8, np.float32)), np.full(8, 3, np.float32))


@T.prim_func
def strided_data(a: T.handle, b: T.handle):
    n = T.var("int32")
    s = T.var("int32")
    t = T.var("int32")
    A = T.match_buffer(a, [n], strides=[s], elem_offset=0, align=128, offset_factor=1, type="auto")
    B = T.match_buffer(b, [n], strides=[t], elem_offset=0, align=128, offset_factor=1, type="auto")
    for i in T.serial(0, n):
        B.data[(i * t)] = T.load("float32", A.data, (s * (n - 1 - i))) + T.float32(1)


@pytest.mark.parametrize("step", [1, 2, 5])
def test_data_of_strided_buffers_is_found_by_products_with_the_stride(step: int) -> None:
    x = RNG.standard_normal(7 * step).astype(np.float32)[::step]
    y = np.zeros(14, np.float32)
    tvm.build(strided_data)(x, y[::2])
    np.testing.assert_array_equal(y[::2], x[::-1] + 1)
    np.testing.assert_array_equal(y[1::2], 0)


def test_data_of_strided_buffers_has_no_other_index() -> None:
    source = """\
@T.prim_func
def f(a: T.handle, b: T.handle):
    n = T.var("int32")
    s = T.var("int32")
    A = T.match_buffer(a, [n], strides=[s])
    B = T.match_buffer(b, [n])
    for i in T.serial(0, n):
        B[i] = T.load("float32", A.data, i)
"""
    with pytest.raises(tvm.TilewrightError, match="a product with the stride as index of the data of 'A'"):
        from_source(source)


@T.prim_func
def parts(a: T.handle, b: T.handle) -> None:
    A = T.match_buffer(a, (4, 8), "float32")
    B = T.match_buffer(b, (4, 8), "float32")
    C = T.buffer_decl([4, 8], elem_offset=0, align=128, offset_factor=1)
    T.realize(C[0:4, 0:8], "")
    for i in range(4):
        with T.block("outer") as []:
            vi = T.axis.S(4, i)
            row = T.match_buffer(C[vi, 0:8], (8,), "float32")
            one = T.match_buffer(A[vi, 3], (), "float32")
            T.reads([A[vi, 3]])
            T.writes([C[vi, 0:8]])
            for j in range(8):
                with T.block("inner"):
                    wi, wj = T.axis.remap("SS", [vi, j])
                    row[wj] = one[()] + wj + wi
    for i, j in T.grid(4, 8):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = C[vi, vj]


def test_parts_without_dimensions_of_one_element() -> None:
    x = RNG.standard_normal((4, 8)).astype(np.float32)
    expected = x[:, 3:4] + np.arange(8) + np.arange(4)[:, None]
    np.testing.assert_allclose(tvm.build(parts)(x), expected.astype(np.float32), rtol=1e-6)
    assert from_source(parts.script("tvmscript")).is_structurally_equivalent(parts)


BRACKETS = """\
@T.prim_func
def function(A: T.Buffer[(16,), "float32"], B: T.Buffer[16, "float32"]):
    for i in T.serial(0, 16):
        B[i] = T.if_then_else(i < 8, A[i], A[i] * T.float32(2), dtype="float32")
"""


def test_types_in_brackets() -> None:
    function = from_source(BRACKETS, {"T": T})
    x = np.ones(16, np.float32)
    np.testing.assert_array_equal(tvm.build(function)(x), np.where(np.arange(16) < 8, 1, 2))


def test_indices_beside_values_are_int32() -> None:
    @T.prim_func
    def function(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
        t = T.allocate([16], "int32", "global")
        for i in range(16):
            t[i] = A[i] * 2 + i
        x: T.int32 = 5
        for i in range(16):
            B[i] = T.Select(t[i] % 2 == 0, t[15 - i], x)

    a = np.arange(16, dtype=np.int32) - 4
    t = a * 2 + np.arange(16)
    np.testing.assert_array_equal(tvm.build(function)(a), np.where(t % 2 == 0, t[::-1], 5))


def test_blocks_within_blocks() -> None:
    @T.prim_func
    def function(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32")):
        for i in range(4):
            with T.block("outer"):
                vi = T.axis.S(4, i)
                T.reads(A[vi * 4 : vi * 4 + 4, 0:16])
                T.writes(B[vi * 4 : vi * 4 + 4, 0:16])
                for j, k in T.grid(4, 16):
                    with T.block("inner"):
                        vj, vk = T.axis.remap("SS", [j, k])
                        B[vi * 4 + vj, vk] = A[vi * 4 + vj, vk] + 1.0

    x = RNG.standard_normal((16, 16)).astype(np.float32)
    np.testing.assert_array_equal(tvm.build(function)(x), x + 1)


CELL = """\
@T.prim_func
def cell(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = A[i] + offset
"""


def test_a_function_that_is_typed_in_a_notebook() -> None:
    """Notebooks keep the text of their cells where Python looks for the lines of files."""
    name = "<ipython-input-1-0123456789ab>"
    linecache.cache[name] = (len(CELL), None, CELL.splitlines(keepends=True), name)
    names: dict[str, Any] = {"T": T, "offset": 2.5}
    exec(compile(CELL, name, "exec"), names)
    np.testing.assert_array_equal(tvm.build(names["cell"])(np.ones(4, np.float32)), np.full(4, 3.5, np.float32))


def test_text_with_names_from_outside() -> None:
    function = from_source(CELL, {"T": T, "offset": 1.0})
    np.testing.assert_array_equal(tvm.build(function)(np.ones(4, np.float32)), np.full(4, 2, np.float32))


def test_a_script_with_constants_and_helpers() -> None:
    text = (
        f"from tvm.script import tir as T\n\nSIZE = 2 + 2\noffset = 0.5\n\ndef twice(x):\n    return x * 2.0\n\n{CELL}"
    )
    text = text.replace("(4,)", "(SIZE,)").replace("A[i] +", "twice(A[i]) +")
    np.testing.assert_array_equal(tvm.build(from_source(text))(np.ones(4, np.float32)), np.full(4, 2.5, np.float32))


class Programs:
    """A class that is no module: its functions are read where they stand."""

    @T.prim_func
    def one(A: T.Buffer((4,), "float32")):
        for i in range(4):
            A[i] = T.float32(1)

    @T.prim_func(private=True)
    def two(A: T.Buffer((4,), "float32")):
        for i in range(4):
            A[i] = T.float32(2)

    @T.prim_func
    def three(A: T.Buffer((4,), "float32")):
        for i in range(4):
            A[i] = T.no_such_function(3)


def test_a_function_of_a_class_that_cannot_be_read_says_so_where_it_is_used() -> None:
    for use in (lambda f: f.script(), tvm.build, tvm.tir.Schedule, tvm.IRModule.from_expr):
        with pytest.raises(TilewrightError, match="unknown name T.no_such_function") as refused:
            use(Programs.three)
        assert refused.value.code == "TW0312"


def test_functions_of_a_class_that_is_no_module() -> None:
    assert Programs.one.__name__ == "one" and "1.000000e+00" in Programs.one.script()
    assert "private" in Programs.two.script()
    assert Programs.one.attrs == {"global_symbol": "one", **Programs.one.attributes}
    noted = Programs.two.with_attr({"n": 3, "yes": True, "x": 0.5, "text": "t"})
    assert noted.attrs == {"n": 3, "yes": True, "x": 0.5, "text": "t", **Programs.two.attributes}
    assert noted.script(show_meta=True, verbose_expr=True, syntax_sugar=False) == noted.script()


def test_names_of_the_language_in_expressions_of_annotations() -> None:
    with pytest.raises(TilewrightError, match="unknown name T.vscale") as refused:

        @T.prim_func
        def main(A: T.Buffer((4 * T.vscale() - 1,), "float32")):
            A[0] = T.float32(0)

    assert refused.value.code == "TW0312"


def test_a_module_of_a_decorator_with_arguments() -> None:
    @I.ir_module(check_well_formed=False)
    class Module:
        @T.prim_func
        def main(A: T.Buffer((4,), "float32")):
            for i in range(4):
                A[i] = T.float32(1)

    assert list(Module) == ["main"]


def test_macros_know_the_names_of_their_module() -> None:
    @T.macro(hygienic=True)
    def double(A, B, i):
        B[i] = A[i] * T.float32(2)

    @T.prim_func
    def main(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
        for i in range(4):
            double(A, B, i)

    a = np.arange(4, dtype=np.float32)
    np.testing.assert_array_equal(np.asarray(tvm.build(main)(a)), a * 2)
    with pytest.raises(TilewrightError, match="whose free names are resolved where it is defined") as refused:
        T.macro(hygienic=False)
    assert refused.value.code == "TW0314"


def test_constants_of_te_that_a_script_captures() -> None:
    small, many = tvm.tir.IntImm("int8", 3), tvm.tir.IntImm("int32", 4)

    @T.prim_func
    def main(A: T.Buffer((4,), "int8")):
        for i in range(many):
            A[i] = small

    assert tvm.build(main)().tolist() == [3, 3, 3, 3]


def test_the_scope_of_a_realized_buffer() -> None:
    text = """@T.prim_func
def f(a: T.handle):
    A = T.match_buffer(a, (4,), "float32")
    B = T.decl_buffer((4,), "float32", scope="local")
    T.attr(B, "realize_scope", "SCOPE")
    T.realize(B[0:4], "SCOPE")
    for i in range(4):
        B[i] = T.float32(1)
        A[i] = B[i]
"""
    for scope in ("", "local"):
        assert tvm.build(from_source(text.replace("SCOPE", scope)))().tolist() == [1, 1, 1, 1]
    with pytest.raises(TilewrightError, match="the attribute 'realize_scope'") as refused:
        from_source(text.replace("SCOPE", "shared"))
    assert refused.value.code == "TW0314"


def test_a_renderer_is_called_for_refused_scripts() -> None:
    found: list[Any] = []
    diagnostics.override_renderer(lambda context: found.extend(context.diagnostics))
    try:
        with pytest.raises(tvm.error.DiagnosticError) as refused:
            from_source("@T.prim_func\ndef f(A: T.Buffer((4,), 'float32')):\n    A[0] = T.no_such(1)")
        assert diagnostics.get_renderer() is not None
    finally:
        diagnostics.override_renderer(None)
    assert [(d.level, d.span, d.message) for d in found] == [
        (diagnostics.DiagnosticLevel.ERROR, ("<tvmscript>", 3, 12), refused.value.message)
    ]
    with pytest.raises(TilewrightError):
        from_source("@T.prim_func\ndef f(A: T.Buffer((4,), 'float32')):\n    A[0] = T.no_such(1)")
    assert len(found) == 1 and diagnostics.get_renderer() is None


def test_allocations_of_vectors_hold_their_lanes() -> None:
    @T.prim_func
    def function(A: T.Buffer((32,), "float32"), B: T.Buffer((32,), "float32")):
        t = T.allocate([4], "float32x8", "global")
        for i in range(4):
            T.store(t, T.ramp(i * 8, 1, 8), T.load("float32x8", A.data, T.ramp(i * 8, 1, 8)) * T.float32(2))
        for i in range(32):
            B[i] = t[31 - i]

    a = np.arange(32, dtype=np.float32)
    np.testing.assert_array_equal(tvm.build(function)(a), a[::-1] * 2)


DIMENSIONS = (4, 8)


@T.prim_func
def together(a: T.handle("float32"), b: T.handle("float32", "global")):
    T.func_attr({"global_symbol": "together", "target": T.target("llvm")})
    A = T.Buffer((2, *DIMENSIONS), "float32", data=a)
    B = T.decl_buffer([2, 4, 8], "float32", data=b)
    rows = T.Buffer((8, 8), data=A.data)
    same = T.Buffer((2, 4, 8), "float32", data=A.data)
    for axes in T.grid(2, *DIMENSIONS):
        with T.block("B"):
            vi, vj, vk = T.axis.remap("SSS", axes)
            B[vi, vj, vk] = rows[vi * 4 + vj, vk] + same[vi, vj, vk]
    with T.LetStmt(T.float32(3)) as three:
        B[0, 0, 0] = three


def test_pointers_shapes_in_parts_and_variables_in_one_name() -> None:
    a, b = RNG.random((2, 4, 8), dtype=np.float32), np.zeros((2, 4, 8), np.float32)
    tvm.build(together)(a, b)
    expected = a + a
    expected[0, 0, 0] = 3
    np.testing.assert_array_equal(b, expected)
    assert together.script().count("loop.view") == 1


@T.prim_func
def vectors(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "int32")):
    A[T.Ramp(0, 2, 4)] = T.Broadcast(T.float32(3), 4)
    for i in range(8):
        B[i] = T.shift_left(B[i], 2, dtype="int32")


def test_vectors_under_their_capital_names() -> None:
    a, b = np.zeros(8, np.float32), np.arange(8, dtype=np.int32)
    tvm.build(vectors)(a, b)
    np.testing.assert_array_equal(a, [3, 0] * 4)
    np.testing.assert_array_equal(b, np.arange(8) * 4)


@pytest.mark.parametrize(
    "number", ["T.float32(1e60)", "T.float16(-70000.0)", "T.bfloat16(1e60)", "1e60", "T.Cast('float32', -1e300)"]
)
def test_numbers_that_a_type_of_floats_does_not_hold(number: str) -> None:
    text = f"""
from tilewright.script import tir as T
@T.prim_func
def f(a: T.handle):
    A = T.match_buffer(a, (4,), "float32")
    for i in range(4):
        A[i] = T.Cast("float32", {number})
"""
    with pytest.raises(TilewrightError, match=r"7:\d+: error\[TW0313\]: expected a number that b?float\d+ can hold"):
        from_source(text)
    greatest = from_source(text.replace(number, "T.float32(3.40282347e+38)"))
    assert "3.40282347e+38" in str(greatest)
