"""Asynchronous copies to shared memory: groups of copies, and waits for groups.

A store with the attribute `tw.async`, whose value is loaded from global memory, may take effect at any time until its
thread waits for the group of the store. A program that reads the element before is undefined. All other programs have
the same meaning with synchronous copies, which the interpreter makes.
"""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from ..op_syntax import parse_attributes, print_attributes, with_attributes

ASYNC = "tw.async"
"""The attribute of stores that may arrive later."""


@irdl_op_definition
class AsyncCommitOp(IRDLOperation):
    """Makes a group of the asynchronous copies that this thread has started since its last group; the group may be
    empty.

    ```mlir
    loop.store %x, %s[%t] attributes {tw.async} : memref<64xf32, "shared">
    loop.async_commit
    ```
    """

    name = "loop.async_commit"

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def print(self, printer: Printer) -> None:
        print_attributes(printer, self)

    @classmethod
    def parse(cls, parser: Parser) -> AsyncCommitOp:
        return with_attributes(cls(), parse_attributes(parser))


@irdl_op_definition
class AsyncWaitOp(IRDLOperation):
    """Waits until at most the given number of this thread's latest groups are incomplete.

    ```mlir
    loop.async_wait <1>
    loop.barrier <"shared">
    ```
    Other threads see the copied elements after a barrier, which `insert-barriers` inserts behind the wait.
    """

    name = "loop.async_wait"

    left = prop_def(IntegerAttr)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, left: int = 0):
        super().__init__(properties={"left": IntegerAttr(left, i64)})

    def verify_(self) -> None:
        if self.left.value.data < 0:
            raise VerifyException(f"expected a number of groups, but got {self.left.value.data}")

    def print(self, printer: Printer) -> None:
        printer.print_string(f" <{self.left.value.data}>")
        print_attributes(printer, self)

    @classmethod
    def parse(cls, parser: Parser) -> AsyncWaitOp:
        with parser.in_angle_brackets():
            left = parser.parse_integer(allow_boolean=False, allow_negative=False)
        return with_attributes(cls(left), parse_attributes(parser))
