"""Tensor expressions and stages as users write them on a processor, compared with numpy or read by their loops."""

from __future__ import annotations

import difflib
import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from needed_tools import skip_without
from tilewright import te, tir, topi

ROOT = Path(__file__).resolve().parents[2]


def random(*shape: int) -> np.ndarray:
    return np.random.default_rng(len(shape)).random(shape, dtype=np.float32)


def headers(text: str) -> list[str]:
    """Return the headers of the loops in a text."""
    return [line.strip() for line in text.splitlines() if line.strip().startswith("loop.for ")]


def test_a_sum_is_lowered_without_naming_its_result() -> None:
    """`tvm.lower(s, [A])`: the output comes after the arguments that are named."""
    n, m = te.var("n"), te.var("m")
    A = te.placeholder((n, m), name="A")
    k = te.reduce_axis((0, m), "k")
    B = te.compute((n,), lambda i: te.sum(A[i, k], axis=k), name="B")
    C = topi.sum(A, axis=1)
    texts = [str(tvm.lower(te.create_schedule(tensor.op), [A], simple_mode=True)) for tensor in (B, C)]
    assert all(len(headers(text)) == 2 and "arith.addf" in text for text in texts)
    assert "%A" in texts[0] and "%B" in texts[0]


@pytest.mark.parametrize("split", [{"factor": 16}, {"nparts": 4}])
def test_a_reduce_axis_is_split(split: dict[str, int]) -> None:
    """By `nparts` where its extent is known when the program is compiled."""
    n, m = te.var("n"), 70 if "nparts" in split else te.var("m")
    A = te.placeholder((n, m), name="A")
    k = te.reduce_axis((0, m), "k")
    B = te.compute((n,), lambda i: te.sum(A[i, k], axis=k), name="B")
    s = te.create_schedule(B.op)
    s[B].split(B.op.reduce_axis[0], **split)
    assert [axis.name for axis in s[B].op.reduce_axis] == ["k"]
    assert len(headers(str(tvm.lower(s, [A, B], simple_mode=True)))) == 3
    for shape in ((1, 70), (5, 70)) if "nparts" in split else ((1, 1), (3, 16), (5, 70)):
        a = random(*shape)
        np.testing.assert_allclose(tvm.build(s, [A, B])(a), a.sum(1), rtol=1e-5)


def test_what_each_call_changes_is_written_down(tmp_path: Path) -> None:
    """A file for each step of a schedule, and the difference between neighbours."""
    n = 64
    A, B = te.placeholder((n, n), name="A"), te.placeholder((n, n), name="B")
    k = te.reduce_axis((0, n), "k")
    C = te.compute((n, n), lambda i, j: te.sum(A[i, k] * B[k, j], axis=k), name="C")
    s = te.create_schedule(C.op)

    def write_code(name: str) -> None:
        (tmp_path / name).write_text(str(tvm.lower(s, [A, B, C], simple_mode=True)))

    write_code("0.plain")
    xo, yo, xi, yi = s[C].tile(C.op.axis[0], C.op.axis[1], 32, 32)
    write_code("1.tile")
    ko, ki = s[C].split(s[C].op.reduce_axis[0], factor=4)
    s[C].reorder(xo, yo, ko, ki, xi, yi)
    write_code("2.reorder")
    s[C].vectorize(yi)
    write_code("3.vectorize")
    texts = [path.read_text() for path in sorted(tmp_path.iterdir())]
    assert [len(headers(text)) for text in texts] == sorted(len(headers(text)) for text in texts)
    for before, after in zip(texts, texts[1:], strict=False):
        changed = [line for line in difflib.ndiff(before.split("\n"), after.split("\n")) if line[0] in "+-"]
        assert any("loop.for" in line for line in changed) and not any("func.func" in line for line in changed)
    assert "vectorized" in texts[3] and "vectorized" not in texts[2]
    a, b = random(n, n), random(n, n)
    np.testing.assert_allclose(tvm.build(s, [A, B, C])(a, b), a @ b, rtol=1e-4)


def blocked_product(n: int, block: int) -> tuple[Any, list[Any], list[Any]]:
    """Return a product in blocks, each summed from products of blocks that are computed in two stages."""
    A, B = te.placeholder((n, n), name="A"), te.placeholder((n, n), name="B")
    k0, k1 = te.reduce_axis((0, block), "k0"), te.reduce_axis((0, n // block), "k1")
    shape = (n // block, n // block, n // block, block, block)
    cm1 = te.compute(
        shape,
        lambda i, j, k, x, y: te.sum(A[i * block + x, k * block + k0] * B[k * block + k0, j * block + y], axis=k0),
    )
    c11 = te.compute(shape, lambda i, j, k, x, y: cm1[i, j, k, x, y] * te.const(1.0, "float32"), name="c11")
    c1 = te.compute(
        (n // block, n // block, block, block), lambda i, j, x, y: te.sum(c11[i, j, k1, x, y], axis=k1), name="c1"
    )
    C = te.compute((n, n), lambda i, j: c1[i // block, j // block, i % block, j % block], name="C")
    return C, [A, B, C], [cm1, c11, c1]


def test_stages_one_inside_another() -> None:
    """`s[c11].compute_at(s[c1], axis)` lines up the first axes of both, and `s[cm1].compute_at(s[c11], axis)` more."""
    n, block = 8, 4
    C, arguments, (cm1, c11, c1) = blocked_product(n, block)
    s = te.create_schedule(C.op)
    s[c11].compute_at(s[c1], c1.op.axis[1])
    s[cm1].compute_at(s[c11], c11.op.axis[4])
    assert len(headers(str(tvm.lower(s, arguments, simple_mode=True)))) < len(
        headers(str(tvm.lower(te.create_schedule(C.op), arguments, simple_mode=True)))
    )
    a, b = random(n, n), random(n, n)
    np.testing.assert_allclose(tvm.build(s, arguments)(a, b), a @ b, rtol=1e-5)


def _opt_gemm() -> ModuleType:
    spec = importlib.util.spec_from_file_location("opt_gemm", ROOT / "benchmarks" / "opt_gemm.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("step", _opt_gemm().STEPS)
def test_a_matrix_product_step_by_step(step: str) -> None:
    """Blocks, vectors, permutation, packing, a write cache, cores: each is the product."""
    schedule, arguments, *_ = _opt_gemm().STEPS[step](96)
    a, b = random(96, 96), random(96, 96)
    c = np.zeros_like(a)
    tvm.build(schedule, arguments, name=f"gemm_{step}")(a, b, c)
    np.testing.assert_allclose(c, a @ b, rtol=1e-4)


def test_tiles_of_eight_by_eight_and_an_instruction_for_them() -> None:
    """A product of 8 x 8 tiles, each computed by one call of `gemm8x8`."""

    def gemm8x8() -> Any:
        a, b = te.placeholder((8, 8), name="a"), te.placeholder((8, 8), name="b")
        k = te.reduce_axis((0, 8), "k")
        c = te.compute((8, 8), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="c")
        buffers = {
            t: tir.decl_buffer(t.shape, t.dtype, name=t.name, strides=[te.var(f"s{t.name}"), 1]) for t in (a, b, c)
        }

        def body(inputs: Any, outputs: Any) -> Any:
            (aa, bb), (cc,) = inputs, outputs

            strides = [buffer.strides[0] for buffer in (cc, aa, bb)]
            reset = tir.call_extern("int32", "zero8x8", cc.access_ptr("w"), strides[0])
            pointers = [cc.access_ptr("rw"), aa.access_ptr("r"), bb.access_ptr("r")]
            update = tir.call_extern("int32", "gemm8x8", *pointers, *strides)
            return None, reset, update

        return te.decl_tensor_intrin(c.op, body, binds=buffers)

    source = """
    extern "C" int zero8x8(float *c, int s) {
      for (int i = 0; i < 8; ++i) for (int j = 0; j < 8; ++j) c[i * s + j] = 0;
      return 0;
    }
    extern "C" int gemm8x8(float *c, const float *a, const float *b, int sc, int sa, int sb) {
      for (int i = 0; i < 8; ++i) for (int k = 0; k < 8; ++k) for (int j = 0; j < 8; ++j)
        c[i * sc + j] += a[i * sa + k] * b[k * sb + j];
      return 0;
    }
    """
    n = 32
    A, B = te.placeholder((n, n), name="A"), te.placeholder((n, n), name="B")
    k = te.reduce_axis((0, n), "k")
    C = te.compute((n, n), lambda i, j: te.sum(A[i, k] * B[k, j], axis=k), name="C")
    s = te.create_schedule(C.op)
    xo, yo, xi, yi = s[C].tile(C.op.axis[0], C.op.axis[1], 8, 8)
    ko, ki = s[C].split(C.op.reduce_axis[0], factor=8)
    s[C].reorder(xo, yo, ko, xi, yi, ki)
    s[C].tensorize(xi, gemm8x8())
    s[C].pragma(xo, "import_c", source)
    assert 'call_extern "gemm8x8"' in str(tvm.lower(s, [A, B, C], simple_mode=True))
    a, b = random(n, n), random(n, n)
    np.testing.assert_allclose(tvm.build(s, [A, B, C])(a, b), a @ b, rtol=1e-5)


@pytest.mark.parametrize(("index", "order"), [(-1, "BCD"), (-2, "BDC")])
def test_where_a_consumer_goes_in_a_loop(index: int, order: str) -> None:
    """`reverse_compute_at(..., index)`: -1 is the last place in the loop, -2 the first after what it reads."""
    A = te.placeholder((4, 8), name="A")
    B = te.compute((4, 8), lambda i, j: A[i, j] + 1.0, name="B")
    C = te.compute((4, 8), lambda i, j: B[i, j] * 2.0, name="C")
    D = te.compute((4, 8), lambda i, j: B[i, j] - 3.0, name="D")
    sch = tir.Schedule(tvm.IRModule({"main": te.create_prim_func([A, C, D])}))
    i, _ = sch.get_loops(sch.get_block("B"))
    sch.reverse_compute_at(sch.get_block("C"), i)
    sch.reverse_compute_at(sch.get_block("D"), i, index=index)
    text = sch.mod.script()
    assert sorted("BCD", key=lambda name: text.index(f'loop.block "{name}"')) == list(order)
    assert len(headers(text)) == 4
    a = random(4, 8)
    c, d = tvm.build(sch.mod, target="llvm")(a)
    np.testing.assert_array_equal(c, (a + 1) * 2)
    np.testing.assert_array_equal(d, (a + 1) - 3)


@pytest.mark.parametrize("preserve", [False, True])
def test_loops_of_one_iteration_are_kept_where_it_is_asked_for(preserve: bool) -> None:
    A = te.placeholder((1, 8), name="A")
    B = te.compute((1, 8), lambda i, j: A[i, j] + 1.0, name="B")
    C = te.compute((1, 8), lambda i, j: B[i, j] * 2.0, name="C")
    sch = tir.Schedule(tvm.IRModule({"main": te.create_prim_func([A, C])}))
    outer, _ = sch.get_loops(sch.get_block("B"))
    sch.reverse_compute_at(sch.get_block("C"), outer, preserve_unit_loops=preserve)
    loops = len(sch.get_loops(sch.get_block("C")))
    assert loops == (3 if preserve else 2)
    a = random(1, 8)
    np.testing.assert_array_equal(tvm.build(sch.mod, target="llvm")(a), (a + 1) * 2)


def grouped(tensor: Any) -> Any:
    """Return a schedule of groups of 64 threads."""
    schedule = te.create_schedule(tensor.op)
    bx, tx = schedule[tensor].split(tensor.op.axis[0], factor=64)
    schedule[tensor].bind(bx, te.thread_axis("blockIdx.x"))
    schedule[tensor].bind(tx, te.thread_axis("threadIdx.x"))
    return schedule


def test_sigmoid_as_an_opencl_kernel() -> None:
    n = te.var("n")
    A = te.placeholder((n,), name="A")
    B = te.compute(A.shape, lambda i: te.sigmoid(A[i]), name="B")
    schedule = grouped(B)
    module = tvm.build(schedule, [A, B], "opencl", name="mysigm")
    source = module.imported_modules[0].get_source()
    assert "__kernel void mysigm_kernel(" in source
    assert "get_group_id(0)" in source and "get_local_id(0)" in source and "exp(" in source
    skip_without("opencl-device")
    x = np.append(random(97) * 8, [np.inf, -np.inf, 0]).astype(np.float32)
    with np.errstate(over="ignore"):
        np.testing.assert_allclose(module(x), 1 / (1 + np.exp(-x.astype(np.float64))), rtol=1e-5)


def test_a_users_intrinsic_as_an_opencl_kernel() -> None:
    from tilewright.passes.framework.intrinsics import unregister_lowering

    def mylog(x: Any) -> Any:
        return tvm.tir.call_intrin(x.dtype, "tir.mylog_for_opencl", x)

    def rule(op: Any) -> Any:
        return tvm.tir.call_pure_extern("float32", "log", op.args[0]) if op.dtype == "float32" else op

    tvm.ir.register_op_attr("tir.mylog_for_opencl", "TCallEffectKind", tvm.tir.CallEffectKind.Pure)
    tvm.ir.register_intrin_lowering("tir.mylog_for_opencl", target="opencl", f=rule, level=99)
    n = te.var("n")
    A = te.placeholder((n,), name="A")
    B = te.compute(A.shape, lambda i: mylog(A[i]), name="B")
    try:
        module = tvm.build(grouped(B), [A, B], "opencl", name="mykernel")
    finally:
        unregister_lowering("tir.mylog_for_opencl", "opencl", 99)
    source = module.imported_modules[0].get_source()
    assert "__kernel void mykernel_kernel(" in source and "= log(A[" in source and "mylog" not in source
    skip_without("opencl-device")
    x = np.abs(random(100)) + np.float32(0.1)
    np.testing.assert_allclose(module(x), np.log(x.astype(np.float64)), rtol=1e-5, atol=1e-6)
