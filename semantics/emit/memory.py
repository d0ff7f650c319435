"""Translation of operations on buffers: allocation, constants, views, accesses; and of index expressions as values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, VectorType
from xdsl.ir import SSAValue

from ...analysis.positions import first_element
from ...analysis.warp_memory import loop_over_lanes
from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...dialects.constant_data import constant_array
from ...dialects.index_expr import LANE, FloorDiv, Index, Mod
from ...dialects.loop import (
    LANE_AXIS,
    LANES,
    AllocOp,
    ApplyOp,
    BindOp,
    ConstantOp,
    DelinearizeOp,
    DimOp,
    LoadOp,
    StoreOp,
    TestOp,
    ViewOp,
    scope_of,
)
from ...dialects.loop.memory_spaces import IN_ARENA, OF_BLOCK, OF_THREAD, memory_space_of
from ...dialects.loop.shuffles import INDEX, ShuffleAttr, shuffle_of
from ...dialects.loop.swizzles import swizzle_of
from ...dialects.loop.widths import column_width, copy_bytes, stated_width
from ..assigned_memory import buffer_within, check_registers, column
from ..buffers import bind, bind_view, delinearize, load_lanes, outside, store_lanes, view
from ..swizzles import PermutedAccess, elements_of, elements_of_lines
from ..values import Array, dtype_of, is_index, poison
from .function import Emit, FunctionEmitter
from .text import tuple_text


def _emit_load(emitter: FunctionEmitter, op: LoadOp) -> None:
    check_registers(op)
    _check_width(emitter, op)
    lanes, guard = op.lanes, op.conditions
    result, buffer = emitter.define(op.res), emitter.name(op.buffer)
    if lanes is not None:
        position = _contiguous(emitter, op, lanes)
        if position is not None:
            emitter.add(f"{result} = {buffer}[{position}].copy()")
            return
        mask = ""
        if op.otherwise is not None:
            mask = f", {emitter.guard(guard, _lanes(emitter, lanes))}, {emitter.name(op.otherwise)}"
        function = emitter.bind(load_lanes, "load")
        index = emitter.indices(op.index, _lanes(emitter, lanes))
        if swizzle_of(op) is not None:
            buffer, index = _permuted(emitter, op, lanes)
        if width := column_width(op):
            index = f"{emitter.bind(column, 'column')}({emitter.op(op)}, {buffer}, {index}, {lanes}, {width})"
        emitter.add(f"{result} = {function}({emitter.op(op)}, {buffer}, {index}, {lanes}{mask})")
    elif op.otherwise is None:
        _load_element(emitter, op, result)
    else:
        with emitter.lines.block(f"if {emitter.guard(guard)}:"):
            _load_element(emitter, op, result)
        with emitter.lines.block("else:"):
            emitter.add(f"{result} = {emitter.name(op.otherwise)}")


def _load_element(emitter: FunctionEmitter, op: LoadOp, result: str) -> None:
    element = _element(emitter, op)
    emitter.add(f"{result} = int({element})" if is_index(op.res.type) else f"{result} = {element}")


def _emit_store(emitter: FunctionEmitter, op: StoreOp) -> None:
    if isinstance(op.buffer.owner, ConstantOp):
        fail("TW0723", "expected a buffer that can be written, but got a constant", op=op)
    check_registers(op)
    _check_width(emitter, op)
    lanes, guard = op.lanes, op.conditions
    value, buffer = emitter.name(op.value), emitter.name(op.buffer)
    if lanes is not None:
        position = _contiguous(emitter, op, lanes)
        if position is not None:
            emitter.add(f"{buffer}[{position}] = {value}")
            return
        index = emitter.indices(op.index, _lanes(emitter, lanes))
        if swizzle_of(op) is not None:
            buffer, index = _permuted(emitter, op, lanes)
        mask = f", {emitter.guard(guard, _lanes(emitter, lanes))}" if guard else ""
        function = emitter.bind(store_lanes, "store")
        emitter.add(f"{function}({emitter.op(op)}, {value}, {buffer}, {index}{mask})")
    elif guard:
        with emitter.lines.block(f"if {emitter.guard(guard)}:"):
            emitter.add(f"{_element(emitter, op)} = {value}")
    else:
        emitter.add(f"{_element(emitter, op)} = {value}")


def _check_width(emitter: FunctionEmitter, op: LoadOp | StoreOp) -> None:
    """Emit checks of the widths that are stated for instructions that move several elements."""
    if stated_width(op) is not None:
        lanes = _lanes(emitter, op.lanes or 1)
        index, guard = emitter.indices(op.index, lanes), emitter.guard(op.conditions, lanes)
        emitter.add(f"{emitter.bind(WideAccess(op), 'wide')}({emitter.name(op.buffer)}, {index}, {guard})")


def _lanes(emitter: FunctionEmitter, lanes: int) -> str:
    return emitter.bind(emitter.program.lane_numbers(lanes), "lanes")


def _element(emitter: FunctionEmitter, op: LoadOp | StoreOp) -> str:
    """Return the element that a scalar access reaches, its index checked."""
    if swizzle_of(op) is not None:
        memory, position = _permuted(emitter, op)
        return f"{memory}[{position}]"
    names = [_variable(emitter, e) for e in op.index]
    if (shuffle := shuffle_of(op)) is not None and shuffle.kind != INDEX:
        names[-1] = _lane_of_thread(emitter, op, shuffle)
    _check(emitter, op, names, names)
    return f"{emitter.name(op.buffer)}[{', '.join(names) if names else '()'}]"


def _permuted(emitter: FunctionEmitter, op: LoadOp | StoreOp, lanes: int | None = None) -> tuple[str, str]:
    """Return the memory of a buffer whose pieces are permuted, and where in it the elements lie that an access
    reaches."""
    swizzle = swizzle_of(op)
    assert swizzle is not None
    memory = emitter.lines_of(op.buffer)
    numbers = "" if lanes is None else _lanes(emitter, lanes)
    index = emitter.indices(op.index, numbers)
    mask = f", {emitter.guard(op.conditions, numbers)}" if lanes is not None and op.conditions else ""
    position = f"{emitter.bind(PermutedAccess(op, swizzle), 'permuted')}({memory}, {index}{mask})"
    return memory, position if lanes is None else f"({position},)"


def _lane_of_thread(emitter: FunctionEmitter, op: LoadOp | StoreOp, shuffle: ShuffleAttr) -> str:
    """Return a variable that holds the lane whose element a shuffle reaches."""
    around = loop_over_lanes(op)
    if around is None:
        fail("TW0661", f"expected a shuffle within a loop over {LANE_AXIS}, whose threads are the lanes", op=op)
    name = emitter.fresh("lane")
    emitter.add(f"{name} = {emitter.name(around.induction_variable)} % {LANES} ^ {shuffle.mask}")
    return name


def _contiguous(emitter: FunctionEmitter, op: LoadOp | StoreOp, lanes: int) -> str | None:
    """Return the checked index of an access to neighbouring elements without a guard; None for other accesses."""
    if op.conditions or not op.index or not _is_contiguous(op.index) or swizzle_of(op) is not None:
        return None
    first = [*op.index[:-1], op.index[-1] - Index.of(LANE)]
    names = [_variable(emitter, e) for e in first]
    _check(emitter, op, names, [*names[:-1], f"{names[-1]} + {_lanes(emitter, lanes)}"], lanes)
    return ", ".join([*names[:-1], f"{names[-1]} : {names[-1]} + {lanes}"])


def _is_contiguous(index: Sequence[Index]) -> bool:
    *outer, last = index
    rest = last - Index.of(LANE)
    within = [a.numerator for a, _ in rest.terms if isinstance(a, (FloorDiv, Mod))]
    return last.coefficient(LANE) == 1 and not any(e.uses_lane for e in (*outer, *within))


def _variable(emitter: FunctionEmitter, expression: Index) -> str:
    """Return a variable or a number that holds the value of an index expression."""
    text = emitter.index(expression)
    if text.isidentifier() or text.isdigit():
        return text
    name = emitter.fresh("index")
    emitter.add(f"{name} = {text}")
    return name


def _check(
    emitter: FunctionEmitter, op: LoadOp | StoreOp, names: Sequence[str], reported: Sequence[str], lanes: int = 1
) -> None:
    """Test the bounds of `names`, the last one the first of so many neighbours; an error reports `reported`."""
    if not names:
        return
    extents = _extents(emitter, op.buffer)
    conditions = [f"0 <= {name} < {extent}" for name, extent in zip(names[:-1], extents[:-1], strict=True)]
    conditions.append(f"0 <= {names[-1]} <= {extents[-1]} - {lanes}")
    with emitter.lines.block(f"if not ({' and '.join(conditions)}):"):
        function = emitter.bind(outside, "outside")
        emitter.add(f"{function}({emitter.op(op)}, {emitter.name(op.buffer)}, {tuple_text(reported)})")


def _extents(emitter: FunctionEmitter, buffer: SSAValue) -> list[str]:
    assert isinstance(buffer.type, MemRefType)
    name = emitter.name(buffer)
    return [f"{name}.shape[{d}]" if n == DYNAMIC_INDEX else str(n) for d, n in enumerate(buffer.type.get_shape())]


def _emit_alloc(emitter: FunctionEmitter, op: AllocOp) -> None:
    if op in emitter.made_before:
        return
    dtype = emitter.bind(dtype_of(op.res.type, op), "dtype")
    shape, space, swizzle = emitter.indices(op.shape), memory_space_of(op), swizzle_of(op)
    made = shape if swizzle is None else f"({elements_of_lines(swizzle, op.res.type.get_shape())},)"
    buffer = f"{emitter.bind(poison, 'poison')}({made}, {dtype})"
    if space is not None and space.kind in (IN_ARENA, OF_THREAD, OF_BLOCK):
        arguments = f"{emitter.op(op)}, {emitter.memory(space.kind)}, {space.start}, {made}, {dtype}"
        buffer = f"{emitter.bind(buffer_within, 'within')}({arguments})"
    if emitter.program.races is not None and emitter.threads is None:
        buffer = f"{emitter.bind(emitter.program.races.watch, 'watch')}({buffer}, {scope_of(op.res.type)!r})"
    if swizzle is not None:
        emitter.lines_in_memory[op.res] = memory = emitter.fresh("lines")
        emitter.add(f"{memory} = {buffer}")
        buffer = f"{emitter.bind(elements_of, 'elements')}({memory}, {shape})"
    emitter.set(op.res, buffer)


def _emit_constant(emitter: FunctionEmitter, op: ConstantOp) -> None:
    emitter.alias(op.res, emitter.bind(constant_array(op.value), "data"))


def _emit_view(emitter: FunctionEmitter, op: ViewOp) -> None:
    assert isinstance(op.res.type, MemRefType)
    shape = tuple_text([str(n) for n in op.res.type.get_shape()])
    offset, buffer = emitter.index(op.byte_offset), emitter.name(op.buffer)
    emitter.set(op.res, f"{emitter.bind(view, 'view')}({emitter.op(op)}, {buffer}, {offset}, {shape})")


def _emit_bind(emitter: FunctionEmitter, op: BindOp) -> None:
    shape, buffer = emitter.indices(op.index_list("shape")), emitter.name(op.buffer)
    owner, type = op.buffer.owner, op.buffer.type
    assert isinstance(type, MemRefType)
    if isinstance(owner, ViewOp) and DYNAMIC_INDEX in type.get_shape() and owner.parent is op.parent:
        shaped = emitter.bind(bind_view, "bind_view")
        emitter.add(f"{buffer} = {shaped}({emitter.op(op)}, {buffer}, {shape})")
    strides = emitter.indices(op.index_list("strides"))
    emitter.add(f"{emitter.bind(bind, 'bind')}({emitter.op(op)}, {buffer}, {shape}, {strides})")


def _emit_dim(emitter: FunctionEmitter, op: DimOp) -> None:
    emitter.set(op.res, f"{emitter.name(op.buffer)}.shape[{op.dimension.value.data}]")


def _emit_apply(emitter: FunctionEmitter, op: ApplyOp) -> None:
    if isinstance(op.res.type, VectorType):
        emitter.set(op.res, _spread(emitter, op.res.type, emitter.index(op.index, _lanes_of(emitter, op.res.type))))
    else:
        emitter.set(op.res, emitter.index(op.index))


def _emit_test(emitter: FunctionEmitter, op: TestOp) -> None:
    if isinstance(op.res.type, VectorType):
        mask = emitter.guard(op.conditions, _lanes_of(emitter, op.res.type))
        emitter.set(op.res, _spread(emitter, op.res.type, mask))
    else:
        true, false = emitter.bind(np.True_, "true"), emitter.bind(np.False_, "false")
        emitter.set(op.res, f"{true} if {emitter.guard(op.conditions)} else {false}")


def _lanes_of(emitter: FunctionEmitter, type: VectorType) -> str:
    return _lanes(emitter, type.get_shape()[0])


def _spread(emitter: FunctionEmitter, type: VectorType, text: str) -> str:
    return f"{emitter.bind(np.full, 'full')}({type.get_shape()[0]}, {text})"


def _emit_delinearize(emitter: FunctionEmitter, op: DelinearizeOp) -> None:
    extents, fused = emitter.indices(op.sizes), emitter.name(op.fused)
    positions = f"{emitter.bind(delinearize, 'delinearize')}({emitter.op(op)}, {fused}, {extents})"
    emitter.add(f"{tuple_text([emitter.define(r) for r in op.res])} = {positions}")


class WideAccess:
    """Checks the positions of an access whose instructions move `width` elements each, as `tw.width` and
    `tw.copy_bytes` state."""

    def __init__(self, op: LoadOp | StoreOp) -> None:
        self.op = op
        self.width = stated_width(op) or 0
        self.lanes = op.lanes or 1
        self.is_copy = copy_bytes(op) > 0
        self.first = first_element(op.buffer)
        if self.width < 1 or self.lanes % self.width:
            self._refuse(f"{self.lanes} elements are no multiple of that")
        if self.first is None:
            self._refuse("where its memory begins comes at run time")

    def __call__(self, buffer: Array, index: Sequence[Any], mask: Any = True) -> None:
        """Raise TW0731 where an instruction would not move elements that the lanes name, all or none of them."""
        lanes = (self.lanes,)
        active = np.broadcast_to(mask, lanes).reshape(-1, self.width)
        strides = [stride // buffer.itemsize for stride in buffer.strides]
        steps = [np.broadcast_to(np.asarray(e), lanes) * stride for e, stride in zip(index, strides, strict=True)]
        positions = (np.sum(steps, axis=0, dtype=np.int64) + (self.first or 0)).reshape(-1, self.width)
        started = active.any(axis=1)
        if self.is_copy and not active.all():
            self._refuse("its guard does not hold")
        if (started & ~active.all(axis=1)).any():
            self._refuse("its guard holds for a part of them")
        first = positions[:, 0]
        if (started & (first % self.width != 0)).any():
            self._refuse(f"they begin at element {int(first[started & (first % self.width != 0)][0])}")
        if (started & (positions != first[:, None] + np.arange(self.width)).any(axis=1)).any():
            self._refuse("they do not follow one another")

    def _refuse(self, reason: str) -> None:
        fail(
            "TW0731",
            f"expected {self.op.name} to access {self.width} elements of {name_of(self.op.buffer)} at once, all or "
            f"none of them, from a multiple of {self.width} on, but {reason}",
            op=self.op,
        )


EMIT: dict[str, Emit] = {
    "loop.alloc": _emit_alloc,
    "loop.apply": _emit_apply,
    "loop.bind": _emit_bind,
    "loop.constant": _emit_constant,
    "loop.delinearize": _emit_delinearize,
    "loop.dim": _emit_dim,
    "loop.load": _emit_load,
    "loop.prefetch": lambda emitter, op: None,
    "loop.prefetch_ahead": lambda emitter, op: None,
    "loop.store": _emit_store,
    "loop.test": _emit_test,
    "loop.view": _emit_view,
}
