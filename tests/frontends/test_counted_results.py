"""ONNX operators whose results have as many elements as data says, beside onnxruntime: the counts are sizes of what
follows, and results are views of the room for all that there may be."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import onnx.parser
import pytest
import tilewright
from tilewright import TilewrightError
from tilewright.frontends.onnx import import_model

from .models import onnxruntime_results

RNG = np.random.default_rng(7)


def parsed(text: str) -> onnx.ModelProto:
    return onnx.parser.parse_model(f'<ir_version: 10, opset_import: ["" : 21]>\n{text}')


def some(*shape: int, part: float = 0.5) -> np.ndarray:
    """Return elements of which a part is not 0."""
    return np.where(RNG.random(shape) < part, RNG.standard_normal(shape), 0).astype(np.float32)


def boxes(batch: int, count: int) -> list[np.ndarray]:
    return [RNG.random((batch, count, 4), np.float32), RNG.random((batch, 2, count), np.float32)]


NMS = """g (float[b, n, 4] x, float[b, 2, n] s) => (int64[] y) <int64 k = {3}, float a = {0.5}, float f = {0.2}>
{ y = NonMaxSuppression(x, s, k, a, f) }"""
ABOVE = """g (float[n, 4] x, float[n] s) => (float[] kept, float[] sums) <float least = {0.3}, int64[1] one = {1}> {
  good = Greater(s, least)
  kept = Compress<axis = 0>(x, good)
  grown = Exp(kept)
  both = Concat<axis = 0>(grown, x)
  turned = Transpose<perm = [1, 0]>(both)
  sums = ReduceSum<keepdims = 0>(turned, one)
}"""

CALLS: dict[str, tuple[str, list[list[np.ndarray]]]] = {
    "places in a matrix": (
        "g (float[3, 4] x) => (int64[] y) { y = NonZero(x) }",
        [[some(3, 4)], [some(3, 4, part=0)], [some(3, 4, part=1)]],
    ),
    "places of any number of rows, and the elements there": (
        "g (float[n, 4] x) => (float[] y, int64[] z) { z = NonZero(x) t = Transpose(z) y = GatherND(x, t) }",
        [[some(3, 4)], [some(5, 4, part=0)], [some(1, 4, part=1)]],
    ),
    "places that are true": (
        "g (bool[n] x) => (int64[] y) <int64[1] first = {0}> { z = NonZero(x) y = Squeeze(z, first) }",
        [[some(9) > 0], [some(3, part=1) != 0]],
    ),
    "rows that a condition keeps": (ABOVE, [[some(3, 4), RNG.random(3, np.float32)], [some(8, 4), some(8, part=0)]]),
    "elements that a condition keeps": (
        "g (float[n, 4] x, bool[m] c) => (float[] y) { y = Compress(x, c) }",
        [[some(3, 4), np.array([1, 0, 1, 1, 1], bool)], [some(1, 4), np.array([0, 0], bool)]],
    ),
    "distinct elements": (
        "g (float[n] x) => (float[] y, int64[] i, int64[] j, int64[] k) { y, i, j, k = Unique(x) }",
        [[np.array([3, 1, 2, 1, 3, 3], np.float32)], [np.ones(2, np.float32)]],
    ),
    "distinct elements as they appear": (
        "g (int64[2, n] x) => (int64[] y, int64[] i, int64[] j, int64[] k) { y, i, j, k = Unique<sorted = 0>(x) }",
        [[np.array([[3, 1, 2], [1, 3, 3]])], [np.ones((2, 1), np.int64)]],
    ),
    "boxes": (NMS, [boxes(1, 6), boxes(2, 9), boxes(1, 2)]),
    "boxes by their centers": (
        NMS.replace("Suppression(", "Suppression<center_point_box = 1>("),
        [boxes(1, 6), boxes(2, 9)],
    ),
    "a count as data": (
        """g (float[n] x) => (float[] y) { z = NonZero(x) s = Size(z) c = Cast<to = 1>(s) m = ReduceSum<keepdims = 0>(x)
           y = Div(m, c) }""",
        [[some(9, part=0.9)], [some(4, part=1)]],
    ),
    "no element, however many a condition keeps": (
        "g (float[0, 5] x, bool[5] c) => (float[] y) { y = Compress<axis = 1>(x, c) }",
        [[some(0, 5), np.array([1, 0, 1, 1, 0], bool)], [some(0, 5), np.zeros(5, bool)]],
    ),
    "two counts joined": (
        """g (float[n] x, float[m] w) => (int64[] y, float[] z) {
          a = NonZero(x) b = NonZero(w) y = Concat<axis = 1>(a, b) u = Cast<to = 1>(y) z = Relu(u) }""",
        [[some(9), some(4)], [some(4), some(1, part=0)]],
    ),
}


def compare(program: tilewright.runtime.Module, model: onnx.ModelProto, calls: Sequence[Sequence[np.ndarray]]) -> None:
    for arrays in calls:
        results = program(*arrays)
        found = results if isinstance(results, tuple) else (results,)
        for actual, expected in zip(found, onnxruntime_results(model, *arrays), strict=True):
            assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape)
            np.testing.assert_allclose(actual, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("target", ["cpu", "interpreter", "c"])
@pytest.mark.each("name", CALLS, shards=4)
def test_results_are_as_long_as_the_data_says(name: str, target: str) -> None:
    text, calls = CALLS[name]
    model = parsed(text)
    compare(tilewright.compile(model, target), model, calls)


def test_results_are_views_of_room_for_all() -> None:
    program = tilewright.compile(parsed(CALLS["places in a matrix"][0]))
    assert str(program.signature) == "(x: float32[3, 4]) -> (y: int64 of rank 2, at most 24 elements)"
    result = program(np.array([[1, 0, 0, 2], [0] * 4, [0] * 4], np.float32))
    assert result.tolist() == [[0, 0], [0, 3]] and result.flags.c_contiguous
    assert result.base is not None and result.base.size >= 24
    named = program.run({"x": np.ones((3, 4), np.float32)})
    assert list(named) == ["y"] and named["y"].shape == (2, 12)


def test_arrays_for_such_results_are_refused() -> None:
    program = tilewright.compile(parsed(CALLS["places in a matrix"][0]))
    x, out = np.ones((3, 4), np.float32), np.empty((2, 12), np.int64)
    for call in (lambda: program(x, out), lambda: program.run({"x": x}, out={"y": out})):
        with pytest.raises(TilewrightError, match="TW0715.*the program finds the shape of 'y'"):
            call()


def test_saved_programs_return_views(tmp_path: Path) -> None:
    text, calls = CALLS["rows that a condition keeps"]
    model = parsed(text)
    tilewright.compile(model).save(tmp_path / "kept.so")
    compare(tilewright.load_module(tmp_path / "kept.so"), model, calls)


def test_a_count_names_a_size_of_what_follows() -> None:
    text = str(import_model(parsed(ABOVE)))
    assert "graph.prefix" in text
    assert '#graph.dims<"kept + n", _>' in text
    assert 'tw.name = "kept.shape", tw.shape_of = "kept"' in text


def test_counts_in_branches_are_refused() -> None:
    model = parsed("""g (bool c, float[4] x) => (int64[] y) {
      y = If(c) <then_branch = t () => (int64[a, b] p) { p = NonZero(x) },
                 else_branch = e () => (int64[a2, b2] q) { q = NonZero(x) }>
    }""")
    with pytest.raises(TilewrightError, match="TW0302.*results whose size is data are not supported in branches"):
        import_model(model)
