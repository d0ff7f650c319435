"""Functions that concatenate buffers: each argument is copied, without a change, to a range of bytes of one result.

The concatenation is proved from the loops of the function, however they were tiled, bound or guarded. A stored value is
that of the first load in a chain whose guard holds: `load %b[…] where (…) else (load %c[…] …)`. If a select on a
`loop.test` chooses between two values, the loads of each value have that condition beside their guards. Three facts
make the function a join of its arguments:

- the distance between a load and the store is the same wherever the load is taken, so the argument lies in one piece,
  in order;
- wherever the store runs, one of the loads is taken, inside of its argument, and the pieces of the arguments are
  disjoint: so an element within the piece of an argument is never stored from another value;
- together the stores reach every element of the result.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Attribute, BlockArgument, SSAValue

from ....analysis.domain import Domain, domain_of
from ....analysis.integer_set import PROVED, System, bounds, cover_together, implies_all
from ....dialects.index_expr import Index, Symbol
from ....dialects.loop import (
    ApplyOp,
    BindOp,
    DimOp,
    ForOp,
    IfOp,
    LoadOp,
    PrefetchOp,
    StoreOp,
    TestOp,
    ViewOp,
    buffer_type,
    byte_size,
)
from ....traversal import operations

_MOVES = (arith.ConstantOp, arith.SelectOp, LoadOp, PrefetchOp, TestOp)
_HARMLESS = (*_MOVES, ApplyOp, BindOp, DimOp, ForOp, IfOp, ViewOp, func.ReturnOp)
"""Operations beside stores: none with an effect, and no arithmetic on elements."""


class Part(NamedTuple):
    """An argument, and the range of its bytes in the result."""

    argument: int
    offset: int
    size: int


@dataclass(frozen=True)
class Join:
    """A concatenation. The parts fill the argument number `output`, in the order of their offsets."""

    output: int
    parts: tuple[Part, ...]


def join_of(function: func.FuncOp) -> Join | str | None:
    """Return the concatenation that a function computes; the reason why none is proved, if it moves elements of several
    arguments; else None."""
    stores = _stores(function)
    if not stores:
        return None
    sources = {_root(taken.load.buffer)[0] for store in stores for taken in _loads(store.value)}
    found = _Stores(stores).join()
    return found if isinstance(found, Join) or len(sources) > 1 else None


def _stores(function: func.FuncOp) -> list[StoreOp]:
    """Return the stores of a function that only moves elements of its arguments to one of them, else none."""
    stores: list[StoreOp] = []
    for op in operations(function)[1:]:
        if isinstance(op, StoreOp):
            stores.append(op)
        elif not isinstance(op, _HARMLESS) or (isinstance(op, ForOp) and op.iter_args):
            return []
    outputs = {_root(op.buffer)[0] for op in stores}
    values = [_loads(op.value) for op in stores]
    inputs = {_root(taken.load.buffer)[0] for loads in values for taken in loads}
    only_arguments = all(isinstance(root, BlockArgument) and root.owner is function.body.block for root in outputs)
    if len(outputs) != 1 or not only_arguments or outputs & inputs or not all(values):
        return []
    return stores


class _Taken(NamedTuple):
    """A load that may give a stored value, and the conditions under which this load or an earlier one of its chain is
    taken."""

    load: LoadOp
    conditions: tuple[Index, ...]


def _loads(value: SSAValue, path: tuple[Index, ...] = ()) -> list[_Taken]:
    """Return the loads of a value that is stored under the conditions `path`; none where another operation makes it."""
    if isinstance(select := value.owner, arith.SelectOp):
        test = select.cond.owner
        if not isinstance(test, TestOp) or len(test.conditions) != 1:  # no conjunction is the opposite of another
            return []
        sides = ((select.lhs, test.conditions[0]), (select.rhs, -1 - test.conditions[0]))
        found = [_loads(side, (*path, condition)) for side, condition in sides]
        return [taken for loads in found for taken in loads] if all(found) else []
    loads: list[_Taken] = []
    while isinstance(load := value.owner, LoadOp):
        loads.append(_Taken(load, (*path, *load.conditions)))
        if load.otherwise is None:
            break
        value = load.otherwise
    return loads


def _root(buffer: SSAValue) -> tuple[SSAValue, int | None]:
    """Return the buffer that a chain of views is taken of, and at which byte; None where that is not known."""
    start: int | None = 0
    while isinstance(view := buffer.owner, ViewOp):
        offset = view.byte_offset
        start = start + offset.constant if start is not None and offset.is_constant else None
        buffer = view.buffer
    return buffer, start


class _Stores:
    """The stores of a function that only moves elements, with the facts that are proved about them."""

    def __init__(self, stores: Sequence[StoreOp]) -> None:
        self.stores = stores
        self.output = _argument(_root(stores[0].buffer)[0])
        self.pieces: dict[tuple[BlockArgument, int], None] = {}
        """Argument and first element in the result."""

    def join(self) -> Join | str:
        buffers = [buffer for store in self.stores for buffer in _buffers(store)]
        if any(_elements(v.type) is None for buffer in buffers for v in (buffer, _root(buffer)[0])):
            return "its sizes are not known before it is called"
        if len({_element_type(v) for buffer in buffers for v in (buffer, _root(buffer)[0])}) > 1:
            return "its parts have other elements than its result"
        domains = [domain_of(store) for store in self.stores]
        if not all(map(_depends_on_loops, self.stores, domains)):
            return "what it writes depends on more than its loops"
        for store, domain in zip(self.stores, domains, strict=True):
            if (problem := self._add_pieces(store, domain)) is not None:
                return problem
        ordered = sorted(self.pieces, key=lambda piece: piece[1])
        ends = [0, *(first + _count(argument) for argument, first in ordered)]
        if [first for _, first in ordered] != ends[:-1] or ends[-1] != _count(self.output):
            return "its parts do not lie side by side"
        if not self._fills(domains):
            return "it is not known to write every element of its result"
        width = _width(self.output)
        parts = [Part(a.index, first * width, _count(a) * width) for a, first in ordered]
        return Join(self.output.index, tuple(parts))

    def _add_pieces(self, store: StoreOp, domain: Domain) -> str | None:
        """Enter the offset at which each load of a store's chain puts its argument. Returns the obstacle if one is not
        known."""
        written = _element(store, domain)
        system = domain.system.where(*map(domain.resolve, store.conditions))
        taken: list[System] = []
        for load, conditions in _loads(store.value):
            read = _element(load, domain)
            if written is None or read is None:
                return "it is not known which elements move where"
            argument = _argument(_root(load.buffer)[0])
            here = system.where(*map(domain.resolve, conditions))
            least, most = bounds(here, written - read)
            if least is None or least != most:
                return "the elements of a part do not lie in one piece"
            if implies_all(here, [read, _count(argument) - 1 - read]) != PROVED:
                return "a part is not known to be read inside of its bounds"
            taken.append(here)
            self.pieces[argument, least] = None
        if cover_together(taken, system, system.variables) != PROVED:
            return "some of its elements are those of no part"
        return None

    def _fills(self, domains: Sequence[Domain]) -> bool:
        element = Symbol("element")
        written: list[System] = []
        for store, domain in zip(self.stores, domains, strict=True):
            index = _element(store, domain)
            assert index is not None
            system = domain.system.where(*map(domain.resolve, store.conditions))
            written.append(system.equating([(element, index)]))
        result = System.box({element: (0, _count(self.output))})
        return cover_together(written, result, [element]) == PROVED


def _buffers(store: StoreOp) -> Iterator[SSAValue]:
    yield store.buffer
    yield from (taken.load.buffer for taken in _loads(store.value))


def _argument(value: SSAValue) -> BlockArgument:
    assert isinstance(value, BlockArgument)
    return value


def _element_type(buffer: SSAValue) -> Attribute:
    assert isinstance(buffer.type, MemRefType)
    return buffer.type.element_type


def _elements(type_: object) -> int | None:
    assert isinstance(type_, MemRefType)
    shape = type_.get_shape()
    return None if DYNAMIC_INDEX in shape else prod(shape)


def _count(buffer: SSAValue) -> int:
    elements = _elements(buffer.type)
    assert elements is not None
    return elements


def _width(buffer: SSAValue) -> int:
    width = byte_size(buffer_type([1], _element_type(buffer)))
    assert width is not None
    return width


def _depends_on_loops(store: StoreOp, domain: Domain) -> bool:
    """Return whether the condition, the index and the loaded value of a store depend on loop variables alone."""
    conditions = [*store.index, *store.conditions]
    conditions += [e for load, guards in _loads(store.value) for e in (*load.index, *guards)]
    known = [*domain.system.variables, *(v for e in conditions for v in domain.resolve(e).variables)]
    return domain.is_exact and all(
        isinstance(v, BlockArgument) and isinstance(v.owner.parent_op(), ForOp) for v in known
    )


def _element(access: LoadOp | StoreOp, domain: Domain) -> Index | None:
    """Return the row-major number of the element of its argument that a scalar access touches."""
    root, start = _root(access.buffer)
    width = _width(root)
    if access.lanes is not None or start is None or start % width:
        return None
    linear = Index.of(0)
    assert isinstance(access.buffer.type, MemRefType)
    for e, extent in zip(access.index, access.buffer.type.get_shape(), strict=True):
        linear = linear * extent + domain.resolve(e)
    return linear + start // width
