"""`opt-tool --list-passes`: every pass with phase, levels, options and its sentence."""

from __future__ import annotations

from ..passes.framework.base import ALL_LEVELS
from ..passes.framework.registry import pass_names
from ..passes.framework.table import PassEntry
from .pass_descriptions import OptionText, describe


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
