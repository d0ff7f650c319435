"""Passes by name: those of the table (`passes.framework.table`), and those that users register.

A builtin pass is imported when it runs. Users add passes with `register_pass`: in their program, in a plugin
(`tilewright.plugins`), or in a file for `opt-tool --load FILE.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec
from xdsl.utils.arg_spec import parse_pipeline as parse_specs
from xdsl.utils.exceptions import ArgSpecParseError

from ...diagnostics import fail
from ...diagnostics.expectations import expect_type
from ...diagnostics.suggestions import did_you_mean
from ...plugins import load_plugins, origin, plugin_failures, universes
from ...renamed import current_pass
from .base import Level, Pass, axioms_labelled
from .options import instantiate
from .table import PASSES, PassEntry

if TYPE_CHECKING:
    from .custom import Custom

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")

BUILTIN: dict[str, PassEntry] = {entry.name: entry for entry in PASSES}
"""The entries of the builtin passes by name."""

_user: dict[str, type[ModulePass]] = {}

CustomT = TypeVar("CustomT", bound="Custom")


def register_pass(
    phase: int,
    *,
    name: str | None = None,
    levels: Iterable[Level] | None = None,
    reassociates: bool = False,
    contracts: bool = False,
    axioms: Iterable[str] = (),
    opt_level: int = 0,
) -> Callable[[CustomT], CustomT]:
    """A decorator that makes a pass known by its name: a pass class, a function, a rewrite pattern or a list of them.

    ```python
    @tilewright.register_pass(phase=2)
    @dataclass(frozen=True)
    class MyPass(ModulePass):
        name = "my-pass"
        def apply(self, ctx, op): ...

    @tilewright.register_pass(phase=2)
    def other_pass(ctx, module, *, width: int = 8): ...  # other-pass{width=8}

    tilewright.register_pass(phase=3, name="algebra")([DoubleNegation, SquareOfNegation])
    ```
    Nothing runs it yet: `PassContext(add_lower_pass=...)` or `--pass` does. `name` is by default the name of the
    function or pattern, its words joined by `-`. `phase`, `levels` (by default all), `reassociates`, `contracts` and
    `axioms` (what the pass may do to arithmetic, which validation and proofs then allow) and `opt_level` are what
    `Pass` has under these names; what a class says itself is kept.

    Raises TilewrightError TW0211 for a name that is taken; a pass of the same name and origin may be registered again,
    as when a module is reloaded. TW0208 for what is no pass, TW0240 for the label of no axiom.
    """
    if phase not in (0, 1, 2, 3):
        fail("TW0208", f"expected a phase of 0 to 3, but got {phase!r}", help="write @register_pass(phase=2)")

    said = {"phase": phase, "levels": None if levels is None else tuple(levels)}
    said |= {"reassociates": reassociates or None, "contracts": contracts or None, "axioms": _axioms(axioms)}
    said |= {"opt_level": opt_level or None}

    def register(custom: CustomT) -> CustomT:
        from .custom import pass_class

        cls = pass_class(custom, name)
        _add(cls)
        for attribute, value in said.items():
            if value is not None and not (custom is cls and _says(cls, attribute)):
                setattr(cls, attribute, value)
        return custom

    return register


def _axioms(labels: Iterable[str]) -> tuple[str, ...] | None:
    """The labels, known to be right; None where nothing is said."""
    given = tuple(labels)
    if given:
        axioms_labelled(given)
    return given or None


def unregister_pass(name: str) -> None:
    """Forget a pass that a user registered. Raises TilewrightError TW0201 where there is none of that name."""
    expect_type("name", name, str)
    if name not in _user:
        reason = "is one of the compiler's" if name in BUILTIN else f"is not registered{did_you_mean(name, _user)}"
        fail("TW0201", f"expected the name of a registered pass, but '{name}' {reason}")
    del _user[name]


def _add(cls: type[ModulePass]) -> None:
    name = getattr(cls, "name", None)
    if not isinstance(name, str):
        fail("TW0208", f"expected pass {cls.__qualname__} to have a class attribute 'name'")
    if not _NAME.fullmatch(name):
        fail("TW0208", f"expected a letter, then letters, digits, '-' and '_' in the name of a pass, but got '{name}'")
    if name in BUILTIN:
        fail("TW0211", f"the compiler has a pass named '{name}'")
    known = _user.get(name)
    if known is not None and origin(known) != origin(cls):
        fail(
            "TW0211",
            f"a pass named '{name}' is registered already, by {known.__module__}.{known.__qualname__}",
            help=f"tilewright.unregister_pass('{name}') forgets that one",
        )
    _user[name] = cls


def _says(cls: type[ModulePass], attribute: str) -> bool:
    """Return whether a pass class, or a base class other than `Pass`, sets an attribute."""
    return any(attribute in vars(base) for base in cls.__mro__ if base is not Pass)


def get_pass(name: str) -> type[ModulePass]:
    """The class of the pass `name`. Raises TilewrightError TW0201 with the nearest names."""
    name = checked_name(name)
    if name in BUILTIN:
        return BUILTIN[name].load()
    return _user[name] if name in _user else _of_universes()[name]()


def entry_of(name: str) -> PassEntry:
    """The entry of the pass `name`. A builtin pass is not imported. Raises TilewrightError TW0201."""
    return BUILTIN[name] if name in BUILTIN else PassEntry.of(get_pass(name))


def checked_name(name: str) -> str:
    """Return the name of a pass that there is; an earlier name (`renamed.PASSES`) is replaced.

    Raises TilewrightError TW0201 with the nearest names.
    """
    if name in BUILTIN or name in _user or name in (names := pass_names()):
        return name
    current = current_pass(name)
    if current not in BUILTIN:
        fail("TW0201", f"unknown pass '{name}'{did_you_mean(name, names)}", notes=plugin_failures())
    return current


def pass_names() -> list[str]:
    """The names of all passes, sorted."""
    load_plugins()
    return sorted({*BUILTIN, *_user, *_of_universes()})


def _of_universes() -> dict[str, Callable[[], type[ModulePass]]]:
    """The passes that other packages bring to everybody who uses xDSL."""
    return {name: make for universe in universes() for name, make in universe.all_passes.items()}


def parse_pipeline(text: str) -> list[ModulePass]:
    """Passes from `fuse,tile{sizes=32,32},vectorize{width=16}`.

    Raises TilewrightError TW0201, TW0202 or TW0203.
    """
    return [instantiate(get_pass(spec.name), spec) for spec in pipeline_specs(text)]


def pipeline_specs(text: str) -> list[ArgSpec]:
    """The names and options of the passes of a pipeline, none of which is imported. Raises TilewrightError TW0203."""
    try:
        return list(parse_specs(text.strip()))
    except ArgSpecParseError as error:
        # The error's only content is its text: position on the second line, reason on the last.
        position = re.search(r":(\d+)\n", str(error))
        where = f" at character {position[1]}" if position else ""
        reason = str(error).rstrip().rpartition("\n")[2].strip()
        fail("TW0203", f"pass pipeline '{text}' cannot be read{where}: {reason}")
