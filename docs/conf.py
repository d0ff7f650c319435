"""The documentation site: Markdown pages and a reference that is made from the code. `make docs` builds it."""

from __future__ import annotations

from pathlib import Path
from shutil import rmtree
from typing import Any

import tilewright
from tilewright.tools.notebook.lexer import MlirLexer
from tilewright.tools.reference import write_pages

project = "tilewright"
release = version = tilewright.__version__
copyright = "the tilewright authors"
language = "en"

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 3

html_theme = "furo"
html_title = "tilewright"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_show_search_summary = False  # they are fetched, which browsers forbid to pages on disk
pygments_style = "friendly"


def setup(app: Any) -> None:
    """Write the reference's pages before Sphinx looks for pages, and colour IR in our dialects."""
    folder = Path(app.srcdir) / "reference"
    rmtree(folder, ignore_errors=True)
    write_pages(folder)
    app.add_lexer("mlir", MlirLexer)
