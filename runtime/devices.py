"""Devices: where arrays live and functions run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from ..diagnostics import TilewrightError, fail
from ..diagnostics.expectations import expect_type


@dataclass(frozen=True)
class Device:
    """A device by its kind and number. The CPU is one device."""

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
        """Whether programs of this process can use it."""
        if self.kind != "cuda":
            return self.kind == "cpu" and self.index == 0
        from .kernels.driver import cuda_driver

        try:
            return self.index < cuda_driver().count()
        except TilewrightError:
            return False

    def sync(self) -> None:
        """Wait until all that programs were given to do on it is done."""
        if self.kind == "cuda":
            from .kernels.driver import cuda_driver

            driver = cuda_driver()
            before = driver.use(self.index)
            try:
                driver.synchronize(0)
            finally:
                driver.leave(before)

    def __str__(self) -> str:
        return f"{self.kind}({self.index})"


def cpu(index: int = 0) -> Device:
    """The CPU, whose arrays are numpy's."""
    return Device("cpu", index)


def cuda(index: int = 0) -> Device:
    """A GPU of NVIDIA. Arrays on it are made by `nd.array`, and by torch, cupy and numba."""
    return Device("cuda", index)


NUMBERS: dict[str, int] = {
    "cpu": 1, "cuda": 2, "opencl": 4, "aocl": 5, "sdaccel": 6, "vulkan": 7, "metal": 8, "vpi": 9, "rocm": 10,
    "ext_dev": 12, "webgpu": 15, "hexagon": 16, "aocl_sw_emu": 32,
}  # fmt: skip
"""DLPack's numbers for kinds, and the classic TVM's for those that DLPack has none for."""

OTHERS = tuple(kind for kind in NUMBERS if kind not in ("cpu", "cuda"))
"""Kinds that classic programs ask about, and that no program runs on: their devices do not exist."""


def device(kind: str, index: int = 0) -> Device:
    """The device of a target's name. Raises TilewrightError TW0602 for a kind that is not known."""
    expect_type("kind", kind, str)
    match kind.split()[:1]:
        case ["cpu"] | ["llvm"] | ["c"] | ["interpreter"]:
            return cpu(index)
        case ["cuda"]:
            return cuda(index)
        case [other] if other in OTHERS:
            return Device(other, index)
        case _:
            refuse_device(kind)


def refuse_device(kind: str) -> NoReturn:
    """Refuse a kind of device that holds no arrays and runs no programs (TW0602)."""
    fail("TW0602", f"expected a device of a known kind (cpu, cuda), but got '{kind}'")
