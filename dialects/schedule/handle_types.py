"""Types of handles of blocks and loops and of values that a schedule draws, and references to operands."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntAttr
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer


@irdl_attr_definition
class BlockType(ParametrizedAttribute, TypeAttribute):
    """A block of the function being scheduled: `!schedule.block`."""

    name = "schedule.block"


@irdl_attr_definition
class LoopType(ParametrizedAttribute, TypeAttribute):
    """A loop of the function being scheduled: `!schedule.loop`."""

    name = "schedule.loop"


@irdl_attr_definition
class ValueType(ParametrizedAttribute, TypeAttribute):
    """A number that a schedule has drawn: `!schedule.value`."""

    name = "schedule.value"


@irdl_attr_definition
class HandleAttr(ParametrizedAttribute):
    """A reference to an operand among the arguments of a primitive: `#schedule.handle<0>`."""

    name = "schedule.handle"

    position: IntAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            return (IntAttr(parser.parse_integer(allow_boolean=False, allow_negative=False)),)

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(str(self.position.data))


BLOCK = BlockType()
LOOP = LoopType()
VALUE = ValueType()
