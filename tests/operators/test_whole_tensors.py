"""Algorithms on whole tensors, compiled, beside the references of their operators: ties, NaN, zeros of both signs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tilewright
from tilewright import te
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.operators import OPERATORS
from tilewright.operators.einsum import einsum_te

TARGETS = ("cpu", "c", "interpreter")
ELEMENTS = {"float32": "f32", "float64": "f64", "float16": "f16", "int8": "i8", "uint8": "ui8", "int64": "i64"}


def compiled(text: str, target: str = "cpu") -> Any:
    return tilewright.compile(parse(context(), text, "program.mlir"), target=target)


def drawn(shape: tuple[int, ...], dtype: str, kinds: int = 12) -> np.ndarray:
    """Return numbers of which many are equal; of floats some are NaN, infinite, or zeros of both signs."""
    rng = np.random.default_rng(sum(shape))
    low = 0 if dtype.startswith("u") else -kinds
    values: Any = rng.integers(low, kinds, shape).astype(dtype)
    if values.dtype.kind == "f":
        special = np.array([np.nan, np.inf, -np.inf, -0.0, 0.0], dtype)
        values = np.where(rng.random(shape) < 0.2, rng.choice(special, shape), values)
    return values


def reference(operator: str, *arrays: np.ndarray, **properties: Any) -> tuple[np.ndarray, ...]:
    return OPERATORS[operator].compute(*arrays, **properties)


def same(found: np.ndarray, wanted: np.ndarray) -> bool:
    is_equal = np.array_equal(found, wanted, equal_nan=wanted.dtype.kind == "f")
    return is_equal and (wanted.dtype.kind != "f" or np.array_equal(np.signbit(found), np.signbit(wanted)))


def topk(shape: tuple[int, ...], axis: int, k: int, dtype: str, smallest: bool) -> str:
    kept = [k if d == axis % len(shape) else size for d, size in enumerate(shape)]
    whole, part = ("x".join(map(str, each)) for each in (shape, kept))
    element, word = ELEMENTS[dtype], " smallest" if smallest else ""
    return f"""
    func.func @main(%x: tensor<{whole}x{element}>) -> (tensor<{part}x{element}>, tensor<{part}xi64>) {{
      %v, %p = graph.topk %x k {k} axis {axis}{word} : tensor<{part}x{element}>, tensor<{part}xi64>
      func.return %v, %p : tensor<{part}x{element}>, tensor<{part}xi64>
    }}"""


@pytest.mark.parametrize("smallest", [False, True])
@pytest.mark.each(
    ("target", "shape", "axis", "k", "dtype"),
    [
        ("cpu", (3, 200), -1, 7, "float32"),
        ("cpu", (2, 64, 3), 1, 8, "float64"),
        ("cpu", (500,), 0, 1, "float16"),
        ("cpu", (2, 300), 1, 30, "int8"),
        ("cpu", (2, 300), 1, 30, "uint8"),
        ("cpu", (64, 600), 1, 9, "int64"),
        ("c", (3, 200), -1, 7, "float32"),
        ("interpreter", (2, 40), -1, 5, "float64"),
    ],
)
def test_the_first_of_many(smallest: bool, target: str, shape: tuple[int, ...], axis: int, k: int, dtype: str) -> None:
    x = drawn(shape, dtype)
    found = compiled(topk(shape, axis, k, dtype, smallest), target)(x)
    for each, wanted in zip(found, reference("topk", x, k=k, axis=axis, smallest=smallest), strict=True):
        assert same(each, wanted)


@pytest.mark.parametrize("by_appearance", [False, True])
@pytest.mark.each(
    ("target", "size", "dtype", "kinds"),
    [
        ("cpu", 700, "float32", 12),
        ("cpu", 700, "int64", 1 << 40),
        ("cpu", 1, "float32", 12),
        ("cpu", 300, "uint8", 4),
        ("c", 300, "float64", 100),
        ("interpreter", 60, "float16", 12),
    ],
)
def test_distinct_elements(by_appearance: bool, target: str, size: int, dtype: str, kinds: int) -> None:
    element, word = ELEMENTS[dtype], " by_appearance" if by_appearance else ""
    numbers = f"tensor<{size}xi64>"
    types = f"tensor<{size}x{element}>, {numbers}, {numbers}, {numbers}, tensor<1xi64>"
    text = f"""
    func.func @main(%x: tensor<{size}x{element}>) -> ({types}) {{
      %v, %i, %n, %c, %k = graph.unique %x{word} : {types}
      func.return %v, %i, %n, %c, %k : {types}
    }}"""
    x = drawn((size,), dtype, kinds)
    if dtype.startswith("float"):
        x[x == 0] = 0.0  # of zeros of both signs numpy gives either one
    found = compiled(text, target)(x)
    for each, wanted in zip(found, reference("unique", x, by_appearance=by_appearance), strict=True):
        assert same(each, wanted)


def _boxes(batch: int, count: int, classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Return boxes of which many overlap, corners in any order; scores of which many are equal, and some are NaN."""
    rng = np.random.default_rng(count)
    boxes = np.round(rng.random((batch, count, 4)) * 12).astype(np.float32)
    scores = np.round(rng.random((batch, classes, count)) * 20).astype(np.float32) / np.float32(20)
    scores[rng.random(scores.shape) < 0.02] = np.nan
    return boxes, scores


@pytest.mark.each(
    ("target", "batch", "count", "classes", "most", "overlap", "least", "center"),
    [
        ("cpu", 2, 90, 3, 10, 0.3, 0.2, False),
        ("cpu", 1, 300, 2, -1, 0.5, float("-inf"), False),
        ("cpu", 1, 50, 1, 1000, 0.0, 0.9, True),
        ("cpu", 1, 50, 2, 5, 0.4, 2.0, False),
        ("cpu", 1, 40, 1, -1, -0.5, 0.3, False),
        ("c", 1, 60, 2, 7, 0.3, 0.5, True),
        ("interpreter", 1, 20, 2, 4, 0.3, 0.1, False),
    ],
)
def test_boxes_that_stay(
    target: str, batch: int, count: int, classes: int, most: int, overlap: float, least: float, center: bool
) -> None:
    rows = batch * classes * (count if most < 0 else min(most, count))
    options = f"max_output_boxes_per_class {most} iou_threshold {overlap}"
    options += f" score_threshold {least}" if least > float("-inf") else ""
    options += " center_point_box" if center else ""
    types = f"tensor<{rows}x3xi64>, tensor<1xi64>"
    text = f"""
    func.func @main(%b: tensor<{batch}x{count}x4xf32>, %s: tensor<{batch}x{classes}x{count}xf32>) -> ({types}) {{
      %r, %k = graph.non_max_suppression %b, %s {options} : {types}
      func.return %r, %k : {types}
    }}"""
    boxes, scores = _boxes(batch, count, classes)
    found = compiled(text, target)(boxes, scores)
    with np.errstate(all="ignore"):
        wanted = reference(
            "non_max_suppression",
            boxes,
            scores,
            max_output_boxes_per_class=most,
            iou_threshold=overlap,
            score_threshold=least,
            center_point_box=center,
        )
    assert np.array_equal(found[1], wanted[1])
    assert np.array_equal(found[0], wanted[0])


@pytest.mark.each(
    ("target", "count", "most", "kind", "force"),
    [
        ("cpu", 200, -1, 0, False),
        ("cpu", 200, -1, -1, False),
        ("cpu", 150, 30, 0, True),
        ("cpu", 150, 30, 0, False),
        ("c", 60, -1, 0, False),
        ("interpreter", 25, 9, 0, False),
    ],
)
def test_rows_of_boxes_that_stay(target: str, count: int, most: int, kind: int, force: bool) -> None:
    """Rows of a class (some negative), a score (some NaN, some not positive) and corners, of which some are valid."""
    boxes, scores = _boxes(2, count, 1)
    kinds = np.random.default_rng(0).integers(-1, 3, (2, count, 1)).astype(np.float32)
    x = np.concatenate([kinds, scores[:, 0, :, None] - np.float32(0.2), boxes], 2)
    valid, numbers = np.array([count - 3, count + 5], np.int32), np.arange(2 * count, dtype=np.int32).reshape(2, count)
    options = {"iou_threshold": 0.3, "max_output_size": most, "id_index": kind}
    stated = " ".join(f"{name} {value}" for name, value in options.items()) + (" force_suppress" if force else "")
    types = f"tensor<2x{count}x6xf32>, tensor<2x{count}xi32>, tensor<2x1xi32>"
    text = f"""
    func.func @main(%x: tensor<2x{count}x6xf32>, %v: tensor<2xi32>, %n: tensor<2x{count}xi32>) -> ({types}) {{
      %r, %c, %k = graph.suppress_boxes %x, %v, %n {stated} : {types}
      func.return %r, %c, %k : {types}
    }}"""
    found = compiled(text, target)(x, valid, numbers)
    with np.errstate(all="ignore"):
        usual = {"top_k": -1, "coord_start": 2, "score_index": 1, "return_indices": False, "invalid_to_bottom": False}
        wanted = reference("suppress_boxes", x, valid, numbers, **options, **usual, force_suppress=force)
    for each, expected in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(each, expected)


@pytest.mark.each(
    ("equation", "shapes", "parts"),
    [
        ("ij,jk,kl->il", [(30, 40), (40, 20), (20, 50)], 1),
        ("bhid,bhjd,bj->bhi", [(2, 3, 9, 16), (2, 3, 7, 16), (2, 7)], 1),
        ("...ij,jk,...k,kl->...il", [(2, 5, 30), (30, 40), (1, 40), (40, 12)], 2),
        ("ii,ij,j->j", [(9, 9), (9, 200), (200,)], 1),
        ("i,i,i->i", [(100,)] * 3, 0),
        ("i,j,k->ijk", [(5,), (6,), (7,)], 1),
    ],
)
def test_products_of_many(equation: str, shapes: list[tuple[int, ...]], parts: int) -> None:
    rng = np.random.default_rng(0)
    arrays = [rng.standard_normal(shape).astype(np.float32) for shape in shapes]
    wanted = np.einsum(equation, *[array.astype(np.float64) for array in arrays])
    tensors = [te.placeholder(shape, name=f"x{n}") for n, shape in enumerate(shapes)]
    result = einsum_te(*tensors, sums="float32", equation=equation)
    waiting, found_parts = [result], 0
    while waiting:
        tensor = waiting.pop()
        found_parts += tensor.name.startswith("einsum_part")
        waiting += tensor.op.input_tensors
    assert found_parts == parts
    found = tilewright.build([*tensors, result], [*tensors, result], target="cpu")(*arrays)
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-4)


@pytest.mark.each(
    ("target", "shape", "dtype", "window"),
    [
        ("cpu", (2, 3, 20, 33), "float32", {"kernel": [3, 3], "strides": [1, 1], "padding": [1, 1, 1, 1]}),
        ("cpu", (1, 3, 21, 40), "float32", {"kernel": [5, 5], "strides": [1, 2], "padding": [2, 0, 1, 2]}),
        ("cpu", (1, 2, 25, 25), "int8", {"kernel": [5, 4], "strides": [1, 1], "dilations": [2, 3]}),
        (
            "cpu",
            (1, 2, 23, 31),
            "float16",
            {"kernel": [7, 7], "strides": [3, 2], "padding": [3] * 4, "ceil_mode": True},
        ),
        ("cpu", (1, 2, 9, 10, 11), "float32", {"kernel": [3, 3, 3], "strides": [1, 1, 1], "padding": [1] * 6}),
        ("cpu", (1, 2, 30, 45), "float32", {"kernel": [2, 2], "strides": [2, 2]}),
        ("c", (1, 2, 12, 13), "float32", {"kernel": [5, 5], "strides": [1, 1], "padding": [2] * 4}),
        ("interpreter", (1, 1, 8, 9), "float32", {"kernel": [5, 5], "strides": [1, 1], "padding": [2] * 4}),
    ],
)
def test_windows_that_overlap(target: str, shape: tuple[int, ...], dtype: str, window: dict[str, Any]) -> None:
    rank = len(window["kernel"])
    given = {"padding": [0] * 2 * rank, "dilations": [1] * rank, "ceil_mode": False, **window}
    x = drawn(shape, dtype)
    name = f"max_pool{rank}d"
    (wanted,) = reference(name, x, **given)
    lists = " ".join(f"{key} {given[key]}" for key in ("kernel", "strides", "padding", "dilations"))
    word = " ceil_mode" if given["ceil_mode"] else ""
    whole, out = (f"tensor<{'x'.join(map(str, each))}x{ELEMENTS[dtype]}>" for each in (shape, wanted.shape))
    text = f"""
    func.func @main(%x: {whole}) -> {out} {{
      %y = graph.{name} %x {lists}{word} : {out}
      func.return %y : {out}
    }}"""
    assert np.array_equal(compiled(text, target)(x), wanted, equal_nan=dtype != "int8")


@pytest.mark.each(
    ("dtype", "size"),
    [(dtype, size) for dtype in ("float32", "float64", "int8", "float16") for size in (3, 16, 31, 75)],
)
@pytest.mark.parametrize("first", [0, 1])
def test_every_second_element_of_rows_that_end_within_a_vector(dtype: str, size: int, first: int) -> None:
    x = te.placeholder((4, 2 * size), dtype, name="x")
    y = te.compute((4, size), lambda i, j: x[i, 2 * j + first], name="y")
    s = te.create_schedule(y.op)
    _, inner = s[y].split(y.op.axis[1], 16)
    s[y].vectorize(inner)
    array = drawn((4, 2 * size), dtype)
    assert np.array_equal(
        tilewright.build(s, [x, y], target="cpu")(array), array[:, first::2], equal_nan=dtype[0] == "f"
    )
