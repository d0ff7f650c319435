"""
Operators that combine many elements do so in the accumulator of their record: float16 and bfloat16 in float32.

Results lie within one unit in the last place of the exact ones, and no tensor expression of any operator sums or
multiplies narrow floats in their own type. Operands are positive and far enough from zero for no sum to cancel.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import tilewright
from operator_case import Case, build
from operator_cases import CASES
from tilewright import te
from tilewright.dialects import context
from tilewright.dialects import te as te_ir
from tilewright.operators import OPERATORS, get_operator
from tilewright.operators.record import WIDE, FusionKind, Operator
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from xdsl.dialects.builtin import BFloat16Type, Float16Type

from .test_topi_records import CASES as TOPI_CASES

NARROW = {"float16": np.dtype(np.float16), "bfloat16": np.dtype(ml_dtypes.bfloat16)}
ACCUMULATING = sorted(name for name in OPERATORS if get_operator(name).accumulator is not None)
WINDOW: dict[str, Any] = {"strides": (1, 1), "padding": (1, 1, 1, 1), "dilations": (1, 1)}
POOLED: dict[str, Any] = WINDOW | {"kernel": (24, 24), "padding": (0, 0, 0, 0), "ceil_mode": False}
NORMALIZED: dict[str, Any] = {"epsilon": 1e-3}


@dataclass(frozen=True)
class Long:
    """An operator on operands with many elements to combine, drawn from [low, high)."""

    shapes: tuple[tuple[int, ...], ...]
    values: dict[str, Any] = field(default_factory=dict)
    low: float = 0.5
    high: float = 1.0
    given: dict[int, np.ndarray] = field(default_factory=dict)
    """Operands that have another type, by their position."""


def _convolution(rank: int, last: bool) -> Long:
    image, kernel = (6,) * rank, (3,) * rank
    window = {"strides": (1,) * rank, "padding": (1,) * 2 * rank, "dilations": (1,) * rank, "groups": 1}
    if last:
        return Long(((1, *image, 96), (*kernel, 96, 4), (4,)), window)
    return Long(((1, 96, *image), (4, 96, *kernel), (4,)), window)


def _transposed(rank: int) -> Long:
    values = {"strides": (2,) * rank, "padding": (1,) * 2 * rank, "output_padding": (1,) * rank}
    shapes = ((1, 96, *(4,) * rank), (96, 3, *(3,) * rank))
    return Long(shapes, values | {"dilations": (1,) * rank, "groups": 1})


POOL_GRAD: dict[str, Any] = {"kernel": (5, 5), "strides": (1, 1), "padding": (2, 2, 2, 2), "dilations": (1, 1)}


def _recurrent(gates: int, *further: tuple[int, ...]) -> Long:
    return Long(((5, 2, 64 * gates), (64 * gates, 64), *further), low=0.0, high=0.1)


LONG: dict[str, Long] = {
    "rnn": replace(_recurrent(1, (2, 64)), values={"activations": "tanh"}),
    "gru": replace(_recurrent(3, (64,), (2, 64)), values={"activations": "sigmoid, tanh"}),
    "lstm": replace(_recurrent(4, (192,), (2, 64), (2, 64)), values={"activations": "sigmoid, tanh, tanh"}),
    "col2im": Long(((1, 2 * 33 * 31, 80),), WINDOW | {"image": (40, 40), "kernel": (33, 31), "padding": (0,) * 4}),
    "deform_columns": Long(
        ((1, 2, 6, 6), (), (1, 9, 6, 6)),
        WINDOW | {"kernel": (3, 3), "offset_groups": 1},
        given={1: np.linspace(-1, 1, 18 * 36, dtype=np.float32).reshape(1, 18, 6, 6)},
    ),
    "det": Long(((3, 8, 8),)),
    "grid_sample": Long(
        ((1, 2, 9, 9), ()),
        {"mode": "cubic", "padding": "border", "align_corners": False},
        given={1: np.linspace(-0.9, 0.9, 60, dtype=np.float32).reshape(1, 5, 6, 2)},
    ),
    "resample": Long(
        ((2, 80, 3), (), ()),
        {"axis": 1},
        given={
            1: np.arange(256).reshape(4, 64) % 80,
            2: np.linspace(0.5, 1, 256, dtype=np.float32).reshape(4, 64),
        },
    ),
    **{f"conv{rank}d_transpose": _transposed(rank) for rank in (1, 2, 3)},
    "max_pool2d_grad": Long(((1, 2, 20, 20), (1, 2, 20, 20)), POOL_GRAD | {"ceil_mode": False}),
    "avg_pool2d_grad": Long(
        ((1, 2, 20, 20), (1, 2, 20, 20)), POOL_GRAD | {"ceil_mode": False, "count_include_pad": False}
    ),
    "sparse_dense": Long(
        ((3, 4096), (4096,), (), ()),
        {},
        given={2: np.arange(4096)[::-1].astype("int32"), 3: np.array([0, 4000, 4096])},
    ),
    "roi_align": Long(
        ((1, 2, 40, 40), (2, 4), ()),
        {"output_size": (2, 2), "spatial_scale": 32.0, "sampling_ratio": 16, "mode": "avg", "half_pixel": False},
        given={2: np.array([0, 0])},
    ),
    **{f"conv{rank}d": _convolution(rank, False) for rank in (1, 2, 3)},
    **{f"conv{rank}d_channels_last": _convolution(rank, True) for rank in (1, 2, 3)},
    "depthwise_conv2d": Long(((1, 2, 40, 40), (2, 2, 33, 31)), WINDOW),
    "depthwise_conv2d_channels_last": Long(((1, 40, 40, 2), (33, 31, 2, 2)), WINDOW),
    "blocked_conv2d": Long(((1, 16, 6, 6, 8), (1, 16, 3, 3, 8, 4), (1, 4)), WINDOW | {"groups": 1}),
    "winograd_conv2d": Long(((1, 16, 6, 6, 8), (4, 4, 1, 16, 8, 4), (1, 4)), {"padding": (1, 1, 1, 1)}, 0.9, 1.0),
    "dense": Long(((3, 4096), (5, 4096), (5,))),
    "matmul": Long(((2, 3, 4096), (4096, 5)), {"transpose_a": False, "transpose_b": False}),
    "packed_matmul": Long(((3, 4096), (2, 4096, 8))),
    "tensordot": Long(((3, 64, 64), (64, 64, 5)), {"a_axes": (1, 2), "b_axes": (0, 1)}),
    "einsum": Long(((3, 64, 64), (64, 64, 5)), {"equation": "iab,abj->ij"}),
    "batch_norm": Long(((2, 3, 8, 8), *((3,),) * 4), NORMALIZED),
    "lrn": Long(((2, 600, 2, 2),), {"size": 513, "alpha": 2.0, "beta": 0.75, "bias": 1.0}),
    "softmax": Long(((3, 8192),), {"axis": 1}),
    "log_softmax": Long(((3, 8192),), {"axis": 1}),
    "avg_pool2d": Long(((1, 2, 50, 50),), POOLED | {"kernel": (48, 48), "count_include_pad": False}),
    "avg_pool3d": Long(
        ((1, 2, 14, 14, 14),),
        {"kernel": (13, 13, 13), "strides": (1,) * 3, "padding": (0,) * 6, "dilations": (1,) * 3}
        | {"ceil_mode": False, "count_include_pad": False},
    ),
    "global_avg_pool": Long(((1, 3, 90, 91),)),
    "adaptive_avg_pool": Long(((1, 3, 90, 91),), {"output_size": (2, 3)}),
    "reduce_sum": Long(((8192, 4),), {"axes": (0,), "keepdims": False}),
    "reduce_mean": Long(((100_000,),), {"axes": (0,), "keepdims": True}),
    "reduce_prod": Long(((4, 2048),), {"axes": (1,), "keepdims": False}, 0.99, 1.01),
    "cumsum": Long(((3, 4096),), {"axis": 1}),
    "cumprod": Long(((4, 2048),), {"axis": 1}, 0.99, 1.01),
    "layer_norm": Long(((2, 4096), (4096,), (4096,)), {"axes": (1,)} | NORMALIZED),
    "rms_norm": Long(((2, 4096), (4096,)), {"axes": (1,)} | NORMALIZED),
    "instance_norm": Long(((2, 3, 40, 50), (3,), (3,)), NORMALIZED),
    "group_norm": Long(((2, 4, 40, 50), (4,), (4,)), {"groups": 2} | NORMALIZED),
    **{name: Long(((40, 50),), {}, -2.0, 2.0) for name in ("sigmoid", "silu", "softplus", "hard_swish")},
    **{name: Long(((40, 50),), {"alpha": 0.3}, -2.0, 2.0) for name in ("leaky_relu", "elu")},
    "gelu": Long(((40, 50),), {"approximate": False}, -2.0, 2.0),
    "hard_sigmoid": Long(((40, 50),), {"alpha": 0.3, "beta": 0.6}, -1.5, 2.0),
    "rescale": Long(
        ((1, 2, 7, 9), (11, 5)),
        {"axes": (2, 3), "shape": ("#0.0", "#0.1", "#1.0", "#1.1"), "new": (0, 0), "old": (1, 1), "method": "linear"}
        | {"coordinates": "half_pixel", "rounding": "floor"},
    ),
    "resize": Long(
        ((1, 2, 7, 9),),
        {"axes": (2, 3), "sizes": (11, 5), "method": "linear", "coordinates": "half_pixel", "rounding": "floor"},
    ),
}
SHIFTED = {"layer_norm": 2, "instance_norm": 2, "group_norm": 2, "batch_norm": 2}
"""Normalised values lie on both sides of zero; this operand, made large, moves them away from it."""

DIFFERENT = (
    *["softmax", "log_softmax", "lrn", "avg_pool2d", "avg_pool3d", "sigmoid", "silu", "softplus", "elu", "gelu"],
    *["sparse_dense", "max_pool2d_grad", "avg_pool2d_grad", "rnn", "gru", "lstm", "col2im", "deform_columns"],
)
"""Exponentials and powers have other last digits in the interpreter; a large window does not fit a small image, nor
places in a matrix a smaller one."""


def test_every_accumulating_operator_has_a_long_case() -> None:
    assert sorted(LONG) == ACCUMULATING


@pytest.mark.sampled(3)
@pytest.mark.each("dtype", NARROW, shards=3)
@pytest.mark.parametrize("name", ACCUMULATING)
def test_results_are_within_one_ulp(name: str, dtype: str) -> None:
    case, operator = LONG[name], get_operator(name)
    arrays = _draw(name, case, NARROW[dtype])
    exact = _exact(operator, arrays, case.values)
    results = tilewright.compile(_module(operator, arrays, case.values), "cpu")(*arrays)
    actual = np.asarray(results[0] if isinstance(results, tuple) else results)
    assert (actual.dtype, actual.shape) == (NARROW[dtype], exact.shape)
    assert np.max(_distance_in_ulps(actual, exact)) <= 1
    assert np.max(_distance_in_ulps(operator.compute(*arrays, **case.values)[0], exact)) <= 1


@pytest.mark.sampled(3)
@pytest.mark.each("dtype", NARROW, shards=3)
@pytest.mark.parametrize("name", [name for name in ACCUMULATING if name not in DIFFERENT])
def test_interpreter_and_plain_loops_agree_bit_for_bit(name: str, dtype: str) -> None:
    """Without a schedule nothing is reassociated."""
    operator, case = get_operator(name), LONG[name]
    drawn = _draw(name, case, NARROW[dtype])
    longest = 16 if max(array.ndim for array in drawn) <= 2 else 4  # the interpreter runs element by element
    arrays = [array[(slice(0, longest),) * array.ndim] for array in drawn]
    computes, nests = _module(operator, arrays, case.values), _module(operator, arrays, case.values)
    PassManager(parse_pipeline("lower-te")).run(context(), nests)
    expected = tilewright.compile(computes, "interpreter")(*arrays)
    found = tilewright.compile(nests, "interpreter")(*arrays)
    for one, other in zip(*((r if isinstance(r, tuple) else (r,)) for r in (found, expected)), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("dtype", NARROW)
def test_no_operator_accumulates_in_a_narrow_type(dtype: str) -> None:
    """Whatever its record says: sums and products are looked for in the expressions of every case of every operator."""
    found: set[str] = set()
    floats = [case for case in [*CASES, *TOPI_CASES] if "float32" in (case.dtype, *case.dtypes)]
    for case in (narrowed(case, dtype) for case in floats if case.operator != "bitcast"):
        if get_operator(case.operator).operation is not None:
            module = build(case)
            PassManager(parse_pipeline("outline,lower-graph")).run(context(), module)
        else:
            module = _module(get_operator(case.operator), case.arrays(), case.values)
        sums = [op for op in module.walk() if isinstance(op, te_ir.ReduceOp) and op.kind in ("add", "mul")]
        assert not [op for op in sums if any(isinstance(v.type, (Float16Type, BFloat16Type)) for v in op.values)], case
        found |= {case.operator} if sums else set()
    steps = {name for name in ACCUMULATING if get_operator(name).kind is FusionKind.ELEMENTWISE}
    counting = {"searchsorted", "topk", "unique", "non_max_suppression", "suppress_boxes"}  # sums of integers
    counting |= {"depthwise_of_words"}
    in_loops = {"sparse_dense", "roi_align", "deform_columns", "det", "grid_sample"}
    assert (
        found - counting
        == set(ACCUMULATING) - steps - {"batch_norm", "rescale", "resize", "cumsum", "cumprod"} - in_loops
    )


def narrowed(case: Case, dtype: str) -> Case:
    return replace(case, dtype=dtype, dtypes=tuple(dtype if t == "float32" else t for t in case.dtypes))


def test_accumulators_are_wider_than_narrow_floats_only() -> None:
    assert [WIDE.of(t) for t in ("float16", "bfloat16", "float64", "int8")] == ["float32", "float32", "float64", "int8"]


def _module(operator: Operator, arrays: list[np.ndarray], values: dict[str, Any]) -> Any:
    operands = [te.placeholder(array.shape, array.dtype.name, f"x{k}") for k, array in enumerate(arrays)]
    return te.to_module([*operands, *operator.express(*operands, **values)])


def _draw(name: str, case: Long, dtype: np.dtype) -> list[np.ndarray]:
    rng = np.random.default_rng(7)
    arrays = [rng.uniform(case.low, case.high, shape).astype(dtype) for shape in case.shapes]
    if name in SHIFTED:
        arrays[SHIFTED[name]] = arrays[SHIFTED[name]] + dtype.type(8)
    return [case.given.get(number, array) for number, array in enumerate(arrays)]


def _exact(operator: Operator, arrays: list[np.ndarray], values: dict[str, Any]) -> np.ndarray:
    wide = (array if array.dtype.kind == "i" else array.astype(np.float64) for array in arrays)
    return operator.compute(*wide, **values)[0]


def _distance_in_ulps(actual: np.ndarray, exact: np.ndarray) -> np.ndarray:
    """Return the distance from the exact result in units of the last place that a result of that size has."""
    digits, least = {"float16": (11, -14), "bfloat16": (8, -126)}[actual.dtype.name]
    exponents = np.maximum(np.frexp(exact)[1] - 1, least)
    return np.abs(actual.astype(np.float64) - exact) / np.ldexp(1.0, exponents - digits + 1)
