"""`opt-tool --list-passes`: every pass with phase, levels, options and its sentence."""

from __future__ import annotations

import inspect

from xdsl.passes import ModulePass

from ..passes.framework.base import ALL_LEVELS, Level
from ..passes.framework.options import Option, options_of
from ..passes.framework.registry import get_pass, pass_names


def list_passes() -> str:
    """The passes by phase, in alphabetical order, with the least level of those that -O0 leaves out."""
    classes = sorted((get_pass(name) for name in pass_names()), key=lambda cls: (_phase(cls), cls.name))
    width = max((len(cls.name) for cls in classes), default=0)
    lines: list[str] = []
    for cls in classes:
        least = getattr(cls, "opt_level", 0)
        level = f"  -O{least}" if least else ""
        lines.append(f"{cls.name:{width}}  phase {_phase(cls)}{level}  {_levels(cls)}: {sentence(cls)}")
        lines += [f"{'':{width}}    {_option(option)}" for option in options_of(cls).values()]
    return "\n".join(lines)


def sentence(cls: type[ModulePass]) -> str:
    """The first line of the pass's docstring; not that of a base class, nor the one that dataclasses make up."""
    written = cls.__dict__.get("__doc__") or ""
    is_made_up = written.startswith(f"{cls.__name__}(")
    return "" if is_made_up else inspect.cleandoc(written).partition("\n")[0]


def _phase(cls: type[ModulePass]) -> int:
    return getattr(cls, "phase", 0)


def _levels(cls: type[ModulePass]) -> str:
    levels: tuple[Level, ...] = getattr(cls, "levels", ALL_LEVELS)
    lowers_to: Level | None = getattr(cls, "lowers_to", None)
    if lowers_to is not None:
        return f"{'/'.join(str(level) for level in levels)} to {lowers_to}"
    return "any level" if set(levels) == set(ALL_LEVELS) else "/".join(str(level) for level in levels)


def _option(option: Option) -> str:
    return f"{option.name}: {option.type_name}" + ("" if option.required else f" = {option.default}")
