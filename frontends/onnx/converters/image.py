"""Operators that resize images, and space-to-depth and depth-to-space rearrangements."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ....dialects import graph
from ....dialects.graph import Dim
from ....dialects.graph.sizes import factors_of, larger_of, may_be_zero, quotient_of, times
from ....operators.resize import COORDINATES, METHODS, ROUNDINGS
from ..interpolation import POSITIONS, ResizedAxis, nearest, taps
from ..node import Node, Value, dtype, in_float, rank, scalar, shape, static_dim


def depth_to_space(node: Node) -> Value:
    return node.emit(graph.DepthToSpaceOp, node.input(0), block=node.attr("blocksize"), mode=node.attr("mode", "DCR"))


def space_to_depth(node: Node) -> Value:
    return node.emit(graph.SpaceToDepthOp, node.input(0), block=node.attr("blocksize"), mode=node.attr("mode", "DCR"))


def upsample(node: Node) -> Value:
    """Resize before opset 10: scales only, pixels at multiples of the scale."""
    scales = list(node.attr("scales")) if node.opset < 9 else _scales(node, 1)
    return _resized(node, scales, None, _Rules("asymmetric", "floor"))


def resize(node: Node) -> Value:
    """Convert Resize: by scales (the second or third input) or by sizes (the fourth); opset 10 knows scales only."""
    if node.opset < 11:
        return _resized(node, _scales(node, 1), None, _Rules("asymmetric", "floor"))
    coordinates = node.attr("coordinate_transformation_mode")
    rules = _Rules(
        coordinates,
        node.attr("nearest_mode"),
        float(node.attr("cubic_coeff_a")),
        node.flag("antialias", 0),
        node.flag("exclude_outside"),
        node.attr("keep_aspect_ratio_policy", "stretch"),
        float(node.attr("extrapolation_value")),
        tuple(node.numbers(1, "the region").astype(float)) if coordinates == "tf_crop_and_resize" else (),
    )
    if coordinates not in POSITIONS:
        node.fail("TW0303", f"expected one of {', '.join(POSITIONS)}, but got {coordinates}")
    sizes = node.sizes(3, "the sizes") if node.has(3) else None
    return _resized(node, None if sizes else _scales(node, 2), sizes, rules)


def _scales(node: Node, index: int) -> list[float]:
    return [float(scale) for scale in node.numbers(index, "the scales")]


@dataclass(frozen=True)
class _Rules:
    """The attributes of a node that interpolates, beside its mode."""

    coordinates: str
    rounding: str
    cubic: float = -0.75
    antialias: bool = False
    exclude_outside: bool = False
    policy: str = "stretch"
    beyond: float = 0.0
    region: tuple[float, ...] = ()


def _resized(node: Node, scales: Sequence[float] | None, sizes: Sequence[Dim] | None, rules: _Rules) -> Value:
    x, mode = node.input(0), node.attr("mode", "nearest")
    if mode not in ("nearest", "linear", "cubic"):
        node.fail("TW0303", f"expected mode nearest, linear or cubic, but got {mode}")
    if rules.rounding not in ROUNDINGS:
        node.fail("TW0303", f"expected a nearest_mode of {', '.join(ROUNDINGS)}, but got {rules.rounding}")
    if mode != "nearest":
        return in_float(node, x, lambda floats: _resized_floats(node, floats, mode, scales, sizes, rules))
    return _resized_floats(node, x, mode, scales, sizes, rules)


def _resized_floats(
    node: Node,
    x: Value,
    mode: str,
    scales: Sequence[float] | None,
    sizes: Sequence[Dim] | None,
    rules: _Rules,
) -> Value:
    """Return the image at its other sizes; elements of any type where the nearest one is taken."""
    listed_axes = node.attr("axes") if node.has_attr("axes") else range(rank(x))
    chosen = [node.axis(axis, rank(x)) for axis in listed_axes]
    plain = mode in METHODS and rules.coordinates in COORDINATES and not rules.antialias and not rules.exclude_outside
    stated = _stated_axes(x, chosen, scales, sizes, rules.coordinates) if plain and rules.policy == "stretch" else None
    if stated is not None:
        return _rescaled(node, x, mode, rules, stated)
    known = None if sizes is None else [static_dim(node, size, "a size") for size in sizes]
    axes = _axes(node, x, chosen, scales, known, rules)
    if plain and all(axis.is_plain for axis in axes):
        return _resized_by_operator(node, x, mode, rules, [axis for axis in axes if axis.size != axis.out])
    beyond: list[Value] = []
    for axis in axes:
        x = _along(node, x, mode, rules, axis, beyond)
    return _filled(node, x, beyond, rules.beyond)


@dataclass(frozen=True)
class _StatedAxis:
    """An axis, its new size, and the scale where that is a number."""

    axis: int
    out: Dim
    scale: Fraction | None


def _stated_axes(
    x: Value, axes: Sequence[int], scales: Sequence[float] | None, sizes: Sequence[Dim] | None, coordinates: str
) -> list[_StatedAxis] | None:
    """Return the axes that change, where sizes are symbolic and positions follow from them or from scales; None
    elsewhere."""
    found: list[_StatedAxis] = []
    for k, axis in enumerate(axes):
        size = shape(x)[axis]
        if scales is not None:
            scale = Fraction(scales[k]).limit_denominator(1 << 16)
            out = quotient_of(times(size, scale.numerator), scale.denominator)
        else:
            assert sizes is not None
            out = sizes[k]
            scale = _scale_of(size, out)
        if scale == 1:
            continue
        if scale is not None and scale.denominator != 1 and coordinates not in ("half_pixel", "asymmetric"):
            return None  # positions depend on the size before it was cut to a whole number
        found.append(_StatedAxis(axis, out, scale))
    is_open = any(isinstance(dim, str) for each in found for dim in (each.out, shape(x)[each.axis]))
    return found if is_open else None


def _scale_of(size: Dim, out: Dim) -> Fraction | None:
    """Return the factor from a size to another one, if it is one whole number for all sizes."""
    (number, names), (count, others) = factors_of(size), factors_of(out)
    is_known = number and None not in names and sorted(map(str, names)) == sorted(map(str, others))
    return Fraction(count // number) if is_known and count % number == 0 and (names or count == number) else None


def _rescaled(node: Node, x: Value, mode: str, rules: _Rules, axes: Sequence[_StatedAxis]) -> Value:
    for each in axes:
        size = shape(x)[each.axis]
        if each.scale is None and isinstance(size, str) and may_be_zero(size):
            x = node.matched(x, each.axis, larger_of(size, 1))  # there are elements to interpolate
    sizes = list(shape(x))
    for each in axes:
        sizes[each.axis] = each.out
    return node.emit_stated(
        graph.RescaleOp,
        x,
        dims={"shape": sizes},
        axes=[each.axis for each in axes],
        new=[each.scale.numerator if each.scale else 0 for each in axes],
        old=[each.scale.denominator if each.scale else 1 for each in axes],
        method=mode,
        coordinates=rules.coordinates,
        rounding=rules.rounding,
    )


def _axes(
    node: Node,
    x: Value,
    axes: Sequence[int],
    scales: Sequence[float] | None,
    sizes: Sequence[int] | None,
    rules: _Rules,
) -> list[ResizedAxis]:
    """Return the axes that change, each with its scale and its region."""
    known = [
        0 if scales is not None and scales[k] == 1 and not rules.region else static_dim(node, shape(x)[axis], "a size")
        for k, axis in enumerate(axes)
    ]
    if scales is None:
        assert sizes is not None
        scales = [out / size for out, size in zip(sizes, known, strict=True)]
        if rules.policy != "stretch":
            bound = {"not_larger": min, "not_smaller": max}.get(rules.policy)
            if bound is None:
                node.fail("TW0303", f"expected stretch, not_larger or not_smaller, but got {rules.policy}")
            scales = [bound(scales)] * len(axes)
            sizes = [int(scales[0] * size + 0.5) for size in known]
    regions = [(rules.region[k], rules.region[len(axes) + k]) if rules.region else (0.0, 1.0) for k in range(len(axes))]
    found: list[ResizedAxis] = []
    for k, (axis, size, scale, region) in enumerate(zip(axes, known, scales, regions, strict=True)):
        out = sizes[k] if sizes is not None else math.floor(size * Fraction(scale).limit_denominator(1 << 16))
        if scale != 1 or out != size or region != (0.0, 1.0):
            found.append(ResizedAxis(axis, size, out, scale, region))
    return found


def _resized_by_operator(node: Node, x: Value, mode: str, rules: _Rules, axes: Sequence[ResizedAxis]) -> Value:
    if not axes:
        return node.emit(graph.IdentityOp, x)
    return node.emit(
        graph.ResizeOp,
        x,
        axes=[axis.axis for axis in axes],
        sizes=[axis.out for axis in axes],
        method=mode,
        coordinates=rules.coordinates,
        rounding=rules.rounding,
    )


def _along(node: Node, x: Value, mode: str, rules: _Rules, axis: ResizedAxis, beyond: list[Value]) -> Value:
    """Resize one axis; a mask of the positions beyond the image is appended to `beyond`."""
    positions = POSITIONS[rules.coordinates](axis)
    if rules.coordinates == "tf_crop_and_resize":
        outside = (positions < 0) | (positions > axis.size - 1)
        if outside.any():
            beyond.append(outside.reshape([-1 if d == axis.axis else 1 for d in range(rank(x))]))
    if mode == "nearest":
        return node.emit(graph.GatherOp, x, nearest(positions, axis.size, rules.rounding), axis=axis.axis)
    indices, weights = taps(positions, axis, mode, rules.cubic, rules.antialias, rules.exclude_outside)
    element = "float64" if dtype(x) == "float64" else "float32"
    return node.emit(graph.ResampleOp, x, indices, weights.astype(element), axis=axis.axis)


def _filled(node: Node, x: Value, beyond: Sequence[Value], value: float) -> Value:
    """Fill the elements that lie beyond the image along some axis with a value."""
    if not beyond:
        return x
    mask = beyond[0]
    for other in beyond[1:]:
        mask = node.emit(graph.OrOp, mask, other)
    return node.emit(graph.WhereOp, mask, scalar(np.array(value), x), x)
