"""affine: `affine.if`, `affine.parallel` and `affine.max` as mlir-opt prints them, beside the operations of xDSL."""

from __future__ import annotations

import re
from collections.abc import Sequence

from xdsl.dialects import affine
from xdsl.dialects.builtin import (
    AffineMapAttr,
    AffineSetAttr,
    ArrayAttr,
    DenseIntElementsAttr,
    IndexType,
    IntegerAttr,
    StringAttr,
    TensorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Dialect, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from ...ir import editor as edit
from ..affine_syntax import parse_index
from ..index_expr import Index
from ..index_maps import to_map

REDUCTIONS: tuple[str, ...] = (
    *("addf", "addi", "mulf", "muli", "andi", "ori", "xori"),
    *("maximumf", "maxnumf", "maxs", "maxu", "minimumf", "minnumf", "mins", "minu"),
)
"""The kinds of `arith.AtomicRMWKind` that combine two values."""

_NUMBERED = {0: "addf", 1: "addi"}
"""The numbers of kinds in the generic form that all versions of MLIR agree on."""


@irdl_op_definition
class IfOp(IRDLOperation):
    """Runs one of its regions: `affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%i) -> f32 { … } else { … }`."""

    name = "affine.if"

    args = var_operand_def(IndexType())
    res = var_result_def()
    condition = prop_def(AffineSetAttr)
    then_region = region_def("single_block")
    else_region = region_def()

    traits = traits_def(RecursiveMemoryEffect())

    def verify_(self) -> None:
        set_ = self.condition.data
        if len(self.args) != set_.num_dims + set_.num_symbols:
            raise VerifyException(f"expected {set_.num_dims + set_.num_symbols} operands, but got {len(self.args)}")
        if self.res and not self.else_region.blocks:
            raise VerifyException("expected an else region, which gives the results")

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_attribute(self.condition)
        _print_operands(printer, self.args, self.condition.data.num_dims)
        if self.res:
            printer.print_string(" -> (")
            printer.print_list(self.res, lambda value: printer.print_attribute(value.type))
            printer.print_string(")")
        for word, region in ((" ", self.then_region), (" else ", self.else_region)):
            if region.blocks:
                printer.print_string(word)
                printer.print_region(region, print_block_terminators=bool(self.res))
        printer.print_op_attributes(self.attributes)

    @classmethod
    def parse(cls, parser: Parser) -> IfOp:
        condition = parser.parse_attribute()
        if not isinstance(condition, AffineSetAttr):
            parser.raise_error(f"expected an affine set, but got {condition}")
        operands = _parse_operands(parser)
        types = _parse_types(parser)
        then_region = parser.parse_region()
        else_region = parser.parse_region() if parser.parse_optional_keyword("else") else Region()
        for region in (then_region, else_region):
            _terminate(region)
        attributes = parser.parse_optional_attr_dict()
        return cls.build(
            operands=[operands],
            properties={"condition": condition},
            attributes=attributes,
            result_types=[types],
            regions=[then_region, else_region],
        )


@irdl_op_definition
class ParallelOp(IRDLOperation):
    """Loops whose iterations may run at once: `affine.parallel (%i) = (0) to (%n) reduce ("addf") -> f32 { … }`.

    The bounds of a loop are the results of a map in groups: the largest lower and the least upper one hold.
    """

    name = "affine.parallel"

    map_operands = var_operand_def(IndexType())
    reductions = prop_def(ArrayAttr)
    lowerBoundsMap = prop_def(AffineMapAttr)
    lowerBoundsGroups = prop_def(DenseIntElementsAttr)
    upperBoundsMap = prop_def(AffineMapAttr)
    upperBoundsGroups = prop_def(DenseIntElementsAttr)
    steps = prop_def(ArrayAttr[IntegerAttr])
    res = var_result_def()
    body = region_def("single_block")

    traits = traits_def(RecursiveMemoryEffect())

    @property
    def reduction_names(self) -> list[str]:
        """What combines each result: `addf`, `maxs`; a number as it is where its meaning depends on the version."""
        return [_name_of(attribute) for attribute in self.reductions]

    def bounds(self) -> list[tuple[list[AffineExpr], list[AffineExpr], int]]:
        """The lower bounds, the upper bounds and the step of each loop; the upper ones are over operands of their own,
        which stand behind those of the lower ones."""
        lowers = _grouped(self.lowerBoundsMap, self.lowerBoundsGroups)
        uppers = _grouped(self.upperBoundsMap, self.upperBoundsGroups)
        steps = [step.value.data for step in self.steps]
        return list(zip(lowers, uppers, steps, strict=True))

    def verify_(self) -> None:
        maps = [self.lowerBoundsMap.data, self.upperBoundsMap.data]
        count = sum(map.num_dims + map.num_symbols for map in maps)
        if len(self.map_operands) != count:
            raise VerifyException(f"expected {count} operands of the bounds, but got {len(self.map_operands)}")
        counts = {len(self.lowerBoundsGroups), len(self.upperBoundsGroups), len(self.steps), len(self.body.block.args)}
        if len(counts) != 1:
            raise VerifyException("expected a lower bound, an upper bound, a step and an argument for each loop")
        for map, groups in zip(maps, (self.lowerBoundsGroups, self.upperBoundsGroups), strict=True):
            if sum(int(n) for n in groups.get_values()) != len(map.results):
                raise VerifyException(f"expected groups of the {len(map.results)} results of {map}")
        if len(self.reductions) != len(self.res):
            raise VerifyException(f"expected {len(self.res)} reductions, but got {len(self.reductions)}")

    def print(self, printer: Printer) -> None:
        printer.print_string(" (")
        printer.print_list(self.body.block.args, lambda a: printer.print_block_argument(a, print_type=False))
        printer.print_string(") = ")
        split = self.lowerBoundsMap.data.num_dims + self.lowerBoundsMap.data.num_symbols
        _print_bounds(printer, "max", self.lowerBoundsMap, self.lowerBoundsGroups, self.map_operands[:split])
        printer.print_string(" to ")
        _print_bounds(printer, "min", self.upperBoundsMap, self.upperBoundsGroups, self.map_operands[split:])
        steps = [step.value.data for step in self.steps]
        if any(step != 1 for step in steps):
            printer.print_string(f" step ({', '.join(map(str, steps))})")
        if self.res:
            printer.print_string(f" reduce ({', '.join(_quoted(name) for name in self.reduction_names)}) -> (")
            printer.print_list(self.res, lambda value: printer.print_attribute(value.type))
            printer.print_string(")")
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False, print_block_terminators=bool(self.res))
        printer.print_op_attributes(self.attributes)

    @classmethod
    def parse(cls, parser: Parser) -> ParallelOp:
        arguments = parser.parse_comma_separated_list(
            Parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False).resolve(IndexType())
        )
        parser.parse_punctuation("=")
        lower_map, lower_groups, lower_operands = _parse_bounds(parser, "max")
        parser.parse_keyword("to")
        upper_map, upper_groups, upper_operands = _parse_bounds(parser, "min")
        steps = [1] * len(arguments)
        if parser.parse_optional_keyword("step"):
            steps = parser.parse_comma_separated_list(Parser.Delimiter.PAREN, parser.parse_integer)
        names: list[str] = []
        if parser.parse_optional_keyword("reduce"):
            names = parser.parse_comma_separated_list(Parser.Delimiter.PAREN, parser.parse_str_literal)
        unknown = [name for name in names if name not in REDUCTIONS]
        if unknown:
            parser.raise_error(f"expected reductions of {', '.join(REDUCTIONS)}, but got '{unknown[0]}'")
        types = _parse_types(parser)
        body = parser.parse_region(arguments)
        _terminate(body)
        attributes = parser.parse_optional_attr_dict()
        properties: dict[str, Attribute] = {
            "reductions": ArrayAttr(StringAttr(name) for name in names),
            "lowerBoundsMap": lower_map,
            "lowerBoundsGroups": _groups(lower_groups),
            "upperBoundsMap": upper_map,
            "upperBoundsGroups": _groups(upper_groups),
            "steps": ArrayAttr(IntegerAttr(step, i64) for step in steps),
        }
        return cls.build(
            operands=[[*lower_operands, *upper_operands]],
            properties=properties,
            attributes=attributes,
            result_types=[types],
            regions=[body],
        )


@irdl_op_definition
class MaxOp(IRDLOperation):
    """The largest result of a map: `affine.max affine_map<(d0) -> (d0, 10)>(%i)`."""

    name = "affine.max"

    arguments = var_operand_def(IndexType())
    map = prop_def(AffineMapAttr)
    result = result_def(IndexType())

    traits = traits_def(Pure())

    def verify_(self) -> None:
        expected = self.map.data.num_dims + self.map.data.num_symbols
        if len(self.arguments) != expected:
            raise VerifyException(f"expected {expected} operands, but got {len(self.arguments)}")

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_attribute(self.map)
        _print_operands(printer, self.arguments, self.map.data.num_dims)

    @classmethod
    def parse(cls, parser: Parser) -> MaxOp:
        map_ = parser.parse_attribute()
        operands = _parse_operands(parser)
        return cls.build(operands=[operands], properties={"map": map_}, result_types=[IndexType()])


def _name_of(reduction: Attribute) -> str:
    if isinstance(reduction, StringAttr):
        return reduction.data
    number = reduction.value.data if isinstance(reduction, IntegerAttr) else -1
    return _NUMBERED.get(number, str(number))


def _quoted(name: str) -> str:
    return f'"{name}"'


def _groups(counts: Sequence[int]) -> DenseIntElementsAttr:
    return DenseIntElementsAttr.from_list(TensorType(i32, [len(counts)]), counts)


def _grouped(map: AffineMapAttr, groups: DenseIntElementsAttr) -> list[list[AffineExpr]]:
    results, found = list(map.data.results), list[list[AffineExpr]]()
    for count in groups.get_values():
        found.append([results.pop(0) for _ in range(int(count))])
    return found


def _terminate(region: Region) -> None:
    """The custom form leaves out a yield without values."""
    for block in region.blocks:
        if not isinstance(block.last_op, affine.YieldOp):
            edit.append(block, affine.YieldOp.get())


def _parse_types(parser: Parser) -> Sequence[Attribute]:
    if not parser.parse_optional_punctuation("->"):
        return ()
    types = parser.parse_optional_comma_separated_list(Parser.Delimiter.PAREN, parser.parse_type)
    return types if types is not None else [parser.parse_type()]


def _parse_operands(parser: Parser) -> list[SSAValue]:
    """`(%d0, %d1)[%s0]`."""

    def parse_operand() -> SSAValue:
        return parser.resolve_operand(parser.parse_unresolved_operand(), IndexType())

    dims = parser.parse_optional_comma_separated_list(Parser.Delimiter.PAREN, parse_operand)
    symbols = parser.parse_optional_comma_separated_list(Parser.Delimiter.SQUARE, parse_operand)
    return [*(dims or ()), *(symbols or ())]


def _print_operands(printer: Printer, operands: Sequence[SSAValue], dims: int) -> None:
    printer.print_string("(")
    printer.print_list(operands[:dims], printer.print_ssa_value)
    printer.print_string(")")
    if operands[dims:]:
        printer.print_string("[")
        printer.print_list(operands[dims:], printer.print_ssa_value)
        printer.print_string("]")


def _parse_bounds(parser: Parser, word: str) -> tuple[AffineMapAttr, list[int], Sequence[SSAValue]]:
    """`(0, min(%n, 10))`: a map of all bounds, how many each loop has, and the map's operands."""

    def parse_bound() -> list[Index]:
        if parser.parse_optional_keyword(word):
            return parser.parse_comma_separated_list(Parser.Delimiter.PAREN, lambda: parse_index(parser))
        return [parse_index(parser)]

    bounds = parser.parse_comma_separated_list(Parser.Delimiter.PAREN, parse_bound)
    map_, operands = to_map([index for group in bounds for index in group])
    return AffineMapAttr(map_), [len(group) for group in bounds], operands


def _print_bounds(
    printer: Printer, word: str, map: AffineMapAttr, groups: DenseIntElementsAttr, operands: Sequence[SSAValue]
) -> None:
    dims = map.data.num_dims

    def print_group(group: list[AffineExpr]) -> None:
        if len(group) > 1:
            printer.print_string(f"{word}(")
        one = AffineMap(dims, map.data.num_symbols, tuple(group))
        printer.print_list(one.results, lambda e: print_affine_expression(printer, e, operands, dims))
        printer.print_string(")" if len(group) > 1 else "")

    printer.print_string("(")
    printer.print_list(_grouped(map, groups), print_group)
    printer.print_string(")")


def print_affine_expression(printer: Printer, e: AffineExpr, operands: Sequence[SSAValue], dims: int) -> None:
    """Print an expression with operands in the place of dims and symbols."""
    for piece in re.split(r"([ds]\d+)", str(e)):
        if re.fullmatch(r"[ds]\d+", piece):
            number = int(piece[1:])
            printer.print_ssa_value(operands[number if piece[0] == "d" else dims + number])
        else:
            printer.print_string(piece)


Affine = Dialect(
    "affine",
    [*(op for op in affine.Affine.operations if op not in (affine.IfOp, affine.ParallelOp)), IfOp, ParallelOp, MaxOp],
    [*affine.Affine.attributes],
)
