"""Loops and conditionals.

A region of these operations is one basic block. It has no terminator, except that of a `loop.for` with loop-carried
values, which ends in `loop.yield`; so operations can be appended at the end of a body.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DenseArrayBase, IndexType
from xdsl.dialects.utils import AbstractYieldOperation
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    lazy_traits_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import HasParent, IsTerminator, NoTerminator, Pure, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from ...renamed import with_earlier_arguments, with_earlier_members
from ..affine_syntax import parse_guard, parse_index, print_guard, print_index, print_indices
from ..index_expr import Index, IndexLike
from ..indexed_op import IndexedOp, encode, indexed_op_definition
from ..op_syntax import parse_attributes, print_attributes, with_attributes
from .captures import disjoint_attribute, parse_captures, positions_of, print_captures, verify_captures
from .combine import CombineOp
from .kinds import SERIAL, LoopKindAttr, parse_kind, print_kind

_INDEX = IndexType()


@irdl_op_definition
class YieldOp(AbstractYieldOperation[Attribute]):
    """Ends the body of a `loop.for` with loop-carried values, or that of a combiner: `loop.yield %next : f32`."""

    name = "loop.yield"
    traits = lazy_traits_def(lambda: (IsTerminator(), HasParent(ForOp, CombineOp), Pure()))


@with_earlier_members
@indexed_op_definition
class ForOp(IndexedOp):
    """A counted loop over [lower, upper) with step 1. Several lowers mean their maximum, several uppers their minimum.

    ```mlir
    loop.for %i = 0 to 1024 kind parallel {
      loop.for %j = max(0, %i - 3) to min(%n, %i + 4) { … }
    }
    %sum = loop.for %k = 0 to 8 iter_args(%acc = %zero) -> (f32) { … loop.yield %next : f32 }
    loop.for %i = 0 to 1024 kind parallel captures(%x apart, %y apart, %n) { … }
    ```
    `captures`, if stated, lists all values from outside that the body of a parallel loop uses. A buffer marked `apart`
    is disjoint from every other captured buffer, if the body writes to either.
    """

    name = "loop.for"
    INDEX_PROPERTIES: ClassVar = ("lower", "upper")

    dims = var_operand_def(IndexType())
    iter_args = var_operand_def()
    captures = var_operand_def()
    lower = prop_def()
    upper = prop_def()
    kind = prop_def(LoopKindAttr)
    disjoint = opt_prop_def(DenseArrayBase, prop_name="apart")
    res = var_result_def()
    body = region_def("single_block")

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())

    def __init__(
        self,
        lower: IndexLike | Sequence[IndexLike],
        upper: IndexLike | Sequence[IndexLike],
        body: Region | None = None,
        kind: LoopKindAttr = SERIAL,
        iter_args: Sequence[SSAValue] = (),
        name_hint: str | None = None,
    ):
        maps, operands = encode({"lower": _as_list(lower), "upper": _as_list(upper)})
        types = [value.type for value in iter_args]
        if body is None:
            body = Region(Block(arg_types=[_INDEX, *types]))
            body.block.args[0].name_hint = name_hint
        super().__init__(
            operands=[operands, iter_args, ()],
            properties={**maps, "kind": kind},
            result_types=[types],
            regions=[body],
        )

    @property
    def lowers(self) -> tuple[Index, ...]:
        return self.index_list("lower")

    @property
    def uppers(self) -> tuple[Index, ...]:
        return self.index_list("upper")

    @property
    def induction_variable(self) -> BlockArgument:
        return self.regions[0].block.args[0]  # asked for so often that the accessor of `body` shows

    @property
    def constant_bounds(self) -> tuple[int, int] | None:
        """(lower, upper) where all bounds are constants, else None; upper is at least lower."""
        lowers, uppers = self.lowers, self.uppers
        if not all(e.is_constant for e in (*lowers, *uppers)):
            return None
        lower = max(e.constant for e in lowers)
        return lower, max(lower, min(e.constant for e in uppers))

    @property
    def constant_trip_count(self) -> int | None:
        """The number of iterations where it is known, also for bounds like %i * 4 to %i * 4 + 4."""
        lowers, uppers = self.lowers, self.uppers
        if (bounds := self.constant_bounds) is not None:
            return bounds[1] - bounds[0]
        if len(lowers) == len(uppers) == 1 and (extent := uppers[0] - lowers[0]).is_constant:
            return max(0, extent.constant)
        return None

    @property
    def states_captures(self) -> bool:
        return "apart" in self.properties

    @property
    def captured_disjoint(self) -> tuple[SSAValue, ...]:
        """The captured buffers that share memory with no other one."""
        captures = self.captures
        return tuple(captures[position] for position in positions_of(self.disjoint))

    @with_earlier_arguments
    def state_captures(self, captures: Sequence[SSAValue], disjoint: Collection[SSAValue]) -> None:
        """State the values that the body captures, and the disjoint buffers among these."""
        self.set_group("captures", captures)
        self.properties["apart"] = disjoint_attribute(k for k, value in enumerate(captures) if value in disjoint)

    def drop_captures(self) -> None:
        """State nothing about captures."""
        if self.states_captures:
            self.set_group("captures", ())
            del self.properties["apart"]

    def verify_(self) -> None:
        self.verify_index_lists(lane=False)
        if not self.lowers or not self.uppers:
            raise VerifyException("expected at least one lower and one upper bound")
        arguments = [arg.type for arg in self.body.block.args]
        expected = [_INDEX, *(value.type for value in self.iter_args)]
        if arguments != expected:
            raise VerifyException(f"expected body arguments {_types(expected)}, but got {_types(arguments)}")
        if [r.type for r in self.res] != expected[1:]:
            raise VerifyException(
                f"expected results {_types(expected[1:])} like the loop-carried values, "
                f"but got {_types([r.type for r in self.res])}"
            )
        _verify_yield(self)
        verify_captures(self.kind, self.captures, self.disjoint)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_block_argument(self.induction_variable, print_type=False)
        printer.print_string(" = ")
        _print_bound(printer, self.lowers, "max")
        printer.print_string(" to ")
        _print_bound(printer, self.uppers, "min")
        if self.kind != SERIAL:
            printer.print_string(" kind ")
            print_kind(printer, self.kind)
        if self.iter_args:
            _print_iter_args(printer, self)
        if self.states_captures:
            print_captures(printer, self.captures, self.disjoint)
        print_attributes(printer, self)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)

    @classmethod
    def parse(cls, parser: Parser) -> ForOp:
        variable = parser.parse_argument(expect_type=False).resolve(IndexType())
        parser.parse_punctuation("=")
        lower = _parse_bound(parser, "max")
        parser.parse_keyword("to")
        upper = _parse_bound(parser, "min")
        kind = parse_kind(parser) if parser.parse_optional_keyword("kind") else SERIAL
        arguments, iter_args = _parse_iter_args(parser)
        captured = parse_captures(parser)
        attributes = parse_attributes(parser)
        body = parser.parse_region([variable, *arguments])
        op = cls(lower, upper, body, kind, iter_args)
        if captured is not None:
            op.state_captures(
                [value for value, _ in captured], [value for value, is_disjoint in captured if is_disjoint]
            )
        return with_attributes(op, attributes)


@irdl_op_definition
class IfOp(IndexedOp):
    """Executes its first region if the guard holds, otherwise its second region, if there is one.

    ```mlir
    loop.if (%i < 57, %j >= 1) { … } else { … }
    ```
    """

    name = "loop.if"
    INDEX_PROPERTIES: ClassVar = ("guard",)

    dims = var_operand_def(IndexType())
    guard = prop_def()
    then_body = region_def("single_block")
    else_body = region_def()

    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())

    def __init__(self, guard: Sequence[Index], then_body: Region | None = None, else_body: Region | None = None):
        maps, operands = encode({"guard": guard})
        super().__init__(
            operands=[operands], properties=maps, regions=[then_body or Region(Block()), else_body or Region()]
        )

    @property
    def conditions(self) -> tuple[Index, ...]:
        """The expressions that must all be >= 0."""
        return self.index_list("guard")

    def verify_(self) -> None:
        self.verify_index_lists(lane=False)
        for region in (self.then_body, self.else_body):
            if len(region.blocks) > 1 or (region.blocks and region.block.args):
                raise VerifyException("expected regions of one block without arguments")

    def print(self, printer: Printer) -> None:
        printer.print_string(" (")
        print_guard(printer, self.conditions)
        printer.print_string(")")
        print_attributes(printer, self)
        printer.print_string(" ")
        printer.print_region(self.then_body, print_entry_block_args=False, print_empty_block=False)
        if self.else_body.blocks:
            printer.print_string(" else ")
            printer.print_region(self.else_body, print_entry_block_args=False, print_empty_block=False)

    @classmethod
    def parse(cls, parser: Parser) -> IfOp:
        guard = parse_guard(parser)
        attributes = parse_attributes(parser)
        then_body = parser.parse_region([])
        else_body = parser.parse_region([]) if parser.parse_optional_keyword("else") else Region()
        op = cls(guard, then_body, else_body)
        return with_attributes(op, attributes)


def _as_list(bounds: IndexLike | Sequence[IndexLike]) -> list[Index]:
    return [Index.of(b) for b in bounds] if isinstance(bounds, (list, tuple)) else [Index.of(bounds)]  # pyright: ignore


def _types(types: Sequence[Attribute]) -> str:
    return f"({', '.join(str(t) for t in types)})"


def _verify_yield(op: ForOp) -> None:
    last = op.body.block.last_op
    values = [v.type for v in last.operands] if isinstance(last, YieldOp) else []
    if isinstance(last, YieldOp) and not op.iter_args:
        raise VerifyException("expected no loop.yield in a loop without loop-carried values")
    if values != [v.type for v in op.iter_args]:
        raise VerifyException(
            f"expected the body to yield {_types([v.type for v in op.iter_args])}, but got {_types(values)}"
        )


def _print_bound(printer: Printer, bounds: Sequence[Index], combine: str) -> None:
    if len(bounds) == 1:
        print_index(printer, bounds[0])
        return
    printer.print_string(f"{combine}(")
    print_indices(printer, bounds)
    printer.print_string(")")


def _parse_bound(parser: Parser, combine: str) -> list[Index]:
    if parser.parse_optional_keyword(combine):
        return parser.parse_comma_separated_list(Parser.Delimiter.PAREN, lambda: parse_index(parser))
    return [parse_index(parser)]


def _print_iter_args(printer: Printer, op: ForOp) -> None:
    printer.print_string(" iter_args(")

    def print_pair(pair: tuple[BlockArgument, SSAValue]) -> None:
        printer.print_block_argument(pair[0], print_type=False)
        printer.print_string(" = ")
        printer.print_ssa_value(pair[1])

    printer.print_list(zip(op.body.block.args[1:], op.iter_args, strict=True), print_pair)
    printer.print_string(") -> (")
    printer.print_list(op.iter_args, lambda value: printer.print_attribute(value.type))
    printer.print_string(")")


def _parse_iter_args(parser: Parser) -> tuple[list[Parser.Argument], list[SSAValue]]:
    if not parser.parse_optional_keyword("iter_args"):
        return [], []

    def parse_pair():
        argument = parser.parse_argument(expect_type=False)
        parser.parse_punctuation("=")
        return argument, parser.parse_unresolved_operand()

    pairs = parser.parse_comma_separated_list(Parser.Delimiter.PAREN, parse_pair)
    parser.parse_punctuation("->")
    start = parser.pos
    types = parser.parse_comma_separated_list(Parser.Delimiter.PAREN, parser.parse_type)
    if len(types) != len(pairs):
        parser.raise_error(f"expected {len(pairs)} types, but got {len(types)}", start, parser.pos)
    arguments = [argument.resolve(t) for (argument, _), t in zip(pairs, types, strict=True)]
    return arguments, [parser.resolve_operand(operand, t) for (_, operand), t in zip(pairs, types, strict=True)]


def enclosing(op: Operation, kinds: type[Operation] | tuple[type[Operation], ...]) -> Iterator[Operation]:
    """Yield the ancestors of `op` of the given classes, innermost first."""
    parent = op.parent_op()
    while parent is not None:
        if isinstance(parent, kinds):
            yield parent
        parent = parent.parent_op()
