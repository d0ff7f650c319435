"""Operators that give images another size, or move pixels to channels and back."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ....dialects import graph
from ....operators.resize import COORDINATES, METHODS, ROUNDINGS
from ..interpolation import PLACES, ResizedAxis, nearest, taps
from ..node import Node, Value, dtype, rank, scalar, shape, static_dim


def depth_to_space(node: Node) -> Value:
    return node.emit(graph.DepthToSpaceOp, node.input(0), block=node.attr("blocksize"), mode=node.attr("mode", "DCR"))


def space_to_depth(node: Node) -> Value:
    return node.emit(graph.SpaceToDepthOp, node.input(0), block=node.attr("blocksize"), mode=node.attr("mode", "DCR"))


def upsample(node: Node) -> Value:
    """Resize before opset 10: scales only, pixels at multiples of the scale."""
    scales = list(node.attr("scales")) if node.opset < 9 else _scales(node, 1)
    return _resized(node, scales, None, _Rules("asymmetric", "floor"))


def resize(node: Node) -> Value:
    """By scales (the second or third input) or by sizes (the fourth); opset 10 knows scales only."""
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
    if coordinates not in PLACES:
        node.fail("TW0303", f"expected one of {', '.join(PLACES)}, but got {coordinates}")
    sizes = node.constant_ints(3, "the sizes") if node.has(3) else None
    return _resized(node, None if sizes else _scales(node, 2), sizes, rules)


def _scales(node: Node, index: int) -> list[float]:
    return [float(scale) for scale in node.numbers(index, "the scales")]


@dataclass(frozen=True)
class _Rules:
    """How a node interpolates, beside its mode."""

    coordinates: str
    rounding: str
    cubic: float = -0.75
    antialias: bool = False
    exclude_outside: bool = False
    policy: str = "stretch"
    beyond: float = 0.0
    region: tuple[float, ...] = ()


def _resized(node: Node, scales: Sequence[float] | None, sizes: Sequence[int] | None, rules: _Rules) -> Value:
    x, mode = node.input(0), node.attr("mode", "nearest")
    if mode not in ("nearest", "linear", "cubic"):
        node.fail("TW0303", f"expected mode nearest, linear or cubic, but got {mode}")
    if rules.rounding not in ROUNDINGS:
        node.fail("TW0303", f"expected a nearest_mode of {', '.join(ROUNDINGS)}, but got {rules.rounding}")
    own = node.attr("axes") if node.has_attr("axes") else range(rank(x))
    axes = _axes(node, x, [node.axis(axis, rank(x)) for axis in own], scales, sizes, rules)
    plain = mode in METHODS and rules.coordinates in COORDINATES and not rules.antialias and not rules.exclude_outside
    if plain and all(axis.is_plain for axis in axes):
        return _resized_by_operator(node, x, mode, rules, [axis for axis in axes if axis.size != axis.out])
    beyond: list[Value] = []
    for axis in axes:
        x = _along(node, x, mode, rules, axis, beyond)
    return _filled(node, x, beyond, rules.beyond)


def _axes(
    node: Node,
    x: Value,
    axes: Sequence[int],
    scales: Sequence[float] | None,
    sizes: Sequence[int] | None,
    rules: _Rules,
) -> list[ResizedAxis]:
    """The axes that change, each with its scale and its region."""
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
    """One axis at its other size; what lies beyond the image goes to `beyond`."""
    places = PLACES[rules.coordinates](axis)
    if rules.coordinates == "tf_crop_and_resize":
        outside = (places < 0) | (places > axis.size - 1)
        if outside.any():
            beyond.append(outside.reshape([-1 if d == axis.axis else 1 for d in range(rank(x))]))
    if mode == "nearest":
        return node.emit(graph.GatherOp, x, nearest(places, axis.size, rules.rounding), axis=axis.axis)
    indices, weights = taps(places, axis, mode, rules.cubic, rules.antialias, rules.exclude_outside)
    element = "float64" if dtype(x) == "float64" else "float32"
    return node.emit(graph.ResampleOp, x, indices, weights.astype(element), axis=axis.axis)


def _filled(node: Node, x: Value, beyond: Sequence[Value], value: float) -> Value:
    """The elements that lie beyond the image along some axis get a value."""
    if not beyond:
        return x
    mask = beyond[0]
    for other in beyond[1:]:
        mask = node.emit(graph.OrOp, mask, other)
    return node.emit(graph.WhereOp, mask, scalar(np.array(value), x), x)
