"""Identifiers for values of the IR: unique in a scope, and different from the language's reserved words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_UNSAFE = re.compile(r"[^A-Za-z0-9_]")


@dataclass(frozen=True)
class Reserved:
    """Names that are taken by a language, its library, or the surrounding text."""

    words: frozenset[str]
    prefixes: tuple[str, ...] = ()
    """Beginnings of further ones."""

    def __contains__(self, name: str) -> bool:
        return name in self.words or name.startswith(self.prefixes)

    def and_also(self, words: Iterable[str]) -> Reserved:
        """Return these names and further words."""
        return Reserved(self.words.union(words), self.prefixes)


def name_text(text: str) -> str:
    """Return the text with each character that no name may contain replaced."""
    return _UNSAFE.sub("_", text)


def whole_name(text: str) -> str:
    """Return the text as a name, in ASCII; an underscore at the start is left to the language."""
    name = name_text(text)
    return f"v{name}" if not name or name[0].isdigit() or name.startswith("_") else name


class Names:
    """The names of one scope.

    Scopes of one function share a record of all its names, so that `fresh_everywhere` finds one that no scope has.
    """

    def __init__(self, reserved: Reserved, outer: Names | None = None) -> None:
        self._reserved = reserved
        self._taken = set[str]() if outer is None else set(outer._taken)
        self._given = set[str]() if outer is None else outer._given
        """Hints that end in a number; numbering another hint never produces one of them."""
        self._ever = set[str]() if outer is None else outer._ever
        """The names that any scope of the function has had."""
        self._everywhere = set[str]() if outer is None else outer._everywhere
        """The names that are the same thing in all scopes."""

    def give(self, names: Iterable[str]) -> None:
        """Reserve names for the hints that are equal to them: numbering another hint never produces one of them."""
        self._given.update(names)

    def inner(self) -> Names:
        """Return the names of a scope in this one, which sees these."""
        return Names(self._reserved, self)

    def fresh(self, hint: str | None, fallback: str = "v") -> str:
        """Return a name like `hint` that is unused in this scope."""
        return self._enter(hint or fallback, (self._taken, self._everywhere), (self._taken, self._ever))

    def fresh_everywhere(self, hint: str) -> str:
        """Return a name like `hint` that no scope of the function has used or will use."""
        return self._enter(hint, (self._ever, self._everywhere), (self._everywhere,))

    def _enter(self, hint: str, used: Iterable[set[str]], entered: Iterable[set[str]]) -> str:
        base = whole_name(hint)
        if base.startswith(self._reserved.prefixes):
            base = f"v_{base}"
        name, count = base, 0
        while name in self._reserved or (count and name in self._given) or any(name in names for names in used):
            if f"{base}_".startswith(self._reserved.prefixes):  # every number would be reserved
                base = f"v_{base}"
            count += 1
            name = f"{base}_{count}"
        for names in entered:
            names.add(name)
        return name
