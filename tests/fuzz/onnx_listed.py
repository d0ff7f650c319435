"""Makers of sequences and optionals: lists while a model is imported, and the tensors that are taken from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from onnx import helper

from .onnx_pool import Info, Pool, Unfit


def _known(info: Info) -> bool:
    return None not in info.shape


def _operand(g: Pool) -> Info:
    return g.operand("any", least=1, most=3, fits=_known)


def _sequence(g: Pool) -> tuple[str, list[Info]]:
    """Return a sequence of one to three tensors of one type, and these."""
    first = _operand(g)
    equal = [info for info in g.values.values() if (info.dtype, info.shape) == (first.dtype, first.shape)]
    items = [first, *(g.draw.one_of(equal) for _ in range(g.draw.between(0, 2)))]
    if g.draw.chance(0.3):
        name = _empty(g, first.dtype)
        for item in items:
            name = _hidden(g, "SequenceInsert", [name, item.name])
        return name, items
    return _hidden(g, "SequenceConstruct", [item.name for item in items]), items


def _hidden(g: Pool, operator: str, inputs: Sequence[str], **attributes: int) -> str:
    name = g.draw.name("s")
    g.hidden(operator, inputs, [name], **attributes)
    return name


def _empty(g: Pool, dtype: str) -> str:
    return _hidden(g, "SequenceEmpty", [], dtype=helper.np_dtype_to_tensor_dtype(np.dtype(dtype)))


def _position(g: Pool, count: int) -> tuple[str, int]:
    """Return a position in a list of so many, and the number that it stands for."""
    position = g.draw.between(-count, count - 1)
    return g.numeral(position, g.draw.one_of(("int64", "int32"))), position % count


def _taken(g: Pool, name: str, items: Sequence[Info]) -> None:
    """Take a tensor out of a sequence."""
    at, position = _position(g, len(items))
    g.typed("SequenceAt", [name, at], [(items[position].dtype, items[position].shape)])


def construct(g: Pool, operator: str) -> None:
    """Add a constructor of a sequence, and take a tensor out again."""
    if operator == "SequenceConstruct":
        items = [_operand(g)]
        _taken(g, _hidden(g, operator, [items[0].name]), items)
    elif operator == "SequenceEmpty":
        item = _operand(g)
        _taken(g, _hidden(g, "SequenceInsert", [_empty(g, item.dtype), item.name]), [item])
    else:
        _taken(g, *_sequence(g))


def insert(g: Pool, operator: str) -> None:
    name, items = _sequence(g)
    item = g.draw.one_of(items)
    if g.draw.chance(0.4):
        _taken(g, _hidden(g, operator, [name, item.name]), [*items, item])
        return
    at, position = _position(g, len(items))
    _taken(g, _hidden(g, operator, [name, item.name, at]), [*items[:position], item, *items[position:]])


def erase(g: Pool, operator: str) -> None:
    name, items = _sequence(g)
    if len(items) < 2:
        raise Unfit
    if g.draw.chance(0.4):
        _taken(g, _hidden(g, operator, [name]), items[:-1])
        return
    at, position = _position(g, len(items))
    _taken(g, _hidden(g, operator, [name, at]), [*items[:position], *items[position + 1 :]])


def length(g: Pool, operator: str) -> None:
    name, _ = _sequence(g)
    g.typed(operator, [name], [("int64", ())])


def join(g: Pool, operator: str) -> None:
    name, items = _sequence(g)
    first = items[0]
    is_new = g.draw.chance(0.4)
    axis = g.draw.between(0, first.rank - (0 if is_new else 1))
    if is_new:
        shape = [*first.shape[:axis], len(items), *first.shape[axis:]]
    else:
        shape = [size if d != axis else len(items) * first.size(d) for d, size in enumerate(first.shape)]
    g.typed(operator, [name], [(first.dtype, shape)], axis=axis, new_axis=int(is_new))


def cut(g: Pool, operator: str) -> None:
    """Cut a value into pieces of a size, of sizes, or of one row, and take one of them."""
    x = _operand(g)
    axis = g.draw.between(0, x.rank - 1)
    total, keeps = x.size(axis), True
    inputs = [x.name]
    form = g.draw.between(0, 2)
    if form == 0:
        size = g.draw.between(1, total)
        pieces = [min(size, total - start) for start in range(0, total, size)]
        inputs.append(g.numeral(size))
    elif form == 1:
        first = g.draw.between(1, total)
        pieces = [first, total - first] if first < total else [total]
        inputs.append(g.numeral(pieces))
    else:
        pieces, keeps = [1] * total, g.draw.chance(0.5)
    name = _hidden(g, operator, inputs, axis=axis, keepdims=int(keeps))
    shapes = [[*x.shape[:axis], *([piece] if keeps else []), *x.shape[axis + 1 :]] for piece in pieces]
    _taken(g, name, [Info("", x.dtype, tuple(shape)) for shape in shapes])


def optional(g: Pool, operator: str) -> None:
    if g.opset < 15:
        raise Unfit
    x = _operand(g)
    name = _hidden(g, "Optional", [x.name])
    if operator == "OptionalHasElement" or g.draw.chance(0.3):
        g.typed("OptionalHasElement", [name], [("bool", ())])
    else:
        g.like(x, "OptionalGetElement", [name])


_NAMES: dict[Callable[[Pool, str], None], str] = {
    construct: "SequenceAt SequenceConstruct SequenceEmpty",
    insert: "SequenceInsert",
    erase: "SequenceErase",
    length: "SequenceLength",
    join: "ConcatFromSequence",
    cut: "SplitToSequence",
    optional: "Optional OptionalGetElement OptionalHasElement",
}

MAKERS: dict[str, Callable[[Pool, str], None]] = {
    name: maker for maker, names in _NAMES.items() for name in names.split()
}
"""ONNX operator -> the function that puts a node of it into a model."""
