"""`tilewright explain`: prints entries of the reference on the terminal."""

from __future__ import annotations

import re
from textwrap import fill

from ..diagnostics import CODES, fail
from ..diagnostics.code_table import ErrorCode
from ..diagnostics.text import did_you_mean
from ..renamed import current_pass

_CODE = re.compile(r"(?:TW)?\d{1,4}", re.IGNORECASE)
_COLUMNS = 88


def explain(name: str | None) -> str:
    """Return the entries of the reference for a name, each with its page of the site.

    Names are those of error codes (`TW0101`, `tw0101` or `101`), operations, passes, schedule primitives, intrinsics,
    targets, and of functions and classes in Python. Without a name, return a line for each error code.

    Raises TilewrightError TW0209 for a name that the reference does not have.
    """
    if name is None:
        return "\n".join(f"{code}  {entry.title}" for code, entry in sorted(CODES.items()))
    if _CODE.fullmatch(name):
        return _explain_code(name)
    from .reference import entries, find, page_of

    found = find(current_pass(name))
    if not found:
        near = did_you_mean(name, [entry.name for entry in entries()])
        fail("TW0209", f"the reference has no '{name}'{near}", help="`tilewright explain --search WORD` searches it")
    shown = [f"{each.name} ({each.kind.title.lower()})\n\n{each.text}\n\nPage: {page_of(each)}" for each in found]
    return "\n\n".join(shown)


def search_reference(words: str) -> str:
    """Return the names in the reference that have all of these words, best first, a line each.

    Raises TilewrightError TW0209 where there is none.
    """
    from .reference import search

    found = search(words)
    if not found:
        fail("TW0209", f"the reference says nothing of '{words}'", help="give fewer words, or parts of words")
    width = max(len(entry.name) for entry in found)
    return "\n".join(f"{entry.name:{width}}  {entry.sentence}" for entry in found)


def _explain_code(written: str) -> str:
    name = f"TW{written.upper().removeprefix('TW'):0>4}"
    if name not in CODES:
        fail("TW0209", f"unknown error code '{written}'{did_you_mean(name, CODES)}")
    entry = CODES[name]
    return f"{name}: {entry.title}\n\n{_body(entry)}"


def _body(entry: ErrorCode) -> str:
    """Return the explanation and the remedy in lines."""
    paragraphs = [entry.explanation, *([f"help: {entry.remedy}"] if entry.remedy else [])]
    return "\n\n".join(fill(text, _COLUMNS, break_on_hyphens=False) for text in paragraphs)
