"""Types of a model's inputs, with the sizes that the user fixed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import onnx
from xdsl.ir import Attribute

from ...diagnostics import fail
from ...dialects.dtypes import element_type
from ...dialects.graph import Dim, make_type
from ...dialects.graph.sizes import canonical
from ..by_value import NeedsShape
from .tensors import dtype_of


@dataclass(frozen=True)
class SizeOverrides:
    """The sizes that the user fixed: whole shapes by input, dynamic sizes by name, the batch, and values of inputs."""

    shapes: dict[str, Sequence[int | str] | None]
    """None for an optional without a value."""
    sizes: dict[str, int]
    batch: int | None
    values: dict[str, Any] = field(default_factory=dict[str, Any])
    replaced: tuple[str, ...] = ()
    """Initializers that are inputs too, and become arguments."""

    def with_sizes(self, sizes: Mapping[str, int]) -> SizeOverrides:
        """Return the overrides with sizes that follow from values. Raises TW0303 for a size given otherwise."""
        for name, size in sizes.items():
            if (given := self.sizes.get(name, size)) != size:
                fail("TW0303", f"expected size '{name}' to be {size}, as in the value of an input, but got {given}")
        return replace(self, sizes={**self.sizes, **sizes})

    def check(self, names: Sequence[str], sizes: Sequence[str]) -> None:
        """Raise an error for a shape or size of a name that the model does not have, and for an invalid size."""
        sizes = [*sizes, *(dim for shape in self.shapes.values() for dim in shape or () if isinstance(dim, str))]
        for name, size in self.sizes.items():
            if name not in sizes:
                fail(
                    "TW0303",
                    f"a value was given for size '{name}', which the model does not have",
                    help=f"its sizes without a value are {', '.join(sizes) or 'none'}",
                )
            if size < 0:
                fail("TW0303", f"expected size '{name}' to be at least 0, but got {size}", help="give a size from 0 on")
        for name in self.shapes:
            if name not in names:
                fail(
                    "TW0303",
                    f"a shape was given for input '{name}', which the model does not have",
                    help=f"its inputs are {', '.join(names) or 'none'}",
                )

    def shape_of(self, name: str, declared: Sequence[Dim]) -> list[Dim]:
        stated = self._replaced(name, declared) if name in self.shapes else declared
        shape = [self.sizes.get(dim, dim) if isinstance(dim, str) else dim for dim in stated]
        if self.batch is not None and shape and not isinstance(shape[0], int):
            shape[0] = self.batch
        return shape

    def _replaced(self, name: str, declared: Sequence[Dim]) -> list[Dim]:
        given = list(self.shapes[name] or ())
        fits = len(given) == len(declared) and all(
            not isinstance(old, int) or old == new for old, new in zip(declared, given, strict=True)
        )
        if declared and not fits:
            text = ", ".join(str(dim) for dim in declared)
            fail(
                "TW0303",
                f"expected a shape for input '{name}' that fits [{text}], but got {given}",
                help="keep the number of sizes, and those that the model states",
            )
        return list(given)


def input_type(value: onnx.ValueInfoProto, overrides: SizeOverrides) -> Attribute:
    """Return the tensor type of a model's input. Sizes without a name get a new one each."""
    kind = value.type.WhichOneof("value")
    if kind != "tensor_type":
        found = (kind or "value without a type").removesuffix("_type")
        fail("TW0305", f"expected input '{value.name}' to be a tensor, but got a {found}")
    tensor = value.type.tensor_type
    dtype = dtype_of(tensor.elem_type, f"input '{value.name}'")
    if not tensor.HasField("shape") and value.name not in overrides.shapes:
        raise NeedsShape.of(value.name)
    return make_type(overrides.shape_of(value.name, declared_shape(value)), element_type(dtype))


def declared_shape(value: onnx.ValueInfoProto) -> list[Dim]:
    """Return the shape of an input as the model declares it. Sizes without a name get a new one each."""
    return [_dim(value.name, axis, dim) for axis, dim in enumerate(value.type.tensor_type.shape.dim)]


def open_sizes(value: onnx.ValueInfoProto) -> list[str]:
    """Return the names of an input's sizes that the model leaves open."""
    return [dim for dim in declared_shape(value) if isinstance(dim, str)]


def _dim(name: str, axis: int, dim: onnx.TensorShapeProto.Dimension) -> Dim:
    if dim.HasField("dim_value") and dim.dim_value >= 0:
        return dim.dim_value
    return canonical(dim.dim_param) if dim.dim_param not in ("", "_") else f"{name}_dim{axis}"
