"""Refusals of tensorize, blockize and declarations of intrinsics, with their messages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tilewright
from tilewright import TilewrightError, te, tir
from tilewright.dialects.ir_module import IRModule
from tilewright.schedule import Schedule

from .test_tensorize import GEMV_C, GEMV_LLVM, gemv_calls, gemv_compute, gemv_described, product, tile


def refused(code: str, action: Callable[[], Any]) -> str:
    with pytest.raises(TilewrightError) as raised:
        action()
    assert raised.value.code == code
    return str(raised.value)


def nest(value: Callable[..., Any], dtype: str = "float32", combine: Any = te.sum) -> tuple[Schedule, Any]:
    """Return a product of a 16x16 matrix and rows, with another element or combiner; and the loop over a row's tile."""
    A, B = te.placeholder((4, 16), dtype, "A"), te.placeholder((32, 40), dtype, "B")
    k = te.reduce_axis((0, 16), name="k")
    C = te.compute((4, 16), lambda i, j: combine(value(A, B, i, j, k), axis=k), name="C")
    s = Schedule(IRModule({"main": te.create_prim_func([A, B, C])}))
    return s, s.get_loops(s.get_block("C"))[1]


MISMATCHES: dict[str, tuple[Callable[[], tuple[Schedule, Any]], str]] = {
    "extents": (
        lambda: ((s := product()), tile(s, rows=8)),
        "expected axes vi: spatial 16, vk: reduce 16, but the nest has vj: spatial 8, vk: reduce 16",
    ),
    "combiner": (
        lambda: nest(lambda A, B, i, j, k: A[i, k] * B[j, k], combine=te.max),
        "expected arith.addf, but the body has arith.maximumf",
    ),
    "operation": (lambda: nest(lambda A, B, i, j, k: A[i, k] + B[j, k]), "expected arith.mulf, but the body has"),
    "type": (
        lambda: nest(lambda A, B, i, j, k: A[i, k] * B[j, k], "float64"),
        "expected a value of type f32, but got f64",
    ),
    "access": (
        lambda: nest(lambda A, B, i, j, k: A[i, k] * B[j, 2 * k]),
        "expected an access %b[%vi, %vk], but the body has %B[%vj, %vk * 2]",
    ),
    "transposed": (
        lambda: nest(lambda A, B, i, j, k: A[i, k] * B[k, j]),
        "expected an access %b[%vi, %vk], but the body has %B[%vk, %vj]",
    ),
    "quotient": (
        lambda: nest(lambda A, B, i, j, k: A[i, k] * B[j, (i + k) // 2]),
        "the index ((%vio + %vk) floordiv 2) mixes positions inside and outside of the tile",
    ),
}


@pytest.mark.parametrize("case", MISMATCHES)
def test_another_computation(case: str) -> None:
    make, words = MISMATCHES[case]
    s, loop = make()
    before = str(s.func)
    text = refused("TW0426", lambda: s.tensorize(loop, gemv_described(16, 16)))
    assert words in text
    assert "note: the intrinsic describes" in text
    assert str(s.func) == before


def test_strides_that_the_code_does_not_expect() -> None:
    s = product(d=32)
    packed = gemv_calls(16, 16, strides=[16, 1], c_source=GEMV_C)
    text = refused("TW0426", lambda: s.tensorize(tile(s, columns=16), packed))
    assert "counts on a stride of 16 in dimension 0 of %b, but %B has 32" in text
    assert "te.var as stride" in text


def test_a_packed_operand_may_be_expected() -> None:
    s = product(d=16)
    s.tensorize(tile(s), gemv_calls(16, 16, strides=[16, 1], c_source=GEMV_C))


def test_the_sum_is_in_several_tiles() -> None:
    *_, c = gemv_compute(16, 8)
    pointers = lambda ins, outs: [outs[0].access_ptr("w"), *(b.access_ptr("r") for b in ins)]  # noqa: E731
    body = te.decl_tensor_intrin(c, lambda ins, outs: tir.call_extern("void", "f", *pointers(ins, outs)), name="whole")
    s = product(d=8)
    s.tensorize(tile(s), body)
    s = product(m=32, d=16)
    text = refused("TW0426", lambda: s.tensorize(tile(s, columns=8), body))
    assert "to have a reset and an update, because the terms of the reduction lie in several tiles" in text
    assert "(body, reset, update)" in text


def test_a_tile_that_is_not_whole() -> None:
    s = product(m=30)
    text = refused("TW0434", lambda: s.tensorize(tile(s), gemv_described(16, 16)))
    assert "is guarded by" in text
    assert "pad_einsum" in text


def test_unknown_and_doubled_names() -> None:
    intrin = gemv_described(16, 16)
    tir.TensorIntrin.register("gemv_of_a_test", intrin, override=True)
    s = product()
    text = refused("TW0431", lambda: s.tensorize(tile(s), "gemv_of_test"))
    assert "gemv_of_a_test" in text
    refused("TW0431", lambda: tir.TensorIntrin.register("gemv_of_a_test", intrin))
    s = product()
    refused("TW0403", lambda: s.tensorize(tile(s), 5))  # pyright: ignore[reportArgumentType]


def test_llvm_text_that_does_not_parse() -> None:
    wrong = "define i32 @gemv_update(ptr noundef %0, ptr noundef %1, i32 noundef %2) {\n  %4 = add i32 %2, oops\n}\n"
    for action in (
        lambda: gemv_calls(16, 16, llvm_ir=wrong),
        lambda: product().import_foreign("llvm", wrong),
    ):
        text = refused("TW0427", action)
        line, quoted, caret, *_ = text.splitlines()
        assert ":2:20: error[TW0427]: LLVM text does not parse: expected value token" in line
        assert quoted[caret.index("^") :] == "oops"


def tensorized(source: str) -> Schedule:
    s = product()
    s.tensorize(tile(s), gemv_calls(16, 16, c_source=source))
    return s


def test_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    s = tensorized(GEMV_C)
    monkeypatch.setenv("CC", "no-such-compiler")
    text = refused("TW0428", lambda: tilewright.compile(s.mod))
    assert "'no-such-compiler', which CC names, cannot be found" in text


def test_c_source_that_does_not_compile() -> None:
    s = tensorized("int gemv_reset(float *c, int m) {\n  return missing;\n}\n")
    text = refused("TW0429", lambda: tilewright.compile(s.mod))
    assert "<C source>:2:10: error[TW0429]" in text
    assert "  return missing;\n         ^" in text


def test_calls_that_find_no_function_or_another_one() -> None:
    s = product()
    other = GEMV_LLVM.replace("ptr noundef %c, i32 noundef %m", "ptr %c").replace("shl i32 %m, 2", "add i32 0, 64")
    s.tensorize(tile(s), gemv_calls(16, 16, llvm_ir=other))
    text = refused("TW0432", lambda: tilewright.compile(s.mod))
    assert "expected foreign function @gemv_reset to take (ptr, i32), as it is called, but it takes (ptr)" in text
    s = product()
    s.tensorize(tile(s), gemv_calls(16, 16))
    assert s.mod is not None
    with pytest.raises(TilewrightError):
        tilewright.compile(s.mod, "interpreter")([[0.0]])


def bound_to_another_shape() -> tir.TensorIntrin:
    a, _, c = gemv_compute(4, 4)
    return te.decl_tensor_intrin(c, lambda ins, outs: te.described(), binds={a: tir.decl_buffer((3,), a.dtype, "x")})


DECLARATIONS: dict[str, tuple[Callable[[], Any], str]] = {
    "symbolic": (
        lambda: te.decl_tensor_intrin(te.compute((te.var("n"),), lambda i: te.const(0.0), name="c")),
        "expected constant extents",
    ),
    "two computes": (
        lambda: te.decl_tensor_intrin(
            te.compute((4,), lambda i: te.compute((4,), lambda j: te.const(1.0), name="b")[i], name="c")
        ),
        "expected a compute of placeholders",
    ),
    "two of three": (
        lambda: te.decl_tensor_intrin(gemv_compute(4, 4)[2], lambda ins, outs: (None, None)),
        "expected a body or (body, reset, update)",
    ),
    "no implementation": (
        lambda: te.decl_tensor_intrin(gemv_compute(4, 4)[2], lambda ins, outs: 5),
        "expected calls, statements, IR, a function or te.described() as body, but got 5",
    ),
    "axis": (
        lambda: te.decl_tensor_intrin(gemv_compute(4, 4)[2], lambda ins, outs: te.described(x="vectorized")),
        "expected axes i, k, but got 'x'",
    ),
    "kind": (
        lambda: te.decl_tensor_intrin(gemv_compute(4, 4)[2], lambda ins, outs: te.described(i="parallel")),
        "expected loops to be serial, vectorized, unrolled, but got 'parallel'",
    ),
    "number": (lambda: te.decl_tensor_intrin(5), "expected a compute of placeholders, but got 5"),
    "mode": (
        lambda: te.decl_tensor_intrin(gemv_compute(4, 4)[2], lambda ins, outs: ins[0].access_ptr("x")),
        'expected an access "r", "w" or "rw"',
    ),
    "buffer": (bound_to_another_shape, "expected a buffer of float32[4] for tensor 'a', but got float32[3]"),
    "stride": (lambda: gemv_calls(4, 4, strides=[7, 1]), "expected a te.var or 4, the stride of a packed tile"),
    "written input": (
        lambda: te.decl_tensor_intrin(
            gemv_compute(4, 4)[2], lambda ins, outs: tir.call_extern("void", "f", ins[0].access_ptr("w"))
        ),
        "expected an implementation that reads %a only",
    ),
    "other buffers": (
        lambda: tir.TensorIntrin.register(
            "bad",
            gemv_described(4, 4).description,
            "func.func @f(%a: memref<4xf32>) { func.return }",
        ),
        "expected an implementation over (memref<4xf32>, memref<4x4xf32>, memref<4xf32>), but got (memref<4xf32>)",
    ),
}


@pytest.mark.parametrize("case", DECLARATIONS)
def test_declarations(case: str) -> None:
    declare, words = DECLARATIONS[case]
    text = refused("TW0430", declare)
    assert words in text
    assert text.startswith((str(Path(__file__).parent), "<tensor intrinsic bad>:1:"))


def refused_blockize(code: str, make: Callable[[Schedule], Any], **sizes: int) -> str:
    s = product(**sizes)
    loop = make(s)
    before = str(s.func)
    text = refused(code, lambda: s.blockize(loop))
    assert str(s.func) == before
    return text


def test_nests_that_have_no_tiles() -> None:
    def fused(s: Schedule) -> Any:
        _, j, k = s.get_loops(s.get_block("C"))
        return s.split(s.fuse(j, k), factors=[None, 24])[1]

    def unaligned(s: Schedule) -> Any:
        return s.split(s.get_loops(s.get_block("C"))[1], factors=[None, 16, 4])[2]

    def repeated(s: Schedule) -> Any:
        i, j, k = s.get_loops(s.get_block("C"))
        s.decompose_reduction(s.get_block("C"), k)
        return j

    assert "mixes loops inside and outside in one quotient" in refused_blockize("TW0433", fused)
    assert "expected one block and nothing else in the nest under loop %j" in refused_blockize("TW0433", repeated)
    s = product()
    text = refused("TW0426", lambda: s.tensorize(s.get_block("C"), gemv_described(16, 16)))
    assert "expected loops in block 'C'" in text
    s.blockize(unaligned(s))


def test_operands_that_reach_beyond_their_buffers() -> None:
    a = te.placeholder((20,), name="a")
    c = te.compute((16,), lambda i: a[i] * 2.0, name="c")
    wide = te.decl_tensor_intrin(
        c, lambda ins, outs: tir.call_extern("void", "f", outs[0].access_ptr("w"), ins[0].access_ptr("r")), name="wide"
    )
    A = te.placeholder((64,), name="A")
    C = te.compute((64,), lambda i: A[i] * 2.0, name="C")
    s = Schedule(IRModule({"main": te.create_prim_func([A, C])}))
    _, ii = s.split(s.get_loops(s.get_block("C"))[0], factors=[None, 16])
    text = refused("TW0426", lambda: s.tensorize(ii, wide))
    assert "gets 20 elements of %A from %io * 16 on in dimension 0, which are not proved to lie within 64" in text
