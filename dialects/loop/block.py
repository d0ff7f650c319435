"""Blocks: the statements of a computation, separate from the loops that run them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr, IndexType, StringAttr
from xdsl.ir import Block, BlockArgument, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    lazy_traits_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import HasParent, NoTerminator, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from ...traversal import operations
from ..affine_syntax import parse_guard, parse_index, print_guard, print_index
from ..index_expr import Index, IndexLike
from ..indexed_op import IndexedOp, encode, verify_extents
from ..op_syntax import parse_attributes, print_attributes, with_attributes
from .control import ForOp


@irdl_op_definition
class BlockOp(IndexedOp):
    """One statement of a computation, over separate iteration variables.

    Each iteration variable is spatial or reduce, ranges over [0, extent) and is bound to an expression of the
    surrounding loops' variables. The body indexes buffers by iteration variables only, so loops can be rearranged
    without a change to the body. `where` holds for the instances that are executed; other instances are outside of the
    domain. A reduction over an extent of 0 has no instance, but has a result: see `loop.init`.

    A block over tiles contains loops, and in them blocks whose bindings use the outer block's iteration variables
    instead of the loops around it. For a schedule the outermost block is one statement.

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
        """Yield, for each iteration variable, the variable, its kind, its binding and its extent."""
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
        verify_extents(self.index_list("extents"))
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
        print_attributes(printer, self)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)

    @classmethod
    def parse(cls, parser: Parser) -> BlockOp:
        label = parser.parse_str_literal()
        rows = parser.parse_comma_separated_list(Parser.Delimiter.PAREN, lambda: _parse_iteration(parser))
        guard = parse_guard(parser) if parser.parse_optional_keyword("where") else ()
        attributes = parse_attributes(parser)
        body = parser.parse_region([row[0] for row in rows])
        op = cls(label, [r[1] for r in rows], [r[2] for r in rows], [r[3] for r in rows], guard, body)
        return with_attributes(op, attributes)


@irdl_op_definition
class InitOp(IRDLOperation):
    """First in a block: executed at the instances whose reduce variables are all 0, before the rest of the body.

    The init is the result of a reduction without terms. If the extent of a reduce variable is 0 or less, the init is
    executed before the outermost loop to which a reduce variable is bound, once for each value of the spatial variables
    in the present iteration of the outer loops. A spatial variable that shares no loop with a reduce variable takes the
    values that its loops give where conditions over these loops hold. A spatial variable that shares a loop with a
    reduce variable takes all values of its extent. Such an init reads no memory that the loops of its reduction write.
    """

    name = "loop.init"

    body = region_def("single_block")

    traits = lazy_traits_def(lambda: (NoTerminator(), HasParent(BlockOp), RecursiveMemoryEffect()))

    def __init__(self, body: Region | None = None):
        super().__init__(regions=[body or Region(Block())])

    def print(self, printer: Printer) -> None:
        print_attributes(printer, self)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)

    @classmethod
    def parse(cls, parser: Parser) -> InitOp:
        attributes = parse_attributes(parser)
        op = cls(parser.parse_region([]))
        return with_attributes(op, attributes)


def _verify_block_body(block: BlockOp) -> None:
    for op in operations(block):
        if isinstance(op, InitOp) and op.parent_op() is block and op is not block.init:
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
