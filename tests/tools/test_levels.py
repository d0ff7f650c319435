"""`-O0` to `-O3` of the tools."""

from __future__ import annotations

from pathlib import Path

import pytest
from tilewright.tools import cli, opt

SUMS = """\
func.func @main(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %p = graph.mul %x, %y : tensor<8x8xf32>
  %s = graph.add %p, %x : tensor<8x8xf32>
  %r = graph.relu %s : tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
"""


@pytest.fixture
def sums(tmp_path: Path) -> str:
    path = tmp_path / "sums.mlir"
    path.write_text(SUMS)
    return str(path)


def printed(capsys: pytest.CaptureFixture[str], *arguments: str, tool=opt) -> str:
    assert tool.main(arguments) == 0
    return capsys.readouterr().out


def test_levels_of_opt_tool(capsys: pytest.CaptureFixture[str], sums: str) -> None:
    texts = [printed(capsys, sums, "--phase", "2", f"-O{level}") for level in range(4)]
    calls, fused = [t.count("func.call") for t in texts], ["math.fma" in t for t in texts]
    assert calls[0] > calls[1] == calls[2]
    assert fused == [False, False, True, True]
    assert texts[2] == texts[3] == printed(capsys, sums, "--phase", "2")


def test_passes_that_are_named_run_at_every_level(capsys: pytest.CaptureFixture[str], sums: str) -> None:
    assert "graph.fused" in printed(capsys, sums, "-O0", "--pass", "infer-types,fuse")


@pytest.mark.parametrize("command", ["compile", "run"])
def test_levels_of_tilewright(capsys: pytest.CaptureFixture[str], sums: str, command: str) -> None:
    more = ["--emit", "mlir"] if command == "compile" else ["--print-time"]
    texts = [printed(capsys, command, sums, f"-O{level}", *more, tool=cli) for level in (0, 2)]
    if command == "compile":
        assert "math.fma" not in texts[0] and "math.fma" in texts[1]


@pytest.mark.parametrize("level", ["4", "x"])
def test_other_levels_are_refused(capsys: pytest.CaptureFixture[str], sums: str, level: str) -> None:
    with pytest.raises(SystemExit) as caught:
        opt.main([sums, f"-O{level}"])
    assert caught.value.code == 2
    assert "argument -O" in capsys.readouterr().err


def test_the_list_of_passes_has_levels(capsys: pytest.CaptureFixture[str]) -> None:
    lines = {line.split()[0]: line for line in printed(capsys, "--list-passes").splitlines() if line[0] != " "}
    assert "phase 2  -O2  loop: Fuse a product" in lines["contract-fma"]
    assert "phase 0  -O1  graph/te" in lines["fuse"]
    assert "-O" not in lines["lower-te"]
