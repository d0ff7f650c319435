"""The size of a trace's page and its response times, with 200 passes over a whole model.

    python benchmarks/trace_page.py [--model resnet50] [--passes 200]

The model goes through the default pipeline for one machine after the other until enough passes have run, all into one
trace; last comes the code for this machine. A headless Chromium (on PATH, or TILEWRIGHT_CHROMIUM) then opens the page,
goes through all of its passes with `j` and searches. A switch is timed from the key to the frame that shows the pass,
and in CPU time of the page's thread, which a loaded machine disturbs less.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import tilewright
from tilewright.dialects.target import TARGET_ATTRIBUTE
from tilewright.driver import Target, lower_module
from tilewright.driver.building import show_code_of
from tilewright.frontends.onnx import import_model
from tilewright.frontends.onnx.light_models import LIGHT_MODELS, light_model
from tilewright.passes.framework.tracing import Trace

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests" / "conditions"))
from browser import EXECUTABLE, Browser

MACHINES = ("x86-64-v3", "x86-64", "x86-64-v4", "x86-64-v2", "native")


def trace(name: str, passes: int, directory: Path) -> Trace:
    """Return a trace with that many passes over a model."""
    module = import_model(light_model(name))
    made = Trace(directory, name)
    with tilewright.PassContext(instruments=[made]):
        for number in range(1000):
            module.attributes[TARGET_ATTRIBUTE] = Target(
                f"llvm -mcpu={MACHINES[number % 5]} -num-cores={number + 1}"
            ).attribute()
            lowered = lower_module(module)
            if len(made.steps) >= passes:
                break
        show_code_of(lowered)
    return made


def cpu(browser: Browser) -> float:
    """Return CPU time of the page's thread so far, in milliseconds."""
    metrics = {m["name"]: m["value"] for m in browser.call("Performance.getMetrics")["metrics"]}
    return 1e3 * metrics["TaskDuration"]


def milliseconds(browser: Browser) -> list[float]:
    measures = "performance.getEntriesByType('measure').map((m) => m.duration)"
    return json.loads(browser.evaluate(f"JSON.stringify({measures})"))


def measure(page: Path, steps: int, profile: Path) -> None:
    assert EXECUTABLE is not None, "needs chromium on PATH, or named in TILEWRIGHT_CHROMIUM"
    with Browser(EXECUTABLE, profile) as browser:
        browser.call("Performance.enable", timeDomain="threadTicks")
        start = time.perf_counter()
        browser.open(f"file://{page}#pass=0")
        print(f"open            {1e3 * (time.perf_counter() - start):8.0f} ms, {cpu(browser):.0f} ms of CPU time")
        spent: list[float] = []
        for step in range(1, steps):
            before = cpu(browser)
            browser.press("j")
            browser.wait_for(f"document.body.dataset.shown === '{step}'")
            spent.append(cpu(browser) - before)
        report("switch", milliseconds(browser)[1:])
        report("switch, CPU", spent)
        start = time.perf_counter()
        browser.press("/", *"fma")
        print(f"search 'fma'    {1e3 * (time.perf_counter() - start):8.0f} ms (four keys)")
        assert browser.errors == [], browser.errors


def report(what: str, times: list[float]) -> None:
    slow = sum(time > 200 for time in times)
    text = f"median, {max(times):.0f} ms longest, {slow} of {len(times)} above 200 ms"
    print(f"{what:15} {median(times):8.0f} ms {text}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", choices=LIGHT_MODELS, default="resnet50")
    parser.add_argument("--passes", type=int, default=200, metavar="N")
    parser.add_argument(
        "--keep", metavar="DIR", help="write the trace here, to look at it; or use the one that is here"
    )
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        directory = Path(arguments.keep or folder).resolve()
        page = directory / "index.html"
        if not page.exists():
            trace(arguments.model, arguments.passes, directory)
        steps = len(list((directory / "passes").iterdir()))
        print(f"{arguments.model}, {steps} steps")
        print(f"page            {page.stat().st_size / 1e6:8.2f} MB")
        measure(page, steps, Path(folder) / "profile")


if __name__ == "__main__":
    main()
