"""Reductions over axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from xdsl.dialects.builtin import i64
from xdsl.irdl import operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..dialects.graph.base import GraphOp
from ..dialects.graph.families import Elements, ReduceOp, UnaryOp, reduced_type
from ..dialects.graph.properties import flag_prop, int_prop, ints_prop
from ..dialects.graph.types import Tensor, element_of, make_type, normalize_axis, shape_of
from .binary import truncating_quotient
from .declaration import register, register_operator
from .deferred import combiners, dtypes, np, te
from .elementwise import family_member
from .record import WIDE, Accumulator, FusionKind, Operator
from .sizes import number, product


class Axes:
    """The axes of a reduction: the dimensions that are kept, and the map from output indices to operand indices."""

    def __init__(self, x: te.Tensor, axes: Sequence[int], keepdims: bool):
        self._rank = x.ndim
        normal = {axis % x.ndim for axis in axes}
        self.reduced = {axis: te.reduce_axis((0, x.shape[axis]), f"k{axis}") for axis in sorted(normal)}
        self.kept = [axis for axis in range(x.ndim) if keepdims or axis not in self.reduced]
        self.shape = [1 if axis in self.reduced else x.shape[axis] for axis in self.kept]

    @property
    def axes(self) -> list[te.Axis]:
        return list(self.reduced.values())

    def full(self, index: Sequence[Any]) -> list[Any]:
        """Return the operand's index at an output index and the reduce axes."""
        at = dict(zip(self.kept, index, strict=True)) | self.reduced
        return [at[axis] for axis in range(self._rank)]


def _body(kind: str, name: str) -> Callable[..., te.Tensor]:
    """Return the body that combines elements, in the type `sums` where one is given."""

    def body(x: te.Tensor, *, axes: Sequence[int], keepdims: bool, sums: str = "") -> te.Tensor:
        over = Axes(x, axes, keepdims)

        def element(*index: Any) -> te.Expr:
            value = x(*over.full(index)).astype(sums or x.dtype)
            return getattr(te, kind)(value, axis=over.axes) if over.axes else value

        return te.compute(over.shape, element, name=name)

    return body


def _reference(function: str | Callable[..., Any]) -> Callable[..., np.ndarray]:
    """Return the reference of a reduction: sums and products of floats are taken in float64 and rounded once; integers
    wrap in the type of the operand."""

    def reference(x: np.ndarray, *, axes: Sequence[int], keepdims: bool) -> np.ndarray:
        wide = x if np.issubdtype(x.dtype, np.integer) else x.astype(np.float64)
        combine = getattr(np, function) if isinstance(function, str) else function
        return np.asarray(combine(wide, axis=tuple(axes), keepdims=keepdims)).astype(x.dtype)

    return reference


def _mean(x: np.ndarray, *, axis: tuple[int, ...], keepdims: bool) -> np.ndarray:
    """Compute a mean: 0 / 0 where there are no elements, without numpy's warning of it; a quotient of integers is cut
    off at zero."""
    wide = _wide_of_mean(x.dtype.name)
    total, count = np.sum(x, axis=axis, keepdims=keepdims, dtype=wide), product([x.shape[a] for a in axis])
    return truncating_quotient(np.asarray(total), np.asarray(count).astype(wide))


def _wide_of_mean(dtype: str) -> str:
    """Return the type in which integers are added up and divided, so that neither sums nor counts leave it."""
    return dtype if "float" in dtype else "uint64" if dtype.startswith("u") else "int64"


def _mean_te(x: te.Tensor, *, axes: Sequence[int], keepdims: bool, sums: str) -> te.Tensor:
    sums = _wide_of_mean(sums)
    total = _body("sum", "reduce_sum")(x, axes=axes, keepdims=keepdims, sums=sums)
    divisor = number(product([x.shape[axis] for axis in axes]), sums)
    return te.compute(total.shape, lambda *i: te.div(total(*i), divisor), name="reduce_mean")


def _logical_te(kind: str, name: str) -> Callable[..., te.Tensor]:
    """Return a function that computes whether all, or any, elements are true: the least, or greatest, of zeros and
    ones.

    The result for no elements is the greatest or the least int8.
    """

    def body(x: te.Tensor, *, axes: Sequence[int], keepdims: bool) -> te.Tensor:
        over = Axes(x, axes, keepdims)
        if not over.axes:
            return te.compute(x.shape, lambda *i: x(*i), name=name)
        ones = te.compute(
            over.shape,
            lambda *i: getattr(te, kind)(x(*over.full(i)).astype("int8"), axis=over.axes),
            name=f"{name}_ones",
        )
        return te.compute(ones.shape, lambda *i: ones(*i) > 0, name=name)

    return body


def _logical_reference(function: str) -> Callable[..., np.ndarray]:
    return lambda x, axes, keepdims: np.asarray(getattr(np, function)(x, axis=tuple(axes), keepdims=keepdims))


def arg_reducer(kind: str, last: bool) -> Any:
    """Return the combiner of a position and the element there: the better element wins, of equals the better
    position."""

    def better(a: Any, b: Any) -> te.Expr:
        return a > b if kind == "max" else a < b

    def combine(a: Any, b: Any) -> tuple[Any, Any]:
        tie = te.any(a[1] == b[1], te.all(te.isnan(a[1]), te.isnan(b[1])))
        earlier = a[0] > b[0] if last else a[0] < b[0]
        wins = te.any(better(a[1], b[1]), te.all(te.isnan(a[1]), ~te.isnan(b[1])), te.all(tie, earlier))
        return te.Select(wins, a[0], b[0]), te.Select(wins, a[1], b[1])

    return te.comm_reducer(combine, lambda position, value: _worst(kind, last, position, value), name=f"arg{kind}")


def arg_te(kind: str) -> Callable[..., te.Tensor]:
    """Return the body that finds the position of the greatest or least element, the first of several by default; a NaN
    is greater and less than all.
    """

    def body(x: te.Tensor, *, axis: int, keepdims: bool, last: bool = False, dtype: str = "int64") -> te.Tensor:
        reducer = arg_reducer(kind, last)
        over = Axes(x, [axis], keepdims)

        def element(*index: Any) -> tuple[te.Expr, ...]:
            return reducer((over.axes[0].astype(dtype), x(*over.full(index))), axis=over.axes)

        return te.compute(over.shape, element, name=f"arg{kind}")[0]

    return body


def _worst(kind: str, last: bool, position: str, value: str) -> tuple[te.Expr, te.Expr]:
    """Return the identity of the reducer: a position and a value against which every element wins."""
    info = dtypes.dtype_info(value)
    if info.is_float:
        worst = te.const(float("-inf" if kind == "max" else "inf"), value)
    else:
        worst = te.min_value(value) if kind == "max" else te.max_value(value)
    return te.const(-1, position) if last else te.max_value(position), worst


def _extreme_reference(kind: str) -> Callable[..., np.ndarray]:
    """Return the reference of a least or greatest element. Of no elements the result is the least number, or the
    greatest, of the element type; of floats an infinity."""

    def reference(x: np.ndarray, *, axes: Sequence[int], keepdims: bool) -> np.ndarray:
        start = combiners.identity(kind, x.dtype.name)
        return np.asarray(getattr(np, kind)(x, axis=tuple(axes), keepdims=keepdims, initial=start)).astype(x.dtype)

    return reference


def _arg_reference(kind: str) -> Callable[..., np.ndarray]:
    def reference(x: np.ndarray, *, axis: int, keepdims: bool, last: bool = False, dtype: str = "int64") -> np.ndarray:
        turned = np.flip(x, axis) if last else x
        position = getattr(np, f"arg{kind}")(turned, axis=axis, keepdims=keepdims)
        return np.asarray(x.shape[axis] - 1 - position if last else position).astype(dtype)

    return reference


def _reduction(
    kind: str,
    meaning: str,
    elements: Elements,
    reference: Callable[..., Any],
    body: Callable[..., te.Tensor],
    accumulator: Accumulator | None = None,
) -> type[ReduceOp]:
    name = f"reduce_{kind}"
    example = f"%y = graph.{name} %x axes [2, 3] keepdims : tensor<1x8x1x1xf32>"
    operation = family_member(ReduceOp, name, f"{meaning} along axes.", example, elements)
    return register(Operator(name, FusionKind.REDUCTION, reference, body, accumulator=accumulator), operation, elements)


ReduceSumOp = _reduction("sum", "The sum", Elements.NUMBER, _reference("sum"), _body("sum", "reduce_sum"), WIDE)
ReduceMeanOp = _reduction("mean", "The mean", Elements.NUMBER, _reference(_mean), _mean_te, WIDE)
ReduceMaxOp = _reduction(
    "max", "The greatest element", Elements.NUMBER, _extreme_reference("max"), _body("max", "reduce_max")
)
ReduceMinOp = _reduction(
    "min", "The least element", Elements.NUMBER, _extreme_reference("min"), _body("min", "reduce_min")
)
ReduceProdOp = _reduction(
    "prod", "The product", Elements.NUMBER, _reference("prod"), _body("prod", "reduce_prod"), WIDE
)


def _range_reducer() -> Any:
    """Return the combiner of the least and the greatest element."""

    def combine(a: Any, b: Any) -> tuple[Any, Any]:
        return te.minimum(a[0], b[0]), te.maximum(a[1], b[1])

    def start(low: str, high: str) -> tuple[te.Expr, te.Expr]:
        return te.const(combiners.identity("min", low), low), te.const(combiners.identity("max", high), high)

    return te.comm_reducer(combine, start, name="reduce_range")


def _range_te(x: te.Tensor, *, axes: Sequence[int], keepdims: bool) -> tuple[te.Tensor, ...]:
    over, reducer = Axes(x, axes, keepdims), _range_reducer()

    def element(*index: Any) -> tuple[te.Expr, ...]:
        value = x(*over.full(index))
        return reducer((value, value), axis=over.axes) if over.axes else (value, value)

    return te.compute(over.shape, element, name="reduce_range")


def _range_reference(x: np.ndarray, *, axes: Sequence[int], keepdims: bool) -> tuple[np.ndarray, ...]:
    return tuple(_extreme_reference(kind)(x, axes=axes, keepdims=keepdims) for kind in ("min", "max"))


@register_operator(kind=FusionKind.OPAQUE, reference=_range_reference, te=_range_te)
class ReduceRangeOp(GraphOp):
    """
    The least and the greatest element along axes, read once; `keepdims` leaves these as dimensions of size 1.

    ```mlir
    %low, %high = graph.reduce_range %x axes [0, 1] : tensor<f32>, tensor<f32>
    ```
    """

    name = "graph.reduce_range"

    x = operand_def()
    low = result_def()
    high = result_def()

    axes = ints_prop()
    keepdims = flag_prop()

    def infer_types(self) -> tuple[Tensor, ...]:
        kept = reduced_type(self.x, self.axes.get_values(), self.keepdims is not None, Elements.NUMBER)
        return kept, kept


class _ArgOp(UnaryOp):
    """The position of one element along an axis."""

    ELEMENTS: ClassVar[Elements] = Elements.NUMBER

    axis = int_prop()
    keepdims = flag_prop()
    last = flag_prop()

    def infer_types(self) -> tuple[Tensor, ...]:
        self.ELEMENTS.check(element_of(self.x))
        shape = shape_of(self.x)
        axis = normalize_axis(self.axis.value.data, len(shape))
        if shape[axis] == 0:
            raise VerifyException(f"expected elements along axis {axis}, but there are none")
        middle = () if self.keepdims is None else (1,)
        return (make_type((*shape[:axis], *middle, *shape[axis + 1 :]), i64),)


@register_operator(kind=FusionKind.REDUCTION, reference=_arg_reference("max"), te=arg_te("max"))
class ArgmaxOp(_ArgOp):
    """
    The position of the greatest element along an axis: of equals the first, with `last` the last; a NaN is the
    greatest.

    ```mlir
    %y = graph.argmax %x axis 1 keepdims : tensor<2x1xi64>
    ```
    """

    name = "graph.argmax"


@register_operator(kind=FusionKind.REDUCTION, reference=_arg_reference("min"), te=arg_te("min"))
class ArgminOp(_ArgOp):
    """
    The position of the least element along an axis: of equals the first, with `last` the last; a NaN is the least.

    ```mlir
    %y = graph.argmin %x axis 1 last : tensor<2xi64>
    ```
    """

    name = "graph.argmin"


@register_operator(kind=FusionKind.REDUCTION, reference=_logical_reference("all"), te=_logical_te("min", "reduce_all"))
class ReduceAllOp(ReduceOp):
    """True where all elements along axes are true.

    ```mlir
    %y = graph.reduce_all %x axes [1] keepdims : tensor<2x1xi1>
    ```
    """

    name = "graph.reduce_all"
    ELEMENTS: ClassVar[Elements] = Elements.BOOL


@register_operator(kind=FusionKind.REDUCTION, reference=_logical_reference("any"), te=_logical_te("max", "reduce_any"))
class ReduceAnyOp(ReduceOp):
    """True where an element along axes is true.

    ```mlir
    %y = graph.reduce_any %x axes [1] : tensor<2xi1>
    ```
    """

    name = "graph.reduce_any"
    ELEMENTS: ClassVar[Elements] = Elements.BOOL
