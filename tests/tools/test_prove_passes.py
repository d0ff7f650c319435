"""tilewright prove --opt: what it makes of the output of a foreign tool, with a tool that prints prepared texts."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from tilewright.tools import judging
from tilewright.tools.cli import main

TOOL = Path(__file__).with_name("foreign_tool.py")
COPY = """\
module {
  func.func @f(%arg0: memref<?xi32>, %arg1: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xi32>
    affine.for %arg2 = 0 to %dim {
      %0 = affine.load %arg0[%arg2] : memref<?xi32>
      %1 = arith.addi %0, %0 : i32
      affine.store %1, %arg0[%arg2] : memref<?xi32>
    }
    return
  }
  func.func @g(%arg0: memref<4xi32>) {
    %0 = affine.load %arg0[1] : memref<4xi32>
    affine.store %0, %arg0[0] : memref<4xi32>
    return
  }
}
"""
RENAMED = COPY.replace("%dim", "%size")
SHIFTED = COPY.replace("affine.load %arg0[1]", "affine.load %arg0[2]")
TURNED = COPY.replace("arith.addi %0, %0", "arith.subi %0, %0")
UNREAD = COPY.replace("    %0 = affine.load %arg0[1]", '    "foreign.op"() : () -> ()\n    %0 = affine.load %arg0[1]')
GENERIC = '"builtin.module"() ({\n}) : () -> ()\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(judging, "judge", lambda *_: judging.Finding(judging.Shown.NOT_RUN, ""))
    Path("f.mlir").write_text(COPY)
    return tmp_path


def prove(*arguments: str, options: str = "", **script: Any) -> int:
    """Return the exit status with a tool that prints what the keywords say."""
    Path("script.json").write_text(json.dumps(script))
    command = f"'{sys.executable}' '{TOOL}' script.json {options}"
    return main(["prove", "--opt", command, "f.mlir", *arguments])


def dump(name: str, text: str, anchor: str = "'builtin.module' operation") -> list[str]:
    return [f"{name} ({anchor})", text]


def test_each_pass_is_compared(capsys: pytest.CaptureFixture[str]) -> None:
    steps = [
        dump("Namer (rename)", RENAMED),
        dump("Shifter (shift)", SHIFTED, "'func.func' operation: @g"),
        dump("CSE (cse)", SHIFTED),
    ]
    assert prove("--save", "saved", dumps=steps, out=SHIFTED) == 1
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert [lines[0], lines[1]] == ["rename: unchanged", "shift on @g: refuted"]
    assert lines[2].startswith("  @g: refuted in ") and lines[2].endswith("at element [0]")
    assert not any("@f" in line for line in lines)
    assert lines[-1] == "cse: unchanged"
    assert "error[TW0250]: shift on @g of" in err and "changed what @g computes: %arg0[0] differs" in err
    assert "2-shift.mlir:14:5" in err, "the place is in the module after the pass"


def test_what_is_saved(capsys: pytest.CaptureFixture[str]) -> None:
    steps = [dump("Namer (rename)", RENAMED), dump("Turner (turn)", TURNED)]
    assert prove("--save", "a/b", "--reassociates", dumps=steps, out=TURNED) == 1
    before, after, script = (Path("a/b") / f"2-turn.{end}" for end in ("before.mlir", "after.mlir", "sh"))
    assert (before.read_text().strip(), after.read_text().strip()) == (RENAMED.strip(), TURNED.strip())
    assert main(["prove", str(before), str(after)]) == 1
    lines = script.read_text().splitlines()
    assert lines[1].startswith("# turn changes what @f computes: %arg0[0] differs at ")
    assert lines[-1] == "tilewright prove 2-turn.before.mlir 2-turn.after.mlir --reassociates"
    assert "script.json" in lines[3], "the tool runs no single pass, so that the command is the whole one"
    assert str(script) in capsys.readouterr().err


def test_records(capsys: pytest.CaptureFixture[str]) -> None:
    printed = 'Turner: turn{all=true nested="x y"}'
    steps = [dump(printed, TURNED), dump("Other (other)", UNREAD)]
    assert prove("--json", dumps=steps, out=UNREAD) == 1
    record = json.loads(capsys.readouterr().out)
    assert record["command"][-1] == "f.mlir"
    first, second = record["steps"]
    assert (first["passes"], first["verdict"]) == (['turn{all=true nested="x y"}'], "refuted")
    assert first["functions"][0]["difference"]["element"] == [0]
    assert set(first["reproducer"]) == {"before", "after", "command"}
    assert (second["passes"], second["verdict"]) == (["other"], "unknown")
    assert second["reason"].endswith("[TW0101]")


def test_a_module_that_is_not_read_is_passed_over(capsys: pytest.CaptureFixture[str]) -> None:
    steps = [dump("Odd (odd)", UNREAD), dump("Even (even)", SHIFTED)]
    assert prove(dumps=steps, out=SHIFTED) == 1
    assert capsys.readouterr().out.startswith("odd, even: refuted\n  @g: refuted")
    assert prove(dumps=steps[:1], out=UNREAD) == 3
    assert capsys.readouterr().out.startswith("odd: unknown: ")
    assert prove(dumps=[steps[0], dump("Even (even)", COPY)], out=COPY) == 0
    assert capsys.readouterr().out == "odd, even: unchanged\n"


def test_proved(capsys: pytest.CaptureFixture[str]) -> None:
    doubled = COPY.replace("arith.addi %0, %0 : i32", "arith.muli %0, %two : i32").replace(
        "    %dim", "    %two = arith.constant 2 : i32\n    %dim"
    )
    moved = COPY.replace("affine.for %arg2 = 0 to %dim", "affine.for %arg2 = 0 to min affine_map<(d)->(d, d+1)>(%dim)")
    assert prove(dumps=[dump("Mover (move)", moved)], out=moved) == 0
    assert capsys.readouterr().out.startswith("move: proved\n  @f: proved in ")
    assert prove(dumps=[dump("Doubler (double)", doubled)], out=doubled) in (0, 3)


def test_diagnostics_between_dumps_are_no_part_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    noisy = f"{COPY}f.mlir:3:4: warning: noise\n}} is no end\n"
    assert prove(dumps=[dump("A (a)", noisy), dump("B (b)", COPY)], out=COPY) == 0
    assert capsys.readouterr().out == "a: unchanged\nb: unchanged\n"


def test_output_that_no_pass_left(capsys: pytest.CaptureFixture[str]) -> None:
    assert prove(dumps=[dump("A (a)", COPY)], out=SHIFTED) == 1
    assert "output: refuted" in capsys.readouterr().out


def test_a_tool_that_prints_its_output_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert prove(knows_printing=False, out=SHIFTED) == 1
    out, err = capsys.readouterr()
    assert "prints no module between passes; its output is compared as one step" in err
    assert ": refuted\n  @g: refuted" in out


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (
            {"status": 1, "errors": "tool: error: no such option"},
            "fails on 'f.mlir': tool: error: no such option",
        ),
        ({"status": 1, "errors": "x: Unknown command line argument '-x'."}, "Unknown command line argument '-x'."),
        (
            {"status": 3, "dumps": [dump("A (a)", COPY)], "errors": "f.mlir:1:1: error: 'x' failed"},
            "fails on 'f.mlir' after a: f.mlir:1:1: error: 'x' failed",
        ),
        ({"status": 4, "dumps": [dump("A Failed (a)", COPY)]}, "the process ends with status 4"),
        ({}, "prints no module"),
    ],
)
def test_a_tool_that_fails(script: dict[str, Any], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert prove(**script) == 2
    assert (error := capsys.readouterr().err).startswith("error[TW0249]: ") or "\nerror[TW0249]: " in error
    assert message in error and "help: " in error


def test_a_refutation_goes_before_a_failure() -> None:
    assert prove(status=1, dumps=[dump("A (a)", SHIFTED)], errors="error: later") == 1


def test_a_tool_that_is_not_there_or_does_not_end(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", "--opt", "no-such-tool --x", "f.mlir"]) == 2
    assert "error[TW0249]: the tool 'no-such-tool' is not found" in capsys.readouterr().err
    command = f"'{sys.executable}' -c 'import time; time.sleep(600)'"
    assert main(["prove", "--opt", command, "--opt-seconds", "0.2", "f.mlir"]) == 2
    assert "does not end in 0.2 s on 'f.mlir'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["f.mlir"], "expected a second file, or --opt with a command, but got neither"),
        (["f.mlir", "f.mlir", "--opt", "x"], "expected a second file, or --opt with a command, but got both"),
        (["f.mlir", "--opt", "'"], "--opt: expected a command as a shell takes it"),
        (["f.mlir", "--opt", ""], "--opt: expected a command, but it is empty"),
    ],
)
def test_command_lines(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", *arguments]) == 2
    assert f"error[TW0209]: {message}" in capsys.readouterr().err.replace("tilewright prove: ", "")


def test_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    monkeypatch.setattr(sys, "stdin", io.StringIO(SHIFTED))
    Path("script.json").write_text(json.dumps({"dumps": [dump("A (a)", COPY)], "out": COPY}))
    assert main(["prove", "--opt", f"'{sys.executable}' '{TOOL}' script.json", "-"]) == 1
    assert "a: refuted" in capsys.readouterr().out
