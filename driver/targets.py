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

from ..backends import Backend, backend_for_kind
from ..diagnostics import fail
from ..dialects.target import CpuTargetAttr, TargetAttr
from ..dialects.target_text import read_options, stated

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
        if self.host is not None and not Target.of(self.host).backend.keeps_machine_code:
            fail("TW0612", f"expected a CPU as host of a target, but got '{self.host}'")
        backend = self.backend
        read_options(self.target, backend.load(backend.options))
        if backend.check is not None:
            backend.load(backend.check)(self.target)

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
    def backend(self) -> Backend:
        """The backend that serves this target. Raises TilewrightError TW0602 where there is none."""
        return backend_for_kind(self.kind)

    @property
    def has_options(self) -> bool:
        """Whether it says more than the kind of machine."""
        return len(self.target.split()) > 1

    def attribute(self) -> TargetAttr:
        """The attribute that a module for this target carries."""
        return self.backend.load(self.backend.target)(self.target)

    @property
    def stated(self) -> str:
        """The text of this target with everything that plans depend on, for the same plans on any machine.

        Of a CPU whose instruction sets text cannot name, and of other backends' targets, the attribute.
        """
        attribute = self.attribute()
        return (stated(attribute) if isinstance(attribute, CpuTargetAttr) else None) or str(attribute)

    def __str__(self) -> str:
        return self.target
