"""Look-up of entries by name, and search by words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from .api_entries import aliases, api_entries
from .entry import Entry, Kind
from .operation_entries import operation_entries
from .other_entries import code_entries, intrinsic_entries, pass_entries, primitive_entries, target_entries

SOURCES: tuple[Callable[[], Iterator[Entry]], ...] = (
    operation_entries,
    pass_entries,
    primitive_entries,
    intrinsic_entries,
    target_entries,
    code_entries,
    api_entries,
)
"""The functions that make entries, in the order in which the reference shows them."""


@cache
def entries() -> tuple[Entry, ...]:
    """Return all entries."""
    return tuple(entry for source in SOURCES for entry in source())


def find(name: str) -> list[Entry]:
    """Return the entries of a name: `graph.matmul`, `matmul`, `tile`, `TW0104`, `te.compute`; several kinds may have
    it."""
    wanted = (aliases().get(name) or aliases().get(f"tilewright.{name}") or name).lower()
    exact = [entry for entry in entries() if entry.name.lower() == wanted]
    return exact + [entry for entry in entries() if entry.name.lower().endswith(f".{wanted}")]


def search(words: str) -> list[Entry]:
    """Return the entries that have all words; those with a word in their name come first, then those with it in their
    sentence."""
    wanted = words.lower().split()
    found = [entry for entry in entries() if all(word in _whole(entry) for word in wanted)]
    return sorted(found, key=lambda entry: _rank(entry, wanted))


def _whole(entry: Entry) -> str:
    return f"{entry.name} {entry.sentence} {entry.text}".lower()


_ORDER = (Kind.PASS, Kind.PRIMITIVE, Kind.OPERATION, Kind.INTRINSIC, Kind.TARGET, Kind.CODE, Kind.NAME)
"""The kinds of entries as search lists them where the words are found equally well."""


def _rank(entry: Entry, wanted: list[str]) -> tuple[int, int, int, int, str]:
    """Return the key that sorts entries: words of the name come first, then parts of it, then words of the sentence; of
    Python names the module is left out."""
    name, sentence = entry.name.lower(), entry.sentence.lower()
    if entry.kind is Kind.NAME:
        name = name.rpartition(".")[2]
    words = re.split(r"[-_.]", name)
    in_words = sum(word in words for word in wanted)
    in_name = sum(word in name for word in wanted)
    in_sentence = sum(word in sentence for word in wanted)
    return -in_words, -in_name, -in_sentence, _ORDER.index(entry.kind), entry.name
