"""The memory of an allocation: `tw.place` of `loop.alloc`, which `assign-storage` states and emitters implement.

- `#loop.place<register 8>`: values in registers, in chunks of so many elements. Accesses are at constants, variables of
  unrolled loops and lanes.
- `#loop.place<stack>`: the stack of whoever runs the allocation.
- `#loop.place<thread 256>`: the memory that each thread of a team has, from a byte on. The function states in
  `tw.thread_bytes` how many bytes that memory has. A `func.call` with such a place hands on what is behind it to the
  function that it calls.
- `#loop.place<arena 4096>`: the memory that a call of the program brings, from a byte on; `tw.arena_bytes` of the
  function is its size.
- `#loop.place<shared 1024>`: the memory that a kernel asks for, which the threads of each block share, from a byte on;
  `tw.shared_bytes` of the function is the most that any of its kernels asks for (`assign-shared-offsets`).
- `#loop.place<heap>`: allocated when it is reached, and freed at the end of its region.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntAttr, IntegerAttr, StringAttr, i64
from xdsl.ir import Attribute, Operation, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

PLACE = "tw.place"
THREAD_BYTES = "tw.thread_bytes"
ARENA_BYTES = "tw.arena_bytes"
SHARED_BYTES = "tw.shared_bytes"

IN_REGISTERS, ON_STACK, OF_THREAD, IN_ARENA, ON_HEAP = "register", "stack", "thread", "arena", "heap"
OF_BLOCK = "shared"
PLACES = (IN_REGISTERS, ON_STACK, OF_THREAD, IN_ARENA, ON_HEAP)
"""The memories in which code for a CPU allocates."""
_KINDS = (*PLACES, OF_BLOCK)
_WITH_NUMBER = (IN_REGISTERS, OF_THREAD, IN_ARENA, OF_BLOCK)


@irdl_attr_definition
class PlaceAttr(ParametrizedAttribute):
    """A kind of memory, with the first byte, or for registers the elements of a chunk: `#loop.place<arena 4096>`."""

    name = "loop.place"

    memory: StringAttr = param_def()
    number: IntAttr = param_def()

    @staticmethod
    def get(memory: str, number: int = 0) -> PlaceAttr:
        return PlaceAttr(StringAttr(memory), IntAttr(number))

    @property
    def kind(self) -> str:
        return self.memory.data

    @property
    def start(self) -> int:
        """The first byte in memory of a thread or a block, or in the arena."""
        return self.number.data

    @property
    def chunk(self) -> int:
        """The elements of a chunk of registers."""
        return self.number.data

    def verify(self) -> None:
        if self.kind not in _KINDS:
            raise VerifyException(f"expected a place of {', '.join(_KINDS)}, but got {self.kind}")
        least = 1 if self.kind == IN_REGISTERS else 0
        if self.number.data < least or (self.kind not in _WITH_NUMBER and self.number.data):
            raise VerifyException(f"expected a number that fits place {self.kind}, but got {self.number.data}")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            memory = parser.parse_identifier()
            number = parser.parse_integer(allow_boolean=False) if memory in _WITH_NUMBER else 0
        return StringAttr(memory), IntAttr(number)

    def print_parameters(self, printer: Printer) -> None:
        number = f" {self.number.data}" if self.kind in _WITH_NUMBER else ""
        printer.print_string(f"<{self.kind}{number}>")


def place_of(op: Operation) -> PlaceAttr | None:
    """Return the memory of an allocation, or the memory that a call passes to its callee; None where it is not
    stated."""
    place = op.attributes.get(PLACE)
    return place if isinstance(place, PlaceAttr) else None


def bytes_of(function: Operation, name: str) -> int:
    """THREAD_BYTES, ARENA_BYTES or SHARED_BYTES of a function; 0 where it states none."""
    attribute = function.attributes.get(name)
    return attribute.value.data if isinstance(attribute, IntegerAttr) else 0


def bytes_attribute(size: int) -> IntegerAttr:
    return IntegerAttr(size, i64)
