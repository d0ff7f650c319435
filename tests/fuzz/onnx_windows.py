"""Makers of nodes on images: convolution, pooling, normalisation, other sizes."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from .onnx_pool import Info, Pool, Unfit


def _image(g: Pool, spatial: tuple[int, ...] = (1, 2, 2, 2)) -> Info:
    """Return a value of rank 3 or 4 whose sizes are known but for the batch, or a new image."""
    rank = g.draw.one_of(spatial)

    def fits(info: Info) -> bool:
        return info.rank == rank + 2 and all(isinstance(size, int) for size in info.shape[1:])

    known = [v for v in g.values.values() if v.dtype in ("float32", "float16") and fits(v)]
    if known and g.draw.chance(0.7):
        return g.draw.one_of(known)
    batch = "n" if g.is_symbolic and g.draw.chance(0.7) else g.draw.between(1, 2)
    channels = g.draw.one_of((1, 2, 3, 4, 8, 16, 18))
    dtype = g.draw.one_of(("float32", "float32", "float32", "float16"))
    return g.input(dtype, (batch, channels, *(g.draw.between(3, 10) for _ in range(rank))))


def _window(g: Pool, x: Info, kernel: list[int], dilated: bool = True) -> dict[str, Any]:
    """Return strides, dilations and padding that leave at least one window."""
    axes = len(kernel)
    attributes: dict[str, Any] = {}
    if g.draw.chance(0.6):
        attributes["strides"] = [g.draw.between(1, 3) for _ in range(axes)]
    if dilated and g.draw.chance(0.3):
        attributes["dilations"] = [g.draw.between(1, 2) for _ in range(axes)]
    if g.draw.chance(0.3):
        attributes["auto_pad"] = g.draw.one_of(("SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET"))
    elif g.draw.chance(0.7):
        attributes["pads"] = [g.draw.between(0, max(k - 1, 0) // (1 if dilated else 2)) for k in kernel * 2]
    _require_a_window(x, kernel, attributes)
    return attributes


def _require_a_window(x: Info, kernel: list[int], attributes: dict[str, Any]) -> None:
    axes = len(kernel)
    reach = [d * (k - 1) + 1 for d, k in zip(attributes.get("dilations", [1] * axes), kernel, strict=True)]
    pads = attributes.get("pads", [0] * 2 * axes)
    if any(x.size(2 + k) + pads[k] + pads[axes + k] < reach[k] for k in range(axes)):
        raise Unfit


def conv(g: Pool, operator: str) -> None:
    x = _image(g)
    channels = x.size(1)
    kernel = [g.draw.one_of((1, 2, 3, 3, 5)) for _ in range(x.rank - 2)]
    groups = g.draw.one_of((1, 1, 1, channels, 2 if channels % 2 == 0 else 1))
    outputs = groups * g.draw.one_of((1, 2, 4, 8))
    inputs = [x.name, g.parameter(x.dtype, (outputs, channels // groups, *kernel), -1.0, 1.0)]
    if g.draw.chance(0.5):
        inputs.append(g.parameter(x.dtype, (outputs,)))
    attributes = _window(g, x, kernel)
    if g.draw.chance(0.5):
        attributes["kernel_shape"] = kernel
    g.one(operator, inputs, group=groups, **attributes)


def pool(g: Pool, operator: str) -> None:
    x = _image(g)
    kernel = [g.draw.between(1, 4) for _ in range(x.rank - 2)]
    dilated = g.opset >= (10 if operator == "MaxPool" else 19)
    attributes = _window(g, x, kernel, dilated and g.draw.chance(0.3))
    if attributes.get("auto_pad", "").startswith("SAME"):  # onnxruntime pads as if windows were not dilated
        attributes.pop("dilations", None)
    attributes["pads"] = [min(p, (k - 1) // 2) for p, k in zip(attributes.get("pads", []), kernel * 2, strict=False)]
    if not attributes["pads"]:
        del attributes["pads"]
    _require_a_window(x, kernel, attributes)
    if g.opset >= 10 and g.draw.chance(0.4) and "auto_pad" not in attributes:
        attributes["ceil_mode"] = 1
    if operator == "AveragePool" and g.draw.chance(0.4):
        attributes["count_include_pad"] = 1
    elif operator == "MaxPool" and g.draw.chance(0.2):
        attributes["storage_order"] = 1
    g.one(operator, [x.name], kernel_shape=kernel, **attributes)


def global_pool(g: Pool, operator: str) -> None:
    g.one(operator, [_image(g).name])


def batch_norm(g: Pool, operator: str) -> None:
    x = _image(g)
    size = (x.size(1),)
    scale, shift, mean = (g.parameter(x.dtype, size) for _ in range(3))
    variance = g.constant(g.numbers(x.dtype, size, 0.2, 2.0))
    attributes = {"epsilon": 1e-3} if g.draw.chance(0.5) else {}
    g.one(operator, [x.name, scale, shift, mean, variance], momentum=0.7, **attributes)


def instance_norm(g: Pool, operator: str) -> None:
    x = _image(g)
    g.one(operator, [x.name, *(g.parameter(x.dtype, (x.size(1),)) for _ in range(2))], epsilon=1e-2)


def group_norm(g: Pool, operator: str) -> None:
    x = _image(g)
    groups = g.draw.one_of([k for k in (1, 2, 4) if x.size(1) % k == 0])
    g.like(
        x,
        operator,
        [x.name, *(g.parameter(x.dtype, (x.size(1),)) for _ in range(2))],
        num_groups=groups,
        epsilon=1e-2,
    )


def layer_norm(g: Pool, operator: str) -> None:
    x = g.operand("float", least=1)
    axis = g.draw.between(0, x.rank - 1)
    sizes = [x.size(d) for d in range(axis, x.rank)]
    inputs = [x.name, *(g.parameter(x.dtype, sizes) for _ in range(g.draw.between(1, 2)))]
    g.one(operator, inputs, axis=axis - x.rank if g.draw.chance(0.5) else axis, epsilon=1e-2)


def lrn(g: Pool, operator: str) -> None:
    attributes = {"alpha": 0.1, "beta": 0.5, "bias": 2.0}
    chosen = {k: v for k, v in attributes.items() if g.draw.chance(0.6)}
    g.one(operator, [_image(g, (2,)).name], size=g.draw.one_of((1, 2, 3, 5)), **chosen)


def softmax(g: Pool, operator: str) -> None:
    x = g.operand("float", least=1)
    axis = g.draw.between(-x.rank if g.opset >= 11 else 0, x.rank - 1)
    g.one(operator, [x.name], **({"axis": axis} if g.draw.chance(0.8) else {}))


def depth_to_space(g: Pool, operator: str) -> None:
    batch, block = g.draw.between(1, 2), g.draw.between(1, 3)
    x = g.input("float32", (batch, block * block * g.draw.between(1, 3), g.draw.between(1, 4), g.draw.between(1, 4)))
    attributes = {"mode": g.draw.one_of(("DCR", "CRD"))} if g.opset >= 11 and g.draw.chance(0.7) else {}
    g.one(operator, [x.name], blocksize=block, **attributes)


def space_to_depth(g: Pool, operator: str) -> None:
    block = g.draw.between(1, 3)
    x = g.input("float32", (g.draw.between(1, 2), g.draw.between(1, 4), *(block * g.draw.between(1, 3) for _ in "hw")))
    g.one(operator, [x.name], blocksize=block)


def resize(g: Pool, operator: str) -> None:
    x = _image(g, (2,))
    mode = g.draw.one_of(("nearest", "linear")) if x.dtype == "float32" else "nearest"
    sizes = [x.size(2), x.size(3)]
    if g.opset < 11:
        scales = np.array([1, 1, *(g.draw.one_of((1, 2, 3)) for _ in "hw")], np.float32)
        g.one(operator, [x.name, g.constant(scales)], mode=mode)
        return
    coordinates = ("half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric")
    attributes: dict[str, Any] = {"mode": mode, "coordinate_transformation_mode": g.draw.one_of(coordinates)}
    if mode == "nearest":
        attributes["nearest_mode"] = g.draw.one_of(("round_prefer_floor", "round_prefer_ceil", "floor", "ceil"))
    if g.draw.chance(0.5):
        scales = np.array([1, 1, *(g.draw.one_of((1, 2, 3)) for _ in "hw")], np.float32)
        axes = [2, 3]
        given = ["", g.constant(scales)]
    else:
        wanted = [g.draw.between(1, 12) for _ in sizes]
        if not isinstance(x.shape[0], int) and g.opset < 18:
            raise Unfit
        lead = [x.size(0), x.size(1)] if g.opset < 18 else []
        first = 0 if attributes["coordinate_transformation_mode"] == "asymmetric" else 1
        if mode == "nearest" and any(_is_tied(size, n, first) for size, n in zip(sizes, wanted, strict=True)):
            raise Unfit
        axes = g.draw.one_of(([2, 3], [3, 2]))
        ordered = [wanted[axis - 2] for axis in axes] if g.opset >= 18 else wanted
        given = ["", "", g.numeral([*lead, *ordered])]
        if g.opset >= 18:
            attributes["axes"] = axes
    roi = g.constant(np.zeros(0, np.float32)) if g.opset < 13 else ""
    empty = g.constant(np.zeros(0, np.float32)) if g.opset < 13 and len(given) == 3 else given[1]
    g.one(operator, [x.name, roi, empty, *given[2:]], **attributes)


def _is_tied(size: int, wanted: int, first: int) -> bool:
    """Return whether a position lies on an element, or amid two, and the rounding of the scale decides on which side.

    Twice the positions are the multiples of size / wanted, the even ones or, where results have centres, the odd ones.
    """
    if float(np.float32(wanted / size)) * size == wanted:
        return False
    positions = (Fraction(size, wanted) * (2 * k + first) for k in range(1 - first, wanted))
    return any(position.denominator == 1 for position in positions)


def upsample(g: Pool, operator: str) -> None:
    x = _image(g, (2,))
    scales = [1.0, 1.0, *(float(g.draw.between(1, 3)) for _ in "hw")]
    mode = g.draw.one_of(("nearest", "linear")) if x.dtype == "float32" else "nearest"
    if g.opset < 9:
        g.one(operator, [x.name], scales=scales, mode=mode)
    else:
        g.one(operator, [x.name, g.constant(np.array(scales, np.float32))], mode=mode)


_NAMES: dict[Callable[[Pool, str], None], str] = {
    conv: "Conv",
    pool: "AveragePool MaxPool",
    global_pool: "GlobalAveragePool GlobalMaxPool",
    batch_norm: "BatchNormalization",
    instance_norm: "InstanceNormalization",
    group_norm: "GroupNormalization",
    layer_norm: "LayerNormalization",
    lrn: "LRN",
    softmax: "LogSoftmax Softmax",
    depth_to_space: "DepthToSpace",
    space_to_depth: "SpaceToDepth",
    resize: "Resize",
    upsample: "Upsample",
}

MAKERS: dict[str, Callable[[Pool, str], None]] = {
    name: maker for maker, names in _NAMES.items() for name in names.split()
}
