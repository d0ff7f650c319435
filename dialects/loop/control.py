"""Loops, conditionals and blocks.

A region of these operations is one basic block. It has no terminator, except that of a `loop.for` with loop-carried
values, which ends in `loop.yield`; so appending to a body never has to step around one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr, IndexType, StringAttr
from xdsl.dialects.utils import AbstractYieldOperation
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    lazy_traits_def,
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

from ..affine_syntax import parse_guard, parse_index, print_guard, print_index, print_indices
from ..index_expr import Index, IndexLike
from ..indexed_op import IndexedOp, encode
from .kinds import SERIAL, LoopKindAttr, parse_kind, print_kind


@irdl_op_definition
class YieldOp(AbstractYieldOperation[Attribute]):
    """Ends the body of a `loop.for` with loop-carried values: `loop.yield %next : f32`."""

    name = "loop.yield"
    traits = lazy_traits_def(lambda: (IsTerminator(), HasParent(ForOp), Pure()))


@irdl_op_definition
class ForOp(IndexedOp):
    """A counted loop over [lower, upper) with step 1. Several lowers mean their maximum, several uppers their minimum.

    ```mlir
    loop.for %i = 0 to 1024 kind parallel {
      loop.for %j = max(0, %i - 3) to min(%n, %i + 4) { … }
    }
    %sum = loop.for %k = 0 to 8 iter_args(%acc = %zero) -> (f32) { … loop.yield %next : f32 }
    ```
    """

    name = "loop.for"
    INDEX_PROPERTIES: ClassVar = ("lower", "upper")

    dims = var_operand_def(IndexType())
    iter_args = var_operand_def()
    lower = prop_def()
    upper = prop_def()
    kind = prop_def(LoopKindAttr)
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
            body = Region(Block(arg_types=[IndexType(), *types]))
            body.block.args[0].name_hint = name_hint
        super().__init__(
            operands=[operands, iter_args],
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
        return self.body.block.args[0]

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

    def verify_(self) -> None:
        self.verify_index_lists(lane=False)
        if not self.lowers or not self.uppers:
            raise VerifyException("expected at least one lower and one upper bound")
        arguments = [arg.type for arg in self.body.block.args]
        expected = [IndexType(), *(value.type for value in self.iter_args)]
        if arguments != expected:
            raise VerifyException(f"expected body arguments {_types(expected)}, but got {_types(arguments)}")
        if [r.type for r in self.res] != expected[1:]:
            raise VerifyException(
                f"expected results {_types(expected[1:])} like the loop-carried values, "
                f"but got {_types([r.type for r in self.res])}"
            )
        _verify_yield(self)

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
        printer.print_op_attributes(self.attributes, print_keyword=True)
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
        attributes = parser.parse_optional_attr_dict_with_keyword()
        body = parser.parse_region([variable, *arguments])
        op = cls(lower, upper, body, kind, iter_args)
        op.attributes |= attributes.data if attributes else {}
        return op


@irdl_op_definition
class IfOp(IndexedOp):
    """Executes its first region where the guard holds, else its second, if there is one.

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
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.then_body, print_entry_block_args=False, print_empty_block=False)
        if self.else_body.blocks:
            printer.print_string(" else ")
            printer.print_region(self.else_body, print_entry_block_args=False, print_empty_block=False)

    @classmethod
    def parse(cls, parser: Parser) -> IfOp:
        guard = parse_guard(parser)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        then_body = parser.parse_region([])
        else_body = parser.parse_region([]) if parser.parse_optional_keyword("else") else Region()
        op = cls(guard, then_body, else_body)
        op.attributes |= attributes.data if attributes else {}
        return op


@irdl_op_definition
class BlockOp(IndexedOp):
    """One statement of a computation, over iteration variables of its own.

    Each iteration variable is spatial or reduce, ranges over [0, extent) and is bound to an expression of the
    surrounding loops' variables. The body reads and writes buffers by iteration variables only, so loops can be
    rearranged without touching it. `where` holds for the instances that are executed; the others are outside of the
    domain.

    ```mlir
    loop.block "C" (%vi = spatial(%io * 32 + %ii) in 1000, %vk = reduce(%k) in 64) where (%io * 32 + %ii < 1000) {
      loop.init { loop.store %zero, %C[%vi] : memref<1000xf32> }
      …
    }
    ```
    """

    name = "loop.block"
    INDEX_PROPERTIES: ClassVar = ("bindings", "extents", "guard")

    dims = var_operand_def(IndexType())
    sym = prop_def(StringAttr)
    iteration_kinds = prop_def(ArrayAttr[StringAttr])
    bindings = prop_def()
    extents = prop_def()
    guard = prop_def()
    body = region_def("single_block")

    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())

    def __init__(
        self,
        label: str,
        kinds: Sequence[str],
        bindings: Sequence[IndexLike],
        extents: Sequence[IndexLike],
        guard: Sequence[Index] = (),
        body: Region | None = None,
        name_hints: Sequence[str] = (),
    ):
        lists = {"bindings": [Index.of(b) for b in bindings], "extents": [Index.of(e) for e in extents], "guard": guard}
        maps, operands = encode(lists)
        if body is None:
            body = Region(Block(arg_types=[IndexType()] * len(kinds)))
            for argument, hint in zip(body.block.args, name_hints, strict=False):
                argument.name_hint = hint
        properties = {"sym": StringAttr(label), "iteration_kinds": ArrayAttr(StringAttr(k) for k in kinds), **maps}
        super().__init__(operands=[operands], properties=properties, regions=[body])

    @property
    def label(self) -> str:
        return self.sym.data

    @property
    def kinds(self) -> tuple[str, ...]:
        """ "spatial" or "reduce" for each iteration variable."""
        return tuple(kind.data for kind in self.iteration_kinds)

    @property
    def variables(self) -> tuple[BlockArgument, ...]:
        return tuple(self.body.block.args)

    @property
    def conditions(self) -> tuple[Index, ...]:
        """The expressions over loop variables that must all be >= 0 for an instance to be executed."""
        return self.index_list("guard")

    def iteration(self) -> Iterator[tuple[BlockArgument, str, Index, Index]]:
        """For each iteration variable: the variable, its kind, its binding and its extent."""
        yield from zip(self.variables, self.kinds, self.index_list("bindings"), self.index_list("extents"), strict=True)

    @property
    def init(self) -> InitOp | None:
        first = self.body.block.first_op
        return first if isinstance(first, InitOp) else None

    def verify_(self) -> None:
        self.verify_index_lists(lane=False)
        counts = {len(self.kinds), len(self.variables)}
        counts |= {len(self.index_list(name)) for name in ("bindings", "extents")}
        if len(counts) != 1:
            raise VerifyException(
                f"expected as many iteration variables ({len(self.variables)}) as kinds, bindings and extents"
            )
        for kind in self.kinds:
            if kind not in ("spatial", "reduce"):
                raise VerifyException(f"expected an iteration kind spatial or reduce, but got {kind}")
        _verify_block_body(self)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.label)
        printer.print_string(" (")
        printer.print_list(self.iteration(), lambda row: _print_iteration(printer, *row))
        printer.print_string(")")
        if self.conditions:
            printer.print_string(" where (")
            print_guard(printer, self.conditions)
            printer.print_string(")")
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)

    @classmethod
    def parse(cls, parser: Parser) -> BlockOp:
        label = parser.parse_str_literal()
        rows = parser.parse_comma_separated_list(Parser.Delimiter.PAREN, lambda: _parse_iteration(parser))
        guard = parse_guard(parser) if parser.parse_optional_keyword("where") else ()
        attributes = parser.parse_optional_attr_dict_with_keyword()
        body = parser.parse_region([row[0] for row in rows])
        op = cls(label, [r[1] for r in rows], [r[2] for r in rows], [r[3] for r in rows], guard, body)
        op.attributes |= attributes.data if attributes else {}
        return op


@irdl_op_definition
class InitOp(IRDLOperation):
    """First in a block: executed at the instances whose reduce variables are all 0, before the rest of the body."""

    name = "loop.init"

    body = region_def("single_block")

    traits = lazy_traits_def(lambda: (NoTerminator(), HasParent(BlockOp), RecursiveMemoryEffect()))

    def __init__(self, body: Region | None = None):
        super().__init__(regions=[body or Region(Block())])

    def print(self, printer: Printer) -> None:
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)

    @classmethod
    def parse(cls, parser: Parser) -> InitOp:
        attributes = parser.parse_optional_attr_dict_with_keyword()
        op = cls(parser.parse_region([]))
        op.attributes |= attributes.data if attributes else {}
        return op


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


def _verify_block_body(block: BlockOp) -> None:
    for op in block.walk():
        if op is not block and isinstance(op, BlockOp):
            raise VerifyException(f"expected no block within block {block.label!r}, but got {op.label!r}")
        if isinstance(op, InitOp) and op is not block.init:
            raise VerifyException(f"expected loop.init first in block {block.label!r}")
        for operand in op.operands if op is not block else ():
            _verify_block_operand(block, operand)


def _verify_block_operand(block: BlockOp, operand: SSAValue) -> None:
    if not isinstance(operand, BlockArgument) or not isinstance(loop := operand.block.parent_op(), ForOp):
        return
    if block.is_ancestor(loop):
        return
    raise VerifyException(
        f"expected block {block.label!r} to use its iteration variables only, "
        f"but got the loop variable %{operand.name_hint}"
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


def _print_iteration(printer: Printer, variable: BlockArgument, kind: str, binding: Index, extent: Index) -> None:
    printer.print_block_argument(variable, print_type=False)
    printer.print_string(f" = {kind}(")
    print_index(printer, binding)
    printer.print_string(") in ")
    print_index(printer, extent)


def _parse_iteration(parser: Parser) -> tuple[Parser.Argument, str, Index, Index]:
    variable = parser.parse_argument(expect_type=False).resolve(IndexType())
    parser.parse_punctuation("=")
    kind = parser.parse_keyword_in(("spatial", "reduce"))
    parser.parse_punctuation("(")
    binding = parse_index(parser)
    parser.parse_punctuation(")")
    parser.parse_keyword("in")
    return variable, kind, binding, parse_index(parser)


def enclosing(op: Operation, kinds: type[Operation] | tuple[type[Operation], ...]) -> Iterator[Operation]:
    """The ancestors of `op` of the given classes, innermost first."""
    parent = op.parent_op()
    while parent is not None:
        if isinstance(parent, kinds):
            yield parent
        parent = parent.parent_op()
