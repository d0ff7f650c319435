"""The documentation site is built without warnings, has a page for everything, and is searched in a browser."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from browser import Browser
from tilewright.tools.reference import entries, page_of

from .pages import ROOT
from .site_search import SiteSearch, questions, unanswered

pytestmark = pytest.mark.needs("sphinx", "myst_parser", "furo")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the site: that of `make docs` for this run, where it is named, or one of its own."""
    if made := os.environ.get("TILEWRIGHT_SITE"):
        return Path(made)
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--keep-going", "--quiet", "-b", "html"]
    command += ["-d", str(folder / "doctrees"), str(ROOT / "docs"), str(folder / "html")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "html"


def test_every_entry_has_its_heading(site: Path) -> None:
    pages = "\n".join(page.read_text(encoding="utf-8") for page in (site / "reference").glob("*.html"))
    headings = re.findall(r"<h2>([^<]+)<a class=\"headerlink\"", pages)
    assert sorted(headings) == sorted(entry.name for entry in entries())


def test_the_page_that_explain_names_has_the_entry(site: Path) -> None:
    texts = {page.name: page.read_text(encoding="utf-8") for page in (site / "reference").glob("*.html")}
    for entry in entries():
        page, _, anchor = page_of(entry).partition("#")
        assert entry.name in texts[Path(page).name], entry.name
        assert not anchor or f'id="{anchor}"' in texts[Path(page).name], anchor


def test_the_search_answers_those_who_write_passes(site: Path) -> None:
    """Of 20 questions at least 18; the pages that questions name exist."""
    pages = {*SiteSearch(site).pages}
    assert all({*question.pages} <= pages for question in questions())
    missed = unanswered(site)
    assert len(questions()) == 20 and len(missed) <= 2, "\n".join(missed)


def test_every_page_is_reached_from_the_index(site: Path) -> None:
    index = (site / "index.html").read_text(encoding="utf-8")
    for page in (ROOT / "docs").glob("**/*.md"):
        name = page.relative_to(ROOT / "docs").with_suffix("")
        if name.parts[0] != "reference" and name.name != "index":
            assert f'href="{name}.html"' in index, name


@pytest.mark.needs("chromium")
def test_a_page_is_searched_and_clicked(site: Path, tmp_path: Path) -> None:
    links = "[...document.querySelectorAll('#search-results li a')]"
    wanted = f"{links}.find(link => link.textContent.endsWith('> vectorize'))"
    with Browser(tmp_path) as browser:
        browser.open(f"{(site / 'search.html').as_uri()}?q=vectorize", f"{links}.length > 3 && !!{wanted}")
        browser.evaluate(f"{wanted}.click()")
        browser.wait_for("[...document.querySelectorAll('h2')].some(h => h.firstChild.textContent === 'vectorize')")
        assert all(address.startswith(("file:", "data:")) for address in browser.requests)
        assert not browser.errors
