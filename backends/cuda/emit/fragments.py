"""Buffers of fragments: tiles distributed over the registers of a warp's lanes, as a local array in each lane.

A plain load or store has to access an element that the running lane holds; this is proved by enumerating all lanes.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, NoReturn

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, BFloat16Type, Float16Type, Float32Type, IntegerType, MemRefType
from xdsl.ir import Attribute, Operation, SSAValue

from ....analysis.domain import resolve
from ....analysis.warp_memory import is_of_warps
from ....diagnostics import fail
from ....diagnostics.locations import name_of
from ....dialects.index_expr import FloorDiv, Index, Mod, variables_of
from ....dialects.loop import (
    LANE_AXIS,
    LANES,
    AccessArgument,
    AllocOp,
    CallExternOp,
    LoadOp,
    StoreOp,
)
from ...written.text import Expression, call, loaded
from ..fragments import KINDS, MALFORMED, Fragment, fragment_of

if TYPE_CHECKING:
    from .buffers import Buffer
    from .function import KernelWriter

NOT_OF_LANE, HALF_REGISTER = "TW0661", "TW0662"
_MOST_POINTS = 1 << 16
_STORAGE = {"f32": "float32", "i32": "int32"}
_NAMES: dict[type[Attribute], str] = {Float32Type: "f32", Float16Type: "f16", BFloat16Type: "bf16"}


def kind_of(type_: MemRefType, fragment: Fragment, op: Operation) -> str:
    """Return the kind of a buffer's elements in registers. Raises TW0660 for a type that the fragment does not hold."""
    element = type_.element_type
    is_word = isinstance(element, IntegerType) and element.width.data == 32
    name = "i32" if is_word else _NAMES.get(type(element), str(element))
    kind = name if name in fragment.kinds else {"f32": "tf32"}.get(name, name)
    if kind not in fragment.kinds:
        message = f"expected elements of {' or '.join(fragment.kinds)} in scope {fragment.scope!r}, but got {element}"
        fail(MALFORMED, message, op=op)
    return kind


def write_fragment(writer: KernelWriter, op: AllocOp, buffer: Buffer) -> None:
    """Declare the registers that a lane has of a buffer."""
    type_ = op.res.type
    fragment, shape = fragment_of(type_), type_.get_shape()
    rows, columns = fragment.shape
    if len(shape) < 2 or DYNAMIC_INDEX in shape or shape[-2] % rows or shape[-1] % columns:
        message = f"expected whole tiles of {rows} x {columns} in scope {fragment.scope!r}, but got {type_}"
        fail(MALFORMED, message, op=op)
    buffer.fragment = fragment
    buffer.kind = kind_of(type_, fragment, op)
    buffer.of_warps = frozenset(d for d in range(len(shape) - 2) if is_of_warps(op.res, d))
    tiles = [n for d, n in enumerate(shape) if d not in buffer.of_warps]
    count = int(np.prod(tiles)) // LANES // KINDS[buffer.kind]
    storage = _STORAGE.get(buffer.kind, "uint32")
    writer.lines.line(f"{buffer.name} = cuda.local.array({count}, {storage}){writer.remark(op)}")


def load_element(writer: KernelWriter, op: LoadOp, buffer: Buffer, index: Sequence[Index]) -> Expression:
    """Load an element that the running lane holds."""
    element = element_number(writer, op, buffer, index)
    match buffer.kind:
        case "tf32":
            text = f"device.uint_as_float({register(writer, buffer, element)})"
        case "f16" | "bf16":
            half = _half(op, buffer, element)
            text = f"device.unpack_{buffer.kind}({register(writer, buffer, element - half)})[{half}]"
        case _:
            text = register(writer, buffer, element)
    return loaded(text, op)


def store_elements(
    writer: KernelWriter, op: StoreOp, buffer: Buffer, indices: Sequence[Sequence[Index]], values: Sequence[Expression]
) -> None:
    """Write elements that the running lane holds. Two elements that share a register are written together."""
    elements = [element_number(writer, op, buffer, index) for index in indices]
    if KINDS[buffer.kind] == 1:
        for element, value in zip(elements, values, strict=True):
            stored = call("device.tf32_bits", value) if buffer.kind == "tf32" else value
            writer.lines.line(f"{register(writer, buffer, element)} = {stored}{writer.remark(op)}")
        return
    for first in range(0, len(elements), 2):
        pair = elements[first : first + 2]
        if len(pair) < 2 or pair[1] != pair[0] + 1 or _half(op, buffer, pair[0]):
            fail(
                HALF_REGISTER,
                f"expected both elements of a register of {name_of(op.buffer)} to be stored at once, but only one is",
                op=op,
                help="vectorize the loop over the two neighbours that share a register",
            )
        low, high = (value.unrounded or value for value in values[first : first + 2])
        text = f"device.pack_{buffer.kind}({low}, {high})"
        writer.lines.line(f"{register(writer, buffer, pair[0])} = {text}{writer.remark(op)}")


class Register(str):
    """The text of an element of an array of registers, with its array and number as attributes."""

    array: str
    number: Index
    position: str

    @staticmethod
    def of(writer: KernelWriter, array: str, number: Index) -> Register:
        text = writer.index.expression(number)
        position = str(text if number.is_constant else call("uint64", text))
        result = Register(f"{array}[{position}]")
        result.array, result.number, result.position = array, number, position
        return result


def register(writer: KernelWriter, buffer: Buffer, element: Index) -> Register:
    """Return the register that holds an element, which is the first element of the register."""
    number = (element // KINDS[buffer.kind]).with_ranges(writer.index.ranges)
    return Register.of(writer, buffer.name, number)


def _half(op: Operation, buffer: Buffer, element: Index) -> int:
    half = element % 2
    if not half.is_constant:
        _fail_of_lane(op, buffer, "which half of a register that is differs between iterations")
    return half.constant


def element_number(writer: KernelWriter, op: Operation, buffer: Buffer, index: Sequence[Index]) -> Index:
    """Return the number of `buffer[index]` among the elements of a lane. Raises TW0661 where the lane is not proved to
    hold it."""
    fragment = buffer.fragment
    assert fragment is not None
    resolved = [resolve(e).with_ranges(writer.index.ranges) for e in index]
    _check_lanes(writer, op, buffer, fragment, resolved[-2:])
    of_first = of_first_lane(writer, op, buffer, index)
    i, j = (e % n for e, n in zip(of_first[-2:], fragment.shape, strict=True))
    element = _first_of_tile(buffer, of_first) + fragment.position(i, j)
    return element.with_ranges(writer.index.ranges)


def tile_elements(writer: KernelWriter, op: Operation, buffer: Buffer, index: Sequence[Index]) -> list[Index]:
    """Return a lane's elements of the tile that starts at `buffer[index]`, where the first lane is concerned. Raises
    TW0661 where no tile is known to start there."""
    fragment = buffer.fragment
    assert fragment is not None
    of_first = of_first_lane(writer, op, buffer, index)
    for e, extent in zip(of_first[-2:], fragment.shape, strict=True):
        if (e % extent).with_ranges(writer.index.ranges) != Index.of(0):
            _fail_of_lane(op, buffer, f"no tile is known to start at {e}")
    first = _first_of_tile(buffer, of_first).with_ranges(writer.index.ranges)
    return [first + n for n in range(fragment.elements)]


def of_first_lane(writer: KernelWriter, op: Operation, buffer: Buffer, index: Sequence[Index]) -> list[Index]:
    """Return an index as the first lane of a warp has it."""
    lane, ranges = _lane(writer, op, buffer), writer.index.ranges
    return [resolve(e).substitute({lane: 0}).with_ranges(ranges) for e in index]


def _first_of_tile(buffer: Buffer, index: Sequence[Index]) -> Index:
    assert buffer.fragment is not None
    (rows, columns), shape = buffer.fragment.shape, buffer.type.get_shape()
    tile = Index.of(0)
    for d, e in enumerate(index[:-2]):
        tile = tile if d in buffer.of_warps else tile * shape[d] + e
    tile = (tile * (shape[-2] // rows) + index[-2] // rows) * (shape[-1] // columns) + index[-1] // columns
    return tile * buffer.fragment.elements


def _lane(writer: KernelWriter, op: Operation, buffer: Buffer) -> SSAValue:
    extent = writer.thread_extents.get(LANE_AXIS)
    if extent is None or extent != Index.of(LANES):
        have = "there are none" if extent is None else f"there are {extent}"
        _fail_of_lane(op, buffer, f"a warp is {LANES} threads along {LANE_AXIS}, and {have}")
    return writer.threads[LANE_AXIS]


def _check_lanes(
    writer: KernelWriter, op: Operation, buffer: Buffer, fragment: Fragment, index: Sequence[Index]
) -> None:
    """Check by enumeration, over lanes and all other values that the position in a tile depends on, that each lane
    accesses its elements."""
    lane = _lane(writer, op, buffer)
    inner = [_within(e, n, lane) for e, n in zip(index, fragment.shape, strict=True)]
    others = [v for v in dict.fromkeys(v for e in inner for v in e.variables) if v is not lane]
    bounds = [writer.index.ranges.get(v, (None, None)) for v in others]
    points = LANES
    for low, high in bounds:
        points = _MOST_POINTS + 1 if low is None or high is None else points * (high - low + 1)
    if points > _MOST_POINTS:
        _fail_of_lane(op, buffer, f"[{', '.join(map(str, index))}] is not known to be")
    spans = [range(low or 0, (high or 0) + 1) for low, high in bounds]
    lanes = np.arange(LANES)
    for point in product(*spans):
        environment = {lane: lanes, **dict(zip(others, point, strict=True))}
        (i, j), (rows, columns) = (np.broadcast_to(e.evaluate(environment), LANES) for e in inner), fragment.shape
        position = [i // rows, j // columns, fragment.position(i % rows, j % columns)]
        if (fragment.lane(i % rows, j % columns) != lanes).any() or any((p != p[0]).any() for p in position):
            who = int((fragment.lane(i % rows, j % columns) != lanes).argmax())
            _fail_of_lane(op, buffer, f"lane {who} accesses element ({int(i[who])}, {int(j[who])}) of a tile")


def _within(e: Index, extent: int, lane: SSAValue) -> Index:
    """Return an index without whole tiles, which do not change the position within one."""
    terms = [
        (atom, c)
        for atom, c in e.terms
        if c % extent or lane in (variables_of(atom) if isinstance(atom, (FloorDiv, Mod)) else (atom,))
    ]
    return Index.sum(terms, e.constant)


def _fail_of_lane(op: Operation, buffer: Buffer, reason: str) -> NoReturn:
    fragment = buffer.fragment
    assert fragment is not None
    fail(
        NOT_OF_LANE,
        f"expected each lane to access only its elements of {buffer.name}, which lies in the registers of a warp as "
        f"{fragment.name}, but {reason}",
        op=op,
        help="let the loops over a tile be those over its lanes and over each lane's elements, or tensorize them",
    )


def access_of(op: CallExternOp, position: int) -> AccessArgument:
    """Return an argument, which is an access."""
    argument = op.arguments[position]
    assert isinstance(argument, AccessArgument)
    return argument
