"""Devices: where arrays live and functions run."""

from __future__ import annotations

from dataclasses import dataclass


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
