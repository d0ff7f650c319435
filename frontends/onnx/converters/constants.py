"""Operators whose results are known while importing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....dialects import graph
from ....dialects.dtypes import numpy_dtype
from ....dialects.graph.sizes import difference_of, larger_of, product_of, quotient_of, sum_of
from ..node import OVERRIDE_HELP, Node, Value, dtype, rank, shape, static_dim
from ..stated_sizes import is_symbolic
from ..tensors import dtype_of, to_array
from ..text_values import as_text


def constant(node: Node) -> Value:
    (attribute,) = node.proto.attribute
    node.has_attr(attribute.name)
    match attribute.name:
        case "value":
            return to_array(attribute.t, node.importer.files)
        case "value_float":
            return np.array(attribute.f, np.float32)
        case "value_floats":
            return np.array(attribute.floats, np.float32)
        case "value_int":
            return np.array(attribute.i, np.int64)
        case "value_ints":
            return np.array(attribute.ints, np.int64)
        case "value_string":
            return as_text(attribute.s.decode())
        case "value_strings":
            return as_text([word.decode() for word in attribute.strings])
        case _:
            node.fail("TW0305", f"constants given as '{attribute.name}' are not supported")


def constant_of_shape(node: Node) -> Value:
    value = node.attr("value")
    fill = np.zeros(1, np.float32) if value is None else to_array(value, node.importer.files)
    sizes = node.sizes(0, "the shape")
    if is_symbolic({"shape": sizes}):
        return node.emit_stated(graph.StretchOp, fill.reshape(()), dims={"shape": sizes})
    return np.full([int(size) for size in sizes], fill.reshape(-1)[0], fill.dtype)


def arange(node: Node) -> Value:
    bounds = [node.constant(index, "the range") for index in range(3)]
    if any(bound.dtype == object for bound in bounds):
        return _symbolic_range(node, bounds)
    return np.arange(*(bound.item() for bound in bounds), dtype=bounds[0].dtype)


def _symbolic_range(node: Node, bounds: Sequence[np.ndarray]) -> Value:
    """Return numbers from a size, or up to one, with a constant step."""
    start, limit = (bound.item() for bound in bounds[:2])
    step = node.constant_ints(2, "the step of the range")[0]
    if step == 0:
        node.fail("TW0303", "expected a step other than 0")
    low, high = (start, limit) if step > 0 else (limit, start)
    count = quotient_of(sum_of(larger_of(difference_of(high, low), 0), abs(step) - 1), abs(step))
    numbers = node.emit_stated(graph.IotaOp, dims={"shape": [count]})
    if step != 1:
        numbers = node.emit(graph.MulOp, numbers, np.array(step))
    return numbers if start == 0 else node.emit(graph.AddOp, numbers, node.extent(start))


def shape_(node: Node) -> Value:
    """Convert Shape to the sizes, an array of objects where some are symbolic. A range of them can be asked for since
    opset 15."""
    sizes = shape(node.input(0))[node.attr("start", 0) : node.attr("end")]
    if None in sizes:
        node.fail("TW0304", "the shape has a size that is not known", help=OVERRIDE_HELP)
    symbolic = any(isinstance(size, str) for size in sizes)
    return np.array(sizes, dtype=object if symbolic else np.int64)


def size(node: Node) -> Value:
    sizes = shape(node.input(0))
    if None in sizes:
        node.fail("TW0304", "the number of elements is not known", help=OVERRIDE_HELP)
    count = product_of(1, [str(dim) for dim in sizes])
    return np.array(count, np.int64 if isinstance(count, int) else object)


def eye_like(node: Node) -> Value:
    """Convert EyeLike: ones on a diagonal of a matrix of the operand's shape."""
    x = node.input(0)
    if rank(x) != 2:
        node.fail("TW0303", f"expected a matrix, but got rank {rank(x)}")
    rows, columns = (static_dim(node, size, "a size of the matrix") for size in shape(x))
    to = node.attr("dtype")
    name = dtype(x) if to is None else dtype_of(to, "the result")
    return np.eye(rows, columns, node.attr("k"), dtype=numpy_dtype(name))
