"""Proofs about vectors, views and tensors: outputs of upstream passes, and the same with a fault planted.

`data/after/NAME.PASS.mlir` is what a pass of LLVM 22 makes of `data/NAME.mlir`.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tilewright.diagnostics import TilewrightError
from tilewright.tools import cli

FILES = Path(__file__).parent / "data"
AFTER = sorted(path.stem for path in (FILES / "after").glob("*.mlir"))
ALGEBRA = ["--reassociates", "--contracts"]

FAULTS: dict[str, tuple[str, str, str]] = {
    "a guard that lets one element more through": (
        "transfer-maps.vector-to-scf",
        "%9 = arith.cmpi slt, %8, %c16 : index",
        "%9 = arith.cmpi sle, %8, %c16 : index",
    ),
    "a map that adds another number": ("transfer-maps.vector-to-scf", "(d0 + 3)", "(d0 + 2)"),
    "a transfer that begins elsewhere": (
        "transfer-maps.vector-to-scf",
        "vector.transfer_read %arg0[%c0, %c3]",
        "vector.transfer_read %arg0[%c0, %c1]",
    ),
    "a permutation that is lost": (
        "transfer-maps.vector-to-scf",
        "%8 = affine.apply #map(%arg2)\n      %9 = arith.cmpi slt, %8, %c16 : index\n      scf.if %9 {\n"
        "        %10 = affine.apply #map(%arg2)\n        %11 = memref.load %7[%arg2]",
        "%8 = affine.apply #map(%arg2)\n      %9 = arith.cmpi slt, %8, %c16 : index\n      scf.if %9 {\n"
        "        %10 = affine.apply #map(%arg2)\n        %11 = memref.load %7[%c1]",
    ),
    "a mask of another length": ("masks.lower-vector-mask", "constant_mask [3]", "constant_mask [4]"),
    "a mask that is lost": ("masks.lower-vector-mask", "%4, %arg1[%c0], %0 {", "%4, %arg1[%c0] {"),
    "operands that are swapped": ("masks.lower-vector-mask", "%2, %1, %cst :", "%2, %cst, %1 :"),
    "vectors that are swapped": (
        "carried-vectors.unit-dims",
        "scf.yield %arg5, %6, %7",
        "scf.yield %6, %arg5, %7",
    ),
    "a row that is another one": (
        "carried-vectors.unit-dims",
        "vector.extract %arg4[1]",
        "vector.extract %arg4[0]",
    ),
    "an offset that is another one": ("views.expand-strided-metadata", "offset: [35]", "offset: [36]"),
    "a stride that is another one": (
        "views.expand-strided-metadata",
        "sizes: [4, 4], strides: [32, 1] : memref<f32> to memref<4x4xf32, strided<[32, 1], offset: 35>>",
        "sizes: [4, 4], strides: [16, 1] : memref<f32> to memref<4x4xf32, strided<[32, 1], offset: 35>>",
    ),
    "a size that is one less": ("views.expand-strided-metadata", "sizes: [6]", "sizes: [5]"),
    "a write that is lost": (
        "tensor-vectors.one-shot-bufferize",
        "    vector.transfer_write %1, %arg1[%c3, %c0] {in_bounds = [false, true]} : vector<4x8xf32>, "
        "memref<4x8xf32, strided<[?, ?], offset: ?>>\n",
        "",
    ),
    "an access that may leave memory": (
        "tensor-vectors.one-shot-bufferize",
        "in_bounds = [false, true]",
        "in_bounds = [true, true]",
    ),
    "a result that is another buffer": (
        "tensor-vectors.one-shot-bufferize",
        "return %arg1",
        "return %arg0",
    ),
}


def status_of(before: Path, after: Path) -> int:
    try:
        return cli.main(["prove", str(before), str(after), "--function", "main", *ALGEBRA])
    except TilewrightError as error:
        assert error.code == "TW0245", error
        return 1


@pytest.mark.sampled(2)
@pytest.mark.each("name", AFTER, shards=2)
def test_passes_are_proved(name: str) -> None:
    assert status_of(FILES / f"{name.partition('.')[0]}.mlir", FILES / "after" / f"{name}.mlir") == 0


@pytest.mark.sampled(3)
@pytest.mark.each("fault", FAULTS, shards=3)
def test_faults_are_refuted(fault: str, tmp_path: Path) -> None:
    name, old, new = FAULTS[fault]
    text = (FILES / "after" / f"{name}.mlir").read_text(encoding="utf-8")
    assert text.count(old) >= 1
    path = tmp_path / "after.mlir"
    path.write_text(text.replace(old, new), encoding="utf-8")
    assert status_of(FILES / f"{name.partition('.')[0]}.mlir", path) == 1


MASKED_QUOTIENT = """func.func @main(%A: memref<4xi32>, %B: memref<4xi32>, %M: memref<4xi32>, %C: memref<4xi32>) {{
  %c0 = arith.constant 0 : index
  %z = arith.constant dense<0> : vector<4xi32>
  %m = vector.load %M[%c0] : memref<4xi32>, vector<4xi32>
  %c = arith.cmpi sgt, %m, %z : vector<4xi32>
  %a = vector.load %A[%c0] : memref<4xi32>, vector<4xi32>
  %b = vector.load %B[%c0] : memref<4xi32>, vector<4xi32>
  %d = arith.{operation} %a, %b : vector<4xi32>
  vector.maskedstore %C[%c0], %c, %d : memref<4xi32>, vector<4xi1>, vector<4xi32>
  return
}}"""
QUOTIENT = """func.func @main(%A: memref<4xi32>, %B: memref<4xi32>, %M: memref<4xi32>, %C: memref<4xi32>) {{
  affine.for %i = 0 to 4 {{
    %m = affine.load %M[%i] : memref<4xi32>
    %z = arith.constant 0 : i32
    %c = arith.cmpi sgt, %m, %z : i32
    scf.if %c {{
      %a = affine.load %A[%i] : memref<4xi32>
      %b = affine.load %B[%i] : memref<4xi32>
      %d = arith.{operation} %a, %b : i32
      affine.store %d, %C[%i] : memref<4xi32>
    }}
  }}
  return
}}"""


@pytest.mark.parametrize(("operation", "status"), [("xori", 0), ("divui", 1)])
def test_lanes_that_a_mask_hides_are_computed(operation: str, status: int, tmp_path: Path) -> None:
    """A division of vectors divides in each lane, so that one by 0 in a hidden lane is undefined."""
    before, after = tmp_path / "before.mlir", tmp_path / "after.mlir"
    before.write_text(QUOTIENT.format(operation=operation), encoding="utf-8")
    after.write_text(MASKED_QUOTIENT.format(operation=operation), encoding="utf-8")
    assert status_of(before, after) == status
    assert status_of(after, before) == 0
