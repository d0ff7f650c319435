"""Computes, and the terminators of their bodies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerAttr, StringAttr, TensorType, i64
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    lazy_traits_def,
    opt_prop_def,
    opt_region_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import HasParent, IsTerminator, Pure, RecursiveMemoryEffect, is_side_effect_free
from xdsl.utils.exceptions import VerifyException

from ..affine_syntax import parse_index, print_index
from ..combiner import parse_combiner, print_combiner, verify_combiner
from ..index_expr import Index, IndexLike
from ..indexed_op import IndexedOp, encode, verify_extents
from ..names import script_name, value_name
from ..op_syntax import parse_attributes, print_types, with_attributes

COMBINERS = ("add", "mul", "max", "min")
"""The combiners of a reduction. Identities: 0, 1, the least and the largest value; a NaN wins max and min."""

EFFECTS = ("loop.print", "loop.call_extern")
"""The operations with effects that a body may have: print a value, or call a foreign function with numbers."""


@irdl_op_definition
class ComputeOp(IndexedOp):
    """Defines tensors of one shape by a scalar body.

    Constant extents are not below 0. An extent that is computed from symbolic sizes may be below 0 at a call: then the
    tensor has no element, or the reduction no term. If a result of the program has such a size, the call fails.

    ```mlir
    %C = te.compute "C" [%i to 1024, %j to %n] reduce [%k to 64] -> tensor<1024x?xf32> {
      %a = te.read %A[%i, %k] : tensor<1024x64xf32>
      %b = te.read %B[%k, %j] : tensor<64x?xf32>
      %p = arith.mulf %a, %b : f32
      te.reduce <add> %p : f32
    }
    ```
    """

    name = "te.compute"
    INDEX_PROPERTIES: ClassVar = ("extents",)

    dims = var_operand_def(IndexType())
    sym = prop_def(StringAttr)
    spatial_rank = prop_def(IntegerAttr)
    extents = prop_def()
    res = var_result_def(TensorType)
    body = region_def("single_block")

    traits = traits_def(Pure(), RecursiveMemoryEffect())

    def __init__(
        self,
        label: str,
        spatial: Sequence[IndexLike],
        reduce: Sequence[IndexLike],
        result_types: Sequence[Attribute],
        body: Region | None = None,
        name_hints: Sequence[str] = (),
    ):
        maps, operands = encode({"extents": [Index.of(e) for e in (*spatial, *reduce)]})
        if body is None:
            body = Region(Block(arg_types=[IndexType()] * (len(spatial) + len(reduce))))
            for argument, hint in zip(body.block.args, name_hints, strict=False):
                argument.name_hint = value_name(script_name(hint))
        properties = {"sym": StringAttr(label), "spatial_rank": IntegerAttr(len(spatial), i64), **maps}
        super().__init__(operands=[operands], properties=properties, result_types=[result_types], regions=[body])

    @property
    def label(self) -> str:
        return self.sym.data

    @property
    def rank(self) -> int:
        """The number of spatial axes."""
        return self.spatial_rank.value.data

    @property
    def spatial_axes(self) -> tuple[BlockArgument, ...]:
        return tuple(self.body.block.args[: self.rank])

    @property
    def reduce_axes(self) -> tuple[BlockArgument, ...]:
        return tuple(self.body.block.args[self.rank :])

    @property
    def spatial_extents(self) -> tuple[Index, ...]:
        return self.index_list("extents")[: self.rank]

    @property
    def reduce_extents(self) -> tuple[Index, ...]:
        return self.index_list("extents")[self.rank :]

    @property
    def terminator(self) -> YieldOp | ReduceOp:
        last = self.body.block.last_op
        assert isinstance(last, (YieldOp, ReduceOp))
        return last

    def verify_(self) -> None:
        self.verify_index_lists(lane=False)
        arguments, extents = self.body.block.args, self.index_list("extents")
        if not 0 <= self.rank <= len(extents):
            raise VerifyException(f"expected at most {len(extents)} spatial axes, but got {self.rank}")
        if [a.type for a in arguments] != [IndexType()] * len(extents):
            got = ", ".join(str(a.type) for a in arguments)
            raise VerifyException(f"expected {len(extents)} body arguments of type index, but got ({got})")
        verify_extents(extents)
        _verify_body(self)
        _verify_results(self)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.label)
        printer.print_string(" ")
        _print_axes(printer, self.spatial_axes, self.spatial_extents)
        if self.reduce_axes:
            printer.print_string(" reduce ")
            _print_axes(printer, self.reduce_axes, self.reduce_extents)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" -> ")
        printer.print_list(self.res, lambda value: printer.print_attribute(value.type))
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)

    @classmethod
    def parse(cls, parser: Parser) -> ComputeOp:
        label = parser.parse_str_literal()
        spatial = _parse_axes(parser)
        reduce = _parse_axes(parser) if parser.parse_optional_keyword("reduce") else []
        attributes = parser.parse_optional_attr_dict_with_keyword()
        parser.parse_punctuation("->")
        types = parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_type)
        body = parser.parse_region([argument for argument, _ in (*spatial, *reduce)])
        op = cls(label, [e for _, e in spatial], [e for _, e in reduce], types, body)
        op.attributes |= attributes.data if attributes else {}
        return op


@irdl_op_definition
class YieldOp(IRDLOperation):
    """Ends a body without reduction: the element of each result, `te.yield %v : f32`.

    It also ends combiners, the bodies of scans, with the tensors of a step as operands, and the regions of branches and
    loops, with their results as operands.
    """

    name = "te.yield"

    values = var_operand_def()

    traits = lazy_traits_def(lambda: (IsTerminator(), HasParent(ComputeOp, ReduceOp, *_holders()), Pure()))

    def __init__(self, values: Sequence[SSAValue]):
        super().__init__(operands=[values])

    def print(self, printer: Printer) -> None:
        _print_typed_values(printer, self, self.values)

    @classmethod
    def parse(cls, parser: Parser) -> YieldOp:
        values, attributes = _parse_typed_values(parser)
        op = cls(values)
        op.attributes |= attributes
        return op


@irdl_op_definition
class ReduceOp(IRDLOperation):
    """Ends a body with reduction: the values are combined over all points of the reduce axes.

    ```mlir
    te.reduce <add> %p : f32
    te.reduce <max> %p init %least : f32
    te.reduce %k, %x : i32, f32 identity [-1 : i32, 0xff800000 : f32] by (%xi, %xv), (%yi, %yv) {
      …
      te.yield %i, %v : i32, f32
    }
    ```
    A named combiner combines each value separately, a region all values together. A reduction starts from `init`, which
    must not depend on a reduce axis, or from the combiner's identities.
    """

    name = "te.reduce"

    values = var_operand_def()
    starts = var_operand_def()
    combiner = opt_prop_def(StringAttr)
    identities = opt_prop_def()
    by = opt_region_def("single_block")

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = lazy_traits_def(lambda: (IsTerminator(), HasParent(ComputeOp), Pure(), RecursiveMemoryEffect()))

    def __init__(
        self,
        combiner: str | tuple[Attribute, Region],
        values: Sequence[SSAValue],
        starts: Sequence[SSAValue] = (),
    ):
        """Make a reduction; `combiner` is a name, or identities and a region."""
        if isinstance(combiner, str):
            properties: dict[str, Attribute] = {"combiner": StringAttr(combiner)}
            super().__init__(operands=[values, starts], properties=properties, regions=[[]])
        else:
            identities, region = combiner
            super().__init__(operands=[values, starts], properties={"identities": identities}, regions=[[region]])

    @property
    def kind(self) -> str | None:
        """The name of the combiner; None where it is a region."""
        return self.combiner.data if self.combiner is not None else None

    def verify_(self) -> None:
        types = [v.type for v in self.values]
        if self.starts and [v.type for v in self.starts] != types:
            got = ", ".join(str(v.type) for v in self.starts)
            raise VerifyException(f"expected an init of each type {', '.join(map(str, types))}, but got {got}")
        if (self.kind is None) == (self.by is None):
            got = "both" if self.by is not None else "none"
            raise VerifyException(f"expected a combiner by name or by a region, but got {got}")
        if self.by is not None:
            verify_combiner(types, self.identities, self.by, "te.yield")
        elif self.kind not in COMBINERS:
            raise VerifyException(f"expected a combiner of {', '.join(COMBINERS)}, but got {self.kind}")

    def print(self, printer: Printer) -> None:
        if self.kind is not None:
            printer.print_string(f" <{self.kind}>")
        printer.print_string(" ")
        printer.print_list(self.values, printer.print_ssa_value)
        if self.starts:
            printer.print_string(" init ")
            printer.print_list(self.starts, printer.print_ssa_value)
        print_types(printer, self, *(v.type for v in self.values))
        if self.by is not None:
            assert self.identities is not None
            print_combiner(printer, self.identities, self.by)

    @classmethod
    def parse(cls, parser: Parser) -> ReduceOp:
        kind = None
        if parser.parse_optional_punctuation("<"):
            kind = parser.parse_identifier()
            parser.parse_punctuation(">")
        operands = parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_unresolved_operand)
        starts: list[UnresolvedOperand] = []
        if parser.parse_optional_keyword("init"):
            starts = parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_unresolved_operand)
        attributes = parse_attributes(parser)
        parser.parse_punctuation(":")
        position = parser.pos
        types = parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_type)
        values = parser.resolve_operands(operands, types, position)
        first = parser.resolve_operands(starts, types if starts else (), position)
        combiner = kind if kind is not None else parse_combiner(parser, types)
        return with_attributes(cls(combiner, values, first), attributes)


def _holders() -> tuple[type[Operation], ...]:
    """Return the operations besides computes whose bodies yield tensors."""
    from .regions import IfOp, LoopOp
    from .scan import ScanOp

    return ScanOp, IfOp, LoopOp


def _verify_body(compute: ComputeOp) -> None:
    last = compute.body.block.last_op
    expected = ReduceOp if compute.reduce_axes else YieldOp
    if not isinstance(last, expected):
        got = "an empty body" if last is None else last.name
        raise VerifyException(
            f"expected the body of compute {compute.label!r} to end in {expected.name}, but got {got}"
        )
    for op in compute.body.block.ops:
        if op is not last and not _is_scalar(op):
            raise VerifyException(f"expected scalar operations in compute {compute.label!r}, but got {op.name}")
    for op in start_operations(compute):
        if set(op.operands).intersection(compute.reduce_axes):
            raise VerifyException(f"expected an init that no reduce axis decides, but {op.name} uses one")


def start_operations(compute: ComputeOp) -> list[Operation]:
    """Return the operations of a body, in order, that compute the initial value of its reduction."""
    last = compute.body.block.last_op
    needed: set[SSAValue] = set(last.starts) if isinstance(last, ReduceOp) else set()
    found: list[Operation] = []
    for op in reversed(compute.body.block.ops):
        if needed.intersection(op.results):
            found.insert(0, op)
            needed.update(op.operands)
    return found


def _is_scalar(op: Operation) -> bool:
    """Return whether an operation may stand in a body: scalar ones without effects, and `EFFECTS`.

    Some of arith's casts do not declare that they have no effects.
    """
    if op.name in EFFECTS:
        return True
    pure = op.name.startswith("arith.") or is_side_effect_free(op)
    return pure and not op.regions and not any(isinstance(r.type, TensorType) for r in op.results)


def _verify_results(compute: ComputeOp) -> None:
    values = compute.terminator.values
    if len(values) != len(compute.res):
        raise VerifyException(f"expected {len(values)} results, one for each value, but got {len(compute.res)}")
    for value, result in zip(values, compute.res, strict=True):
        type = result.type
        assert isinstance(type, TensorType)
        if type.element_type != value.type:
            raise VerifyException(f"expected a result of element type {value.type}, but got {type}")
        if type.get_num_dims() != compute.rank:
            raise VerifyException(f"expected a result of rank {compute.rank}, but got {type}")
        for d, (size, extent) in enumerate(zip(type.get_shape(), compute.spatial_extents, strict=True)):
            if size != DYNAMIC_INDEX and (not extent.is_constant or extent.constant != size):
                raise VerifyException(f"expected an extent of {size} for dimension {d}, but got {extent}")


def _print_axes(printer: Printer, axes: Sequence[BlockArgument], extents: Sequence[Index]) -> None:
    def print_axis(axis: tuple[BlockArgument, Index]) -> None:
        printer.print_block_argument(axis[0], print_type=False)
        printer.print_string(" to ")
        print_index(printer, axis[1])

    printer.print_string("[")
    printer.print_list(zip(axes, extents, strict=True), print_axis)
    printer.print_string("]")


def _parse_axes(parser: Parser) -> list[tuple[Parser.Argument, Index]]:
    def parse_axis() -> tuple[Parser.Argument, Index]:
        argument = parser.parse_argument(expect_type=False).resolve(IndexType())
        parser.parse_keyword("to")
        return argument, parse_index(parser)

    return parser.parse_comma_separated_list(Parser.Delimiter.SQUARE, parse_axis)


def _print_typed_values(printer: Printer, op: Operation, values: Sequence[SSAValue]) -> None:
    printer.print_string(" ")
    printer.print_list(values, printer.print_ssa_value)
    printer.print_op_attributes(op.attributes, print_keyword=True)
    printer.print_string(" : ")
    printer.print_list(values, lambda value: printer.print_attribute(value.type))


def _parse_typed_values(parser: Parser) -> tuple[list[SSAValue], dict[str, Attribute]]:
    operands = parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_unresolved_operand)
    attributes = parser.parse_optional_attr_dict_with_keyword()
    parser.parse_punctuation(":")
    start = parser.pos
    types = parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_type)
    values = parser.resolve_operands(operands, types, start)
    return list(values), dict(attributes.data) if attributes else {}
