"""The definitions that tensors depend on, in dependence order, and their names in the IR."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NoReturn, TypeAlias

from ..diagnostics.expectations import expect_type
from ..diagnostics.locations import source_position
from .expr import Axis, Expr, Var, walk
from .external import Extern
from .recurrence import Scan
from .te_errors import te_error
from .tensor import Computation, Definition, Placeholder, Tensor

Defined: TypeAlias = "Computation | Scan | Extern"
"""The definitions that become operations."""


def in_dependence_order(outputs: Sequence[Tensor], inputs: Collection[Tensor]) -> list[Defined]:
    """Return the definitions that `outputs` need and `inputs` do not give, each after those that it reads.

    Raises TW0459 for a placeholder that is not among `inputs`, TW0465 for a compute of a scan's steps that is read
    outside of them.
    """
    order = _definitions(outputs, inputs)
    scan_of: dict[Definition, Scan] = {op: scan for scan in order if isinstance(scan, Scan) for op in scan.body}
    for op in order:
        if op in scan_of:
            te_error(
                "TW0465",
                f"expected {op.name!r}, which scan {scan_of[op].name!r} computes at its steps, to be read there only",
                help="define it a second time for what reads it elsewhere",
            )
    for op in order:
        if isinstance(op, Placeholder):
            te_error("TW0459", f"expected placeholder {op.name!r} among the arguments, but it is not")
    return [op for op in order if isinstance(op, (Computation, Scan, Extern))]


def block_labels(outputs: Sequence[Tensor]) -> dict[Defined, str]:
    """Return the label of each definition that `outputs` need: its name, made unique in dependence order.

    `to_module` gives the same labels to the same outputs in the same order.
    """
    expect_type("outputs", outputs, list, tuple)
    for each in outputs:
        expect_type("outputs", each, Tensor)
    needed = [op for op in _definitions(outputs, ()) if isinstance(op, (Computation, Scan, Extern))]
    return unique_labels(needed, ())


def with_bodies(operations: Iterable[Defined]) -> Iterator[Defined]:
    """Yield the definitions, the computes of a scan's steps before the scan."""
    for op in operations:
        if isinstance(op, Scan):
            yield from op.body
        yield op


def unique_labels(operations: Iterable[Defined], taken: Iterable[str]) -> dict[Defined, str]:
    """Return each name, or the first of name_1, name_2, ... that is not taken."""
    used = set(taken)
    labels: dict[Defined, str] = {}
    for op in with_bodies(operations):
        label, count = op.name, 0
        while label in used:
            count += 1
            label = f"{op.name}_{count}"
        used.add(label)
        labels[op] = label
    return labels


def check_reduce_axes(operations: Iterable[Defined]) -> None:
    """Raise TW0464 for a reduce axis that two computes have."""
    owners: dict[Axis, Defined] = {}
    for op in with_bodies(operations):
        for axis in op.reduce_axis:
            other = owners.setdefault(axis, op)
            if other is not op:
                _shared_axis(axis, other, op)


def _shared_axis(axis: Axis, first: Defined, second: Defined) -> NoReturn:
    positions = [(op.name, source_position(op.location)) for op in (first, second)]
    te_error(
        "TW0464",
        f"expected a reduce axis in one compute, but {axis.name!r} is one of {first.name!r} and of {second.name!r}",
        notes=[f"{position}: compute {name!r}" for name, position in positions if position is not None],
        help=f"make a reduce_axis for each of {first.name!r} and {second.name!r}",
    )


def variables(operation: Defined) -> Iterator[Var]:
    """Yield the size variables in a definition's domain and bodies."""
    if isinstance(operation, Scan):
        yield from (v for op in operation.body for v in variables(op))
        return
    if isinstance(operation, Extern):
        sizes = [n for shape in operation.shapes for n in shape if isinstance(n, Expr)]
        yield from (node for size in sizes for node in walk(size) if isinstance(node, Var))
        yield from operation.variables
        return
    axes = (*operation.axis, *operation.reduce_axis)
    bounds = [b for a in axes for b in (a.low, a.high) if isinstance(b, Expr)]
    for root in (*bounds, *operation.bodies):
        yield from (node for node in walk(root) if isinstance(node, Var))


def _definitions(outputs: Sequence[Tensor], inputs: Collection[Tensor]) -> list[Definition]:
    """Return all definitions, placeholders included, each after those that it reads."""

    def made(tensors: Sequence[Tensor]) -> list[Definition]:
        return [tensor.op for tensor in tensors if tensor not in inputs]

    return each_after_what_it_needs(made(outputs), lambda op: made(op.inputs))


def each_after_what_it_needs(
    roots: Sequence[Definition], needs: Callable[[Definition], Sequence[Definition]]
) -> list[Definition]:
    """Return `roots` and their dependences by `needs`, each definition once and behind its dependences."""
    order: dict[Definition, None] = {}
    stack = [(op, False) for op in reversed(roots)]
    while stack:
        op, is_ready = stack.pop()
        if is_ready:
            order[op] = None
        elif op not in order:
            stack.append((op, True))
            stack.extend((needed, False) for needed in reversed(needs(op)))
    return list(order)
