"""decompose_padding: a padding block as a block that fills and one that copies."""

from __future__ import annotations

from typing import NoReturn

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ...analysis.access import accesses_in
from ...analysis.domain import is_inside
from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...dialects import loop
from ...dialects.index_expr import Index
from ...ir import editor as edit
from ...traversal import operations
from ..engine import Engine
from ..forms import check_distinct_elements, single_store, unsuitable
from ..handles import BlockRV, LoopRV
from ..loop_rewriting import add_guard, function_of, unique_label
from ..primitive_declaration import BUFFERS, register_primitive
from ..refusal import BAD_ARGUMENT, loop_name
from .pad_einsum import CHANGES_RESULT

_NAME = "decompose_padding"


@register_primitive(BUFFERS)
def decompose_padding(sch: Engine, block: BlockRV, loop: LoopRV) -> BlockRV:
    """Split a block that stores an element where a guard holds and a constant elsewhere. Returns the filling block.

    The filling block stores the constant everywhere. It is placed right before `loop`, in a copy of it; `loop` must
    contain the block and nothing else. The block itself copies the elements where the guard holds.

    before:
    ```mlir
    loop.for %i = 0 to 10 {
      loop.block "P" (%vi = spatial(%i) in 10) {
        %x = loop.load %X[%vi - 1] where (%vi >= 1, %vi < 9) else %zero : memref<8xf32>
        loop.store %x, %P[%vi] : memref<10xf32>
      }
    }
    ```
    after `decompose_padding(P, i)`:
    ```mlir
    loop.for %i = 0 to 10 {
      loop.block "P_fill" (%vi = spatial(%i) in 10) {
        loop.store %zero, %P[%vi] : memref<10xf32>
      }
    }
    loop.for %i = 0 to 10 {
      loop.block "P" (%vi = spatial(%i) in 10) where (%i >= 1, %i < 9) {
        %x = loop.load %X[%vi - 1] : memref<8xf32>
        loop.store %x, %P[%vi] : memref<10xf32>
      }
    }
    ```
    """
    return sch.handle_of(_decompose_padding(sch.block(block), sch.loop(loop)))


def _decompose_padding(block: loop.BlockOp, target: loop.ForOp) -> loop.BlockOp:
    store = single_store(_NAME, block)
    load = _padded_load(block, store)
    check_distinct_elements(_NAME, block, store)
    _check_loop(block, target, store)
    fill = _filling(block, target)
    bindings: dict[SSAValue, Index] = {v: binding for v, _, binding, _ in block.iteration()}
    add_guard(block, *(e.substitute(bindings) for e in load.conditions))
    plain = loop.LoadOp(load.buffer, load.index)
    plain.location = load.location
    edit.rename(plain.res, load.res.name_hint)
    edit.replace(load, plain)
    return fill


def _padded_load(block: loop.BlockOp, store: loop.StoreOp) -> loop.LoadOp:
    """Return the guarded load whose value is stored."""
    load = store.value.owner
    if not isinstance(load, loop.LoadOp) or load.otherwise is None or "reduce" in block.kinds:
        _refuse(block, "does not store a guarded load")
    if not isinstance(load.otherwise.owner, ConstantOp):
        _refuse(block, "does not store a constant outside of its guard")
    if len(accesses_in(block)) != 2 or load.buffer is store.buffer:
        _refuse(block, "does more than to copy elements of another buffer")
    return load


def _check_loop(block: loop.BlockOp, target: loop.ForOp, store: loop.StoreOp) -> None:
    if not target.is_ancestor(block):
        fail(BAD_ARGUMENT, f"{_NAME}: block {block.label!r} is not inside loop {loop_name(target)}", op=block)
    if [op for op in operations(target) if isinstance(op, (loop.BlockOp, loop.StoreOp))] != [block, store]:
        unsuitable(_NAME, block, f"is not alone in loop {loop_name(target)}")
    if target.iter_args:
        unsuitable(_NAME, block, f"is in loop {loop_name(target)}, which carries values")
    if is_inside(store.buffer, target):
        unsuitable(_NAME, block, f"fills {name_of(store.buffer)}, which is allocated in loop {loop_name(target)}")


def _filling(block: loop.BlockOp, target: loop.ForOp) -> loop.BlockOp:
    """Insert a copy of the loop before it, whose block stores the constant everywhere; returns that block."""
    copy = target.clone()
    (fill,) = (op for op in operations(copy) if isinstance(op, loop.BlockOp))
    (store,) = (op for op in operations(fill) if isinstance(op, loop.StoreOp))
    edit.change(fill).sym = StringAttr(unique_label(function_of(block), f"{block.label}_fill"))
    load = store.value.owner
    assert isinstance(load, loop.LoadOp) and load.otherwise is not None
    edit.replace_uses(load.res, load.otherwise)
    edit.erase(load)
    edit.insert(copy, InsertPoint.before(target))
    return fill


def _refuse(block: loop.BlockOp, reason: str) -> NoReturn:
    fail(
        CHANGES_RESULT,
        f"{_NAME}: block {block.label!r} {reason}, so it is no padding",
        op=block,
        help="a padding block stores `loop.load %x[…] where (…) else %constant` and nothing else",
    )
