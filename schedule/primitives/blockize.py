"""blockize: a block over tiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import NoReturn

from xdsl.ir import Block, BlockArgument, Operation, Region
from xdsl.rewriter import InsertPoint

from ...analysis.domain import loop_ranges, loops_around, resolve
from ...analysis.radix import determined
from ...analysis.ranges import facts_at
from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...dialects import loop
from ...dialects.index_expr import Index, Range, Symbol, Variable
from ...ir import editor as edit
from ..engine import Engine
from ..handles import BlockRV, LoopRV
from ..loop_rewriting import function_of, unique_label
from ..primitive_declaration import TENSORS, register_primitive
from ..refusal import loop_name, loop_names
from .decompose_reduction import check_init_order, init_block, spatial_guard

UNTILEABLE = "TW0433"


@dataclass(frozen=True)
class Tiling:
    """One iteration variable of a block, expressed as tile * extent + position within the tile."""

    variable: BlockArgument
    kind: str
    tile: Index
    """The number of the tile, over the loops outside."""
    tiles: Index
    """The number of tiles."""
    extent: int
    """Of the tile."""
    position: Index
    """The position in the tile, over the loops inside."""


@dataclass(frozen=True)
class TiledNest:
    """The nest under a loop, a perfect one around one block."""

    top: loop.ForOp
    loops: tuple[loop.ForOp, ...]
    """Outermost first, `top` the first."""
    block: loop.BlockOp
    tilings: tuple[Tiling, ...]
    inside: tuple[Index, ...]
    """The conditions of the block that depend on the loops inside; tiles are not always whole where there are any."""
    outside: tuple[Index, ...]

    @property
    def is_empty(self) -> bool:
        """Return whether no iteration runs, so that tiles have no element."""
        return any(op.constant_trip_count == 0 for op in self.loops)


@register_primitive(TENSORS)
def blockize(sch: Engine, loop: LoopRV) -> BlockRV:
    """Make the nest under a loop one block over tiles. Returns that block.

    Each iteration variable becomes a variable of the outer block times the tile's extent, plus a part that the loops
    inside cover completely. If the tiles divide a reduction, the outer block gets the init. The order of execution
    stays. Variables of extent 1 stay too: they are 0 and change nothing.

    before:
    ```mlir
    loop.for %io = 0 to 8 {
      loop.for %ii = 0 to 8 {
        loop.block "B" (%vi = spatial(%io * 8 + %ii) in 64) { … }
      }
    }
    ```
    after `blockize(ii)`:
    ```mlir
    loop.for %io = 0 to 8 {
      loop.block "B_o" (%vio = spatial(%io) in 8) {
        loop.for %ii = 0 to 8 {
          loop.block "B" (%vi = spatial(%vio * 8 + %ii) in 64) { … }
        }
      }
    }
    ```
    """
    return sch.handle_of(_blockize(sch.loop(loop)))


def _blockize(top: loop.ForOp) -> loop.BlockOp:
    nest = tiled_nest("blockize", top)
    _check_conditions(nest)
    if nest.is_empty and nest.block.init is not None:
        fail(
            UNTILEABLE,
            f"blockize: block {nest.block.label!r} cannot be tiled here: its tiles have no element, so that its init "
            "would never run",
            op=nest.block,
            help="separate the init with decompose_reduction first",
        )
    if nest.block.init is not None and any(t.kind == "reduce" for t in _moving(nest)):
        check_init_order("blockize", nest.block, top, nest.loops)
    outer = outer_block(nest)
    edit.insert(outer, InsertPoint.before(top))
    variables = _tile_variables(nest, outer)
    if nest.block.init is not None and "reduce" in outer.kinds:
        edit.append(outer.body.block, _hoisted_init(nest, variables))
    edit.append(outer.body.block, edit.detach(top))
    _rebind(nest.block, nest.tilings, variables, nest)
    return outer


def tiled_nest(primitive: str, top: loop.ForOp) -> TiledNest:
    """Return the nest under a loop and its tiling. Raises TilewrightError TW0433 where it has none."""
    loops, block = _perfect_nest(primitive, top)
    outer_loops = loops_around(top)
    ranges = loop_ranges((*outer_loops, *loops))
    inner = {op.induction_variable: op for op in loops}
    tilings = tuple(_tiling(primitive, block, row, inner, ranges) for row in block.iteration())
    _check_whole(primitive, block, outer_loops, loops, tilings)
    inside = tuple(e for e in block.conditions if inner.keys() & set(resolve(e).values()))
    outside = tuple(e for e in block.conditions if e not in inside)
    return TiledNest(top, loops, block, tilings, inside, outside)


def outer_block(nest: TiledNest) -> loop.BlockOp:
    """Return the block over the tiles, empty and in no function yet: of the variables that have more than one tile.

    Tiles before and beyond the domain, which guards inside leave empty, are not instances of it.
    """
    rows = _moving(nest)
    facts = facts_at(nest.top).where(*nest.outside)
    guard = [e for t in rows for e in (t.tile, t.tiles - t.tile - 1) if not facts.proves(e)]
    block = loop.BlockOp(
        unique_label(function_of(nest.top), f"{nest.block.label}_o"),
        [t.kind for t in rows],
        [t.tile for t in rows],
        [t.tiles for t in rows],
        (*nest.outside, *guard),
        name_hints=[f"{t.variable.name_hint or 'v'}o" for t in rows],
    )
    block.location = nest.block.location
    return block


def _moving(nest: TiledNest) -> list[Tiling]:
    return [t for t in nest.tilings if not t.tile.is_constant or t.tile.constant]


def _tile_variables(nest: TiledNest, outer: loop.BlockOp) -> dict[BlockArgument, Index]:
    """Return, for each iteration variable of the inner block, its tile over the variables of the outer block."""
    moving = {t.variable: Index.of(v) for t, v in zip(_moving(nest), outer.variables, strict=True)}
    return {t.variable: moving.get(t.variable, Index.of(0)) for t in nest.tilings}


def tile_origins(nest: TiledNest, outer: loop.BlockOp) -> dict[BlockArgument, Index]:
    """Return, for each iteration variable of the inner block, the first value in the tile, over the outer block's
    variables."""
    extents = {t.variable: t.extent for t in nest.tilings}
    return {v: tile * extents[v] for v, tile in _tile_variables(nest, outer).items()}


# The shape of the nest


def _perfect_nest(primitive: str, top: loop.ForOp) -> tuple[tuple[loop.ForOp, ...], loop.BlockOp]:
    loops: list[loop.ForOp] = []
    op: Operation | None = top
    while isinstance(op, loop.ForOp):
        if op.iter_args or op.constant_bounds is None or op.constant_bounds[0] != 0:
            fail(UNTILEABLE, f"{primitive}: expected loop {loop_name(op)} to run from 0 to a constant", op=op)
        loops.append(op)
        first = op.body.block.first_op
        op = first if first is not None and first.next_op is None else None
    if not isinstance(op, loop.BlockOp):
        fail(
            UNTILEABLE,
            f"{primitive}: expected one block and nothing else in the nest under loop {loop_name(top)}",
            op=loops[-1],
            help="move other blocks elsewhere with compute_at, or take them out with decompose_reduction",
        )
    return tuple(loops), op


def _tiling(
    primitive: str,
    block: loop.BlockOp,
    row: tuple[BlockArgument, str, Index, Index],
    inner: dict[BlockArgument, loop.ForOp],
    ranges: dict[Variable, Range],
) -> Tiling:
    variable, kind, binding, total = row
    binding = resolve(binding).with_ranges(ranges)
    position, rest = Index.of(0), Index.of(binding.constant)
    for atom, c in binding.terms:
        part = Index.of_atom(atom) * c
        is_inner = [v in inner for v in part.variables]
        if any(is_inner) and not all(is_inner):
            _refuse(primitive, block, f"{name_of(variable)} = {binding} mixes loops inside and outside in one quotient")
        position, rest = (position + part, rest) if any(is_inner) else (position, rest + part)
    low, high = position.bounds(ranges)
    if low != 0 or high is None:
        _refuse(primitive, block, f"the part {position} of {name_of(variable)} does not start at 0")
    extent = max(high + 1, 1)  # the position in a tile without elements is 0, and no element is computed there
    if any(c % extent for _, c in rest.terms) or rest.constant % extent:
        _refuse(
            primitive,
            block,
            f"{name_of(variable)} starts its tiles at {rest}, which is no multiple of their extent {extent}",
        )
    tile = Index(tuple((a, c // extent) for a, c in rest.terms), rest.constant // extent)
    return Tiling(variable, kind, tile, total.ceildiv(extent), extent, position)


def _check_whole(
    primitive: str,
    block: loop.BlockOp,
    outer: Sequence[loop.ForOp],
    inner: Sequence[loop.ForOp],
    tilings: Sequence[Tiling],
) -> None:
    """Refuse unless the loops inside run over each element of the tile once."""
    moving = [op for op in inner if op.constant_trip_count != 1]
    positions = [t.position for t in tilings]
    count = prod(op.constant_trip_count or 0 for op in inner)
    if count == 0:
        return
    if prod(t.extent for t in tilings) != count or (moving and not determined(positions, (*outer, *inner), inner)):
        names = loop_names(inner)
        _refuse(primitive, block, f"the loops {names} do not run over each element of a tile once")


def _check_conditions(nest: TiledNest) -> None:
    """Refuse unless the conditions of the block are over tiles and positions in them."""
    tiles = {t.variable: Index.of(Symbol(f"tile {k}")) for k, t in enumerate(nest.tilings)}
    loops = {op.induction_variable for op in loops_around(nest.top)}
    for condition in nest.inside:
        if any(v in loops for v in _over_tiles(condition, nest, tiles).values()):
            _refuse(
                "blockize", nest.block, f"its condition {condition} >= 0 is over more than tiles and positions in them"
            )


def _refuse(primitive: str, block: loop.BlockOp, reason: str) -> NoReturn:
    fail(UNTILEABLE, f"{primitive}: block {block.label!r} cannot be tiled here: {reason}", op=block)


# Rewriting


def _rebind(block: loop.BlockOp, tilings: Sequence[Tiling], tiles: dict[BlockArgument, Index], nest: TiledNest) -> None:
    """Let a block within the outer one use its variables."""
    bindings = [tiles[t.variable] * t.extent + t.position for t in tilings]
    guard = [_over_tiles(e, nest, tiles) for e in nest.inside]
    block.set_index_lists(bindings=bindings, guard=guard)
    if block.init is not None and any(t.kind == "reduce" for t in _moving(nest)):
        edit.erase(block.init)


def _over_tiles(condition: Index, nest: TiledNest, tiles: dict[BlockArgument, Index]) -> Index:
    """Return a condition with the loops outside replaced by the outer block's variables."""
    e = resolve(condition)
    for t in nest.tilings:
        for atom, c in t.tile.terms:
            factor, rest = divmod(_coefficient(e, atom), c * t.extent)
            if factor and rest == 0:
                e = e - (t.tile - tiles[t.variable]) * (t.extent * factor)
                break
    return e


def _coefficient(e: Index, atom: object) -> int:
    return next((c for a, c in e.terms if a == atom), 0)


def _hoisted_init(nest: TiledNest, tiles: dict[BlockArgument, Index]) -> loop.InitOp:
    """Return the init over the spatial part of a tile, for the outer block."""
    init = nest.block.init
    assert init is not None
    spatial = [t for t in nest.tilings if t.kind == "spatial"]
    new = init_block(nest.block, init, spatial_guard(nest.block))
    used = {v for t in spatial for v in t.position.values()}
    renamed: dict[Variable, Index] = {}
    body: Operation = new
    for op in reversed([op for op in nest.loops if op.induction_variable in used]):
        copy = loop.ForOp(op.lowers, op.uppers, kind=op.kind, name_hint=op.induction_variable.name_hint)
        copy.location = op.location
        renamed[op.induction_variable] = Index.of(copy.induction_variable)
        edit.append(copy.body.block, body)
        body = copy
    bindings = [(tiles[t.variable] * t.extent + t.position).substitute(renamed) for t in spatial]
    guard = [_over_tiles(e, nest, tiles).substitute(renamed) for e in nest.inside if _is_spatial(e, nest)]
    new.set_index_lists(bindings=bindings, guard=guard)
    hoisted = loop.InitOp(Region(Block([body])))
    hoisted.location = init.location
    return hoisted


def _is_spatial(condition: Index, nest: TiledNest) -> bool:
    reduce = {v for t in nest.tilings if t.kind == "reduce" for v in (*t.position.values(), *t.tile.values())}
    spatial = {v for t in nest.tilings if t.kind == "spatial" for v in (*t.position.values(), *t.tile.values())}
    return not (reduce - spatial).intersection(resolve(condition).values())
