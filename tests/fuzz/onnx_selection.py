"""Makers of nodes on bits, masks, places and order, and of normalisations by lengths."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .onnx_pool import Pool, Unfit

_BITS = ("int32", "int64", "int8", "uint8")


def question(g: Pool, operator: str) -> None:
    x = g.operand(g.draw.one_of(("float32", "float64", "float16")))
    signs = {name: g.draw.between(0, 1) for name in ("detect_negative", "detect_positive")}
    g.one(operator, [x.name], **(signs if operator == "IsInf" and g.draw.chance(0.5) else {}))


def modulo(g: Pool, operator: str) -> None:
    x = g.operand("number")
    divisor = g.numbers(x.dtype, [])
    name = g.constant(np.where(divisor == 0, divisor.dtype.type(3), divisor).astype(x.dtype))
    as_in_c = x.dtype.startswith("float") or g.draw.chance(0.5)
    g.one(operator, [x.name, name], fmod=int(as_in_c))


def shift(g: Pool, operator: str) -> None:
    x = g.operand("uint8")
    count = g.constant(np.array(g.draw.between(0, 7), x.dtype))
    g.one(operator, [x.name, count], direction=g.draw.one_of(("LEFT", "RIGHT")))


def bitwise(g: Pool, operator: str) -> None:
    x = g.operand(g.draw.one_of(_BITS))
    g.one(operator, [x.name] if operator == "BitwiseNot" else [x.name, g.broadcasting(x)])


def triangle(g: Pool, operator: str) -> None:
    x = g.operand("any", least=2)
    k = [g.numeral(g.draw.between(-3, 3))] if g.draw.chance(0.7) else []
    g.one(operator, [x.name, *k], upper=g.draw.between(0, 1))


def identity_matrix(g: Pool, operator: str) -> None:
    x = g.operand("number", least=2, most=2, fits=lambda info: info.is_static)
    g.one(operator, [x.name], k=g.draw.between(-2, 2))


def one_hot(g: Pool, operator: str) -> None:
    depth = g.draw.between(1, 6)
    indices = g.input("int64", g.shape(g.draw.between(0, 2)), (-depth, depth))
    values = g.constant(g.numbers("float32", [2]))
    axis = g.draw.between(-indices.rank - 1, indices.rank)
    g.one(operator, [indices.name, g.numeral(depth), values], axis=axis)


def greatest(g: Pool, operator: str) -> None:
    x = g.operand("float32", least=1)
    g.one(operator, [x.name], axis=g.draw.between(-x.rank if g.opset >= 11 else 0, x.rank - 1))


def length(g: Pool, operator: str) -> None:
    x = g.operand("float32", least=1)
    g.one(operator, [x.name], axis=g.draw.between(0, x.rank - 1), p=g.draw.between(1, 2))


def einsum(g: Pool, operator: str) -> None:
    x = g.operand(g.draw.one_of(("float32", "float64")), least=2, fits=lambda info: info.is_static)
    rows, columns = x.size(x.rank - 2), x.size(x.rank - 1)
    equation, shape = g.draw.one_of(
        (
            ("...ij,jk->...ik", [columns, 3]),
            ("...ij,kj->k...i", [2, columns]),
            ("...ij,ij->...", [rows, columns]),
            ("...ij,i->...ji", [rows]),
            ("...ij,j", [columns]),
        )
    )
    g.one(operator, [x.name, g.parameter(x.dtype, shape)], equation=equation)


def points(g: Pool, operator: str) -> None:
    x = g.operand("any", least=1, fits=lambda info: info.is_static)
    depth = g.draw.between(1, x.rank)
    least = min(x.size(d) for d in range(depth))
    indices = g.input("int64", [g.draw.between(1, 4), depth], (-least, least))
    if operator == "GatherND":
        g.one(operator, [x.name, indices.name])
        return
    updates = g.parameter(x.dtype, [indices.shape[0], *x.shape[depth:]])
    g.one(operator, [x.name, indices.name, updates], **_reduction(g, x.dtype))


def scatter(g: Pool, operator: str) -> None:
    x = g.operand("any", least=1, fits=lambda info: info.is_static)
    axis = g.draw.between(0, x.rank - 1)
    shape = [g.draw.between(1, x.size(d)) for d in range(x.rank)]
    indices = g.input("int64", shape, (0, x.size(axis)))
    reduction = _reduction(g, x.dtype) if operator == "ScatterElements" else {}
    g.one(operator, [x.name, indices.name, g.parameter(x.dtype, shape)], axis=axis, **reduction)


def _reduction(g: Pool, dtype: str) -> dict[str, str]:
    """Return the attributes of a reduction; without one the last update of an element stays, as in onnxruntime."""
    if g.opset < 18 or dtype not in ("float32", "int32", "int64") or g.draw.chance(0.3):
        return {}
    return {"reduction": g.draw.one_of(("add", "max", "min"))}


def greatest_ones(g: Pool, operator: str) -> None:
    x = g.operand(g.draw.one_of(("float32", "float64", "int64")), least=1, fits=lambda info: info.is_static)
    if g.opset < 10 and x.dtype == "int64":
        raise Unfit
    axis = g.draw.between(0, x.rank - 1)
    k = g.draw.between(1, x.size(axis))
    if g.opset < 10:
        g.node(operator, [x.name], 2, axis=axis, k=k)
        return
    largest = {"largest": g.draw.between(0, 1)} if g.opset >= 11 else {}
    g.node(operator, [x.name, g.numeral([k])], 2, axis=axis, **largest)


def transposed(g: Pool, operator: str) -> None:
    x = g.operand("float32", least=4, most=4, fits=lambda info: info.is_static)
    kernel, steps = ([g.draw.between(1, 3), g.draw.between(1, 3)] for _ in range(2))
    weight = g.parameter(x.dtype, [x.size(1), g.draw.between(1, 3), *kernel])
    g.one(operator, [x.name, weight], strides=steps, output_padding=[step - 1 for step in steps])


def lengths_of_windows(g: Pool, operator: str) -> None:
    x = g.operand("float32", least=3, most=4, fits=lambda info: info.is_static)
    window = {"kernel_shape": [g.draw.between(1, x.size(d)) for d in range(2, x.rank)]} if operator == "LpPool" else {}
    g.one(operator, [x.name], p=g.draw.between(1, 2), **window)


_NAMES: dict[Callable[[Pool, str], None], str] = {
    question: "IsInf IsNaN",
    modulo: "Mod",
    shift: "BitShift",
    bitwise: "BitwiseAnd BitwiseNot BitwiseOr BitwiseXor",
    triangle: "Trilu",
    identity_matrix: "EyeLike",
    one_hot: "OneHot",
    greatest: "Hardmax",
    length: "LpNormalization",
    einsum: "Einsum",
    points: "GatherND ScatterND",
    scatter: "Scatter ScatterElements",
    greatest_ones: "TopK",
    transposed: "ConvTranspose",
    lengths_of_windows: "GlobalLpPool LpPool",
}

MAKERS: dict[str, Callable[[Pool, str], None]] = {
    name: maker for maker, names in _NAMES.items() for name in names.split()
}
"""ONNX operator -> the function that puts a node of it into a model."""
