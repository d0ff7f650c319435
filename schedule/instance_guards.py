"""Conditions of a block's guard over its instances, independent of the loops that run them."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager

from xdsl.ir import BlockArgument, SSAValue

from ..analysis.ranges import Facts
from ..dialects import loop
from ..dialects.index_expr import Index
from .loop_rewriting import add_guard


def conditions_of_instances(block: loop.BlockOp) -> dict[Index, Index]:
    """Return the conditions that are expressions of the iteration variables, each with that expression.

    Conditions that the domain of the block implies are left out: they are about loops that run beyond it.
    """
    domain = [e for v, _, _, extent in block.iteration() for e in (Index.of(v), extent - v - 1)]
    facts = Facts({}).where(*domain)
    found = {e: _over_variables(block, e) for e in block.conditions}
    return {e: rewritten for e, rewritten in found.items() if rewritten is not None and not facts.proves(rewritten)}


def _over_variables(block: loop.BlockOp, condition: Index) -> Index | None:
    """Return `condition` with loops' variables expressed by the iteration variables bound to them; None if it cannot
    be."""
    rest = condition
    for variable, _, binding, _ in block.iteration():
        atoms = [a for a, _ in binding.terms]  # of fused loops the quotient or remainder that it is
        atom = next((a for a in atoms if isinstance(a, SSAValue)), next(iter(atoms), None))
        if atom is None or rest.coefficient(atom) % binding.coefficient(atom):
            continue
        factor = rest.coefficient(atom) // binding.coefficient(atom)
        rest = rest - (binding - variable) * factor
    variables = {v for v, *_ in block.iteration()}
    return rest if all(v in variables or not _is_loop_variable(v) for v in rest.values()) else None


def _is_loop_variable(value: SSAValue) -> bool:
    return isinstance(value, BlockArgument) and isinstance(value.block.parent_op(), loop.ForOp)


@contextmanager
def unguarded(block: loop.BlockOp, conditions: Iterable[Index]) -> Generator[None]:
    """Treat the block inside the `with` as if it also ran where `conditions` fail."""
    guard, left_out = block.conditions, set(conditions)
    block.set_index_lists(guard=[e for e in guard if e not in left_out])
    try:
        yield
    finally:
        block.set_index_lists(guard=guard)


def guard_instances(block: loop.BlockOp, conditions: Iterable[Index]) -> None:
    """Run the block only where conditions over its iteration variables hold."""
    bindings: dict[SSAValue, Index] = {v: binding for v, _, binding, _ in block.iteration()}
    add_guard(block, *(e.substitute(dict(bindings)) for e in conditions))
