"""affine: `affine.if`, `affine.parallel` and `affine.max` as mlir-opt prints them, beside the operations of xDSL."""

from __future__ import annotations

import re
from collections.abc import Sequence

from xdsl.dialects import affine
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    AffineSetAttr,
    ArrayAttr,
    DenseArrayBase,
    DenseIntElementsAttr,
    IndexType,
    IntegerAttr,
    StringAttr,
    TensorType,
    UnitAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, Dialect, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
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

from ...diagnostics.affine_maps import OperandExpressions
from ...ir import editor as edit

REDUCTIONS: tuple[str, ...] = (
    *("addf", "addi", "mulf", "muli", "andi", "ori", "xori"),
    *("maximumf", "maxnumf", "maxs", "maxu", "minimumf", "minnumf", "mins", "minu"),
)
"""The kinds of `arith.AtomicRMWKind` that combine two values."""

_NUMBERED = dict(
    enumerate(
        (
            *("addf", "addi", "andi", "assign", "maximumf", "maxnumf", "maxs", "maxu"),
            *("minimumf", "minnumf", "mins", "minu", "mulf", "muli", "ori", "xori"),
        )
    )
)
"""The kinds by the numbers that the generic form has for them, in LLVM 22 and later."""


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

    The bounds of a loop are a group of results of a map: the largest lower and the least upper bound apply.
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
        """The kind that combines each result: `addf`, `maxs`; a number without a kind as it is."""
        return [_name_of(attribute) for attribute in self.reductions]

    def bounds(self) -> list[tuple[list[AffineExpr], list[AffineExpr], int]]:
        """Return the lower bounds, the upper bounds and the step of each loop; the operands of the upper bounds stand
        behind those of the lower bounds."""
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


@irdl_op_definition
class DelinearizeIndexOp(IRDLOperation):
    """The coordinates of a position: `affine.delinearize_index %i into (4, %n) : index, index`.

    A basis may lack the extent of the first coordinate, which is then the quotient by all other extents.
    """

    name = "affine.delinearize_index"

    linear_index = operand_def(IndexType())
    dynamic_basis = var_operand_def(IndexType())
    static_basis = prop_def(DenseArrayBase.constr(i64))
    multi_index = var_result_def(IndexType())

    traits = traits_def(Pure())

    def verify_(self) -> None:
        if len(self.multi_index) not in (len(self.static_basis), len(self.static_basis) + 1):
            raise VerifyException(f"expected {len(self.static_basis)} results or one more")

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.linear_index)
        printer.print_string(" into (")
        _print_basis(printer, self.static_basis, self.dynamic_basis)
        printer.print_string(")")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_list(self.multi_index, lambda value: printer.print_attribute(value.type))

    @classmethod
    def parse(cls, parser: Parser) -> DelinearizeIndexOp:
        index = parser.parse_operand(type=IndexType())
        parser.parse_keyword("into")
        static, dynamic = _parse_basis(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_type)
        return cls.build(
            operands=[index, dynamic], properties={"static_basis": static}, attributes=attributes, result_types=[types]
        )


@irdl_op_definition
class LinearizeIndexOp(IRDLOperation):
    """The position of coordinates: `affine.linearize_index disjoint [%i, %j] by (4, %n) : index`."""

    name = "affine.linearize_index"

    multi_index = var_operand_def(IndexType())
    dynamic_basis = var_operand_def(IndexType())
    static_basis = prop_def(DenseArrayBase.constr(i64))
    disjoint = opt_prop_def(UnitAttr | IntegerAttr)
    linear_index = result_def(IndexType())

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure())

    def verify_(self) -> None:
        if len(self.multi_index) not in (len(self.static_basis), len(self.static_basis) + 1):
            raise VerifyException(f"expected {len(self.static_basis)} coordinates or one more")

    def print(self, printer: Printer) -> None:
        is_disjoint = self.disjoint is not None and self.disjoint != IntegerAttr(0, 1)
        printer.print_string(" disjoint [" if is_disjoint else " [")
        printer.print_list(self.multi_index, printer.print_ssa_value)
        printer.print_string("] by (")
        _print_basis(printer, self.static_basis, self.dynamic_basis)
        printer.print_string(")")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : index")

    @classmethod
    def parse(cls, parser: Parser) -> LinearizeIndexOp:
        is_disjoint = parser.parse_optional_keyword("disjoint") is not None
        values = parser.parse_comma_separated_list(
            Parser.Delimiter.SQUARE, lambda: parser.parse_operand(type=IndexType())
        )
        parser.parse_keyword("by")
        static, dynamic = _parse_basis(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        parser.parse_type()
        return cls.build(
            operands=[values, dynamic],
            properties={"static_basis": static, "disjoint": UnitAttr() if is_disjoint else None},
            attributes=attributes,
            result_types=[IndexType()],
        )


def _parse_basis(parser: Parser) -> tuple[DenseArrayBase, list[SSAValue]]:
    """Parse `(4, %n)`."""
    dynamic: list[SSAValue] = []

    def parse_extent() -> int:
        number = parser.parse_optional_integer(allow_boolean=False)
        if number is None:
            dynamic.append(parser.parse_operand(type=IndexType()))
        return DYNAMIC_INDEX if number is None else number

    return DenseArrayBase.from_list(
        i64, parser.parse_comma_separated_list(Parser.Delimiter.PAREN, parse_extent)
    ), dynamic


def _print_basis(printer: Printer, static: DenseArrayBase, dynamic: Sequence[SSAValue]) -> None:
    values = iter(dynamic)

    def print_extent(number: int) -> None:
        if number == DYNAMIC_INDEX:
            printer.print_ssa_value(next(values))
        else:
            printer.print_string(str(number))

    printer.print_list([int(n) for n in static.get_values()], print_extent)  # pyright: ignore[reportAttributeAccessIssue] (of integers)


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
    """Append the yield without values that the custom form leaves out."""
    for block in region.blocks:
        if not isinstance(block.last_op, affine.YieldOp):
            edit.append(block, affine.YieldOp.get())


def _parse_types(parser: Parser) -> Sequence[Attribute]:
    if not parser.parse_optional_punctuation("->"):
        return ()
    types = parser.parse_optional_comma_separated_list(Parser.Delimiter.PAREN, parser.parse_type)
    return types if types is not None else [parser.parse_type()]


def _parse_operands(parser: Parser) -> list[SSAValue]:
    """Parse `(%d0, %d1)[%s0]`."""

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
    """Parse `(0, min(%n, 10))`: a map of all bounds, how many each loop has, and the map's operands, all of them
    symbols."""
    expressions = OperandExpressions(parser)

    def parse_bound() -> list[AffineExpr]:
        if parser.parse_optional_keyword(word):
            return parser.parse_comma_separated_list(Parser.Delimiter.PAREN, expressions.parse)
        return [expressions.parse()]

    bounds = parser.parse_comma_separated_list(Parser.Delimiter.PAREN, parse_bound)
    map_ = expressions.map_of([e for group in bounds for e in group])
    return AffineMapAttr(map_), [len(group) for group in bounds], expressions.operands


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
    """Print an expression with operands instead of dims and symbols."""
    for piece in re.split(r"([ds]\d+)", str(e)):
        if re.fullmatch(r"[ds]\d+", piece):
            number = int(piece[1:])
            printer.print_ssa_value(operands[number if piece[0] == "d" else dims + number])
        else:
            printer.print_string(piece)


Affine = Dialect(
    "affine",
    [
        *(op for op in affine.Affine.operations if op not in (affine.IfOp, affine.ParallelOp)),
        *(IfOp, ParallelOp, MaxOp, DelinearizeIndexOp, LinearizeIndexOp),
    ],
    [*affine.Affine.attributes],
)
