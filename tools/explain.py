"""`tilewright explain`: the table of error codes for people, on the terminal and as docs/errors.md."""

from __future__ import annotations

from textwrap import fill

from ..diagnostics import CODES, fail
from ..diagnostics.code_table.entry import ErrorCode
from ..diagnostics.suggestions import did_you_mean

_HEADING = """\
# Error codes

Generated from `diagnostics/codes.py` by `python -m tilewright.tools.explain > docs/errors.md`. On the terminal,
`tilewright explain TW0101` prints one entry.
"""


def explain(code: str | None) -> str:
    """The entry of `code`, written as `TW0101`, `tw0101` or `101`; without a code, one line for each.

    Raises TilewrightError TW0209 for a code that does not exist.
    """
    if code is None:
        return "\n".join(f"{name}  {entry.title}" for name, entry in sorted(CODES.items()))
    name = f"TW{code.upper().removeprefix('TW'):0>4}"
    if name not in CODES:
        fail("TW0209", f"unknown error code '{code}'{did_you_mean(name, CODES)}")
    entry = CODES[name]
    return f"{name}: {entry.title}\n\n{_body(entry, 88)}"


def markdown() -> str:
    """docs/errors.md."""
    sections = [f"## {name}: {entry.title}\n\n{_body(entry, 110)}\n" for name, entry in sorted(CODES.items())]
    return "\n".join([_HEADING, *sections])


def _body(entry: ErrorCode, width: int) -> str:
    """The explanation and the remedy in lines of that width."""
    paragraphs = [entry.explanation, *([f"help: {entry.remedy}"] if entry.remedy else [])]
    return "\n\n".join(fill(text, width, break_on_hyphens=False) for text in paragraphs)


if __name__ == "__main__":
    print(markdown(), end="")
