"""Loads and stores of register buffers, whose indices are constants at emission."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....diagnostics import fail
from ....dialects.loop import LoadOp, StoreOp
from ....dialects.loop.widths import column_width
from ....passes.shared.register_file import RegisterBuffer
from .buffers import AccessPlan, Offset
from .masks import Mask, broadcast, vector_mask
from .types import value_type, with_lanes

if TYPE_CHECKING:
    from .function import FunctionEmitter


def load_registers(
    emitter: FunctionEmitter, buffer: RegisterBuffer, plan: AccessPlan, op: LoadOp, mask: Mask, otherwise: str | None
) -> str:
    """Return the value of a load; `otherwise` where the mask fails."""
    value = "poison" if mask.never else _read(emitter, buffer, plan, op)
    if mask.always:
        return value
    assert otherwise is not None
    element = value_type(buffer.type.element_type)
    pad = otherwise if op.lanes is None else broadcast(emitter.writer, element, otherwise, op.lanes)
    return pad if mask.never else _select(emitter, buffer, op, mask, value, pad)


def store_registers(
    emitter: FunctionEmitter, buffer: RegisterBuffer, plan: AccessPlan, op: StoreOp, mask: Mask, value: str
) -> None:
    if not mask.always:
        value = _select(emitter, buffer, op, mask, value, _read(emitter, buffer, plan, op))
    lanes = op.lanes
    if lanes is None or plan.step == 1:
        emitter.registers.write(buffer, _position(emitter, plan.first, op), lanes, value)
    else:
        emitter.registers.scatter(buffer, _positions(emitter, plan, op, lanes), value)


def _read(emitter: FunctionEmitter, buffer: RegisterBuffer, plan: AccessPlan, op: LoadOp | StoreOp) -> str:
    lanes = op.lanes
    if lanes is None or plan.step == 1:
        return emitter.registers.read(buffer, _position(emitter, plan.first, op), lanes)
    if plan.step == 0:
        value = emitter.registers.read(buffer, _position(emitter, plan.first, op), None)
        return broadcast(emitter.writer, value_type(buffer.type.element_type), value, lanes)
    positions = _positions(emitter, plan, op, lanes)
    return (
        emitter.registers.column(buffer, positions) if column_width(op) else emitter.registers.gather(buffer, positions)
    )


def _select(
    emitter: FunctionEmitter, buffer: RegisterBuffer, op: LoadOp | StoreOp, mask: Mask, value: str, other: str
) -> str:
    lanes = op.lanes
    type_ = with_lanes(value_type(buffer.type.element_type), lanes)
    bits = mask.uniform if lanes is None else vector_mask(emitter.writer, mask, lanes)
    return emitter.code.define(f"select {with_lanes('i1', lanes)} {bits}, {type_} {value}, {type_} {other}")


def _positions(emitter: FunctionEmitter, plan: AccessPlan, op: LoadOp | StoreOp, lanes: int) -> list[int]:
    if plan.step is None:
        return [_position(emitter, offset, op) for offset in plan.lanes]
    first = _position(emitter, plan.first, op)
    return [first + plan.step * lane for lane in range(lanes)]


def _position(emitter: FunctionEmitter, offset: Offset, op: LoadOp | StoreOp) -> int:
    constant, terms = emitter.writer.collect(offset.fixed)
    if terms or offset.scaled:
        fail(
            "TW0601",
            "expected indices of a register buffer to be made of constants and variables of unrolled loops",
            op=op,
            help='unroll the loops whose variables index the buffer, or give it the scope "local"',
        )
    return constant
