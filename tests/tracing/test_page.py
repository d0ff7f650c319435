"""The page of a trace, opened from disk in a real browser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tilewright
from browser import Browser
from tilewright import te
from tilewright.dialects import context
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.passes.framework.tracing import Trace
from tilewright.passes.framework.tracing.page import Step, TextStore, render
from xdsl.parser import Parser

from .pixels import Image, decode

pytestmark = pytest.mark.needs("chromium")

SHOWN = "Number(document.body.dataset.shown)"
SELECTED = "document.querySelector('#pipeline [aria-current]').textContent"
CURRENT = "document.querySelector('.row.current')?.textContent"
VISIBLE = "[...document.querySelectorAll('#sections > section')].filter((s) => s.offsetParent)"

FUNCTIONS = """
func.func @first(%a: index) -> index {
  %b = arith.addi %a, %a : index
  %c = arith.addi %a, %a : index
  %d = arith.muli %b, %c : index
  func.return %d : index
}
func.func @second(%a: index) -> index {
  func.return %a : index
}"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("profile")) as browser:
        yield browser
        assert browser.errors == []


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, described_host: str) -> Trace:
    """Trace a matrix product from tensor expressions to assembly, for each host."""
    trace = Trace(tmp_path_factory.mktemp("built"), "a product")
    a = te.placeholder((70, 70), name="a")
    k = te.reduce_axis((0, 70), name="k")
    with tilewright.PassContext(instruments=[trace]):
        tilewright.build([a, te.compute((70, 70), lambda i, j: te.sum(a[i, k] * a[k, j], axis=k), name="b")])
    return trace


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Trace:
    """Trace two functions, of which passes change one."""
    trace = Trace(tmp_path_factory.mktemp("two"))
    module = Parser(context(), FUNCTIONS).parse_module()
    PassManager(parse_pipeline("simplify,cse,remove-no-op"), [trace]).run(context(), module)
    return trace


def show(browser: Browser, trace: Trace, step: int | str | None = None) -> None:
    """Open the page of a trace at a step, given by its number or name."""
    address = f"file://{trace.directory}/index.html"
    if isinstance(step, str):
        step = next(index for index, made in enumerate(trace.steps) if made.name == step)
    browser.open(address if step is None else f"{address}#pass={step}")
    if step is not None:
        browser.wait_for(f"{SHOWN} === {step}")


def press(browser: Browser, key: str, shown: int) -> None:
    browser.press(key)
    browser.wait_for(f"{SHOWN} === {shown}")


def test_pipeline_lists_the_passes_by_phase(browser: Browser, built: Trace) -> None:
    show(browser, built)
    names = browser.evaluate("[...document.querySelectorAll('#pipeline .name')].map((name) => name.textContent)")
    assert names == [step.name for step in built.steps]
    groups = browser.evaluate("[...document.querySelectorAll('#pipeline h2')].map((h) => h.firstChild.textContent)")
    assert groups[0] == "Input" and groups[-1] == "Lowered code"
    assert "Phase 2: loops" in groups
    dimmed = browser.evaluate("[...document.querySelectorAll('#pipeline a')].map((a) => a.matches('.dimmed'))")
    same = [i > 0 and step.parts == built.steps[i - 1].parts for i, step in enumerate(built.steps)]
    assert dimmed == same and any(same) and not all(same)


def test_nothing_is_fetched(browser: Browser, built: Trace) -> None:
    before = len(browser.requests)
    show(browser, built, "vectorize")
    asked = {url.split("#")[0] for url in browser.requests[before:]}
    assert asked == {f"file://{built.directory}/index.html"}


def test_both_forms_of_data_are_read(browser: Browser, built: Trace, two: Trace) -> None:
    for trace, form in ((built, "deflate"), (two, "json")):
        show(browser, trace, 1)
        assert browser.evaluate("document.getElementById('data').dataset.form") == form


def test_keys_go_from_pass_to_pass(browser: Browser, built: Trace) -> None:
    show(browser, built, 3)
    press(browser, "j", 4)
    assert browser.evaluate(SELECTED).startswith(f"4{built.steps[4].name}")
    assert browser.evaluate("location.hash") == "#pass=4"
    press(browser, "k", 3)
    browser.evaluate("history.back()")
    browser.wait_for(f"{SHOWN} === 4")
    show(browser, built, 0)
    browser.press("k")
    assert browser.evaluate(SHOWN) == 0


def test_unchanged_passes_can_be_left_out(browser: Browser, built: Trace) -> None:
    changed = [i for i, step in enumerate(built.steps) if i == 0 or step.parts != built.steps[i - 1].parts]
    skip = next(i for i, j in zip(changed, changed[1:], strict=False) if j > i + 1)
    show(browser, built, skip)
    browser.evaluate("document.getElementById('changed-only').click()")
    press(browser, "j", changed[changed.index(skip) + 1])


def test_keys_go_from_change_to_change(browser: Browser, two: Trace) -> None:
    show(browser, two, "cse")
    assert browser.evaluate(CURRENT) is None
    browser.press("n")
    first = browser.evaluate(CURRENT)
    assert "arith.addi" in first
    browser.press("n")
    assert "no change below" in browser.evaluate("document.getElementById('place').textContent")
    assert browser.evaluate(CURRENT) == first
    show(browser, two, "simplify")
    browser.press("p")
    assert browser.evaluate(CURRENT) is None


def test_diff_stands_side_by_side(browser: Browser, two: Trace) -> None:
    show(browser, two, "cse")
    rows = browser.evaluate(
        "[...document.querySelectorAll('#sections section.changed .row')].map((row) => "
        "[row.className.split(' ')[1], ...[...row.querySelectorAll('code')].map((code) => code.textContent)])"
    )
    before, after = (part_text(two, step, "first") for step in (1, 2))
    assert [left for _, left, _ in rows if left] == before
    assert [right for _, _, right in rows if right] == after
    for kind, left, right in rows:
        assert (kind == "same") == (left == right)
        assert (kind == "removed") == (right == "") and (kind == "added") == (left == "")
    assert {kind for kind, _, _ in rows} >= {"same", "removed"}
    summary = browser.evaluate("document.querySelector('.facts').innerText")
    assert "1 of 2 functions changed" in summary
    assert browser.evaluate("document.querySelector('.note').textContent") == "1 function unchanged."


def test_functions_are_filtered(browser: Browser, two: Trace) -> None:
    show(browser, two, "cse")
    names = f"{VISIBLE}.map((s) => s.querySelector('h3 button').textContent)"
    assert browser.evaluate(names) == ["@first"]
    browser.press("u")
    assert browser.evaluate(names) == ["@first", "@second", "(module)"]
    browser.press("f", *"sec")
    assert browser.evaluate(names) == ["@second"]
    browser.press("Escape")
    assert browser.evaluate("document.activeElement === document.body")


def test_search_finds_lines_in_all_passes(browser: Browser, built: Trace) -> None:
    show(browser, built, "vectorize")
    browser.press("/", *"vector<")
    browser.wait_for("document.getElementById('found').textContent !== ''")
    counts = browser.evaluate(
        "[...document.querySelectorAll('#pipeline .hits')].map((hits) => Number(hits.textContent))"
    )
    texts = [(built.directory / step.file).read_text().lower() for step in built.steps]
    assert counts == [sum("vector<" in line for line in text.splitlines()) for text in texts]
    assert "vector<" in browser.evaluate(CURRENT)
    before = browser.evaluate(CURRENT)
    browser.press("Enter")
    assert browser.evaluate(CURRENT) != before
    assert browser.evaluate("CSS.highlights.get('found').size") > 0
    for _ in range(200):
        if browser.evaluate("location.hash") != f"#pass={[s.name for s in built.steps].index('vectorize')}":
            break
        browser.press("Enter")
    assert browser.evaluate(f"{SHOWN}") >= 0 and "vector<" in browser.evaluate(CURRENT)


@pytest.mark.hosts
def test_code_comes_last(browser: Browser, built: Trace) -> None:
    """The first lines of it: how many there are before the first product depends on the machine."""
    assert built.steps[-1].name == "asm"
    show(browser, built, "asm")
    shown = browser.evaluate("document.querySelector('#sections').textContent")
    assert "tw.main" in shown and re.search(r"\t(push|mov|xor|sub|ld|st)\w*\t", shown)
    assert browser.evaluate("document.querySelectorAll('.row.single').length") > 20


def test_errors_and_remarks_are_shown(browser: Browser, tmp_path: Path) -> None:
    store = TextStore()
    parts = [("f", store.add("func.func @f()"))]
    remarks = [("missed", "why <it> was not vectorised")]
    steps = [
        Step("input", "input", "input", parts=parts),
        Step(
            "pass",
            "mine",
            "mine{x=1}",
            2,
            0.25,
            {"fold": 2, "merge": 1},
            remarks,
            "error[TW0107]: bad",
            parts=parts,
            ops={"func": 1},
        ),
    ]
    (tmp_path / "index.html").write_text(render("<failing>", steps, store))
    browser.open(f"file://{tmp_path}/index.html")
    summary = browser.evaluate("document.getElementById('summary').innerText")
    for text in (
        "mine{x=1}",
        "250 ms",
        "3 rewrites",
        "2 × fold, 1 × merge",
        "error[TW0107]: bad",
        "why <it> was not vectorised",
    ):
        assert text in summary
    assert browser.evaluate("document.querySelector('#pipeline .failed .name').textContent") == "mine"


def test_a_step_can_be_linked_with_a_function(browser: Browser, two: Trace) -> None:
    browser.open(f"file://{two.directory}/index.html#pass=2&function=second")
    assert "@second" in browser.evaluate(CURRENT)


def test_elements_have_names_for_screen_readers(browser: Browser, two: Trace) -> None:
    show(browser, two, "cse")
    nameless = browser.evaluate(
        "[...document.querySelectorAll('input, button, a, nav')].filter((e) => "
        "!(e.ariaLabel || e.textContent.trim() || e.labels?.length)).map((e) => e.outerHTML)"
    )
    assert nameless == []
    assert browser.evaluate("document.querySelector('#sections h3 button').ariaExpanded") == "true"
    browser.evaluate("document.querySelector('#sections h3 button').click()")
    assert browser.evaluate("document.querySelector('#sections .rows').offsetParent") is None


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_screenshot_has_a_pipeline_and_a_coloured_diff(browser: Browser, built: Trace, scheme: str) -> None:
    browser.prefer(scheme)
    show(browser, built, "vectorize")
    browser.press("n")
    picture = decode(browser.screenshot())
    assert looks_right(picture) == []
    assert (picture[5, 5].sum() > 384) == (scheme == "light")


def test_screenshot_of_a_broken_page_is_noticed(browser: Browser, built: Trace) -> None:
    browser.prefer("light")
    show(browser, built, "vectorize")
    browser.evaluate("document.getElementById('sections').replaceChildren()")
    assert looks_right(decode(browser.screenshot())) == ["no added line", "no removed line"]
    browser.evaluate("document.body.replaceChildren()")
    assert "the left column is empty" in looks_right(decode(browser.screenshot()))


def looks_right(picture: Image) -> list[str]:
    """Return the defects of a picture of a page with a diff."""
    left, right = picture[:, : picture.shape[1] // 5], picture[:, picture.shape[1] // 4 :]
    red, green, blue = (right[..., channel] for channel in range(3))
    lacks: list[str] = []
    if np.abs(left - left[5, 5]).max(axis=2).mean() < 1:
        lacks.append("the left column is empty")
    if ((green - red > 10) & (green - blue > 8)).mean() < 0.005:
        lacks.append("no added line")
    if ((red - green > 10) & (red - blue > 10)).mean() < 0.005:
        lacks.append("no removed line")
    return lacks


def part_text(trace: Trace, step: int, name: str) -> list[str]:
    lines = list(trace._store.lines)
    return [lines[line] for line in trace._store.texts[dict(trace.steps[step].parts)[name]]]


def module_result(browser: Browser, script: str) -> Any:
    """Return the value of an expression that uses the functions of the page's scripts."""
    folder = Path(tilewright.__file__).parent / "passes" / "framework" / "tracing" / "page"
    sources = "".join((folder / name).read_text() for name in ("diff.js", "rows.js"))
    return json.loads(browser.evaluate(f"(() => {{ {sources}; return JSON.stringify({script}); }})()"))


def longest_common(a: list[int], b: list[int]) -> int:
    table = np.zeros((len(a) + 1, len(b) + 1), int)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            table[i + 1, j + 1] = table[i, j] + 1 if x == y else max(table[i, j + 1], table[i + 1, j])
    return int(table[-1, -1])


def test_diffs_match_equal_lines_in_order(browser: Browser) -> None:
    generator = np.random.default_rng(0)
    cases = [
        (generator.integers(0, k, n).tolist(), generator.integers(0, k, m).tolist())
        for k, n, m in [(1, 3, 5), (2, 9, 9), (3, 20, 17), (4, 30, 30), (40, 30, 30), (5, 0, 4), (300, 200, 210)]
    ]
    cases += [(list(range(50)), [*range(20), *range(25, 50), 99]), ([0] * 30 + [1], [1] + [0] * 30)]
    found = module_result(browser, f"{json.dumps(cases)}.map(([a, b]) => [...matchLines(a, b)])")
    greedy = module_result(
        browser,
        f"{json.dumps(cases)}.map(([a, b]) => {{ const m = new Int32Array(a.length).fill(-1); "
        "matchGreedily(a, 0, a.length, b, 0, b.length, m); return [...m]; })",
    )
    for (a, b), matches, shortest in zip(cases, found, greedy, strict=True):
        for answer in (matches, shortest):
            pairs = [(i, j) for i, j in enumerate(answer) if j >= 0]
            assert all(a[i] == b[j] for i, j in pairs)
            assert all(j < next_j for (_, j), (_, next_j) in zip(pairs, pairs[1:], strict=False))
        assert sum(j >= 0 for j in shortest) == longest_common(a, b)  # Myers' diffs are the shortest


def test_rows_hold_every_line_once(browser: Browser) -> None:
    lines = ["%0 = a.b", "%1 = a.b", "%2 = c.d %0", "}", "%3 = c.d %1"]
    script = f"(() => {{ const s = new Shapes({json.dumps(lines)}); "
    script += "return diffRows(Int32Array.from([0, 2, 3]), Int32Array.from([1, 4, 4, 3]), s); })()"
    rows = module_result(browser, script)
    assert rows == {"left": [0, 1, -1, 2], "right": [0, 1, 2, 3], "kind": [1, 1, 3, 0]}
