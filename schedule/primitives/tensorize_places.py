"""The check that tiles of a nest start where the implementations of a tensor intrinsic expect them."""

from __future__ import annotations

from typing import NoReturn

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import SSAValue

from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...dialects import loop
from ...dialects.index_expr import Index, Variable
from ...dialects.loop.storage import alignments_of
from ..tensor_intrinsics import Place, TensorIntrin
from .blockize import TiledNest
from .tensorize_match import Operand

MISMATCH = "TW0426"


def check_places(operands: dict[SSAValue, Operand], intrin: TensorIntrin, outer: loop.BlockOp, nest: TiledNest) -> None:
    """Refuse a tile that does not start at a multiple of its factor, or lies in memory of another scope. Raises
    TilewrightError TW0426."""
    tiles: dict[Variable, Index] = {v: tile for v, _, tile, _ in outer.iteration()}
    for position, place in intrin.places.items():
        argument = intrin.arguments[position]
        operand = operands.get(argument)
        if operand is None:
            continue
        scope = loop.scope_of(operand.buffer.type)
        if place.scope not in ("", scope):
            _refuse(nest, intrin, f"takes {name_of(operand.buffer)} in scope {place.scope!r}, but it lies in {scope!r}")
        if place.factor > 1 and not _starts_at_multiple(operand, argument, place, tiles):
            _refuse(
                nest,
                intrin,
                f"takes tiles of {name_of(operand.buffer)} from multiples of {place.factor} elements on, which is not "
                "proved of the tiles here",
            )


def _starts_at_multiple(operand: Operand, argument: SSAValue, place: Place, tiles: dict[Variable, Index]) -> bool:
    """Return whether the number of a tile's first element is a multiple of the factor.

    An allocated buffer may shrink to its accessed part; dimensions that the tile covers keep their extent.
    """
    assert isinstance(operand.buffer.type, MemRefType) and isinstance(argument.type, MemRefType)
    shape, tile = operand.buffer.type.get_shape(), argument.type.get_shape()
    covered = {j: tile[d] for d, j in enumerate(operand.dimensions) if j is not None}
    alloc = operand.buffer.owner
    shrinks = isinstance(alloc, loop.AllocOp)
    if isinstance(alloc, loop.AllocOp) and alignments_of(alloc):
        return False
    stride, is_whole = 1, True
    for d in range(len(shape) - 1, -1, -1):
        first = operand.origin[d].substitute(tiles)
        numbers = (first.constant, *(c for _, c in first.terms))
        if any(number * stride % place.factor for number in numbers) or (
            shrinks and not is_whole and first != Index.of(0)
        ):
            return False
        is_whole = is_whole and covered.get(d, 1) == shape[d]
        stride = stride * shape[d] if shape[d] != DYNAMIC_INDEX else 1
    return True


def _refuse(nest: TiledNest, intrin: TensorIntrin, message: str) -> NoReturn:
    fail(
        MISMATCH,
        f"tensorize: intrinsic {intrin.name!r} {message}",
        op=nest.block,
        help="declare its buffers without offset_factor and scope, or give it copies made by cache_read or cache_write",
    )
