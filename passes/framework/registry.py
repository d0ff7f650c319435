"""Passes by name: the builtin passes of `passes.framework.table`, and the passes that users register.

A builtin pass is imported when it runs. Users call `register_pass` in a program, in a plugin (`tilewright.plugins`),
or in a file for `opt-tool --load FILE.py`.
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
from ...diagnostics.text import did_you_mean
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
    """Return a decorator that registers a pass class, a function, a rewrite pattern or a list of patterns as a pass.

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
    Registration does not run the pass: use `PassContext(add_lower_pass=...)` or `--pass`. `name` is by default the name
    of the function or pattern, its words joined by `-`. `phase`, `levels` (by default all), `opt_level`,
    `reassociates`, `contracts` and `axioms` become attributes of the pass, as in `Pass`; the last three are the changes
    of arithmetic that validation and proofs allow. Attributes of a pass class take precedence.

    Raises TilewrightError TW0211 for a name that is taken. A definition with the same module and qualified name
    replaces the earlier one, so that modules can be reloaded. TW0208 for an object that is no pass, TW0240 for an
    unknown label of an axiom.
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
    """Return the labels, which are checked; None for no labels."""
    given = tuple(labels)
    if given:
        axioms_labelled(given)
    return given or None


def unregister_pass(name: str) -> None:
    """Remove a pass that a user registered. Raises TilewrightError TW0201 if no such pass is registered."""
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
    """Return the class of the pass `name`. Raises TilewrightError TW0201 with the nearest names."""
    name = checked_name(name)
    if name in BUILTIN:
        return BUILTIN[name].load()
    return _user[name] if name in _user else _of_universes()[name]()


def entry_of(name: str) -> PassEntry:
    """Return the entry of the pass `name`, without importing a builtin pass. Raises TilewrightError TW0201."""
    return BUILTIN[name] if name in BUILTIN else PassEntry.of(get_pass(name))


def checked_name(name: str) -> str:
    """Return the name of an existing pass; an earlier name (`renamed.PASSES`) is replaced.

    Raises TilewrightError TW0201 with the nearest names.
    """
    if name in BUILTIN or name in _user or name in (names := pass_names()):
        return name
    current = current_pass(name)
    if current not in BUILTIN:
        fail("TW0201", f"unknown pass '{name}'{did_you_mean(name, names)}", notes=plugin_failures())
    return current


def pass_names() -> list[str]:
    """Return the names of all passes, sorted."""
    load_plugins()
    return sorted({*BUILTIN, *_user, *_of_universes()})


def _of_universes() -> dict[str, Callable[[], type[ModulePass]]]:
    """Return the passes of other packages, from their `xdsl.universe`."""
    return {name: make for universe in universes() for name, make in universe.all_passes.items()}


def parse_pipeline(text: str) -> list[ModulePass]:
    """Return the passes of a pipeline such as `fuse,tile{sizes=32,32},vectorize{width=16}`.

    Raises TilewrightError TW0201, TW0202 or TW0203.
    """
    return [instantiate(get_pass(spec.name), spec) for spec in pipeline_specs(text)]


def pipeline_specs(text: str) -> list[ArgSpec]:
    """Return the names and options of the passes of a pipeline, without imports. Raises TilewrightError TW0203."""
    try:
        return list(parse_specs(text.strip()))
    except ArgSpecParseError as error:
        # The error's only content is its text: position on the second line, reason on the last.
        position = re.search(r":(\d+)\n", str(error))
        where = f" at character {position[1]}" if position else ""
        reason = str(error).rstrip().rpartition("\n")[2].strip()
        fail("TW0203", f"pass pipeline '{text}' cannot be read{where}: {reason}")
