"""Classic names of queries about functions and blocks, computed by the analyses of this compiler."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ..analysis import access
from ..analysis.bounds import extents_of
from ..analysis.domain import loops_around
from ..analysis.dominance import verify_dominance
from ..diagnostics import TilewrightError, fail
from ..diagnostics.expectations import expect_type
from ..diagnostics.locations import name_of
from ..diagnostics.verification import verify
from ..dialects import loop
from ..dialects.ir_module import Function, IRModule
from ..dialects.loop.buffers import byte_size
from ..lazy import be_face, missing_field
from ..schedule.regions import touched_spans
from ..te.expr import Expr, Var
from .statements import BAD_STATEMENT, Block, PrimFunc, SeqStmt, Stmt
from .value_expressions import BufferOf, expression_of

__all__ = [
    "BufferRegion",
    "calculate_allocated_bytes",
    "get_block_access_region",
    "get_block_read_write_region",
    "undefined_vars",
    "verify_memory",
    "verify_ssa",
    "verify_well_formed",
]


class BufferRegion(NamedTuple):
    """A part of a buffer: for each dimension the first index and the extent."""

    buffer: BufferOf
    region: tuple[tuple[Expr, Expr], ...]

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            raise missing_field(self, "a region", name)


def verify_ssa(func: Function | FuncOp | PrimFunc | IRModule) -> bool:
    """Return whether every value is defined before its uses."""
    try:
        for op in _operations(func):
            verify_dominance(op)
    except TilewrightError:
        return False
    return True


def verify_well_formed(func: Function | FuncOp | PrimFunc | IRModule, assert_mode: bool = True) -> bool:
    """Return whether every operation satisfies the rules of its dialect, and every value is defined before its uses.

    With `assert_mode` a violation raises TilewrightError TW0255.
    """
    try:
        for op in _operations(func):
            verify(op)
    except TilewrightError as error:
        if assert_mode:
            fail(
                BAD_STATEMENT, f"the program is not well formed: {error.message}", location=error.location, op=error.op
            )
        return False
    if assert_mode and not verify_ssa(func):
        fail(BAD_STATEMENT, "the program is not well formed: a value is used before it is defined")
    return verify_ssa(func)


def verify_memory(func: Function | FuncOp | PrimFunc) -> bool:
    """Return whether a function with loops bound to threads accesses memory inside of them only."""
    op = _operation(func)
    found = [a for a in access.accesses_in(op) if not _is_private(a.buffer)]
    threads = [any(each.kind.kind.data == "thread" for each in loops_around(a.op)) for a in found]
    return all(threads) or not any(threads)


def _operation(func: Function | FuncOp | PrimFunc) -> FuncOp:
    if isinstance(func, FuncOp):
        return func
    expect_type("func", func, Function, PrimFunc)
    return func.op


def _operations(func: Function | FuncOp | PrimFunc | IRModule) -> list[FuncOp]:
    return [each.op for each in func.functions.values()] if isinstance(func, IRModule) else [_operation(func)]


def _is_private(buffer: SSAValue) -> bool:
    return loop.scope_of(buffer.type) in (loop.REGISTER, "local")


def undefined_vars(stmt: Stmt | SeqStmt, defs: tuple[Var, ...] = ()) -> list[Var]:
    """Return the variables that no loop around their uses binds, without those of `defs`."""
    expect_type("stmt", stmt, Stmt, SeqStmt)
    return [v for v, value in stmt.free.items() if value.uses and not any(v.same_as(known) for known in defs)]


def get_block_access_region(block: Block | Operation, buffer_var_map: Any = None) -> list[list[BufferRegion]]:
    """Return the regions that one instance of a block reads, and those that it writes, over the variables of the loops
    around it.

    A buffer that a reduction updates counts as written only. A dimension whose accessed part is unknown has its whole
    extent, so that the third list, of opaque accesses, is empty. Raises TilewrightError TW0255 where an extent is
    unknown.
    """
    op = block.op if isinstance(block, Stmt) else block
    if not isinstance(op, loop.BlockOp):
        fail(BAD_STATEMENT, f"expected a block, but got {block!r}")
    found = access.accesses_in(op)
    updated = {a.buffer for a in found if a.is_init and a.is_write}
    read = [a for a in found if not a.is_write and a.buffer not in updated]
    return [_regions(op, read), _regions(op, [a for a in found if a.is_write]), []]


def _regions(block: loop.BlockOp, accesses: list[access.Access]) -> list[BufferRegion]:
    regions: list[BufferRegion] = []
    around = {each.induction_variable for each in loops_around(block)}
    for buffer in dict.fromkeys(a.buffer for a in accesses):
        buffer_accesses = [a for a in accesses if a.buffer is buffer]
        shape = [n for n in extents_of(buffer) if n is not None]
        if len(shape) < len(extents_of(buffer)):
            fail(BAD_STATEMENT, f"expected a buffer of known extents, but no size names those of {name_of(buffer)}")
        spans = touched_spans(buffer_accesses, shape, lambda v: isinstance(v, SSAValue) and v in around)
        regions.append(BufferRegion(BufferOf(buffer), tuple((expression_of(a), expression_of(n)) for a, n in spans)))
    return regions


def get_block_read_write_region(block: Block | Operation, buffer_var_map: Any = None) -> list[list[BufferRegion]]:
    """Return the reads and the writes of `get_block_access_region`."""
    return get_block_access_region(block)[:2]


def calculate_allocated_bytes(func: Function | FuncOp | PrimFunc | IRModule) -> dict[str, dict[str, int]]:
    """Return the bytes allocated in each scope, for each function of a module; for a function alone, under "main".

    Raises TilewrightError TW0255 for a buffer of which an extent is no number.
    """
    if isinstance(func, IRModule):
        return {name: _allocated_bytes(each.op) for name, each in func.functions.items()}
    return {"main": _allocated_bytes(_operation(func))}


def _allocated_bytes(op: FuncOp) -> dict[str, int]:
    total: dict[str, int] = {}
    for each in op.walk():
        if isinstance(each, loop.AllocOp):
            size = byte_size(each.res.type)
            if size is None:
                fail(BAD_STATEMENT, f"expected a buffer of known extents, but {name_of(each.res)} has none", op=each)
            scope = loop.scope_of(each.res.type)
            total[scope] = total.get(scope, 0) + size
    return total


be_face(sys.modules[__name__])
