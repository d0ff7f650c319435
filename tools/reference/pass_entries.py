"""Passes: what each does to the IR, its options, its phase, the levels that it works on."""

from __future__ import annotations

from collections.abc import Iterator

from ...passes.framework.registry import pass_names
from ...passes.pipeline import LEGALIZATION, PHASES
from ..pass_descriptions import PassDescription, describe
from .entry import Entry, Kind, first_sentence, joined, table


def pass_entries() -> Iterator[Entry]:
    """Yield the entry of every registered pass, user passes included, phase by phase."""
    passes = {name: describe(name) for name in pass_names()}
    for name, known in sorted(passes.items(), key=lambda item: (item[1].entry.phase, item[0])):
        options = table(
            ("option", "type", "default"),
            [
                (
                    f"`{option.name}`",
                    f"`{option.type}`",
                    "required" if option.default is None else f"`{option.default}`",
                )
                for option in known.options
            ],
        )
        text = joined([known.text, _facts(known), options])
        yield Entry(Kind.PASS, name, f"phase {known.entry.phase}", first_sentence(known.text), text)


def _facts(known: PassDescription) -> str:
    entry = known.entry
    lines = [f"- Phase {entry.phase}. Levels: {', '.join(str(level) for level in entry.levels)}."]
    if entry.lowers_to is not None:
        lines.append(f"- A conversion: the module is at level {entry.lowers_to} afterwards.")
    if entry.name in LEGALIZATION:
        lines.append("- Part of the default pipeline: it legalizes the module at the end of phase 3.")
    elif any(entry.name in names for names in PHASES.values()):
        lines.append("- Part of the default pipeline.")
    algebra = [word for word, is_stated in _algebra(known) if is_stated]
    algebra += [f"uses the axiom {label}" for label in known.axioms]
    lines.append(f"- Arithmetic: {', '.join(algebra)}." if algebra else "- Arithmetic: exact, every bit is kept.")
    return "\n".join(lines)


def _algebra(known: PassDescription) -> tuple[tuple[str, bool], ...]:
    return ("reassociates", known.reassociates), ("contracts", known.contracts)
