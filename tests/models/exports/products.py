"""Convolutions and matrix products of a network: how many are quantised in the file, and how many are on integers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import onnx
from tilewright.diagnostics.remarks import collect_remarks
from tilewright.dialects import context, graph
from tilewright.frontends.onnx import import_model
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from xdsl.dialects.builtin import ModuleOp, i32

INTEGERS = ("QLinearConv", "QGemm", "QLinearMatMul", "ConvInteger", "MatMulInteger")
"""Operators of ONNX that multiply integers."""
FLOATS = ("Conv", "Gemm", "MatMul")
"""Operators of ONNX that multiply numbers, those between QuantizeLinear and DequantizeLinear among them."""
PRODUCTS = (graph.Conv2dOp, graph.Conv3dOp, graph.DenseOp, graph.MatmulOp)
PIPELINE = "infer-types,integer-products,fold-constant,dead-code"


@dataclass(frozen=True)
class Products:
    """The products of a model before and after integer-products."""

    quantised: int
    """Products of quantised numbers in the file."""
    floats: int
    """Products of floats in the file."""
    on_integers: int
    """Products of integers after the pass; a zero point of weights may take one more."""
    on_floats: int
    """Products of floats after the pass."""
    reasons: tuple[str, ...] = ()
    """The remarks about products that the pass leaves on floats."""

    @property
    def missing(self) -> int:
        """Products of quantised numbers that are not computed on integers."""
        return max(self.quantised - self.on_integers, self.on_floats - self.floats, 0)

    @property
    def unnamed(self) -> int:
        """Products on floats that no remark names."""
        return max(self.on_floats - len(self.reasons), 0)

    def __str__(self) -> str:
        floats = f", {self.floats} float" if self.floats else ""
        return f"{self.quantised - self.missing} of {self.quantised}{floats}"


def counted(path: Path) -> Products:
    """Count the products of the model of a file."""
    with collect_remarks() as remarks:
        module = import_model(path)
        PassManager(parse_pipeline(PIPELINE)).run(context(), module)
    names = tuple(f"{product.name} is not computed on integers" for product in PRODUCTS)
    reasons = [each.message for each in remarks if each.code == "TW0793" and each.message.startswith(names)]
    return Products(*in_file(onnx.load(path)), *in_module(module), tuple(reasons))


def in_file(model: onnx.ModelProto) -> tuple[int, int]:
    """Return the products of quantised numbers and those of floats in a model."""
    owners = {name: node for node in model.graph.node for name in node.output}
    quantised = floats = 0
    for node in model.graph.node:
        if node.op_type in INTEGERS:
            quantised += 1
        elif node.op_type in FLOATS:
            both = [owners[name].op_type if name in owners else "" for name in node.input[:2]]
            is_quantised = both == ["DequantizeLinear"] * 2
            quantised, floats = quantised + is_quantised, floats + (not is_quantised)
    return quantised, floats


def in_module(module: ModuleOp) -> tuple[int, int]:
    """Return the convolutions and matrix products of a module that sum integers, and those of floats."""
    products = [op for op in module.walk() if isinstance(op, PRODUCTS)]
    on_integers = sum(op.out_dtype == i32 for op in products)
    return on_integers, len(products) - on_integers
