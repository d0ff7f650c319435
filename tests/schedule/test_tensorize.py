"""Tensor intrinsics in place of loops: what they compute, in each form of implementation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tilewright
from tilewright import TilewrightError, te, tir
from tilewright.dialects import loop
from tilewright.dialects.ir_module import IRModule
from tilewright.runtime import load_module
from tilewright.schedule import Schedule, Trace

GEMV_C = """
int gemv_reset(float *c, int m) { for (int i = 0; i < m; ++i) c[i] = 0.0f; return 0; }
int gemv_update(float *c, const float *a, const float *b, int m, int d, int stride) {
  for (int i = 0; i < m; ++i)
    for (int k = 0; k < d; ++k) c[i] += a[k] * b[i * stride + k];
  return 0;
}
"""

GEMV_LLVM = """
define i32 @gemv_reset(ptr noundef %c, i32 noundef %m) {
  %bytes = shl i32 %m, 2
  %size = zext i32 %bytes to i64
  call void @llvm.memset.p0.i64(ptr %c, i8 0, i64 %size, i1 false)
  ret i32 0
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define i32 @gemv_update(ptr %c, ptr %a, ptr %b, i32 %m, i32 %d, i32 %stride) {
entry:
  br label %rows
rows:
  %i = phi i32 [ 0, %entry ], [ %next, %row.end ]
  %base = mul i32 %i, %stride
  %slot = getelementptr float, ptr %c, i32 %i
  %start = load float, ptr %slot
  br label %columns
columns:
  %k = phi i32 [ 0, %rows ], [ %k.next, %columns ]
  %sum = phi float [ %start, %rows ], [ %sum.next, %columns ]
  %at = add i32 %base, %k
  %a.slot = getelementptr float, ptr %a, i32 %k
  %b.slot = getelementptr float, ptr %b, i32 %at
  %x = load float, ptr %a.slot
  %y = load float, ptr %b.slot
  %p = fmul float %x, %y
  %sum.next = fadd float %sum, %p
  %k.next = add i32 %k, 1
  %more = icmp slt i32 %k.next, %d
  br i1 %more, label %columns, label %row.end
row.end:
  store float %sum.next, ptr %slot
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %m
  br i1 %again, label %rows, label %end
end:
  ret i32 0
}
"""

GEMV_IR = """
func.func @gemv(%a: memref<{d}xf32>, %b: memref<{m}x{d}xf32>, %c: memref<{m}xf32>) {{
  loop.for %i = 0 to {m} {{
    {start}
    %sum = loop.for %k = 0 to {d} iter_args(%acc = %first) -> (f32) {{
      %x = loop.load %a[%k] : memref<{d}xf32>
      %y = loop.load %b[%i, %k] : memref<{m}x{d}xf32>
      %next = math.fma %x, %y, %acc : f32
      loop.yield %next : f32
    }}
    loop.store %sum, %c[%i] : memref<{m}xf32>
  }}
  func.return
}}
"""
ZERO = "%first = arith.constant 0.0 : f32"
RESET_IR = """
func.func @reset(%a: memref<{d}xf32>, %b: memref<{m}x{d}xf32>, %c: memref<{m}xf32>) {{
  %zero = arith.constant dense<0.0> : vector<{m}xf32>
  loop.store %zero, %c[lane] : vector<{m}xf32>, memref<{m}xf32>
  func.return
}}
"""


def gemv_compute(m: int, d: int) -> tuple[te.Tensor, te.Tensor, te.Tensor]:
    a = te.placeholder((d,), name="a")
    b = te.placeholder((m, d), name="b")
    k = te.reduce_axis((0, d), name="k")
    return a, b, te.compute((m,), lambda i: te.sum(a[k] * b[i, k], axis=k), name="c")


def gemv_calls(m: int, d: int, strides: Sequence[Any] | None = None, **source: str) -> tir.TensorIntrin:
    a, b, c = gemv_compute(m, d)
    bound = tir.decl_buffer(b.shape, b.dtype, "B", strides=strides or [te.var("s"), 1])

    def code(ins: Sequence[tir.Buffer], outs: Sequence[tir.Buffer]) -> tuple[Any, Any, Any]:
        (x, y), (z,) = ins, outs

        def update(mode: str) -> Any:
            pointers = z.access_ptr(mode), x.access_ptr("r"), y.access_ptr("r")
            return tir.call_extern("int32", "gemv_update", *pointers, m, d, y.strides[0])

        reset = tir.call_extern("int32", "gemv_reset", z.access_ptr("w"), m)
        ib = tir.ir_builder.create()
        ib.emit(reset)
        ib.emit(update("rw"))
        return ib.get(), reset, update("w")

    return te.decl_tensor_intrin(c.op, code, name="gemv", binds={b: bound}, **source)


def gemv_ir(m: int, d: int) -> tir.TensorIntrin:
    *_, c = gemv_compute(m, d)
    load = f"%first = loop.load %c[%i] : memref<{m}xf32>"
    texts = GEMV_IR.format(m=m, d=d, start=ZERO), RESET_IR.format(m=m, d=d), GEMV_IR.format(m=m, d=d, start=load)
    return te.decl_tensor_intrin(c.op, lambda ins, outs: texts, name="gemv_ir")


def gemv_described(m: int, d: int) -> tir.TensorIntrin:
    *_, c = gemv_compute(m, d)
    return te.decl_tensor_intrin(c.op, lambda ins, outs: te.described(i="vectorized"), name="gemv_te")


GEMVS: dict[str, Callable[[int, int], tir.TensorIntrin]] = {
    "c": lambda m, d: gemv_calls(m, d, c_source=GEMV_C),
    "llvm": lambda m, d: gemv_calls(m, d, llvm_ir=GEMV_LLVM),
    "ir": gemv_ir,
    "te": gemv_described,
}


def product(n: Any = 3, m: int = 32, d: int = 16) -> Schedule:
    """Return a schedule of `A @ B.T`."""
    A, B = te.placeholder((n, d), name="A"), te.placeholder((m, d), name="B")
    k = te.reduce_axis((0, d), name="k")
    C = te.compute((n, m), lambda i, j: te.sum(A[i, k] * B[j, k], axis=k), name="C")
    return Schedule(IRModule({"main": te.create_prim_func([A, B, C])}))


def tile(s: Schedule, rows: int = 16, columns: int | None = None) -> Any:
    """Split off tiles of rows, and of columns where told; the loop to tensorize."""
    _, j, k = s.get_loops(s.get_block("C"))
    jo, ji = s.split(j, factors=[None, rows])
    if columns is not None:
        ko, _ = s.split(k, factors=[None, columns])
        s.reorder(jo, ko, ji)
    return ji


def run(s: Schedule, *inputs: np.ndarray) -> list[np.ndarray]:
    """Return the output on each target."""
    assert s.mod is not None
    return [np.asarray(tilewright.compile(s.mod, target)(*inputs)) for target in ("cpu", "interpreter")]


def check_product(s: Schedule, n: int = 3, m: int = 32, d: int = 16) -> None:
    rng = np.random.default_rng(0)
    a, b = rng.random((n, d), np.float32), rng.random((m, d), np.float32)
    for result in run(s, a, b):
        np.testing.assert_allclose(result, a @ b.T, rtol=1e-5)


@pytest.mark.parametrize("form", GEMVS)
@pytest.mark.parametrize("columns", [None, 4])
def test_gemv(form: str, columns: int | None) -> None:
    s = product()
    s.tensorize(tile(s, columns=columns), GEMVS[form](16, columns or 16))
    calls = [op for op in s.func.walk() if isinstance(op, loop.CallExternOp)]
    assert len(calls) == (2 if form in ("c", "llvm") else 0)
    check_product(s)


def test_symbolic_rows_and_the_order_of_loops_do_not_matter() -> None:
    s = product(n=te.var("n"))
    ji = tile(s, columns=8)
    *_, jo, ko, _, ki = s.get_loops(s.get_block("C"))
    s.reorder(ki, ji)
    block = s.tensorize(ki, gemv_calls(16, 8, c_source=GEMV_C))
    s.reorder(ko, jo)
    s.parallel(s.get_loops(block)[0])
    check_product(s, n=5)


def test_a_decomposed_reduction_takes_the_update() -> None:
    s = product()
    ji = tile(s, columns=8)
    s.decompose_reduction(s.get_block("C"), s.get_loops(s.get_block("C"))[2])
    block = s.block(s.tensorize(ji, gemv_calls(16, 8, c_source=GEMV_C)))
    assert block.init is None
    assert [op.callee for op in block.walk() if isinstance(op, loop.CallExternOp)] == ["gemv_update"]
    check_product(s)


@pytest.mark.parametrize("form", GEMVS)
def test_the_first_part_of_the_terms_starts_the_reduction(form: str) -> None:
    s = product()
    i, j, k = s.get_loops(s.get_block("C"))
    (jo, ji), (ko, _) = s.split(j, factors=[None, 16]), s.split(k, factors=[None, 4])
    s.reorder(ko, jo, ji)
    for part in s.loop_partition(ko, points=[1]):
        (block,) = s.get_child_blocks(part)
        s.tensorize(s.get_loops(block)[3], GEMVS[form](16, 4))
    first, rest = (op for op in s.func.walk() if isinstance(op, loop.BlockOp) and op.label.startswith("C"))
    assert first.init is None and rest.init is not None
    lowered = tilewright.lower(s, simple_mode=True).op
    inits = [op for op in lowered.walk() if isinstance(op, loop.InitOp)]
    calls = [op.callee for op in lowered.walk() if isinstance(op, loop.CallExternOp)]
    assert not inits and calls == (["gemv_reset", "gemv_update", "gemv_update"] if form in ("c", "llvm") else [])
    check_product(s)


DOT_C = """
void dot_u8i8(int *c, const unsigned char *a, const signed char *b) {
  for (int i = 0; i < 8; ++i)
    for (int k = 0; k < 4; ++k) c[i] += (int)a[k] * (int)b[4 * i + k];
}
"""


DOT_LLVM = """
declare <8 x i32> @llvm.x86.avx512.vpdpbusd.256(<8 x i32>, <32 x i8>, <32 x i8>)
define void @dot_u8i8(ptr %c, ptr %a, ptr %b) {
  %old = load <8 x i32>, ptr %c, align 4
  %word = load i32, ptr %a, align 1
  %first = insertelement <8 x i32> poison, i32 %word, i32 0
  %words = shufflevector <8 x i32> %first, <8 x i32> poison, <8 x i32> zeroinitializer
  %left = bitcast <8 x i32> %words to <32 x i8>
  %right = load <32 x i8>, ptr %b, align 1
  %new = call <8 x i32> @llvm.x86.avx512.vpdpbusd.256(<8 x i32> %old, <32 x i8> %left, <32 x i8> %right)
  store <8 x i32> %new, ptr %c, align 4
  ret void
}
"""


def test_dot_products_of_bytes() -> None:
    """Tiles by a function in C; and by an instruction, which stands in the assembly for a machine that has it."""
    s, want, x, y = dot_product(c_source=DOT_C)
    for result in run(s, x, y):
        np.testing.assert_array_equal(result, want)
    s, *_ = dot_product(llvm_ir=DOT_LLVM)
    machine = "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4 -mattr=+avx512vnni -threads=1"
    assembly = tilewright.compile(s.mod, machine).get_source("asm")
    assert "vpdpbusd" in assembly
    plain = tilewright.compile(dot_product(c_source=DOT_C)[0].mod, "llvm -mcpu=x86-64-v3 -threads=1").get_source("asm")
    assert "vpdpbusd" not in plain


def dot_product(**source: str) -> tuple[Schedule, np.ndarray, np.ndarray, np.ndarray]:
    """Return a product of bytes whose tiles a tensor intrinsic computes, the expected values, and its operands."""
    a, b = te.placeholder((4,), "uint8", "a"), te.placeholder((8, 4), "int8", "b")
    k = te.reduce_axis((0, 4), name="k")
    body = lambda i: te.sum(a[k].astype("int32") * b[i, k].astype("int32"), axis=k)  # noqa: E731
    c = te.compute((8,), body, name="c")

    def code(ins: Any, outs: Any) -> Any:
        pointers = outs[0].access_ptr("rw"), ins[0].access_ptr("r"), ins[1].access_ptr("r")
        return None, te.described(i="vectorized"), tir.call_extern("void", "dot_u8i8", *pointers)

    intrin = te.decl_tensor_intrin(c.op, code, name="vnni", **source)
    A, B = te.placeholder((6, 12), "uint8", "A"), te.placeholder((2, 3, 8, 4), "int8", "B")
    k = te.reduce_axis((0, 12), name="k")
    value = lambda i, j: te.sum(  # noqa: E731
        A[i, k].astype("int32") * B[j // 8, k // 4, j % 8, k % 4].astype("int32"), axis=k
    )
    C = te.compute((6, 16), value, name="C")
    s = Schedule(IRModule({"main": te.create_prim_func([A, B, C])}))
    _, j, k = s.get_loops(s.get_block("C"))
    (jo, ji), (ko, _) = s.split(j, factors=[None, 8]), s.split(k, factors=[None, 4])
    s.reorder(jo, ko, ji)
    s.tensorize(ji, intrin)
    rng = np.random.default_rng(1)
    x = rng.integers(0, 256, (6, 12), np.uint8)
    y = rng.integers(-128, 128, (2, 3, 8, 4), np.int8)
    return s, x.astype(np.int32) @ y.transpose(1, 3, 0, 2).reshape(12, 16).astype(np.int32), x, y


def test_a_vector_instruction() -> None:
    a, b = te.placeholder((8,), name="a"), te.placeholder((8,), name="b")
    c = te.compute((8,), lambda i: te.maximum(a[i] + b[i], 0.0), name="c")
    text = """
    func.func @relu_add(%a: memref<8xf32>, %b: memref<8xf32>, %c: memref<8xf32>) {
      %x = loop.load %a[lane] : memref<8xf32>, vector<8xf32>
      %y = loop.load %b[lane] : memref<8xf32>, vector<8xf32>
      %zero = arith.constant dense<0.0> : vector<8xf32>
      %s = arith.addf %x, %y : vector<8xf32>
      %r = arith.maximumf %s, %zero : vector<8xf32>
      loop.store %r, %c[lane] : vector<8xf32>, memref<8xf32>
      func.return
    }
    """
    intrin = te.decl_tensor_intrin(c, lambda ins, outs: text, name="relu_add")
    A, B = te.placeholder((5, 24), name="A"), te.placeholder((24,), name="B")
    C = te.compute((5, 24), lambda i, j: te.maximum(A[i, j] + B[j], 0.0), name="C")
    s = Schedule(IRModule({"main": te.create_prim_func([A, B, C])}))
    _, j = s.get_loops(s.get_block("C"))
    _, ji = s.split(j, factors=[None, 8])
    s.tensorize(ji, intrin)
    rng = np.random.default_rng(2)
    x, y = rng.standard_normal((5, 24), np.float32), rng.standard_normal(24, np.float32)
    for result in run(s, x, y):
        np.testing.assert_array_equal(result, np.maximum(x + y, 0))


MATMUL_C = """
void mm16_zero(float *c, int s) { for (int i = 0; i < 16; ++i) for (int j = 0; j < 16; ++j) c[i * s + j] = 0; }
void mm16(float *c, const float *a, const float *b, int sc, int sa, int sb) {
  for (int i = 0; i < 16; ++i)
    for (int k = 0; k < 16; ++k)
      for (int j = 0; j < 16; ++j) c[i * sc + j] += a[i * sa + k] * b[k * sb + j];
}
"""


def matmul16() -> tir.TensorIntrin:
    a, b = te.placeholder((16, 16), name="a"), te.placeholder((16, 16), name="b")
    k = te.reduce_axis((0, 16), name="k")
    c = te.compute((16, 16), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="c")
    binds = {t: tir.decl_buffer(t.shape, strides=[te.var(f"s{n}"), 1]) for n, t in enumerate((a, b, c))}

    def code(ins: Any, outs: Any) -> Any:
        buffers = (outs[0], *ins)
        reset = tir.call_extern("void", "mm16_zero", outs[0].access_ptr("w"), outs[0].strides[0])
        pointers = [b.access_ptr(m) for b, m in zip(buffers, ("rw", "r", "r"), strict=True)]
        return None, reset, tir.call_extern("void", "mm16", *pointers, *(b.strides[0] for b in buffers))

    return te.decl_tensor_intrin(c.op, code, name="mm16", binds=binds, c_source=MATMUL_C)


@pytest.mark.parametrize("scope", [None, "local"])
def test_tiled_matmul(scope: str | None) -> None:
    A, B = te.placeholder((32, 48), name="A"), te.placeholder((48, 64), name="B")
    k = te.reduce_axis((0, 48), name="k")
    C = te.compute((32, 64), lambda i, j: te.sum(A[i, k] * B[k, j], axis=k), name="C")
    s = Schedule(IRModule({"main": te.create_prim_func([A, B, C])}))
    block = s.get_block("C")
    if scope is not None:
        copy = s.cache_write(block, "C", scope)
    (io, ii), (jo, ji), (ko, ki) = (s.split(x, factors=[None, 16]) for x in s.get_loops(block))
    s.reorder(io, jo, ko, ii, ji, ki)
    if scope is not None:
        s.reverse_compute_at(copy, jo)
    s.tensorize(ii, matmul16())
    assert s.mod is not None
    if scope is not None:
        lowered = tilewright.lower(s.mod)
        allocs = [op.res.type for op in lowered["main"].walk() if isinstance(op, loop.AllocOp)]
        assert [str(t) for t in allocs] == ['memref<256xf32, "local">']
    rng = np.random.default_rng(3)
    x, y = rng.random((32, 48), np.float32), rng.random((48, 64), np.float32)
    for result in run(s, x, y):
        np.testing.assert_allclose(result, x @ y, rtol=1e-5)


def test_traces_replay_by_the_name_of_the_intrinsic() -> None:
    s = product()
    s.tensorize(tile(s, columns=8), gemv_calls(16, 8, c_source=GEMV_C))
    again = product()
    Trace.from_json(s.trace.as_json()).apply_to(again)
    assert str(again.func) == str(s.func)
    assert "sch.tensorize(l4, 'gemv" in s.trace.as_python()


def test_a_registered_pair_of_functions() -> None:
    loops = """
    func.func @scale(%a: memref<4xf32>, %b: memref<4xf32>) {
      loop.for %i = 0 to 4 {
        loop.block "b" (%v = spatial(%i) in 4) {
          %two = arith.constant 2.0 : f32
          %x = loop.load %a[%v] : memref<4xf32>
          %y = arith.mulf %x, %two : f32
          loop.store %y, %b[%v] : memref<4xf32>
        }
      }
      func.return
    }
    """
    vector = """
    func.func @scale(%a: memref<4xf32>, %b: memref<4xf32>) {
      %x = loop.load %a[lane] : memref<4xf32>, vector<4xf32>
      %y = arith.addf %x, %x : vector<4xf32>
      loop.store %y, %b[lane] : vector<4xf32>, memref<4xf32>
      func.return
    }
    """
    tir.TensorIntrin.register("scale_4", loops, vector, override=True)
    A = te.placeholder((3, 8), name="A")
    B = te.compute((3, 8), lambda i, j: 2.0 * A[i, j], name="B")
    s = Schedule(IRModule({"main": te.create_prim_func([A, B])}))
    _, j = s.get_loops(s.get_block("B"))
    _, ji = s.split(j, factors=[None, 4])
    s.tensorize(ji, "scale_4")
    x = np.arange(24, dtype=np.float32).reshape(3, 8)
    for result in run(s, x):
        np.testing.assert_array_equal(result, 2 * x)


@pytest.mark.parametrize("split_sum", [False, True])
def test_stages(split_sum: bool) -> None:
    A, B = te.placeholder((3, 16), name="A"), te.placeholder((32, 16), name="B")
    k = te.reduce_axis((0, 16), name="k")
    C = te.compute((3, 32), lambda i, j: te.sum(A[i, k] * B[j, k], axis=k), name="C")
    s = te.create_schedule(C.op)
    x, y = C.op.axis
    yo, yi = s[C].split(y, factor=16)
    if split_sum:
        ko, ki = s[C].split(k, factor=4)
        s[C].reorder(x, yo, ko, yi, ki)
    s[C].tensorize(yi, gemv_calls(16, 4 if split_sum else 16))
    s[C].pragma(x, "import_llvm", GEMV_LLVM)
    rng = np.random.default_rng(0)
    a, b, c = rng.random((3, 16), np.float32), rng.random((32, 16), np.float32), np.zeros((3, 32), np.float32)
    tilewright.build(s, [A, B, C], target="cpu")(a, b, c)
    np.testing.assert_allclose(c, a @ b.T, rtol=1e-5)


@pytest.mark.parametrize("columns", [None, 4])
def test_a_block_over_tiles_keeps_its_init(columns: int | None) -> None:
    s = product()
    outer = s.blockize(tile(s, columns=columns))
    block = s.block(s.tensorize(outer, gemv_calls(16, columns or 16, c_source=GEMV_C)))
    assert block is s.block(outer)
    assert (block.init is not None) == (columns is not None)
    assert not any(isinstance(op, loop.BlockOp) for op in block.walk() if op is not block and block.init is None)
    check_product(s)


@pytest.mark.parametrize("sizes", [(8, 12), (7, 13)])
def test_blocks_over_tiles(sizes: tuple[int, int]) -> None:
    n, m = sizes
    s = product(n, m, 6)
    i, j, k = s.get_loops(s.get_block("C"))
    (io, ii), (jo, ji), (ko, ki) = s.split(i, factors=[None, 4]), s.split(j, factors=[None, 4]), s.split(k, [None, 3])
    s.reorder(io, jo, ko, ki, ji, ii)
    outer = s.blockize(ki)
    s.reorder(ko, jo)
    s.parallel(io)
    assert [op.label for op in s.func.walk() if isinstance(op, loop.BlockOp)] == ["C_o", "C_init", "C"]
    assert s.block(outer).kinds == ("spatial", "spatial", "reduce")
    check_product(s, n, m, 6)


def test_schedule_pragmas_bring_code() -> None:
    s = product()
    block = s.tensorize(tile(s), gemv_calls(16, 16))
    s.pragma(s.get_loops(block)[0], "import_llvm", GEMV_LLVM)
    check_product(s)


@pytest.mark.parametrize("source", [{"c_source": GEMV_C}, {"llvm_ir": GEMV_LLVM}], ids=["c", "llvm"])
def test_saved_programs_hold_the_foreign_code(source: dict[str, str], tmp_path: Path) -> None:
    s = product()
    s.tensorize(tile(s), gemv_calls(16, 16, **source))
    tilewright.build(s.mod, target="cpu").save(str(tmp_path / "gemv.so"))
    rng = np.random.default_rng(0)
    a, b, c = rng.random((3, 16), np.float32), rng.random((32, 16), np.float32), np.zeros((3, 32), np.float32)
    load_module(str(tmp_path / "gemv.so"))(a, b, c)
    np.testing.assert_allclose(c, a @ b.T, rtol=1e-5)


@pytest.mark.parametrize("form", GEMVS)
def test_implementations_are_compared_with_the_description(form: str) -> None:
    GEMVS[form](6, 5).check()


def test_an_implementation_that_computes_something_else() -> None:
    wrong = gemv_calls(6, 5, c_source=GEMV_C.replace("k < d", "k < d - 1"))
    with pytest.raises(TilewrightError, match="its body computes another result than described: operand 2") as raised:
        wrong.check()
    assert raised.value.code == "TW0430"


def test_source_that_clang_compiles_is_linked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "gemv.ll").write_text(GEMV_LLVM)
    (tmp_path / "clang").write_text(
        f'#!/bin/sh\ncase "$*" in *--version*) echo "clang version 22"; exit;; esac\n'
        f'while [ "$1" != -o ]; do shift; done\ncp "{tmp_path}/gemv.ll" "$2"\n'
    )
    (tmp_path / "clang").chmod(0o755)
    monkeypatch.setenv("CC", str(tmp_path / "clang"))
    s = product()
    s.tensorize(tile(s), gemv_calls(16, 16, c_source="gemv_reset, gemv_update: what only this compiler understands"))
    assert s.mod is not None
    rng = np.random.default_rng(0)
    a, b = rng.random((3, 16), np.float32), rng.random((32, 16), np.float32)
    np.testing.assert_allclose(np.asarray(tilewright.compile(s.mod)(a, b)), a @ b.T, rtol=1e-5)


@pytest.mark.parametrize("layout", ["i64:64-f80:128-n8:16:32:64-S128", "i64:64-S64"])
def test_llvm_text_of_another_release(layout: str) -> None:
    text = f'target datalayout = "e-m:e-{layout}"\ntarget triple = "x86_64-pc-linux-gnu"\n{GEMV_LLVM}'
    s = product()
    s.tensorize(tile(s), gemv_calls(16, 16, llvm_ir=text))
    check_product(s)


def test_tiles_beyond_the_domain_are_no_instances() -> None:
    """Of 2 * 3 tiles of 2 the last two lie beyond 7: the guard inside would leave them empty."""
    s = product(4, 4, 7)
    *_, k = s.get_loops(s.get_block("C"))
    _, _, ki = s.split(k, [None, 3, 2])
    s.blockize(ki)
    check_product(s, 4, 4, 7)
