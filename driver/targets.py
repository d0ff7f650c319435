"""`Target`: the textual name of a machine, and its conversion to the target attribute of modules.

A target is named as on LLVM's command line: `"llvm"` (or `"cpu"`), the machine that this runs on, and options after it:

    llvm -mcpu=x86-64-v3                     a level of the x86-64 psABI instead of this machine
    llvm -mcpu=skylake-avx512                a processor by LLVM's name: its level and its instruction sets
    llvm -mattr=+avx2,-fma                   instruction sets added and taken away
    llvm -caches=48K,2M,32M -threads=4       caches of a core, the nearest first, and threads to count on
    llvm -mtriple=aarch64-linux-gnu          any machine of that kind, which need not be this one
    aarch64, riscv64, wasm32, x86_64         the same, by the architecture or by the triple alone
    llvm -vector-width=128                   shorter or longer vectors than the instruction sets suggest
    llvm -loads=2 -page-reach=2048@datasheet facts of the machine that plans depend on, with their source
    machine.target                           the text in a file, which `tilewright target --measure` writes

Instruction sets come with those that they build upon, and go with those that build upon them. Only a target without a
level and without a triple, and `-mcpu=native`, ask this machine for anything. Every other one is the same everywhere:
it has what all machines of its level or kind have, with the usual caches of its level and 4 threads, unless it says
more. `-num-cores=` is the classic name of `-threads=`. `Target("llvm").stated` is the text that describes this machine
to another one, where the environment variable TILEWRIGHT_HOST takes it.

`"c"` is C source for the usual caches, `"c -caches=48K,2M,32M -threads=4"` for these; `"opencl"` is a device of OpenCL;
`"cuda"` is a GPU of NVIDIA, `"cuda -arch=sm_80 -max-threads=512 -shared=98304"` an older one whose blocks have at most
that many threads and bytes of shared memory, and `"cuda -arch=native"` the GPU of this machine, with the largest
shared memory of its blocks. `"cuda -arch=sm_90a"` includes the instructions of that architecture alone, which no later
GPU runs.
`-keys=`, `-device=` and `-model=` name a target for programs that ask it for its keys, and change nothing else. Passes
read the list of instruction sets, never a CPU's name (see `dialects.target`).
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from ..backends import Backend, backend_for_kind
from ..diagnostics import fail
from ..diagnostics.expectations import coded
from ..dialects.target import CpuTargetAttr, TargetAttr
from ..dialects.target_text import read_options, stated, with_file, with_triple
from ..hardware import MOST_BLOCK_THREADS, WARP_THREADS

TargetLike: TypeAlias = "str | Mapping[str, Any] | Target"
"""A target, or a description of one: its text, a dictionary or JSON."""

_FORMS = 'write `"llvm -mcpu=x86-64-v3"` or `{"kind": "llvm", "mcpu": "x86-64-v3"}`'


def _from_dictionary(given: Mapping[str, Any]) -> tuple[str, Any]:
    """Return the text of a target that is a dictionary of its kind and its options, and its host; commas join lists."""
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


def _read(given: object) -> tuple[str, Any]:
    """Return the text of a target and its host, from any form of a target."""
    if isinstance(given, str) and given.lstrip().startswith("{"):
        try:
            given = json.loads(given)
        except ValueError as error:
            fail("TW0612", f"expected JSON of a target, but got {given!r}: {error}", help=_FORMS)
    match given:
        case str():
            return with_triple(with_file(given)), None
        case Target():
            return given.target, given.host
        case Mapping():
            return _from_dictionary(given)  # pyright: ignore[reportUnknownArgumentType]
        case _:
            fail("TW0612", f"expected a target as text or as a dictionary, but got {given!r}", help=_FORMS)


_LISTS = ("keys", "mattr")
_KEYS = {"llvm": "cpu", "cpu": "cpu", "c": "cpu", "interpreter": "cpu", "cuda": "cuda,gpu", "opencl": "opencl,gpu"}
"""The keys by which programs choose for a kind of machine; other kinds have their name as key."""
_DEFAULTS: Mapping[str, Mapping[str, int]] = {
    "cuda": {"max_num_threads": MOST_BLOCK_THREADS, "thread_warp_size": WARP_THREADS},
    "opencl": {"max_num_threads": 256, "thread_warp_size": 1},
}
"""The options about threads that targets of a kind have by default."""


class _Entered(threading.local):
    """The targets whose `with` statements this thread is in, the innermost last."""

    def __init__(self) -> None:
        self.targets: list[Target] = []


_entered = _Entered()


class TargetKind(str):
    """The kind of machine that a target names."""

    @property
    def name(self) -> str:
        return str(self)


@dataclass(frozen=True, init=False)
class Target:
    """A kind of machine and the options after its name; `host`, where given, must name the CPU.

    A dictionary, or the JSON of one, is another form: {"kind": "llvm", "mcpu": "x86-64-v3", "mattr": ["+fma"]}.

    Inside `with Target("llvm"):` this target is the default of `build`, `compile` and `lower`.

    Raises TilewrightError TW0602 for an unknown kind, TW0612 for an option that is unknown or makes no sense, TW0204
    for a file that cannot be read, TW0860 for one that holds no target.
    """

    target: str
    host: Target | None

    @coded
    def __init__(self, target: TargetLike = "llvm", host: TargetLike | None = None) -> None:
        text, stated_host = _read(target)
        host = host if stated_host is None else stated_host
        object.__setattr__(self, "target", text)
        object.__setattr__(self, "host", None if host is None else Target.of(host))
        if self.host is not None and not self.host.backend.keeps_machine_code:
            fail("TW0612", f"expected a CPU as host of a target, but got '{self.host}'")
        backend = self.backend
        read_options(text, backend.load(backend.options))
        if backend.check is not None:
            backend.load(backend.check)(text)

    def __enter__(self) -> Target:
        """Let this be the target of this thread's `build`, `compile` and `lower` that are given none."""
        _entered.targets.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        _entered.targets.pop()

    @staticmethod
    def current(allow_none: bool = True) -> Target | None:
        """Return the target of the innermost `with` statement around; None, or TilewrightError TW0612, outside of
        all."""
        if not _entered.targets and not allow_none:
            fail("TW0612", "expected a current target, but there is none", help='write `with Target("llvm"):`')
        return _entered.targets[-1] if _entered.targets else None

    @staticmethod
    def of(target: TargetLike | None) -> Target:
        """Return `target`, or the target that the text or dictionary names; for None the current one, the CPU if none
        is."""
        if target is None:
            return Target.current() or Target("cpu")
        return target if isinstance(target, Target) else Target(target)

    def with_host(self, host: TargetLike) -> Target:
        """Return this target with that CPU as host."""
        return Target(self.target, host)

    @property
    def kind(self) -> TargetKind:
        """The first word; its `name` is the same."""
        return TargetKind((self.target.split() or [""])[0])

    @property
    def attrs(self) -> dict[str, Any]:
        """The options by name, numbers and lists read; of GPUs also `max_num_threads` and `thread_warp_size`."""
        attrs: dict[str, Any] = dict(_DEFAULTS.get(self.kind, {}))
        for name, value in read_options(self.target, self.backend.load(self.backend.options)).items():
            attrs[name] = value.split(",") if name in _LISTS else int(value) if value.isdecimal() else value
        if "max-threads" in attrs:
            attrs["max_num_threads"] = attrs["max-threads"]
        return attrs

    @property
    def keys(self) -> tuple[str, ...]:
        """Words by which programs select implementations: the words of `-keys=`, else of `-device=` and the kind, such
        as "cpu"."""
        attrs = self.attrs
        kind = _KEYS.get(self.kind, str(self.kind)).split(",")
        return tuple(dict.fromkeys(attrs.get("keys") or [*filter(None, [attrs.get("device")]), *kind]))

    @property
    def backend(self) -> Backend:
        """The backend that serves this target. Raises TilewrightError TW0602 where there is none."""
        return backend_for_kind(self.kind)

    @property
    def has_options(self) -> bool:
        """True if it states options beside the kind of machine."""
        return len(self.target.split()) > 1

    def attribute(self) -> TargetAttr:
        """Return the attribute that a module for this target carries."""
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
