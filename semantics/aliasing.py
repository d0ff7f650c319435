"""Aliased arguments: the cases that a proof covers beside that of disjoint arguments.

Two arguments of one memref type may be the same buffer. For such a case the uses of the later argument are replaced by
the earlier one in both functions, so that a proof and a run see one buffer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from ..ir import editor as edit
from .arguments import arguments_of

Shared: TypeAlias = tuple[tuple[int, ...], ...]
"""Arguments that are one buffer, by position: one tuple for each buffer of several."""

CASES = 64
"""The most cases that are looked at."""


def shared_arguments(before: FuncOp, after: FuncOp) -> list[Shared] | None:
    """Return the cases in which arguments of both functions are one buffer; None where there are too many.

    Results of a function of upstream MLIR, numbers, and arguments whose type is another one in `after` are left out.
    """
    by_type: dict[Attribute, list[int]] = {}
    others = after.body.block.args
    outputs = {a.value.index for function in (before, after) for a in arguments_of(function) if a.is_output}
    for argument, other in zip(before.body.block.args, others, strict=False):
        type = argument.type
        if isinstance(type, MemRefType) and type.get_shape() and type == other.type and argument.index not in outputs:
            by_type.setdefault(type, []).append(argument.index)
    cases: list[Shared] = [()]
    for positions in by_type.values():
        partitions = list(_partitions(positions)) if len(positions) <= 6 else None
        if partitions is None or len(cases) * len(partitions) > CASES:
            return None
        cases = [(*case, *(part for part in partition if len(part) > 1)) for case in cases for partition in partitions]
    return [case for case in cases if case]


def sharing(function: FuncOp, shared: Shared) -> FuncOp:
    """Return a copy of a function in which some arguments are one buffer."""
    copy = function.clone()
    arguments = copy.body.block.args
    for first, *rest in shared:
        for position in rest:
            edit.replace_uses(arguments[position], arguments[first])
    return copy


def _partitions(items: Sequence[int]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield all ways to put items in groups."""
    if not items:
        yield ()
        return
    first, *rest = items
    for partition in _partitions(rest):
        yield ((first,), *partition)
        for k, group in enumerate(partition):
            yield (*partition[:k], (first, *group), *partition[k + 1 :])
