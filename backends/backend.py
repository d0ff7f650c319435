"""`Backend`, the record that describes a backend to the compiler, and the table of the registered backends.

A record names functions as `"module:function"`, so that a backend is imported only when it is used. The backends of
this package are registered by the same call as a user's, see `backends/__init__.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from ..diagnostics import fail
from ..diagnostics.text import did_you_mean
from ..dialects.target import TARGET_ATTRIBUTE, TargetAttr
from ..lazy import load
from ..passes.framework.intrinsics import BUILTIN_LEVEL, register_instructions, register_lowerings, unregister_lowering
from ..passes.pipeline import LEGALIZATION
from ..plugins import load_plugins

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ..dialects.target_text import Option
    from ..runtime import Module

ValueT = TypeVar("ValueT")
Named: TypeAlias = "str | ValueT"
"""A value, or its name `"module:name"`, with the module relative to the record's `package`."""
Writer: TypeAlias = "Callable[[ModuleOp], str]"
"""Emits the text of executable loop IR. Raises TilewrightError TW0601 for operations that the backend does not
execute."""


@dataclass(frozen=True, kw_only=True)
class Backend:
    """The description of a backend: its targets, its legalization, and the functions that turn a loop module into
    code."""

    name: str
    """The `TargetAttr.kind` of the backend's targets, which is also the target of its lowering rules for intrinsics."""
    kinds: tuple[str, ...]
    """The first words of the texts of its targets: `llvm` in `llvm -mcpu=x86-64-v3`."""
    build: Named[Callable[..., Module]]
    """(module of executable loop IR, threads or None) -> a callable. It takes `call_options` by name."""
    target: Named[Callable[[str], TargetAttr]]
    """The text of a target -> the attribute that modules for it carry. Raises TilewrightError TW0612 for options that
    make no sense."""
    options: Named[Mapping[str, Option]] = field(default_factory=dict[str, "Option"])
    """The options that may stand in the text of a target."""
    check: Named[Callable[[str], None]] | None = None
    """Checks the text of a target whose options are known, without querying the machine. Raises TilewrightError TW0612
    for options that do not go together."""
    legalization: tuple[str, ...] = LEGALIZATION
    """The passes that end phase 3 for its targets; the emitter translates their result operation by operation."""
    texts: Mapping[str, Named[Writer]] = field(default_factory=dict[str, "Named[Writer]"])
    """The kinds of text that `emit` and `opt-tool --emit` make with it."""
    sources: Mapping[str, Named[Writer]] = field(default_factory=dict[str, "Named[Writer]"])
    """The texts that a compiled program keeps, by the names that `get_source` takes."""
    call_options: tuple[str, ...] = ()
    """The keywords among `device` and `copy` that `build` takes."""
    lowerings: Mapping[str, str] = field(default_factory=dict[str, str])
    """Rules of level 10 for `lower-intrinsics`: operation -> "module:function"."""
    expansions: Mapping[str, str] = field(default_factory=dict[str, str])
    """Rules of level 10 for `expand-operations`, which keep every bit: operation -> "module:function"."""
    instructions: tuple[str, ...] = ()
    """The intrinsics that its emitter writes as they are called; all others need a rule."""
    takes_any_level: bool = False
    """True if the backend runs modules of any level as they are, of graphs and tensor expressions too."""
    keeps_machine_code: bool = False
    """True if programs are kept in the cache of programs and are validated down to machine code."""
    package: str = "tilewright.backends"
    """The package that relative names of modules start from."""

    def load(self, named: Named[ValueT]) -> ValueT:
        """Return the object that `named` names; an object that is not a string is returned as it is."""
        if not isinstance(named, str):
            return named
        value: ValueT = load(named, self.package)
        return value

    def make(self, module: ModuleOp, threads: int | None = None, **call_options: object) -> Module:
        """Compile a module of executable loop IR. `threads` is the number of threads of a parallel loop, None for all
        available ones. Raises TilewrightError TW0601 for operations that the backend does not execute."""
        return self.load(self.build)(module, threads, **call_options)

    def source_of(self, kind: str) -> str:
        """Return the name that a compiled program has for the text that `emit` calls `kind`."""
        return next((name for name, writer in self.sources.items() if writer == self.texts[kind]), kind)


_backends: dict[str, Backend] = {}


def register_backend(backend: Backend) -> Backend:
    """Register a backend, its targets, texts and lowering rules.

    Raises TilewrightError TW0616 if another backend has its name, a kind of its targets or a kind of its texts.
    """
    for other in _backends.values():
        taken = [
            *({backend.name} & {other.name}),
            *(kind for kind in backend.kinds if kind in other.kinds),
            *(kind for kind in backend.texts if kind in other.texts),
        ]
        if taken:
            fail(
                "TW0616",
                f"expected names that no backend has, but {taken[0]!r} is one of backend '{other.name}'",
                help=f"name it differently, or unregister_backend('{other.name}') first",
            )
    _backends[backend.name] = backend
    register_instructions(backend.name, backend.instructions)
    register_lowerings(backend.name, backend.lowerings, backend.package)
    register_lowerings(backend.name, backend.expansions, backend.package, exact=True)
    return backend


def unregister_backend(name: str) -> None:
    """Forget a backend and its rules. Raises TilewrightError TW0602 where there is none of that name."""
    if name not in _backends:
        fail("TW0602", f"unknown backend '{name}'{did_you_mean(name, _backends)}")
    backend = _backends.pop(name)
    register_instructions(name, ())
    for operation in (*backend.lowerings, *backend.expansions):
        unregister_lowering(operation, name, BUILTIN_LEVEL)


def backends() -> Iterable[Backend]:
    """Return all backends that are known, plugins' ones included."""
    load_plugins()
    return tuple(_backends.values())


def backend_for_kind(kind: str) -> Backend:
    """Return the backend that serves targets whose text begins with `kind`. Raises TilewrightError TW0602 where none
    does."""
    found = _find(lambda backend: kind in backend.kinds)
    if found is None:
        known = [word for backend in backends() for word in backend.kinds]
        fail("TW0602", f"unknown target '{kind}'{did_you_mean(kind, known)}")
    return found


def backend_for_text(kind: str) -> Backend | None:
    """Return the backend that makes texts of this kind; None where none does."""
    return _find(lambda backend: kind in backend.texts)


def backend_of(target: object) -> Backend | None:
    """Return the backend that serves a target attribute; None where none does, and where it is no target."""
    return _find(lambda backend: isinstance(target, TargetAttr) and backend.name == target.kind)


def target_of_module(module: ModuleOp) -> TargetAttr | None:
    """Return the target that a module names, if it names one."""
    target = module.attributes.get(TARGET_ATTRIBUTE)
    return target if isinstance(target, TargetAttr) else None


def legalization_of(target: object) -> tuple[str, ...]:
    """Return the passes that end phase 3 for a target; the passes of most targets where no backend serves it."""
    found = backend_of(target)
    return LEGALIZATION if found is None else found.legalization


def _find(serves: Callable[[Backend], Any]) -> Backend | None:
    """Return the first backend for which `serves` holds; plugins are loaded where no registered backend matches."""
    found = next(filter(serves, _backends.values()), None)
    return found or next(filter(serves, backends()), None)
