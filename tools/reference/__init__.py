"""The reference: an entry for each operation, pass, primitive, operator, intrinsic, target, error code and public name.

Entries are generated from the code. `tilewright explain` prints one, `python -m tilewright.tools.reference DIR` writes
the pages of the documentation site.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...lazy import exports

if TYPE_CHECKING:
    from .entry import Entry as Entry
    from .entry import Kind as Kind
    from .lookup import entries as entries
    from .lookup import find as find
    from .lookup import search as search
    from .pages import page_of as page_of
    from .pages import write_pages as write_pages

_EXPORTS: dict[str, str] = {
    "Entry": "entry:Entry",
    "Kind": "entry:Kind",
    "entries": "lookup:entries",
    "find": "lookup:find",
    "page_of": "pages:page_of",
    "search": "lookup:search",
    "write_pages": "pages:write_pages",
}

__getattr__, __dir__ = exports(__name__, _EXPORTS)
