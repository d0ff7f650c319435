"""Operators that give images another size, or move pixels to channels and back."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ....dialects import graph
from ....operators.resize import COORDINATES, ROUNDINGS
from ..node import Node, Value, rank, shape, static_dim


def depth_to_space(node: Node) -> Value:
    return node.emit(graph.DepthToSpaceOp, node.input(0), block=node.attr("blocksize"), mode=node.attr("mode", "DCR"))


def space_to_depth(node: Node) -> Value:
    return node.emit(graph.SpaceToDepthOp, node.input(0), block=node.attr("blocksize"), mode=node.attr("mode", "DCR"))


def upsample(node: Node) -> Value:
    """Resize before opset 10: scales only, pixels at multiples of the scale."""
    scales = list(node.attr("scales")) if node.opset < 9 else _scales(node, 1)
    return _resized(node, scales, None, "asymmetric", "floor")


def resize(node: Node) -> Value:
    """By scales (the second or third input) or by sizes (the fourth); opset 10 knows scales only."""
    if node.opset < 11:
        return _resized(node, _scales(node, 1), None, "asymmetric", "floor")
    for name in ("antialias", "exclude_outside"):
        if node.attr(name, 0):
            node.fail("TW0302", f"{name} is not supported")
    if node.attr("keep_aspect_ratio_policy", "stretch") != "stretch":
        node.fail("TW0302", "keep_aspect_ratio_policy is not supported")
    coordinates = node.attr("coordinate_transformation_mode")
    if coordinates not in COORDINATES:
        node.fail("TW0302", f"coordinate_transformation_mode '{coordinates}' is not supported")
    sizes = node.constant_ints(3, "the sizes") if node.has(3) else None
    return _resized(node, None if sizes else _scales(node, 2), sizes, coordinates, node.attr("nearest_mode"))


def _scales(node: Node, index: int) -> list[float]:
    return [float(scale) for scale in node.numbers(index, "the scales")]


def _resized(
    node: Node, scales: Sequence[float] | None, sizes: Sequence[int] | None, coordinates: str, rounding: str
) -> Value:
    x = node.input(0)
    mode = node.attr("mode", "nearest")
    if mode not in ("nearest", "linear"):
        node.fail("TW0302", f"mode '{mode}' is not supported")
    if rounding not in ROUNDINGS:
        node.fail("TW0302", f"nearest_mode '{rounding}' is not supported")
    own = node.attr("axes") if node.has_attr("axes") else range(rank(x))
    axes = [node.axis(axis, rank(x)) for axis in own]
    wanted: list[tuple[int, int]] = []
    for place, axis in enumerate(axes):
        if scales is not None and scales[place] == 1:
            continue
        size = static_dim(node, shape(x)[axis], f"the size of axis {axis}")
        out = sizes[place] if sizes is not None else _scaled(node, size, scales[place] if scales else 1.0)
        if out != size:
            wanted.append((axis, out))
    if not wanted:
        return node.emit(graph.IdentityOp, x)
    return node.emit(
        graph.ResizeOp,
        x,
        axes=[axis for axis, _ in wanted],
        sizes=[out for _, out in wanted],
        method=mode,
        coordinates=coordinates,
        rounding=rounding,
    )


def _scaled(node: Node, size: int, scale: float) -> int:
    """The size times the scale, which must be whole: otherwise places depend on what rounding cuts off."""
    exact = size * Fraction(scale).limit_denominator(1 << 16)
    if exact.denominator != 1:
        node.fail("TW0302", f"a scale of {scale} of {size} elements, which gives no whole number, is not supported")
    return int(exact)
