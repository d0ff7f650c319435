"""The targets that tests run for: those of the list whose programs can be built here, and whose device is here."""

from __future__ import annotations

import os
from dataclasses import dataclass

from ...runtime.devices import Device, device
from ..runtime_names import enabled

DEFAULT_TEST_TARGETS = ("llvm", "llvm -device=arm_cpu", "cuda", "opencl")
"""The targets that are tested if the environment variable TVM_TEST_TARGETS lists none."""


@dataclass(frozen=True)
class TestTarget:
    """A target that tests may run for."""

    __test__ = False  # what pytest would otherwise take for a class of tests

    text: str

    @property
    def kind(self) -> str:
        """The first word."""
        return self.text.split()[0]

    @property
    def runs(self) -> bool:
        """True if its programs can be built, and its device is present."""
        return enabled(self.kind) and device(self.kind).exist


def listed_targets() -> list[TestTarget]:
    """Return the targets of TVM_TEST_TARGETS, separated by semicolons, or those of the default list.

    "llvm" alone where none of them runs.
    """
    texts = [text.strip() for text in os.environ.get("TVM_TEST_TARGETS", "").split(";")]
    targets = [TestTarget(text) for text in dict.fromkeys(texts) if text]
    targets = targets or [TestTarget(text) for text in DEFAULT_TEST_TARGETS]
    return targets if any(target.runs for target in targets) else [TestTarget("llvm")]


def device_enabled(target: str) -> bool:
    """Return whether tests run for the kind of a target."""
    kind = target.split()[0]
    return any(each.kind == kind and each.runs for each in listed_targets())


def enabled_targets() -> list[tuple[str, Device]]:
    """Return the targets that tests run for, each with its device."""
    return [(each.text, device(each.kind)) for each in listed_targets() if each.runs]
