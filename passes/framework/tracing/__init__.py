"""The trace of a compilation: the module after every pass as files, and one page that shows what each pass did.

`Trace` is the instrument that records, `texts` what keeps every text once, `page` what writes the page, and the files
in `page/` are what the page is made of.
"""

from __future__ import annotations

from .recorder import Trace as Trace

__all__ = ["Trace"]
