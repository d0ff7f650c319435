"""Layouts of allocations: elements are named by indices, wherever they lie."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context

TEXT = """func.func @main(%a: memref<SHAPExf32>, %b: memref<SHAPExf32>) {
  %t = memref.alloc() : memref<SHAPExf32, LAYOUT>
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 8 {
      %x = affine.load %a[INDICES] : memref<SHAPExf32>
      affine.store %x, %t[INDICES] : memref<SHAPExf32, LAYOUT>
    }
  }
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 8 {
      %x = affine.load %t[INDICES] : memref<SHAPExf32, LAYOUT>
      %y = arith.addf %x, %x : f32
      affine.store %y, %b[INDICES] : memref<SHAPExf32>
    }
  }
  USE
  memref.dealloc %t : memref<SHAPExf32, LAYOUT>
  return
}"""
ROW, TABLE = ("48", "%i * 8 + %j"), ("6x8", "%i, %j")
LAYOUTS = {
    "transposed": (TABLE, "affine_map<(d0, d1) -> (d1, d0)>"),
    "tiles": (TABLE, "affine_map<(d0, d1) -> (d0 floordiv 4, d1 floordiv 4, d0 mod 4, d1 mod 4)>"),
    "columns of strides": (TABLE, "strided<[1, 6], offset: 2>"),
    "gaps": (ROW, "affine_map<(d0) -> (d0 * 2 + 3)>"),
    "reversed": (ROW, "affine_map<(d0) -> (47 - d0)>"),
}
SHARED = {
    "pairs of elements": (ROW, "affine_map<(d0) -> (d0 floordiv 2)>"),
    "one row": (TABLE, "affine_map<(d0, d1) -> (d1)>"),
    "rows that overlap": (TABLE, "strided<[7, 1]>"),
}


def compiled(form: tuple[tuple[str, str], str], use: str = "") -> tilewright.Program:
    (shape, indices), layout = form
    text = TEXT.replace("USE", use)
    for word, replacement in (("SHAPE", shape), ("LAYOUT", layout), ("INDICES", indices)):
        text = text.replace(word, replacement)
    module = parse(context(), text, "<text>")
    module.verify()
    return tilewright.compile(module, target="interpreter")


@pytest.mark.parametrize("name", LAYOUTS)
def test_values_do_not_depend_on_where_they_lie(name: str) -> None:
    (shape, _), _ = LAYOUTS[name]
    a = np.arange(48, dtype=np.float32).reshape([int(n) for n in shape.split("x")])
    b = np.zeros_like(a)
    compiled(LAYOUTS[name])(a, b)
    np.testing.assert_array_equal(b, a + a)


@pytest.mark.parametrize("name", SHARED)
def test_elements_at_one_address_are_refused(name: str) -> None:
    with pytest.raises(TilewrightError, match="TW0571.*row-major order"):
        compiled(SHARED[name])


def test_views_of_a_layout_are_refused() -> None:
    use = "%v = memref.subview %t[0] [4] [1] : memref<48xf32, LAYOUT> to memref<4xf32, strided<[2], offset: 3>>"
    with pytest.raises(TilewrightError, match="TW0571.*row-major order"):
        compiled(LAYOUTS["gaps"], use)
