"""Count the questions of `questions.txt` that the site's search answers.

    python tests/docs/site_search.py build/docs

A question is answered when one of its pages is among the first three pages that the search lists. The search is that of
Sphinx: this file reads `searchindex.js` and ranks pages as `searchtools.js` does, without a browser.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

QUESTIONS = Path(__file__).with_name("questions.txt")
FIRST = 3
TITLE, PARTIAL_TITLE, TERM, PARTIAL_TERM = 15, 7, 5, 2
"""The scores of Sphinx's `Scorer`."""
INDEX_ENTRY = 100
"""The score of a query that is an entry of the index."""


class Question(NamedTuple):
    """Words that a newcomer searches for, and the pages that answer them."""

    words: str
    pages: tuple[str, ...]


def questions() -> list[Question]:
    """Return the questions of the file."""
    lines = QUESTIONS.read_text(encoding="utf-8").splitlines()
    rows = [line.split(" | ") for line in lines if line and not line.startswith("#")]
    return [Question(words, tuple(pages.split(", "))) for words, pages in rows]


class SiteSearch:
    """The search index of a built site."""

    def __init__(self, site: Path) -> None:
        text = (site / "searchindex.js").read_text(encoding="utf-8")
        self._index: dict[str, Any] = json.loads(text[text.index("(") + 1 : text.rindex(")")])
        self.pages: list[str] = self._index["docnames"]
        self._titles: list[str] = self._index["titles"]

    def pages_for(self, query: str) -> list[str]:
        """Return the pages that have all words of `query`, best first, as the search lists them."""
        results = [*self._by_title(query.lower()), *self._by_index(query.lower()), *self._by_words(query)]
        ordered = sorted(results, key=lambda result: (-result[0], result[1].lower()))
        return list(dict.fromkeys(self.pages[page] for _, _, page in ordered))

    def _by_title(self, query: str) -> Iterator[tuple[int, str, int]]:
        """Yield scores, titles and pages of headings that contain the query."""
        for heading, found in self._index["alltitles"].items():
            if query in heading.lower().strip() and len(query) >= len(heading) / 2:
                score = math.floor(TITLE * len(query) / len(heading) + 0.5)
                for page, _ in found:
                    title = self._titles[page]
                    is_title = title == heading
                    yield score + is_title, heading if is_title else f"{title} > {heading}", page

    def _by_index(self, query: str) -> Iterator[tuple[int, str, int]]:
        """Yield scores, titles and pages of entries of the index that contain the query."""
        for entry, found in self._index["indexentries"].items():
            if query in entry and len(query) >= len(entry) / 2:
                score = math.floor(INDEX_ENTRY * len(query) / len(entry) + 0.5)
                for page, _, is_main in found:
                    if is_main:
                        yield score, self._titles[page], page

    def _by_words(self, query: str) -> Iterator[tuple[int, str, int]]:
        """Yield scores, titles and pages of those that have all words in text or headings."""
        from sphinx.search.en import SearchEnglish

        language = SearchEnglish({})
        words = [word for word in re.findall(r"\w+", query.lower()) if word not in language.stopwords]
        scores = [self._scores(language.stem(word)) for word in words]
        for page in set.intersection(*map(set, scores)) if scores else ():
            yield max(found[page] for found in scores), self._titles[page], page

    def _scores(self, word: str) -> dict[int, int]:
        """Return the score of a word on each page that has it; of several the last one counts, as in
        `searchtools.js`."""
        terms, headings = self._index["terms"], self._index["titleterms"]
        scored = [(table[word], score) for table, score in ((terms, TERM), (headings, TITLE)) if word in table]
        for table, score in ((terms, PARTIAL_TERM), (headings, PARTIAL_TITLE)):
            if len(word) > 2 and word not in table:
                scored += [(pages, score) for term, pages in table.items() if word in term]
        return {page: score for pages, score in scored for page in (pages if isinstance(pages, list) else [pages])}


def unanswered(site: Path) -> list[str]:
    """Return the questions that no page among the first three answers, each with the pages that come first."""
    search = SiteSearch(site)
    found = [(question, search.pages_for(question.words)[:FIRST]) for question in questions()]
    return [f"{q.words}: {', '.join(pages) or 'nothing'}" for q, pages in found if not {*pages} & {*q.pages}]


if __name__ == "__main__":
    missed = unanswered(Path(sys.argv[1]))
    print(f"{len(questions()) - len(missed)} of {len(questions())} questions are answered by the first {FIRST} pages")
    print("\n".join(missed))
