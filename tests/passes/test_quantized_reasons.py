"""Each reason of remark TW0793: a program that has it, and no product of quantised numbers on floats without one."""

from __future__ import annotations

from math import prod

import pytest
from tilewright.diagnostics.remarks import collect_remarks
from tilewright.dialects import context
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.passes.phase0.integer_products.numbers import Reason

from .loop_programs import module_of

INPUTS = {
    "rows": "tensor<2x3xi8>",
    "wide": "tensor<2x3xi16>",
    "words": "tensor<2x3xi32>",
    "open": "tensor<2x?xi16, #graph.dims<_, n>>",
    "columns": "tensor<?x4xi16, #graph.dims<n, _>>",
    "image": "tensor<1x3x4x4xi8>",
    "kernel": "tensor<3x3x1x1xi8>",
    "matrix": "tensor<4x3xf32>",
    "scale": "tensor<f32>",
}
CONSTANTS = """
  %s = graph.constant dense<0.5> : tensor<f32>
  %h = graph.constant dense<0.5> : tensor<f16>
  %v = graph.constant dense<[0.5, 0.25, 0.125]> : tensor<3xf32>
  %c = graph.constant dense<3> : tensor<4x3xi8>
  %l = graph.constant dense<30000> : tensor<4x3xi16>
  %k = graph.constant dense<3> : tensor<3x3x1x1xi8>
  %a = graph.dequantize %rows, %s to f32 : tensor<2x3xf32>
  %w = graph.dequantize %c, %s to f32 : tensor<4x3xf32>
  %i = graph.dequantize %image, %s to f32 : tensor<1x3x4x4xf32>
  %f = graph.dequantize %k, %s to f32 : tensor<3x3x1x1xf32>
"""
PROGRAMS: dict[Reason, str] = {
    Reason.NOT_QUANTIZED: "%y = graph.dense %a, %matrix : tensor<2x4xf32>",
    Reason.UNKNOWN_SCALE: """
        %b = graph.dequantize %rows, %scale to f32 : tensor<2x3xf32>
        %y = graph.dense %b, %w : tensor<2x4xf32>""",
    Reason.OTHER_FLOATS: """
        %b = graph.dequantize %rows, %h to f16 : tensor<2x3xf16>
        %u = graph.dequantize %c, %h to f16 : tensor<4x3xf16>
        %y = graph.dense %b, %u : tensor<2x4xf16>""",
    Reason.MOVED: """
        %b = graph.pad %i before [0, 0, 1, 1] after [0, 0, 0, 0] value 0.3 : tensor<1x3x5x5xf32>
        %m = graph.pad %f before [0, 0, 0, 0] after [0, 0, 1, 1] value 0.3 : tensor<3x3x2x2xf32>
        %y = graph.conv2d %b, %m : tensor<1x3x4x4xf32>""",
    Reason.MIXED: "%y = graph.matmul %a, %w transpose_b out_dtype f64 : tensor<2x4xf64>",
    Reason.IMAGE_SCALES: """
        %b = graph.dequantize %image, %v axis 1 to f32 : tensor<1x3x4x4xf32>
        %y = graph.conv2d %b, %f : tensor<1x3x4x4xf32>""",
    Reason.UNKNOWN_WEIGHTS: """
        %b = graph.dequantize %kernel, %s to f32 : tensor<3x3x1x1xf32>
        %y = graph.conv2d %i, %b : tensor<1x3x4x4xf32>""",
    Reason.WEIGHT_SCALES: """
        %b = graph.dequantize %k, %v axis 1 to f32 : tensor<3x3x1x1xf32>
        %y = graph.conv2d %i, %b : tensor<1x3x4x4xf32>""",
    Reason.WIDE: """
        %b = graph.dequantize %words, %s to f32 : tensor<2x3xf32>
        %y = graph.dense %b, %w : tensor<2x4xf32>""",
    Reason.TERM_SCALES: """
        %b = graph.dequantize %c, %v axis 1 to f32 : tensor<4x3xf32>
        %y = graph.dense %a, %b : tensor<2x4xf32>""",
    Reason.UNKNOWN_TERMS: """
        %b = graph.dequantize %open, %s to f32 : tensor<2x?xf32, #graph.dims<_, n>>
        %u = graph.dequantize %columns, %s to f32 : tensor<?x4xf32, #graph.dims<n, _>>
        %y = graph.matmul %b, %u : tensor<2x4xf32>""",
    Reason.LARGE_SUMS: """
        %b = graph.dequantize %wide, %s to f32 : tensor<2x3xf32>
        %u = graph.dequantize %l, %s to f32 : tensor<4x3xf32>
        %y = graph.dense %b, %u : tensor<2x4xf32>""",
    Reason.NOT_REQUANTIZED: "%y = graph.softmax %a : tensor<2x3xf32>",
    Reason.NO_FORM: """
        %b = graph.softmax %a : tensor<2x3xf32>
        %y = graph.quantize %b, %s to i8 : tensor<2x3xi8>""",
}


def text_of(body: str) -> str:
    arguments = ", ".join(f"%{name}: {type_}" for name, type_ in INPUTS.items())
    result = body.rpartition(" : ")[2]
    return f"func.func @main({arguments}) -> {result} {{{CONSTANTS}{body}\n  func.return %y : {result}\n}}"


@pytest.mark.each("reason", Reason)
def test_each_reason_has_a_remark(reason: Reason) -> None:
    module = module_of(text_of(PROGRAMS[reason]))
    with collect_remarks() as remarks:
        PassManager(parse_pipeline("dead-code,integer-products")).run(context(), module)
    found = [r.message.partition(": ")[2] for r in remarks if r.code == "TW0793"]
    assert reason in found


PRODUCTS = {
    "dense": ("2x3", "4x3", "graph.dense %x, %w", "2x4"),
    "matmul": ("2x3", "3x4", "graph.matmul %x, %w", "2x4"),
    "conv2d": ("1x3x4x4", "3x3x1x1", "graph.conv2d %x, %w", "1x3x4x4"),
    "conv3d": ("1x3x2x4x4", "3x3x1x1x1", "graph.conv3d %x, %w", "1x3x2x4x4"),
}
"""The shapes of both operands, the operation, and the shape of its result."""
SOURCES = {
    "an unknown scale": "%x = graph.dequantize %q, %scale to f32 : tensor<SHAPExf32>",
    "an unknown scale, moved": """
        %0 = graph.dequantize %q, %scale to f32 : tensor<SHAPExf32>
        %1 = graph.reshape %0 shape [-1] : tensor<SIZExf32>
        %x = graph.reshape %1 shape [DIMS] : tensor<SHAPExf32>""",
    "float16": """
        %h = graph.constant dense<0.5> : tensor<f16>
        %0 = graph.dequantize %q, %h to f16 : tensor<SHAPExf16>
        %x = graph.cast %0 to f32 : tensor<SHAPExf32>""",
    "numbers of floats": "%x = graph.relu %f : tensor<SHAPExf32>",
}


@pytest.mark.each(("product", "source"), [(product, source) for product in PRODUCTS for source in SOURCES])
def test_no_product_is_on_floats_without_a_remark(product: str, source: str) -> None:
    left, right, operation, result = PRODUCTS[product]
    sizes = [int(size) for size in left.split("x")]
    body = SOURCES[source].replace("SHAPE", left).replace("SIZE", str(prod(sizes)))
    body = body.replace("DIMS", ", ".join(map(str, sizes)))
    module = module_of(f"""
        func.func @main(%q: tensor<{left}xi8>, %f: tensor<{left}xf32>, %scale: tensor<f32>) -> tensor<{result}xf32> {{
          %s = graph.constant dense<0.5> : tensor<f32>
          %c = graph.constant dense<3> : tensor<{right}xi8>
          %w = graph.dequantize %c, %s to f32 : tensor<{right}xf32>
          {body}
          %y = {operation} : tensor<{result}xf32>
          func.return %y : tensor<{result}xf32>
        }}""")
    with collect_remarks() as remarks:
        PassManager(parse_pipeline("dead-code,integer-products")).run(context(), module)
    (left_one,) = (op for op in module.walk() if op.name == f"graph.{product}")
    assert [r for r in remarks if r.code == "TW0793" and r.message.startswith(left_one.name)]
