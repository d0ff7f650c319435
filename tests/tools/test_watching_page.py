"""`--trace` of the three commands, and `tilewright run --profile`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tilewright.tools import cli, opt

MODEL = """\
func.func @main(%x: tensor<4x3xf32>, %y: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %s = graph.add %x, %y : tensor<4x3xf32>
  %r = graph.relu %s : tensor<4x3xf32>
  func.return %r : tensor<4x3xf32>
}
"""

PLUGIN = """\
from dataclasses import dataclass
import tilewright
from xdsl.passes import ModulePass

@tilewright.register_pass(phase=0)
@dataclass(frozen=True)
class FailsInTheMiddle(ModulePass):
    name = "fails-in-the-middle"

    def apply(self, ctx, op):
        raise tilewright.TilewrightError("TW0299", "a planted fault")
"""


@pytest.fixture
def model(tmp_path: Path) -> str:
    path = tmp_path / "model.mlir"
    path.write_text(MODEL)
    return str(path)


def files(trace: Path) -> list[str]:
    return sorted(path.name for path in (trace / "passes").iterdir())


@pytest.mark.parametrize("command", ["compile", "run"])
def test_commands_trace_down_to_the_code(command: str, model: str, tmp_path: Path) -> None:
    arguments = [command, model, "--trace", str(tmp_path / "trace")]
    assert cli.main([*arguments, *(["-o", str(tmp_path / "out.s")] if command == "compile" else [])]) == 0
    found = files(tmp_path / "trace")
    assert found[:2] == ["000-input.mlir", "001-infer-types.mlir"]
    assert [name[4:] for name in found[-2:]] == ["llvm.ll", "asm.s"]
    assert "<h1>model.mlir</h1>" in (tmp_path / "trace" / "index.html").read_text()
    if command == "compile":
        assert (tmp_path / "out.s").read_text() == (tmp_path / "trace" / "passes" / found[-1]).read_text()


def test_opt_tool_shows_code_where_the_module_is_executable(model: str, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    host = ["--target", "host"]
    assert opt.main([model, "--phase", "3", *host, "--trace", str(trace), "-o", str(tmp_path / "out.mlir")]) == 0
    assert [name[4:] for name in files(trace)[-2:]] == ["llvm.ll", "asm.s"]
    assert (trace / "passes" / files(trace)[-3]).read_text() == (tmp_path / "out.mlir").read_text()
    assert opt.main([model, "--pass", "infer-types,fuse", "--trace", str(trace), "-o", str(tmp_path / "o.mlir")]) == 0
    assert files(trace) == ["000-input.mlir", "001-infer-types.mlir", "002-fuse.mlir"]


def test_a_trace_shows_where_a_pass_failed(model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trace = tmp_path / "trace"
    plugin = tmp_path / "fails_in_the_middle.py"
    plugin.write_text(PLUGIN)
    status = opt.main(
        [model, "--load", str(plugin), "--pass", "fuse,fails-in-the-middle,dead-code", "--trace", str(trace)]
    )
    assert status == 1 and "a planted fault" in capsys.readouterr().err
    assert files(trace) == ["000-input.mlir", "001-fuse.mlir", "002-fails-in-the-middle.mlir"]
    assert "a planted fault" in (trace / "index.html").read_text()


def test_a_trace_needs_a_folder(model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "taken").write_text("")
    assert opt.main([model, "--pass", "fuse", "--trace", str(tmp_path / "taken")]) == 1
    assert "error[TW0204]" in capsys.readouterr().err


def test_run_prints_a_profile(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["run", model, "--profile", "--repeat", "2"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("r: ") and "kernel" not in out
    head, row, total = err.splitlines()
    assert head.split()[0] == "kernel" and row.endswith("add + relu (model.mlir:2+model.mlir:3)")
    assert "medians of 2 runs" in total


def test_run_writes_a_profile(model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["run", model, f"--profile={tmp_path / 'p.json'}"]) == 0
    assert capsys.readouterr().err == ""
    data = json.loads((tmp_path / "p.json").read_text())
    (kernel,) = data["kernels"]
    assert (kernel["operators"], kernel["flops"], kernel["bytes"]) == (["add", "relu"], 24, 4 * 36)


def test_run_refuses_a_profile_that_cannot_be_made(
    model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["run", model, "--profile", "--backend", "interpreter"]) == 1
    assert "error[TW0734]" in capsys.readouterr().err
    assert cli.main(["run", model, f"--profile={tmp_path / 'nowhere' / 'p.json'}"]) == 1
    assert "error[TW0204]" in capsys.readouterr().err
