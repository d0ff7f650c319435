"""Tensors, and the two things that define one: a placeholder, or a compute over an index space."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import LocationAttr

from ..diagnostics.locations import caller_location
from .dtypes import dtype_info
from .errors import te_error
from .expr import Axis, Expr, Read, Reduce, as_expr, walk
from .shapes import Size, as_shape, format_shape
from .whole_tensors import WholeTensor


@dataclass(frozen=True, eq=False)
class Placeholder:
    """The definition of an argument."""

    name: str
    shape: tuple[Size, ...]
    dtype: str
    location: LocationAttr | None

    axis: tuple[Axis, ...] = ()
    reduce_axis: tuple[Axis, ...] = ()
    inputs: tuple[Tensor, ...] = ()

    def __str__(self) -> str:
        return f"placeholder {self.name}: {self.dtype}{format_shape(self.shape)}"


@dataclass(frozen=True, eq=False)
class Computation:
    """The definition of tensors by one index space: each body is one tensor's element at `axis`."""

    name: str
    axis: tuple[Axis, ...]
    bodies: tuple[Expr, ...]
    location: LocationAttr | None

    @property
    def shape(self) -> tuple[Size, ...]:
        return tuple(a.extent for a in self.axis)

    @property
    def reduce_axis(self) -> tuple[Axis, ...]:
        body = self.bodies[0]
        return body.axes if isinstance(body, Reduce) else ()

    @property
    def outputs(self) -> tuple[Tensor, ...]:
        return tuple(Tensor(self, k) for k in range(len(self.bodies)))

    @property
    def inputs(self) -> tuple[Tensor, ...]:
        """The tensors that the bodies read, in order of first use."""
        reads = (node.tensor for body in self.bodies for node in walk(body) if isinstance(node, Read))
        return tuple(dict.fromkeys(reads))

    def __str__(self) -> str:
        element = f"{self.name}[{', '.join(a.name for a in self.axis)}]"
        return f"{element} = {', '.join(str(body) for body in self.bodies)}"


@dataclass(frozen=True, repr=False)
class Tensor(WholeTensor):
    """A tensor: result `value_index` of what defines it. Index it with one expression for each dimension."""

    op: Placeholder | Computation
    value_index: int = 0

    @property
    def name(self) -> str:
        op = self.op
        many = isinstance(op, Computation) and len(op.bodies) > 1
        return f"{op.name}.v{self.value_index}" if many else op.name

    @property
    def shape(self) -> tuple[Size, ...]:
        return self.op.shape

    @property
    def ndim(self) -> int:
        return len(self.op.shape)

    @property
    def dtype(self) -> str:
        return self.op.dtype if isinstance(self.op, Placeholder) else self.op.bodies[self.value_index].dtype

    def __getitem__(self, indices: Any) -> Read:
        given = indices if isinstance(indices, tuple) else (indices,)
        return self(*given)

    def __call__(self, *indices: Any) -> Read:
        if len(indices) != self.ndim:
            te_error(
                "TW0455",
                f"expected {self.ndim} indices of tensor {self.name!r}, but got {len(indices)}",
                notes=[f"its shape is {format_shape(self.shape)}"],
            )
        return Read(self, tuple(self._index(i) for i in indices))

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


def placeholder(shape: Any, dtype: Any = "float32", name: str = "placeholder") -> Tensor:
    """An argument of the program."""
    return Tensor(Placeholder(name, as_shape(shape, name), dtype_info(dtype).name, caller_location()))


def compute(shape: Any, fcompute: Callable[..., Any], name: str = "compute") -> Any:
    """A tensor whose element at (i, j, ...) is `fcompute(i, j, ...)`.

    The function is called once, with an axis for each dimension, named after its parameters. It returns a
    scalar expression, or a tuple of them for several tensors of one shape; `compute` then returns a tuple.
    """
    extents = as_shape(shape, name)
    axes = tuple(Axis(n, 0, e) for n, e in zip(_axis_names(fcompute, len(extents), name), extents, strict=True))
    result = fcompute(*axes)
    values = result if isinstance(result, tuple) else (result,)
    bodies = tuple(_body(value, axes, name) for value in values)
    if len(bodies) > 1 and any(isinstance(b, Reduce) for b in bodies):
        te_error("TW0454", f"expected one value from the function of compute {name!r} where it reduces")
    op = Computation(name, axes, bodies, caller_location())
    return op.outputs if isinstance(result, tuple) else op.outputs[0]


def _axis_names(fcompute: Callable[..., Any], rank: int, name: str) -> Sequence[str]:
    """One name for each dimension, from the function's parameters."""
    parameters = list(inspect.signature(fcompute).parameters.values())
    named = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    rest = next((p.name for p in parameters if p.kind is p.VAR_POSITIONAL), None)
    required = sum(p.default is p.empty for p in parameters if p.name in named)
    if required > rank or (rest is None and len(named) < rank):
        te_error(
            "TW0453",
            f"expected the function of compute {name!r} to take {rank} arguments, one for each dimension, "
            f"but got {len(named)}",
        )
    return [*named[:rank], *(f"{rest}{d}" for d in range(rank - len(named)))]


def _body(value: Any, axes: tuple[Axis, ...], name: str) -> Expr:
    if value is None:
        te_error("TW0453", f"expected the function of compute {name!r} to return an expression, but got None")
    body = value if isinstance(value, Reduce) else as_expr(value)
    allowed = {*axes, *(body.axes if isinstance(body, Reduce) else ())}
    for node in walk(body):
        if isinstance(node, Axis) and node not in allowed:
            what = "is not reduced over" if node.is_reduce else "belongs to another compute"
            te_error("TW0456", f"expected compute {name!r} to use its own axes, but axis {node.name!r} {what}")
    return _without_index_type(body)


def _without_index_type(body: Expr) -> Expr:
    """Tensors hold no index: an element that is one, such as `lambda i: i`, is int64."""
    if body.dtype != "index":
        return body
    if isinstance(body, Reduce):
        return Reduce(body.combiner, body.source.astype("int64"), body.axes)
    return body.astype("int64")
