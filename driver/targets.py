"""`Target`: what users name machines by, and the attribute of modules that it stands for.

A target is named as on LLVM's command line: `"llvm"` (or `"cpu"`), the machine that this runs on, and options after it:

    llvm -mcpu=x86-64-v3                     a level of the x86-64 psABI instead of this machine
    llvm -mattr=+avx2,-fma                   instruction sets added and taken away
    llvm -caches=48K,2M,32M -threads=4       caches of a core, the nearest first, and threads to count on
    llvm -mtriple=aarch64-linux-gnu          any machine of that kind, which need not be this one
    llvm -vector-width=128                   shorter or longer vectors than the instruction sets suggest

Instruction sets come with those that they build upon, and go with those that build upon them. Only a target without a
level and without a triple, and `-mcpu=native`, ask this machine for anything. Every other one is the same everywhere:
it has what all machines of its level or kind have, with the usual caches of its level and 4 threads, unless it says
more. `-num-cores=` is the classic name of `-threads=`. `Target("llvm").stated` is the text that describes this machine
to another one, where the environment variable TILEWRIGHT_HOST takes it.

`"c"` is C source for the usual caches, `"c -caches=48K,2M,32M -threads=4"` for these; `"opencl"` is a
device of OpenCL; `"cuda"` is a GPU of NVIDIA, `"cuda -arch=sm_80 -max-threads=512 -shared=98304"` an older one whose
blocks have at most that many threads and bytes of shared memory, and `"cuda -arch=native"` the one that is here, with
all the shared memory that its blocks may have. `"cuda -arch=sm_90a"` is that one kind with all that it alone has, which
no later one runs. What passes read is the list of instruction sets, never a CPU's name (see `dialects.target`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from ..diagnostics import fail
from ..diagnostics.suggestions import did_you_mean
from ..dialects.target import (
    CpuTargetAttr,
    CudaTargetAttr,
    OpenClTargetAttr,
    capability_of,
)
from ..dialects.target_text import (
    C_OPTIONS,
    CPU_OPTIONS,
    NATIVE,
    Option,
    c_target,
    cpu_target,
    is_number,
    level_of,
    read_options,
    stated,
)
from ..hardware import MOST_BLOCK_THREADS, SHARED_BYTES_OF_ARCH

KINDS: dict[str, str] = {
    "cpu": "cpu",
    "llvm": "cpu",
    "c": "c",
    "opencl": "opencl",
    "cuda": "cuda",
    "interpreter": "interpreter",
}
"""Names of targets -> the backend that serves them."""

_CUDA_OPTIONS: Mapping[str, Option] = {
    "arch": Option(
        lambda v: v == NATIVE or v in SHARED_BYTES_OF_ARCH,
        f"-arch={NATIVE} or -arch= with one of {', '.join(SHARED_BYTES_OF_ARCH)}",
    ),
    "max-threads": Option(
        lambda v: is_number(v, 1, MOST_BLOCK_THREADS), f"-max-threads= with a number from 1 to {MOST_BLOCK_THREADS}"
    ),
    "shared": Option(lambda v: is_number(v, 0, 999_999_999), "-shared= with a number of bytes"),
}
_OPTIONS: Mapping[str, Mapping[str, Option]] = {
    "cpu": CPU_OPTIONS,
    "interpreter": CPU_OPTIONS,
    "c": C_OPTIONS,
    "opencl": {},
    "cuda": _CUDA_OPTIONS,
}
"""Backend -> the options of targets that it serves."""


_FORMS = 'write `"llvm -mcpu=x86-64-v3"` or `{"kind": "llvm", "mcpu": "x86-64-v3"}`'


def _from_dictionary(given: Mapping[str, Any]) -> tuple[str, Any]:
    """The text of a target that is a dictionary of its kind and its options, and its host; commas join lists."""
    options = {str(name): value for name, value in given.items() if name not in ("kind", "host")}
    kind = given.get("kind")
    words = {
        name: ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
        for name, value in options.items()
    }
    if not isinstance(kind, str) or any(not word or len(word.split()) != 1 for word in (kind, *words.values())):
        fail(
            "TW0612",
            f"expected the kind of a target and options with one word each, but got {dict(given)!r}",
            help=_FORMS,
        )
    return " ".join([kind, *(f"-{name}={word}" for name, word in words.items())]), given.get("host")


class TargetKind(str):
    """The kind of machine that a target names."""

    @property
    def name(self) -> str:
        return str(self)


@dataclass(frozen=True)
class Target:
    """A kind of machine and the options after its name; `host`, where given, must name the CPU.

    A dictionary says the same: {"kind": "llvm", "mcpu": "x86-64-v3", "mattr": ["+fma"]}.

    Raises TilewrightError TW0602 for an unknown kind, TW0612 for an option that is unknown or makes no sense.
    """

    target: str = "llvm"
    host: str | Target | None = None

    def __post_init__(self) -> None:
        given: Any = self.target
        if isinstance(given, Mapping):
            text, host = _from_dictionary(given)  # pyright: ignore[reportUnknownArgumentType]
            object.__setattr__(self, "target", text)
            object.__setattr__(self, "host", self.host if host is None else host)
        elif not isinstance(given, str):
            fail("TW0612", f"expected a target as text or as a dictionary, but got {given!r}", help=_FORMS)
        if self.kind not in KINDS:
            fail("TW0602", f"unknown target '{self.kind}'{did_you_mean(self.kind, KINDS)}")
        if self.host is not None and Target.of(self.host).backend != "cpu":
            fail("TW0612", f"expected a CPU as host of a target, but got '{self.host}'")
        self._options()

    def __enter__(self) -> NoReturn:
        fail(
            "TW0612",
            f"expected target '{self.target}' as an argument, but got it in a `with` statement",
            help="write tilewright.build(schedule, args, target=...)",
        )

    def __exit__(self, *_: object) -> None:
        """Never reached."""

    @staticmethod
    def of(target: str | Target) -> Target:
        """`target`, or the target that the text names."""
        return target if isinstance(target, Target) else Target(target)

    @property
    def kind(self) -> TargetKind:
        """The first word; its `name` is the same."""
        return TargetKind((self.target.split() or [""])[0])

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
        match self.backend:
            case "cuda":
                return self._cuda_attribute()
            case "opencl":
                return OpenClTargetAttr()
            case "c":
                return c_target(self.target)
            case _:
                from ..backends.cpu.host import host_architecture, host_target

                return cpu_target(self.target, host_architecture(), host_target)

    @property
    def stated(self) -> str:
        """The text of this target with everything that plans depend on, for the same plans on any machine.

        Of a CPU whose instruction sets text cannot name, and of other backends' targets, the attribute.
        """
        attribute = self.attribute()
        return (stated(attribute) if isinstance(attribute, CpuTargetAttr) else None) or str(attribute)

    def _cuda_attribute(self) -> CudaTargetAttr:
        default, options = CudaTargetAttr.get(), self._options()
        arch, shared = options.get("arch", default.arch), default.shared
        is_one_kind = arch == "native" or arch.endswith("a")
        if arch == "native":
            options["arch"] = arch = _arch_of_this_gpu()
            self._check_shared(options)
        if is_one_kind:
            shared = SHARED_BYTES_OF_ARCH[arch]
        return CudaTargetAttr.get(
            arch, int(options.get("max-threads", default.max_threads)), int(options.get("shared", shared))
        )

    def __str__(self) -> str:
        return self.target

    def _options(self) -> dict[str, str]:
        options = read_options(self.target, _OPTIONS[self.backend])
        self._check_shared(options)
        if "mcpu" in options:
            from ..backends.cpu.host import host_architecture

            level_of(self.target, options, host_architecture())
        return options

    def _check_shared(self, options: dict[str, str]) -> None:
        """Raise TW0612 for more shared memory than blocks may have on that kind of GPU."""
        arch = options.get("arch", CudaTargetAttr.get().arch)
        most = SHARED_BYTES_OF_ARCH.get(arch)  # that of the GPU here is looked at when the target is used
        if most is not None and int(options.get("shared", "0")) > most:
            got = f"'-shared={options['shared']}' in target '{self.target}'"
            fail("TW0612", f"expected at most {most} bytes of shared memory on {arch}, but got {got}")


def _arch_of_this_gpu() -> str:
    """The latest kind of GPU whose code the first one here and later ones run. Raises TW0634 where there is none,
    TW0612 for one that is older than all kinds."""
    from ..runtime.kernels.driver import cuda_driver

    capability = cuda_driver().capability(0)
    fitting = [a for a in SHARED_BYTES_OF_ARCH if not a.endswith("a") and capability_of(a) <= capability]
    if not fitting:
        oldest = next(iter(SHARED_BYTES_OF_ARCH))
        fail(
            "TW0612",
            f"expected a GPU of {oldest} or later, but the first one here is sm_{capability[0]}{capability[1]}",
        )
    return fitting[-1]
