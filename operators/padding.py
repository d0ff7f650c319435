"""
Padding of a tensor, with one value or with elements of the tensor.

Mode `reflect` mirrors about the border element, `symmetric` about the border, `edge` repeats the border element, and
`wrap` repeats the tensor periodically.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.utils.exceptions import VerifyException

from ..dialects.graph.families import Elements, MoveOp, require_held
from ..dialects.graph.properties import dims_prop, float_prop, ints_prop, string_prop
from ..dialects.graph.sizes import Dim, sum_of
from ..dialects.graph.types import Shape, element_of, format_shape
from ..dialects.graph.windows import require_ints
from .declaration import register_operator
from .deferred import np, te
from .record import FusionKind
from .shaped import StatedOp, stated_sizes
from .windows import inside


def _pad_te(
    x: te.Tensor, *, before: Sequence[Any], after: Sequence[Any], value: float = 0.0, mode: str = "constant"
) -> te.Tensor:
    shape = [low + size + high for low, size, high in zip(before, x.shape, after, strict=True)]
    return _surrounded(x, shape, before, after, value, mode)


def _surrounded(
    x: te.Tensor, shape: Sequence[Any], before: Sequence[Any], after: Sequence[Any], value: float, mode: str
) -> te.Tensor:
    """Put a tensor into a larger one; amounts that are below 0 when the program is called cut elements off."""
    if mode != "constant":
        return te.compute(shape, lambda *i: x(*_mirrored(i, x.shape, before, after, mode)), name=f"pad_{mode}")

    def element(*index: Any) -> te.Expr:
        positions = [i - low for i, low in zip(index, before, strict=True)]
        edges = zip(positions, x.shape, before, after, strict=True)
        conditions = [c for position, size, low, high in edges for c in inside(position, size, _some(low), _some(high))]
        read = x(*positions)
        return te.if_then_else(te.all(*conditions), read, _constant(value, x.dtype)) if conditions else read

    return te.compute(shape, element, name="pad")


def _some(amount: Any) -> bool:
    """Return whether there is, or may be, a margin."""
    return not isinstance(amount, int) or amount > 0


def _constant(value: float, dtype: str) -> te.Expr:
    return te.const(value if "float" in dtype else int(value), dtype)


def _mirrored(
    index: Sequence[Any], shape: Sequence[Any], before: Sequence[Any], after: Sequence[Any], mode: str
) -> list[Any]:
    """Return the index of the element that a margin repeats."""
    result: list[Any] = []
    for i, size, low, high in zip(index, shape, before, after, strict=True):
        position = i - low
        if mode == "wrap":
            result.append(te.floormod(position, size) if _some(low) or _some(high) else position)
            continue
        first = {"edge": 0 * position, "reflect": -position, "symmetric": -1 - position}[mode]
        last = {
            "edge": 0 * position + size - 1,
            "reflect": 2 * size - 2 - position,
            "symmetric": 2 * size - 1 - position,
        }[mode]
        if _some(high):
            position = te.Select(position >= size, last, position)
        if _some(low):
            position = te.Select(i - low < 0, first, position)
        result.append(position)
    return result


def _pad_reference(
    x: np.ndarray, *, before: Sequence[int], after: Sequence[int], value: float = 0.0, mode: str = "constant"
) -> np.ndarray:
    amounts = list(zip(before, after, strict=True))
    if mode == "constant":
        return np.pad(x, amounts, constant_values=x.dtype.type(value))
    return np.pad(x, amounts, mode=mode)  # pyright: ignore[reportArgumentType, reportCallIssue]


@register_operator(kind=FusionKind.INJECTIVE, reference=_pad_reference, te=_pad_te)
class PadOp(MoveOp):
    """
    Adds `before` and `after` elements around each dimension: of one value, or in mode "reflect" mirrored about the
    border elements, in mode "symmetric" about the border, in mode "edge" copies of the border elements, in mode "wrap"
    the elements of a periodic repetition of the operand.

    ```mlir
    %y = graph.pad %x before [0, 0, 1, 1] after [0, 0, 1, 1] value 0.0 : tensor<1x3x226x226xf32>
    ```
    """

    name = "graph.pad"

    before = ints_prop()
    after = ints_prop()
    value = float_prop(0.0)
    mode = string_prop("constant")

    def infer_shape(self, shape: Shape) -> Sequence[Dim]:
        before = require_ints(self.before.get_values(), len(shape), 0, "before")
        after = require_ints(self.after.get_values(), len(shape), 0, "after")
        _check_mode(self.mode.data)
        self._check_margins(shape, before, after)
        require_held(Elements.ANY.check(element_of(self.x)), self.value.value.data, "a value")
        result: list[Dim] = []
        for dim, low, high in zip(shape, before, after, strict=True):
            result.append(sum_of(dim, low + high))
        return result

    def _check_margins(self, shape: Shape, before: Sequence[int], after: Sequence[int]) -> None:
        mode = self.mode.data
        for dim, low, high in zip(shape, before, after, strict=True):
            if mode in ("edge", "wrap") and dim == 0 and max(low, high):
                raise VerifyException("expected elements that margins repeat, but there are none")
            most = {"reflect": -1, "symmetric": 0}.get(mode)
            if most is not None and isinstance(dim, int) and max(low, high) > max(dim + most, 0):
                raise VerifyException(f"expected margins of at most {dim + most} elements, but got {max(low, high)}")


def _check_mode(mode: str) -> None:
    if mode not in ("constant", "reflect", "symmetric", "edge", "wrap"):
        raise VerifyException(f"expected mode constant, reflect, symmetric, edge or wrap, but got {mode}")


def _surround_te(
    x: te.Tensor,
    *likes: te.Tensor,
    before: Sequence[int | str],
    shape: Sequence[int | str],
    value: float = 0.0,
    mode: str = "constant",
) -> te.Tensor:
    sizes, low = stated_sizes(shape, (x, *likes)), stated_sizes(before, (x, *likes))
    high = [size - extent - first for size, extent, first in zip(sizes, x.shape, low, strict=True)]
    return _surrounded(x, sizes, low, high, value, mode)


def _surround_reference(
    x: np.ndarray,
    *likes: np.ndarray,
    before: Sequence[int | str],
    shape: Sequence[int | str],
    value: float = 0.0,
    mode: str = "constant",
) -> np.ndarray:
    sizes, low = stated_sizes(shape, (x, *likes)), stated_sizes(before, (x, *likes))
    high = [size - extent - first for size, extent, first in zip(sizes, x.shape, low, strict=True)]
    more = [[max(amount, 0) for amount in amounts] for amounts in (low, high)]
    whole = _pad_reference(x, before=more[0], after=more[1], value=value, mode=mode)
    return whole[tuple(slice(max(-first, 0), max(-first, 0) + n) for first, n in zip(low, sizes, strict=True))]


@register_operator(kind=FusionKind.INJECTIVE, reference=_surround_reference, te=_surround_te)
class SurroundOp(StatedOp):
    """
    The first operand padded to a stated shape, with `before` elements before it, which are stated likewise. The padding
    is as in `graph.pad`; negative amounts crop.

    ```mlir
    %y = graph.surround %x, %z before [0, "#1.0 - #0.1"] shape [4, "#1.0 + 1"] value 0.0 : tensor<4x9xf32>
    ```
    """

    name = "graph.surround"

    before = dims_prop()
    value = float_prop(0.0)
    mode = string_prop("constant")

    def check(self, given: Shape, shape: Shape) -> None:
        _check_mode(self.mode.data)
        require_held(Elements.ANY.check(element_of(self.x)), self.value.value.data, "a value")
        before = self.stated(self.before, "before")
        if not len(given) == len(shape) == len(before):
            raise VerifyException(f"expected {len(given)} amounts and sizes, but got {format_shape(shape)}")
