"""The lane whose element an access to memory of scope "warp" reads: `tw.shuffle` of `loop.load` and `loop.store`.

The last dimension of such memory is the lane, and each lane has its elements in its registers.

- `#loop.shuffle<own>`: the element of the executing lane, without an exchange; all stores are of this form.
- `#loop.shuffle<xor 8>`: the element of the lane whose number is that of the executing lane, exclusive or this
  constant.
- `#loop.shuffle<index>`: the element of the lane that the last index names.

All lanes of a warp take part in an exchange. `select-shuffles` states the attribute, and the interpreter reads the
element of the stated lane, independent of the index.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntAttr, StringAttr
from xdsl.ir import Attribute, Operation, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from .buffers import LANES

SHUFFLE = "tw.shuffle"
SAME_LANE, XOR, INDEX = "own", "xor", "index"
SHUFFLES = (SAME_LANE, XOR, INDEX)


@irdl_attr_definition
class ShuffleAttr(ParametrizedAttribute):
    """The lane from which an access reads an element of a warp's memory: `#loop.shuffle<xor 8>`."""

    name = "loop.shuffle"

    how: StringAttr = param_def()
    number: IntAttr = param_def()

    @staticmethod
    def get(kind: str, mask: int = 0) -> ShuffleAttr:
        return ShuffleAttr(StringAttr(kind), IntAttr(mask))

    @property
    def kind(self) -> str:
        return self.how.data

    @property
    def mask(self) -> int:
        """The bits in which the other lane's number differs, of a shuffle by exclusive or."""
        return self.number.data

    def verify(self) -> None:
        if self.kind not in SHUFFLES:
            raise VerifyException(f"expected a shuffle of {', '.join(SHUFFLES)}, but got {self.kind}")
        fits = 0 < self.mask < LANES if self.kind == XOR else self.mask == 0
        if not fits:
            raise VerifyException(f"expected a number that fits shuffle {self.kind}, but got {self.mask}")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            kind = parser.parse_identifier()
            mask = parser.parse_integer(allow_boolean=False) if kind == XOR else 0
        return StringAttr(kind), IntAttr(mask)

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(f"<{self.kind} {self.mask}>" if self.kind == XOR else f"<{self.kind}>")


def shuffle_of(op: Operation) -> ShuffleAttr | None:
    """Return the shuffle by which an access reads an element of a warp's memory; None where it is not stated."""
    shuffle = op.attributes.get(SHUFFLE)
    return shuffle if isinstance(shuffle, ShuffleAttr) else None
