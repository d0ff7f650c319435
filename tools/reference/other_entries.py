"""Primitives, intrinsics, targets, error codes."""

from __future__ import annotations

from collections.abc import Iterator

from ...diagnostics import CODES
from .entry import Entry, Kind, first_sentence, joined, table


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
