"""Emission of external calls in kernels, by the rules that are registered for their names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, NoReturn

from xdsl.ir import Operation

from ....diagnostics import fail
from ....dialects.index_expr import Index, Symbol
from ....dialects.loop import LANE_AXIS, LANES, AccessArgument, CallExternOp, IndexArgument, ValueArgument
from ....hardware import SWIZZLE_PERIOD_BYTES, WARP_TAG
from ....renamed import with_earlier_members
from ...written.types import storage_bytes
from ..device_calls import device_call
from ..fragments import KINDS, Fragment
from ..operations import OPERATIONS
from .buffers import Buffer, address, is_multiple, linear_index
from .fragments import Register, access_of, of_first_lane, register, tile_elements

if TYPE_CHECKING:
    from .function import KernelWriter

UNKNOWN_CALL, UNALIGNED, GROUP_OPERAND = "TW0663", "TW0664", "TW0667"
"""Along which warps that run instructions together are neighbours."""


@with_earlier_members
class CallWriter:
    """The `DeviceCall` that a rule writes one call with."""

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

    def address(self, position: int) -> str:
        access = access_of(self._op, position)
        buffer = self._writer.buffer(access.buffer)
        return f"{buffer.name}, {address(buffer, access.index, self._writer.index, buffer.swizzle)}"

    def run(self, position: int) -> str:
        names = self.registers(position)
        first = _first_of_run(names)
        assert first is not None, "tiles beside one another follow one another in registers"
        return f"{first.array}, {first.position}"

    def swizzled_address(self, position: int, warps: int, step: int) -> str:
        writer, access = self._writer, access_of(self._op, position)
        buffer = writer.buffer(access.buffer)
        if buffer.swizzle is None:
            self._refuse_operand(buffer, "its pieces are not permuted", "storage_swizzle permutes them")
        lanes, extent = (writer.thread_extents.get(axis, Index.of(1)) for axis in (LANE_AXIS, WARP_TAG))
        if lanes != Index.of(LANES) or not extent.is_constant or extent.constant % warps:
            there = f"there are {lanes} x {extent} threads along {LANE_AXIS} and {WARP_TAG}"
            self._refuse_operand(buffer, there, f"let them be {LANES} and a multiple of {warps}")
        index = of_first_lane(writer, self._op, buffer, access.index)
        group, number = Symbol("group"), Symbol("number")
        ranges = {**writer.index.ranges, group: (0, extent.constant // warps - 1), number: (0, warps - 1)}
        start = linear_index(buffer, index, writer.index)
        if start is not None and (warp := writer.threads.get(WARP_TAG)) is not None:
            start = start.substitute({warp: Index.of(group) * warps + number})
        first = None if start is None else (start - Index.of(number) * step).with_ranges(ranges)
        whole = SWIZZLE_PERIOD_BYTES // storage_bytes(buffer.type.element_type)
        if first is None or number in first.variables or (first % whole).with_ranges(ranges) != Index.of(0):
            there = f"of {warps} warps along {WARP_TAG} each is not known to start {step} elements behind the last"
            self._refuse_operand(buffer, there, "let the first of them start at whole lines, the others follow it")
        return f"{buffer.name}, {address(buffer, index, writer.index)}"

    def _refuse_operand(self, buffer: Buffer, reason: str, help: str) -> NoReturn:
        fail(
            GROUP_OPERAND,
            f"expected {buffer.name} to lie in shared memory as {self._op.callee} reads it, but {reason}",
            op=self._op,
            help=help,
        )

    def value(self, position: int) -> str:
        match self._op.arguments[position]:
            case ValueArgument(value=value):
                return self._writer.operand(value)[0].text
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
        self._writer.align(buffer.root, size)

    def line(self, text: str) -> None:
        self._writer.lines.line(text + self._writer.remark(self._op))

    def assign(self, names: Sequence[str], value: str) -> None:
        if len(names) == 1:
            self.line(f"{names[0]} = {value}")
            return
        if f"put{len(names)}" in OPERATIONS and (first := _first_of_run(names)) is not None:
            self.line(f"device.put{len(names)}({first.array}, {first.position}, {value})")
            return
        result = self._writer.names.fresh("t")
        self.line(f"{result} = {value}")
        for n, name in enumerate(names):
            self.line(f"{name} = {result}[{n}]")

    def group(self, names: Sequence[str]) -> str:
        return names[0] if len(names) == 1 else f"({', '.join(names)})"


def _first_of_run(names: Sequence[str]) -> Register | None:
    """Return the first of registers that follow one another."""
    registers = [name for name in names if isinstance(name, Register)]
    if len(registers) < len(names):
        return None
    first = registers[0]
    in_order = all(r.array == first.array and r.number - first.number == Index.of(n) for n, r in enumerate(registers))
    return first if in_order else None


def _tile_starts(access: AccessArgument, fragment: Fragment) -> Iterator[tuple[int, ...]]:
    """Yield the offsets, along rows and columns, of the tiles that the box of an access touches, from the tile in which
    the box starts."""
    reach = [1 + sum((n - 1) * step for n, step in pairs) for pairs in access.box[-2:]]
    return product(*(range(0, n, extent) for n, extent in zip(reach, fragment.shape, strict=True)))


def write_call(writer: KernelWriter, op: Operation) -> None:
    """Write a call of a foreign function. Loads before the call are written before it."""
    assert isinstance(op, CallExternOp)
    rule = device_call(op.callee)
    if rule is None or op.res:
        fail(
            UNKNOWN_CALL,
            f"expected a call that kernels for CUDA know, but got {op.callee!r}",
            op=op,
            help="register_device_call declares its replacement in a kernel",
        )
    writer.materialize_reads()
    for _, access in op.accesses:
        if access.writes:
            writer.written.add(writer.buffer(access.buffer).root)
    rule(CallWriter(writer, op))
