"""Values of tensor expressions: interpreted and compiled, with and without fusion, against direct evaluation."""

from __future__ import annotations

import itertools
import math
import operator

import ml_dtypes
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tilewright import te
from tilewright.te.expr import Axis, Binary, Cast, Choice, Compare, Const, Read, Reduce, Unary, Var
from tilewright.te.tensor import Placeholder

from .running import COMPILED, results


def check(args, arrays, tolerance: float = 0.0, compiled=COMPILED) -> None:
    """Check that every way to compute the outputs gives what direct evaluation does."""
    inputs = [t for t in args if isinstance(t.op, Placeholder)]
    sizes = {s: n for t, a in zip(inputs, arrays, strict=True) for s, n in zip(t.shape, a.shape, strict=True)}
    known = dict(zip(inputs, arrays, strict=True))
    expected = [direct(t, known, sizes) for t in args if t not in inputs]
    for way, outputs in results(args, arrays, compiled):
        for found, want in zip(outputs, expected, strict=True):
            assert found.shape == want.shape
            assert found.dtype == want.dtype
            np.testing.assert_allclose(found, want, rtol=tolerance, atol=tolerance, err_msg=way)


# Direct evaluation: one element at a time, every scalar a numpy scalar of its type.


def direct(tensor, known, sizes) -> np.ndarray:
    if tensor not in known:
        op = tensor.op
        for read in op.inputs:
            direct(read, known, sizes)
        shape = tuple(int(element(s, {}, known, sizes)) for s in op.shape)
        for result, body in zip(op.outputs, op.bodies, strict=True):
            array = np.zeros(shape, numpy_type(body.dtype))
            for point in np.ndindex(*shape):
                axes = dict(zip(op.axis, point, strict=True))
                array[point] = element(body, axes, known, sizes)
            known[result] = array
    return known[tensor]


BINARY = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv, "pow": operator.pow,
    "floordiv": operator.floordiv, "floormod": operator.mod, "min": np.minimum, "max": np.maximum,
    "and": operator.and_, "or": operator.or_, "xor": operator.xor,
    "truncdiv": lambda a, b: type(a)(int(a / b)), "truncmod": np.fmod,
}  # fmt: skip
UNARY = {"neg": operator.neg, "abs": np.abs, "round": np.rint, "erf": None, "rsqrt": lambda x: 1 / np.sqrt(x)}
COMPARE = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne
}  # fmt: skip


def numpy_type(dtype: str):
    return ml_dtypes.bfloat16 if dtype == "bfloat16" else np.dtype(dtype).type


def element(expr, axes, known, sizes):
    """Return the value of an expression at one point."""

    def of(e):
        return element(e, axes, known, sizes)

    match expr:
        case int() | Const(dtype="index"):
            return getattr(expr, "value", expr)
        case Const():
            return numpy_type(expr.dtype)(expr.value)
        case Var():
            return sizes[expr]
        case Axis():
            return of(expr.low) + axes[expr]
        case Read():
            index = tuple(int(of(i)) for i in expr.indices)
            assert all(0 <= i < n for i, n in zip(index, known[expr.tensor].shape, strict=True)), expr
            return known[expr.tensor][index]
        case Cast():
            return numpy_type(expr.dtype)(of(expr.operand)) if expr.dtype != "index" else int(of(expr.operand))
        case Choice(guarded=True):
            return of(expr.true_value) if of(expr.condition) else of(expr.false_value)
        case Choice():
            a, b = of(expr.true_value), of(expr.false_value)
            return a if of(expr.condition) else b
        case Compare():
            return np.bool_(COMPARE[expr.op](of(expr.lhs), of(expr.rhs)))
        case Binary(op="and", dtype="bool"):
            return np.bool_(of(expr.lhs) and of(expr.rhs))
        case Binary(op="or", dtype="bool"):
            return np.bool_(of(expr.lhs) or of(expr.rhs))
        case Unary(op="not"):
            return ~of(expr.operand)
        case Binary():
            return BINARY[expr.op](of(expr.lhs), of(expr.rhs))
        case Unary():
            return (UNARY.get(expr.op) or getattr(np, expr.op))(of(expr.operand))
        case Reduce():
            return reduced(expr, axes, known, sizes)
    raise AssertionError(expr)


def reduced(expr, axes, known, sizes):
    total = None
    combine = BINARY[{"sum": "add", "prod": "mul"}.get(expr.combiner.name, expr.combiner.name)]
    extents = [range(int(element(a.extent, axes, known, sizes))) for a in expr.axes]
    for point in itertools.product(*extents):
        value = element(expr.source, {**axes, **dict(zip(expr.axes, point, strict=True))}, known, sizes)
        total = value if total is None else combine(total, value)
    return total


def data(shape, dtype="float32", seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    if np.dtype(dtype).kind == "f":
        return rng.standard_normal(shape).astype(dtype)
    low, high = (0, 2) if dtype == "bool" else (1, 9) if dtype.startswith("u") else (-9, 9)
    return rng.integers(low, high, shape).astype(dtype)


@pytest.fixture(autouse=True)
def quiet():
    with np.errstate(all="ignore"):
        yield


FLOATS = ("float32", "float64")
INTEGERS = ("int8", "int16", "int32", "int64")


@pytest.mark.parametrize("dtype", FLOATS)
def test_float_arithmetic(dtype: str) -> None:
    a, b = te.placeholder((7,), dtype, "a"), te.placeholder((7,), dtype, "b")
    bodies = lambda i: (  # noqa: E731
        a[i] + b[i], a[i] - 1, 2 * b[i], a[i] / b[i], -a[i], te.minimum(a[i], b[i]), te.maximum(a[i], 0.0),
        te.abs(a[i]), te.floor(a[i]), te.ceil(a[i]), te.round(a[i] * 2), a[i] < b[i], a[i] != b[i],
        te.Select(a[i] > 0, a[i], -b[i]), a[i].astype("int32"), a[i].astype("bool"),
    )  # fmt: skip
    outputs = te.compute((7,), bodies, name="o")
    x, y = data(7, dtype), data(7, dtype, 1)
    x[0] = y[0] = np.nan
    check([a, b, *outputs[:14]], [x, y])
    check([a, *te.compute((7,), lambda i: bodies(i)[14:], name="c")], [data(7, dtype)])


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integer_arithmetic(dtype: str) -> None:
    a, b = te.placeholder((9,), dtype, "a"), te.placeholder((9,), dtype, "b")
    outputs = te.compute(
        (9,),
        lambda i: (
            a[i] + b[i], a[i] - 1, 3 * b[i], a[i] // b[i], a[i] % b[i], te.truncdiv(a[i], b[i]),
            te.truncmod(a[i], b[i]), -a[i], te.min(a[i], b[i]), te.max(a[i], 2), te.abs(a[i]), a[i] & b[i], a[i] | 4,
            a[i] ^ b[i], ~a[i], a[i] <= b[i], a[i] == b[i], a[i].astype("float32"), a[i].astype("int64"),
            a[i].astype("int8"), a[i].astype("bool"),
        ),
        name="o",
    )  # fmt: skip
    y = data(9, dtype, 1)
    y[y == 0] = -3
    check([a, b, *outputs], [data(9, dtype), y])


def test_logic() -> None:
    a, b = te.placeholder((4,), "bool", "a"), te.placeholder((4,), "bool", "b")
    outputs = te.compute(
        (4,),
        lambda i: (a[i] & b[i], a[i] | b[i], a[i] ^ b[i], ~a[i], a[i] == b[i], a[i].astype("float32"),
                   a[i].astype("int32"), te.any(a[i], i < 1), te.all(a[i], ~(i < 1), b[i])),
        name="o",
    )  # fmt: skip
    check([a, b, *outputs], [np.array([0, 0, 1, 1], bool), np.array([0, 1, 0, 1], bool)])


def test_axes_as_numbers() -> None:
    o = te.compute((3, 4), lambda i, j: (i * j + 1, (i - 2 * j) // 3, (j - i) % 3, i.astype("float32") / 2), name="o")
    a = te.placeholder((1,), name="a")
    check([a, *o, te.compute((3,), lambda i: a[0] * i, name="p")], [data(1)])


@pytest.mark.parametrize("n", [1, 2, 7])
@pytest.mark.parametrize("reduction", [te.sum, te.prod, te.max, te.min])
def test_reductions_of_symbolic_size(n: int, reduction) -> None:
    size = te.var("n")
    a = te.placeholder((5, size), name="a")
    k, m, r = te.reduce_axis((0, size), "k"), te.reduce_axis((0, size), "m"), te.reduce_axis((1, 4), "r")
    rows = te.compute((5,), lambda i: reduction(a[i, k], axis=k), name="rows")
    everything = te.compute((), lambda: reduction(a[r, m] * 0.5, axis=(r, m)), name="everything")
    check([a, rows, everything], [data((5, n))])


@pytest.mark.parametrize("dtype", ["int8", "int32", "float64"])
def test_reduction_types(dtype: str) -> None:
    a = te.placeholder((3, 5), dtype, "a")
    outputs = []
    for reduction in (te.sum, te.prod, te.max, te.min):
        k = te.reduce_axis((0, 5), "k")
        outputs.append(te.compute((3,), lambda i, f=reduction, k=k: f(a[i, k], axis=k), name=reduction.__name__))
    check([a, *outputs], [data((3, 5), dtype)])


@pytest.mark.parametrize("n", [1, 3, 8])
def test_padding_and_windows(n: int) -> None:
    size = te.var("n")
    x = te.placeholder((size, 6), name="x")
    r, s = te.reduce_axis((-1, 2), "r"), te.reduce_axis((0, 3), "s")
    u, v = te.reduce_axis((-1, 2), "u"), te.reduce_axis((0, 3), "v")
    inside = lambda h, w: te.all(h >= 0, h < size, w >= 0, w < 6)  # noqa: E731
    pad = te.compute((size + 2, 8), lambda i, j: te.if_then_else(inside(i - 1, j - 1), x[i - 1, j - 1], -1.0), name="p")
    mean = te.compute((size, 6), lambda i, j: te.sum(pad[i + r + 1, j + s], axis=(r, s)), name="mean")
    strided = te.compute((3,), lambda j: te.max(pad[u + 1, 2 * j + v], axis=(u, v)), name="strided")
    check([x, mean, strided], [data((n, 6))], 1e-6)


@pytest.mark.parametrize("inner", [0.0, 1.0])
@pytest.mark.parametrize("outer", [0.0, -0.0, 1.0])
def test_a_slice_of_a_padding_does_not_read_past_the_slice(inner: float, outer: float) -> None:
    x = te.placeholder((8,), name="x")
    pad = te.compute((4,), lambda i: te.if_then_else(i >= 1, x[i - 1], inner), name="pad")
    wide = te.compute((9,), lambda i: te.if_then_else(te.all(i >= 2, i < 6), pad[i - 2], outer), name="wide")
    check([x, wide], [data(8)])
    for _, (found,) in results([x, wide], [data(8)]):
        assert np.signbit(found[0]) == np.signbit(np.float32(outer))


def test_concatenation_gather_and_computed_conditions() -> None:
    n = te.var("n")
    x, y = te.placeholder((n, 4), name="x"), te.placeholder((3, 4), name="y")
    index = te.placeholder((5,), "int32", name="index")
    both = te.compute((n + 3, 4), lambda i, j: te.if_then_else(i < n, x[i, j], y[i - n, j]), name="both")
    taken = te.compute((5, 4), lambda i, j: both[index[i], 3 - j] * 2, name="taken")
    nested = te.compute(
        (n + 3, 4),
        lambda i, j: te.if_then_else(
            te.any(i < 2, j == 3),
            te.if_then_else(~te.all(i >= 1, j >= 1), 1.0, both[i - 1, j - 1]),
            te.if_then_else(i != 4, both[i, j] / j, y[i - 4, 0]),
        ),
        name="nested",
    )
    masked = te.compute((5,), lambda i: te.if_then_else(index[i] > 2, x[index[i] - 3, 0], both[index[i], 0]), name="m")
    check([x, y, index, taken, nested, masked], [data((4, 4)), data((3, 4), seed=1), np.array([0, 6, 3, 5, 1], "i4")])


def test_division_is_safe_where_its_condition_fails() -> None:
    a, b = te.placeholder((6,), "int32", "a"), te.placeholder((6,), "int32", "b")
    quotient = te.compute((6,), lambda i: te.if_then_else(b[i] != 0, a[i] // b[i], -1), name="q")
    late = te.compute((4,), lambda i: te.truncdiv(a[i + 2], b[i + 2]), name="late")
    padded = te.compute((6,), lambda i: te.if_then_else(i >= 2, late[i - 2], 7), name="padded")
    check([a, b, quotient, padded], [data(6, "int32"), np.array([0, 0, 2, -3, 4, 5], "i4")])


def test_functions() -> None:
    a = te.placeholder((6,), name="a")
    outputs = te.compute(
        (6,),
        lambda i: (te.exp(a[i]), te.log(te.abs(a[i])), te.sqrt(te.abs(a[i])), te.rsqrt(te.abs(a[i])), te.tanh(a[i]),
                   te.sigmoid(a[i]), te.sin(a[i]), te.cos(a[i]), te.pow(te.abs(a[i]), 1.5)),
        name="o",
    )  # fmt: skip
    check([a, *outputs], [data(6)], 1e-6)


def test_error_function() -> None:
    a = te.placeholder((6,), name="a")
    x = data(6)
    for way, (found,) in results([a, te.compute((6,), lambda i: te.erf(a[i]))], [x]):
        np.testing.assert_allclose(found, [math.erf(v) for v in x], rtol=1e-6, err_msg=way)


@pytest.mark.parametrize("dtype", ["uint8", "float16", "bfloat16"])
def test_narrow_types(dtype: str) -> None:
    a, b, k = te.placeholder((5,), dtype, "a"), te.placeholder((5,), dtype, "b"), te.reduce_axis((0, 5), "k")
    outputs = te.compute(
        (5,),
        lambda i: (a[i] + b[i], a[i] * b[i], te.max(a[i], b[i]), a[i] < b[i], a[i].astype("float32"),
                   a[i].astype("int32"), te.if_then_else(i < 3, a[i + 1], 1), a[i].astype("bool")),
        name="o",
    )  # fmt: skip
    largest = te.compute((), lambda: te.max(a[k] - b[k], axis=k), name="largest")
    numpy_dtype = ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype
    arrays = [np.arange(2, 7).astype(numpy_dtype), np.array([5, 4, 3, 9, 1]).astype(numpy_dtype)]
    check([a, b, *outputs, largest], arrays)


# Random programs: chains of computes over two inputs, with shifted, divided and guarded reads.

ROWS, COLUMNS = 5, 6


@st.composite
def indices(draw, axes, size: int):
    """Draw an index in [0, size) and, where it may leave that range, the condition under which it does not."""
    axis = draw(st.sampled_from(axes))
    form = draw(st.sampled_from(("plain", "shift", "divide", "modulo", "sum")))
    expr = {
        "plain": axis,
        "shift": axis + draw(st.integers(-3, 3)),
        "divide": axis // draw(st.integers(1, 3)),
        "modulo": (axis + draw(st.integers(0, 7))) % draw(st.integers(1, size)),
        "sum": axes[0] * draw(st.integers(-1, 2)) + axes[-1] - draw(st.integers(0, 3)),
    }[form]
    return expr, te.all(expr >= 0, expr < size)


@st.composite
def reads(draw, tensors, axes):
    tensor = draw(st.sampled_from(tensors))
    pairs = [draw(indices(axes, size)) for size in tensor.shape]
    value = tensor[tuple(e for e, _ in pairs)]
    other = float(draw(st.sampled_from((0, 0, 1))))
    if draw(st.integers(0, 3)) > 0:
        return te.if_then_else(te.all(*(c for _, c in pairs)), value, other)
    return te.if_then_else(te.any(*(~c for _, c in pairs)), other, value * draw(st.integers(1, 3)))


@st.composite
def values(draw, tensors, axes, depth: int):
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        return draw(reads(tensors, axes))
    a, b = draw(values(tensors, axes, depth - 1)), draw(values(tensors, axes, depth - 1))
    form = draw(st.sampled_from(("add", "sub", "mul", "max", "select", "choice")))
    if form == "select":
        return te.Select(a > b, a, b * 0.5)
    if form == "choice":
        return te.if_then_else(axes[0] < draw(st.integers(0, 5)), a, b)
    return {"add": a + b, "sub": a - b, "mul": a * b, "max": te.maximum(a, b)}[form]


@st.composite
def programs(draw):
    x, y = te.placeholder((ROWS, COLUMNS), name="x"), te.placeholder((COLUMNS, 4), name="y")
    tensors = [x, y]
    for stage in range(draw(st.integers(1, 5))):
        shape = (draw(st.integers(1, ROWS)), draw(st.integers(1, COLUMNS)))
        reduces = draw(st.integers(0, 2)) == 0

        def body(i, j, reduces=reduces):
            k = te.reduce_axis((0, 3), "k")
            axes = [i, j, *([k] if reduces else [])]
            value = draw(values(tensors, axes, draw(st.integers(0, 2))))
            return te.sum(value, axis=k) if reduces else value

        tensors.append(te.compute(shape, body, name=f"t{stage}"))
    extra = draw(st.lists(st.sampled_from(tensors[2:-1]), unique=True, max_size=1)) if len(tensors) > 3 else []
    return [x, y, *extra, tensors[-1]]


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs())
def test_random_programs(args) -> None:
    with np.errstate(all="ignore"):
        check(args, [data((ROWS, COLUMNS)), data((COLUMNS, 4), seed=1)])
