"""
The distinct elements of a vector, and their positions.

For every element, the first equal element is found by n independent comparisons. On a CPU elements are sorted instead,
so that equal ones are adjacent. All NaNs are equal, and greater than all numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import i64
from xdsl.irdl import operand_def, result_def

from ..dialects.graph.base import GraphOp
from ..dialects.graph.families import Elements
from ..dialects.graph.properties import flag_prop
from ..dialects.graph.types import Tensor, element_of, make_type, require_rank, tensor_type
from ..renamed import with_earlier_members
from .declaration import register_operator
from .deferred import np, te
from .record import FusionKind
from .sorting import distributed_order, ordered

if TYPE_CHECKING:
    from xdsl.ir import SSAValue


def _unique_te(x: te.Tensor, *, by_appearance: bool) -> tuple[te.Tensor, ...]:
    (size,) = x.shape

    def over(name: str) -> te.Axis:
        return te.reduce_axis((0, size), name)

    def same(a: te.Expr, b: te.Expr) -> te.Expr:
        return te.any(a == b, te.all(te.isnan(a), te.isnan(b)))

    def number(i: Any) -> te.Expr:
        return i.astype("int64")

    j = over("j")
    none = te.max_value("int64")
    firsts = te.compute(
        (size,), lambda i: te.min(te.Select(same(x[i], x[j]), number(j), none), axis=j), name="first_equal"
    )
    other = over("other")

    def before(i: Any) -> te.Expr:
        """Return whether the element at `other` is the first of its equals and these precede the value of element i."""
        earlier = te.any(x[other] < x[i], te.all(te.isnan(x[i]), ~te.isnan(x[other])))
        comes = number(other) < firsts[i] if by_appearance else earlier
        return te.all(firsts[other] == number(other), comes)

    inverse = te.compute((size,), lambda i: te.sum(before(i).astype("int64"), axis=other), name="inverse")
    source, kind = over("own"), over("kind")

    def first(p: Any) -> te.Expr:
        found = te.all(firsts[source] == number(source), inverse[source] == number(p))
        return te.max(te.Select(found, number(source), te.const(0, "int64")), axis=source)

    indices = te.compute((size,), first, name="indices")
    counts = te.compute(
        (size,), lambda p: te.sum((inverse[kind] == number(p)).astype("int64"), axis=kind), name="counts"
    )
    position = over("place")
    count = te.compute(
        (1,), lambda _: te.sum((firsts[position] == number(position)).astype("int64"), axis=position), name="count"
    )
    values = te.compute((size,), lambda p: x[te.minimum(te.maximum(indices[p], 0), size - 1)], name="values")
    return values, indices, inverse, counts, count


def _unique_on_cpu(x: te.Tensor, *, by_appearance: bool) -> tuple[te.Tensor, ...]:
    from .nests.distinct import number_kinds

    def statement(builder: Any, *buffers: SSAValue) -> None:
        number_kinds(builder, by_appearance, *buffers)

    shape = (x.shape[0],)
    results = te.extern(
        [shape, shape, shape, shape, (1,), shape, shape],
        [x, distributed_order(x, 0, descending=False)],
        lambda ins, outs: statement,
        name="unique",
        dtype=[x.dtype, *["int64"] * 6],
    )
    return tuple(results[:5])


def _unique_reference(x: np.ndarray, *, by_appearance: bool) -> tuple[np.ndarray, ...]:
    values, indices, inverse, counts = np.unique(ordered(x), return_index=True, return_inverse=True, return_counts=True)
    inverse = inverse.reshape(-1)
    if by_appearance:
        order = np.argsort(indices)
        positions = np.argsort(order)
        values, indices, counts, inverse = values[order], indices[order], counts[order], positions[inverse]
    rest = len(x) - len(values)
    parts = (np.append(values, [x[0]] * rest) if rest else values, np.append(indices, [0] * rest), inverse)
    numbers = [part.astype(np.int64) for part in (*parts[1:], np.append(counts, [0] * rest), np.array([len(values)]))]
    return (parts[0].astype(x.dtype), *numbers)


@with_earlier_members
@register_operator(kind=FusionKind.OPAQUE, reference=_unique_reference, te=_unique_te, te_on_cpu=_unique_on_cpu)
class UniqueOp(GraphOp):
    """
    The distinct elements of a vector in ascending order, or in the order of their first appearance; the position of the
    first appearance of each; for each element of the vector the index of its distinct element; the number of
    appearances of each; and the number `count` of distinct elements. The first, second and fourth result are as long as
    the vector. Beyond the first `count` they contain the vector's first element, position 0 and count 0.

    ```mlir
    %values, %indices, %inverse, %counts, %count = graph.unique %x :
        tensor<7xf32>, tensor<7xi64>, tensor<7xi64>, tensor<7xi64>, tensor<1xi64>
    ```
    """

    name = "graph.unique"

    x = operand_def()
    distinct = result_def()
    indices = result_def()
    inverse = result_def()
    counts = result_def()
    count = result_def()

    by_appearance = flag_prop()

    def infer_types(self) -> tuple[Tensor, ...]:
        Elements.NUMBER.check(element_of(self.x))
        (size,) = require_rank(self.x, 1, "a vector")
        numbers = make_type((size,), i64)
        return (tensor_type(self.x), numbers, numbers, numbers, make_type((1,), i64))
