"""One maker for each ONNX operator that the importer takes: a node on random operands, with random attributes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import onnx
from onnx import helper
from tilewright.dialects.graph import BinaryOp, UnaryOp
from tilewright.operators import OPERATORS

from .onnx_counted import MAKERS as COUNTED
from .onnx_listed import MAKERS as LISTED
from .onnx_pool import Info, Pool, Unfit
from .onnx_recurrent import MAKERS as RECURRENT
from .onnx_regions import MAKERS as REGIONS
from .onnx_sampling import MAKERS as SAMPLING
from .onnx_selection import MAKERS as SELECTION
from .onnx_windows import MAKERS as WINDOWS

Maker = Callable[[Pool, str], None]


def _positive(g: Pool, x: Info, least: float) -> Info:
    """Return |x| + least."""
    return g.one("Add", [g.one("Abs", [x.name]).name, g.constant(np.array(least, x.dtype))])


def _inside(g: Pool, x: Info) -> Info:
    """Return 0.9 * sin(x)."""
    return g.one("Mul", [g.one("Sin", [x.name]).name, g.constant(np.array(0.9, x.dtype))])


def unary(g: Pool, operator: str) -> None:
    # 1/6 is a float32 in onnxruntime's hard swish, whatever the type of the operand.
    x = g.operand("float32" if operator == "HardSwish" else "float")
    match operator:
        case "Acos" | "Asin" | "Atanh":
            x = _inside(g, x)
        case "Log" | "Sqrt" | "Reciprocal":
            x = _positive(g, x, 0.25)
        case "Acosh":
            x = _positive(g, x, 1.25)
        case _:
            pass
    g.one(operator, [x.name])


def numeric(g: Pool, operator: str) -> None:
    g.one(operator, [g.operand("any" if operator == "Identity" else "number").name])


def binary(g: Pool, operator: str) -> None:
    kind = "number" if operator != "Equal" or not g.draw.chance(0.2) else "bool"
    x = g.operand(kind)
    names = [x.name, g.broadcasting(x)]
    g.one(operator, names if g.draw.chance(0.7) else names[::-1])


def divide(g: Pool, operator: str) -> None:
    x = g.operand("number")
    if x.dtype.startswith("float"):
        g.one(operator, [x.name, _positive(g, g.operand(x.dtype), 0.5).name if g.draw.chance(0.3) else _divisor(g, x)])
    else:
        g.one(operator, [x.name, _divisor(g, x)])


def _divisor(g: Pool, x: Info) -> str:
    array = g.numbers(x.dtype, [])
    return g.constant(np.where(array == 0, array.dtype.type(3), array).astype(x.dtype))


def logical(g: Pool, operator: str) -> None:
    x = g.operand("bool")
    g.one(operator, [x.name] if operator == "Not" else [x.name, g.broadcasting(x)])


def where(g: Pool, operator: str) -> None:
    condition = g.operand("bool")
    dtype = g.draw.one_of(("float32", "float16", "int64", "int32", "bool"))
    g.one(operator, [condition.name, g.broadcasting(condition, dtype), g.broadcasting(condition, dtype)])


def variadic(g: Pool, operator: str) -> None:
    x = g.operand("float" if operator in ("Mean", "Sum") or g.draw.chance(0.6) else "number")
    g.one(operator, [x.name, *(g.broadcasting(x) for _ in range(g.draw.between(0, 3)))])


def power(g: Pool, operator: str) -> None:
    x = g.operand("float")
    exponent = g.draw.one_of((2.0, 3.0, 0.5, -1.0, 1.5))
    base = x if exponent in (2.0, 3.0) else _positive(g, x, 0.5)
    dtype = g.draw.one_of((x.dtype, "int64", "int32")) if exponent in (2.0, 3.0) and g.opset >= 12 else x.dtype
    g.one(operator, [base.name, g.constant(np.array(exponent, dtype))])


def cast(g: Pool, operator: str) -> None:
    x = g.operand("any")
    to = g.draw.one_of(("float32", "float16", "float64", "int32", "int64", "int8", "uint8", "bool"))
    g.one(operator, [x.name], to=helper.np_dtype_to_tensor_dtype(np.dtype(to)))


def clip(g: Pool, operator: str) -> None:
    x = g.operand("number" if g.opset >= 12 else "float")
    low, high = (-1, 2) if not x.dtype.startswith("u") else (1, 6)
    if g.opset < 11:
        attributes = {"min": float(low), "max": float(high)}
        g.one(operator, [x.name], **{k: v for k, v in attributes.items() if g.draw.chance(0.7)})
        return
    bounds = [g.constant(np.array(v, x.dtype)) if g.draw.chance(0.7) else "" for v in (low, high)]
    g.one(operator, [x.name, *bounds])


def dropout(g: Pool, operator: str) -> None:
    x = g.operand("float")
    if g.opset < 12:
        g.one(operator, [x.name], ratio=0.3)
    else:
        g.one(operator, [x.name, g.constant(np.array(0.3, np.float32))], seed=4)


def sloped(g: Pool, operator: str) -> None:
    """Add an operator with attributes that are numbers."""
    x = g.operand("float")
    names = {"HardSigmoid": ("alpha", "beta")}.get(operator, ("alpha",))
    g.one(operator, [x.name], **{n: g.draw.one_of((0.1, 0.25, 1.5)) for n in names if g.draw.chance(0.6)})


def gelu(g: Pool, operator: str) -> None:
    attributes = {"approximate": g.draw.one_of(("none", "tanh"))} if g.draw.chance(0.7) else {}
    # Its factors are float32 in onnxruntime, whatever the type of the operand.
    g.one(operator, [g.operand(g.draw.one_of(("float32", "float16"))).name], **attributes)


def prelu(g: Pool, operator: str) -> None:
    x = g.operand("float", least=1)
    g.one(operator, [x.name, g.broadcasting(x)])


def constant(g: Pool, operator: str) -> None:
    choice = g.draw.between(0, 2)
    dtype = g.draw.one_of(("float32", "float16", "int64", "bool"))
    array = g.numbers(dtype, [g.draw.between(1, 3) for _ in range(g.draw.between(0, 2))])
    if choice == 0 or g.opset < 12:
        made = g.one(operator, [], value=onnx.numpy_helper.from_array(array))
    else:
        made = g.one(operator, [], **({"value_float": 1.5} if choice == 1 else {"value_ints": [1, 2, 3]}))
    if made.dtype != "bool":
        x = g.operand(made.dtype)
        g.one("Add", [x.name, made.name])


def constant_of_shape(g: Pool, operator: str) -> None:
    x = g.operand("float", least=1)
    value = onnx.numpy_helper.from_array(np.array([2], g.draw.one_of((x.dtype, "int64"))))
    shape = g.one("Shape", [x.name]).name if g.draw.chance(0.6) else g.numeral([2, 3])
    g.one(operator, [shape], **({"value": value} if g.draw.chance(0.8) else {}))


def arange(g: Pool, operator: str) -> None:
    dtype = g.draw.one_of(("int64", "float32", "int32"))
    start, step = g.draw.between(-3, 3), g.draw.one_of((1, 2, -1))
    limit = start + step * g.draw.between(1, 5)
    number = g.constant if dtype == "float32" else g.numeral
    made = g.one(operator, [number(np.array(v, dtype)) for v in (start, limit, step)])
    g.one("Mul", [made.name, g.operand(dtype, most=0).name])


def shape_of(g: Pool, operator: str) -> None:
    x = g.operand("any", least=1)
    attributes = {}
    if operator == "Shape" and g.opset >= 15 and g.draw.chance(0.5):
        attributes = {"start": g.draw.between(-x.rank, 0), "end": x.rank}
    made = g.one(operator, [x.name], **attributes)
    if operator == "Shape" and made.shape:
        _reshaped_through(g, x, made if not attributes else g.one("Shape", [x.name]))


def _reshaped_through(g: Pool, x: Info, shape: Info) -> None:
    """Add a reshape to a size that exporters read off a shape: Shape, Gather, Concat, Reshape."""
    first = g.one("Gather", [shape.name, g.constant(np.array([0], np.int64))], axis=0)
    joined = g.one("Concat", [first.name, g.constant(np.array([-1], np.int64))], axis=0)
    g.one("Reshape", [x.name, joined.name])


def gemm(g: Pool, operator: str) -> None:
    a = g.operand("float", least=2, most=2)
    ta, tb = g.draw.chance(0.3), g.draw.chance(0.5)
    depth, columns = a.size(0 if ta else 1), g.draw.one_of((1, 3, 8, 17))
    b = g.parameter(a.dtype, (columns, depth) if tb else (depth, columns))
    attributes = {k: v for k, v in {"alpha": 0.5, "beta": 1.5}.items() if g.draw.chance(0.3)}
    inputs = [a.name, b]
    if g.draw.chance(0.7) or g.opset < 11:
        inputs.append(g.parameter(a.dtype, g.draw.one_of(((columns,), (1, columns), (1,), ()))))
    g.one(operator, inputs, transA=int(ta), transB=int(tb), **attributes)


def matmul(g: Pool, operator: str) -> None:
    a = g.operand("float" if g.opset < 9 or g.draw.chance(0.9) else "int32", least=1)
    depth = a.size(-1)
    form = g.draw.between(0, 2)
    if form == 0 and a.rank == 1:
        raise Unfit
    if form == 0:
        shape: tuple[Any, ...] = (depth,)
    elif form == 1:
        shape = (depth, g.draw.one_of((1, 4, 16, 19)))
    else:
        shape = (*a.shape[:-2], depth, g.draw.one_of((1, 4, 16)))
    g.one(operator, [a.name, g.parameter(a.dtype, shape)])


def arg(g: Pool, operator: str) -> None:
    x = g.operand("float" if g.draw.chance(0.6) else "int32", least=1)
    attributes: dict[str, Any] = {"keepdims": g.draw.between(0, 1)}
    if g.draw.chance(0.8):
        attributes["axis"] = g.draw.between(-x.rank if g.opset >= 11 else 0, x.rank - 1)
    if g.opset >= 12 and g.draw.chance(0.4):
        attributes["select_last_index"] = 1
    g.one(operator, [x.name], **attributes)


def cumsum(g: Pool, operator: str) -> None:
    x = g.operand(g.draw.one_of(("float32", "float64", "int32", "int64", "float32")), least=1)
    axis = g.numeral(g.draw.between(-x.rank, x.rank - 1), g.draw.one_of(("int64", "int32")))
    g.one(operator, [x.name, axis], exclusive=g.draw.between(0, 1), reverse=g.draw.between(0, 1))


def reduce(g: Pool, operator: str) -> None:
    takes_integers = operator in ("ReduceMax", "ReduceMin", "ReduceProd", "ReduceSum")
    x = g.operand("int32" if takes_integers and g.draw.chance(0.3) else "float")
    if operator == "ReduceLogSum":
        x = _positive(g, x, 0.25)
    axes = [axis - x.rank if g.opset >= 11 and g.draw.chance(0.3) else axis for axis in g.draw.some_of(range(x.rank))]
    attributes: dict[str, Any] = {"keepdims": g.draw.between(0, 1)} if g.draw.chance(0.8) else {}
    as_input = g.opset >= (13 if operator == "ReduceSum" else 18)
    if as_input and g.draw.chance(0.2):
        attributes["noop_with_empty_axes"] = 1
    if not axes:
        g.one(operator, [x.name], **attributes)
    elif as_input:
        g.one(operator, [x.name, g.numeral(axes)], **attributes)
    else:
        g.one(operator, [x.name], axes=axes, **attributes)


def concat(g: Pool, operator: str) -> None:
    x = g.operand("any", least=1)
    axis = g.draw.between(0, x.rank - 1)
    inputs = [x.name]
    for _ in range(g.draw.between(0, 3)):
        if g.draw.chance(0.3):
            inputs.append(x.name)
            continue
        same = [
            info.name
            for info in g.values.values()
            if info.dtype == x.dtype
            and info.rank == x.rank
            and all(a == b for d, (a, b) in enumerate(zip(info.shape, x.shape, strict=True)) if d != axis)
        ]
        shape = [g.draw.one_of((1, 2, 3)) if d == axis else size for d, size in enumerate(x.shape)]
        if not (same and g.draw.chance(0.6)) and None in shape:
            raise Unfit
        inputs.append(g.draw.one_of(same) if same and g.draw.chance(0.6) else g.parameter(x.dtype, shape))
    g.one(operator, inputs, axis=axis - x.rank if g.opset >= 11 and g.draw.chance(0.3) else axis)


def expand(g: Pool, operator: str) -> None:
    x = g.operand("any")
    target = [
        g.draw.one_of((1, size)) if isinstance(size, int) and size != 1 else g.draw.one_of((1, 3)) if size == 1 else 1
        for size in x.shape
    ]
    lead = [g.draw.between(1, 2) for _ in range(g.draw.between(0, 1))]
    g.one(operator, [x.name, g.numeral(lead + target)])


def flatten(g: Pool, operator: str) -> None:
    x = g.operand("any" if g.opset >= 9 else "float", least=1)
    g.one(operator, [x.name], axis=g.draw.between(-x.rank if g.opset >= 11 else 0, x.rank))


def gather(g: Pool, operator: str) -> None:
    x = g.operand("any", least=1)
    axis = g.draw.between(-x.rank, x.rank - 1)
    size = x.size(axis)
    limits = (-size if g.opset >= 11 else 0, size)
    shape = g.shape(g.draw.between(0, 2))
    dtype = g.draw.one_of(("int64", "int32"))
    if g.draw.chance(0.5) and all(isinstance(s, int) for s in shape):
        rng = np.random.default_rng(g.draw.between(0, 1 << 30))
        indices = g.constant(np.asarray(rng.integers(*limits, [int(s or 0) for s in shape])).astype(dtype))
    else:
        indices = g.input(dtype, shape, limits).name
    g.one(operator, [x.name, indices], axis=axis)


def gather_elements(g: Pool, operator: str) -> None:
    x = g.operand("any", least=1, fits=lambda info: info.is_static)
    axis = g.draw.between(-x.rank, x.rank - 1)
    size = x.size(axis)
    shape = [g.draw.between(1, x.size(d)) for d in range(x.rank)]
    shape[axis] = g.draw.between(1, 6)
    g.one(operator, [x.name, g.input(g.draw.one_of(("int64", "int32")), shape, (-size, size)).name], axis=axis)


def reshape(g: Pool, operator: str) -> None:
    x = g.operand("any", least=1)
    if x.is_static and g.draw.chance(0.5):
        count = int(np.prod([x.size(d) for d in range(x.rank)]))
        first = g.draw.one_of([k for k in range(1, count + 1) if count % k == 0])
        shape = g.draw.one_of(([first, -1], [-1, first], [first, count // first], [1, first, -1], [-1]))
    else:
        shape = g.draw.one_of(([0, -1], [-1], [0, 1, -1], [0] * x.rank, [1, -1]))
    g.one(operator, [x.name, g.numeral(shape)])


def _with_axes(g: Pool, operator: str, x: Info, axes: list[int] | None, since: int) -> None:
    """Add an operator whose axes are an attribute before an opset, an input from then on."""
    if axes is None:
        g.one(operator, [x.name])
    elif g.opset < since:
        g.one(operator, [x.name], axes=axes)
    else:
        g.one(operator, [x.name, g.numeral(axes)])


def squeeze(g: Pool, operator: str) -> None:
    x = g.operand("any", least=1, fits=lambda info: 1 in info.shape)
    axes = g.draw.some_of([axis for axis, size in enumerate(x.shape) if size == 1], 1)
    given = None if x.is_static and g.draw.chance(0.3) else axes
    _with_axes(g, operator, x, given, 13)


def unsqueeze(g: Pool, operator: str) -> None:
    x = g.operand("any", most=3)
    count = g.draw.between(1, 2)
    axes = g.draw.random.sample(range(x.rank + count), count)
    if g.opset < 13:
        axes.sort()
    _with_axes(g, operator, x, [a - x.rank - count if g.opset >= 13 and g.draw.chance(0.2) else a for a in axes], 13)


def tile(g: Pool, operator: str) -> None:
    x = g.operand("any", least=1)
    g.one(operator, [x.name, g.numeral([g.draw.one_of((1, 1, 2, 3)) for _ in range(x.rank)])])


def transpose(g: Pool, operator: str) -> None:
    x = g.operand("any", least=1)
    order = g.draw.random.sample(range(x.rank), x.rank)
    g.one(operator, [x.name], **({"perm": order} if g.draw.chance(0.85) else {}))


def pad(g: Pool, operator: str) -> None:
    x = g.operand("float" if g.opset < 13 or g.draw.chance(0.6) else "number", least=1)
    mode = g.draw.one_of(("constant", "constant", "reflect", "edge", *(["wrap"] if g.opset >= 19 else [])))
    sizes = [size if isinstance(size, int) else 1 for size in x.shape]
    most = [min(size - 1, 2) if mode == "reflect" else 2 for size in sizes]
    pairs = [*zip(most, x.shape, strict=True)] * 2
    amounts = [g.draw.between(0, m) if isinstance(s, int) or g.draw.chance(0.05) else 0 for m, s in pairs]
    if sizes[-1] > 2 and x.shape[-1] != "n" and g.draw.chance(0.3):
        amounts[-1] = -1
        amounts[x.rank - 1] = min(amounts[x.rank - 1], sizes[-1] - 2)
    if g.opset < 11:
        g.one(operator, [x.name], pads=amounts, mode=mode, value=0.5)
        return
    inputs = [x.name, g.numeral(amounts)]
    if g.draw.chance(0.5):
        inputs.append(g.constant(g.numbers(x.dtype, [])))
    if g.opset >= 18 and g.draw.chance(0.3):
        axes = g.draw.random.sample(range(x.rank), g.draw.between(1, x.rank))
        chosen = [amounts[axis] for axis in axes] + [amounts[x.rank + axis] for axis in axes]
        inputs = [
            x.name,
            g.numeral(chosen),
            (inputs + [""])[2],
            g.numeral(axes),
        ]
    g.one(operator, inputs, mode=mode)


def slice_(g: Pool, operator: str) -> None:
    x = g.operand("any" if g.opset >= 10 else "float", least=1)
    axes = [axis for axis in g.draw.some_of(range(x.rank), 1) if isinstance(x.shape[axis], int)]
    if not axes:
        raise Unfit
    starts: list[int] = []
    ends: list[int] = []
    steps: list[int] = []
    for axis in axes:
        size = x.size(axis)
        step = g.draw.one_of((1, 1, 2, -1, -2, 3)) if g.opset >= 10 else 1
        low, high = sorted((g.draw.between(0, size - 1), g.draw.between(0, size - 1)))
        if step > 0:
            start, end = low, g.draw.one_of((high + 1, size, 1 << 40, size + 3))
        else:
            start, end = (
                g.draw.one_of((high, size - 1, 1 << 40)),
                g.draw.one_of((low - 1 - size, -(1 << 40), -size - 1)),
            )
        starts.append(start - size if step > 0 and g.draw.chance(0.3) else start)
        ends.append(end)
        steps.append(step)
    if g.opset < 10:
        g.one(operator, [x.name], starts=starts, ends=ends, axes=axes)
        return
    lists = (starts, ends, axes, steps)
    g.one(operator, [x.name, *(g.numeral(each) for each in lists)])


def split(g: Pool, operator: str) -> None:
    x = g.operand("any" if g.opset >= 11 else "float", least=1)
    axis = g.draw.between(0, x.rank - 1)
    size = x.size(axis)
    if size < 2:
        raise Unfit
    if g.opset >= 18 and g.draw.chance(0.4):
        count = g.draw.between(1, min(size, 3))
        if -(-size // count) * (count - 1) < size:
            g.node(operator, [x.name], count, axis=axis, num_outputs=count)
        return
    cut = g.draw.between(1, size - 1)
    if g.opset < 13:
        g.node(operator, [x.name], 2, axis=axis, split=[cut, size - cut])
    else:
        g.node(operator, [x.name, g.numeral([cut, size - cut])], 2, axis=axis)


_NAMES: dict[Maker, str] = {
    unary: (
        "Acos Acosh Asin Asinh Atan Atanh Ceil Cos Cosh Erf Exp Floor HardSwish Log Reciprocal Round Sigmoid Sin "
        "Sinh Softplus Sqrt Tan Tanh"
    ),
    numeric: "Abs Identity Neg Relu Sign",
    binary: "Add Equal Greater GreaterOrEqual Less LessOrEqual Mul Sub",
    divide: "Div",
    logical: "And Not Or Xor",
    where: "Where",
    variadic: "Max Mean Min Sum",
    power: "Pow",
    cast: "Cast",
    clip: "Clip",
    dropout: "Dropout",
    sloped: "Celu Elu HardSigmoid LeakyRelu",
    gelu: "Gelu",
    prelu: "PRelu",
    constant: "Constant",
    constant_of_shape: "ConstantOfShape",
    arange: "Range",
    shape_of: "Shape Size",
    gemm: "Gemm",
    matmul: "MatMul",
    arg: "ArgMax ArgMin",
    cumsum: "CumProd CumSum",
    reduce: "ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum "
    "ReduceSumSquare",
    concat: "Concat",
    expand: "Expand",
    flatten: "Flatten",
    gather: "Gather",
    gather_elements: "GatherElements",
    reshape: "Reshape",
    squeeze: "Squeeze",
    tile: "Tile",
    transpose: "Transpose",
    unsqueeze: "Unsqueeze",
    pad: "Pad",
    slice_: "Slice",
    split: "Split",
}

_DECLARED: dict[str, Maker] = {
    operator.onnx: unary if operator.is_plain(UnaryOp) else binary
    for operator in OPERATORS.values()
    if operator.onnx and operator.is_plain(UnaryOp, BinaryOp)
}
"""Makers of the operators of a family, by declaration."""

MAKERS: dict[str, Maker] = (
    {name: maker for maker, names in _NAMES.items() for name in names.split()}
    | WINDOWS
    | SELECTION
    | SAMPLING
    | RECURRENT
    | REGIONS
    | LISTED
    | COUNTED
)
MAKERS |= {name: maker for name, maker in _DECLARED.items() if name not in MAKERS}
"""ONNX operator -> the function that puts a node of it into a model."""
