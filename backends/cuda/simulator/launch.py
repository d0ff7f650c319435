"""Launching a kernel in the simulator: arguments, memory, blocks one after another, and errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from types import FunctionType, TracebackType
from typing import Any, NoReturn

import numpy as np

from ....diagnostics import fail
from ....diagnostics.locations import file_location
from ....hardware import (
    DEVICE_ALIGNMENT_BYTES,
    MOST_BLOCK_THREADS,
    MOST_BLOCKS_ALONG_AXES,
    MOST_THREADS_ALONG_AXES,
    SHARED_BYTES_OF_ARCH,
)
from .block import Block, Clock, Index
from .expressions import SharedArray
from .faults import Fault
from .memory import Memory, Shadow, dynamic_view, read_only, shadowed
from .source import Kernel, kernel_of
from .stamps import access_of
from .translate import Translation, translated
from .types import BOOL, FLOAT64, INT64, UINT8, ArrayType, Scalar, Type, scalar_of

Extent = int | Sequence[int]

_MOST_SHARED_BYTES = max(SHARED_BYTES_OF_ARCH.values())
"""Of a block, on the kind of GPU that has most."""


def launch(
    function: Kernel | FunctionType, grid: Extent, block: Extent, arguments: Sequence[Any], shared_bytes: int = 0
) -> None:
    """Run a kernel on `grid` blocks of `block` threads.

    `arguments` are numpy arrays and numbers. Arrays have to be contiguous; the kernel sees them as flat arrays and
    changes them in place. Numbers of numpy keep their type, Python's are int64 and float64. Raises TW0650 for a kernel
    with constructs that the simulator does not support, TW0658 for sizes or arguments that do not fit the kernel, and
    TW0651 to TW0659 for a fault of a thread, with the thread and the source location.
    """
    kernel = function if isinstance(function, Kernel) else kernel_of(function)
    blocks, threads = (
        _extents(kernel, "grid", grid, MOST_BLOCKS_ALONG_AXES),
        _extents(kernel, "block", block, MOST_THREADS_ALONG_AXES),
    )
    if prod(threads) > MOST_BLOCK_THREADS:
        _refuse(kernel, f"{prod(threads)} threads in a block", f"a block has at most {MOST_BLOCK_THREADS} threads")
    if len(arguments) != len(kernel.parameters):
        _refuse(kernel, f"{len(arguments)} arguments", f"it takes {len(kernel.parameters)}")
    given = [_argument(kernel, *pair) for pair in zip(kernel.parameters, arguments, strict=True)]
    types: dict[str, Type] = {name: argument.type for name, argument in zip(kernel.parameters, given, strict=True)}
    with np.errstate(all="ignore"):
        translation = translated(kernel, types)
        _Launch(kernel, translation, blocks, threads, shared_bytes).run(dict(zip(types, given, strict=True)))


@dataclass
class _Argument:
    type: ArrayType | Scalar
    value: Any


def _refuse(kernel: Kernel, what: str, why: str) -> NoReturn:
    location = file_location(kernel.file.path, kernel.node.lineno, kernel.node.col_offset + 1)
    fail("TW0658", f"'{kernel.name}' was launched with {what}: {why}", location=location)


def _extents(kernel: Kernel, what: str, extent: Extent, limits: Index) -> Index:
    given = (extent,) if isinstance(extent, int) else tuple(extent)
    if len(given) > 3 or any(not 1 <= size <= limit for size, limit in zip(given, limits, strict=False)):
        _refuse(kernel, f"a {what} of {given}", f"its extents are from 1 to {limits}")
    x, y, z = (*given, 1, 1, 1)[:3]
    return int(x), int(y), int(z)


def _argument(kernel: Kernel, name: str, value: Any) -> _Argument:
    if isinstance(value, np.ndarray):
        element = scalar_of(value.dtype)
        if element is None:
            _refuse(kernel, f"'{name}' of {value.dtype}", "kernels have no such elements")
        if not value.flags.c_contiguous:
            _refuse(kernel, f"'{name}', whose elements do not follow one another", "arrays are contiguous")
        return _Argument(ArrayType("global", element, name), value.reshape(-1).view(element.dtype))
    if isinstance(value, bool | np.bool_):
        return _Argument(BOOL, bool(value))
    type = scalar_of(value.dtype) if isinstance(value, np.generic) else None
    if type is None and isinstance(value, int | float):
        type = INT64 if isinstance(value, int) else FLOAT64
    if type is None:
        _refuse(kernel, f"'{name}', a {value.__class__.__name__}", "arguments are arrays of numpy and numbers")
    return _Argument(type, int(value) if type.is_integer else type.dtype.type(value))


@dataclass
class _Launch:
    kernel: Kernel
    translation: Translation
    blocks: Index
    threads: Index
    shared_bytes: int

    def run(self, arguments: dict[str, _Argument]) -> None:
        self._check_shared()
        clock = Clock()
        memories = self._global_memories(arguments, clock)
        values = [a.value for a in arguments.values() if isinstance(a.type, Scalar)]
        threads = [(x, y, z) for z, y, x in product(*map(range, reversed(self.threads)))]
        for z, y, x in product(*map(range, reversed(self.blocks))):
            shared, shadows = self._shared_memories()
            extents = (x, y, z, *self.threads, *self.blocks)
            clock.start_block(shadows)
            arrays = [(memories | shared)[name] for name in self.translation.arrays]
            function = self.translation.factory(*arrays, *values, *extents)
            block = Block(function, threads, clock, shadows, self.translation.yields)
            try:
                block.run()
            except Fault as fault:
                self._report(fault, block, (x, y, z), threads, clock)
            except ZeroDivisionError as error:
                fault = Fault("TW0659", "integer division by zero").with_traceback(error.__traceback__)
                self._report(fault, block, (x, y, z), threads, clock)
            except UnboundLocalError as error:
                fault = Fault("TW0653", str(error), help="assign it where every thread passes before the use")
                self._report(fault.with_traceback(error.__traceback__), block, (x, y, z), threads, clock)

    def _check_shared(self) -> None:
        arrays = self.translation.shared.values()
        static = sum(array.size * array.element.itemsize for array in arrays)
        if static + self.shared_bytes > _MOST_SHARED_BYTES:
            needed = f"{static} bytes of static and {self.shared_bytes} of dynamic shared memory"
            _refuse(self.kernel, needed, f"a block has at most {_MOST_SHARED_BYTES}")

    def _global_memories(self, arguments: dict[str, _Argument], clock: Clock) -> dict[str, Memory]:
        """Return memory for each array; arguments that are one array share it."""
        arrays = {name: a for name, a in arguments.items() if isinstance(a.type, ArrayType)}
        made: dict[str, Memory] = {}
        owners = self.kernel.owners
        for name, argument in arrays.items():
            assert isinstance(argument.type, ArrayType)
            if name in owners:
                made[name] = _scratch_memory(name, argument.type.element, argument.value, owners[name], clock)
                continue
            same = self._aliases(name, arrays)
            known = next((other for other in same if other in made), None)
            if known is not None:
                made[name] = made[known]
                continue
            written = any(other in self.translation.written for other in same)
            if written and not argument.value.flags.writeable:
                _refuse(self.kernel, f"'{name}', which cannot be written", "the kernel writes it")
            made[name] = _global_memory(name, argument.type.element, argument.value, written, clock)
        return made

    def _aliases(self, name: str, arrays: dict[str, _Argument]) -> list[str]:
        """Return the names of the same array, this one included; refuse written arrays that overlap in part."""
        array, same = arrays[name].value, [name]
        for other, argument in arrays.items():
            value = argument.value
            if other == name or not np.may_share_memory(array, value):
                continue
            if (array.ctypes.data, array.dtype, array.size) == (value.ctypes.data, value.dtype, value.size):
                same.append(other)
            elif {name, other} & self.translation.written:
                _refuse(self.kernel, f"'{name}' and '{other}', which overlap", "the kernel writes one of them")
        return same

    def _shared_memories(self) -> tuple[dict[str, Memory], list[Shadow]]:
        made: dict[str, Memory] = {}
        shadows: list[Shadow] = []
        for array in self.translation.shared.values():
            if array.size:
                shadow = Shadow(array.name, "shared", array.size, initialised=False)
                made[array.name] = shadowed(array.name, array.element, shadow.nothing(), shadow, array.alignment)
                shadows.append(shadow)
        dynamic = [array for array in self.translation.shared.values() if not array.size]
        if dynamic:
            made |= _dynamic_memories(dynamic, self.shared_bytes, shadows)
        return made, shadows

    def _report(self, fault: Fault, block: Block, index: Index, threads: list[Index], clock: Clock) -> NoReturn:
        """Raise the fault of a thread as an error."""
        line, column = self._position(fault.line, fault.__traceback__)
        notes: list[str] = []
        if fault.other is not None:
            notes.append(self._other(*fault.other, threads, clock))
        message = f"{fault.message}, in thread {threads[block.current]} of block {index} of '{self.kernel.name}'"
        location = file_location(self.kernel.file.path, line, column)
        fail(fault.code, message, location=location, notes=notes, help=fault.help)

    def _other(self, did: str, stamp: int, threads: list[Index], clock: Clock) -> str:
        access = access_of(stamp)
        number = sum(1 for begin in clock.begins if begin <= access.epoch) - 1
        x, rest = number % self.blocks[0], number // self.blocks[0]
        block = (x, rest % self.blocks[1], rest // self.blocks[1])
        who = f"thread {threads[access.thread]}" if access.thread is not None else "several threads"
        return f"{who} of block {block} {did} it in line {access.line}"

    def _position(self, line: int | None, traceback: TracebackType | None) -> tuple[int, int]:
        """Return the line and column of the source: the given line's, or where the code of the kernel stopped."""
        position = (line or self.kernel.node.lineno, 1)
        while traceback is not None:
            if traceback.tb_frame.f_code.co_filename == self.translation.code.co_filename:
                position = self.translation.positions[traceback.tb_lineno - 1]
            traceback = traceback.tb_next
        if line is not None and position[0] != line:
            position = (line, next((column for at, column in self.translation.positions if at == line), 1))
        return position


def _scratch_memory(name: str, element: Scalar, array: np.ndarray, owner: str, clock: Clock) -> Memory:
    """Return scratch in global memory, which is uninitialised before the launch and dropped after it."""
    shadow = Shadow(name, "global", array.size, initialised=False, owner=owner)
    clock.shadows.append(shadow)
    return shadowed(name, element, shadow.nothing(), shadow, _alignment(array))


def _global_memory(name: str, element: Scalar, array: np.ndarray, written: bool, clock: Clock) -> Memory:
    data: Any = memoryview(array.data) if element.is_integer else array
    if not written:
        return read_only(name, element, data, array.size, _alignment(array))
    shadow = Shadow(name, "global", array.size, initialised=True)
    clock.shadows.append(shadow)
    return shadowed(name, element, data, shadow, _alignment(array))


def _alignment(array: np.ndarray) -> int:
    owner = array
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    offset = array.ctypes.data - owner.ctypes.data
    return min(offset & -offset, DEVICE_ALIGNMENT_BYTES) if offset else DEVICE_ALIGNMENT_BYTES


def _dynamic_memories(arrays: list[SharedArray], size: int, shadows: list[Shadow]) -> dict[str, Memory]:
    """Return dynamic shared memory: every array begins at its start, with cells of the smallest element."""
    cell = min((array.element for array in arrays), key=lambda element: element.itemsize)
    shadow = Shadow(arrays[0].name, "shared", size // cell.itemsize, initialised=False)
    shadows.append(shadow)
    if all(array.element == cell for array in arrays):
        nothing = shadow.nothing()
        return {a.name: shadowed(a.name, a.element, nothing, shadow, max(a.alignment, 16)) for a in arrays}
    contents = np.full(size, 0xFF, np.uint8)  # NaN in every float
    cells = shadowed(arrays[0].name, UINT8, shadow.nothing(), shadow, 16)
    made: dict[str, Memory] = {}
    for array in arrays:
        ratio = array.element.itemsize // cell.itemsize
        view = contents[: size // array.element.itemsize * array.element.itemsize].view(array.element.dtype)
        data: Any = memoryview(view.data) if array.element.is_integer else view
        made[array.name] = dynamic_view(array.name, array.element, data, cells, ratio, max(array.alignment, 16))
    return made
