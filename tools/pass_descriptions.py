"""Descriptions of passes for listings and the reference: facts, docstring and options.

A builtin pass is not imported for its description: its facts are read from the table of passes, the rest from the
source of its class.
"""

from __future__ import annotations

import ast
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from xdsl.passes import ModulePass

from ..passes.framework.base import ALL_LEVELS, Pass
from ..passes.framework.options import options_of
from ..passes.framework.registry import BUILTIN, get_pass, pass_names
from ..passes.framework.table import PassEntry
from .reference.entry import documentation

_PACKAGE = __name__.partition(".")[0]
_ALGEBRA = ("reassociates", "contracts", "axioms")
"""The attributes of a pass class that state the arithmetic which it changes."""


class OptionText(NamedTuple):
    """An option of a pass as text."""

    name: str
    type: str
    default: str | None
    """None where the option has to be given."""


class PassDescription(NamedTuple):
    """The description of a pass: facts, docstring and options."""

    entry: PassEntry
    text: str
    """The docstring; empty where the class has none."""
    options: tuple[OptionText, ...]
    reassociates: bool
    contracts: bool
    axioms: tuple[str, ...]


def describe(name: str) -> PassDescription:
    """Return the description of the pass `name`. Raises TilewrightError TW0201 where there is none."""
    return of_source(BUILTIN[name]) if name in BUILTIN else of_class(get_pass(name))


def of_class(cls: type[ModulePass]) -> PassDescription:
    """Return the description of a pass from its class."""
    options = [
        OptionText(o.name, o.type_name, None if o.required else str(o.default)) for o in options_of(cls).values()
    ]
    algebra = (getattr(cls, attribute, getattr(Pass, attribute)) for attribute in _ALGEBRA)
    return PassDescription(PassEntry.of(cls), documentation(cls), tuple(options), *algebra)


def of_source(entry: PassEntry) -> PassDescription:
    """Return the description of a builtin pass from the source of its class; defaults of options are literals."""
    module, _, name = entry.module.partition(":")
    spec = find_spec(f"{_PACKAGE}.{module}")
    assert spec is not None and spec.origin is not None
    tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
    (cls,) = (node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name)
    stated = {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in cls.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id in _ALGEBRA
    }
    options = [
        OptionText(
            node.target.id.replace("_", "-"),
            ast.unparse(node.annotation),
            None if node.value is None else str(ast.literal_eval(node.value)),
        )
        for node in cls.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    ]
    algebra = (stated.get(attribute, getattr(Pass, attribute)) for attribute in _ALGEBRA)
    return PassDescription(entry, ast.get_docstring(cls) or "", tuple(options), *algebra)


def list_passes() -> str:
    """Return the passes by phase, in alphabetical order, with the least level of those that -O0 leaves out."""
    passes = sorted((describe(name) for name in pass_names()), key=lambda known: (known.entry.phase, known.entry.name))
    width = max((len(known.entry.name) for known in passes), default=0)
    lines: list[str] = []
    for known in passes:
        entry, sentence = known.entry, known.text.partition("\n")[0]
        level = f"  -O{entry.opt_level}" if entry.opt_level else ""
        lines.append(f"{entry.name:{width}}  phase {entry.phase}{level}  {_levels(entry)}: {sentence}")
        lines += [f"{'':{width}}    {_option(option)}" for option in known.options]
    return "\n".join(lines)


def _levels(entry: PassEntry) -> str:
    if entry.lowers_to is not None:
        return f"{'/'.join(str(level) for level in entry.levels)} to {entry.lowers_to}"
    return "any level" if set(entry.levels) == set(ALL_LEVELS) else "/".join(str(level) for level in entry.levels)


def _option(option: OptionText) -> str:
    return f"{option.name}: {option.type}" + ("" if option.default is None else f" = {option.default}")
