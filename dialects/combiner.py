"""Combiners without a name: a region over accumulated and added values, and the identities from which a reduction
starts.

The te and loop dialects share the syntax: `te.reduce` ends a body with a combiner, `loop.combine` applies a combiner to
values.

```mlir
identity [-1 : i32, 0xff800000 : f32] by (%xi, %xv), (%yi, %yv) {
  %later = arith.cmpf ogt, %yv, %xv : f32
  %i = arith.select %later, %yi, %xi : i32
  %v = arith.select %later, %yv, %xv : f32
  te.yield %i, %v : i32, f32
}
```
A combiner may be applied in any order and in groups if it is associative and commutative (for floats up to rounding),
and if its identities leave every value unchanged. `semantics.combiner_laws` searches for counter-examples; if there are
any, the terms keep their order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import ArrayAttr, FloatAttr, IntegerAttr
from xdsl.ir import Attribute, Block, Region
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import is_side_effect_free
from xdsl.utils.exceptions import VerifyException

Identity: TypeAlias = "IntegerAttr | FloatAttr"


def verify_combiner(types: Sequence[Attribute], identities: Attribute | None, region: Region, terminator: str) -> None:
    """Check that a combiner takes and gives values of `types`, and depends on nothing else."""
    count, given = len(types), identities.data if isinstance(identities, ArrayAttr) else ()
    if [getattr(a, "type", None) for a in given] != list(types):
        raise VerifyException(f"expected an identity of each type {_listing(types)}, but got {_listing(given)}")
    block = region.block
    taken = [a.type for a in block.args]
    if taken != [*types, *types]:
        raise VerifyException(f"expected {2 * count} combiner arguments, two of each type, but got {_listing(taken)}")
    last = block.last_op
    if last is None or last.name != terminator:
        raise VerifyException(
            f"expected the combiner to end in {terminator}, but got {last.name if last else 'nothing'}"
        )
    given_types = [v.type for v in last.operands]
    if given_types != list(types):
        raise VerifyException(f"expected the combiner to give {_listing(types)}, but got {_listing(given_types)}")
    _verify_body(block)


def _verify_body(block: Block) -> None:
    for op in block.ops:
        if op.regions or not (op.name.startswith("arith.") or is_side_effect_free(op)):
            raise VerifyException(f"expected scalar operations in the combiner, but got {op.name}")
        for operand in op.operands:
            if operand.owner is not block and getattr(operand.owner, "parent", None) is not block:
                raise VerifyException(
                    "expected the combiner to use only values of its region, but got a value from outside"
                )


def _listing(items: Sequence[Attribute]) -> str:
    return f"({', '.join(map(str, items))})"


def print_combiner(printer: Printer, identities: Attribute, region: Region) -> None:
    arguments = region.block.args
    half = len(arguments) // 2
    printer.print_string(" identity ")
    printer.print_attribute(identities)
    printer.print_string(" by ")
    for position, part in enumerate((arguments[:half], arguments[half:])):
        printer.print_string(", (" if position else "(")
        printer.print_list(part, lambda a: printer.print_block_argument(a, print_type=False))
        printer.print_string(")")
    printer.print_string(" ")
    printer.print_region(region, print_entry_block_args=False)


def parse_combiner(parser: Parser, types: Sequence[Attribute]) -> tuple[Attribute, Region]:
    """Parse the identities and the region, from `identity` on."""
    parser.parse_keyword("identity")
    identities = parser.parse_attribute()
    parser.parse_keyword("by")
    accumulated = _parse_arguments(parser, types)
    parser.parse_punctuation(",")
    added = _parse_arguments(parser, types)
    return identities, parser.parse_region([*accumulated, *added])


def _parse_arguments(parser: Parser, types: Sequence[Attribute]) -> list[Parser.Argument]:
    start = parser.pos
    arguments = parser.parse_comma_separated_list(
        Parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False)
    )
    if len(arguments) != len(types):
        parser.raise_error(f"expected {len(types)} arguments, but got {len(arguments)}", start)
    return [argument.resolve(type) for argument, type in zip(arguments, types, strict=True)]
