"""Permuted positions of a buffer's elements: `tw.swizzle` of its allocation and of each access to it.

`#loop.swizzle<8 of 64>`: in each line of 64 elements the 8 pieces of 8 elements are permuted, `piece xor line mod 8`.
`swizzle-addresses` states the attribute if a schedule requests it (`tw.storage_swizzle`). The interpreter permutes the
buffer in this way and uses the attribute of each access. Foreign calls see the elements in logical order, like
instructions that permute pieces in hardware.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntAttr
from xdsl.ir import Attribute, Operation, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

PERMUTED = "tw.swizzle"


@irdl_attr_definition
class SwizzleAttr(ParametrizedAttribute):
    """The numbers of elements of a piece and of a line: `#loop.swizzle<8 of 64>`."""

    name = "loop.swizzle"

    piece_size: IntAttr = param_def()
    line_size: IntAttr = param_def()

    @staticmethod
    def get(piece: int, line: int) -> SwizzleAttr:
        return SwizzleAttr(IntAttr(piece), IntAttr(line))

    @property
    def piece(self) -> int:
        """The elements of a piece."""
        return self.piece_size.data

    @property
    def line(self) -> int:
        """The elements of a line."""
        return self.line_size.data

    @property
    def pieces(self) -> int:
        """The pieces of a line."""
        return self.line // self.piece

    def verify(self) -> None:
        if self.piece < 1 or self.line % self.piece or self.pieces & (self.pieces - 1):
            message = f"expected pieces, a power of two of them in a line, but got {self.piece} of {self.line}"
            raise VerifyException(message)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            piece = parser.parse_integer(allow_boolean=False, allow_negative=False)
            parser.parse_keyword("of")
            line = parser.parse_integer(allow_boolean=False, allow_negative=False)
        return IntAttr(piece), IntAttr(line)

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(f"<{self.piece} of {self.line}>")


def swizzle_of(op: Operation) -> SwizzleAttr | None:
    """Return the permutation of the pieces of a buffer that an operation allocates or accesses; None without one."""
    swizzle = op.attributes.get(PERMUTED)
    return swizzle if isinstance(swizzle, SwizzleAttr) else None
