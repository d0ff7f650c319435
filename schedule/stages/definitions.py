"""Definitions of the tensors that stages create: copies for caches, and the parts of a factored reduction.

Lowering does not read these definitions, because the primitives of the engine rewrite blocks. The definitions provide
the axes of the tensors that cache_read, cache_write and rfactor return, and the text of `s[T].op`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from xdsl.dialects.builtin import LocationAttr

from ...te.definition_order import each_after_what_it_needs
from ...te.expr import Axis, Expr, Read, Reduce
from ...te.recurrence import Scan
from ...te.shapes import Extent, Size
from ...te.substitution import substitute
from ...te.tensor import Computation, Definition, Tensor


def fresh_axes(names: Sequence[str], extents: Sequence[Size], *, is_reduce: bool = False) -> tuple[Axis, ...]:
    sizes = [Extent(extent) if isinstance(extent, int) else extent for extent in extents]
    return tuple(Axis(name, 0, size, is_reduce) for name, size in zip(names, sizes, strict=True))


def copy_of(tensor: Tensor, name: str, location: LocationAttr) -> Computation:
    """Return the definition of a tensor that equals `tensor`."""
    names = ["ijklmn"[d] if d < 6 else f"d{d}" for d in range(tensor.ndim)]
    axes = fresh_axes(names, tensor.shape)
    return Computation(name, axes, (Read(tensor, axes),), location)


def reading(op: Computation, sources: Sequence[Tensor], at: Sequence[Expr]) -> Computation:
    """Return `op` with each of its bodies an element of a tensor."""
    return replace(op, bodies=tuple(Read(source, tuple(at)) for source in sources), tile=None)


def with_reads_of(op: Computation, old: Tensor, new: Tensor) -> Computation:
    """Return `op` with reads of `old` replaced by reads of `new`."""
    return replace(op, bodies=tuple(substitute(body, {}, {old: new}) for body in op.bodies))


def factored(
    op: Computation, name: str, axes: tuple[Axis, ...], remaining: tuple[Axis, ...], values: Mapping[Expr, Expr]
) -> Computation:
    """Return `op` with its old axes as `values` of `axes` and of the reduction axes that remain, started from the
    identity."""
    bodies: list[Expr] = []
    for body in op.bodies:
        assert isinstance(body, Reduce)
        moved = cast(Reduce, substitute(body, values, {}))
        bodies.append(replace(moved, axes=remaining, start=None) if remaining else moved.source)
    return replace(op, name=name, axis=axes, bodies=tuple(bodies))


def combining(op: Computation, axis: Axis, sources: Sequence[Tensor], at: Sequence[Expr]) -> Computation:
    """Return `op` reducing the elements of `sources` over one axis."""
    bodies: list[Expr] = []
    for body, source in zip(op.bodies, sources, strict=True):
        assert isinstance(body, Reduce)
        bodies.append(replace(body, source=Read(source, tuple(at)), axes=(axis,)))
    return replace(op, bodies=tuple(bodies))


def source_stages_first(outputs: Sequence[Definition]) -> list[Definition]:
    """Return the definitions that `outputs` depend on, themselves and the steps of scans included, each after its
    inputs."""
    return each_after_what_it_needs(
        outputs, lambda op: [*(tensor.op for tensor in op.inputs), *(op.body if isinstance(op, Scan) else ())]
    )
