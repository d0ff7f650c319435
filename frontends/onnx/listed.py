"""Sequences and optionals, which the importer represents as lists of values, so that a program has tensors alone.

An input that is a sequence becomes one input for each tensor, `x[0]`, `x[1]` and so on; the shape of `x` itself is the
number of tensors. An optional with a value is represented by that value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import onnx
from onnx import helper
from xdsl.ir import SSAValue

from ...diagnostics import fail
from .inputs import SizeOverrides

Tensor: TypeAlias = "SSAValue | np.ndarray"


@dataclass(frozen=True)
class Listed:
    """A sequence of tensors."""

    items: tuple[Tensor, ...]


@dataclass(frozen=True)
class Absent:
    """An optional without a value."""


AnyValue: TypeAlias = "Tensor | Listed | Absent"


def kind_of(value: AnyValue) -> str:
    """Return a noun for the kind of a value."""
    return "a sequence" if isinstance(value, Listed) else "nothing" if isinstance(value, Absent) else "a tensor"


def flattened(values: Sequence[AnyValue]) -> list[Tensor]:
    """Return the tensors of values, one after another."""
    found: list[Tensor] = []
    for value in values:
        if isinstance(value, Listed):
            found += value.items
        elif not isinstance(value, Absent):
            found.append(value)
    return found


def structure(values: Sequence[AnyValue]) -> tuple[int | None, ...]:
    """Return the structure of each value: a tensor (-1), a sequence (its length), nothing (None)."""
    return tuple(
        len(value.items) if isinstance(value, Listed) else None if isinstance(value, Absent) else -1 for value in values
    )


def restored(shape: Sequence[int | None], tensors: Sequence[Tensor]) -> list[AnyValue]:
    """Return the values of a structure that have these tensors."""
    left, found = list(tensors), list[AnyValue]()
    for length in shape:
        if length is None:
            found.append(Absent())
        elif length < 0:
            found.append(left.pop(0))
        else:
            found.append(Listed(tuple(left[:length])))
            del left[:length]
    return found


def flat_names(name: str, value: AnyValue) -> list[str]:
    """Return the names of the tensors of the value `name` of a model."""
    if isinstance(value, Listed):
        return [item_name(name, k) for k in range(len(value.items))]
    return [] if isinstance(value, Absent) else [name]


def item_name(name: str, k: int) -> str:
    """Return the name of a tensor of a sequence."""
    return f"{name}[{k}]"


def is_structured(value: onnx.ValueInfoProto) -> bool:
    """Return whether an input or output is a sequence or an optional."""
    return value.type.WhichOneof("value") in ("sequence_type", "optional_type")


@dataclass(frozen=True)
class Part:
    """An input of a model, with the tensors that represent it."""

    name: str
    tensors: tuple[onnx.ValueInfoProto, ...]
    build: Callable[[Sequence[Tensor]], AnyValue]


def parts_of(inputs: Sequence[onnx.ValueInfoProto], overrides: SizeOverrides) -> tuple[list[Part], SizeOverrides]:
    """Return the inputs as tensors, and the given sizes without the lengths of sequences.

    Raises TW0304 if the length of a sequence, or the presence of an optional, is not given.
    """
    shapes = dict(overrides.shapes)
    parts: list[Part] = []
    for value in inputs:
        type_, is_optional = value.type, False
        while type_.WhichOneof("value") == "optional_type":
            type_, is_optional = type_.optional_type.elem_type, True
        if is_optional and value.name not in shapes:
            fail("TW0304", f"it is not known whether input '{value.name}', an optional, has a value", help=_HELP)
        if is_optional and shapes[value.name] is None:
            del shapes[value.name]
            parts.append(Part(value.name, (), lambda tensors: Absent()))
        elif type_.WhichOneof("value") == "sequence_type":
            count = shapes.pop(value.name, None) or ()
            if len(count) != 1 or not isinstance(count[0], int):
                fail("TW0304", f"it is not known how many tensors input '{value.name}', a sequence, has", help=_HELP)
            items = [_named(item_name(value.name, k), type_.sequence_type.elem_type) for k in range(count[0])]
            parts.append(Part(value.name, tuple(items), lambda tensors: Listed(tuple(tensors))))
        else:
            tensor = _named(value.name, type_) if is_optional else value
            parts.append(Part(value.name, (tensor,), lambda tensors: tensors[0]))
    return parts, replace(overrides, shapes=shapes)


_HELP = (
    "for a sequence `x` of two tensors give `shapes={'x': (2,), 'x[0]': (3, 4), 'x[1]': (5,)}`, "
    "for an optional its shape, or None where there is none"
)


def _named(name: str, type_: onnx.TypeProto) -> onnx.ValueInfoProto:
    return onnx.ValueInfoProto(name=name, type=type_)


def shapes_of(inputs: Sequence[onnx.ValueInfoProto], given: Sequence[object]) -> dict[str, Sequence[int] | None]:
    """Return the shapes that `parts_of` needs of inputs that are sequences and optionals, taken from their values."""
    shapes: dict[str, Sequence[int] | None] = {}
    for value, each in zip(inputs, given, strict=True):
        if not is_structured(value):
            continue
        if each is None:
            shapes[value.name] = None
        elif isinstance(each, (list, tuple)):
            shapes[value.name] = (len(each),)  # pyright: ignore[reportUnknownArgumentType]
            shapes |= {item_name(value.name, k): np.shape(item) for k, item in enumerate(each)}  # pyright: ignore
        else:
            shapes[value.name] = np.shape(each)  # pyright: ignore
    return shapes


def is_listed(output: onnx.ValueInfoProto, found: Mapping[str, object]) -> bool:
    """Return whether an output is a sequence, so that its tensors are separate results."""
    type_ = output.type
    while type_.WhichOneof("value") == "optional_type":
        type_ = type_.optional_type.elem_type
    return type_.WhichOneof("value") == "sequence_type" and output.name not in found


def items_of(name: str, found: Mapping[str, object]) -> list[object]:
    """Return the tensors of a sequence among results by name."""
    items: list[object] = []
    while item_name(name, len(items)) in found:
        items.append(found[item_name(name, len(items))])
    return items


def type_of(value: AnyValue, tensor_type: Callable[[Tensor], onnx.TypeProto]) -> onnx.TypeProto:
    """Return the type of a value, as ONNX states it; the elements of a sequence have no shape in common."""
    if isinstance(value, Absent):
        return onnx.TypeProto()
    if not isinstance(value, Listed):
        return tensor_type(value)
    if not value.items:
        return helper.make_sequence_type_proto(helper.make_tensor_type_proto(onnx.TensorProto.FLOAT, None))
    element = tensor_type(value.items[0]).tensor_type.elem_type
    return helper.make_sequence_type_proto(helper.make_tensor_type_proto(element, None))
