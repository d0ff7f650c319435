"""The documentation site: Markdown pages and a reference that is made from the code. `make docs` builds it."""

from __future__ import annotations

import re
from pathlib import Path
from shutil import rmtree
from typing import Any

import tilewright
from docutils import nodes
from sphinx import addnodes
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
    app.connect("doctree-read", add_index_entries)


def index_terms(heading: str) -> list[str]:
    """Return the terms that an index lists for a heading: its parts, in lower case and without articles."""
    parts = re.split(r"[:,;.?] | and ", re.sub(r"\b(an?|the) ", "", heading.lower()))
    return [part.strip() for part in parts if part.strip()]


def add_index_entries(app: Any, document: Any) -> None:
    """List the headings of a page in the site's index, which the search knows: it finds "Print IR after a pass" by
    "print ir after pass"."""
    for section in document.findall(nodes.section):
        (anchor, *_), title = section["ids"], section.next_node(nodes.title).astext()
        entries = [("single", term, anchor, "main", None) for term in index_terms(title)]
        section.insert(1, addnodes.index(entries=entries))
