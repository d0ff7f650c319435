"""Loop kinds: the execution of the iterations of a `loop.for`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ...hardware import THREAD_TAGS

KINDS = ("serial", "parallel", "vectorized", "unrolled", "vthread", "thread")


@irdl_attr_definition
class LoopKindAttr(ParametrizedAttribute):
    """`#loop.kind<parallel>` or `#loop.kind<thread "blockIdx.x">`; the tag is empty for all kinds but `thread`."""

    name = "loop.kind"

    kind: StringAttr
    tag: StringAttr

    @staticmethod
    def of(kind: str, tag: str = "") -> LoopKindAttr:
        return LoopKindAttr(StringAttr(kind), StringAttr(tag))

    def verify(self) -> None:
        if self.kind.data not in KINDS:
            raise VerifyException(f"expected a loop kind of {', '.join(KINDS)}, but got {self.kind.data}")
        if self.kind.data == "thread" and self.tag.data not in THREAD_TAGS:
            raise VerifyException(f"expected a thread tag of {', '.join(THREAD_TAGS)}, but got '{self.tag.data}'")
        if self.kind.data != "thread" and self.tag.data:
            raise VerifyException(f"expected no tag for kind {self.kind.data}, but got '{self.tag.data}'")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            kind = parser.parse_keyword_in(KINDS)
            tag = parser.parse_str_literal() if kind == "thread" else ""
        return StringAttr(kind), StringAttr(tag)

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.kind.data)
            if self.tag.data:
                printer.print_string(" ")
                printer.print_string_literal(self.tag.data)


SERIAL = LoopKindAttr.of("serial")
PARALLEL = LoopKindAttr.of("parallel")
VECTORIZED = LoopKindAttr.of("vectorized")
UNROLLED = LoopKindAttr.of("unrolled")


def parse_kind(parser: AttrParser) -> LoopKindAttr:
    """Parse `parallel` or `thread<"blockIdx.x">`, as it stands after the keyword `kind`."""
    kind = parser.parse_keyword_in(KINDS)
    if kind != "thread":
        return LoopKindAttr.of(kind)
    with parser.in_angle_brackets():
        return LoopKindAttr.of(kind, parser.parse_str_literal())


def print_kind(printer: Printer, kind: LoopKindAttr) -> None:
    printer.print_string(kind.kind.data)
    if kind.tag.data:
        with printer.in_angle_brackets():
            printer.print_string_literal(kind.tag.data)
