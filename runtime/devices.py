"""Devices: where arrays live and functions run."""

from __future__ import annotations

from dataclasses import dataclass

from ..diagnostics import fail


@dataclass(frozen=True)
class Device:
    """A device by its kind and number. The CPU is one device."""

    kind: str
    index: int = 0

    def __str__(self) -> str:
        return f"{self.kind}({self.index})"


def cpu(index: int = 0) -> Device:
    """The CPU, whose arrays are numpy's."""
    return Device("cpu", index)


def device(kind: str, index: int = 0) -> Device:
    """The device of a target's name. Raises TilewrightError TW0602 where there is none."""
    if kind.split()[:1] not in (["cpu"], ["llvm"]):
        fail("TW0602", f"expected a device of a known kind (cpu), but got '{kind}'")
    return cpu(index)
