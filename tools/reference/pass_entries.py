"""Passes: what each does to the IR, its options, its phase, the levels that it works on."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.passes import ModulePass

from ...passes.framework.base import ALL_LEVELS
from ...passes.framework.options import options_of
from ...passes.framework.registry import get_pass, pass_names
from ...passes.pipeline import LEGALIZATION, PHASES
from .entry import Entry, Kind, documentation, first_sentence, joined, table


def pass_entries() -> Iterator[Entry]:
    """Every pass that is registered, users' ones included, phase by phase."""
    for name in sorted(pass_names(), key=lambda name: (_phase(get_pass(name)), name)):
        cls = get_pass(name)
        text = documentation(cls)
        options = table(
            ("option", "type", "default"),
            [
                (f"`{o.name}`", f"`{o.type_name}`", "required" if o.required else f"`{o.default}`")
                for o in options_of(cls).values()
            ],
        )
        yield Entry(
            Kind.PASS, name, f"phase {_phase(cls)}", first_sentence(text), joined([text, _facts(name, cls), options])
        )


def _phase(cls: type[ModulePass]) -> int:
    return getattr(cls, "phase", 0)


def _facts(name: str, cls: type[ModulePass]) -> str:
    levels = getattr(cls, "levels", ALL_LEVELS)
    lines = [f"- Phase {_phase(cls)}. Levels: {', '.join(str(level) for level in levels)}."]
    lowers_to = getattr(cls, "lowers_to", None)
    if lowers_to is not None:
        lines.append(f"- A conversion: the module is at level {lowers_to} afterwards.")
    in_pipeline = [phase for phase, names in PHASES.items() if name in names]
    if name in LEGALIZATION:
        lines.append("- Part of the default pipeline: it legalizes the module at the end of phase 3.")
    elif in_pipeline:
        lines.append("- Part of the default pipeline.")
    algebra = [word for word in ("reassociates", "contracts") if getattr(cls, word, False)]
    algebra += [f"uses the axiom {label}" for label in getattr(cls, "axioms", ())]
    lines.append(f"- Arithmetic: {', '.join(algebra)}." if algebra else "- Arithmetic: exact, every bit is kept.")
    return "\n".join(lines)
