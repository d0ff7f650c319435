"""The reference: an entry for each operation, pass, primitive, operator, intrinsic, target, error code and public name.

Entries are made from the code. `tilewright explain` prints one, `python -m tilewright.tools.reference DIR` writes the
pages of the documentation site.
"""

from .entry import Entry, Kind
from .lookup import entries, find, search
from .pages import page_of, write_pages

__all__ = ["Entry", "Kind", "entries", "find", "page_of", "search", "write_pages"]
