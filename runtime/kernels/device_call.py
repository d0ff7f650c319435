"""Calls whose kernels run on a GPU, on arrays of whatever library the caller works with.

A call launches its kernels and returns; nothing waits for the device. It runs in the stream that `stream=` names, else
in the one that the library of the first argument is working in, else in the one that an array says its values come
from, else in the default stream. Where an array says that its values come from another stream, the device waits for
that one. Outputs that the caller does not give are made by the library of the first argument.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...diagnostics import fail
from ..arguments import Argument, Signature
from ..buffers import Array
from ..checked_call import CheckedCall, Outputs
from ..extent import Extent
from .arrays import ALIGNMENT, arena_layout, flat, span
from .device_program import Arena, DeviceProgram, Launches, Resident
from .driver import Driver, Prepared
from .foreign import ForeignArray, foreign_array, is_on_device, stated_device, stream_handle
from .kinds import Kind, empty, kind_of
from .program import Buffer, Entry, Launch, Numbers, evaluated, launches

ASKEW, OTHER_DEVICE = "TW0640", "TW0641"


class _Plan:
    """What a call with certain sizes does."""

    def __init__(self, entry: Entry, sizes: Mapping[str, int], max_threads: int) -> None:
        self.launches: list[tuple[Launch, Numbers, Numbers]] = launches(entry, sizes, max_threads)
        self.places, self.arena_size = arena_layout(entry, sizes)
        self.counts = [0 if b.kind == "argument" else b.count(sizes) for b in entry.buffers]


class DeviceCall(CheckedCall):
    """Calls on arrays of the device; on arrays of the host, which are copied there and back, where `copy` says so.

    Raises TW0634 where there is no GPU, TW0633 for an array of the host that nobody asked to copy, TW0635 for kernels
    that cannot be compiled, TW0640 for arrays that vectors cannot be loaded from, TW0641 for arrays of several GPUs,
    TW0642 for what the driver refuses, TW0644 for a GPU that is too old, TW0645 for what is no stream, beside the
    errors of other calls.
    """

    def __init__(self, entry: Entry, program: DeviceProgram, copy: bool) -> None:
        super().__init__(entry.signature)
        self._entry = entry
        self._program = program
        self._copy = copy
        self._last_plan: tuple[tuple[int, ...], _Plan] | None = None
        self._last_place = (0, 0)

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
        results = self._on_device(driver, inputs, outputs, sizes, stream)
        if outputs is not None and out is None:
            return None
        return results[0] if len(results) == 1 else tuple(results)

    def run(self, inputs: Mapping[str, object], out: Outputs | None, threads: int | None) -> dict[str, Any]:
        """Run the function on inputs by name; the outputs by name."""
        results = self(out=out, threads=threads, **inputs)
        results = results if isinstance(results, tuple) else (results,)
        return {a.name: o for a, o in zip(self.signature.outputs, results, strict=True)}

    def synchronize(self) -> None:
        """Wait until the device has done the last call."""
        device, stream = self._last_place
        driver = self._program.driver
        before = driver.use(device)
        try:
            driver.synchronize(stream)
        finally:
            driver.leave(before)

    def _on_device(
        self,
        driver: Driver,
        inputs: Sequence[object],
        outputs: Sequence[object] | None,
        stated: Mapping[str, object],
        stream: object,
    ) -> list[Any]:
        values = [*inputs, *(outputs or ())]
        device = _device_of(driver, self.signature.arguments, values)
        before = driver.use(device)
        try:
            kind = kind_of(values, driver)
            place = self._stream(kind, device, stream, values)
            given = [foreign_array(a, v, place) for a, v in zip(self.signature.arguments, values, strict=False)]
            results = list(outputs or ())
            if outputs is None:
                sizes = self.signature.bind(given)
                results = _allocate(self.signature, sizes, kind, device, place, driver)
                made = zip(self.signature.outputs, results, strict=True)
                given += [foreign_array(a, v, place) for a, v in made]
            self.signature.check_sizes(stated, self.signature.bind(given))
            self._check(driver, given, device)
            _wait_for_others(driver, given, place)
            self._launch(driver, self._program.on(device), given, place)
        finally:
            driver.leave(before)
        self._last_place = (device, place)
        return results

    def _stream(self, kind: Kind, device: int, stream: object, values: Sequence[Any]) -> int:
        """The stream of a call."""
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

    def _check(self, driver: Driver, given: Sequence[ForeignArray], device: int) -> None:
        """Raise for arrays that the kernels cannot work on."""
        inputs, several = len(self.signature.inputs), driver.count() > 1
        for number, (argument, array) in enumerate(zip(self.signature.arguments, given, strict=True)):
            if several and 0 not in array.shape and (other := driver.device_of(array.address)) != device:
                fail(
                    OTHER_DEVICE,
                    f"expected argument '{argument.name}' on GPU {device} like the arguments before it, but it is on "
                    f"GPU {other}",
                )
            _check_layout(argument, array)
            if number >= inputs and array.is_read_only:
                fail("TW0707", f"expected output '{argument.name}' to be writable, but it is read-only")
            wanted = self._entry.alignments[number]
            if array.address % wanted:
                fail(
                    ASKEW,
                    f"expected argument '{argument.name}' to begin at a multiple of {wanted} bytes, but it is "
                    f"{array.address % wanted} bytes past one",
                    help="pass a copy, which begins at a multiple of 256, or a slice that begins at a multiple of "
                    f"{wanted // argument.dtype.itemsize} elements",
                )
        _check_apart(self.signature, given)

    def _plan(self, sizes: dict[str, int]) -> _Plan:
        """What to do for these sizes. That of the last call is kept."""
        key, last = tuple(sizes.values()), self._last_plan
        if last is None or last[0] != key:
            last = key, _Plan(self._entry, sizes, self._program.program.max_threads)
            self._last_plan = last
        return last[1]

    def _launch(self, driver: Driver, resident: Resident, given: Sequence[ForeignArray], stream: int) -> None:
        sizes = self._entry.sizes_of(given)
        plan = self._plan(sizes)
        arena = resident.take(stream, plan.arena_size)
        try:
            arguments = [(array.address, span(array)) for array in given]
            self._launch_all(driver, resident, plan, arguments, arena, sizes, stream)
        finally:
            resident.give_back(stream, arena)

    def _launch_all(
        self,
        driver: Driver,
        resident: Resident,
        plan: _Plan,
        arguments: Sequence[tuple[int, int]],
        arena: Arena,
        sizes: Mapping[str, int],
        stream: int,
    ) -> None:
        """Launch the kernels. `arguments` are addresses and numbers of elements.

        What an arena was used for last is launched again with other addresses: a call owns its arena while it launches.
        """
        if arena.launches is None or arena.launches[0] is not plan:
            arena.launches = self._prepare(driver, resident, plan, arguments, arena, sizes, stream)
        _, prepared, uses = arena.launches
        for (address, _), places in zip(arguments, uses, strict=True):
            for words, place, offset in places:
                words[place] = address + offset
        for launch in prepared:
            driver.launch(launch)

    def _prepare(
        self,
        driver: Driver,
        resident: Resident,
        plan: _Plan,
        arguments: Sequence[tuple[int, int]],
        arena: Arena,
        sizes: Mapping[str, int],
        stream: int,
    ) -> Launches:
        """The launches of a plan in an arena, and where the addresses of the arguments stand in their words."""
        arrays = self._words(resident, plan, arguments, arena.address)
        prepared: list[Prepared] = []
        uses: list[list[tuple[Any, int, int]]] = [[] for _ in arguments]
        for launch, blocks, threads in plan.launches:
            words: list[int] = []
            found: list[tuple[int, int, int]] = []
            for parameter in launch.parameters:
                if isinstance(parameter, str):
                    words.append(sizes[parameter])
                    continue
                argument, offset = self._argument_of(parameter)
                if argument is not None:
                    found.append((argument, len(words) + _ADDRESS, offset))
                words += arrays[parameter]
            function = resident.function(launch.kernel)
            ready = driver.prepare(function, blocks, threads, launch.dynamic_shared, stream, words)
            prepared.append(ready)
            for argument, place, offset in found:
                uses[argument].append((ready.words, place, offset))
        return plan, prepared, uses

    def _words(
        self, resident: Resident, plan: _Plan, arguments: Sequence[tuple[int, int]], arena: int
    ) -> list[list[int]]:
        """How each buffer is passed."""
        words: list[list[int]] = []
        for number, buffer in enumerate(self._entry.buffers):
            address, count = 0, plan.counts[number]
            match buffer.kind:
                case "argument":
                    address, count = arguments[buffer.number]
                case "temporary":
                    address = arena + plan.places[number]
                case "constant":
                    address = resident.constants[buffer.number]
                case "view":
                    address = words[buffer.number][_ADDRESS] + buffer.offset
            words.append(_array_words(buffer, address, count))
        return words

    def _argument_of(self, number: int) -> tuple[int | None, int]:
        """The argument whose memory a buffer is, None for others, and where it begins in it."""
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
            places, end = list[int](), plan.arena_size
            for array in elements:
                places.append(end)
                end += -(-max(array.nbytes, 1) // ALIGNMENT) * ALIGNMENT
            arena = resident.take(stream, end)
            try:
                for place, array in zip(places, elements, strict=True):
                    driver.upload(arena.address + place, array, stream)
                arguments = [(arena.address + p, array.size) for p, array in zip(places, elements, strict=True)]
                self._launch_all(driver, resident, plan, arguments, arena, sizes, stream)
                for place, array in list(zip(places, elements, strict=True))[len(self.signature.inputs) :]:
                    driver.download(array, arena.address + place, stream)
            finally:
                resident.give_back(stream, arena)
        finally:
            driver.leave(before)
        self._last_place = (device, stream)
        return 0


_ADDRESS = 4


def _array_words(buffer: Buffer, address: int, count: int) -> list[int]:
    """How numba passes a flat array: two words for the host's use, the elements, the bytes of each, the address, the
    extent, and the stride in bytes."""
    size = buffer.dtype.itemsize
    return [0, 0, count, size, address, count, size]


def _given(
    signature: Signature, arrays: Sequence[object], named: Mapping[str, object], out: Outputs | None
) -> tuple[Sequence[object], Sequence[object] | None, dict[str, object]]:
    """The inputs, the outputs where the caller gives them, and the sizes that the caller states."""
    if named:
        names = [a.name for a in signature.inputs]
        if arrays or set(named) != set(names):
            fail("TW0702", f"expected inputs {', '.join(names)} by name, but got {', '.join(named) or 'others'}")
        arrays = [named[name] for name in names]
    given, outputs, sizes = signature.split(arrays)
    if out is not None:
        outputs = signature.ordered_outputs(out if isinstance(out, (Mapping, list, tuple)) else [out])
    for values, expected in ((given, signature.inputs), (outputs, signature.outputs)):
        if values is not None and len(values) != len(expected):
            fail("TW0701", f"expected {len(expected)} arrays, but got {len(values)}")
    return given, outputs, sizes


def _device_of(driver: Driver, arguments: Sequence[Argument], values: Sequence[Any]) -> int:
    """The device that a call's arrays lie on: the one that the first of them says, or that its memory is of."""
    if driver.count() == 1:
        return 0
    for argument, value in zip(arguments, values, strict=False):
        if not is_on_device(value):
            foreign_array(argument, value, 0)  # which says what is wrong
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


def _check_layout(argument: Argument, array: ForeignArray) -> None:
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
        for n, s, want in zip(array.shape, array.strides, argument.strides, strict=True)
    ):
        wanted = ", ".join("any" if s is None else str(s * size) for s in argument.strides)
        fail(
            "TW0707",
            f"expected argument '{argument.name}' to have strides of [{wanted}] bytes, none of them negative, but got "
            f"{[*array.strides]}",
        )
    if array.address % size:
        fail("TW0707", f"expected argument '{argument.name}' to be aligned to its elements, but it is not")


def _check_apart(signature: Signature, given: Sequence[ForeignArray]) -> None:
    """Raise TW0706 where an output shares memory with another argument."""
    ranges = [(array.address, array.address + span(array) * array.itemsize) for array in given]
    for number in range(len(signature.inputs), len(given)):
        low, high = ranges[number]
        for other in range(number):
            if low < ranges[other][1] and ranges[other][0] < high:
                first, second = signature.arguments[other].name, signature.arguments[number].name
                fail("TW0706", f"expected output '{second}' to be apart from '{first}', but they share memory")


def _allocate(
    signature: Signature, sizes: Mapping[str, int], kind: Kind, device: int, stream: int, driver: Driver
) -> list[Any]:
    """Fresh outputs. Raises TW0712 where no input has a size of theirs."""
    made: list[Any] = []
    for argument in signature.outputs:
        missing = {n for d in argument.shape if isinstance(d, Extent) for n in d.symbols() if n not in sizes}
        if missing:
            fail(
                "TW0712",
                f"expected output '{argument.name}' as an argument: no input has size {min(missing)}",
                help="pass all arguments; outputs are written in place",
            )
        shape = tuple(evaluated(d, sizes) for d in argument.shape)
        made.append(empty(kind, shape, argument.dtype, device, stream, driver))
    return made


def _normal(stream: int) -> int:
    """The driver's number of a stream: 1 says the default stream as well."""
    return 0 if stream == 1 else stream


def _wait_for_others(driver: Driver, given: Sequence[ForeignArray], stream: int) -> None:
    """Let a stream wait for those that the arrays' values come from."""
    earlier = {_normal(array.stream) for array in given if array.stream is not None}
    for other in sorted(earlier - {_normal(stream)}):
        driver.wait(stream, other)
