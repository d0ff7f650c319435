"""Calls of foreign functions in kernels: each by the rule that was registered for its name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING

from xdsl.ir import Operation

from ....diagnostics import fail
from ....dialects.index_expr import Index
from ....dialects.loop import AccessArgument, CallExternOp, IndexArgument, ValueArgument
from ..device_calls import device_call
from ..fragments import KINDS, Fragment
from ..operations import OPERATIONS
from .buffers import address, is_multiple
from .fragments import Register, access_of, register, tile_elements
from .types import storage_bytes

if TYPE_CHECKING:
    from .function import KernelWriter

UNKNOWN_CALL, UNALIGNED = "TW0663", "TW0664"


class CallWriter:
    """Writes one call."""

    def __init__(self, writer: KernelWriter, op: CallExternOp) -> None:
        self._writer = writer
        self._op = op

    def registers(self, position: int) -> list[str]:
        access = access_of(self._op, position)
        buffer = self._writer.buffer(access.buffer)
        if buffer.fragment is None:
            fail(
                UNKNOWN_CALL,
                f"expected argument {position} of {self._op.callee} in the registers of a warp, but "
                f"got {access.buffer.type}",
                op=self._op,
                help='give the stage the scope of a fragment: s.cache_read(A, "warp.mma_a", [C])',
            )
        names: list[str] = []
        for row, column in _tile_starts(access, buffer.fragment):
            index = [*access.index[:-2], access.index[-2] + row, access.index[-1] + column]
            elements = tile_elements(self._writer, self._op, buffer, index)[:: KINDS[buffer.kind]]
            names += [register(self._writer, buffer, element) for element in elements]
        return names

    def place(self, position: int) -> str:
        access = access_of(self._op, position)
        buffer = self._writer.buffer(access.buffer)
        return f"{buffer.name}, {address(buffer, access.index, self._writer.index)}"

    def value(self, position: int) -> str:
        match self._op.arguments[position]:
            case ValueArgument(value=value):
                return self._writer.operand(value).text
            case IndexArgument(value=index):
                return self._writer.index.expression(index).text
            case other:
                raise AssertionError(f"expected a scalar, but got {other}")

    def require_alignment(self, position: int, size: int) -> None:
        access = access_of(self._op, position)
        buffer = self._writer.buffer(access.buffer)
        elements = size // storage_bytes(buffer.type.element_type)
        if not is_multiple(buffer, access.index, elements, self._writer.index):
            fail(
                UNALIGNED,
                f"expected rows of {buffer.name} at multiples of {size} bytes for {self._op.callee}, which is not "
                "known of them",
                op=self._op,
                help=f"let the extent of its last dimension, or what storage_align makes of it, be a multiple of "
                f"{elements} elements",
            )
        self._writer.alignments[buffer.root] = max(size, self._writer.alignments.get(buffer.root, 1))

    def line(self, text: str) -> None:
        self._writer.lines.line(text + self._writer.remark(self._op))

    def assign(self, names: Sequence[str], value: str) -> None:
        if len(names) == 1:
            self.line(f"{names[0]} = {value}")
            return
        if (first := _first_of_run(names)) is not None:
            self.line(f"device.put{len(names)}({first.array}, {first.place}, {value})")
            return
        result = self._writer.names.fresh("t")
        self.line(f"{result} = {value}")
        for n, name in enumerate(names):
            self.line(f"{name} = {result}[{n}]")

    def group(self, names: Sequence[str]) -> str:
        return names[0] if len(names) == 1 else f"({', '.join(names)})"


def _first_of_run(names: Sequence[str]) -> Register | None:
    """The first of registers that follow one another, as many as are set at once."""
    registers = [name for name in names if isinstance(name, Register)]
    if len(registers) < len(names) or f"put{len(names)}" not in OPERATIONS:
        return None
    first = registers[0]
    in_order = all(r.array == first.array and r.number - first.number == Index.of(n) for n, r in enumerate(registers))
    return first if in_order else None


def _tile_starts(access: AccessArgument, fragment: Fragment) -> Iterator[tuple[int, ...]]:
    """How far along rows and columns the tiles are that the box of an access touches; it starts within the first."""
    reach = [1 + sum((n - 1) * step for n, step in pairs) for pairs in access.box[-2:]]
    return product(*(range(0, n, extent) for n, extent in zip(reach, fragment.shape, strict=True)))


def write_call(writer: KernelWriter, op: Operation) -> None:
    """What is read before the call is read there."""
    assert isinstance(op, CallExternOp)
    rule = device_call(op.callee)
    if rule is None or op.res:
        fail(
            UNKNOWN_CALL,
            f"expected a call that kernels for CUDA know, but got {op.callee!r}",
            op=op,
            help="register_device_call says what stands for it in a kernel",
        )
    writer.settle_reads()
    for _, access in op.accesses:
        if access.writes:
            writer.written.add(writer.buffer(access.buffer).root)
    rule(CallWriter(writer, op))
