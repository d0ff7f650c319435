"""Bodies of functions and blocks as classic programs walk them: `mod["main"].body.block.body.extent`.

A body with one statement behaves as that statement, for `isinstance` and by its fields; a body with several is a
`SeqStmt`. Operations that only compute values are no statements; an allocation and an assertion contain the statements
after them. A function with blocks is the realization of a root block, whose `alloc_buffers` are the allocations of the
function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from xdsl.dialects.builtin import FloatAttr, IntegerAttr, StringAttr, i1
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, Region
from xdsl.traits import Pure

from ..dialects import loop
from ..lazy import Slot
from ..te.expr import const
from .value_expressions import BufferOf, LoopVar, refuse_field

EXPRESSION: Slot[Callable[[Any], Any]] = Slot("tir.bodies:EXPRESSION")
"""Gives the expression of relay that a function of the graph dialect is, or its body; None for another function."""
_SAYS_NO_STATEMENT = (loop.BindOp, loop.ViewOp, loop.InitOp, loop.YieldOp, loop.ConstantOp, loop.CombineOp, loop.DimOp)


def is_statement(op: Operation) -> bool:
    """Return whether an operation is a statement of its body: not one that computes or declares values, or ends the
    body."""
    if isinstance(op, loop.LoadOp) or op.name == "func.return" or isinstance(op, _SAYS_NO_STATEMENT):
        return False
    return bool(op.regions) or not op.results or not op.has_trait(Pure) or isinstance(op, loop.AllocOp)


def statements_in(block: Block, after: Operation | None = None) -> list[Operation]:
    """Return the statements of a body, or those after an operation of it, up to a statement that holds the others.

    Where there are blocks, allocations are no statements.
    """
    found: list[Operation] = []
    is_lowered = not _has_blocks(block)
    for op in ops_behind(block, after):
        if is_statement(op) and (is_lowered or not isinstance(op, loop.AllocOp)):
            found.append(op)
            if isinstance(op, (loop.AllocOp, loop.AssertOp)):
                break
    return found


def ops_behind(block: Block, after: Operation | None = None) -> Iterator[Operation]:
    """Yield the operations of a body, or those behind one of them."""
    op = block.first_op if after is None else after.next_op
    while op is not None:
        yield op
        op = op.next_op


def plain_value(given: Attribute) -> object:
    """Return an attribute as Python's number or text, where it is one."""
    match given:
        case IntegerAttr():
            return bool(given.value.data) if given.type == i1 else given.value.data
        case FloatAttr() | StringAttr():
            return given.value.data if isinstance(given, FloatAttr) else given.data
        case _:
            return given


def _has_blocks(block: Block) -> bool:
    """Return whether the function, or the piece of one, that a body belongs to has blocks."""
    top = block
    while (parent := top.parent_op()) is not None:
        if isinstance(parent, loop.BlockOp):
            return True
        if isinstance(parent, FuncOp) or parent.parent is None:
            return any(isinstance(op, loop.BlockOp) for op in parent.walk())
        top = parent.parent
    return any(isinstance(op, loop.BlockOp) for each in top.ops for op in each.walk())


def allocated(block: Block) -> list[BufferOf]:
    """Return the buffers that a body with blocks allocates, also in loops."""
    found: list[BufferOf] = []
    for op in block.ops:
        if isinstance(op, loop.AllocOp):
            found.append(BufferOf(op.results[0]))
        elif not isinstance(op, loop.BlockOp):
            for region in op.regions:
                for inner in region.blocks:
                    found += allocated(inner)
    return found


class RootBlock:
    """The root block of a function with blocks, which has only the fields `body` and `alloc_buffers`."""

    name_hint = "root"
    init = None

    def __init__(self, block: Block) -> None:
        self._block = block
        self.iter_vars, self.reads, self.writes, self.match_buffers = ([], [], [], [])
        self.annotations: dict[str, object] = {}

    def __getattr__(self, name: str) -> Any:
        return refuse_field(self, "the root block", name)

    @property
    def alloc_buffers(self) -> list[BufferOf]:
        """The buffers that the function allocates."""
        return allocated(self._block)

    @property
    def body(self) -> Any:
        """The statements."""
        from .statements import SeqStmt

        return SeqStmt.of(self._block)


def root_of(given: Block | Region) -> RootBlock | None:
    """Return the root block of a function with blocks."""
    block = given.block if isinstance(given, Region) else given
    return RootBlock(block) if _has_blocks(block) else None


def field_of(given: Block | Region, name: str) -> Any:
    """Return a classic field of the body of a function: of its root block, or of its only statement."""
    from .statements import SeqStmt

    if isinstance(given, Block):
        root = root_of(given)
        return getattr(root, name) if root is not None else refuse_field(given, "the body of a function", name)
    if name in ("iter_values", "predicate") and root_of(given) is not None:
        return [] if name == "iter_values" else const(True)
    return getattr(SeqStmt.of(given.block), name)


class BlockView:
    """The block of a function's body, which is the root block of the classic function."""

    def __init__(self, block: Block) -> None:
        self.held = block

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or hasattr(self.held, name):
            return getattr(self.held, name)
        return field_of(self.held, name)


class BodyView:
    """The body of a function, which behaves as the statement if there is only one."""

    def __init__(self, region: Region) -> None:
        self.held = region
        self._block: BlockView | None = None

    @property
    def block(self) -> BlockView:
        """The only block."""
        if self._block is None or self._block.held is not self.held.block:
            self._block = BlockView(self.held.block)
        return self._block

    @property
    def op(self) -> Any:
        """The only operation of a region of one; the operator of an expression of relay."""
        view = EXPRESSION.value(self)
        if view is not None:
            return view.op
        if self.held.block.first_op is None or self.held.block.first_op is not self.held.block.last_op:
            refuse_field(self, f"a body of {len(self.held.block.ops)} operations", "op")
        return self.held.block.first_op

    def __getitem__(self, position: int) -> Any:
        """Return a statement of several."""
        return field_of(self.held, "__getitem__")(position)

    def __getattr__(self, name: str) -> Any:
        if name != "op" and (name.startswith("_") or hasattr(self.held, name)):
            return getattr(self.held, name)
        view = EXPRESSION.value(self)
        return field_of(self.held, name) if view is None else getattr(view, name)


def parameters_of(function: FuncOp) -> list[tuple[LoopVar, BufferOf]]:
    """Return the arguments of a function, each as a variable and as the buffer that it is."""
    return [(LoopVar(each.name_hint or "buffer", value=each), BufferOf(each)) for each in function.body.block.args]
