"""Makers of nodes that read images at places, put them together again, or transform signals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .onnx_pool import Info, Pool, Unfit

_LENGTHS = (1, 2, 4, 8)


def _image(g: Pool, axes: int = 2) -> Info:
    batch = g.draw.between(1, 2)
    return g.input("float32", (batch, g.draw.between(1, 3), *(g.draw.between(3, 6) for _ in range(axes))))


def grid_sample(g: Pool, operator: str) -> None:
    x = _image(g)
    sizes = [g.draw.between(1, 4) for _ in range(x.rank - 2)]
    grid = g.one("Sin", [g.input("float32", (x.shape[0], *sizes, x.rank - 2)).name])
    names = ("bilinear", "bicubic") if g.opset < 20 else ("linear", "cubic")
    attributes = {"mode": g.draw.one_of(names), "padding_mode": g.draw.one_of(("zeros", "border", "reflection"))}
    g.one(operator, [x.name, grid.name], align_corners=g.draw.between(0, 1), **attributes)


def affine_grid(g: Pool, operator: str) -> None:
    axes = g.draw.between(2, 3)
    batch = g.draw.between(1, 2)
    theta = g.input("float32", (batch, axes, axes + 1))
    channels, space = g.draw.between(1, 2), [g.draw.between(1, 4) for _ in range(axes)]
    aligned = g.draw.between(0, 1)
    if aligned:  # of one place between two corners the standard's formula divides 0 by 0
        space = [max(2, size) for size in space]
    inputs = [theta.name, g.numeral([batch, channels, *space])]
    g.typed(operator, inputs, [("float32", [batch, *space, axes])], align_corners=aligned)


def deform_conv(g: Pool, operator: str) -> None:
    x = _image(g)
    kernel = [g.draw.between(1, 2), g.draw.between(1, 2)]
    steps = [g.draw.between(1, 2) for _ in kernel]
    pads = [g.draw.between(0, 1) for _ in range(4)]
    out = [(x.size(2 + k) + pads[k] + pads[2 + k] - kernel[k]) // steps[k] + 1 for k in range(2)]
    outputs, area = g.draw.between(1, 3), kernel[0] * kernel[1]
    weight = g.parameter("float32", (outputs, x.size(1), *kernel))
    offset = g.input("float32", (x.size(0), 2 * area, *out))
    inputs = [x.name, weight, offset.name]
    if g.draw.chance(0.5):
        inputs.append(g.parameter("float32", (outputs,)))
        if g.draw.chance(0.6):
            inputs.append(g.input("float32", (x.size(0), area, *out)).name)
    g.one(operator, inputs, strides=steps, pads=pads, kernel_shape=kernel)


def roi_align(g: Pool, operator: str) -> None:
    """Add averages or greatest elements of regions: the greatest is that of products in onnxruntime, of samples in the
    standard."""
    x = _image(g)
    count = g.draw.between(1, 3)
    corners = g.numbers("float32", (count, 2), 0.0, 3.0)
    regions = np.concatenate([corners, corners + g.numbers("float32", (count, 2), 0.5, 3.0)], 1)
    batch_indices = g.input("int64", (count,), (0, x.size(0)))
    attributes: dict[str, Any] = {
        "output_height": g.draw.between(1, 3),
        "output_width": g.draw.between(1, 3),
        "sampling_ratio": g.draw.between(0, 2),
        "spatial_scale": g.draw.one_of((1.0, 0.5)),
    }
    if g.opset >= 16:
        attributes["coordinate_transformation_mode"] = g.draw.one_of(("half_pixel", "output_half_pixel"))
    g.one(operator, [x.name, g.constant(regions), batch_indices.name], **attributes)


def col2im(g: Pool, operator: str) -> None:
    image = [g.draw.between(2, 5), g.draw.between(2, 5)]
    block = [g.draw.between(1, size) for size in image]
    steps = [g.draw.between(1, 2) for _ in image]
    count = np.prod([(size - kernel) // step + 1 for size, kernel, step in zip(image, block, steps, strict=True)])
    batch, channels = g.draw.between(1, 2), g.draw.between(1, 3)
    x = g.input("float32", (batch, channels * block[0] * block[1], int(count)))
    types = [("float32", [batch, channels, *image])]
    g.typed(operator, [x.name, g.numeral(image), g.numeral(block)], types, strides=steps)


def max_roi_pool(g: Pool, operator: str) -> None:
    """Add the greatest elements of regions with corners at quarters, in and around the image."""
    if g.opset >= 22:
        raise Unfit  # onnxruntime has no kernel of that version
    x = _image(g)
    count = g.draw.between(1, 3)
    corners = np.round(4 * g.numbers("float32", (count, 4), -4.0, 10.0)) / 4
    numbers = np.abs(g.numbers("int64", (count, 1))) % x.size(0)
    regions = g.constant(np.concatenate([numbers, corners], 1).astype(np.float32))
    g.one(
        operator,
        [x.name, regions],
        pooled_shape=[g.draw.between(1, 3), g.draw.between(1, 3)],
        spatial_scale=g.draw.one_of((1.0, 0.5, 2.0)),
    )


def max_unpool(g: Pool, operator: str) -> None:
    """Add an operator that undoes MaxPool by the positions that it found."""
    if g.opset < 9:
        raise Unfit
    x = g.input("float32", (1, 1, *(2 * g.draw.between(1, 4) for _ in "hw")))
    window = {"kernel_shape": [2, 2], "strides": [2, 2]}
    largest, indices = g.node("MaxPool", [x.name], 2, **window)
    g.typed(operator, [largest.name, indices.name], [("float32", x.shape)], **window)


def determinant(g: Pool, operator: str) -> None:
    size = g.draw.between(1, 4)
    x = g.input("float32", (*(g.draw.between(1, 3) for _ in range(g.draw.between(0, 2))), size, size))
    g.one(operator, [x.name])


def dft(g: Pool, operator: str) -> None:
    """Add a Fourier transform of real or complex signals. Lengths that are no power of two are transformed in float32
    by onnxruntime, by way of longer ones, and lose digits that nothing here knows of."""
    rank = g.draw.between(3, 4)
    size = [g.draw.one_of(_LENGTHS) for _ in range(rank - 1)]
    inverse = g.draw.between(0, 1)
    onesided = g.draw.between(0, 1) if not inverse else 0
    x = g.input("float32", (*size, 1 if onesided else 2))
    axis = g.draw.between(1, rank - 2)
    if g.opset >= 20:
        g.one(operator, [x.name, "", g.numeral(axis)], inverse=inverse, onesided=onesided)
    else:
        g.one(operator, [x.name], axis=axis, inverse=inverse, onesided=onesided)


def stft(g: Pool, operator: str) -> None:
    length, step = g.draw.one_of((4, 8)), g.draw.between(1, 4)
    frame = g.draw.one_of([size for size in _LENGTHS if 2 <= size <= length])
    onesided = g.draw.between(0, 1)
    batch = g.draw.between(1, 2)
    x = g.input("float32", (batch, length, 1))
    window = g.parameter("float32", (frame,))
    types = [("float32", [batch, (length - frame) // step + 1, frame // 2 + 1 if onesided else frame, 2])]
    g.typed(operator, [x.name, g.numeral(step), window, g.numeral(frame)], types, onesided=onesided)


def mel_weights(g: Pool, operator: str) -> None:
    bins, length, rate = g.draw.between(1, 8), g.draw.one_of((16, 32)), g.draw.one_of((8192, 16000))
    numbers = [g.constant(np.array(number)) for number in (bins, length, rate)]
    edges = [g.constant(np.array(edge, np.float32)) for edge in (20.0, rate / 2)]
    made = g.typed(operator, [*numbers, *edges], [("float32", (length // 2 + 1, bins))])[0]
    x = g.input("float32", (1, bins))
    g.one("Mul", [made.name, x.name])


def rms_norm(g: Pool, operator: str) -> None:
    x = g.operand("float", least=1)
    axis = g.draw.between(0, x.rank - 1)
    scale = g.parameter(x.dtype, [x.size(d) for d in range(axis, x.rank)])
    g.like(x, operator, [x.name, scale], axis=axis - x.rank if g.draw.chance(0.5) else axis, epsilon=1e-2)


_NAMES: dict[Callable[[Pool, str], None], str] = {
    grid_sample: "GridSample",
    affine_grid: "AffineGrid",
    deform_conv: "DeformConv",
    roi_align: "RoiAlign",
    col2im: "Col2Im",
    max_roi_pool: "MaxRoiPool",
    max_unpool: "MaxUnpool",
    determinant: "Det",
    dft: "DFT",
    stft: "STFT",
    mel_weights: "MelWeightMatrix",
    rms_norm: "RMSNormalization",
}

MAKERS: dict[str, Callable[[Pool, str], None]] = {
    name: maker for maker, names in _NAMES.items() for name in names.split()
}
"""ONNX operator -> the function that puts a node of it into a model."""
