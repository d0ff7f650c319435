"""Calls whose kernels run on a GPU, on arrays of whatever library the caller works with.

A call launches its kernels and returns; nothing waits for the device. It runs in the stream that `stream=` names, else
in the one that the library of the first argument is working in, else in the one that an array says its values come
from, else in the default stream. Where an array says that its values come from another stream, the device waits for
that one. Outputs that the caller does not give are made by the library of the first argument.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import lcm
from typing import Any, NamedTuple, NoReturn, TypeVar

from ..arguments import Argument, Signature
from ..buffers import Array
from ..checked_call import CheckedCall, Outputs
from ..errors import fail
from ..extent import Extent
from .device_program import Arena, DeviceProgram, Launches, Resident
from .driver import Driver, KernelLaunch
from .foreign import foreign_array, is_on_device, refuse_host, stated_device, stream_handle
from .kinds import Kind, empty, kind_of
from .layout import ALIGNMENT, ForeignArray, Layout, arena_layout, flat, layout
from .program import LAUNCHES_KERNELS, Buffer, Entry, Launch, Numbers, evaluated, launches

KEPT = 64
"""For so many sets of layouts a function remembers what follows from them."""
MISALIGNED, OTHER_DEVICE = "TW0640", "TW0641"


_K = TypeVar("_K")
_V = TypeVar("_V")


class _Plan:
    """The launches of a call with certain sizes, and the layout of its arena."""

    def __init__(self, entry: Entry, sizes: Mapping[str, int], max_threads: int) -> None:
        self.launches: list[tuple[Launch, Numbers, Numbers]] = launches(entry, sizes, max_threads)
        self.offsets, self.arena_size = arena_layout(entry, sizes)
        self.counts = [0 if b.kind == "argument" else b.count(sizes) for b in entry.buffers]


class _Fit(NamedTuple):
    """The sizes and the plan for layouts of arrays that fit the signature."""

    stated: Mapping[str, int]
    """The sizes that callers may state."""
    sizes: Mapping[str, int]
    """The sizes that kernels get."""
    plan: _Plan


class DeviceCall(CheckedCall):
    """Calls on arrays of the device; on arrays of the host, which are copied there and back, where `copy` says so.

    Raises TW0634 where there is no GPU, TW0633 for an array of the host that nobody asked to copy, TW0635 for kernels
    that cannot be compiled, TW0640 for arrays that vectors cannot be loaded from, TW0641 for arrays of several GPUs,
    TW0642 for what the driver refuses, TW0644 for a GPU that is too old, TW0645 for what is no stream, beside the
    errors of other calls.
    """

    serial = LAUNCHES_KERNELS
    device_kinds = ("cuda",)

    def __init__(self, entry: Entry, program: DeviceProgram, copy: bool) -> None:
        super().__init__(entry.signature)
        self._entry = entry
        self._program = program
        self._copy = copy
        self._multiples = [
            lcm(argument.dtype.itemsize, wanted) for argument, wanted in zip(self.signature.arguments, entry.alignments)
        ]
        """The alignment that the address of each argument has to have, in bytes."""
        self._fits: dict[tuple[Layout, ...], _Fit] = {}
        self._made: dict[tuple[Layout, ...], list[tuple[int, ...]]] = {}
        """Layouts of inputs, and the shapes of outputs that are made for them."""
        self._plans: dict[tuple[int, ...], _Plan] = {}
        self._last_stream = (0, 0)

    def __call__(
        self,
        *arrays: object,
        out: Outputs | None = None,
        threads: int | None = None,
        stream: object = None,
        **named: object,
    ) -> Any:
        """Run the function in a stream; see `Function`."""
        driver = self._program.driver  # no device is the first thing to say
        inputs, outputs, sizes = _given(self.signature, arrays, named, out)
        if self._copy and not any(map(is_on_device, (*inputs, *(outputs or ())))):
            return super().__call__(*arrays, out=out, threads=threads, **named)
        self._expect_threads(threads)
        results = self._on_device(driver, inputs, outputs, sizes, stream)
        if outputs is not None and out is None:
            return None
        return results[0] if len(results) == 1 else tuple(results)

    def run(self, inputs: Mapping[str, object], out: Outputs | None, threads: int | None) -> dict[str, Any]:
        """Run the function on inputs by name; the outputs by name."""
        results = self(out=out, threads=threads, **inputs)
        results = results if isinstance(results, tuple) else (results,)
        return {a.name: o for a, o in zip(self.signature.outputs, results)}

    def synchronize(self) -> None:
        """Wait until the device has done the last call. Raises TW0730 where an index was out of bounds since the last
        time that anybody asked, in this function or another one of the program."""
        device, stream = self._last_stream
        driver = self._program.driver
        before = driver.use(device)
        try:
            driver.synchronize(stream)
            self._program.on(device).report(stream)
        finally:
            driver.leave(before)

    def _on_device(
        self,
        driver: Driver,
        inputs: Sequence[object],
        outputs: Sequence[object] | None,
        stated: Mapping[str, object],
        stream: object,
    ) -> Sequence[Any]:
        values = [*inputs, *(outputs or ())]
        device = _device_of(driver, self.signature.arguments, values)
        before = driver.use(device)
        try:
            kind = kind_of(values[0] if values else None, driver)
            used = self._stream(kind, device, stream, values)
            given = [foreign_array(a, v, used) for a, v in zip(self.signature.arguments, values)]
            results = outputs
            if results is None:
                shapes = self._output_shapes(tuple([array.layout for array in given]))
                made = zip(self.signature.outputs, shapes)
                results = [empty(kind, shape, a.dtype, device, used, driver) for a, shape in made]
                given += [foreign_array(a, v, used) for a, v in zip(self.signature.outputs, results)]
            fit = self._fit(tuple([array.layout for array in given]))
            if stated:
                self.signature.check_sizes(stated, fit.stated)
            self._check(driver, given, device)
            _wait_for_others(driver, given, used)
            self._launch(driver, self._program.on(device), given, fit, used)
        finally:
            driver.leave(before)
        self._last_stream = (device, used)
        return results

    def _stream(self, kind: Kind, device: int, stream: object, values: Sequence[Any]) -> int:
        """Return the stream of a call."""
        if stream is not None:
            return stream_handle(stream)
        current = kind.stream(device)
        if current is not None:
            return current
        for value in values:
            interface: Any = getattr(value, "__cuda_array_interface__", None)
            if interface is not None and interface.get("stream") is not None:
                return _normal(int(interface["stream"]))
        return 0

    def _fit(self, layouts: tuple[Layout, ...]) -> _Fit:
        """Return the sizes and the plan for the layouts of all arguments, cached because callers repeat layouts. Raises
        for layouts that the kernels cannot work on."""
        fit = self._fits.get(layouts)
        if fit is None:
            stated = self.signature.bind(layouts)
            for argument, given in zip(self.signature.arguments, layouts):
                _check_strides(argument, given)
            sizes = self._entry.sizes_of(layouts)
            fit = _keep(self._fits, layouts, _Fit(stated, sizes, self._plan(sizes)))
        return fit

    def _output_shapes(self, layouts: tuple[Layout, ...]) -> list[tuple[int, ...]]:
        """Return the shapes of the outputs for the layouts of the inputs, which are kept for later calls."""
        shapes = self._made.get(layouts)
        if shapes is None:
            shapes = _keep(self._made, layouts, _output_shapes(self.signature, self.signature.bind(layouts)))
        return shapes

    def _check(self, driver: Driver, given: Sequence[ForeignArray], device: int) -> None:
        """Raise for arrays whose memory the kernels cannot work on; layouts are checked elsewhere."""
        if driver.count() > 1:
            self._check_devices(driver, given, device)
        inputs = len(self.signature.inputs)
        ranges: list[tuple[int, int]] = []
        for number, (array, multiple) in enumerate(zip(given, self._multiples)):
            low = array.address
            if low % multiple:
                self._refuse_misaligned(number, low)
            high = low + array.layout.nbytes
            if number >= inputs:
                if array.is_read_only:
                    name = self.signature.arguments[number].name
                    fail("TW0707", f"expected output '{name}' to be writable, but it is read-only")
                for other, (first, last) in enumerate(ranges):
                    if low < last and first < high:
                        self._refuse_overlap(other, number)
            ranges.append((low, high))

    def _check_devices(self, driver: Driver, given: Sequence[ForeignArray], device: int) -> None:
        """Raise TW0641 where an array lies on another device than the call's."""
        for argument, array in zip(self.signature.arguments, given):
            if 0 in array.layout.shape:
                continue
            other = driver.device_of(array.address) if array.device is None else array.device
            if other != device:
                fail(
                    OTHER_DEVICE,
                    f"expected argument '{argument.name}' on GPU {device} like the arguments before it, but it is on "
                    f"GPU {other}",
                )

    def _refuse_misaligned(self, number: int, address: int) -> NoReturn:
        argument, wanted = self.signature.arguments[number], self._entry.alignments[number]
        size = argument.dtype.itemsize
        if address % size:
            fail("TW0707", f"expected argument '{argument.name}' to be aligned to its elements, but it is not")
        fail(
            MISALIGNED,
            f"expected argument '{argument.name}' to begin at a multiple of {wanted} bytes, but it is "
            f"{address % wanted} bytes past one",
            help="pass a copy, which begins at a multiple of 256, or a slice that begins at a multiple of "
            f"{wanted // size} elements",
        )

    def _refuse_overlap(self, number: int, output: int) -> NoReturn:
        first, second = self.signature.arguments[number].name, self.signature.arguments[output].name
        fail("TW0706", f"expected output '{second}' to be disjoint from '{first}', but they share memory")

    def _plan(self, sizes: dict[str, int]) -> _Plan:
        """Return the plan for these sizes, cached."""
        key = tuple(sizes.values())
        plan = self._plans.get(key)
        if plan is None:
            plan = _keep(self._plans, key, _Plan(self._entry, sizes, self._program.program.max_threads))
        return plan

    def _launch(
        self, driver: Driver, resident: Resident, given: Sequence[ForeignArray], fit: _Fit, stream: int
    ) -> None:
        arena = resident.take(stream, fit.plan.arena_size)
        try:
            self._launch_all(driver, resident, fit.plan, given, arena, fit.sizes, stream)
        finally:
            resident.give_back(stream, arena)

    def _launch_all(
        self,
        driver: Driver,
        resident: Resident,
        plan: _Plan,
        arguments: Sequence[ForeignArray],
        arena: Arena,
        sizes: Mapping[str, int],
        stream: int,
    ) -> None:
        """Launch the kernels.

        What an arena was used for is launched again with other addresses: a call owns its arena while it launches.
        """
        launches = arena.launches.get(plan)
        if launches is None:
            made = self._prepare(driver, resident, plan, arguments, arena, sizes, stream)
            launches = _keep(arena.launches, plan, made)
        prepared, uses = launches
        words = prepared.words
        for word, number, offset in uses:
            words[word] = arguments[number].address + offset
        driver.launch(prepared)

    def _prepare(
        self,
        driver: Driver,
        resident: Resident,
        plan: _Plan,
        arguments: Sequence[ForeignArray],
        arena: Arena,
        sizes: Mapping[str, int],
        stream: int,
    ) -> Launches:
        """Return the launches of a plan in an arena, and where the addresses of the arguments stand in their words."""
        arrays = self._words(resident, plan, arguments, arena.address)
        launches: list[KernelLaunch] = []
        uses: list[tuple[int, int, int]] = []
        before = 0
        for launch, blocks, threads in plan.launches:
            words: list[int] = []
            for parameter in launch.parameters:
                if isinstance(parameter, str):
                    words.append(sizes[parameter])
                    continue
                argument, offset = self._argument_of(parameter)
                if argument is not None:
                    uses.append((before + len(words) + _ADDRESS, argument, offset))
                words += arrays[parameter]
            function = resident.function(launch.kernel)
            launches.append(KernelLaunch(function, blocks, threads, launch.dynamic_shared, words))
            before += len(words)
        return driver.prepare(launches, stream), uses

    def _words(self, resident: Resident, plan: _Plan, arguments: Sequence[ForeignArray], arena: int) -> list[list[int]]:
        """Return the words by which each buffer is passed."""
        words: list[list[int]] = []
        for number, buffer in enumerate(self._entry.buffers):
            address, count = 0, plan.counts[number]
            if buffer.kind == "argument":
                array = arguments[buffer.number]
                address, count = array.address, array.layout.count
            elif buffer.kind == "temporary":
                address = arena + plan.offsets[number]
            elif buffer.kind == "constant":
                address = resident.constants[buffer.number]
            elif buffer.kind == "record":
                address, count = resident.record, resident.checks.record_size
            else:  # a view
                address = words[buffer.number][_ADDRESS] + buffer.offset
            words.append(_array_words(buffer, address, count))
        return words

    def _argument_of(self, number: int) -> tuple[int | None, int]:
        """Return the argument whose memory a buffer is, None for others, and where it begins in it."""
        offset = 0
        while (buffer := self._entry.buffers[number]).kind == "view":
            offset += buffer.offset
            number = buffer.number
        return (buffer.number if buffer.kind == "argument" else None), offset

    def _invoke(self, arrays: list[Array], threads: int) -> int:
        """Run on arrays of the host: copy them to the device, and results back."""
        driver, device, stream = self._program.driver, 0, 0
        before = driver.use(device)
        try:
            resident = self._program.on(device)
            sizes = self._entry.sizes_of(arrays)
            plan = self._plan(sizes)
            elements = [flat(array) for array in arrays]
            offsets, end = list[int](), plan.arena_size
            for array in elements:
                offsets.append(end)
                end += -(-max(array.nbytes, 1) // ALIGNMENT) * ALIGNMENT
            arena = resident.take(stream, end)
            try:
                for offset, array in zip(offsets, elements):
                    driver.upload(arena.address + offset, array, stream)
                arguments = [
                    ForeignArray(arena.address + offset, layout(array.shape, None, array.dtype))
                    for offset, array in zip(offsets, elements)
                ]
                self._launch_all(driver, resident, plan, arguments, arena, sizes, stream)
                for offset, array in list(zip(offsets, elements))[len(self.signature.inputs) :]:
                    driver.download(array, arena.address + offset, stream)
                resident.report(stream)
            finally:
                resident.give_back(stream, arena)
        finally:
            driver.leave(before)
        self._last_stream = (device, stream)
        return 0


def _keep(kept: dict[_K, _V], key: _K, value: _V) -> _V:
    """Remember a value; all others are forgotten where there are too many."""
    if len(kept) >= KEPT:
        kept.clear()
    kept[key] = value
    return value


_ADDRESS = 4


def _array_words(buffer: Buffer, address: int, count: int) -> list[int]:
    """Return the words by which numba passes a flat array: two words for the host's use, the number of elements, the
    bytes of each, the address, the extent, and the stride in bytes."""
    size = buffer.dtype.itemsize
    return [0, 0, count, size, address, count, size]


def _given(
    signature: Signature, arrays: Sequence[object], named: Mapping[str, object], out: Outputs | None
) -> tuple[Sequence[object], Sequence[object] | None, dict[str, object]]:
    """Return the inputs, the outputs where the caller gives them, and the sizes that the caller states."""
    if named:
        names = [a.name for a in signature.inputs]
        if arrays or set(named) != set(names):
            fail("TW0702", f"expected inputs {', '.join(names)} by name, but got {', '.join(named) or 'others'}")
        arrays = [named[name] for name in names]
    given, outputs, sizes = signature.split(arrays)
    if out is not None:
        outputs = signature.ordered_outputs(out if isinstance(out, (Mapping, list, tuple)) else [out])
    _check_number(given, signature.inputs)
    if outputs is not None:
        _check_number(outputs, signature.outputs)
    return given, outputs, sizes


def _check_number(values: Sequence[object], expected: Sequence[Argument]) -> None:
    if len(values) != len(expected):
        fail("TW0701", f"expected {len(expected)} arrays, but got {len(values)}")


def _device_of(driver: Driver, arguments: Sequence[Argument], values: Sequence[Any]) -> int:
    """Return the device that a call's arrays lie on: the one that the first of them says, or that its memory is of."""
    for argument, value in zip(arguments, values):
        if not is_on_device(value):
            refuse_host(argument, value)
        if driver.count() == 1:
            return 0
        device = stated_device(value)
        if device is not None:
            return device
        address = int(value.__cuda_array_interface__["data"][0] or 0)
        if address:
            before = driver.use(0)
            try:
                return driver.device_of(address)
            finally:
                driver.leave(before)
    return 0


def _check_strides(argument: Argument, array: Layout) -> None:
    """Raise TW0707 for strides that the kernels do not go by."""
    size = argument.dtype.itemsize
    if argument.strides is None:
        if not array.is_dense:
            fail(
                "TW0707",
                f"expected argument '{argument.name}' to be C-contiguous, but its strides are {[*array.strides]} bytes",
                help="pass a contiguous copy, or build with binds={...} for arguments with strides",
            )
    elif any(
        n > 1 and (s % size or s < 0 or want not in (None, s // size))
        for n, s, want in zip(array.shape, array.strides, argument.strides)
    ):
        wanted = ", ".join("any" if s is None else str(s * size) for s in argument.strides)
        fail(
            "TW0707",
            f"expected argument '{argument.name}' to have strides of [{wanted}] bytes, none of them negative, but got "
            f"{[*array.strides]}",
        )


def _output_shapes(signature: Signature, sizes: Mapping[str, int]) -> list[tuple[int, ...]]:
    """Return the shapes of the outputs. Raises TW0712 where no input has a size of theirs."""
    shapes: list[tuple[int, ...]] = []
    for argument in signature.outputs:
        missing = {n for d in argument.shape if isinstance(d, Extent) for n in d.symbols() if n not in sizes}
        if missing:
            fail(
                "TW0712",
                f"expected output '{argument.name}' as an argument: no input has size {min(missing)}",
                help="pass all arguments; outputs are written in place",
            )
        shapes.append(tuple(evaluated(d, sizes) for d in argument.shape))
    return shapes


def _normal(stream: int) -> int:
    """Return the driver's number of a stream: 1 says the default stream as well."""
    return 0 if stream == 1 else stream


def _wait_for_others(driver: Driver, given: Sequence[ForeignArray], stream: int) -> None:
    """Let a stream wait for those that the arrays' values come from."""
    streams = {array.stream for array in given}
    if streams != {None}:
        for other in sorted({_normal(s) for s in streams if s is not None} - {_normal(stream)}):
            driver.wait(stream, other)
