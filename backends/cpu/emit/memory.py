"""Loads, stores and prefetches of buffers in memory.

The stride between the addresses of its lanes determines the form of an access: 1 is a vector access, 0 a broadcast, 2
and -1 are vector accesses with a shuffle, and with any other stride each lane is accessed separately. Under a guard,
vector accesses are masked. A scalar load under a guard selects the address of a zero where the guard fails, which needs
no branch; a scalar store branches. Prefetches are calls of LLVM's intrinsic for the data cache, which never fault.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation, SSAValue

from ....dialects.index_expr import Index
from ....dialects.loop import LoadOp, PrefetchOp, StoreOp
from ....passes.shared.register_file import RegisterBuffer
from .buffers import AccessPlan, Buffer, Offset, address, plan_access
from .masks import ALWAYS, Mask, broadcast, plan_guard, vector_mask, write_mask
from .register_access import load_registers, store_registers
from .streaming import is_streamed, write_streaming
from .types import mangled, storage_type, value_type, with_lanes

if TYPE_CHECKING:
    from .function import FunctionEmitter

Step = Callable[["FunctionEmitter"], None]


def prepare_load(op: LoadOp) -> Step:
    access = _Access(op.buffer, op.index, op.conditions, op.lanes)

    def run(emitter: FunctionEmitter) -> None:
        mask = write_mask(emitter.writer, access.guard) if access.guarded else ALWAYS
        buffer = emitter.buffer(op.buffer)
        otherwise = emitter.value(op.otherwise) if op.otherwise is not None else None
        if isinstance(buffer, RegisterBuffer):
            value = load_registers(emitter, buffer, access.plan, op, mask, otherwise)
        else:
            value = _load(emitter, emitter.addressable(op, buffer), access, mask, otherwise)
        emitter.define(op.res, value)

    return run


def prepare_store(op: StoreOp) -> Step:
    access = _Access(op.buffer, op.index, op.conditions, op.lanes)

    def run(emitter: FunctionEmitter) -> None:
        mask = write_mask(emitter.writer, access.guard) if access.guarded else ALWAYS
        if mask.never:
            return
        buffer, value = emitter.buffer(op.buffer), emitter.value(op.value)
        if isinstance(buffer, RegisterBuffer):
            store_registers(emitter, buffer, access.plan, op, mask, value)
        else:
            _store(emitter, emitter.addressable(op, buffer), access, mask, value)

    return run


def load_only(emitter: FunctionEmitter, op: Operation, buffer: SSAValue) -> str:
    """Return the one element of a buffer in memory, which `op` reads."""
    type_ = buffer.type
    assert isinstance(type_, MemRefType)
    access, source = _Access(buffer, [Index.of(0)] * type_.get_num_dims(), (), None), emitter.buffer(buffer)
    assert not isinstance(source, RegisterBuffer), "the verifier refuses registers there"
    return _load(emitter, emitter.addressable(op, source), access, ALWAYS, None)


class _Access:
    """The parts of an access that are the same in all its expansions."""

    def __init__(self, buffer: SSAValue, index: Sequence[Index], guard: Sequence[Index], lanes: int | None) -> None:
        type_ = buffer.type
        assert isinstance(type_, MemRefType)
        self.lanes = lanes
        self.plan: AccessPlan = plan_access(type_, index, lanes)
        self.guard = plan_guard(guard, lanes)
        self.guarded = bool(guard)
        self.element, self.align = storage_type(type_.element_type)
        self.memory_type = with_lanes(self.element, lanes)
        self.value_element = value_type(type_.element_type)
        self.value_type = with_lanes(self.value_element, lanes)

    def offset(self, lane: int) -> Offset:
        """Return the position of one lane."""
        if self.plan.step is None:
            return self.plan.lanes[lane]
        return Offset(self.plan.first.fixed + self.plan.step * lane, self.plan.first.scaled)


def _load(emitter: FunctionEmitter, buffer: Buffer, access: _Access, mask: Mask, otherwise: str | None) -> str:
    pad = None if otherwise is None else _to_memory(emitter, access, otherwise, None)
    if mask.never:
        assert pad is not None
        value = pad if access.lanes is None else broadcast(emitter.writer, access.element, pad, access.lanes)
    elif access.lanes is None:
        value = _load_scalar(emitter, buffer, access, access.offset(0), mask, pad)
    elif mask.always:
        value = _load_lanes(emitter, buffer, access, access.lanes)
    else:
        assert pad is not None
        value = _load_masked(emitter, buffer, access, access.lanes, mask, pad)
    return _from_memory(emitter, access, value)


def _load_scalar(
    emitter: FunctionEmitter, buffer: Buffer, access: _Access, offset: Offset, mask: Mask, pad: str | None
) -> str:
    code = emitter.code
    pointer = address(emitter.writer, buffer, offset)
    condition = mask.uniform
    if isinstance(condition, bool):
        return code.define(f"load {access.element}, ptr {pointer}, align {access.align}")
    zero = emitter.module.zero()
    readable = code.pure(f"select i1 {condition}, ptr {pointer}, ptr {zero}", (condition, pointer))
    value = code.define(f"load {access.element}, ptr {readable}, align {access.align}")
    return code.define(f"select i1 {condition}, {access.element} {value}, {access.element} {pad}")


def _load_lanes(emitter: FunctionEmitter, buffer: Buffer, access: _Access, lanes: int) -> str:
    step = access.plan.step
    if step == 0:
        return broadcast(emitter.writer, access.element, _load_one(emitter, buffer, access, 0), lanes)
    if step == 1:
        return _load_vector(emitter, buffer, access, 0)
    if step == 2 and lanes > 1:
        # The second vector ends at the last lane's element, so nothing beyond the access is read.
        low = _load_vector(emitter, buffer, access, 0)
        high = _load_vector(emitter, buffer, access, Index.of(lanes - 1))
        picks = [2 * lane if 2 * lane < lanes else 2 * lane + 1 for lane in range(lanes)]
        return _shuffle(emitter, access, low, high, picks)
    if step == -1:
        vector = _load_vector(emitter, buffer, access, Index.of(1 - lanes))
        return _shuffle(emitter, access, vector, "poison", range(lanes - 1, -1, -1))
    value = "poison"
    for lane in range(lanes):
        element = _load_one(emitter, buffer, access, lane)
        value = emitter.code.define(
            f"insertelement {access.memory_type} {value}, {access.element} {element}, i64 {lane}"
        )
    return value


def _load_vector(emitter: FunctionEmitter, buffer: Buffer, access: _Access, shift: Index | int) -> str:
    """Return a vector of neighbours that starts `shift` elements after the first lane's."""
    first = access.plan.first
    pointer = address(emitter.writer, buffer, Offset(first.fixed + shift, first.scaled))
    return emitter.code.define(f"load {access.memory_type}, ptr {pointer}, align {access.align}")


def _load_one(emitter: FunctionEmitter, buffer: Buffer, access: _Access, lane: int) -> str:
    pointer = address(emitter.writer, buffer, access.offset(lane))
    return emitter.code.define(f"load {access.element}, ptr {pointer}, align {access.align}")


def _load_masked(emitter: FunctionEmitter, buffer: Buffer, access: _Access, lanes: int, mask: Mask, pad: str) -> str:
    code, writer = emitter.code, emitter.writer
    pads = broadcast(writer, access.element, pad, lanes)
    bits = vector_mask(writer, mask, lanes)
    if access.plan.step == 0:
        condition = mask.uniform if mask.lanes is True else _any(emitter, bits, lanes)
        value = _load_scalar(emitter, buffer, access, access.offset(0), Mask(condition, True), pad)
        vector = broadcast(writer, access.element, value, lanes)
        types = f"<{lanes} x i1> {bits}, {access.memory_type}"
        return code.define(f"select {types} {vector}, {access.memory_type} {pads}")
    if access.plan.step == 2 and lanes % 2 == 0:
        return _load_masked_pairs(emitter, buffer, access, lanes, str(bits), pads)
    if access.plan.step == 1:
        function, pointers = "load", address(writer, buffer, access.offset(0))
        pointer_type = "ptr"
    else:
        function, pointers = "gather", _pointers(emitter, buffer, access, lanes)
        pointer_type = f"<{lanes} x ptr>"
    result = access.memory_type
    name = _masked_intrinsic(function, access.element, lanes)
    return code.define(
        f"call {result} {name}({pointer_type} {pointers}, i32 {access.align}, <{lanes} x i1> {bits}, {result} {pads})"
    )


def _load_masked_pairs(
    emitter: FunctionEmitter, buffer: Buffer, access: _Access, lanes: int, bits: str, pads: str
) -> str:
    """Load every second element out of two vectors of neighbours, of which the others are not read: a gather reads one
    by one. The second vector ends at the last lane's element."""
    code, result = emitter.code, access.memory_type
    name = _masked_intrinsic("load", access.element, lanes)
    half = lanes // 2
    parts: list[str] = []
    for number, shift in enumerate((Index.of(0), Index.of(lanes - 1))):
        picks = [lanes] * lanes  # of the second operand, which is false
        picks[number::2] = range(number * half, number * half + half)
        order = ", ".join(f"i32 {pick}" for pick in picks)
        types = f"<{lanes} x i1> {bits}, <{lanes} x i1> zeroinitializer"
        mask = code.define(f"shufflevector {types}, <{lanes} x i32> <{order}>")
        first = access.plan.first
        pointer = address(emitter.writer, buffer, Offset(first.fixed + shift, first.scaled))
        arguments = f"ptr {pointer}, i32 {access.align}, <{lanes} x i1> {mask}, {result} poison"
        parts.append(code.define(f"call {result} {name}({arguments})"))
    picks = [2 * lane if lane < half else 2 * lane + 1 for lane in range(lanes)]
    value = _shuffle(emitter, access, parts[0], parts[1], picks)
    return code.define(f"select <{lanes} x i1> {bits}, {result} {value}, {result} {pads}")


def _store(emitter: FunctionEmitter, buffer: Buffer, access: _Access, mask: Mask, value: str) -> None:
    value = _to_memory(emitter, access, value, access.lanes)
    if access.lanes is None:
        _store_scalar(emitter, buffer, access, mask, value)
    elif mask.always:
        _store_lanes(emitter, buffer, access, access.lanes, value)
    else:
        _store_masked(emitter, buffer, access, access.lanes, mask, value)


def _store_scalar(emitter: FunctionEmitter, buffer: Buffer, access: _Access, mask: Mask, value: str) -> None:
    code = emitter.code
    pointer = address(emitter.writer, buffer, access.offset(0))
    store = f"store {access.element} {value}, ptr {pointer}, align {access.align}"
    if isinstance(mask.uniform, bool):
        code.line(store)
        return
    inside, after = code.label("store"), code.label("stored")
    code.line(f"br i1 {mask.uniform}, label %{inside}, label %{after}")
    code.start_block(inside)
    code.line(store)
    code.line(f"br label %{after}")
    code.start_block(after)


def _store_lanes(emitter: FunctionEmitter, buffer: Buffer, access: _Access, lanes: int, value: str) -> None:
    step, code = access.plan.step, emitter.code
    if step in (1, -1):
        if step == -1:
            value = _shuffle(emitter, access, value, "poison", range(lanes - 1, -1, -1))
        first = access.offset(0 if step == 1 else lanes - 1)
        if emitter.streams and is_streamed(buffer):
            write_streaming(emitter, buffer, first, access.memory_type, lanes * access.align, value, access.align)
        else:
            pointer = address(emitter.writer, buffer, first)
            code.line(f"store {access.memory_type} {value}, ptr {pointer}, align {access.align}")
        return
    # Lanes are stored in order; where all go to one element, the last one stays.
    for lane in range(lanes - 1 if step == 0 else 0, lanes):
        element = code.define(f"extractelement {access.memory_type} {value}, i64 {lane}")
        pointer = address(emitter.writer, buffer, access.offset(lane))
        code.line(f"store {access.element} {element}, ptr {pointer}, align {access.align}")


def _store_masked(
    emitter: FunctionEmitter, buffer: Buffer, access: _Access, lanes: int, mask: Mask, value: str
) -> None:
    bits = vector_mask(emitter.writer, mask, lanes)
    if access.plan.step == 1:
        function, pointers = "store", f"ptr {address(emitter.writer, buffer, access.offset(0))}"
    else:
        function, pointers = "scatter", f"<{lanes} x ptr> {_pointers(emitter, buffer, access, lanes)}"
    name = _masked_intrinsic(function, access.element, lanes)
    emitter.code.line(
        f"call void {name}({access.memory_type} {value}, {pointers}, i32 {access.align}, <{lanes} x i1> {bits})"
    )


def _pointers(emitter: FunctionEmitter, buffer: Buffer, access: _Access, lanes: int) -> str:
    """Return the addresses of all lanes as a vector."""
    vector = "poison"
    for lane in range(lanes):
        pointer = address(emitter.writer, buffer, access.offset(lane))
        expression = f"insertelement <{lanes} x ptr> {vector}, ptr {pointer}, i64 {lane}"
        vector = emitter.code.pure(expression, (vector, pointer))
    return vector


def _any(emitter: FunctionEmitter, bits: str | bool, lanes: int) -> str:
    return emitter.code.pure(f"call i1 @llvm.vector.reduce.or.v{lanes}i1(<{lanes} x i1> {bits})", (str(bits),))


def _masked_intrinsic(function: str, element: str, lanes: int) -> str:
    pointers = "p0" if function in ("load", "store") else f"v{lanes}p0"
    return f"@llvm.masked.{function}.{mangled(with_lanes(element, lanes))}.{pointers}"


def _shuffle(emitter: FunctionEmitter, access: _Access, a: str, b: str, picks: Sequence[int]) -> str:
    mask = ", ".join(f"i32 {p}" for p in picks)
    types = access.memory_type
    return emitter.code.define(f"shufflevector {types} {a}, {types} {b}, <{len(picks)} x i32> <{mask}>")


def _from_memory(emitter: FunctionEmitter, access: _Access, value: str) -> str:
    """Return a loaded value in the form that values have: booleans and integers of a few bits differ."""
    if access.value_element == access.element:
        return value
    if access.value_element != "i1":
        return emitter.code.define(f"trunc {access.memory_type} {value} to {access.value_type}")
    return emitter.code.define(f"icmp ne {access.memory_type} {value}, {_zero(access.lanes)}")


def _to_memory(emitter: FunctionEmitter, access: _Access, value: str, lanes: int | None) -> str:
    if access.value_element == access.element:
        return value
    source = with_lanes(access.value_element, lanes)
    return emitter.code.define(f"zext {source} {value} to {with_lanes(access.element, lanes)}")


def _zero(lanes: int | None) -> str:
    return "0" if lanes is None else "zeroinitializer"


_READ, _DATA = 0, 1
_LOCALITY = {1: 3, 2: 2}
"""The intrinsic's number for each cache."""


def prepare_prefetch(op: PrefetchOp) -> Callable[[FunctionEmitter], None]:
    type = op.buffer.type
    assert isinstance(type, MemRefType)
    plan = plan_access(type, op.index, None)

    def run(emitter: FunctionEmitter) -> None:
        buffer = emitter.buffer(op.buffer)
        assert isinstance(buffer, Buffer), "the verifier keeps registers out"
        pointer = address(emitter.writer, emitter.addressable(op, buffer), plan.first)
        emitter.module.declare("void @llvm.prefetch.p0(ptr, i32, i32, i32)")
        locality = _LOCALITY[op.cache]
        emitter.code.line(f"call void @llvm.prefetch.p0(ptr {pointer}, i32 {_READ}, i32 {locality}, i32 {_DATA})")

    return run
