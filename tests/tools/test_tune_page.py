"""The page of a tuning run, as text and in a real browser."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from browser import Browser
from tilewright.tools.tune_page import TaskHistory, TrialPoint, duration, page, write_page

TRIALS = (
    TrialPoint(0, 4e-3, 3e-3),
    TrialPoint(1, 6e-3, 5e-3),
    TrialPoint(2, None, 2e-3, "crash: signal 11 (SIGSEGV) <at> 0"),
    TrialPoint(3, 2e-3, 2.5e-3),
    TrialPoint(4, None, None, "time: 10 s"),
)
PRODUCT = TaskHistory(
    "matmul <1>", "ab12" * 16, 3, 4e-3, 1e-3, TRIALS, 'sch.split(l0, factors=[None, 8])  # "C" & more', ("proved",)
)
EMPTY = TaskHistory("softmax", "cd34" * 16, 1, None)
ABOUT = [("machine", "<a machine>"), ("seed", "0")]


@pytest.mark.parametrize(
    ("seconds", "text"), [(None, "–"), (2.5, "2.5 s"), (1.234e-3, "1.23 ms"), (5.6e-6, "5.6 µs"), (7e-9, "7 ns")]
)
def test_durations(seconds: float | None, text: str) -> None:
    assert duration(seconds) == text


def test_best_and_failures() -> None:
    assert PRODUCT.best == 2e-3 and EMPTY.best is None
    assert PRODUCT.failures == {"crash": 1, "time": 1}
    slower = TaskHistory("t", "0", 1, 1e-3, trials=TRIALS)
    assert slower.best == 1e-3, "the default schedule is a candidate"


def test_the_page_is_written_whole_and_escaped(tmp_path: Path) -> None:
    write_page(tmp_path / "out.html", [PRODUCT, EMPTY], ABOUT)
    text = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert text == page([PRODUCT, EMPTY], ABOUT)
    assert "matmul &lt;1&gt;" in text and "<a machine>" not in text and "&lt;at&gt;" in text
    assert [path.name for path in tmp_path.iterdir()] == ["out.html"]


@pytest.mark.needs("chromium")
def test_the_page_in_a_browser(tmp_path: Path) -> None:
    write_page(tmp_path / "out.html", [PRODUCT, EMPTY], ABOUT)
    with Browser(tmp_path / "profile") as browser:
        browser.open(f"file://{tmp_path}/out.html", "document.title === 'Tuning' && document.readyState === 'complete'")
        count = "[...document.querySelectorAll('{}')].length"
        found = {name: browser.evaluate(count.format(name)) for name in (".trial", ".failed", ".predicted", "section")}
        assert found == {".trial": 3, ".failed": 2, ".predicted": 3, "section": 2}
        rows = "[...document.querySelectorAll('.tasks tbody tr')].map(r => [...r.cells].map(c => c.textContent))"
        assert json.loads(browser.evaluate(f"JSON.stringify({rows})")) == [
            ["matmul <1>", "3", "5", "2", "4 ms", "2 ms", "2.00 ×", "50%"],
            ["softmax", "1", "0", "0", "–", "–", "–", "–"],
        ]
        heights = "[...document.querySelectorAll('.trial')].map(c => c.getBoundingClientRect().y)"
        first, second, last = json.loads(browser.evaluate(f"JSON.stringify({heights})"))
        assert second < first < last, "longer times are higher up"
        assert browser.evaluate("document.querySelector('pre').textContent") == PRODUCT.schedule
        assert browser.evaluate("document.querySelector('.best').points.length") == 6
        assert browser.evaluate("document.documentElement.scrollWidth <= innerWidth") is True
        assert browser.errors == []
