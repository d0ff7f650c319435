"""Text of messages: formatted values, escapes for terminals, and suggestions of similar names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_MARGIN = 0.1
"""The most by which a suggestion may be less similar than the nearest name."""


def filled(message: str, values: Sequence[object]) -> str:
    """Return a message with its values substituted for the marks `{}`; other braces stay."""
    first, *others = message.split("{}")
    return first + "".join(f"{value}{text}" for value, text in zip(values, others))


def printable(text: str) -> str:
    """Return text with escapes for control characters and for characters that a terminal cannot encode: names come from
    files."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\t" else c.encode("unicode_escape").decode() for c in text)


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    """Return `; did you mean 'fuse'?` to append to a message; empty where nothing is near."""
    from difflib import SequenceMatcher, get_close_matches  # for messages alone

    near = get_close_matches(name, sorted(set(candidates)), n=3, cutoff=0.6)  # the nearest first
    if not near:
        return ""
    ratios = [SequenceMatcher(None, candidate, name).ratio() for candidate in near]
    quoted = [f"'{c}'" for c, ratio in zip(near, ratios) if ratio >= max(ratios) - _MARGIN]
    names = quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"
    return f"; did you mean {names}?"
