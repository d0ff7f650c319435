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
from tilewright.backends.cuda.module import build
from tilewright.dialects import context
from xdsl.parser import Parser

from .access_log import meetings
from .races import Planted
from .scopes import plant_scopes
from .trial import run

DRAWS = 24


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path / "cache"))


@pytest.mark.full
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
    from .run import campaign, drawn

    seed = next(seed for seed in range(20) if not run(seed, False).code)

    def wrong(program: object, module: object) -> None:
        np.testing.assert_array_equal([1], [2])

    monkeypatch.setattr(sys.modules[drawn.__globals__["run"].__module__], "check", wrong)
    seeds = range(seed, seed + 1)
    assert campaign(seeds, drawn(seeds, plants=False, card=False, jobs=1), tmp_path) == 1
    text = (tmp_path / f"cuda-{seed}.txt").read_text()
    assert f"--show {seed}" in text and "def main_kernel0" in text
    assert "1 wrong" in capsys.readouterr().out


def planted_scopes(program: str, *inputs: np.ndarray) -> Planted:
    """Return the outcomes of faults of scopes planted in a program whose result is its last argument."""
    module = build(Parser(context(), program).parse_module(), device="simulator")
    want = module(*inputs)
    return plant_scopes(module, lambda changed: np.testing.assert_array_equal(changed(*inputs), want))


@pytest.mark.parametrize("text", ["%s[%t * 300 + %j]", "%p[%j]"])
def test_faults_of_scopes_are_found(text: str) -> None:
    """Rows of threads become one row, and what a thread keeps becomes shared."""
    buffer = text[:2]
    width = 300 if buffer == "%s" else 8
    whole = 1200 if buffer == "%s" else 8
    scope = "" if buffer == "%s" else ', "local"'
    rows = '%s = loop.alloc attributes {tw.owner = "thread"} : memref<1200xf32>' if buffer == "%s" else ""
    private = "" if buffer == "%s" else '%p = loop.alloc : memref<8xf32, "local">'
    program = f"""func.func @main(%x: memref<4x{width}xf32>, %y: memref<4x{width}xf32> {{tw.output}}) {{
      {rows}
      loop.for %t = 0 to 4 kind thread<"threadIdx.x"> {{
        {private}
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
    planted = planted_scopes(program, np.random.default_rng(0).normal(size=(4, width)).astype(np.float32))
    assert (planted.planted, planted.caught) == (1, 1)


@pytest.mark.parametrize(
    ("blocks", "written", "read", "faults"),
    [
        # One block has the only row. Its threads read the elements that thread 0 wrote, each an element of its own.
        (1, "%b * 8 + %j", "%b * 8 + %t", 0),
        (1, "%j", "%t", 0),
        # Rows of blocks. The element before a thread's own is in the row for all threads but the first.
        (4, "%b * 8 + %j", "%b * 8 + %t", 1),
        (4, "%b * 8 + %j", "%b * 8 + %t - 1", 1),
        # The place in the row depends on the block, too: element b of the row, behind the row's start.
        (4, "%b * 8 + %j", "%b * 9", 1),
    ],
)
def test_a_block_whose_row_is_mixed_up_keeps_its_position_in_the_row(
    blocks: int, written: str, read: str, faults: int
) -> None:
    guard = "%t - 1 >= 0" if "- 1" in read else "%t >= 0"
    program = f"""func.func @main(%x: memref<{blocks}x8xf32>, %y: memref<{blocks}x8xf32> {{tw.output}}) {{
      %s = loop.alloc attributes {{tw.owner = "block"}} : memref<{blocks * 8}xf32>
      loop.for %b = 0 to {blocks} kind thread<"blockIdx.x"> {{
        loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {{
          loop.if (%t < 1) {{
            loop.for %j = 0 to 8 {{
              %v = loop.load %x[%b, %j] : memref<{blocks}x8xf32>
              loop.store %v, %s[{written}] : memref<{blocks * 8}xf32>
            }}
          }}
          loop.barrier <"global">
          %z = arith.constant 0.0 : f32
          loop.store %z, %y[%b, %t] : memref<{blocks}x8xf32>
          loop.if ({guard}) {{
            %v = loop.load %s[{read}] : memref<{blocks * 8}xf32>
            loop.store %v, %y[%b, %t] : memref<{blocks}x8xf32>
          }}
        }}
      }}
      func.return
    }}"""
    planted = planted_scopes(program, np.arange(blocks * 8, dtype=np.float32).reshape(blocks, 8))
    assert (planted.planted, planted.caught) == (faults, faults)


REVERSED = """
from numba import cuda, float32, int64

def reverse(A, B):
    t = int64(cuda.threadIdx.x)
    tile = cuda.shared.array(8, float32)
    tile[t] = A[t]
    {barrier}
    B[t] = tile[7 - t]
"""


def test_the_access_log_finds_races_by_itself() -> None:
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
