"""The target texts of CPUs, and their attributes."""

from __future__ import annotations

from ...dialects.target import CpuTargetAttr
from ...dialects.target_text import CPU_OPTIONS, cpu_target, processor_of, read_options
from .host import host_architecture, host_target

OPTIONS = CPU_OPTIONS


def read_target(text: str) -> CpuTargetAttr:
    """Return the CPU that the text of a target names. Raises TilewrightError TW0612 for options that make no sense."""
    return cpu_target(text, host_architecture(), host_target)


def check_target(text: str) -> None:
    """Raise TilewrightError TW0612 for a processor of another architecture than the triple's."""
    options = read_options(text, OPTIONS)
    if "mcpu" in options:
        processor_of(text, options, host_architecture())
