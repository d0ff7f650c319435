"""The state of the parser in a function of a script: insertion point, scopes of names, location of errors."""

from __future__ import annotations

import ast
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn, TypeVar

from xdsl.dialects.builtin import ArrayAttr, IndexType, StringAttr
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from ...diagnostics import TilewrightError
from ...diagnostics.text import did_you_mean, on_one_line
from ...dialects import loop
from ...dialects.index_expr import Index
from ...dialects.loop import CallExternOp
from ...dialects.names import script_name
from ...ir import editor as edit
from .script_values import Helper, Language, Value
from .source import SYNTAX as SYNTAX
from .source import Source

UNKNOWN_NAME = "TW0312"
BAD_ARGUMENT = "TW0313"
UNSUPPORTED = "TW0314"
UNDECLARED = "TW0315"

OpT = TypeVar("OpT", bound=Operation)

TVMSCRIPT = Language("TVMScript")

_MOST_OPERATIONS = 200_000
"""The largest number of operations of a function: helpers that call helpers multiply."""


class Scope:
    """Names of one region."""

    def __init__(self, owner: Operation | None = None, *, is_block: bool = False) -> None:
        self.names: dict[str, Value] = {}
        self.owner = owner
        """The operation whose body it is, whose attributes `T.tw.attrs` sets."""
        self.is_block = is_block
        """True if loop variables of scopes around this one are out of reach."""
        self.loop_variables: set[str] = set()


class State:
    """The function that is being read."""

    def __init__(self, source: Source, block: Block, language: Language = TVMSCRIPT) -> None:
        self.source = source
        self.language = language
        self.block = block
        self.scopes: list[Scope] = [Scope()]
        self.path: tuple[Index, ...] = ()
        """The conditions of `T.if_then_else` around an expression, which guard its loads."""
        self.node: ast.AST = source.tree
        self.depth = 0
        """The current nesting of calls of helpers."""
        self.depth_of_scopes = 1
        """The number of scopes at the top of the helper that is being read."""
        self.functions: dict[str, Any] = {}
        """The other functions of the module, by name."""
        self.emitted = 0
        self.literals: list[Operation] = []
        """Constants that were read as the numbers that they are."""
        self.open_calls: dict[CallExternOp, list[int]] = {}
        """Calls of foreign functions, with the buffers among their arguments of which they say no more."""
        self.returning: list[Value] | None = None
        self.run_helper: Callable[[State, Helper, list[Value], ast.AST], Value]

    def fail(self, code: str, message: str, node: ast.AST | None = None, *, help: str | None = None) -> NoReturn:
        self.source.fail(code, message, node or self.node, help=help)

    # Operations

    def add(self, op: OpT) -> OpT:
        """Insert an operation, at the node that is being read."""
        op.location = self.source.location(self.node)
        self.block.add_op(op)
        self.emitted += 1
        if self.emitted > _MOST_OPERATIONS:
            self.fail(UNSUPPORTED, f"expected at most {_MOST_OPERATIONS} operations in a function")
        return op

    def emit(self, op: Operation) -> SSAValue:
        """Insert an operation and give its one result."""
        return self.add(op).results[0]

    @contextmanager
    def at(self, node: ast.AST) -> Generator[None]:
        """Set the source location of operations, and of errors of their constructors, to a node."""
        outer, self.node = self.node, node
        try:
            yield
        except TilewrightError as error:
            if error.location is None:
                error.location = self.source.location(node)
            raise
        except RecursionError:
            raise TilewrightError(SYNTAX, "this nests too deeply", location=self.source.location(node)) from None
        except (VerifyException, ValueError) as error:
            text = on_one_line(error) or type(error).__name__
            what = "the operation does not verify: " if isinstance(error, VerifyException) else ""
            raise TilewrightError(BAD_ARGUMENT, f"{what}{text}", location=self.source.location(node)) from None
        finally:
            self.node = outer

    @contextmanager
    def inside(self, block: Block, owner: Operation | None = None, *, is_block: bool = False) -> Generator[Scope]:
        """Put operations into a region, whose names end with it."""
        outer, self.block = self.block, block
        scope = Scope(owner, is_block=is_block)
        self.scopes.append(scope)
        try:
            yield scope
        finally:
            self.scopes.pop()
            self.block = outer

    @contextmanager
    def where(self, guard: tuple[Index, ...]) -> Generator[None]:
        """Restrict loads to where the guard holds."""
        outer, self.path = self.path, tuple(dict.fromkeys((*self.path, *guard)))
        try:
            yield
        finally:
            self.path = outer

    # Names

    def define(self, name: str, value: Value, node: ast.AST) -> None:
        """Give a name to a value. The name of a value of an outer region is kept."""
        for scope in reversed(self.scopes[:-1]):
            if name in scope.names and name not in self.scopes[-1].names:
                self.fail(
                    BAD_ARGUMENT,
                    f"'{name}' has a value outside of this loop, branch or block, which cannot change here",
                    node,
                    help=f"keep what changes in a buffer: {name} = T.alloc_buffer((1,), …), or use another name",
                )
        self.scopes[-1].names[name] = value
        if isinstance(value, SSAValue) and value.name_hint is None:
            value.name_hint = script_name(name)

    def lookup(self, node: ast.Name) -> Value:
        """Return the value of a name here. Raises TW0312 for an unknown name."""
        crossed: list[Scope] = []
        for scope in reversed(self.scopes):
            if node.id in scope.names:
                if crossed and node.id in scope.loop_variables:
                    axis = _implicit_axis(node.id, scope.names[node.id], crossed[::-1])
                    return axis or self.fail(
                        BAD_ARGUMENT,
                        f"expected a block to use the axes that it defines, but got '{node.id}' of a loop whose bounds "
                        "vary",
                        node,
                        help=f"bind it: v{node.id} = T.axis.spatial(extent, {node.id}), and use v{node.id}",
                    )
                return scope.names[node.id]
            if scope.is_block:
                crossed.append(scope)
        for names in (self.language.names, self.source.names):
            if node.id in names:
                return names[node.id]
        known = [*(name for scope in self.scopes for name in scope.names), *self.language.names]
        return self.fail(UNKNOWN_NAME, f"'{node.id}' has no value here{did_you_mean(node.id, known)}", node)


def _implicit_axis(name: str, value: object, blocks: Sequence[Scope]) -> Index | None:
    """Return the variable `name` of a loop within the blocks, outermost first, each of which gets a spatial axis for
    it.

    None where the bounds of the loop vary within the function. Spatial says nothing of dependences, which are found.
    """
    if not isinstance(value, Index):
        return None
    variable = value.single_value
    op = variable.block.parent_op() if isinstance(variable, BlockArgument) else None
    if not isinstance(op, loop.ForOp) or not all(len(b) == 1 and _is_size(b[0]) for b in (op.lowers, op.uppers)):
        return None
    low = op.lowers[0]
    for scope in blocks:
        assert isinstance(scope.owner, loop.BlockOp)
        value = Index.of(_axis(scope.owner, f"v{name}", value - low, op.uppers[0] - low)) + low
        scope.names[name] = value
    return value


def _is_size(bound: Index) -> bool:
    """Return whether a bound is made of constants and of values that the top of the function computes."""
    blocks = (o if isinstance(o := value.owner, Block) else o.parent for value in bound.values())
    return all(block is not None and block.parent_op() is None for block in blocks)


def _axis(block: loop.BlockOp, name: str, binding: Index, extent: Index) -> SSAValue:
    argument = edit.insert_argument(block.body.block, IndexType(), len(block.variables))
    edit.rename(argument, script_name(name))
    bindings, extents = block.index_list("bindings"), block.index_list("extents")
    block.iteration_kinds = ArrayAttr([*block.iteration_kinds, StringAttr("spatial")])
    block.set_index_lists(bindings=[*bindings, binding], extents=[*extents, extent])
    return argument
