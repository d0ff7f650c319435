"""Elementwise arith operations on vectors and tensors: what verifies, and their text."""

from __future__ import annotations

import pytest
from tilewright import dialects
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.parsing import parse
from tilewright.passes.framework.instruments import print_ir
from tilewright.passes.framework.manager import verify_module

VALID = {
    "cmpf": "%r = arith.cmpf olt, %f, %f : vector<8xf32>",
    "cmpi": "%r = arith.cmpi slt, %i, %i : vector<8xi32>",
    "select by lanes": "%r = arith.select %m, %f, %f : vector<8xi1>, vector<8xf32>",
    "select of vectors": "%r = arith.select %c, %f, %f : vector<8xf32>",
    "select of scalars": "%r = arith.select %c, %s, %s : f32",
    "sitofp": "%r = arith.sitofp %i : vector<8xi32> to vector<8xf32>",
    "fptosi": "%r = arith.fptosi %f : vector<8xf32> to vector<8xi32>",
    "extsi": "%r = arith.extsi %i : vector<8xi32> to vector<8xi64>",
    "trunci": "%r = arith.trunci %i : vector<8xi32> to vector<8xi8>",
    "index_cast": "%r = arith.index_cast %i : vector<8xi32> to vector<8xindex>",
    "cmpf of tensors": "%r = arith.cmpf olt, %t, %t : tensor<3x?xf32>",
    "select of tensors": "%r = arith.select %u, %t, %t : tensor<3x?xi1>, tensor<3x?xf32>",
}
INVALID = {
    "lengths": "%r = arith.sitofp %i : vector<8xi32> to vector<4xf32>",
    "elements": "%r = arith.trunci %i : vector<8xi32> to vector<8xi64>",
    "mask of scalars": "%r = arith.select %m, %s, %s : vector<8xi1>, f32",
    "shapes of tensors": "%r = arith.extui %u : tensor<3x?xi1> to tensor<3x4xi32>",
    "a vector and tensors": "%r = arith.select %m, %t, %t : vector<8xi1>, tensor<3x?xf32>",
    "mask type": "%r = arith.select %i, %f, %f : vector<8xi32>, vector<8xf32>",
}


def module(line: str):
    vectors = "%f: vector<8xf32>, %i: vector<8xi32>, %m: vector<8xi1>"
    arguments = f"{vectors}, %c: i1, %s: f32, %t: tensor<3x?xf32>, %u: tensor<3x?xi1>"
    return parse(dialects.context(), f"func.func @f({arguments}) {{\n  {line}\n  func.return\n}}\n", "t.mlir")


@pytest.mark.parametrize("line", VALID.values(), ids=VALID.keys())
def test_valid_and_round_trips(line: str):
    parsed = module(line)
    verify_module(parsed)
    text = print_ir(parsed)
    assert line in text
    assert print_ir(parse(dialects.context(), text, "again.mlir")) == text
    generic = print_ir(parsed, generic=True)
    assert print_ir(parse(dialects.context(), generic, "generic.mlir")) == text


@pytest.mark.parametrize("line", INVALID.values(), ids=INVALID.keys())
def test_invalid(line: str):
    with pytest.raises(TilewrightError):
        verify_module(module(line))
