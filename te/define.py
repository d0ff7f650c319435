"""`te.compute`: defines tensors by a function of axes; `te.tag_scope`: tags the computes that are defined within."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import ContextDecorator
from typing import Any, NoReturn, overload

from ..diagnostics.expectations import WRONG_TYPE
from ..diagnostics.locations import caller_location
from .calls import ValuedCall
from .expr import Axis, Expr, Reduce, Scalar, as_expr, walk
from .shapes import as_shape, attributes_of
from .te_errors import te_error
from .tensor import Computation, Tensor
from .tiles import Tile, TileCall
from .vectors import VectorTensor, at_lane, lanes_of

_open_tags: list[str] = []


@overload
def compute(
    shape: Any,
    fcompute: Callable[..., Scalar],
    name: str = "compute",
    tag: str = "",
    attrs: Mapping[str, Any] | None = None,
) -> Tensor: ...
@overload
def compute(
    shape: Any,
    fcompute: Callable[..., Sequence[Scalar]],
    name: str = "compute",
    tag: str = "",
    attrs: Mapping[str, Any] | None = None,
) -> tuple[Tensor, ...]: ...
def compute(
    shape: Any,
    fcompute: Callable[..., Any],
    name: str = "compute",
    tag: str = "",
    attrs: Mapping[str, Any] | None = None,
) -> Tensor | tuple[Tensor, ...]:
    """Return a tensor whose element at (i, j, ...) is `fcompute(i, j, ...)`.

    The function is called once, with an axis for each dimension, named after its parameters. It returns a
    scalar expression, or a tuple of them for several tensors of one shape; `compute` then returns a tuple.
    Where it returns vectors, as reads of a tensor of "float32x4" are, the tensor is one of vectors.
    Where it returns a call of a tensor intrinsic, `vadd(A[i, 0:16], B[i, 0:16])`, it takes an axis for each dimension
    in front of those of the tile, and schedules of the compute use the intrinsic.
    `tag` and `attrs` are kept for those who look at the definition.
    """
    if not callable(fcompute) or isinstance(fcompute, type):  # pyright: ignore[reportUnnecessaryIsInstance]
        te_error(WRONG_TYPE, f"expected a function of the axes of {name!r}, but got {fcompute!r}")
    extents = as_shape(shape, name)
    names = _axis_names(fcompute, len(extents), name)
    axes = tuple(Axis(n, 0, e) for n, e in zip(names, extents[: len(names)], strict=True))
    result = fcompute(*axes)
    tile = None
    if isinstance(result, TileCall):
        tile = Tile(result.intrinsic, len(axes), len(result.reduce_axes))
        axes, bodies = result.bodies(axes, extents, name)
        result = bodies if len(bodies) > 1 else bodies[0]
    elif len(axes) < len(extents):
        _fail_count(name, len(extents), len(axes))
    values = tuple(result) if isinstance(result, (tuple, list)) else (result,)
    lanes = lanes_of([value for value in values if isinstance(value, Expr)], name)
    if lanes is not None:
        lane = Axis("lane", 0, lanes)
        axes = (*axes, lane)
        values = tuple(at_lane(value, lane) if isinstance(value, Expr) else value for value in values)
    bodies = tuple(_body(value, axes, name) for value in values)
    _check_reductions(bodies, name)
    attributes = attributes_of(attrs)
    op = Computation(name, axes, bodies, caller_location(), tag or current_tag(), attributes, tile)
    outputs: tuple[Any, ...] = op.outputs if lanes is None else tuple(map(VectorTensor, op.outputs))
    return outputs if isinstance(result, (tuple, list)) else outputs[0]


def _axis_names(fcompute: Callable[..., Any], rank: int, name: str) -> Sequence[str]:
    """Return a name for each dimension, or for the first ones, from the function's parameters."""
    parameters = list(inspect.signature(fcompute).parameters.values())
    named = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    rest = next((p.name for p in parameters if p.kind is p.VAR_POSITIONAL), None)
    required = sum(p.default is p.empty for p in parameters if p.name in named)
    if required > rank:
        _fail_count(name, rank, len(named))
    more = () if rest is None else range(rank - len(named))
    return [*named[:rank], *(f"{rest}{d}" for d in more)]


def _fail_count(name: str, rank: int, count: int) -> NoReturn:
    te_error(
        "TW0453",
        f"expected the function of compute {name!r} to take {rank} arguments, one for each dimension, but got {count}",
    )


def _body(value: Any, axes: tuple[Axis, ...], name: str) -> Expr:
    if value is None:
        te_error("TW0453", f"expected the function of compute {name!r} to return an expression, but got None")
    given = value.value if isinstance(value, ValuedCall) and value.value is not None else value
    body = given if isinstance(given, Reduce) else as_expr(given)
    reduced = body.axes if isinstance(body, Reduce) else ()
    allowed = {*axes, *reduced}
    bounds = [bound for axis in reduced for bound in (axis.low, axis.high) if isinstance(bound, Expr)]
    for node in (n for root in (body, *bounds) for n in walk(root)):
        if isinstance(node, Axis) and node not in allowed:
            what = "is not reduced over" if node.is_reduce else "belongs to another compute"
            te_error(
                "TW0456",
                f"expected compute {name!r} to use only axes of its domain and reductions, but axis "
                f"{node.name!r} {what}",
            )
    # Tensors hold no index: an element that is one, such as `lambda i: i`, is int64.
    return body.astype("int64") if body.dtype == "index" else body


def _check_reductions(bodies: Sequence[Expr], name: str) -> None:
    """Check that the bodies are elements, or the results of one reduction in order."""
    reductions = [b for b in bodies if isinstance(b, Reduce)]
    if not reductions:
        return
    first = reductions[0]
    expected = first.combiner.arity
    whole = len(reductions) == len(bodies) == expected
    if whole and all(b.group is first.group and b.value_index == k for k, b in enumerate(reductions)):
        return
    te_error(
        "TW0462",
        f"expected compute {name!r} to return all {expected} results of one reduction, but got {_listing(bodies)}"
        if expected > 1
        else f"expected one reduction as the result of compute {name!r}, but got {_listing(bodies)}",
        help="give each reduction a separate compute, or combine the values in one te.comm_reducer",
    )


def _listing(bodies: Sequence[Expr]) -> str:
    return ", ".join(f"`{b}`" for b in bodies)


class TagScope(ContextDecorator):
    """A context manager or decorator that gives a tag to the computes defined within."""

    def __init__(self, tag: str) -> None:
        self.tag = tag

    def __enter__(self) -> TagScope:
        if _open_tags:
            te_error(
                "TW0453",
                f"expected one tag for a compute, but te.tag_scope({self.tag!r}) stands in that of {_open_tags[-1]!r}",
            )
        _open_tags.append(self.tag)
        return self

    def __exit__(self, *error: object) -> None:
        _open_tags.pop()


def tag_scope(tag: str) -> TagScope:
    """Return a scope that tags computes: `with te.tag_scope("gemm"):`, or `@te.tag_scope("conv")`. Raises TW0453 within
    another."""
    return TagScope(tag)


def current_tag() -> str:
    """Return the tag of the scope around; empty where there is none."""
    return _open_tags[-1] if _open_tags else ""
