"""tensorize: replace a nest by an intrinsic with that description."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...analysis.ranges import facts_at
from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...dialects import loop
from ...dialects.index_expr import Index, Variable
from ...dialects.loop.storage import alignments_of
from ...ir import editor as edit
from ..engine import Engine
from ..handles import BlockRV, LoopRV
from ..loop_rewriting import function_of, unique_label
from ..primitive_declaration import TENSORS, register_primitive
from ..refusal import loop_name
from ..tensor_intrinsics import TensorIntrin, TilePosition, known_name
from .blockize import TiledNest, outer_block, tile_origins, tiled_nest
from .set_scope import set_buffer_scope
from .tensorize_match import Axis, Mismatch, Operand, match

MISMATCH, PARTIAL = "TW0426", "TW0434"
UNDECIDED = "wmma."
"""Scopes with this prefix hold tiles in the layout that the intrinsics using them require."""


@register_primitive(TENSORS)
def tensorize(sch: Engine, block_or_loop: BlockRV | LoopRV, tensor_intrin: str | TensorIntrin) -> BlockRV:
    """Replace the nest under a loop, or in a block over tiles, by a tensor intrinsic. Returns the block over tiles.

    The intrinsic is given by its name (`TensorIntrin.register`), or as a result of `te.decl_tensor_intrin`. The nest
    must compute exactly the description of the intrinsic: axes of the same kinds and extents, however they are split
    into loops, the same operations on the same types, and the same accesses relative to the start of the tile. It must
    have no guard. If tiles divide a reduction, the intrinsic's reset becomes the init of the block, and its update
    becomes the body. The instructions of tensor cores are such intrinsics.

    before:
    ```mlir
    loop.for %io = 0 to 8 {
      loop.for %ii = 0 to 8 {
        loop.block "B" (%vi = spatial(%io * 8 + %ii) in 64) {
          %a = loop.load %A[%vi] : memref<64xf32>
          loop.store %a, %B[%vi] : memref<64xf32>
        }
      }
    }
    ```
    after `tensorize(ii, "copy_8")`:
    ```mlir
    loop.for %io = 0 to 8 {
      loop.block "B_o" (%vio = spatial(%io) in 8) {
        %a = loop.load %A[%vio * 8 + lane] : memref<64xf32>, vector<8xf32>
        loop.store %a, %B[%vio * 8 + lane] : vector<8xf32>, memref<64xf32>
      }
    }
    ```
    """
    name = known_name(tensor_intrin) if isinstance(tensor_intrin, TensorIntrin) else tensor_intrin
    intrin = TensorIntrin.get(name)
    if isinstance(block_or_loop, BlockRV):
        outer = sch.block(block_or_loop)
        _tensorize_block(outer, intrin)
    else:
        op = sch.loop(block_or_loop)
        outer = _tensorize(op, intrin)
        sch.retire(op, "tensorized")
    sch.note_algebra(reassociates="reduce" in intrin.block.kinds)
    return sch.handle_of(outer)


def _tensorize(top: loop.ForOp, intrin: TensorIntrin) -> loop.BlockOp:
    nest = tiled_nest("tensorize", top)
    if nest.is_empty:
        fail(
            PARTIAL,
            f"tensorize: the nest under loop {loop_name(top)} runs over no element, and intrinsic {intrin.name!r} "
            "computes whole tiles",
            op=top,
            help="leave the loops of an empty tensor as they are",
        )
    if nest.inside:
        fail(
            PARTIAL,
            f"tensorize: the nest under loop {loop_name(top)} is guarded by {nest.inside[0]} >= 0, so tiles are not "
            f"always whole, and intrinsic {intrin.name!r} computes whole ones",
            op=top,
            help="split by factors that divide the extents, pad the block with pad_einsum, or part the border off "
            "with loop_partition",
        )
    outer = outer_block(nest)
    operands = _operands(nest, outer, intrin)
    init, body = _implementation(nest, outer, intrin)
    _check_strides(operands, intrin, nest)
    _check_extents(operands, intrin, outer, nest)
    _check_tile_positions(operands, intrin, outer, nest)
    if _lay_out(operands, intrin, nest):
        operands = _operands(nest, outer, intrin)
    edit.insert(outer, InsertPoint.before(top))
    if init is not None:
        start = loop.InitOp()
        start.location = outer.location
        edit.append(start.body.block, *_instance(init, intrin, operands, outer))
        edit.append(outer.body.block, start)
    for part in body:
        edit.append(outer.body.block, *_instance(part, intrin, operands, outer))
    edit.erase(top)
    return outer


def _tensorize_block(outer: loop.BlockOp, intrin: TensorIntrin) -> None:
    """Replace the nest in a block over tiles by the implementation of a tensor intrinsic.

    The init of the block, where it has one, stays: the intrinsic is an update then.
    """
    statements = [op for op in outer.body.block.ops if not isinstance(op, loop.InitOp)]
    if len(statements) != 1 or not isinstance(top := statements[0], loop.ForOp):
        fail(
            MISMATCH,
            f"tensorize: expected loops in block {outer.label!r}, but it is over single elements",
            op=outer,
            help="give the outermost of the loops to replace, or make a block over them with blockize",
        )
    inner = _tensorize(top, intrin)
    if inner.init is None and not inner.conditions:
        _dissolve(inner)


def _dissolve(block: loop.BlockOp) -> None:
    """Let the statements of a block stand by themselves in the one around it."""
    bindings: dict[SSAValue, Index] = {v: binding for v, _, binding, _ in block.iteration()}
    for op in block.walk():
        if op is not block and isinstance(op, loop.IndexedOp):
            op.substitute_indices(bindings)
    statements = list(block.body.block.ops)
    for op in statements:
        edit.detach(op)
    edit.insert(statements, InsertPoint.before(block))
    edit.erase(block)


def _operands(nest: TiledNest, outer: loop.BlockOp, intrin: TensorIntrin) -> dict[SSAValue, Operand]:
    axes = [Axis(t.variable, t.kind, t.extent) for t in nest.tilings]
    described = intrin.block
    has_init = nest.block.init is not None
    try:
        if has_init and described.init is None:
            raise Mismatch("the intrinsic describes an update, and the nest starts the reduction too")
        with_init = has_init and described.init is not None
        return match(nest.block, axes, tile_origins(nest, outer), described, with_init=with_init)
    except Mismatch as mismatch:
        fail(
            MISMATCH,
            f"tensorize: the nest under loop {loop_name(nest.top)} is not what intrinsic {intrin.name!r} describes: "
            f"{mismatch}",
            op=nest.block,
            notes=[f"the intrinsic describes\n{_nest_of(intrin)}"],
            help="take the start out with decompose_reduction" if has_init and described.init is None else None,
        )


def _nest_of(intrin: TensorIntrin) -> str:
    return str(intrin.description.body.block.first_op)


def _implementation(
    nest: TiledNest, outer: loop.BlockOp, intrin: TensorIntrin
) -> tuple[FuncOp | None, Sequence[FuncOp]]:
    """Return the init of the outer block, and the functions that form its body."""
    update = intrin.update if intrin.update is not None or intrin.block.init is not None else intrin.body
    if nest.block.init is None and intrin.block.init is not None:
        if update is None:
            _lacks(nest, intrin, "an update", "the nest goes on with a reduction that is started elsewhere")
        return None, [update]
    if nest.block.init is None or _always_starts(nest, outer):
        if intrin.body is not None:
            return None, [intrin.body]
        if update is None:
            _lacks(nest, intrin, "a body", "the whole reduction lies within the tile")
        if intrin.reset is None and nest.block.init is not None:
            _lacks(nest, intrin, "a body or a reset", "the nest starts the reduction too")
        return None, [part for part in (intrin.reset, update) if part is not None]
    if intrin.reset is None or update is None:
        _lacks(nest, intrin, "a reset and an update", "the terms of the reduction lie in several tiles")
    return intrin.reset, [update]


def _always_starts(nest: TiledNest, outer: loop.BlockOp) -> bool:
    """Return whether every tile starts its reduction: one tile has all terms, or loops only reach the first tile."""
    here = facts_at(nest.top)
    return all(here.proves(-binding) for _, kind, binding, _ in outer.iteration() if kind == "reduce")


def _lacks(nest: TiledNest, intrin: TensorIntrin, what: str, why: str) -> NoReturn:
    fail(
        MISMATCH,
        f"tensorize: expected intrinsic {intrin.name!r} to have {what}, because {why}",
        op=nest.block,
        help="declare it with (body, reset, update), or take the start out with decompose_reduction",
    )


def _check_strides(operands: dict[SSAValue, Operand], intrin: TensorIntrin, nest: TiledNest) -> None:
    """Refuse where the program's buffers have other strides than the implementations expect."""
    for position, strides in intrin.strides.items():
        argument = intrin.arguments[position]
        operand = operands.get(argument)
        assert isinstance(argument.type, MemRefType)
        for d, wanted in enumerate(strides):
            if operand is None or wanted is None or argument.type.get_shape()[d] == 1:
                continue
            dimension = operand.dimensions[d]
            assert dimension is not None, "a dimension of several elements is paired"
            have = _stride(operand.buffer, dimension)
            if have != wanted:
                there = f"{name_of(operand.buffer)} has {'one that is not constant' if have is None else have}"
                fail(
                    MISMATCH,
                    f"tensorize: intrinsic {intrin.name!r} counts on a stride of {wanted} in dimension {d} of "
                    f"{name_of(argument)}, but {there}",
                    op=nest.block,
                    help="bind the argument to a buffer with a te.var as stride, or give the intrinsic a packed buffer "
                    "with cache_read or cache_write",
                )


def _check_extents(
    operands: dict[SSAValue, Operand], intrin: TensorIntrin, outer: loop.BlockOp, nest: TiledNest
) -> None:
    """Refuse unless each whole argument lies within its buffer, elements that the description does not access
    included."""
    facts = facts_at(nest.top)
    tiles: dict[Variable, Index] = {v: tile for v, _, tile, _ in outer.iteration()}
    for described, operand in operands.items():
        assert isinstance(described.type, MemRefType) and isinstance(operand.buffer.type, MemRefType)
        shape = operand.buffer.type.get_shape()
        for extent, dimension in zip(described.type.get_shape(), operand.dimensions, strict=True):
            if dimension is None or shape[dimension] == DYNAMIC_INDEX:
                continue
            first = operand.origin[dimension].substitute(tiles)
            if not facts.proves_all([first, shape[dimension] - first - extent]):
                fail(
                    MISMATCH,
                    f"tensorize: intrinsic {intrin.name!r} gets {extent} elements of {name_of(operand.buffer)} from "
                    f"{first} on in dimension {dimension}, which are not proved to lie within {shape[dimension]}",
                    op=nest.block,
                    help="declare the intrinsic over tensors that its compute reads completely",
                )


def _lay_out(operands: dict[SSAValue, Operand], intrin: TensorIntrin, nest: TiledNest) -> bool:
    """Give buffers of tiles the scope in which the implementations hold one; returns whether a buffer was replaced."""
    changed = False
    for position, scope in intrin.scopes.items():
        operand = operands.get(intrin.arguments[position])
        if operand is None or (have := loop.scope_of(operand.buffer.type)) == scope:
            continue
        if not have.startswith(UNDECIDED):
            fail(
                MISMATCH,
                f"tensorize: intrinsic {intrin.name!r} takes {name_of(operand.buffer)} in scope {scope!r}, but it lies "
                f"in scope {have!r}",
                op=nest.block,
                help=f"cache it in a scope such as {UNDECIDED}matrix_a",
            )
        set_buffer_scope(operand.buffer, scope)
        changed = True
    return changed


def _stride(buffer: SSAValue, dimension: int) -> int | None:
    """Return the elements between neighbours of a row-major buffer; None where that is not constant."""
    assert isinstance(buffer.type, MemRefType)
    stride = 1
    for extent in buffer.type.get_shape()[dimension + 1 :]:
        if extent == DYNAMIC_INDEX:
            return None
        stride *= extent
    return stride


# Positions of tiles


def _check_tile_positions(
    operands: dict[SSAValue, Operand], intrin: TensorIntrin, outer: loop.BlockOp, nest: TiledNest
) -> None:
    """Refuse a tile that does not start at a multiple of its factor, or lies in memory of another scope. Raises
    TilewrightError TW0426."""
    tiles: dict[Variable, Index] = {v: tile for v, _, tile, _ in outer.iteration()}
    for position, expected in intrin.positions.items():
        argument = intrin.arguments[position]
        operand = operands.get(argument)
        if operand is None:
            continue
        scope = loop.scope_of(operand.buffer.type)
        if expected.scope not in ("", scope):
            _refuse_tile(
                nest, intrin, f"takes {name_of(operand.buffer)} in scope {expected.scope!r}, but it lies in {scope!r}"
            )
        if expected.factor > 1 and not _starts_at_multiple(operand, argument, expected, tiles):
            _refuse_tile(
                nest,
                intrin,
                f"takes tiles of {name_of(operand.buffer)} from multiples of {expected.factor} elements on, which is "
                "not proved of the tiles here",
            )


def _starts_at_multiple(
    operand: Operand, argument: SSAValue, expected: TilePosition, tiles: dict[Variable, Index]
) -> bool:
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
        if any(number * stride % expected.factor for number in numbers) or (
            shrinks and not is_whole and first != Index.of(0)
        ):
            return False
        is_whole = is_whole and covered.get(d, 1) == shape[d]
        stride = stride * shape[d] if shape[d] != DYNAMIC_INDEX else 1
    return True


def _refuse_tile(nest: TiledNest, intrin: TensorIntrin, message: str) -> NoReturn:
    fail(
        MISMATCH,
        f"tensorize: intrinsic {intrin.name!r} {message}",
        op=nest.block,
        help="declare its buffers without offset_factor and scope, or give it copies made by cache_read or cache_write",
    )


# Instances of implementations


def _instance(
    implementation: FuncOp, intrin: TensorIntrin, operands: dict[SSAValue, Operand], outer: loop.BlockOp
) -> list[Operation]:
    """Return a copy of an implementation's body on the program's buffers."""
    function = function_of(outer)
    for code in loop.foreign_code(implementation):
        loop.add_foreign_code(function, code)
    copy = implementation.clone()
    for argument, described in zip(copy.body.block.args, intrin.arguments, strict=True):
        redirect(argument, operands.get(described))
    for op in copy.walk():
        op.location = outer.location
        if isinstance(op, loop.BlockOp):
            edit.change(op).properties["sym"] = StringAttr(unique_label(function, op.label))
    ops = [op for op in copy.body.block.ops if not isinstance(op, ReturnOp)]
    for op in ops:
        edit.detach(op)
    return ops


def redirect(argument: BlockArgument, operand: Operand | None) -> None:
    """Replace an argument of an implementation by the operand in all its uses."""
    for op in dict.fromkeys(use.operation for use in argument.uses):
        assert operand is not None, "an implementation uses what the description reads or writes"
        if isinstance(op, loop.CallExternOp):
            op.set_arguments([_redirected(a, argument, operand) for a in op.arguments])
            continue
        assert isinstance(op, (loop.LoadOp, loop.StoreOp))
        index = _moved(op.index, operand)
        for position, value in enumerate(op.operands):
            if value is argument:
                edit.change(op).operands[position] = operand.buffer
        op.set_index_lists(indices=index)


def _redirected(passed: loop.Argument, argument: BlockArgument, operand: Operand) -> loop.Argument:
    match passed:
        case loop.AccessArgument() if passed.buffer is argument:
            box: list[tuple[tuple[int, int], ...]] = [() for _ in operand.origin]
            for d, dimension in enumerate(operand.dimensions):
                if dimension is not None:
                    box[dimension] = passed.box[d]
            return loop.AccessArgument(passed.mode, operand.buffer, _moved(passed.index, operand), tuple(box))
        case loop.StrideArgument() if passed.buffer is argument:
            dimension = operand.dimensions[passed.dimension]
            if dimension is None:  # there is one element along it
                return loop.IndexArgument(Index.of(0), passed.type)
            return loop.StrideArgument(operand.buffer, dimension, passed.type)
        case _:
            return passed


def _moved(index: Sequence[Index], operand: Operand) -> tuple[Index, ...]:
    """Return an index of an argument in the program's buffer."""
    moved = list(operand.origin)
    for e, dimension in zip(index, operand.dimensions, strict=True):
        if dimension is not None:
            moved[dimension] = moved[dimension] + e
    return tuple(moved)
