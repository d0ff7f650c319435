"""Sizes that have to be equal, or not negative, and that no name says so of: checked where a program is entered."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import onnx.parser
import pytest
import tilewright
from tilewright.diagnostics import TilewrightError
from tilewright.dialects.graph import MatchShapeOp
from tilewright.driver.versions import VersionedCode
from tilewright.frontends.onnx import import_model

from .models import onnxruntime_results


@pytest.fixture(autouse=True)
def object_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))


def parsed(head: str, body: str) -> onnx.ModelProto:
    return onnx.parser.parse_model(f'<ir_version: 10, opset_import: ["" : 21]> g {head} {{ {body} }}')


def drawn(*shapes: Sequence[int]) -> list[np.ndarray]:
    rng = np.random.default_rng(7)
    return [rng.standard_normal(shape).astype(np.float32) for shape in shapes]


def agrees(program: tilewright.Module, model: onnx.ModelProto, *shapes: Sequence[int]) -> None:
    arrays = drawn(*shapes)
    (expected,) = onnxruntime_results(model, *arrays)
    found = program(*arrays)
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


def versions(program: tilewright.Module) -> int:
    return len(program.code.versions.compiled) if isinstance(program.code, VersionedCode) else 1


PRODUCT = parsed("(float[n, k] x, float[j, m] w) => (float[] y)", "y = MatMul(x, w)")
SUM = parsed("(float[n, k] x, float[a, b] z) => (float[] y)", "e = Exp(x) y = Add(e, z)")
TABLE = parsed(
    "(float[batch, length, 2] x) => (float[] y)",
    """zero = Constant<value_ints = [0]>() one = Constant<value_ints = [1]>()
    length = Shape<start = 1, end = 2>(x)
    table = Constant<value = float[1, 5, 2] {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0}>()
    rows = Slice(table, zero, length, one) y = Add(x, rows)""",
)


@pytest.mark.parametrize("target", ["cpu", "c"])
def test_sizes_of_a_product_are_checked_by_name(target: str) -> None:
    program = tilewright.compile(PRODUCT, target=target, threads=1)
    for shapes in (((2, 3), (3, 4)), ((5, 1), (1, 1)), ((1, 8), (8, 3))):
        agrees(program, PRODUCT, *shapes)
    with pytest.raises(TilewrightError, match="expected sizes j and k to be equal, but got 4 and 3") as caught:
        program(*drawn((2, 3), (4, 4)))
    assert caught.value.code == "TW0730"
    assert versions(program) == 1


def test_the_interpreter_checks_them_at_every_level() -> None:
    module = import_model(PRODUCT)
    (match,) = (op for op in module.walk() if isinstance(op, MatchShapeOp))
    assert str(match.y.type) == "tensor<?x?xf32, #graph.dims<k, m>>"
    program = tilewright.compile(module, target="interpreter")
    with pytest.raises(TilewrightError, match=r"expected shapes that are equal, but got \[4, 4\] and \[3, 4\]"):
        program(*drawn((2, 3), (4, 4)))


def test_a_size_of_1_that_stretches_has_a_version() -> None:
    program = tilewright.compile(SUM, threads=1)
    for shapes in (((2, 3), (2, 3)), ((5, 4), (5, 4)), ((1, 1), (1, 1))):
        agrees(program, SUM, *shapes)
    assert versions(program) == 1
    agrees(program, SUM, (2, 3), (1, 3))
    agrees(program, SUM, (1, 1), (4, 3))
    assert versions(program) == 3
    with pytest.raises(TilewrightError, match="expected sizes a and n to be equal, but got 3 and 2"):
        program(*drawn((2, 3), (3, 3)))
    assert versions(program) == 3


BROADCASTS = {
    "Expand": ("(float[n, k] x) => (float[] y)", "s = Constant<value_ints = [6, 4]>() y = Expand(x, s)", 1),
    "Expand to a shape": ("(float[n, 4] x, float[m, 4] z) => (float[] y)", "s = Shape(z) y = Expand(x, s)", 2),
    "Add to 6": (
        "(float[n, 4] x) => (float[] y)",
        "w = Constant<value_floats = [1., 2., 3., 4., 5., 6.]>() t = Transpose(x) y = Add(t, w)",
        1,
    ),
    "Mul": ("(float[n, 4] x, float[m, 4] z) => (float[] y)", "y = Mul(x, z)", 2),
    "Where": ("(float[n, 4] x, float[m, 4] z) => (float[] y)", "c = Greater(x, z) y = Where(c, x, z)", 2),
    "Max": ("(float[n, 4] x, float[m, 4] z) => (float[] y)", "y = Max(x, z)", 2),
}
"""Heads and bodies of models of which one, or both, first sizes may be 1."""


@pytest.mark.parametrize("name", BROADCASTS)
def test_sizes_that_meet_others_stretch_where_they_are_1(name: str) -> None:
    head, body, count = BROADCASTS[name]
    model = parsed(head, body)
    program = tilewright.compile(model, threads=1)
    for sizes in ((6, 6), (1, 6), (6, 1), (1, 1)):
        agrees(program, model, *[(size, 4) for size in sizes[:count]])


VALUES = parsed("(float[n, 4] x, int64[2] s) => (float[] y)", "y = Expand(x, s)")


def test_a_size_of_1_that_meets_a_value_has_another_version(tmp_path: Path) -> None:
    calls = ((3, [3, 4]), (1, [3, 4]), (1, [5, 4]), (2, [1, 4]), (5, [5, 4]), (3, [3, 4]), (1, [3, 4]))
    program = tilewright.compile(VALUES, threads=1)

    def check(program: tilewright.Module) -> None:
        for rows, shape in calls:
            (x,), s = drawn((rows, 4)), np.array(shape)
            (expected,) = onnxruntime_results(VALUES, x, s)
            np.testing.assert_array_equal(program(x, s), expected)

    check(program)
    assert versions(program) == 5
    with pytest.raises(TilewrightError, match="expected sizes n and 3 to be equal, but got 2 and 3"):
        program(*drawn((2, 4)), np.array([3, 4]))
    program.save(tmp_path / "expand.so")
    loaded = tilewright.load_module(tmp_path / "expand.so")
    check(loaded)
    check(loaded)
    with pytest.raises(TilewrightError, match="TW0714"):
        loaded(*drawn((1, 4)), np.array([7, 4]))


def test_a_program_of_one_version_is_saved_with_its_checks(tmp_path: Path) -> None:
    program = tilewright.compile(SUM, threads=1)
    agrees(program, SUM, (2, 3), (1, 3))
    program.save(tmp_path / "sum.so")
    loaded = tilewright.load_module(tmp_path / "sum.so")
    agrees(loaded, SUM, (4, 5), (4, 5))
    with pytest.raises(TilewrightError, match="expected sizes a and n to be equal, but got 1 and 2"):
        loaded(*drawn((2, 3), (1, 3)))


def test_a_part_of_a_table_that_the_model_adds_is_as_long_as_what_it_is_added_to() -> None:
    program = tilewright.compile(TABLE, threads=1)
    for shape in ((2, 3, 2), (1, 5, 2), (3, 1, 2)):
        agrees(program, TABLE, shape)
    with pytest.raises(
        TilewrightError, match=r"expected sizes min\(length, 5\) and length to be equal, but got 5 and 6"
    ):
        program(*drawn((1, 6, 2)))
    assert not isinstance(program.code, VersionedCode)


POSITIONS = parsed(
    "(int64[batch, length] ids, float[30, 4] w, float[24, 4] table) => (float[] y)",
    """zero = Constant<value_ints = [0]>() one = Constant<value_ints = [1]>() first = Constant<value_int = 0>()
    last = Constant<value_int = 24>() step = Constant<value_int = 1>() all = Range(first, last, step)
    numbers = Unsqueeze(all, zero) length = Shape<start = 1, end = 2>(ids) shape = Shape(ids)
    part = Slice(numbers, zero, length, one) positions = Expand(part, shape)
    e = Gather(w, ids) p = Gather(table, positions) y = Add(e, p)""",
)
"""Embeddings as transformers write them: numbers of positions are cut to the length and stretched to the batch."""


def embedded(rng: np.random.Generator, batch: int, length: int) -> list[np.ndarray]:
    return [rng.integers(0, 30, (batch, length)), *drawn((30, 4), (24, 4))]


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("cpu", "expected sizes min(length, 24) and length to be equal, but got 24 and 25"),
        ("interpreter", "expected shapes that are equal, but got [1, 24] and [1, 25]"),
    ],
)
def test_positions_that_are_stretched_to_a_batch_need_one_compilation(target: str, message: str) -> None:
    program, rng = tilewright.compile(POSITIONS, target, threads=1), np.random.default_rng(1)
    for length in range(2, 22):
        arrays = embedded(rng, 1 + length % 3, length)
        (expected,) = onnxruntime_results(POSITIONS, *arrays)
        np.testing.assert_array_equal(program(*arrays), expected)
    assert versions(program) == 1
    with pytest.raises(TilewrightError) as caught:
        program(*embedded(rng, 2, 25))
    assert caught.value.code == "TW0730" and caught.value.message == message
    assert not isinstance(program.code, VersionedCode)


def test_an_index_beyond_a_table_is_refused_with_the_sizes_of_the_call() -> None:
    model = parsed(
        "(float[batch, length] x, float[4, 2] table) => (float[] y)",
        """axis = Constant<value_int = 1>() sizes = Shape(x) ones = ConstantOfShape<value = int64[1] {1}>(sizes)
        places = CumSum(ones, axis) y = Gather(table, places)""",
    )
    program = tilewright.compile(model, threads=1)
    arrays = drawn((2, 3), (4, 2))
    np.testing.assert_array_equal(program(*arrays), onnxruntime_results(model, *arrays)[0])
    with pytest.raises(TilewrightError, match="expected an index within") as caught:
        program(*drawn((2, 4), (4, 2)))
    assert list(caught.value.notes) == ["the call has batch = 2, length = 4"]


def test_a_shape_of_other_sizes_has_a_version_where_they_differ() -> None:
    model = parsed(
        "(float[a, b] x, float[n, m] z) => (float[] y)",
        """one = Constant<value_ints = [-1]>() n = Shape<start = 0, end = 1>(z)
        s = Concat<axis = 0>(n, one) y = Reshape(x, s)""",
    )
    program = tilewright.compile(model, threads=1)
    for shapes in (((2, 3), (2, 1)), ((4, 1), (4, 2)), ((3, 3), (3, 3))):
        agrees(program, model, *shapes)
    assert versions(program) == 1
    agrees(program, model, (4, 3), (6, 1))
    assert versions(program) == 2


@pytest.mark.parametrize("rows", [2, 1])
def test_a_computed_size_below_0_is_an_error_at_the_entry(rows: int) -> None:
    model = parsed(
        "(float[n, m] x) => (float[] y)",
        """three = Constant<value_ints = [3]>() rows = Shape<start = 0, end = 1>(x) s = Sub(rows, three)
        z = ConstantOfShape<value = float[1] {1.5}>(s) y = ReduceSum<keepdims = 1>(z)""",
    )
    program = tilewright.compile(model, threads=1)
    for shape in ((3, 1), (4, 2), (9, 1)):
        agrees(program, model, shape)
    with pytest.raises(TilewrightError, match=f"expected size n - 3 to be at least 0, but got {rows - 3}"):
        program(*drawn((rows, 2)))


def test_text_of_a_module_keeps_what_is_matched_and_assumed() -> None:
    text = str(import_model(SUM))
    assert 'graph.match_shape %z, %x shape ["#1.0", "#0.1"]' in text
    assert 'tw.assumes = [["a", "n", "stretched"], ["b", "k", "stretched"]]' in text
    program = tilewright.compile(text.encode(), threads=1)
    agrees(program, SUM, (2, 3), (2, 3))
