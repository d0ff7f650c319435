"""Programs whose statements are the same: they write the same values, whatever those are.

No relation of a recurrence has to be found then. Such are a loop before and after it became parallel, and programs in
which names differ.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects.index_expr import Index, IndexLike, Symbol, Variable
from ..polyhedral.expression_trees import Choice, Expression, IndexValue, walk
from ..polyhedral.model import Model, Read, Statement


def have_same_statements(first: Model, second: Model) -> bool:
    """True where two programs have the same statements at the same times."""
    return _memory_of(first) == _memory_of(second)


def _memory_of(model: Model) -> object:
    """The cells, the writes and the reads of a program, with numbers in place of names and of what they refer to."""
    cells = [
        (c.kind, c.type, _numbered(c.around, c.shape, c.made_at), c.argument, c.data, c.is_output) for c in model.cells
    ]
    writes = [
        (_accessed(s), id(s.value) if _is_of_reads(s.value) else (id(s.value), s.variables), s.is_overlay)
        for s in model.statements
    ]
    reads = [(r.statement, _accessed(r)) for r in model.reads]
    return model.parameters, model.context, cells, writes, reads


def _accessed(access: Statement | Read) -> object:
    """The instances, times and elements of an access."""
    names: dict[Variable, IndexLike] = {v: Symbol(f"variable {k}") for k, v in enumerate(access.variables)}
    domain = [system.substitute(names) for system in access.domain]
    return access.cell.number, len(names), domain, _numbered(access.variables, access.time, access.element)


def _numbered(variables: Sequence[Symbol], *lists: Sequence[Index]) -> object:
    names = {v: Index.of(Symbol(f"variable {k}")) for k, v in enumerate(variables)}
    return [[e.substitute(names) for e in expressions] for expressions in lists]


def _is_of_reads(e: Expression) -> bool:
    """True where an expression names no variable."""
    return not any(isinstance(x, (IndexValue, Choice)) for x in walk(e))
