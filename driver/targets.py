"""`Target`: what users name machines by, and the attribute of modules that it stands for.

A target is named as on LLVM's command line: `"llvm"` (or `"cpu"`), the machine that this runs on, and options after it:

    llvm -mcpu=x86-64-v3                     a level of the x86-64 psABI instead of this machine
    llvm -mattr=+avx2,-fma -num-cores=4      instruction sets added and taken away; threads to count on

`"c"` is this machine through C source and its compiler, `"c -num-cores=4"` with threads to count on; `"opencl"` is a
device of OpenCL. What passes read is the list of instruction sets, never a CPU's name (see `dialects.target`).
"""

from __future__ import annotations

from dataclasses import dataclass

from ..diagnostics import fail
from ..diagnostics.suggestions import did_you_mean
from ..dialects.target import CpuTargetAttr, OpenClTargetAttr

KINDS: dict[str, str] = {
    "cpu": "cpu",
    "llvm": "cpu",
    "c": "c",
    "opencl": "opencl",
    "interpreter": "interpreter",
}
"""Names of targets -> the backend that serves them."""

_OPTIONS: dict[str, tuple[str, ...]] = {
    "cpu": ("mcpu", "mattr", "num-cores"),
    "interpreter": ("mcpu", "mattr", "num-cores"),
    "c": ("num-cores",),
    "opencl": (),
}
"""Backend -> the options of targets that it serves."""

_LEVEL_1 = ("cmov", "cx8", "fxsr", "mmx", "sse", "sse2")
_LEVEL_2 = (*_LEVEL_1, "cx16", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3")
_LEVEL_3 = (*_LEVEL_2, "avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave")
_LEVEL_4 = (*_LEVEL_3, "avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl")
LEVELS: dict[str, tuple[str, ...]] = {
    "x86-64": _LEVEL_1,
    "x86-64-v2": _LEVEL_2,
    "x86-64-v3": _LEVEL_3,
    "x86-64-v4": _LEVEL_4,
}
"""Instruction sets of the levels that the x86-64 psABI defines, by LLVM's names."""


@dataclass(frozen=True)
class Target:
    """A kind of machine and the options after its name; `host`, where given, must name the CPU.

    Raises TilewrightError TW0602 for an unknown kind, TW0612 for an option that is unknown or makes no sense.
    """

    target: str = "llvm"
    host: str | Target | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            fail("TW0602", f"unknown target '{self.kind}'{did_you_mean(self.kind, KINDS)}")
        if self.host is not None and Target.of(self.host).backend != "cpu":
            fail("TW0612", f"expected a CPU as host of a target, but got '{self.host}'")
        self._options()

    @staticmethod
    def of(target: str | Target) -> Target:
        """`target`, or the target that the text names."""
        return target if isinstance(target, Target) else Target(target)

    @property
    def kind(self) -> str:
        """The first word."""
        return (self.target.split() or [""])[0]

    @property
    def backend(self) -> str:
        """The name of the backend that serves this target."""
        return KINDS[self.kind]

    def attribute(self) -> CpuTargetAttr | OpenClTargetAttr:
        """The attribute that a module for this target carries."""
        from ..backends.cpu.host import host_target, vector_bits

        if self.backend == "opencl":
            return OpenClTargetAttr()
        host = host_target()
        options = self._options()
        if self.backend == "c":
            return CpuTargetAttr.get([], 8, host.caches, int(options.get("num-cores", host.threads)), "c")
        if not options:
            return host
        features = {f.data for f in host.features}
        if (cpu := options.get("mcpu", "native")) != "native":
            features = set(LEVELS[cpu])
        for item in filter(None, options.get("mattr", "").split(",")):
            (features.add if item[0] == "+" else features.discard)(item[1:])
        threads = int(options.get("num-cores", host.threads))
        return CpuTargetAttr.get(sorted(features), vector_bits(features), host.caches, threads)

    def __str__(self) -> str:
        return self.target

    def _options(self) -> dict[str, str]:
        options: dict[str, str] = {}
        for word in self.target.split()[1:]:
            name, _, value = word.lstrip("-").partition("=")
            problem = _problem(name, value) if name in _OPTIONS[self.backend] else _among(_OPTIONS[self.backend])
            if problem is not None:
                fail("TW0612", f"expected {problem}, but got '{word}' in target '{self.target}'")
            options[name] = value
        return options


def _among(options: tuple[str, ...]) -> str:
    """What may stand after the name of a target."""
    if not options:
        return "no options"
    *others, last = (f"-{name}=" for name in options)
    return f"{', '.join(others)} or {last}" if others else last


def _problem(name: str, value: str) -> str | None:
    """What an option of the CPU should have been, if it is none."""
    match name:
        case "mcpu" if value == "native" or value in LEVELS:
            return None
        case "mcpu":
            return f"-mcpu=native or a level ({', '.join(LEVELS)}); -mattr=+avx2,… names other instruction sets"
        case "mattr" if all(item[0] in "+-" and item[1:] for item in value.split(",") if item):
            return None
        case "mattr":
            return "-mattr= with instruction sets marked + or -"
        case "num-cores" if value.isdigit() and int(value) > 0:
            return None
        case _:
            return "-num-cores= with a number of at least 1"
