"""Makers of graph operators: operands, properties, and bounds of the results.

Products, windows and normalisations stand in `graph_windows`, quantised numbers and words of bytes in `graph_bytes`,
orders, gathers and scatters in `graph_positions`, branches and loops in `graph_regions`; operators without a separate
function are made on their cases.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tilewright.dialects import graph
from tilewright.dialects.dtypes import is_bool, is_float
from tilewright.operators import OPERATORS
from xdsl.ir import Attribute

from . import graph_bytes, graph_positions, graph_regions  # noqa: F401  (their makers enter themselves)
from .graph_cases import make_on_cases
from .graph_makers import MAKERS, makes
from .graph_modules import ELEMENTS, FLOATS, GraphWriter, Value, any_element, has_elements, is_number
from .graph_windows import pair
from .scalars import width_of_float
from .te_modules import reshaped


def _signed(element: object) -> bool:
    return is_number(element) and str(element)[0] != "u"  # pyright: ignore[reportArgumentType]


# Elementwise


@makes("relu", "neg", "abs")
def _keeps(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    x = writer.need(_signed)
    writer.emit(op, [x], x.bound, exact=True)


@makes("identity")
def _identity(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    x = writer.need(any_element)
    writer.emit(op, [x], x.bound, exact=True)


@makes("dropout")
def _dropout(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    x = writer.need(is_float)
    writer.emit(op, [x], x.bound, exact=True, ratio=0.25)


@makes("clip")
def _clip(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    x = writer.need(is_float)
    low, high = writer.draw.one_of(((-1.0, 1.0), (None, 6.0), (0.0, None), (0.5, 0.5), (None, None)))
    writer.emit(op, [x], max(x.bound, 0.5), exact=True, low=low, high=high)


@makes("tanh", "sigmoid", "erf", "atan", "sin", "cos", "softplus", "hard_swish", "elu", "leaky_relu", "gelu")
def _gentle(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    x = writer.need(is_float)
    values: dict[str, object] = {}
    if op in (graph.EluOp, graph.LeakyReluOp):
        values["alpha"] = writer.draw.one_of((0.01, 0.5, 1.0))
    if op is graph.GeluOp:
        values["approximate"] = writer.draw.chance(0.5)
    writer.emit(op, [x], x.bound + 1.0, **values)


@makes(
    "sqrt", "exp", "log", "reciprocal", "tan", "asin", "acos", "sinh", "cosh", "asinh", "acosh", "atanh",
)  # fmt: skip
def _steep(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    writer.emit(op, [writer.need(is_float, leaf=True)], 0.0, ends=True)


@makes("floor", "ceil", "round")
def _whole(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    x = writer.need(is_float, leaf=True)
    writer.emit(op, [x], x.bound + 1.0, exact=True)


@makes("sign")
def _sign(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    writer.emit(op, [writer.need(_signed, leaf=True)], 1.0, exact=True)


@makes("not")
def _not(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    writer.emit(op, [writer.need(is_bool)], 1.0, exact=True)


@makes("add", "sub")
def _sum(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    a = writer.need(is_number)
    b = writer.beside(a)
    writer.emit(op, _shuffled(writer, a, b), a.bound + b.bound)


@makes("mul")
def _product(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    a = writer.need(is_number)
    b = writer.beside(a)
    writer.emit(op, _shuffled(writer, a, b), a.bound * b.bound)


@makes("minimum", "maximum")
def _extreme(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    a = writer.need(is_number)
    b = writer.beside(a)
    writer.emit(op, _shuffled(writer, a, b), max(a.bound, b.bound), exact=True)


def _shuffled(writer: GraphWriter, *values: Value) -> list[Value]:
    order = list(values)
    writer.draw.random.shuffle(order)
    return order


@makes("div")
def _quotient(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    a = writer.need(is_number)
    shape = [d if isinstance(d, int) else 1 for d in a.shape]
    b = writer.constant(a.element, *shape, positive=True)
    writer.emit(op, [a, b], a.bound * 2)


@makes("pow")
def _power(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    a = writer.need(is_float, leaf=True)
    writer.emit(op, [a, writer.constant(a.element)], 0.0, ends=True)


@makes("and", "or", "xor")
def _logic(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    a = writer.need(is_bool)
    writer.emit(op, _shuffled(writer, a, writer.beside(a)), 1.0, exact=True)


@makes("equal", "less", "less_equal", "greater", "greater_equal")
def _compare(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    a = writer.need(any_element if op is graph.EqualOp else is_number, leaf=True)
    b = writer.beside(a)
    if b.is_leaf:
        writer.emit(op, [a, b], 1.0, exact=True)


@makes("cast")
def _cast(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    target = writer.draw.one_of(ELEMENTS)
    x = writer.need(any_element)
    narrows = is_float(x.element) and is_float(target) and width_of_float(target) < width_of_float(x.element)
    if is_float(x.element) and (not x.is_leaf or str(target)[0] == "u") and not narrows:
        x = writer.need(is_float, leaf=True)
        target = writer.draw.one_of(FLOATS)
    writer.emit(op, [x], max(x.bound, 1.0), exact=not narrows, to=target)


@makes("where")
def _where(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    a = writer.need(any_element)
    b = writer.beside(a)
    shape = [d if isinstance(d, int) and writer.draw.chance(0.7) else 1 for d in a.shape]
    condition = writer.constant(graph.element_of(writer.need(is_bool).ssa), *shape)
    fitting = writer.pick(lambda v: is_bool(v.element) and v.shape == a.shape)
    writer.emit(op, [fitting or condition, a, b], max(a.bound, b.bound), exact=True)
    made = writer.values[-1]
    if made.ssa.owner is writer.block.last_op and isinstance(made.ssa.owner, graph.WhereOp):
        writer.values[-1] = Value(made.ssa, max(a.bound, b.bound), a.is_leaf and b.is_leaf)


# Reductions


def _axes(writer: GraphWriter, x: Value) -> tuple[int, ...]:
    axes = writer.draw.some_of(range(len(x.shape)))
    return tuple(a - len(x.shape) if writer.draw.chance(0.3) else a for a in axes)


def _count(x: Value) -> float:
    count = 1.0
    for size in x.shape:
        count *= size if isinstance(size, int) else 16
    return count


@makes("reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_range", "cumsum")
def _reduce(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    draw = writer.draw
    x = writer.need(is_float if op is graph.ReduceMeanOp else is_number, draw.between(1, 4))
    if op is graph.CumsumOp:
        values: dict[str, object] = {"axis": draw.between(-1, len(x.shape) - 1)}
        values |= {"exclusive": draw.chance(0.3), "reverse": draw.chance(0.3)}
    else:
        values = {"axes": _axes(writer, x), "keepdims": draw.chance(0.5)}
    grows = op in (graph.ReduceSumOp, graph.CumsumOp)
    exact = op in (graph.ReduceMaxOp, graph.ReduceMinOp, graph.ReduceRangeOp)
    writer.emit(op, [x], x.bound * (_count(x) if grows else 1), exact=exact, **values)


@makes("reduce_prod")
def _reduce_product(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    x = writer.need(is_number, writer.draw.between(1, 3))
    if not is_float(x.element) or x.bound <= 1:
        writer.emit(op, [x], 1.0, axes=_axes(writer, x), keepdims=writer.draw.chance(0.5))


@makes("argmax", "argmin")
def _extreme_index(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    draw = writer.draw
    x = writer.need(is_number, draw.between(1, 3), leaf=True)
    axis = draw.between(-1, len(x.shape) - 1)
    if x.shape[axis] == 0:  # nothing has an index
        return
    writer.emit(op, [x], 8.0, axis=axis, keepdims=draw.chance(0.5), last=draw.chance(0.5))


# What moves elements


@makes("reshape")
def _reshape(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    x = writer.need(any_element)
    if x.static is None:
        kept = writer.draw.between(0, len(x.shape))
        shape = [0] * kept + writer.draw.one_of(
            ([1], [-1], [1, -1], [-1, x.shape[-1] if has_elements(x.shape[-1]) else 1])
        )
    else:
        shape = reshaped(writer.draw, x.static)
        if shape and writer.draw.chance(0.3) and 0 not in shape:
            shape[writer.draw.between(0, len(shape) - 1)] = -1
    writer.emit(op, [x], x.bound, exact=True, shape=tuple(shape))


@makes("flatten")
def _flatten(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    x = writer.need(any_element)
    writer.emit(op, [x], x.bound, exact=True, axis=writer.draw.between(-len(x.shape), len(x.shape)))


@makes("squeeze")
def _squeeze(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    x = writer.pick(lambda v: 1 in v.shape) or writer.constant(writer.draw.one_of(ELEMENTS), 1, 3, 1)
    axes = writer.draw.some_of([a for a, d in enumerate(x.shape) if d == 1], 1)
    writer.emit(op, [x], x.bound, exact=True, axes=tuple(axes))


@makes("unsqueeze")
def _unsqueeze(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    x = writer.need(any_element)
    if len(x.shape) < 4:
        axes = writer.draw.one_of(((0,), (len(x.shape),), (-1,), (0, -1)))
        writer.emit(op, [x], x.bound, exact=True, axes=axes)


@makes("transpose")
def _transpose(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    x = writer.need(any_element, writer.draw.between(1, 4))
    permutation = list(range(len(x.shape)))
    writer.draw.random.shuffle(permutation)
    writer.emit(op, [x], x.bound, exact=True, permutation=tuple(permutation))


@makes("broadcast_to")
def _broadcast(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    draw = writer.draw
    x = writer.need(any_element)
    shape = [draw.one_of((2, 3)) if d == 1 and draw.chance(0.7) else -1 for d in x.shape]
    lead = [draw.between(1, 3)] if len(shape) < 3 and draw.chance(0.5) else []
    writer.emit(op, [x], x.bound, exact=True, shape=(*lead, *shape))


@makes("concat")
def _concat(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    draw = writer.draw
    x = writer.need(any_element, draw.between(1, 4))
    same = [v for v in writer.values if v.element == x.element and v.shape == x.shape]
    others = [draw.one_of(same)] if same else [x]
    if x.static is not None and draw.chance(0.4):
        others.append(writer.constant(x.element, *x.static))
    operands = [x, *others][: draw.between(1, 3)]
    if draw.chance(0.25):  # what is computed for several parts of a result
        operands.append(draw.one_of(operands))
    bound = max(v.bound for v in operands)
    writer.emit(op, operands, bound, exact=True, axis=draw.between(-1, len(x.shape) - 1))


@makes("split")
def _split(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    draw = writer.draw
    x = writer.need(any_element, draw.between(1, 4), static=True)
    axis = draw.between(0, len(x.shape) - 1)
    size = x.shape[axis]
    if has_elements(size):
        first = draw.between(1, size)
        sizes = (first, size - first) if first < size else (size,)
        writer.emit(op, [x], x.bound, exact=True, axis=axis, sizes=sizes)


@makes("slice")
def _slice(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    draw = writer.draw
    x = writer.need(any_element, draw.between(1, 4))
    rows: list[tuple[int, int, int]] = []
    for size in x.shape:
        if not has_elements(size) or draw.chance(0.3):
            rows.append((0, -1, 1))
            continue
        start, step = draw.between(0, size - 1), draw.one_of((1, 1, 2, -1, -2))
        most = (size - 1 - start) // step + 1 if step > 0 else start // -step + 1
        rows.append((start, draw.between(1, most), step))
    starts, sizes, steps = zip(*rows, strict=True)
    writer.emit(op, [x], x.bound, exact=True, starts=starts, sizes=sizes, steps=steps)


@makes("pad")
def _pad(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    draw = writer.draw
    x = writer.need(is_number, draw.between(1, 4))
    around = [[draw.one_of((0, 0, 1, 2)) if isinstance(d, int) else 0 for d in x.shape] for _ in range(2)]
    mode = draw.one_of(("constant", "constant", "reflect", "symmetric", "edge"))
    value = draw.one_of((0.0, 0.0, 1.0))
    writer.emit(
        op, [x], max(x.bound, 1.0), exact=True, before=tuple(around[0]), after=tuple(around[1]), mode=mode, value=value
    )


@makes("gather")
def _gather(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    draw = writer.draw
    x = writer.need(any_element, draw.between(1, 3))
    axis = draw.between(-1, len(x.shape) - 1)
    size = x.shape[axis]
    if has_elements(size):
        indices = writer.indices(size, *(draw.between(1, 3) for _ in range(draw.between(0, 2))))
        writer.emit(op, [x, indices], x.bound, exact=True, axis=axis)
        _inherit(writer, x)


@makes("packed_gather")
def _packed_gather(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    draw = writer.draw
    weight = writer.need(any_element, 3)
    blocks, _, size = weight.shape
    if isinstance(blocks, int) and isinstance(size, int) and blocks * size:
        rows = writer.indices(blocks * size, *(draw.between(1, 3) for _ in range(draw.between(0, 2))))
        writer.emit(op, [weight, rows], weight.bound, exact=True)


@makes("gather_elements")
def _gather_elements(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    draw = writer.draw
    x = writer.need(any_element, draw.between(1, 3), static=True)
    axis = draw.between(0, len(x.shape) - 1)
    if x.static is not None and x.static[axis]:
        chosen = [draw.between(1, 4) if d == axis else n for d, n in enumerate(x.static)]
        indices = writer.indices(x.static[axis], *chosen)
        writer.emit(op, [x, indices], x.bound, exact=True, axis=axis)
        _inherit(writer, x)


def _inherit(writer: GraphWriter, x: Value) -> None:
    """Give the last value the exactness of `x`, whose elements it selects."""
    made = writer.values[-1]
    if made.ssa.owner is writer.block.last_op:
        writer.values[-1] = Value(made.ssa, x.bound, x.is_leaf)


@makes("tile")
def _tile(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    x = writer.need(any_element, writer.draw.between(1, 3))
    repeats = tuple(writer.draw.between(1, 2) if isinstance(d, int) else 1 for d in x.shape)
    writer.emit(op, [x], x.bound, exact=True, repeats=repeats)


@makes("resize")
def _resize(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    draw = writer.draw
    method = draw.one_of(("nearest", "linear"))
    x = writer.need(is_float if method == "linear" else any_element, 4)
    coordinates = draw.one_of(("half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric"))
    rounding = draw.one_of(("round_prefer_floor", "round_prefer_ceil", "floor", "ceil"))
    values = {"method": method, "coordinates": coordinates, "rounding": rounding}
    exact = method == "nearest"
    writer.emit(op, [x], x.bound, exact=exact, axes=(2, 3), sizes=pair(writer, 1, 4), **values)


@makes("depth_to_space", "space_to_depth")
def _blocks(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    draw = writer.draw
    block = draw.one_of((1, 2, 2))
    x = writer.need(any_element, 4)
    shape = (1, 4, 2, 3) if op is graph.DepthToSpaceOp else (1, 2, 2, 4)
    if draw.chance(0.7):
        x = writer.constant(x.element, *shape)
    values: dict[str, object] = {"block": block}
    if op is graph.DepthToSpaceOp:
        values["mode"] = draw.one_of(("DCR", "CRD"))
    writer.emit(op, [x], x.bound, exact=True, **values)


@makes("constant")
def _constant(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    del op
    writer.values.append(writer.fresh(any_element))


def moved_result(writer: GraphWriter) -> None:
    """Emit a convolution or a transpose with rows long enough for vectors, read at indices that no loop runs over."""
    draw = writer.draw
    sizes = [1, *(draw.one_of((4, 8, 9, 16)) for _ in range(3))]
    image = writer.argument(graph.make_type(sizes, draw.one_of(FLOATS)))
    channels = image.shape[1]
    assert isinstance(channels, int)
    if draw.chance(0.5):
        order = draw.one_of(((0, 3, 1, 2), (0, 2, 3, 1), (0, 1, 3, 2)))
        writer.emit(graph.TransposeOp, [image], image.bound, exact=True, permutation=order)
    else:
        weight = writer.constant(image.element, draw.one_of((8, 16)), channels, 3, 3)
        writer.emit(graph.Conv2dOp, [image, weight], image.bound * channels * 9 + 1, padding=(1, 1, 1, 1))
    made = writer.values[-1] if writer.values and writer.values[-1].ssa.owner is writer.block.last_op else image
    axis = draw.between(1, 3)
    size = made.shape[axis]
    assert isinstance(size, int)
    if draw.chance(0.5):
        writer.emit(graph.GatherOp, [made, writer.indices(size, draw.between(1, 3))], made.bound, exact=True, axis=axis)
        _inherit(writer, made)
    else:
        writer.emit(
            graph.ResizeOp, [made], made.bound, axes=(2, 3), sizes=(draw.between(3, 16), draw.between(3, 16)),
            method="linear", coordinates=draw.one_of(("half_pixel", "align_corners", "asymmetric")),
            rounding="floor",
        )  # fmt: skip


def _make_the_others() -> None:
    """Register makers for the operators of a family that no function above names: on what is no result, with results
    that end."""
    families: tuple[tuple[type[graph.GraphOp], set[str], Any], ...] = (
        (graph.ReduceOp, {"axes", "keepdims"}, _reduction),
        (graph.UnaryOp, set(), _of_one),
        (graph.BinaryOp, set(), _of_two),
    )
    for name in sorted(OPERATORS.keys() & graph.OPERATIONS.keys() - MAKERS.keys()):
        operation = graph.OPERATIONS[name]
        for family, properties, maker in families:
            if issubclass(operation, family) and set(operation.get_irdl_definition().properties) == properties:
                makes(name)(maker)


def _reduction(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    x = writer.need(_accepted(op), writer.draw.between(1, 4), leaf=True)
    writer.emit(op, [x], 0.0, ends=True, axes=_axes(writer, x), keepdims=writer.draw.chance(0.5))


def _of_one(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    writer.emit(op, [writer.need(_accepted(op), leaf=True)], 0.0, ends=True)


def _of_two(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    a = writer.need(_accepted(op), leaf=True)
    b = writer.beside(a)
    if b.is_leaf:
        writer.emit(op, [a, b], 0.0, ends=True)


def _accepted(op: type[graph.GraphOp]) -> Callable[[Attribute], bool]:
    return op.ELEMENTS.accepts  # pyright: ignore[reportAttributeAccessIssue]


_make_the_others()
make_on_cases()

GROUPED = [MAKERS[name] for name in ("add", "mul", "relu", "tanh", "transpose", "sub", "clip", "conv2d", "reduce_sum")]
"""Makers of operators in fused groups."""
