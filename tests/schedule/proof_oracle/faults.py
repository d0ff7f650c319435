"""One index, bound, guard, constant or order of operands of a function, changed by one, so that it stays valid IR."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from tilewright.analysis.dominance import verify_dominance
from tilewright.dialects import loop
from tilewright.dialects.indexed_op import IndexedOp
from tilewright.dialects.loop import index_values
from tilewright.semantics.elementwise import ELEMENTWISE
from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, IntegerType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from ..choices import Choices, pick

TRIES = 20
"""The number of changes that are tried before a function counts as unchangeable."""

LISTS: dict[type[IndexedOp], dict[str, str]] = {
    loop.ForOp: {"lower": "bound", "upper": "bound"},
    loop.LoadOp: {"indices": "index", "guard": "guard"},
    loop.StoreOp: {"indices": "index", "guard": "guard"},
    loop.BlockOp: {"bindings": "index", "guard": "guard"},
    loop.IfOp: {"guard": "guard"},
    loop.TestOp: {"guard": "guard"},
    index_values.ApplyOp: {"expression": "index"},
}
"""The lists of index expressions that are changed, and what a change of each is called."""


@dataclass(frozen=True)
class Change:
    """A way to change one operation."""

    sort: str
    """index, bound, guard, constant or order."""
    description: str
    apply: Callable[[Operation], None]
    position: int
    """The operation's position in the function's walk."""


def changed(function: FuncOp, choices: Choices) -> tuple[str, FuncOp] | None:
    """Return the description of a change and the changed function; None if no tried change leaves valid IR."""
    by_sort: dict[str, list[Change]] = {}
    for change in changes_of(function):
        by_sort.setdefault(change.sort, []).append(change)
    for _ in range(TRIES if by_sort else 0):
        change = pick(choices, by_sort[pick(choices, sorted(by_sort))])
        copy = function.clone()
        change.apply(list(copy.walk())[change.position])
        if str(copy) != str(function) and _is_valid(copy):
            return f"{change.sort}: {change.description}", copy
    return None


def changes_of(function: FuncOp) -> Iterator[Change]:
    """Yield all changes by one that a function has room for."""
    for position, op in enumerate(function.walk()):
        for name, sort in LISTS.get(type(op), {}).items():
            assert isinstance(op, IndexedOp)
            for number, expression in enumerate(op.index_list(name)):
                for by in (1, -1):
                    description = f"{op.name} {name} {expression} by {by:+}"
                    yield Change(sort, description, partial(_add, name=name, number=number, by=by), position)
        if isinstance(op, arith.ConstantOp) and isinstance(op.value, (FloatAttr, IntegerAttr)):
            yield Change("constant", f"{op.value} by +1", _add_to_constant, position)
        if op.name in ELEMENTWISE and len(op.operands) >= 2:
            first, second = op.operands[-2:]
            if first.type == second.type and first is not second:
                yield Change("order", f"operands of {op.name}", _swap, position)


def _add(op: Operation, name: str, number: int, by: int) -> None:
    assert isinstance(op, IndexedOp)
    expressions = list(op.index_list(name))
    expressions[number] = expressions[number] + by
    op.set_index_lists(**{name: expressions})


def _add_to_constant(op: Operation) -> None:
    assert isinstance(op, arith.ConstantOp)
    value = op.value
    if isinstance(value, FloatAttr):
        op.properties["value"] = FloatAttr(value.value.data + 1.0, value.type)
        return
    assert isinstance(value, IntegerAttr)
    number = value.value.data + 1
    if isinstance(value.type, IntegerType) and value.type.width.data == 1:
        number = 1 - value.value.data % 2
    op.properties["value"] = IntegerAttr(number, value.type)


def _swap(op: Operation) -> None:
    *others, first, second = op.operands
    op.operands = [*others, second, first]


def _is_valid(function: FuncOp) -> bool:
    module = ModuleOp([function.clone()])
    try:
        module.verify()
        verify_dominance(module)
    except (VerifyException, ValueError):
        return False
    return True
