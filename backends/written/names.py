"""Names for what the IR names: unique in a scope, and no word of the language."""

from __future__ import annotations

import re
from collections.abc import Iterable

_UNSAFE = re.compile(r"[^A-Za-z0-9_]")


def name_text(text: str) -> str:
    """The text with what no name may hold replaced."""
    return _UNSAFE.sub("_", text)


def whole_name(text: str) -> str:
    """The text as a name, in ASCII; an underscore at the start is left to the language."""
    name = name_text(text)
    return f"v{name}" if name[:1].isdigit() or name.startswith("_") else name


class Names:
    """The names of one scope."""

    def __init__(self, taken: Iterable[str], given: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._given = set(given)

    def give(self, names: Iterable[str]) -> None:
        """Leave names to the hints that they are: numbering another hint makes none of them."""
        self._given.update(names)

    def inner(self) -> Names:
        """Those of a scope in this one, which sees these."""
        return Names(self._taken, self._given)

    def fresh(self, hint: str | None, fallback: str = "v") -> str:
        """An unused name like `hint`."""
        base = whole_name(hint or fallback)
        name, count = base, 0
        while name in self._taken or (count and name in self._given):
            count += 1
            name = f"{base}_{count}"
        self._taken.add(name)
        return name
