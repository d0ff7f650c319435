"""The rules for reductions, against numpy: sizes around the numbers of threads, types, symbolic sizes, parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from tilewright import te
from tilewright.dialects.target import CudaTargetAttr
from tilewright.dialects.target_facts import CUDA_FACTS, FactAttr
from tilewright.schedule.rules.cuda.grid_threads import equal_parts
from tilewright.schedule.rules.cuda.row_reduction import model

from .gpu import build, draw, messages_of, source

GPU = CudaTargetAttr.get()


def reduction(
    shape: Sequence[int],
    axes: Sequence[int],
    dtype: str = "float32",
    combine: Callable[..., Any] = te.sum,
    symbolic: Sequence[int] = (),
    epilogue: bool = False,
) -> Any:
    """Return a reduction of axes of an array, and half of it plus one where an epilogue is asked for."""
    extents = [te.var(f"n{d}") if d in symbolic else n for d, n in enumerate(shape)]
    a = te.placeholder(extents, dtype, name="A")
    reduced = {d: te.reduce_axis((0, extents[d]), name=f"k{d}") for d in axes}
    kept = [extents[d] for d in range(len(shape)) if d not in reduced]

    def body(*index: Any) -> Any:
        position = iter(index)
        return combine(
            a[tuple(reduced[d] if d in reduced else next(position) for d in range(len(shape)))],
            axis=list(reduced.values()),
        )

    b = te.compute(kept, body, name="B")
    if epilogue:
        return build([a], te.compute(kept, lambda *index: b(*index) * 0.5 + 1, name="C"))
    return build([a], b)


def check(shape: Sequence[int], axes: Sequence[int], dtype: str = "float32", **options: Any) -> Any:
    program = reduction(shape, axes, dtype, **options)
    x = draw(shape, dtype)
    wide = x.astype(np.float64) if x.dtype.kind == "f" else x
    expected = np.sum(wide, axis=tuple(axes), dtype=wide.dtype)
    if options.get("epilogue"):
        expected = expected * 0.5 + 1
    tolerance = {"float16": 2e-2, "float64": 1e-12}.get(dtype, 1e-5)
    np.testing.assert_allclose(program(x), expected, rtol=tolerance, atol=tolerance * np.sqrt(x.size))
    return program


@pytest.mark.parametrize(
    ("shape", "epilogue"),
    [
        *((shape, True) for shape in ((1, 32), (3, 31), (13, 33), (9, 127), (2, 1021), (1, 1), (5, 2050))),
        *((shape, False) for shape in ((3, 31), (2, 1021))),
    ],
)
def test_rows(shape: tuple[int, int], epilogue: bool) -> None:
    check(shape, [1], epilogue=epilogue)


@pytest.mark.parametrize("shape", [(32, 1), (31, 3), (33, 40), (7, 257), (100, 64)])
def test_columns(shape: tuple[int, int]) -> None:
    check(shape, [0], epilogue=True)


@pytest.mark.parametrize("axes", [[0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2]])
def test_axes(axes: list[int]) -> None:
    check((5, 7, 40), axes)


@pytest.mark.parametrize("dtype", ["float64", "float16", "int32", "int8"])
@pytest.mark.parametrize("axis", [0, 1])
def test_types(dtype: str, axis: int) -> None:
    check((12, 70) if axis else (70, 12), [axis], dtype)


@pytest.mark.parametrize(
    ("shape", "axes", "symbolic"),
    [
        ((13, 100), [1], [0]),
        ((13, 100), [1], [1]),
        ((13, 100), [1], [0, 1]),
        ((3, 5, 50), [2], [0, 1, 2]),
        ((3, 5, 50), [1, 2], [1, 2]),
        ((3, 5, 50), [1], [0, 1, 2]),
        ((2, 3, 4, 5, 6), [4], [0, 1, 2, 3]),
        ((2, 3, 4, 5, 6), [3], [0, 1, 2, 4]),
        ((40,), [0], [0]),
    ],
)
def test_symbolic_sizes(shape: tuple[int, ...], axes: list[int], symbolic: list[int]) -> None:
    check(shape, axes, symbolic=symbolic, epilogue=True)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("shape", "axes", "parts", "epilogue"),
    [
        ((512, 1024), [0, 1], 128, True),
        ((1, 300000), [1], 60, True),
        ((3000, 100), [0], 40, True),
        ((3000, 100), [0], 40, False),
    ],
)
def test_long_reductions_are_cut(shape: tuple[int, int], axes: list[int], parts: int, epilogue: bool) -> None:
    program = check(shape, axes, epilogue=epilogue)
    assert f"in {parts} parts" in messages_of(program)[0]
    assert source(program).count("def main_kernel") == 2


@pytest.mark.parametrize(("rows", "columns"), [(3, 100), (2, 33), (300, 5)])
def test_positions_of_maxima(rows: int, columns: int) -> None:
    """Two results of one reduction, with threads along the row and without."""

    def combine(x: Any, y: Any) -> Any:
        is_first = te.any(x[1] > y[1], te.all(x[1] == y[1], x[0] < y[0]))
        return te.if_then_else(is_first, x[0], y[0]), te.if_then_else(is_first, x[1], y[1])

    reducer = te.comm_reducer(combine, lambda t0, t1: (te.const(-1, t0), te.min_value(t1)), name="argmax")
    a = te.placeholder((rows, columns), name="A")
    k = te.reduce_axis((0, columns), name="k")
    position, _ = te.compute((rows,), lambda i: reducer((k, a[i, k]), axis=k), name="B")
    program = build([a], position.op.output(0), position.op.output(1))
    x = draw((rows, columns))
    x[0, 5 % columns] = x[0, 3 % columns] = 100
    np.testing.assert_array_equal(program(x)[0], x.argmax(1))


def test_model() -> None:
    wanted = GPU.processors * GPU.resident_threads
    few = CudaTargetAttr.get(facts=[FactAttr.get(CUDA_FACTS["processors"], [2], "stated")])
    assert model(1000, 8192, True, GPU) != model(1000, 8192, True, few), "fewer multiprocessors are full sooner"
    assert model(1000, 31, True, GPU) is None, "shorter than a warp"
    few, many, one = model(100, 8192, True, GPU), model(100000, 8192, True, GPU), model(1, 1 << 24, True, GPU)
    assert few is not None and many is not None and one is not None
    assert (few.threads, few.parts) == (1024, 2)
    assert (many.threads, many.parts) == (256, 1)
    assert one.parts * one.threads <= wanted < 4 * one.parts * one.threads
    short = model(100000, 64, True, GPU)
    assert short is not None
    assert (short.threads, short.together) == (32, 8)
    small = model(1, 1 << 20, True, CudaTargetAttr.get(max_threads=64))
    assert small is not None
    assert small.threads == 64


@pytest.mark.parametrize(("terms", "wanted", "parts"), [(12, 5, 4), (7, 3, 1), (8, 100, 8), (10, 0, 1)])
def test_parts_are_equal(terms: int, wanted: int, parts: int) -> None:
    assert equal_parts(terms, wanted) == parts
