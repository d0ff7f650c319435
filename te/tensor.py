"""Tensors and their definitions: a placeholder, or a compute over an index space."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, cast

from xdsl.dialects.builtin import LocationAttr

from ..diagnostics.locations import caller_location
from ..lazy import be_face, found_elsewhere, unknown_name
from .dtypes import dtype_info, vector_of
from .expr import Axis, Expr, Read, Reduce, as_expr, walk
from .expression_text import format_expr
from .shapes import Size, as_shape, format_shape
from .te_errors import te_error
from .whole_tensors import WholeTensor

if TYPE_CHECKING:
    from .tiles import Tile


class Definition:
    """The definition of one or several tensors. `T.op` is the definition of T."""

    name: str
    location: LocationAttr | None

    axis: tuple[Axis, ...]
    """The data-parallel axes, one for each dimension."""
    reduce_axis: tuple[Axis, ...]

    @property
    def num_outputs(self) -> int:
        return 1

    @property
    def inputs(self) -> tuple[Tensor, ...]:
        """The tensors that are read, in order of first use."""
        return ()

    @property
    def input_tensors(self) -> list[Tensor]:
        return list(self.inputs)

    @property
    def outputs(self) -> tuple[Tensor, ...]:
        return tuple(Tensor(self, k) for k in range(self.num_outputs))

    def output(self, index: int) -> Tensor:
        return self.outputs[index]

    def output_shape(self, index: int) -> tuple[Size, ...]:
        raise NotImplementedError

    def output_dtype(self, index: int) -> str:
        raise NotImplementedError


@dataclass(frozen=True, eq=False, repr=False)
class Placeholder(Definition):
    """The definition of an argument."""

    name: str
    shape: tuple[Size, ...]
    dtype: str
    location: LocationAttr | None

    axis: ClassVar[tuple[Axis, ...]] = ()  # pyright: ignore[reportIncompatibleVariableOverride]
    reduce_axis: ClassVar[tuple[Axis, ...]] = ()  # pyright: ignore[reportIncompatibleVariableOverride]

    def output_shape(self, index: int) -> tuple[Size, ...]:
        return self.shape

    def output_dtype(self, index: int) -> str:
        return self.dtype

    def __str__(self) -> str:
        return f"placeholder {self.name}: {self.dtype}{format_shape(self.shape)}"

    __repr__ = __str__


@dataclass(frozen=True, eq=False, repr=False)
class Computation(Definition):
    """The definition of tensors over one iteration space: each body is the element of one tensor at `axis`."""

    name: str
    axis: tuple[Axis, ...]
    bodies: tuple[Expr, ...]
    location: LocationAttr | None
    tag: str = ""
    attrs: Mapping[str, Any] = field(default_factory=dict)
    tile: Tile | None = None
    """The part that a tensor intrinsic computes."""

    @property
    def num_outputs(self) -> int:
        return len(self.bodies)

    @property
    def body(self) -> tuple[Expr, ...]:
        return self.bodies

    @property
    def shape(self) -> tuple[Size, ...]:
        return tuple(a.extent for a in self.axis)

    @property
    def reduce_axis(self) -> tuple[Axis, ...]:  # pyright: ignore[reportIncompatibleVariableOverride]
        body = self.bodies[0]
        return body.axes if isinstance(body, Reduce) else ()

    @property
    def inputs(self) -> tuple[Tensor, ...]:
        bounds = [b for axis in self.reduce_axis for b in (axis.low, axis.high) if isinstance(b, Expr)]
        reads = (node.tensor for root in (*self.bodies, *bounds) for node in walk(root) if isinstance(node, Read))
        return tuple(dict.fromkeys(reads))

    def output_shape(self, index: int) -> tuple[Size, ...]:
        return self.shape

    def output_dtype(self, index: int) -> str:
        return self.bodies[index].dtype

    def __str__(self) -> str:
        element = f"{self.name}[{', '.join(a.name for a in self.axis)}]"
        return f"{element} = {', '.join(str(body) for body in self.bodies)}"

    __repr__ = __str__


@dataclass(frozen=True, repr=False)
class Tensor(WholeTensor):
    """A tensor: result `value_index` of its definition. Index it with one expression for each dimension."""

    op: Definition
    value_index: int = 0

    @property
    def name(self) -> str:
        return f"{self.op.name}.v{self.value_index}" if self.op.num_outputs > 1 else self.op.name

    @property
    def shape(self) -> tuple[Size, ...]:
        return self.op.output_shape(self.value_index)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def dtype(self) -> str:
        return self.op.output_dtype(self.value_index)

    def __getitem__(self, indices: Any) -> TensorSlice:
        """Return `A[i, j]`, which may be written `A[i][j]`. With all indices given it is a `Read`; the declared type
        is that of a partial index, because type checkers do not count dimensions."""
        given = indices if isinstance(indices, tuple) else (indices,)
        if 0 < len(given) < self.ndim:
            return TensorSlice(self, tuple(self._index(i) for i in given))
        if len(given) == self.ndim and any(isinstance(i, slice) for i in given):
            from .tiles import TensorRegion

            return TensorRegion(self, tuple(i if isinstance(i, slice) else self._index(i) for i in given))  # pyright: ignore[reportReturnType]
        element: Any = self(*given)
        return element

    def __call__(self, *indices: Any) -> Read:
        if len(indices) != self.ndim:
            self.fail_count(len(indices))
        return Read(self, tuple(self._index(i) for i in indices))

    def fail_count(self, given: int) -> NoReturn:
        te_error(
            "TW0455",
            f"expected {self.ndim} indices of tensor {self.name!r}, but got {given}",
            notes=[f"its shape is {format_shape(self.shape)}"],
        )

    def _index(self, value: Any) -> Expr:
        if isinstance(value, slice) or value is Ellipsis:
            te_error("TW0455", f"expected an integer expression to index {self.name!r}, but got a slice")
        expr = as_expr(value, "index")
        if not dtype_info(expr.dtype).is_integer:
            te_error(
                "TW0455",
                f"expected an integer to index {self.name!r}, but got `{expr}` of type {expr.dtype}",
                help="convert with astype('int32')",
            )
        return expr

    def __iter__(self) -> Any:
        te_error("TW0451", f"expected tensor {self.name!r} to be indexed, but it was iterated over")

    def __repr__(self) -> str:
        return f"Tensor(name={self.name!r}, shape={format_shape(self.shape)}, dtype={self.dtype!r})"


@dataclass(frozen=True, eq=False, repr=False)
class TensorSlice(Expr):
    """A tensor with its first indices given, such as `A[i]` in `A[i][j]`. It has no value."""

    tensor: Tensor
    indices: tuple[Expr, ...]

    @property
    def dtype(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        """No expression gets by without a type: that is where too few indices come to light."""
        self.tensor.fail_count(len(self.indices))

    def __getitem__(self, indices: Any) -> TensorSlice:
        rest = indices if isinstance(indices, tuple) else (indices,)
        return self.tensor[(*self.indices, *rest)]

    def __str__(self) -> str:
        return f"{self.tensor.name}[{', '.join(format_expr(i) for i in self.indices)}]"


def __getattr__(name: str) -> Any:
    """Return the class of definitions with this classic name."""
    try:
        return found_elsewhere(__name__, name)
    except KeyError:
        raise unknown_name(__name__, name, ("Computation", "Definition", "Placeholder", "Tensor")) from None


def placeholder(shape: Any, dtype: Any = "float32", name: str = "placeholder") -> Tensor:
    """Return an argument of the program; of a vector's type, such as "float32x4", a `VectorTensor`."""
    vector = vector_of(dtype)
    if vector is not None:
        from .vectors import VectorTensor

        element, lanes = vector
        sizes = (*as_shape(shape, name), lanes)
        stored = Tensor(Placeholder(name, sizes, element, caller_location()))
        return cast("Tensor", VectorTensor(stored))
    return Tensor(Placeholder(name, as_shape(shape, name), dtype_info(dtype).name, caller_location()))


be_face(sys.modules[__name__])
