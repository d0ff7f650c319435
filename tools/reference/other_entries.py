"""Entries of passes, primitives, intrinsics, targets and error codes."""

from __future__ import annotations

from collections.abc import Iterator

from ...diagnostics import CODES
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


def primitive_entries() -> Iterator[Entry]:
    """Yield every method of a schedule that is recorded in its trace."""
    from ..schedule_docs import section
    from ..schedule_methods import built_in

    for primitive in built_in():
        yield Entry(
            Kind.PRIMITIVE,
            primitive.name,
            primitive.subject,
            first_sentence(primitive.documentation),
            section(primitive),
        )


def intrinsic_entries() -> Iterator[Entry]:
    """Yield every scalar function that programs call by name."""
    from ...backends import backends
    from ...semantics.intrinsics import OPERATIONS

    for name, operation in OPERATIONS.items():
        ruled = [backend.name for backend in backends() if operation in backend.lowerings]
        text = f"`te.{name}` and `tir.{name}` are the operation `{operation}`."
        if ruled:
            text += f" Lowered by built-in rules for {', '.join(sorted(ruled))}."
        yield Entry(Kind.INTRINSIC, name, "", f"the scalar function {operation}", text)


def target_entries() -> Iterator[Entry]:
    """Yield every first word of a target's text, with its options."""
    from ...backends import backends

    for backend in backends():
        for kind in backend.kinds:
            options = backend.load(backend.options)
            rows = [(f"`-{name}`", option.expected) for name, option in options.items()]
            texts = ", ".join(f"`{text}`" for text in backend.texts)
            about = joined(
                [
                    f"Compiled by the backend `{backend.name}`.",
                    f"`--emit` takes {texts}." if texts else "",
                    table(("option", "value"), rows),
                ]
            )
            yield Entry(Kind.TARGET, kind, "", f"a target of the backend {backend.name}", about)


def code_entries() -> Iterator[Entry]:
    """Yield every error code and remark."""
    for name, code in sorted(CODES.items()):
        text = joined([code.explanation, f"help: {code.remedy}" if code.remedy else ""])
        yield Entry(Kind.CODE, name, f"{name[:4]}xx", code.title, text)
