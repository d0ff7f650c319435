"""Data movement: reshapes, transpositions, slices, concatenations and copies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..lazy import unknown_name
from ..operators import get_operator
from ..operators.sizes import is_one, product, same_size
from ..te import Tensor
from ..te.shapes import as_shape, as_size, format_shape
from .arguments import a_list, a_tensor, accepts, an_axis, an_integer, apply, one_of, refuse, require_size, some_axes
from .loaded_slices import slice_at


def reshape(a: Tensor, newshape: Any) -> Tensor:
    """Return the same elements in row-major order under another shape; one -1 stands for the remaining size."""
    x = a_tensor(a, "the operand")
    given = list(newshape) if isinstance(newshape, (tuple, list)) else [newshape]
    open_axes = [d for d, size in enumerate(given) if isinstance(size, int) and size == -1]
    if len(open_axes) > 1:
        refuse("TW0446", f"expected at most one -1 in a shape, but got {given}")
    sizes = [size if d in open_axes else as_size(size, f"dimension {d} of the shape") for d, size in enumerate(given)]
    if open_axes:
        sizes[open_axes[0]] = _remaining(x, [size for d, size in enumerate(sizes) if d not in open_axes])
    elif not same_size(product(x.shape), product(sizes)):
        refuse(
            "TW0446",
            f"expected a shape of as many elements as {x.name!r} of shape {format_shape(x.shape)} has, "
            f"but got {format_shape(sizes)}",
        )
    return apply("reshape", x, shape=sizes, literal=True)


def _remaining(x: Tensor, given: Sequence[Any]) -> Any:
    """Return the size that -1 stands for beside the given sizes.

    Sizes that the operand has too cancel out, so that these are not divided.
    """
    left, divisors = list(x.shape), []
    for size in given:
        same = next((k for k, extent in enumerate(left) if same_size(extent, size)), None)
        if same is None:
            divisors.append(size)
        else:
            del left[same]
    total, taken = product(left), product(divisors)
    if isinstance(total, int) and isinstance(taken, int) and (taken == 0 or total % taken):
        refuse("TW0446", f"expected sizes that divide {format_shape(x.shape)} of {x.name!r}, but got {list(given)}")
    return total if is_one(taken) else total // taken


def transpose(a: Tensor, axes: Sequence[int] | None = None) -> Tensor:
    """Return the operand with its dimensions in another order, reversed by default."""
    x = a_tensor(a, "the operand")
    order = some_axes(axes, x.ndim) if axes is not None else tuple(reversed(range(x.ndim)))
    if len(order) != x.ndim:
        refuse("TW0441", f"expected an order of {x.ndim} axes, but got {list(order)}")
    return apply("transpose", x, permutation=order)


def expand_dims(a: Tensor, axis: int, num_newaxis: int = 1) -> Tensor:
    """Return the operand with new dimensions of size 1, the first of them at `axis` of the result."""
    x = a_tensor(a, "the operand")
    count = an_integer(num_newaxis, "the number of dimensions", 0)
    first = an_axis(axis, x.ndim + 1)
    return apply("unsqueeze", x, axes=tuple(range(first, first + count)))


def squeeze(a: Tensor, axis: int | Sequence[int] | None = None) -> Tensor:
    """Return the operand without dimensions of size 1: all of them, or those given."""
    x = a_tensor(a, "the operand")
    if axis is None:
        axes: Sequence[int] = [d for d, size in enumerate(x.shape) if is_one(size)]
    else:
        axes = some_axes(axis, x.ndim)
    for d in axes:
        require_size(x.shape[d], 1, f"dimension {d} of {x.name!r}")
    return apply("squeeze", x, axes=axes)


def broadcast_to(data: Tensor, shape: Any) -> Tensor:
    """Return the operand stretched to a shape, as a binary operator would."""
    x = a_tensor(data, "the operand")
    wanted = as_shape(shape, "broadcast_to")
    aligned = wanted[len(wanted) - x.ndim :]
    if len(wanted) < x.ndim or not all(is_one(a) or same_size(a, b) for a, b in zip(x.shape, aligned, strict=True)):
        refuse(
            "TW0440",
            f"expected a shape that {format_shape(x.shape)} of {x.name!r} stretches to, but got {format_shape(wanted)}",
        )
    return apply("broadcast_to", x, shape=wanted)


def concatenate(a_tuple: Sequence[Tensor], axis: int = 0) -> Tensor:
    """Return tensors joined along an axis; their other dimensions are equal."""
    inputs = _several(a_tuple)
    dimension = an_axis(axis, inputs[0].ndim)
    for k, tensor in enumerate(inputs[1:], 1):
        _require_alike(tensor, inputs[0], k, skip=dimension)
    return apply("concat", *inputs, axis=dimension)


@accepts(a="tensors")
def stack(tensors: Sequence[Tensor], axis: int = 0) -> Tensor:
    """Return tensors of one shape joined along a new dimension."""
    inputs = _several(tensors)
    for k, tensor in enumerate(inputs[1:], 1):
        _require_alike(tensor, inputs[0], k, skip=None)
    return apply("stack", *inputs, axis=an_axis(axis, inputs[0].ndim + 1))


def _several(tensors: Sequence[Tensor]) -> list[Tensor]:
    if isinstance(tensors, Tensor) or not tensors:
        refuse("TW0447", f"expected a list of tensors, but got {tensors!r}")
    return [a_tensor(tensor, f"operand {k}") for k, tensor in enumerate(a_list(tensors, "tensors"))]


def _require_alike(tensor: Tensor, first: Tensor, number: int, *, skip: int | None) -> None:
    """Require the sizes and the type of the first tensor, but for one axis."""
    a_tensor(tensor, f"operand {number}", first.ndim)
    for d, (size, expected) in enumerate(zip(tensor.shape, first.shape, strict=True)):
        if d != skip:
            require_size(size, expected, f"dimension {d} of operand {number}")
    if tensor.dtype != first.dtype:
        refuse("TW0447", f"expected operand {number} of {first.dtype}, but got {tensor.dtype}")


def split(ary: Tensor, indices_or_sections: int | Sequence[int], axis: int = 0) -> list[Tensor]:
    """Return pieces along an axis: so many equal ones, or cut in front of the indices given."""
    x = a_tensor(ary, "the operand")
    dimension = an_axis(axis, x.ndim)
    size = x.shape[dimension]
    if not isinstance(size, int):
        refuse("TW0446", f"expected a known size along axis {dimension} to split, but got {size}")
    if isinstance(indices_or_sections, (tuple, list)):
        bounds = [0, *(an_integer(bound, "an index to split at", 0) for bound in indices_or_sections), size]
        if bounds != sorted(bounds):
            refuse(
                "TW0446", f"expected rising indices of at most {size} to split at, but got {list(indices_or_sections)}"
            )
        sizes = [end - start for start, end in zip(bounds, bounds[1:], strict=False)]
    else:
        count = an_integer(indices_or_sections, "the number of sections", 1)
        if size % count:
            refuse("TW0446", f"expected sections that divide {size}, but got {count}")
        sizes = [size // count] * count
    pieces = get_operator("split").te(x, axis=dimension, sizes=sizes)
    return [pieces] if isinstance(pieces, Tensor) else list(pieces)


def strided_slice(
    a: Tensor,
    begin: Sequence[int] | Tensor,
    end: Sequence[int] | Tensor,
    strides: Sequence[int] | Tensor | None = None,
    axes: Sequence[int] | None = None,
    slice_mode: str = "end",
) -> Tensor:
    """Return Python's slice of each axis, or of those given: bounds count from the end where they are negative, and an
    axis without them is taken whole. With `slice_mode` "size", `end` is how many elements to take, all where it is
    negative. Bounds may be vectors of integers: the sizes of the result are then those of the array that the program
    writes.
    """
    x = a_tensor(a, "the operand")
    if any(isinstance(each, Tensor) for each in (begin, end, strides)):
        if axes is not None or slice_mode != "end":
            refuse("TW0446", "expected bounds that are tensors for the first axes, and ends instead of sizes")
        return slice_at(x, begin, end, strides)
    first, last, steps = _slice_bounds(begin, end, strides, slice_mode)
    dimensions = some_axes(axes, x.ndim) if axes is not None else tuple(range(len(first)))
    if not len(first) == len(last) == len(steps) == len(dimensions) <= x.ndim:
        refuse("TW0446", f"expected bounds and strides for {len(dimensions)} axes, but got {first}, {last} and {steps}")
    parts: list[tuple[Any, Any, int]] = [(0, size, 1) for size in x.shape]
    for axis, start, stop, step in zip(dimensions, first, last, steps, strict=True):
        parts[axis] = _bounds(x.shape[axis], start, stop, step)
    starts, sizes, strides_of_all = zip(*parts, strict=True) if parts else ((), (), ())
    return apply("slice", x, starts=starts, sizes=sizes, steps=strides_of_all)


def _slice_bounds(
    begin: Any, end: Any, strides: Any, slice_mode: str
) -> tuple[list[int | None], list[int | None], list[int]]:
    """Return bounds and steps, as many of each; those that are left out take the rest of an axis."""
    one_of(slice_mode, ("end", "size"), "slice mode")
    first, last, steps = (
        [] if given is None else [_bound(v) for v in a_list(given, "bounds")] for given in (begin, end, strides)
    )
    if slice_mode == "size":
        last = [
            None if count is None or count < 0 else (at or 0) + count for at, count in zip(first, last, strict=False)
        ]
        steps = []
    last += [None] * (len(first) - len(last))
    return first, last, [1 if step is None else step for step in steps] + [1] * (len(first) - len(steps))


def _bound(given: Any) -> int | None:
    """Return a bound of a slice as a number; None takes the rest of the axis."""
    value = getattr(given, "value", given)
    return None if value is None else an_integer(value, "a bound")


def _bounds(size: Any, begin: int | None, end: int | None, step: int) -> tuple[Any, Any, int]:
    """Return (first index, number of elements, step) of a slice of one axis."""
    if step == 0:
        refuse("TW0446", "expected a stride other than 0")
    if isinstance(size, int):
        chosen = range(size)[slice(begin, None if step < 0 and (end or 0) < -size else end, step)]
        return (chosen.start if chosen else 0), len(chosen), step
    begin = 0 if begin is None else begin
    if end is None and begin >= 0 and step > 0:
        return begin, (size - begin + (step - 1)) // step, step
    if begin < 0 or end is None or end >= 0 or step < 0:
        refuse(
            "TW0446",
            f"expected a slice of the symbolic size {size} to start at the front and end at the back, "
            f"but got {begin} to {end} by {step}",
            help="give begin >= 0, end < 0 and a positive stride",
        )
    return begin, (size + (end - begin) + (step - 1)) // step, step


def flip(a: Tensor, axis: int | Sequence[int] = 0) -> Tensor:
    """Return elements in the opposite order along axes."""
    x = a_tensor(a, "the operand")
    return apply("flip", x, axes=some_axes(axis, x.ndim))


def tile(a: Tensor, reps: int | Sequence[int]) -> Tensor:
    """Return the whole tensor repeated along each axis, aligned at the last one."""
    x = a_tensor(a, "the operand")
    given = reps if isinstance(reps, (tuple, list)) else (reps,)
    return apply("tile", x, repeats=[an_integer(count, "a count of repeats", 0) for count in given])


def repeat(a: Tensor, repeats: int, axis: int) -> Tensor:
    """Return each element repeated along an axis."""
    x = a_tensor(a, "the operand")
    return apply("repeat", x, repeats=an_integer(repeats, "a count of repeats", 1), axis=an_axis(axis, x.ndim))


def __getattr__(name: str) -> Any:
    """Return another operator of topi, of which classic programs name some by this module."""
    from .. import topi

    if name not in topi.__all__:
        raise unknown_name(__name__, name, topi.__all__)
    return getattr(topi, name)
