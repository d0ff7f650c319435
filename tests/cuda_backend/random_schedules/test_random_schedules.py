"""Random programs for a GPU compute numpy's results or are refused, and the simulator misses no planted fault.

`make fuzz` draws more, with run.py.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest
from tilewright.backends.cuda import simulator

from .access_log import meetings
from .races import Planted
from .trial import run

DRAWS = 24


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path / "cache"))


def test_random_schedules() -> None:
    start = int(os.environ.get("TILEWRIGHT_SEED", "0"))
    outcomes = [run(seed) for seed in range(start, start + DRAWS)]
    right = [outcome for outcome in outcomes if not outcome.code]
    planted = sum((outcome.planted for outcome in outcomes), Planted())
    print(f"\n{len(right)} of {DRAWS} programs ran; {planted}")
    assert len(right) * 3 > DRAWS
    assert planted.caught > 0


def test_what_fails_is_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A campaign that takes each result for a wrong one."""
    from .run import campaign

    seed = next(seed for seed in range(20) if not run(seed, False).code)

    def wrong(program: object, module: object) -> None:
        np.testing.assert_array_equal([1], [2])

    monkeypatch.setattr(sys.modules[campaign.__globals__["run"].__module__], "check", wrong)
    assert campaign(range(seed, seed + 1), False, 1, tmp_path) == 1
    text = (tmp_path / f"cuda-{seed}.txt").read_text()
    assert f"--show {seed}" in text and "def main_kernel0" in text
    assert "1 wrong" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["%s[%t * 300 + %j]", "%p[%j]"])
def test_faults_of_scopes_are_found(text: str) -> None:
    """Rows of threads become one row, and what a thread keeps becomes shared."""
    from tilewright.backends.cuda.module import build
    from tilewright.dialects import context
    from xdsl.parser import Parser

    from .scopes import plant_scopes

    buffer = text[:2]
    width = 300 if buffer == "%s" else 8
    whole = 1200 if buffer == "%s" else 8
    scope = "" if buffer == "%s" else ', "local"'
    rows = '%s = loop.alloc attributes {tw.owner = "thread"} : memref<1200xf32>' if buffer == "%s" else ""
    own = "" if buffer == "%s" else '%p = loop.alloc : memref<8xf32, "local">'
    program = f"""func.func @main(%x: memref<4x{width}xf32>, %y: memref<4x{width}xf32> {{tw.output}}) {{
      {rows}
      loop.for %t = 0 to 4 kind thread<"threadIdx.x"> {{
        {own}
        loop.for %j = 0 to {width} {{
          %v = loop.load %x[%t, %j] : memref<4x{width}xf32>
          loop.store %v, {text} : memref<{whole}xf32{scope}>
        }}
        loop.for %j = 0 to {width} {{
          %v = loop.load {text} : memref<{whole}xf32{scope}>
          loop.store %v, %y[%t, %j] : memref<4x{width}xf32>
        }}
      }}
      func.return
    }}"""
    module = build(Parser(context(), program).parse_module(), device="simulator")
    x = np.random.default_rng(0).normal(size=(4, width)).astype(np.float32)
    planted = plant_scopes(module, lambda changed: np.testing.assert_array_equal(changed(x), x))
    assert (planted.planted, planted.caught) == (1, 1)


REVERSED = """
from numba import cuda, float32, int64

def reverse(A, B):
    t = int64(cuda.threadIdx.x)
    tile = cuda.shared.array(8, float32)
    tile[t] = A[t]
    {barrier}
    B[t] = tile[7 - t]
"""


def test_the_access_log_finds_races_of_its_own() -> None:
    arrays = [np.arange(8, dtype=np.float32), np.zeros(8, np.float32)]
    right, wrong = (
        simulator.parse(REVERSED.format(barrier=text), "kernel.py").function("reverse")
        for text in ("cuda.syncthreads()", "pass")
    )
    assert not list(meetings(right, (1, 1, 1), (8, 1, 1), arrays))
    found = list(meetings(wrong, (1, 1, 1), (8, 1, 1), arrays))
    assert len(found) == 8 and all(name == "shared 1" for name, *_ in found)
    # Two blocks of one thread each write one element: nothing orders them.
    assert list(meetings(right, (2, 1, 1), (8, 1, 1), arrays))
