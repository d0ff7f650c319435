"""`Target`: what users name machines by, and the attribute of modules that it stands for.

A target is named as on LLVM's command line: `"llvm"` (or `"cpu"`), the machine that this runs on, and options after it:

    llvm -mcpu=x86-64-v3                     a level of the x86-64 psABI instead of this machine
    llvm -mattr=+avx2,-fma -num-cores=4      instruction sets added and taken away; threads to count on
    llvm -mtriple=aarch64-linux-gnu          any machine of that kind, which need not be this one
    llvm -vector-width=128                   shorter or longer vectors than the instruction sets suggest

Instruction sets come with those that they build upon, and go with those that build upon them. A target with a triple is
never filled in from this machine: it has what every machine of its kind has, unless it says more.

`"c"` is this machine through C source and its compiler, `"c -num-cores=4"` with threads to count on; `"opencl"` is a
device of OpenCL; `"cuda"` is a GPU of NVIDIA, `"cuda -arch=sm_80 -max-threads=512 -shared=98304"` an older one whose
blocks have at most that many threads and bytes of shared memory, and `"cuda -arch=native"` the one that is here, with
all the shared memory that its blocks may have. `"cuda -arch=sm_90a"` is that one kind with all that it alone has, which
no later one runs. What passes read is the list of instruction sets, never a CPU's name (see `dialects.target`).
"""

from __future__ import annotations

from dataclasses import dataclass

from ..diagnostics import fail
from ..diagnostics.suggestions import did_you_mean
from ..dialects.target import (
    ARCHITECTURES,
    MAX_BLOCK_THREADS,
    SHARED_OF_ARCH,
    CpuTargetAttr,
    CudaTargetAttr,
    OpenClTargetAttr,
    capability_of,
)
from .target_features import LEVELS, baseline, belongs_elsewhere, with_implied, without

KINDS: dict[str, str] = {
    "cpu": "cpu",
    "llvm": "cpu",
    "c": "c",
    "opencl": "opencl",
    "cuda": "cuda",
    "interpreter": "interpreter",
}
"""Names of targets -> the backend that serves them."""

_CPU_OPTIONS = ("mtriple", "mcpu", "mattr", "num-cores", "vector-width")
_OPTIONS: dict[str, tuple[str, ...]] = {
    "cpu": _CPU_OPTIONS,
    "interpreter": _CPU_OPTIONS,
    "c": ("num-cores",),
    "opencl": (),
    "cuda": ("arch", "max-threads", "shared"),
}
"""Backend -> the options of targets that it serves."""

_VECTOR_WIDTHS = tuple(1 << n for n in range(3, 12))
"""Bits. The shortest is no vector at all: every element is computed by itself."""


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

    @property
    def has_options(self) -> bool:
        """Whether it says more than the kind of machine."""
        return len(self.target.split()) > 1

    def attribute(self) -> CpuTargetAttr | OpenClTargetAttr | CudaTargetAttr:
        """The attribute that a module for this target carries."""
        if self.backend == "cuda":
            return self._cuda_attribute()
        from ..backends.cpu.host import host_target

        if self.backend == "opencl":
            return OpenClTargetAttr()
        options = self._options()
        if self.backend == "c":
            host = host_target()
            return CpuTargetAttr.get([], 8, host.caches, int(options.get("num-cores", host.threads)), "c")
        return self._cpu_attribute(options) if options else host_target()

    def _cuda_attribute(self) -> CudaTargetAttr:
        default, options = CudaTargetAttr.get(), self._options()
        arch, shared = options.get("arch", default.arch), default.shared
        is_one_kind = arch == "native" or arch.endswith("a")
        if arch == "native":
            options["arch"] = arch = _arch_of_this_gpu()
            self._check_shared(options)
        if is_one_kind:
            shared = SHARED_OF_ARCH[arch]
        return CudaTargetAttr.get(
            arch, int(options.get("max-threads", default.max_threads)), int(options.get("shared", shared))
        )

    def _cpu_attribute(self, options: dict[str, str]) -> CpuTargetAttr:
        from ..backends.cpu.host import USUAL_CACHES, USUAL_THREADS, host_target, vector_bits

        triple = options.get("mtriple", "")
        features = self._features(options)
        caches, threads = (USUAL_CACHES, USUAL_THREADS) if triple else (host_target().caches, host_target().threads)
        width = int(options.get("vector-width", vector_bits(features)))
        threads = int(options.get("num-cores", threads))
        return CpuTargetAttr.get(sorted(features), width, caches, threads, triple=triple)

    def _features(self, options: dict[str, str]) -> set[str]:
        """The instruction sets that the options name. Raises TilewrightError TW0612 for those that make no sense."""
        from ..backends.cpu.host import host_features

        architecture = _architecture(options)
        default = "" if "mtriple" in options else "native"
        cpu = options.get("mcpu", default)
        features = {*host_features()} if cpu == "native" else {*LEVELS[architecture].get(cpu, baseline(architecture))}
        for item in filter(None, options.get("mattr", "").split(",")):
            feature = item[1:]
            if belongs_elsewhere(feature, architecture):
                fail("TW0612", f"expected instruction sets of {architecture}, but got '{item}' in '{self.target}'")
            if item[0] == "+":
                features |= with_implied([feature], architecture)
            elif feature in baseline(architecture):
                fail("TW0612", f"expected to keep what every {architecture} has, but got '{item}' in '{self.target}'")
            else:
                features = without(features, feature, architecture)
        return features

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
        self._check_shared(options)
        if (problem := _cpu_problem(options)) is not None:
            fail("TW0612", f"expected {problem}, but got '-mcpu={options['mcpu']}' in target '{self.target}'")
        return options

    def _check_shared(self, options: dict[str, str]) -> None:
        """Raise TW0612 for more shared memory than blocks may have on that kind of GPU."""
        arch = options.get("arch", CudaTargetAttr.get().arch)
        most = SHARED_OF_ARCH.get(arch)  # that of the GPU here is looked at when the target is used
        if most is not None and int(options.get("shared", "0")) > most:
            got = f"'-shared={options['shared']}' in target '{self.target}'"
            fail("TW0612", f"expected at most {most} bytes of shared memory on {arch}, but got {got}")


def _arch_of_this_gpu() -> str:
    """The latest kind of GPU whose code the first one here and later ones run. Raises TW0634 where there is none,
    TW0612 for one that is older than all kinds."""
    from ..runtime.kernels.driver import cuda_driver

    capability = cuda_driver().capability(0)
    fitting = [a for a in SHARED_OF_ARCH if not a.endswith("a") and capability_of(a) <= capability]
    if not fitting:
        oldest = next(iter(SHARED_OF_ARCH))
        fail(
            "TW0612",
            f"expected a GPU of {oldest} or later, but the first one here is sm_{capability[0]}{capability[1]}",
        )
    return fitting[-1]


def _architecture(options: dict[str, str]) -> str:
    """What a target's code is for: its triple says it, else it is this machine's."""
    from ..backends.cpu.host import host_architecture

    return options["mtriple"].partition("-")[0] if "mtriple" in options else host_architecture()


def _among(options: tuple[str, ...]) -> str:
    """What may stand after the name of a target."""
    if not options:
        return "no options"
    *others, last = (f"-{name}=" for name in options)
    return f"{', '.join(others)} or {last}" if others else last


def _cpu_problem(options: dict[str, str]) -> str | None:
    """What the level should have been beside the triple, if it does not fit it."""
    from ..backends.cpu.host import host_architecture

    cpu, architecture = options.get("mcpu"), _architecture(options)
    levels = LEVELS.get(architecture, {})
    if cpu is None or cpu in levels or (cpu == "native" and architecture == host_architecture()):
        return None
    return f"a level of {architecture} ({', '.join(levels)})"


def _problem(name: str, value: str) -> str | None:
    """What an option of the CPU should have been, if it is none."""
    levels = [level for levels in LEVELS.values() for level in levels]
    match name:
        case "mtriple" if _is_triple(value):
            return None
        case "mtriple":
            return f"-mtriple= with a Linux of {' or '.join(ARCHITECTURES)}, as in aarch64-linux-gnu"
        case "mcpu" if value == "native" or value in levels:
            return None
        case "mcpu":
            return f"-mcpu=native or a level ({', '.join(levels)}); -mattr=+avx2,… names other instruction sets"
        case "mattr" if all(item[0] in "+-" and item[1:] for item in value.split(",") if item):
            return None
        case "mattr":
            return "-mattr= with instruction sets marked + or -"
        case "vector-width" if value.isdigit() and int(value) in _VECTOR_WIDTHS:
            return None
        case "vector-width":
            return f"-vector-width= with a power of two from {_VECTOR_WIDTHS[0]} to {_VECTOR_WIDTHS[-1]}"
        case "arch" if value == "native" or value in SHARED_OF_ARCH:
            return None
        case "arch":
            return f"-arch=native or -arch= with one of {', '.join(SHARED_OF_ARCH)}"
        case "max-threads" if value.isdigit() and 1 <= int(value) <= MAX_BLOCK_THREADS:
            return None
        case "max-threads":
            return f"-max-threads= with a number from 1 to {MAX_BLOCK_THREADS}"
        case "shared" if value.isdigit():
            return None
        case "shared":
            return "-shared= with a number of bytes"
        case "num-cores" if value.isdigit() and int(value) > 0:
            return None
        case _:
            return "-num-cores= with a number of at least 1"


def _is_triple(text: str) -> bool:
    architecture, *system = text.split("-")
    return architecture in ARCHITECTURES and "linux" in system
