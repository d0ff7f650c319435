"""The memory space of an allocation: `tw.place` of `loop.alloc`, stated by `assign-memory-spaces` and read by emitters.

- `#loop.place<register 8>`: values in registers, in chunks of that number of elements. Indices are constants, variables
  of unrolled loops and lanes.
- `#loop.place<stack>`: the stack of the thread that runs the allocation.
- `#loop.place<thread 256>`: the private memory of each thread of a team, from that byte on. `tw.thread_bytes` of the
  function is the size of that memory. A `func.call` with this attribute passes the rest of the memory to its callee.
- `#loop.place<arena 4096>`: the memory that a call of the program passes, from that byte on; `tw.arena_bytes` of the
  function is its size.
- `#loop.place<shared 1024>`: the shared memory of each block of a kernel, from that byte on; `tw.shared_bytes` of the
  function is the greatest size that any of its kernels needs (`assign-shared-offsets`).
- `#loop.place<heap>`: allocated at the operation, and freed at the end of its region.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntAttr, IntegerAttr, StringAttr, i64
from xdsl.ir import Attribute, Operation, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

MEMORY_SPACE = "tw.place"
THREAD_BYTES = "tw.thread_bytes"
ARENA_BYTES = "tw.arena_bytes"
SHARED_BYTES = "tw.shared_bytes"

IN_REGISTERS, ON_STACK, OF_THREAD, IN_ARENA, ON_HEAP = "register", "stack", "thread", "arena", "heap"
OF_BLOCK = "shared"
CPU_MEMORY_SPACES = (IN_REGISTERS, ON_STACK, OF_THREAD, IN_ARENA, ON_HEAP)
"""The memory spaces in which code for a CPU allocates."""
_KINDS = (*CPU_MEMORY_SPACES, OF_BLOCK)
_WITH_NUMBER = (IN_REGISTERS, OF_THREAD, IN_ARENA, OF_BLOCK)


@irdl_attr_definition
class MemorySpaceAttr(ParametrizedAttribute):
    """A memory space, with the first byte, or for registers the elements of a chunk: `#loop.place<arena 4096>`."""

    name = "loop.place"

    memory: StringAttr = param_def()
    number: IntAttr = param_def()

    @staticmethod
    def get(memory: str, number: int = 0) -> MemorySpaceAttr:
        return MemorySpaceAttr(StringAttr(memory), IntAttr(number))

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
            raise VerifyException(f"expected a memory space of {', '.join(_KINDS)}, but got {self.kind}")
        least = 1 if self.kind == IN_REGISTERS else 0
        if self.number.data < least or (self.kind not in _WITH_NUMBER and self.number.data):
            raise VerifyException(f"expected a number that fits memory space {self.kind}, but got {self.number.data}")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            memory = parser.parse_identifier()
            number = parser.parse_integer(allow_boolean=False) if memory in _WITH_NUMBER else 0
        return StringAttr(memory), IntAttr(number)

    def print_parameters(self, printer: Printer) -> None:
        number = f" {self.number.data}" if self.kind in _WITH_NUMBER else ""
        printer.print_string(f"<{self.kind}{number}>")


def memory_space_of(op: Operation) -> MemorySpaceAttr | None:
    """Return the memory space of an allocation, or the memory that a call passes to its callee; None without one."""
    space = op.attributes.get(MEMORY_SPACE)
    return space if isinstance(space, MemorySpaceAttr) else None


def bytes_of(function: Operation, name: str) -> int:
    """Return THREAD_BYTES, ARENA_BYTES or SHARED_BYTES of a function; 0 where it states none."""
    attribute = function.attributes.get(name)
    return attribute.value.data if isinstance(attribute, IntegerAttr) else 0


def bytes_attribute(size: int) -> IntegerAttr:
    return IntegerAttr(size, i64)
