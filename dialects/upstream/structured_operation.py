"""The base class of linalg's structured operations, and the operations other than arithmetic in their scalar bodies."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType, TensorType, i64
from xdsl.dialects.utils import AbstractYieldOperation
from xdsl.ir import Attribute, Data, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.irdl import (
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_result_def,
)
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, Pure, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from .scalar_bodies import element_types


class WordAttr(Data[str]):
    """An enumeration of linalg, kept as its word: `#linalg.type_fn<cast_unsigned>`."""

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> str:
        with parser.in_angle_brackets():
            return parser.parse_identifier()

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(f"<{self.data}>")


@irdl_attr_definition
class TypeFunctionAttr(WordAttr):
    """The conversion of inputs to the element type of the output: cast_signed or cast_unsigned."""

    name = "linalg.type_fn"


@irdl_attr_definition
class ElementwiseKindAttr(WordAttr):
    """The function that `linalg.elementwise` computes."""

    name = "linalg.elementwise_kind"


@irdl_op_definition
class YieldOp(AbstractYieldOperation[Attribute]):
    """Ends a scalar body with the element of each output."""

    name = "linalg.yield"
    traits = traits_def(IsTerminator(), Pure())


@irdl_op_definition
class IndexOp(IRDLOperation):
    """The number of a loop's iteration, in a scalar body: `%i = linalg.index 0 : index`."""

    name = "linalg.index"

    dim = prop_def(IntegerAttr)
    result = result_def(IndexType())

    traits = traits_def(Pure())

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.dim.value.data}")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : index")

    @classmethod
    def parse(cls, parser: Parser) -> IndexOp:
        dim = IntegerAttr(parser.parse_integer(), i64)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        return cls.build(properties={"dim": dim}, attributes=attributes, result_types=[parser.parse_type()])


class StructuredOp(IRDLOperation):
    """An operation that runs a scalar body for each point of a space of loops.

    Inputs are tensors, memrefs or scalars, outputs tensors or memrefs. The body takes an element of each and yields one
    for each output. On memrefs there are no results.
    """

    res = var_result_def(TensorType)
    body = region_def("single_block")

    traits = traits_def(RecursiveMemoryEffect())

    @property
    def short_name(self) -> str:
        return self.name.removeprefix("linalg.")

    @property
    def ins(self) -> tuple[SSAValue, ...]:
        return tuple(self.operands[: -len(self.outs)])

    @property
    def outs(self) -> tuple[SSAValue, ...]:
        return tuple(self.operands[-1:])

    def maps(self) -> list[AffineMap]:
        """Return the indexing map of each operand, inputs before outputs."""
        raise NotImplementedError

    def kinds(self) -> list[str]:
        """Return "parallel" or "reduction" for each loop."""
        outputs = self.maps()[len(self.ins) :]
        used = {dim for map in outputs for result in map.results for dim in result.used_dims()}
        return ["parallel" if d in used else "reduction" for d in range(outputs[0].num_dims)]

    def body_arguments(self) -> list[tuple[int, SSAValue]]:
        """Return pairs of the number of an operand and the argument of the body that is an element of it."""
        return list(enumerate(self.body.block.args))

    def verify_(self) -> None:
        try:
            self._verify_structure()
        except (IndexError, ValueError) as error:  # attributes of another length than the operands have dimensions
            raise VerifyException(f"expected operands, attributes and a body that fit {self.name}: {error}") from error

    def _verify_structure(self) -> None:
        maps, elements = self.maps(), element_types(self.operands)
        if len(maps) != len(self.operands):
            raise VerifyException(f"expected an indexing map for each of {len(self.operands)} operands")
        loops = len(self.kinds())
        for map, operand in zip(maps, self.operands, strict=True):
            rank = rank_of(operand)
            if len(map.results) != rank or map.num_dims != loops or map.num_symbols:
                raise VerifyException(f"expected {rank} results over {loops} loops for {operand.type}, but got {map}")
        taken = [argument.type for argument in self.body.block.args]
        if taken not in (elements, elements[: len(self.ins)]):
            raise VerifyException(f"expected the body of {self.name} to take an element of each operand")
        if [result.type for result in self.res] != result_types(self.outs):
            raise VerifyException(f"expected a result of {self.name} for each output that is a tensor, of its type")
        last = self.body.block.last_op
        if not isinstance(last, YieldOp):
            raise VerifyException(f"expected the body of {self.name} to end in linalg.yield")
        if [value.type for value in last.operands] != elements[len(self.ins) :]:
            raise VerifyException(f"expected the body of {self.name} to yield an element of each output")


def rank_of(value: SSAValue) -> int:
    """Return the number of dimensions of a tensor or memref; 0 for a scalar."""
    return value.type.get_num_dims() if isinstance(value.type, (TensorType, MemRefType)) else 0


def result_types(outputs: Sequence[SSAValue]) -> list[Attribute]:
    """Return the types of the results: those of the outputs that are tensors."""
    return [value.type for value in outputs if isinstance(value.type, TensorType)]
