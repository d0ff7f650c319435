"""Products of matrices of bytes and constant weights: exact sums, from words of four terms, for any number of rows."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import onnx
import onnx.parser
import pytest
import tilewright
from onnx import numpy_helper
from tilewright.diagnostics.remarks import Remark, collect_remarks
from tilewright.dialects import context, graph, loop
from tilewright.dialects.target import TARGET_ATTRIBUTE
from tilewright.driver.lowering import lower_module
from tilewright.driver.targets import Target
from tilewright.frontends.onnx import import_model
from tilewright.passes.framework.context import PassContext
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.semantics import evaluate
from xdsl.dialects.builtin import ModuleOp

from .loop_programs import module_of

LEVEL_3 = "llvm -mcpu=x86-64-v3 -caches=32K,512K,8M -threads=2"
VNNI = "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4 -mattr=+avx512vnni -caches=32K,1M -threads=1"
DOTPROD, I8MM = "aarch64 -mattr=+dotprod -threads=1", "aarch64 -mattr=+dotprod,+i8mm -threads=1"
BYTES = ("uint8", "int8")
ZEROS = ("none", "rows", "both", "each row", "each column")
"""The zero points that a product has: none, one of the rows, one of either operand, one a row, one a column."""


def drawn(rng: np.random.Generator, dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    """Return bytes, with both extremes in each column."""
    info = np.iinfo(dtype)
    found = rng.integers(info.min, info.max + 1, shape).astype(dtype)
    if shape and shape[0] > 1 and found.size:
        found[0], found[-1] = info.min, info.max
    return found


def model(sizes: tuple[int | str, int, int], left: str, right: str, zeros: str, rows: int) -> onnx.ModelProto:
    """Return MatMulInteger of a matrix by a constant."""
    m, k, n = sizes
    operands = {"none": "x, w", "rows": "x, w, a"}.get(zeros, "x, w, a, b")
    found = onnx.parser.parse_model(
        f'<ir_version: 10, opset_import: ["" : 22]> g ({left}[{m}, {k}] x) => (int32[{m}, {n}] y) '
        f"{{ y = MatMulInteger ({operands}) }}"
    )
    rng = np.random.default_rng(k)
    a_shape, b_shape = (rows,) if zeros == "each row" else (), (n,) if zeros == "each column" else ()
    for name, array in {
        "w": drawn(rng, right, (k, n)),
        "a": drawn(rng, left, a_shape),
        "b": drawn(rng, right, b_shape),
    }.items():
        found.graph.initializer.append(numpy_helper.from_array(array, name))
    return found


def expected(found: onnx.ModelProto, x: np.ndarray, zeros: str) -> np.ndarray:
    w, a, b = (numpy_helper.to_array(i).astype(np.int64) for i in found.graph.initializer)
    a = a[:, np.newaxis] if zeros == "each row" else a
    left = x.astype(np.int64) - (0 if zeros == "none" else a)
    return left @ (w - (0 if zeros in ("none", "rows") else b))


def packed(module: ModuleOp, target: str) -> tuple[list[graph.PackedMatmulOp], list[Remark]]:
    """Return the products in words after the passes up to `pack-weights`."""
    module.attributes[TARGET_ATTRIBUTE] = Target(target).attribute()
    passes = parse_pipeline("infer-types,simplify-inference,fold-constant,pack-weights,fold-constant,dead-code")
    with collect_remarks() as remarks:
        PassManager(passes).run(context(), module)
    return [op for op in module.walk() if isinstance(op, graph.PackedMatmulOp)], remarks


FORMS = [*product(BYTES, BYTES, ZEROS)]
SIZES = ((5, 24, 32), (3, 30, 37), (1, 4, 2))


@pytest.mark.each(("target", "left", "right", "zeros"), [(t, *form) for t in (VNNI, DOTPROD, I8MM) for form in FORMS])
def test_values_on_other_machines(target: str, left: str, right: str, zeros: str) -> None:
    """By the interpreter, of terms and columns that fill words and blocks and of others."""
    for m, k, n in SIZES:
        found = model((m, k, n), left, right, zeros, m)
        module = import_model(found)
        ops, _ = packed(module, target)
        assert [op.words.data[:4] for op in ops] == [form_of(target, left)]
        x = drawn(np.random.default_rng(1), left, (m, k))
        (y,) = evaluate(module, x)
        np.testing.assert_array_equal(y, expected(found, x, zeros))


def form_of(target: str, left: str) -> str:
    """Return the types of bytes that the target's instructions multiply."""
    if target == VNNI:
        return "u8s8"
    return "s8s8" if left == "int8" else "u8u8" if target == DOTPROD else "u8s8"


@pytest.mark.sampled(2)
@pytest.mark.each(("left", "right", "zeros"), FORMS, shards=2)
def test_values_of_programs(left: str, right: str, zeros: str) -> None:
    for m, k, n in SIZES:
        found = model((m, k, n), left, right, zeros, m)
        x = drawn(np.random.default_rng(1), left, (m, k))
        y = np.asarray(tilewright.compile(import_model(found), target=LEVEL_3)(x))
        np.testing.assert_array_equal(y, expected(found, x, zeros))


@pytest.mark.parametrize("threads", [1, 2])
def test_values_of_any_number_of_rows(threads: int) -> None:
    found = model(("m", 64, 48), "uint8", "int8", "both", 1)
    program = tilewright.compile(import_model(found), target=LEVEL_3, threads=threads)
    for rows in (0, 1, 2, 3, 5, 8, 33, 200):
        x = drawn(np.random.default_rng(rows), "uint8", (rows, 64))
        np.testing.assert_array_equal(np.asarray(program(x)), expected(found, x, "both"))


SHAPES = (
    *((m, 768, n) for m in (128, "m") for n in (768, 3072)),
    *((m, 2048, 2048) for m in (1, 2, 3, 4, 8, "m")),
    (128, 3072, 768),
    (64, 512, 256),
)


@pytest.mark.full
@pytest.mark.each("sizes", SHAPES)
def test_values_of_language_models(sizes: tuple[int | str, int, int]) -> None:
    for left, right, zeros in (("uint8", "int8", "rows"), ("int8", "int8", "none"), ("uint8", "uint8", "both")):
        rows = sizes[0] if isinstance(sizes[0], int) else 7
        found = model(sizes, left, right, zeros, rows)
        x = drawn(np.random.default_rng(1), left, (rows, sizes[1]))
        y = np.asarray(tilewright.compile(import_model(found), target=LEVEL_3)(x))
        np.testing.assert_array_equal(y, expected(found, x, zeros))


def instructions(sizes: tuple[int | str, int, int], left: str, right: str, target: str) -> Iterator[str]:
    """Yield the instructions of a program, and the products of its inner loops."""
    rows = sizes[0] if isinstance(sizes[0], int) else 1
    module = import_model(model(sizes, left, right, "rows", rows))
    module.attributes[TARGET_ATTRIBUTE] = Target(target).attribute()
    for op in lower_module(module).walk():
        if isinstance(op, loop.CallIntrinOp):
            yield op.symbol


@pytest.mark.sampled(2)
@pytest.mark.each("sizes", [(64, 512, 256), ("m", 768, 768), (1, 2048, 2048), (2, 256, 256), (7, 768, 64)], shards=2)
def test_products_of_all_shapes_are_computed_by_words(sizes: tuple[int | str, int, int]) -> None:
    assert {*instructions(sizes, "int8", "uint8", VNNI)} == {"x86.vpdpbusd"}
    assert {*instructions(sizes, "uint8", "int8", LEVEL_3)} == {"x86.pmaddubsw", "x86.pmaddwd"}
    assert {*instructions(sizes, "uint8", "int8", DOTPROD)} == {"aarch64.udot"}


def weights_within(limit: int) -> onnx.ModelProto:
    found = model((4, 8, 16), "uint8", "int8", "none", 4)
    w = np.random.default_rng(0).integers(-limit, limit + 1, (8, 16)).astype(np.int8)
    w[0] = limit
    found.graph.initializer[0].CopyFrom(numpy_helper.from_array(w, "w"))
    return found


@pytest.mark.each(("limit", "form"), [(64, "u8s8_fits"), (127, "u8s8")])
def test_sums_that_fit_are_proved_of_weights(limit: int, form: str) -> None:
    """maddubs multiplies where no pair of weights can leave 16 bits."""
    found = weights_within(limit)
    ops, _ = packed(import_model(found), LEVEL_3)
    assert [op.words.data for op in ops] == [form]
    x = np.full((4, 8), 255, np.uint8)
    y = np.asarray(tilewright.compile(import_model(found), target=LEVEL_3)(x))
    np.testing.assert_array_equal(y, expected(found, x, "none"))


def test_fast_products_saturate_where_pairs_leave_16_bits() -> None:
    """255 * 127 twice is 64770, of which 32767 is left; sums that fit are the exact ones."""
    found = weights_within(127)
    w = numpy_helper.to_array(found.graph.initializer[0]).astype(np.int64)
    w[1] = 127
    found.graph.initializer[0].CopyFrom(numpy_helper.from_array(w.astype(np.int8), "w"))
    with collect_remarks() as remarks:
        fast = tilewright.compile(import_model(found), target=LEVEL_3, fast=True)
    assert [r.message for r in remarks if r.code == "TW0794"]
    exact = tilewright.compile(import_model(found), target=LEVEL_3)
    large = np.full((4, 8), 255, np.uint8)
    np.testing.assert_array_equal(np.asarray(exact(large)), large.astype(np.int64) @ w)
    pairs = (255 * w.reshape(4, 2, 16).sum(1)).clip(-(1 << 15), (1 << 15) - 1).sum(0)
    np.testing.assert_array_equal(np.asarray(fast(large)), np.broadcast_to(pairs, (4, 16)))
    assert (pairs != large[0].astype(np.int64) @ w).any()
    small = np.random.default_rng(1).integers(0, 129, (4, 8)).astype(np.uint8)
    np.testing.assert_array_equal(np.asarray(fast(small)), small.astype(np.int64) @ w)


def test_rows_are_summed_where_weights_are_not_symmetric_alone() -> None:
    """Sums of columns are known, also those of weights that are too large to be folded."""
    for right, zeros, sums in (("int8", "rows", 0), ("uint8", "rows", 1), ("int8", "both", 1)):
        module = import_model(model((4, 512, 256), "uint8", right, zeros, 4))
        packed(module, VNNI)
        assert sum(isinstance(op, graph.ReduceSumOp) for op in module.walk()) == sums, (right, zeros)


DENSE = """
func.func @main(%x: tensor<6x20xui8>, %b: tensor<18xi32>) -> tensor<6x18xi32> {
  %w = graph.constant dense<[WEIGHTS]> : tensor<18x20xi8>
  %y = graph.dense %x, %w, %b out_dtype i32 : tensor<6x18xi32>
  func.return %y : tensor<6x18xi32>
}
"""


def test_a_dense_layer_adds_its_bias() -> None:
    rng = np.random.default_rng(0)
    w, x = rng.integers(-128, 128, (18, 20)), rng.integers(0, 256, (6, 20)).astype(np.uint8)
    b = rng.integers(-(1 << 30), 1 << 30, 18).astype(np.int32)
    rows = ", ".join(f"[{', '.join(map(str, row))}]" for row in w)
    module = module_of(DENSE.replace("WEIGHTS", rows))
    ops, remarks = packed(module, VNNI)
    assert len(ops) == 1 and "TW0766" in {r.code for r in remarks}
    (y,) = evaluate(module, x, b)
    np.testing.assert_array_equal(y, x.astype(np.int64) @ w.T + b)


def test_one_packing_serves_several_products() -> None:
    found = onnx.parser.parse_model(
        '<ir_version: 10, opset_import: ["" : 22]> g (uint8[2, 8] x, uint8[3, 8] v) => '
        "(int32[2, 16] y, int32[3, 16] z) { y = MatMulInteger (x, w) z = MatMulInteger (v, w) }"
    )
    w = drawn(np.random.default_rng(0), "int8", (8, 16))
    found.graph.initializer.append(numpy_helper.from_array(w, "w"))
    module = import_model(found)
    ops, _ = packed(module, VNNI)
    assert len(ops) == 2 and len({op.weight for op in ops}) == 1
    x, v = (drawn(np.random.default_rng(s), "uint8", (s, 8)) for s in (2, 3))
    for y, rows in zip(evaluate(module, x, v), (x, v), strict=True):
        np.testing.assert_array_equal(y, rows.astype(np.int64) @ w)


REFUSED = {
    "the target has no instruction for sums of products of bytes": ("ui8", "i8", "llvm -mcpu=x86-64", 100),
    "its rows are no bytes, less one zero point each": ("i32", "i32", LEVEL_3, 100),
    "the weights of a column span more numbers than a byte has": ("ui8", "i32", LEVEL_3, (1 << 31) - 1),
}


@pytest.mark.each("reason", REFUSED)
def test_reasons_why_weights_are_not_packed(reason: str) -> None:
    left, right, target, largest = REFUSED[reason]
    rows = ", ".join(f"[{', '.join([str(value)] * 8)}]" for value in (largest, -largest + 1, 0, 1))
    module = module_of(f"""
    func.func @main(%x: tensor<2x4x{left}>) -> tensor<2x8xi32> {{
      %w = graph.constant dense<[{rows}]> : tensor<4x8x{right}>
      %y = graph.matmul %x, %w out_dtype i32 : tensor<2x8xi32>
      func.return %y : tensor<2x8xi32>
    }}
    """)
    ops, remarks = packed(module, target)
    assert not ops
    assert [r.message for r in remarks if r.code == "TW0767"] == [
        f"the weights of graph.matmul are not packed: {reason}"
    ]


@pytest.mark.each("sizes", [(3, 0, 16), (3, 8, 0), (0, 8, 16)])
def test_products_without_elements(sizes: tuple[int, int, int]) -> None:
    found = model(sizes, "uint8", "int8", "rows", sizes[0])
    x = np.zeros(sizes[:2], np.uint8)
    y = np.asarray(tilewright.compile(import_model(found), target=LEVEL_3)(x))
    np.testing.assert_array_equal(y, np.zeros((sizes[0], sizes[2])))


@pytest.mark.each("target", [VNNI, DOTPROD])
def test_programs_are_valid_after_every_pass(target: str) -> None:
    """Also for instructions that this machine lacks: what they mean is known to the interpreter."""
    module = import_model(model((3, 10, 18), "int8", "uint8", "both", 3))
    module.attributes[TARGET_ATTRIBUTE] = Target(target).attribute()
    with PassContext(validate=True):
        lower_module(module)
