"""Matching of a nest with the description of a tensor intrinsic, which gives the positions of its operands.

The tile's coordinates are the positions of the nest's iteration variables within their tiles, independent of the loops.
The matcher tries all pairings of these coordinates with the description's iteration variables of the same kind and
extent. For each pairing it compares the two bodies from their stores upwards, with operands of commutative operations
in both orders, until all accesses agree up to the offset of the tile.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, permutations, product

from xdsl.dialects import arith
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import BlockArgument, Operation, SSAValue

from ...diagnostics.locations import name_of
from ...dialects import loop
from ...dialects.index_expr import Index, Range, Variable

_COMMUTATIVE = (
    arith.AddfOp,
    arith.AddiOp,
    arith.MulfOp,
    arith.MuliOp,
    arith.MaximumfOp,
    arith.MinimumfOp,
    arith.MaxSIOp,
    arith.MinSIOp,
    arith.MaxUIOp,
    arith.MinUIOp,
    arith.AndIOp,
    arith.OrIOp,
    arith.XOrIOp,
)
_MOST_PAIRINGS = 4096
"""The largest number of pairings of bodies and axes that are tried."""

Pair = tuple["loop.LoadOp | loop.StoreOp", "loop.LoadOp | loop.StoreOp"]
"""An access of the nest and the one of the description that it should be."""


class Mismatch(Exception):
    """The reason, in words, why a nest is not the computation that the intrinsic describes."""


@dataclass(frozen=True)
class Axis:
    """An iteration variable within a tile."""

    variable: BlockArgument
    kind: str
    extent: int


@dataclass(frozen=True)
class Operand:
    """An argument of the intrinsic in the program: a buffer, and the position of the tile in it."""

    buffer: SSAValue
    dimensions: tuple[int | None, ...]
    """For each dimension of the argument the buffer's, None for one along which the tile has one element."""
    origin: tuple[Index, ...]
    """The first element of the tile, in the buffer's dimensions."""


def match(
    block: loop.BlockOp,
    axes: Sequence[Axis],
    origins: Mapping[BlockArgument, Index],
    described: loop.BlockOp,
    *,
    with_init: bool,
) -> dict[SSAValue, Operand]:
    """Return the operand of each argument of the description, where `block` over a tile computes it. Raises Mismatch.

    `origins` are the first values of the block's variables in a tile. `with_init`: the inits must agree as well.
    """
    wanted = [_axis(row) for row in described.iteration()]
    moving, found = [a for a in wanted if a.extent > 1], [a for a in axes if a.extent > 1]
    if sorted(_shape(moving)) != sorted(_shape(found)):
        raise Mismatch(f"expected axes {_listing(moving)}, but the nest has {_listing(found)}")
    bodies = list(islice(_pairings(block, described, with_init), _MOST_PAIRINGS))
    first: Mismatch | None = None
    for positions in _axis_pairings(moving, found):
        tile = {v: origin + positions.get(v, Index.of(0)) for v, origin in origins.items()}
        for pairs in bodies:
            try:
                return _operands(pairs, tile, {a.variable: a.extent for a in wanted})
            except Mismatch as mismatch:
                first = first or mismatch
    raise first or Mismatch("its body is another computation")


def _axis(row: tuple[BlockArgument, str, Index, Index]) -> Axis:
    variable, kind, _, extent = row
    return Axis(variable, kind, extent.constant)


def _shape(axes: Sequence[Axis]) -> list[tuple[str, int]]:
    return [(a.kind, a.extent) for a in axes]


def _listing(axes: Sequence[Axis]) -> str:
    return ", ".join(f"{name_of(a.variable).removeprefix('%')}: {a.kind} {a.extent}" for a in axes) or "of one element"


def _axis_pairings(wanted: Sequence[Axis], nest_axes: Sequence[Axis]) -> Iterator[dict[BlockArgument, Index]]:
    """Yield, for each pairing of axes of one kind and extent, the nest's variables as the description's."""
    groups = sorted(set(_shape(wanted)))
    for choice in product(*(permutations([a for a in nest_axes if (a.kind, a.extent) == g]) for g in groups)):
        found: dict[BlockArgument, Index] = {}
        for group, chosen in zip(groups, choice, strict=True):
            described = [a for a in wanted if (a.kind, a.extent) == group]
            found.update({o.variable: Index.of(d.variable) for o, d in zip(chosen, described, strict=True)})
        yield found


# Bodies


def _pairings(block: loop.BlockOp, described: loop.BlockOp, with_init: bool) -> Iterator[list[Pair]]:
    """Yield the accesses of two bodies that compute the same, paired in every way. Raises Mismatch where they do
    not."""
    found, wanted = _statements(block.body.block.ops), _statements(described.body.block.ops)
    parts = [_paired_stores(found, wanted)]
    if with_init:
        if block.init is None or described.init is None:
            raise Mismatch("one of the two has an init and the other has none")
        parts.append(_paired_stores(*(_statements(b.init.body.block.ops) for b in (block, described) if b.init)))
    for combination in product(*map(list, parts)):
        yield [pair for pairs in combination for pair in pairs]


def _statements(ops: Iterable[Operation]) -> list[loop.StoreOp]:
    """Return the stores of a straight-line body."""
    stores: list[loop.StoreOp] = []
    for op in ops:
        if isinstance(op, loop.StoreOp):
            stores.append(op)
        if isinstance(op, loop.LoadOp) and stores:
            raise Mismatch(f"its body reads {name_of(op.buffer)} after it has stored")
        if op.regions and not isinstance(op, loop.InitOp):
            raise Mismatch(f"its body holds {op.name}")
        if isinstance(op, loop.CallExternOp):
            raise Mismatch(f"its body calls {op.callee}")
    return stores


def _paired_stores(found: Sequence[loop.StoreOp], wanted: Sequence[loop.StoreOp]) -> Iterator[list[Pair]]:
    if len(found) != len(wanted):
        raise Mismatch(f"expected {len(wanted)} stores, but its body has {len(found)}")
    alternatives = [list(_paired(o.value, w.value)) for o, w in zip(found, wanted, strict=True)]
    stores: list[Pair] = list(zip(found, wanted, strict=True))
    for combination in product(*alternatives):
        yield [*stores, *(pair for pairs in combination for pair in pairs)]


def _paired(found: SSAValue, wanted: SSAValue) -> Iterator[list[Pair]]:
    """Return the loads behind two values that are computed by equal operations. Raises Mismatch where they are not."""
    if found.type != wanted.type:
        raise Mismatch(f"expected a value of type {wanted.type}, but got {found.type}")
    op, described = found.owner, wanted.owner
    if not isinstance(op, Operation) or not isinstance(described, Operation):
        raise Mismatch(f"it uses the value {name_of(found)}, which the intrinsic cannot be given")
    if op.name != described.name:
        raise Mismatch(f"expected {described.name}, but the body has {op.name}")
    if isinstance(op, loop.LoadOp) and isinstance(described, loop.LoadOp):
        yield [(op, described)]
        return
    if isinstance(op, loop.IndexedOp):
        raise Mismatch(f"its body uses positions as values, by {op.name}")
    if op.properties != described.properties:
        raise Mismatch(f"expected {described}, but the body has {op}")
    orders = [tuple(op.operands)]
    if isinstance(op, _COMMUTATIVE):
        orders.append(tuple(reversed(op.operands)))
    first: Mismatch | None = None
    matched = False
    for order in orders:
        try:
            alternatives = [list(_paired(o, w)) for o, w in zip(order, described.operands, strict=True)]
        except Mismatch as mismatch:
            first = first or mismatch
            continue
        matched = True
        for combination in product(*alternatives):
            yield [pair for pairs in combination for pair in pairs]
    if not matched and first is not None:
        raise first


# Accesses


def _operands(
    pairs: Sequence[Pair], tile: Mapping[BlockArgument, Index], extents: Mapping[BlockArgument, int]
) -> dict[SSAValue, Operand]:
    """Return the operand that each buffer of the description is, where all accesses agree on it. Raises Mismatch."""
    ranges: dict[Variable, Range] = {v: (0, n - 1) for v, n in extents.items()}
    zero: dict[Variable, Index] = {v: Index.of(0) for v, n in extents.items() if n == 1}
    values: dict[Variable, Index] = {**tile}
    found: dict[SSAValue, Operand] = {}
    for access, wanted in pairs:
        if access.conditions or wanted.conditions:
            raise Mismatch(f"the access {_text(access)} is guarded")
        index = [e.substitute(values).with_ranges(ranges) for e in access.index]
        described = [e.substitute(zero).with_ranges(ranges) for e in wanted.index]
        operand = _operand_of(access, index, described, wanted)
        if found.setdefault(wanted.buffer, operand) != operand:
            raise Mismatch(
                f"the accesses to {name_of(access.buffer)} do not move together as those of the intrinsic do"
            )
    written = {wanted.buffer for _, wanted in pairs if isinstance(wanted, loop.StoreOp)}
    for buffer, operand in found.items():
        if buffer in written and any(o.buffer is operand.buffer for b, o in found.items() if b is not buffer):
            raise Mismatch(f"{name_of(operand.buffer)} is both an output and another operand")
    return found


def _operand_of(
    access: loop.LoadOp | loop.StoreOp,
    index: Sequence[Index],
    described: Sequence[Index],
    wanted: loop.LoadOp | loop.StoreOp,
) -> Operand:
    """Pair the dimensions of an access with those of the description, the last ones first."""
    axes = {v for e in described for v in e.variables}
    tile_axes = set(_block_variables(wanted))
    dimensions: list[int | None] = [None] * len(described)
    origin: list[Index] = []
    d = len(described) - 1
    for j in range(len(index) - 1, -1, -1):
        moves, rest = _split(index[j], tile_axes)
        while d >= 0 and moves != described[d] - described[d].constant and described[d].is_constant:
            d -= 1
        if d >= 0 and moves == described[d] - described[d].constant:
            dimensions[d] = j
            rest, d = rest - described[d].constant, d - 1
        elif moves != Index.of(0):
            raise Mismatch(f"expected an access {_text(wanted)}, but the body has {_text(access)}")
        origin.append(rest)
    if any(described[k].variables for k in range(d + 1)):
        raise Mismatch(f"expected an access {_text(wanted)}, but the body has {_text(access)}")
    assert axes <= tile_axes
    return Operand(access.buffer, tuple(dimensions), tuple(reversed(origin)))


def _block_variables(op: Operation) -> Sequence[BlockArgument]:
    block = next(loop.enclosing(op, loop.BlockOp))
    assert isinstance(block, loop.BlockOp)
    return block.variables


def _split(e: Index, axes: set[BlockArgument]) -> tuple[Index, Index]:
    """Return the part of an index that moves within the tile, and the rest. Raises Mismatch where a quotient mixes the
    two."""
    moves, rest = Index.of(0), Index.of(e.constant)
    for atom, c in e.terms:
        part = Index.of_atom(atom) * c
        is_moving = [v in axes for v in part.variables]
        if any(is_moving) and not all(is_moving):
            raise Mismatch(f"the index {e} mixes positions inside and outside of the tile")
        moves, rest = (moves + part, rest) if any(is_moving) else (moves, rest + part)
    return moves, rest


def _text(op: loop.LoadOp | loop.StoreOp) -> str:
    assert isinstance(op.buffer.type, MemRefType)
    return f"{name_of(op.buffer)}[{', '.join(map(str, op.index))}]"
