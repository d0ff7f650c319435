"""Products of matrices by the default schedules: values, which kernel computes them, and where none does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from tilewright import te, tir
from tilewright.driver.targets import Target
from tilewright.passes import PassContext, collect_remarks
from tilewright.schedule import product_kernels
from tilewright.schedule.product_kernels import ProductKernel, fitting_kernels
from tilewright.schedule.rules import packed_product
from tilewright.schedule.rules.packed_product import evenly

from .programs import calls, drawn, expected, parallel_loops, product, run, scopes

SIZES = (72, 80, 96)
BASELINE = "llvm -mcpu=x86-64 -num-cores=1"
LEVEL_3 = "llvm -mcpu=x86-64-v3 -num-cores=1"
LEVEL_4 = "llvm -mcpu=x86-64-v4 -num-cores=1"
ALONE = pytest.mark.native("values that every kernel of every machine has to give")
HERE = pytest.param("llvm", marks=[ALONE, pytest.mark.hosts])


def check(
    left: str,
    right: str,
    result: str = "int32",
    sizes: tuple[int, int, int] = SIZES,
    target: str = LEVEL_3,
    threads: int = 1,
    **form: Any,
) -> str:
    """Compare a product with numpy's; what the rule says of it."""
    m, n, depth = sizes
    rng = np.random.default_rng(0)
    transposed, batch = form.get("transposed", (False, False)), form.get("batch")
    lead = () if batch is None else (batch,)
    a = drawn(rng, left, (*lead, *((depth, m) if transposed[0] else (m, depth))))
    b = drawn(rng, right, (*lead, *((n, depth) if transposed[1] else (depth, n))))
    with collect_remarks() as remarks:
        got = run(product(left, right, result, sizes, **form), a, b, target=target, threads=threads)
    want = expected(a, b, transposed)
    if result == "int32":
        np.testing.assert_array_equal(got, want.astype(np.int32))  # sums of 16-bit products wrap around
    else:
        np.testing.assert_allclose(got, want, atol=1e-5 * float(np.abs(want).max()))
    (remark,) = (r for r in remarks if r.code == "TW0746")
    assert remark.kind == "analysis"
    return remark.message


@pytest.mark.parametrize("right", ["int8", "uint8"])
@pytest.mark.parametrize("left", ["int8", "uint8"])
def test_bytes_of_either_sign_are_multiplied_exactly(left: str, right: str) -> None:
    check(left, right)


@pytest.mark.parametrize("value", [-128, 127])
@pytest.mark.parametrize("target", [LEVEL_3, HERE])
def test_sums_of_the_largest_products_are_exact(target: str, value: int) -> None:
    """As many terms as 32 bits hold, of products as large as can be."""
    m, n, depth = 16, 64, 2**31 // 128**2 - 1
    a, b = np.full((m, depth), -128, np.int8), np.full((depth, n), value, np.int8)
    got = run(product("int8", "int8", "int32", (m, n, depth)), a, b, target=target)
    np.testing.assert_array_equal(got, np.full((m, n), -128 * value * depth))


@pytest.mark.parametrize("target", [BASELINE, LEVEL_3, HERE])
@pytest.mark.parametrize("dtype", ["int8", "int16"])
def test_every_instruction_set_of_this_machine(dtype: str, target: str) -> None:
    check(dtype, dtype, target=target)


@pytest.mark.parametrize(("left", "right"), [("bfloat16", "bfloat16"), ("float16", "bfloat16")])
def test_narrow_floats_are_accumulated_in_single_precision(left: str, right: str) -> None:
    check(left, right, "float32")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("sizes", [(73, 81, 97), (129, 16, 64), (64, 250, 31), (4, 400, 128)])
@pytest.mark.parametrize("right", ["int8", "uint8"])
def test_extents_that_do_not_divide_are_padded(sizes: tuple[int, int, int], right: str) -> None:
    check("int8", right, sizes=sizes)


@pytest.mark.sampled(3)
@ALONE
@pytest.mark.parametrize("sizes", [(73, 81, 97), (64, 250, 31), (13, 400, 130)])
@pytest.mark.parametrize("right", ["int8", "uint8"])
def test_padded_extents_on_this_machine(sizes: tuple[int, int, int], right: str) -> None:
    check("int8", right, sizes=sizes, target="llvm")


@pytest.mark.parametrize("target", [LEVEL_3, HERE])
@pytest.mark.parametrize("rows", [97, 1022])
def test_rows_that_do_not_fill_tiles_are_not_padded(rows: int, target: str) -> None:
    """Of one block, and of blocks whose extents tiles do not divide."""
    assert "100% of what is computed" in check("int8", "int8", sizes=(rows, 128, 64), target=target)


@pytest.mark.parametrize("target", [LEVEL_3, HERE])
@pytest.mark.parametrize("transposed", [(True, False), (False, True), (True, True)])
def test_transposed_operands(transposed: tuple[bool, bool], target: str) -> None:
    check("int8", "int8", transposed=transposed, target=target)


def test_a_batch() -> None:
    check("int8", "int8", batch=3, sizes=(48, 64, 65))


def test_threads() -> None:
    check("uint8", "int8", sizes=(160, 160, 96), target="llvm -mcpu=x86-64-v3 -num-cores=2", threads=2)


@pytest.mark.parametrize(("left", "right", "result"), [("int8", "int8", "int32"), ("bfloat16", "bfloat16", "float32")])
def test_packing_and_blocks_run_in_parallel(left: str, right: str, result: str) -> None:
    """Each of the three loops, of both operands and of the results, has pieces of one size for all threads."""
    counts = parallel_loops(product(left, right, result, (512, 512, 512)), LEVEL_4.replace("-cores=1", "-cores=2"))
    assert len(counts) == 3
    assert all(count >= 4 and count % 2 == 0 for count in counts)


def test_what_follows_is_computed_block_by_block() -> None:
    a, b, c = product("int8", "int8", "int32", (70, 90, 64))
    scale = te.placeholder((90,), "float32", "scale")
    d = te.compute((70, 90), lambda i, j: te.max(c[i, j].astype("float32") * scale[j], 0.0), name="D")
    rng = np.random.default_rng(0)
    x, y, s = drawn(rng, "int8", (70, 64)), drawn(rng, "int8", (64, 90)), drawn(rng, "float32", (90,))
    got = run([a, b, scale, d], x, y, s, target=LEVEL_3)
    np.testing.assert_allclose(got, np.maximum(expected(x, y) * s, 0.0), rtol=1e-6)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("right", ["int8", "uint8"])
@pytest.mark.parametrize(
    ("target", "sizes"),
    [
        (LEVEL_3, (5, 17, 33)),
        (LEVEL_3 + " -mattr=+avxvnni", (5, 17, 33)),
        (LEVEL_4 + " -mattr=+amx-int8", (32, 32, 17)),
    ],
)
def test_programs_are_valid_after_every_pass(
    monkeypatch: pytest.MonkeyPatch, target: str, sizes: tuple[int, int, int], right: str
) -> None:
    """Also for instructions that this machine lacks: what a kernel means is known to the interpreter."""
    monkeypatch.setattr(packed_product, "LEAST_POINTS", 1)
    monkeypatch.setattr(packed_product, "PRODUCT_LEAST_USEFUL", 0)
    with PassContext(validate=True):
        assert calls(product("int8", right, "int32", sizes), target)


KERNEL_OF = [
    ("int8", "int8", "int32", BASELINE, "pmaddwd_sse2"),
    ("int8", "int8", "int32", LEVEL_3, "pmaddwd_avx2"),
    ("int8", "int8", "int32", LEVEL_4, "pmaddwd_avx512"),
    ("uint8", "int8", "int32", LEVEL_3 + " -mattr=+avxvnni", "vpdpbusd_avxvnni"),
    ("uint8", "int8", "int32", LEVEL_4 + " -mattr=+avx512vnni", "vpdpbusd_avx512vnni"),
    ("int8", "uint8", "int32", LEVEL_4 + " -mattr=+avx512vnni", "vpdpbusd_avx512vnni_swapped"),
    ("int8", "int8", "int32", LEVEL_4 + " -mattr=+avx512vnni", "vpdpbusd_avx512vnni_signed"),
    ("int8", "int8", "int32", LEVEL_3 + " -mattr=+avxvnni", "vpdpbusd_avxvnni_signed"),
    ("uint8", "uint8", "int32", LEVEL_4 + " -mattr=+avx512vnni", "vpdpwssd_avx512"),
    ("int16", "int16", "int32", LEVEL_4 + " -mattr=+avx512vnni", "vpdpwssd_avx512"),
    ("int8", "int8", "int32", LEVEL_4 + " -mattr=+avx512vnni,+amx-int8", "tdpbssd_amx"),
    ("int8", "uint8", "int32", LEVEL_4 + " -mattr=+amx-int8", "tdpbsud_amx"),
    ("uint8", "int8", "int32", LEVEL_4 + " -mattr=+amx-int8", "tdpbusd_amx"),
    ("uint8", "uint8", "int32", LEVEL_4 + " -mattr=+amx-int8", "tdpbuud_amx"),
    ("bfloat16", "bfloat16", "float32", LEVEL_4 + " -mattr=+amx-bf16", "tdpbf16ps_amx"),
    ("bfloat16", "bfloat16", "float32", LEVEL_4 + " -mattr=+avx512bf16,+sse4a", "vdpbf16ps_amd"),
    ("bfloat16", "bfloat16", "float32", LEVEL_4 + " -mattr=+avx512bf16", "fma_avx512"),
    ("bfloat16", "bfloat16", "float32", LEVEL_4, "fma_avx512"),
    ("bfloat16", "bfloat16", "float32", LEVEL_3, "fma_avx2"),
    ("bfloat16", "bfloat16", "float32", LEVEL_3 + " -mattr=-fma", None),
    ("bfloat16", "bfloat16", "float32", BASELINE, None),
    ("int8", "int8", "int64", LEVEL_4, None),
    ("float32", "float32", "float32", LEVEL_4, None),
]


@pytest.mark.each(("left", "right", "result", "target", "name"), KERNEL_OF)
def test_the_fastest_kernel_of_the_target(left: str, right: str, result: str, target: str, name: str | None) -> None:
    attribute = Target(target).attribute()
    names = [kernel.name for kernel in fitting_kernels((left, right), result, attribute)]
    assert next(iter(names), None) == name


@pytest.mark.parametrize(
    ("columns", "depth", "name"),
    [
        (32, 128, "_narrow"),
        (96, 128, "_narrow"),
        (128, 128, ""),
        (1000, 128, ""),
        (992, 128, "_narrow"),
        (992, 4096, ""),
    ],
)
def test_a_narrower_kernel_where_columns_fill_the_fastest_badly(columns: int, depth: int, name: str) -> None:
    """Long sums are worth the copies that padding takes."""
    target = LEVEL_4 + " -mattr=+avx512vnni"
    found = calls(product("uint8", "int8", "int32", (512, columns, depth)), target)
    assert [n for n in found if n.startswith("vpdpbusd")] == [f"vpdpbusd_avx512vnni{name}"]


@pytest.mark.parametrize(
    ("args", "target"),
    [
        (("int8", "int8", "int32", (16, 16, 16)), LEVEL_3),
        (("int8", "int8", "int64", SIZES), LEVEL_3),
        (("bfloat16", "bfloat16", "float32", SIZES), BASELINE),
        (("bfloat16", "bfloat16", "bfloat16", SIZES), LEVEL_3),
        (("int8", "int8", "int32", (3, 600, 128)), LEVEL_3),
    ],
)
def test_other_rules_where_no_kernel_fits(args: Any, target: str) -> None:
    assert not calls(product(*args), target)


def test_a_matrix_times_its_transpose_is_left_to_other_rules() -> None:
    a = te.placeholder((64, 64), "int8", "A")
    k = te.reduce_axis((0, 64), "k")
    c = te.compute((64, 64), lambda i, j: te.sum(a[i, k].astype("int32") * a[j, k].astype("int32"), axis=k), name="C")
    x = drawn(np.random.default_rng(0), "int8", (64, 64))
    np.testing.assert_array_equal(run([a, c], x, target=LEVEL_3), expected(x, x.T))
    assert not calls([a, c], LEVEL_3)


@pytest.mark.parametrize(("left", "right", "result"), [("int8", "int8", "int32"), ("bfloat16", "bfloat16", "float32")])
def test_weights_that_are_packed_already(left: str, right: str, result: str) -> None:
    m, n, depth = SIZES
    kernel, *_ = fitting_kernels((left, right), result, Target(LEVEL_3).attribute())
    width, group = kernel.columns, kernel.group
    a = te.placeholder((m, depth), left, "A")
    p = te.placeholder((n // width, depth // group, width, group), kernel.right, "P")
    k = te.reduce_axis((0, depth), "k")

    def element(i: Any, j: Any) -> te.Expr:
        weight = p[j // width, k // group, j % width, k % group]
        return te.sum(a[i, k].astype(result) * weight.astype(result), axis=k)

    c = te.compute((m, n), element, name="C")
    rng = np.random.default_rng(0)
    x, w = drawn(rng, left, (m, depth)), drawn(rng, right, (depth, n))
    assert calls([a, p, c], LEVEL_3) == {kernel.name}
    np.testing.assert_allclose(run([a, p, c], x, kernel.pack_right(w), target=LEVEL_3), expected(x, w), atol=1e-3)


@pytest.mark.parametrize(("left", "right", "result"), [("int8", "int8", "int32"), ("bfloat16", "bfloat16", "float32")])
def test_terms_are_not_padded_to_be_cut_into_parts(left: str, right: str, result: str) -> None:
    attribute = Target(LEVEL_4 + " -mattr=+avx512vnni").attribute()
    kernel, *_ = fitting_kernels((left, right), result, attribute)
    for chunks in (1, 2, 3, 12, 32, 64, 100):
        for is_far in (False, True):
            terms = chunks * kernel.chunk
            assert terms % packed_product.best_part(kernel, terms, attribute, is_far=is_far) == 0


def test_far_results_are_passed_once() -> None:
    """Sums go through results in parts where these stay near, and in one go where they do not."""
    for caches, near in (("48K,2M,32M", 512), ("32K,1M,32M", 256)):
        attribute = Target(f"{LEVEL_4} -mattr=+avx512vnni -caches={caches}").attribute()
        kernel, *_ = fitting_kernels(("int8", "int8"), "int32", attribute)
        assert packed_product.best_part(kernel, 2048, attribute, is_far=True) == 2048
        assert packed_product.best_part(kernel, 2048, attribute, is_far=False) == near


def test_results_of_a_function_are_written_where_they_belong() -> None:
    """Only what is read again is computed in a buffer of its own."""
    a, b, c = product("int8", "int8", "int32", (64, 64, 64))
    d = te.compute((64, 64), lambda i, j: c[i, j] + 1, name="D")
    assert "local" not in scopes([a, b, c], LEVEL_3)
    assert "local" in scopes([a, b, d], LEVEL_3)


def test_parts_of_one_size() -> None:
    for extent in range(1, 400, 7):
        for unit, most in ((4, 64), (16, 16), (32, 100)):
            size = evenly(extent, unit, most)
            assert size % unit == 0 and size < most + unit
            assert -(-extent // size) * size >= extent


USERS_KERNEL = """
void users_kernel(int *c, const short *a, const short *b, int stride, int rows, int depth, int goes_on, int distance) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < 8; ++j) {
      int sum = goes_on ? c[i * stride + j] : 0;
      const short *row = a + i / 8 * distance + i % 8 * 32;
      for (int k = 0; k < depth; ++k) sum += row[k / 32 * 256 + k % 32] * b[k / 2 * 16 + j * 2 + k % 2];
      c[i * stride + j] = sum;
    }
}
"""


def declare_users_kernel(kernel: ProductKernel, rows: int, depth: int) -> tir.TensorIntrin:
    a = te.placeholder((rows // 8, depth // 32, 8, 32), "int16", "a")
    b = te.placeholder((depth // 2, 8, 2), "int16", "b")
    k = te.reduce_axis((0, depth), "k")

    def element(i: Any, j: Any) -> te.Expr:
        left, right = a[i // 8, k // 32, i % 8, k % 32], b[k // 2, j, k % 2]
        return te.sum(left.astype("int32") * right.astype("int32"), axis=k)

    c = te.compute((rows, 8), element, name="c")
    result = tir.decl_buffer(c.shape, c.dtype, "result", strides=[te.var("stride"), 1])
    left_tiles = tir.decl_buffer(a.shape, a.dtype, "left", strides=[te.var("distance"), 256, 32, 1])

    def code(ins: Sequence[tir.Buffer], outs: Sequence[tir.Buffer]) -> Any:
        def call(mode: str, goes_on: int) -> Any:
            pointers = outs[0].access_ptr(mode), ins[0].access_ptr("r"), ins[1].access_ptr("r")
            numbers = outs[0].strides[0], rows, depth, goes_on, ins[0].strides[0]
            return tir.call_extern("void", kernel.name, *pointers, *numbers)

        return call("w", 0), te.described(), call("rw", 1)

    binds = {a: left_tiles, c: result}
    return te.decl_tensor_intrin(c.op, code, f"users_{rows}x{depth}", binds=binds, c_source=USERS_KERNEL)


def test_a_kernel_of_a_user_is_used_where_it_is_the_fastest() -> None:
    kernel = ProductKernel(
        "users_kernel", (), (("int8", "int8"),), "int16", "int16", "int32", 8, 8, 1e6, declare_users_kernel
    )
    product_kernels.register_product_kernel(kernel)
    try:
        assert "users_kernel" in calls(product("int8", "int8", "int32", SIZES), LEVEL_3)
        check("int8", "int8")
    finally:
        product_kernels.unregister_product_kernel("users_kernel")
    assert "users_kernel" not in calls(product("int8", "int8", "int32", SIZES), LEVEL_3)
