"""The trace of a compilation: the module after every pass as files, and a page that shows the changes of each pass.

`recorder` has the instrument `Trace`, `texts` stores each text once, and `page.py` writes the page from the files in
`page/`.
"""

from __future__ import annotations

from .recorder import Trace as Trace

__all__ = ["Trace"]
