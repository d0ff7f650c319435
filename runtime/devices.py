"""Devices, on which arrays lie and functions run, and their attributes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from .errors import TilewrightError, UnknownNameError, fail
from .expectations import expect_type
from .hardware import DEFAULT_ARCH, MOST_BLOCK_THREADS, MOST_THREADS_ALONG_AXES, STATIC_SHARED_BYTES, WARP_THREADS
from .slots import REFUSAL
from .text import did_you_mean

if TYPE_CHECKING:
    from .kernels.driver import Driver


@dataclass(frozen=True)
class Device:
    """A device by its kind and number. The CPU is one device, the simulator of GPUs another.

    The attributes of GPUs are None for the CPU, and for devices that no program runs on. For a GPU that does not
    exist it raises TilewrightError TW0634.
    """

    kind: str
    index: int = 0

    @property
    def device_type(self) -> int:
        """The number of the kind, by DLPack."""
        return NUMBERS[self.kind]

    @property
    def device_id(self) -> int:
        """The number of the device among those of its kind."""
        return self.index

    @property
    def exist(self) -> bool:
        """True if programs of this process can use the device."""
        if self.kind != "cuda":
            return self.kind in ("cpu", SIMULATOR) and self.index == 0
        from .kernels.driver import cuda_driver

        try:
            return 0 <= self.index < cuda_driver().count()
        except TilewrightError:
            return False

    @property
    def compute_version(self) -> str | None:
        """The compute capability of a GPU, as "9.0"; of the simulator that of the GPUs that code is made for."""
        if self.kind == SIMULATOR:
            number = DEFAULT_ARCH.removeprefix("sm_")
            return f"{number[:-1]}.{number[-1]}"
        if self.kind != "cuda":
            return None
        major, minor = self._driver().capability(self.index)
        return f"{major}.{minor}"

    @property
    def device_name(self) -> str | None:
        """The vendor's name of a GPU; None for a CPU."""
        if self.kind == SIMULATOR:
            return f"simulator of {DEFAULT_ARCH}"
        return self._driver().name(self.index) if self.kind == "cuda" else None

    @property
    def max_threads_per_block(self) -> int | None:
        """The largest number of threads of a block."""
        return self._attribute("max_threads_per_block", MOST_BLOCK_THREADS)

    @property
    def max_thread_dimensions(self) -> list[int] | None:
        """The largest numbers of threads of a block along x, y and z."""
        return self._attribute("max_thread_dimensions", [*MOST_THREADS_ALONG_AXES])

    @property
    def max_shared_memory_per_block(self) -> int | None:
        """The bytes of shared memory that any block may have."""
        return self._attribute("max_shared_memory_per_block", STATIC_SHARED_BYTES)

    @property
    def warp_size(self) -> int | None:
        """The number of threads that run an instruction together."""
        return self._attribute("warp_size", WARP_THREADS)

    @property
    def multi_processor_count(self) -> int | None:
        """The number of multiprocessors; the simulator runs one block after another."""
        return self._attribute("multi_processor_count", 1)

    @property
    def max_clock_rate(self) -> int | None:
        """The highest frequency of a GPU, in kHz; the simulator has none."""
        return self._attribute("max_clock_rate", None)

    @property
    def api_version(self) -> None:
        """The version of the toolkit that this package was compiled with: None, as it is not compiled with one."""
        return None

    driver_version = api_version

    def sync(self, stream: int | None = None) -> None:
        """Wait until all that programs were given to do on it, or in a stream of it, is done."""
        if self.kind == "cuda":
            driver = self._driver()
            before = driver.use(self.index)
            try:
                driver.synchronize(stream or 0)
            finally:
                driver.leave(before)

    def _driver(self) -> Driver:
        from .kernels.driver import cuda_driver, no_cuda

        driver = cuda_driver()
        if not 0 <= self.index < driver.count():
            no_cuda(f"{self} is not among the {driver.count()} of this system")
        return driver

    def _attribute(self, name: str, simulated: Any) -> Any:
        """Return the attribute `name` of a GPU, a number or a list of several, or `simulated` for the simulator."""
        if self.kind != "cuda":
            return simulated if self.kind == SIMULATOR else None
        from .kernels.driver import DEVICE_ATTRIBUTES

        driver = self._driver()
        numbers = [driver.attribute(self.index, number) for number in DEVICE_ATTRIBUTES[name]]
        return numbers[0] if len(numbers) == 1 else numbers

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(f"a device has no attribute {name!r}")
        if (refusal := REFUSAL.value(f"runtime.Device.{name}")) is not None:
            raise refusal
        raise UnknownNameError("TW0225", f"a device has no attribute {name!r}{did_you_mean(name, dir(self))}")

    def __str__(self) -> str:
        return f"{self.kind}({self.index})"


def cpu(index: int = 0) -> Device:
    """Return the CPU, whose arrays are numpy's."""
    return Device("cpu", index)


def cuda(index: int = 0) -> Device:
    """Return a GPU of NVIDIA. Arrays on it are made by `nd.array`, and by torch, cupy and numba."""
    return Device("cuda", index)


SIMULATOR = "simulator"
"""The device that runs kernels where programs are built with `device="simulator"`. Its arrays are numpy's."""

NUMBERS: dict[str, int] = {
    "cpu": 1, SIMULATOR: 1, "cuda": 2, "opencl": 4, "aocl": 5, "sdaccel": 6, "vulkan": 7, "metal": 8, "vpi": 9,
    "rocm": 10, "ext_dev": 12, "webgpu": 15, "hexagon": 16, "aocl_sw_emu": 32,
}  # fmt: skip
"""DLPack's numbers of the kinds of devices, and further numbers for kinds that DLPack does not list."""

OTHERS = tuple(kind for kind in NUMBERS if kind not in ("cpu", "cuda", SIMULATOR))
"""Kinds that no program runs on: their devices do not exist."""


def device(kind: str, index: int = 0) -> Device:
    """Return the device of a target's name, or the simulator. Raises TilewrightError TW0602 for a kind that is not
    known."""
    expect_type("kind", kind, str)
    name = kind.split()[0] if kind.split() else ""
    if name in ("cpu", "llvm", "c", "interpreter"):
        return cpu(index)
    if name == "cuda":
        return cuda(index)
    if name in (*OTHERS, SIMULATOR):
        return Device(name, index)
    refuse_device(kind)


def refuse_device(kind: str) -> NoReturn:
    """Refuse a kind of device that holds no arrays and runs no programs (TW0602)."""
    kinds = f"cpu, cuda, {SIMULATOR}"
    fail("TW0602", f"expected a device of a known kind ({kinds}), but got '{kind}'", help=f"take one of {kinds}")
