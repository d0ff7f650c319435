"""The options of the command line tools that show what a compilation does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tilewright.tools import cli, opt

MODEL = """\
func.func @main(%x: tensor<16x16xf32>, %w: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %y = graph.matmul %x, %w : tensor<16x16xf32>
  %z = graph.relu %y : tensor<16x16xf32>
  func.return %z : tensor<16x16xf32>
}
"""
STRICT = """\
func.func @other() {
  loop.for %i = 0 to 8 kind vectorized { func.call @other() : () -> () }
  func.return
}
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.mlir"
    path.write_text(MODEL)
    return path


def test_run_writes_a_trace_of_its_compilation(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    assert cli.main(["run", str(model), "--timing", "--perfetto", str(tmp_path / "trace.json")]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("z: float32[16, 16]")
    names = [line.split(" %  ", 1)[1].strip() for line in err.splitlines() if " %  " in line]
    expected = ["load", "passes", "phase 0", "fuse ×2", "phase 3", "code", "LLVM text", "linking", "total"]
    assert [name for name in names if name in expected] == expected
    events = [e for e in json.loads((tmp_path / "trace.json").read_text())["traceEvents"] if e["ph"] == "X"]
    workers = {event["tid"] for event in events if event["name"].startswith("machine code @")}
    (main,) = {event["tid"] for event in events if event["cat"] == "pass"}
    assert workers and main not in workers
    for worker in workers:
        done = sorted((e["ts"], e["ts"] + e["dur"]) for e in events if e["name"] == "optimise" and e["tid"] == worker)
        assert all(first[1] <= second[0] for first, second in zip(done, done[1:], strict=False))


def test_compile_dumps_the_module_and_its_code(model: Path, tmp_path: Path) -> None:
    arguments = ["compile", str(model), "--emit", "llvm", "-o", str(tmp_path / "model.ll")]
    assert cli.main([*arguments, "--dump-dir", str(tmp_path / "dump")]) == 0
    names = sorted(path.name for path in (tmp_path / "dump").iterdir())
    assert names[1:3] == ["000-input.mlir", "001-phase0-infer-types.mlir"]
    (code,) = (tmp_path / "dump").glob("*-llvm.ll")
    assert code.read_text() == (tmp_path / "model.ll").read_text()
    first = {path.name: path.read_text() for path in (tmp_path / "dump").iterdir()}
    assert cli.main([*arguments, "--dump-dir", str(tmp_path / "dump")]) == 0
    assert {path.name: path.read_text() for path in (tmp_path / "dump").iterdir()} == first


def test_compile_prints_statistics_and_remarks(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["compile", str(model), "-o", "/dev/null", "--statistics", "--remarks"]) == 0
    err = capsys.readouterr().err
    assert "remark[TW0220]: 2 operators are fused: matmul_relu [passed, fuse]" in err
    assert "  ops graph " in err


def test_what_was_seen_is_shown_where_the_compilation_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, yaml = tmp_path / "strict.mlir", tmp_path / "remarks.yaml"
    path.write_text(STRICT)
    assert opt.main(["--pass", "unroll,vectorize{strict}", "--timing", "--remarks-output", str(yaml), str(path)]) == 1
    err = capsys.readouterr().err
    assert err.index("vectorize{strict=true}") < err.index("error[TW0510]")
    assert yaml.exists()


def test_dump_of_parts_has_a_folder_for_each(tmp_path: Path) -> None:
    path = tmp_path / "two.mlir"
    path.write_text(MODEL + "// -----\n" + MODEL)
    arguments = ["--pass", "fuse", "--split-input-file", "-o", "/dev/null", "--dump-dir", str(tmp_path / "dump")]
    assert opt.main([*arguments, str(path)]) == 0
    found = sorted(str(p.relative_to(tmp_path / "dump")) for p in (tmp_path / "dump").rglob("*.mlir"))
    assert found == [f"part{n}/{name}" for n in (0, 1) for name in ("000-input.mlir", "001-phase0-fuse.mlir")]


@pytest.mark.parametrize("option", ["--perfetto", "--remarks-output"])
def test_files_that_cannot_be_written_are_refused_before_the_work(
    option: str, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for main, command in ((opt.main, []), (cli.main, ["compile"])):
        assert main([*command, str(model), option, str(tmp_path / "none" / "file")]) == 1
        out, err = capsys.readouterr()
        assert out == "" and "TW0204" in err and "does not exist" in err


def test_options_with_optional_values_leave_the_file_alone(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("--remarks", "--statistics", "--print-ir-after-change", "--validate"):
        assert opt.main(["--pass", "fuse", option, str(model)]) == 0
        assert "graph.fused" in capsys.readouterr().out
