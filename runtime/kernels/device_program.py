"""The state of a program of kernels on each device that it runs on: code, constants, and arenas for temporaries.

The state is created at a program's first call on a device and lives as long as the program: later calls allocate
nothing. An arena belongs to a stream. Kernels of one stream run in order, so a call may get the arena of an earlier
call whose kernels still run. Kernels of different streams are not ordered, so streams share no arena.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field

from ..buffers import Array
from ..errors import fail
from ..integrity import Integrity
from .driver import Driver, Prepared, cuda_driver
from .program import LaunchProgram

TOO_OLD = "TW0644"
PER_THREAD = 2
"""The driver's handle for the default stream of the calling thread."""


Launches = tuple[Prepared, list[tuple[int, int, int]]]
"""The launches of a call, and the words that hold addresses of arguments: the position of the word, the argument, and
the offset in bytes from the argument's start."""


@dataclass
class Arena:
    """Memory of a device for the temporaries of one call, and the prepared launches of earlier calls that used it, by
    plan."""

    address: int
    size: int
    launches: dict[object, Launches] = field(default_factory=dict[object, Launches])


@dataclass
class _Held:
    """The resources of a device that have to be released. The object is separate from `Resident`, so that it outlives
    it."""

    driver: Driver
    device: int
    module: int
    addresses: list[int] = field(default_factory=list[int])


class Resident:
    """A program on one device. Methods are called while that device is the thread's current one."""

    def __init__(self, program: LaunchProgram, ptx: str, driver: Driver, device: int) -> None:
        major, minor = driver.capability(device)
        if not program.runs_on((major, minor)):
            there = f"{driver.name(device)} (sm_{major}{minor})"
            fail(
                TOO_OLD,
                f"expected a GPU that runs kernels for {program.arch}, but device {device} is {there}",
                help=f'build for it: target="cuda -arch=sm_{major}{minor}"',
            )
        self._driver = driver
        self._held = _Held(driver, device, driver.load(ptx))
        self._finalizer = weakref.finalize(self, _give_back, self._held)
        self._finalizer.atexit = False  # the end of the process frees all, and the driver may be gone before
        shared: dict[str, int] = {}
        for launch in (launch for entry in program.entries for launch in entry.launches):
            shared[launch.kernel] = max(launch.dynamic_shared, shared.get(launch.kernel, 0))
        self._functions = {name: driver.function(self._held.module, name, size) for name, size in shared.items()}
        self.constants = [self._upload(constant) for constant in program.constants]
        """The addresses of the program's constants."""
        self.checks = program.record
        self.record = self._upload(self.checks.new_record()) if program.checks else 0
        """The address of the record of failed checks, one for all calls."""
        self._free: dict[tuple[int, int], list[Arena]] = {}

    def _upload(self, array: Array) -> int:
        address = self._allocate(array.nbytes)
        if array.nbytes:
            self._driver.upload(address, array, 0)
        return address

    def _allocate(self, size: int) -> int:
        address = self._driver.allocate(size)
        self._held.addresses.append(address)
        return address

    def report(self, stream: int) -> None:
        """Raise TilewrightError TW0730 where a check of a call failed since the last time; the device is waited for."""
        if self.record:
            record = self.checks.new_record()
            self._driver.download(record, self.record, stream)
            if record[0]:
                self._driver.upload(self.record, self.checks.new_record(), stream)
                self.checks.report(record)

    def function(self, kernel: str) -> int:
        """Return the handle of a kernel."""
        return self._functions[kernel]

    def take(self, stream: int, size: int) -> Arena:
        """Return an arena for a call in a stream, which gives it back. One that is too small gives way to a larger
        one."""
        free = self._free.setdefault(_order(stream), [])
        try:
            arena = free.pop()
        except IndexError:
            return Arena(self._allocate(size) if size else 0, size)
        if arena.size >= size:
            return arena
        if arena.size:
            self._held.addresses.remove(arena.address)
            self._driver.free(arena.address)
        return Arena(self._allocate(size), size)

    def give_back(self, stream: int, arena: Arena) -> None:
        """Take back the arena of a call that has launched all of its kernels."""
        self._free[_order(stream)].append(arena)


def _order(stream: int) -> tuple[int, int]:
    """Return the key of a stream: the default stream of each thread has one handle for all threads."""
    return stream, threading.get_ident() if stream == PER_THREAD else 0


def _give_back(held: _Held) -> None:
    before = held.driver.use(held.device)
    try:
        for address in held.addresses:
            held.driver.free(address)
        held.driver.unload(held.module)
    finally:
        held.driver.leave(before)


class DeviceProgram:
    """A program for GPUs, with its state on each device that it has run on."""

    def __init__(self, program: LaunchProgram, ptx: Callable[[], str], integrity: Integrity | None = None) -> None:
        self.program = program
        self._ptx = ptx
        self._integrity = integrity
        self._residents: dict[int, Resident] = {}
        self._lock = threading.Lock()

    @property
    def driver(self) -> Driver:
        """Raises TW0634 where there is no GPU."""
        return cuda_driver()

    def on(self, device: int) -> Resident:
        """Return the program on a device, which is the thread's current one. Raises TW0644 for a device that is too old
        for it, TW0635 where it cannot be compiled, TW0711 where a constant of a file is damaged."""
        found = self._residents.get(device)
        if found is None:
            with self._lock:
                found = self._residents.get(device)
                if found is None:
                    if self._integrity is not None:
                        self._integrity.check()
                    found = self._residents[device] = Resident(self.program, self._ptx(), self.driver, device)
        return found

    def replace(self, program: LaunchProgram, ptx: str) -> None:
        """Let later calls run other kernels of the same launches, buffers and constants."""
        with self._lock:
            self.program, self._ptx, self._residents = program, lambda: ptx, {}
