"""Operators whose sizes are computed from inputs' shapes: one compilation serves all; onnxruntime is compared."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx.parser
import pytest
import tilewright
from tilewright.diagnostics import TilewrightError
from tilewright.frontends.onnx import import_model

from .models import onnxruntime_results


@pytest.fixture(autouse=True)
def object_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))


SIZES = ((2, 3), (5, 4), (1, 7))
HEAD = "g (float[n, m] x) => (float[] y) "
CONSTANTS = """
  zero = Constant<value_int = 0>()
  one = Constant<value_int = 1>()
  two = Constant<value_int = 2>()
  minus = Constant<value_int = -1>()
  first = Constant<value_ints = [0]>()
  second = Constant<value_ints = [1]>()
  both = Constant<value_ints = [2]>()
  three = Constant<value_ints = [3]>()
  open = Constant<value_ints = [-1]>()
  back = Constant<value_ints = [-2]>()
  far = Constant<value_ints = [9223372036854775807]>()
  near = Constant<value_ints = [-9223372036854775808]>()
  rows = Shape<start = 0, end = 1>(x)
  columns = Shape<start = 1, end = 2>(x)
  n = Squeeze(rows)
  m = Squeeze(columns)
"""
RESHAPES = {
    "both sizes at new places": "s = Concat<axis = 0>(columns, rows) y = Reshape(x, s)",
    "new places, and one between": "s = Concat<axis = 0>(second, columns, second, rows) y = Reshape(x, s)",
    "what is left, beside a new place": "s = Concat<axis = 0>(columns, open) y = Reshape(x, s)",
    "heads": """t = Concat<axis = 1>(x, x) u = Concat<axis = 1>(t, t)
      s = Concat<axis = 0>(columns, both, rows, both) y = Reshape(u, s)""",
}
EXPANDS = {
    "a row to more": """e = ReduceSum<keepdims = 1>(x, first) s = Concat<axis = 0>(rows, columns)
      y = Expand(e, s)""",
    "a matrix to more": "s = Concat<axis = 0>(columns, rows, columns) y = Expand(x, s)",
    "a number to a shape": "z = Constant<value_float = 2.5>() s = Shape(x) y = Expand(z, s)",
}
FILLED = {
    "zeros": "s = Shape(x) z = ConstantOfShape(s) y = Add(x, z)",
    "a value": "s = Concat<axis = 0>(columns, three, rows) y = ConstantOfShape<value = float[1] {1.5}>(s)",
}
RANGES = {
    "up to a size": "r = Range(zero, n, one) y = Cast<to = 1>(r)",
    "two apart": "r = Range(one, n, two) y = Cast<to = 1>(r)",
    "down from a size": "r = Range(n, minus, minus) y = Cast<to = 1>(r)",
    "from a size to another": "r = Range(n, m, one) y = Cast<to = 1>(r)",
    "positions that are added": "r = Range(zero, m, one) f = Cast<to = 1>(r) y = Add(x, f)",
}
SLICES = {
    "up to the other size": "y = Slice(x, first, rows, second)",
    "from a number on": "y = Slice(x, second, far, second)",
    "from beyond the end on": "y = Slice(x, three, far, first)",
    "the last two": "y = Slice(x, back, far, first)",
    "all but the last": "y = Slice(x, first, open, second)",
    "all but the last two": "y = Slice(x, first, back, first)",
    "between numbers": "y = Slice(x, second, three, second)",
    "every second": "y = Slice(x, second, far, second, both)",
    "backwards": "y = Slice(x, open, near, second, open)",
    "every second, backwards from a number": "y = Slice(x, three, near, second, back)",
    "from a computed size on": "s = Sub(columns, second) y = Slice(x, s, far, second)",
    "a window of the other size": """s = Sub(columns, second) e = Add(columns, rows)
      y = Slice(x, s, e, second)""",
    "of a constant": """t = Constant<value = float[6] {0.0, 1.0, 2.0, 3.0, 4.0, 5.0}>() zeros = Cast<to = 7>(x)
      y = Slice(t, first, columns, first)""",
    "two axes": "e = Concat<axis = 0>(open, back) b = Concat<axis = 0>(first, second) y = Slice(x, b, e)",
}
PADS = {
    "before and behind": "p = Concat<axis = 0>(rows, first, columns, second) y = Pad(x, p)",
    "a value": "p = Concat<axis = 0>(first, columns, first, rows) v = Constant<value_float = 2.5>() y = Pad(x, p, v)",
    "along an axis": "p = Concat<axis = 0>(first, rows) v = Constant<value_float = 0.0>() y = Pad(x, p, v, second)",
    "cut off where negative": "d = Sub(second, rows) p = Concat<axis = 0>(d, first, first, first) y = Pad(x, p)",
    "edges": """p = Concat<axis = 0>(rows, first, first, columns) y = Pad<mode = "edge">(x, p)""",
}
TRANSPOSED = {
    "two apart": """w = Constant<value = float[1, 1, 2] {1.0, -2.0}>() i = Unsqueeze(x, second)
      y = ConvTranspose<strides = [2]>(i, w)""",
    "three apart, and cut": """w = Constant<value = float[1, 1, 4] {1.0, -2.0, 3.0, 0.5}>() i = Unsqueeze(x, second)
      y = ConvTranspose<strides = [3], pads = [1, 0], output_padding = [1]>(i, w)""",
}
REPEATED = {
    "repeats of one axis": "r = Concat<axis = 0>(rows, second) y = Tile(x, r)",
    "repeats of both axes": "r = Concat<axis = 0>(columns, rows) y = Tile(x, r)",
    "a number and a size": "r = Concat<axis = 0>(both, rows) y = Tile(x, r)",
}
SPLIT = {
    "one and the others": """d = Sub(columns, second) s = Concat<axis = 0>(second, d) a, b = Split<axis = 1>(x, s)
      y = Concat<axis = 1>(b, a)""",
    "halves": "t = Concat<axis = 1>(x, x) a, b = Split<axis = 1, num_outputs = 2>(t) y = Sub(b, a)",
    "halves of which one is smaller": "a, b = Split<axis = 0, num_outputs = 2>(x) y = Concat<axis = 0>(b, a)",
}
POSITIONS = {
    "an upper triangle": "k = Sub(m, n) y = Trilu<upper = 1>(x, k)",
    "a lower triangle": "k = Sub(n, two) y = Trilu<upper = 0>(x, k)",
    "an element of a table": """t = Constant<value = float[8] {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0}>()
      g = Gather(t, m) y = Add(x, g)""",
    "the last column": "i = Sub(columns, second) y = Gather<axis = 1>(x, i)",
    "one hot": """p = Constant<value = int64[2] {0, -1}>() v = Constant<value = float[2] {0.5, 2.0}>()
      y = OneHot(p, m, v)""",
    "the first of all": "y, i = TopK(x, columns)",
    "the least": "y, i = TopK<largest = 0>(x, second)",
    "the greater half": "h = Div(columns, both) k = Add(h, second) y, i = TopK(x, k)",
}
AS_DATA = {
    "a comparison": "c = Greater(n, m) f = Cast<to = 1>(c) y = Add(x, f)",
    "a choice": "c = Greater(n, two) w = Where(c, m, n) f = Cast<to = 1>(w) y = Add(x, f)",
    "a remainder": "r = Mod(n, m) f = Cast<to = 1>(r) y = Add(x, f)",
}
BODIES = {
    **RESHAPES, **EXPANDS, **FILLED, **RANGES, **SLICES, **PADS, **TRANSPOSED, **REPEATED, **SPLIT, **POSITIONS,
    **AS_DATA,
}  # fmt: skip


def compare(body: str, sizes: Sequence[tuple[int, int]] = SIZES) -> None:
    """Import with open sizes, which fails where a size has to be a number, compile once, run at all sizes."""
    model = onnx.parser.parse_model(f'<ir_version: 10, opset_import: ["" : 21]> {HEAD} {{ {CONSTANTS} {body} }}')
    program = tilewright.compile(import_model(model), threads=1)
    for shape in sizes:
        x = np.random.default_rng(sum(shape)).standard_normal(shape).astype(np.float32)
        (expected,) = onnxruntime_results(model, x)
        found = program(x)
        assert found.shape == expected.shape
        np.testing.assert_array_equal(found, expected)


@pytest.mark.sampled(3)
@pytest.mark.each("name", BODIES, shards=3)
def test_one_compilation_serves_all_sizes(name: str) -> None:
    compare(BODIES[name])


@pytest.mark.parametrize(
    "body",
    [
        "s = Concat<axis = 0>(rows, rows) a, b = Split<axis = 1>(x, s) y = Sub(a, b)",
        "y, i = TopK(x, rows)",
    ],
)
def test_sizes_that_do_not_fit_are_an_error_at_the_entry(body: str) -> None:
    model = onnx.parser.parse_model(f'<ir_version: 10, opset_import: ["" : 21]> {HEAD} {{ {CONSTANTS} {body} }}')
    program = tilewright.compile(import_model(model), "interpreter")
    assert program(np.zeros((2, 4), np.float32)).shape == (2, 2)
    with pytest.raises(TilewrightError, match="TW0730"):
        program(np.zeros((3, 2), np.float32))


def test_a_diagonal_that_is_data_needs_no_version() -> None:
    model = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 21]>
    g (float[3, 4] x, int64 k) => (float[3, 4] y) { y = Trilu<upper = 0>(x, k) }""")
    program = tilewright.compile(import_model(model), threads=1)
    x = np.arange(12, dtype=np.float32).reshape(3, 4) + 1
    for k in (-4, -1, 0, 2, 5):
        np.testing.assert_array_equal(program(x, np.array(k)), np.tril(x, k))


@pytest.mark.parametrize(
    ("mode", "coordinates", "sizes"),
    [
        ("linear", "half_pixel", "x, , , of_z"),
        ("linear", "align_corners", "x, , , of_z"),
        ("linear", "pytorch_half_pixel", "x, , , of_z"),
        ("linear", "half_pixel", "x, , parts"),
        ("nearest", "asymmetric", "x, , , twice"),
        ("nearest", "asymmetric", "x, , , of_z"),
    ],
)
def test_images_of_all_sizes_are_resized_by_one_program(mode: str, coordinates: str, sizes: str) -> None:
    model = onnx.parser.parse_model(f"""<ir_version: 10, opset_import: ["" : 18]>
    g (float[1, c, h, w] x, float[p, q] z) => (float[] y) {{
      lead = Shape<start = 0, end = 2>(x)
      image = Shape<start = 2, end = 4>(x)
      other = Shape(z)
      two = Constant<value_ints = [2]>()
      double = Mul(image, two)
      of_z = Concat<axis = 0>(lead, other)
      twice = Concat<axis = 0>(lead, double)
      parts = Constant<value = float[4] {{1.0, 1.0, 0.5, 0.75}}>()
      y = Resize<mode = "{mode}", coordinate_transformation_mode = "{coordinates}", nearest_mode = "floor">({sizes})
    }}""")
    program = tilewright.compile(import_model(model), threads=1)
    for image, other in (((2, 4, 6), (3, 9)), ((1, 5, 7), (5, 1)), ((3, 2, 2), (8, 3))):
        x = np.random.default_rng(sum(image)).standard_normal((1, *image)).astype(np.float32)
        z = np.zeros(other, np.float32)
        (expected,) = onnxruntime_results(model, x, z)
        np.testing.assert_allclose(program(x, z), expected, rtol=1e-5, atol=1e-5)


def test_an_image_without_elements_is_an_error_at_the_entry() -> None:
    model = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 18]>
    g (float[n] x, float[m] z) => (float[] y) { s = Shape(z) y = Resize(x, , , s) }""")
    program = tilewright.compile(import_model(model), "interpreter")
    with pytest.raises(TilewrightError, match="TW0730"):
        program(np.zeros(0, np.float32), np.zeros(3, np.float32))
