"""Memory of scope "warp": its last dimension is the lane, and each lane has the elements there in registers.

A lane writes its own; another lane's element is read by a shuffle. Lanes are the threads along `threadIdx.x`, 32 of
which are a warp; with fewer, a divisor of 32, several rows of threads share a warp and each has its own lanes.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, NoReturn

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import BlockArgument, Operation, SSAValue

from ....analysis.domain import resolve
from ....diagnostics import fail
from ....dialects.index_expr import Index
from ....dialects.loop import LANE_AXIS, LANES, AllocOp, ForOp, IfOp, LoadOp, StoreOp, depends_on_thread, enclosing
from ....dialects.loop.barrier import is_over_threads
from ....hardware import THREAD_INDEX
from ...written.text import Expression, call, loaded
from .fragments import NOT_OWN, accessed_at, is_of_warps
from .types import value_type

if TYPE_CHECKING:
    from .buffers import Buffer
    from .function import KernelWriter

LANE_KIND = "lane"
"""What `Buffer.kind` says of such memory."""
_NARROW = ("boolean", "int8", "int16", "uint8", "uint16")
"""Types that are shuffled as int32."""


def write_lanes(writer: KernelWriter, op: AllocOp, buffer: Buffer) -> None:
    """Declare the registers that a lane has."""
    shape = op.res.type.get_shape()
    if DYNAMIC_INDEX in shape or not shape:
        _fail(op, buffer, "it has no constant size")
    buffer.kind = LANE_KIND
    buffer.of_warps = frozenset(d for d in range(len(shape) - 1) if is_of_warps(op.res, d) or _is_warp(op.res, d))
    count = prod(n for d, n in enumerate(shape[:-1]) if d not in buffer.of_warps)
    writer.lines.line(f"{buffer.name} = cuda.local.array({count}, {value_type(op.res.type.element_type)})")


def _is_warp(buffer: SSAValue, dimension: int) -> bool:
    """Whether a dimension is the number of the warp along `threadIdx.x`, which all accesses give as that."""
    found = accessed_at(buffer, dimension)
    variables = {v for e in found for v in e.values()}
    if len(variables) != 1 or not isinstance(variable := variables.pop(), BlockArgument):
        return False
    around = variable.block.parent_op()
    is_lane = isinstance(around, ForOp) and is_over_threads(around) and around.kind.tag.data == LANE_AXIS
    return is_lane and found == {Index.of(variable) // LANES}


def load_lane(writer: KernelWriter, op: LoadOp, buffer: Buffer) -> Expression:
    """An element of the running lane, or of another one by a shuffle."""
    threads, lane, source = _lanes(writer, op, buffer, op.index)
    register = _register(writer, buffer, op.index)
    if (source == lane).all():
        return loaded(register, op)
    if op.conditions and not writer.index.known(op.conditions):
        _fail(op, buffer, "a lane is asked for only where a condition holds, while all of a warp have to answer")
    for parent in enclosing(op, (IfOp, ForOp)):
        if not is_over_threads(parent) and any(_parts_warps(v, threads) for v in parent.operands):
            _fail(op, buffer, "not all lanes of a warp come to where they exchange elements")
    width = min(threads, LANES)
    exchanged = lane ^ source
    type_ = value_type(buffer.type.element_type)
    operand = f"int32({register})" if type_ in _NARROW else register
    if (exchanged == exchanged[0]).all():
        text = f"cuda.shfl_xor_sync(0xffffffff, {operand}, {exchanged[0]})"
    elif width == LANES:
        expression = writer.index.expression(resolve(op.index[-1]).with_ranges(writer.index.ranges))
        text = f"cuda.shfl_sync(0xffffffff, {operand}, {call('int32', expression)})"
    else:
        _fail(op, buffer, f"rows of {width} lanes exchange elements by a pattern that is no exclusive or")
    text = f"({text} != 0)" if type_ == "boolean" else f"{type_}({text})" if type_ in _NARROW else text
    return loaded(text, op)


def store_lane(writer: KernelWriter, op: StoreOp, buffer: Buffer, value: Expression) -> str:
    """The statement that writes an element of the running lane."""
    _, lane, target = _lanes(writer, op, buffer, op.index)
    if not (target == lane).all():
        _fail(op, buffer, f"lane {int((target != lane).argmax())} writes an element of another one")
    return f"{_register(writer, buffer, op.index)} = {value}{writer.remark(op)}"


def _lanes(
    writer: KernelWriter, op: Operation, buffer: Buffer, index: Sequence[Index]
) -> tuple[int, np.ndarray, np.ndarray]:
    """How many threads there are along the lanes' axis, the lane of each that comes here, and the lane it asks for."""
    extent, variable = writer.thread_extents.get(LANE_AXIS), writer.threads.get(LANE_AXIS)
    if extent is None or variable is None or not extent.is_constant:
        _fail(op, buffer, f"there is no constant number of threads along {LANE_AXIS}")
    threads = extent.constant
    if threads % LANES and LANES % threads and len(writer.threads) > 1 and not _is_single_row(writer):
        _fail(op, buffer, f"rows of {threads} threads lie across warps")
    low, high = writer.index.ranges.get(variable, (0, threads - 1))
    numbers = np.arange(max(low or 0, 0), min(threads - 1 if high is None else high, threads - 1) + 1)
    numbers = _coming(op, variable, numbers)
    e = resolve(index[-1])
    if any(v is not variable for v in e.variables):
        _fail(op, buffer, f"lane {e} is not known for each thread")
    asked = np.broadcast_to(e.evaluate({variable: numbers}), numbers.shape)
    lanes = numbers % LANES
    if any(depends_on_lane and d not in buffer.of_warps for d, depends_on_lane in _dependence(index, variable)):
        _fail(op, buffer, "lanes name different registers")
    return threads, lanes, asked


def _coming(op: Operation, variable: SSAValue, numbers: np.ndarray) -> np.ndarray:
    """Those of the threads that come to an operation, as far as conditions on nothing else say."""
    inside = op
    for parent in enclosing(op, (IfOp, ForOp)):
        if isinstance(parent, IfOp) and parent.then_body.blocks and inside.parent is parent.then_body.block:
            for e in map(resolve, parent.conditions):
                if set(e.variables) == {variable}:
                    numbers = numbers[np.broadcast_to(e.evaluate({variable: numbers}), numbers.shape) >= 0]
        inside = parent
    return numbers


def _dependence(index: Sequence[Index], variable: SSAValue) -> list[tuple[int, bool]]:
    return [(d, variable in resolve(e).values()) for d, e in enumerate(index[:-1])]


def _is_single_row(writer: KernelWriter) -> bool:
    others = [e for tag, e in writer.thread_extents.items() if tag.startswith(THREAD_INDEX) and tag != LANE_AXIS]
    return all(e == Index.of(1) for e in others)


def _parts_warps(value: SSAValue, threads: int) -> bool:
    """Whether a value may differ between threads of one warp, as `depends_on_thread` says of all; other rows of
    threads are other warps where a row has whole warps."""
    if isinstance(value, BlockArgument) and threads % LANES == 0:
        around = value.block.parent_op()
        if isinstance(around, ForOp) and is_over_threads(around) and around.kind.tag.data != LANE_AXIS:
            return False
    return depends_on_thread(value)


def _register(writer: KernelWriter, buffer: Buffer, index: Sequence[Index]) -> str:
    number, shape = Index.of(0), buffer.type.get_shape()
    for d, e in enumerate(index[:-1]):
        number = number if d in buffer.of_warps else number * shape[d] + resolve(e)
    number = number.with_ranges(writer.index.ranges)
    text = writer.index.expression(number)
    return f"{buffer.name}[{text if number.is_constant else call('uint64', text)}]"


def _fail(op: Operation, buffer: Buffer, reason: str) -> NoReturn:
    fail(
        NOT_OWN,
        f'expected lanes of a warp to write their own elements of {buffer.name}, whose scope is "warp", and to read '
        f"others' together, but {reason}",
        op=op,
        help='share it by the whole block instead: scope "shared"',
    )
