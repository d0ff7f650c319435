"""The judge: upstream's tools execute a file's function, and a refutation stands or falls with what they find."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tilewright
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.tools.cli import main
from tilewright.tools.judging import Original, interpreters, mlir_tools, original, runner
from tilewright.tools.judging.function import Layout
from tilewright.tools.judging.runner import CannotRun, Crash, Left

from .references import REFERENCES, SIZES, WRITTEN
from .running import assert_close, draw

ROOT = Path(__file__).resolve().parents[2]
SHIFT = """\
func.func @main(%a: memref<4xi32>) {
  affine.for %i = 0 to 3 {
    %0 = affine.load %a[%i + 1] : memref<4xi32>
    affine.store %0, %a[%i] : memref<4xi32>
  }
  return
}
"""


ZEROS, ONES = np.zeros(4, np.int32), np.ones(4, np.int32)


def function(text: str, name: str = "main") -> Original:
    return original(text, parse(context(), text, "<text>"), name)


def ran(text: str, *inputs: Any, shapes: list[tuple[int, ...]] | None = None) -> Left:
    """Return the state after a call by mlir-runner."""
    (result,) = runner.run_all(function(text), [[np.asarray(value) for value in inputs]], shapes or [])
    assert isinstance(result, Left)
    return result


def prove(tmp_path: Path, before: str, after: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any]]:
    """Return the exit status of `tilewright prove`, and its record."""
    for name, text in (("a.mlir", before), ("b.mlir", after)):
        (tmp_path / name).write_text(text)
    status = main(["prove", "--json", str(tmp_path / "a.mlir"), str(tmp_path / "b.mlir")])
    (record,) = json.loads(capsys.readouterr().out)
    return status, record


@pytest.fixture
def no_tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(mlir_tools.VARIABLE, str(tmp_path))


@pytest.mark.usefixtures("no_tools")
def test_xdsl_executes_where_mlir_runner_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, record = prove(tmp_path, SHIFT, SHIFT.replace("%i + 1", "%i"), capsys)
    assert status == 1
    executed = record["difference"]["executed"]
    assert executed.startswith("executed: xDSL's interpreter finds ") and executed.endswith(" after")
    interpreted = record["difference"]["numbers"].partition(" finds ")[2]
    assert interpreted.startswith(executed.partition(" finds ")[2])


@pytest.mark.usefixtures("no_tools")
def test_a_missing_judge_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = SHIFT.replace("%a: memref<4xi32>", "%a: memref<4xi32>, %b: memref<?xi32>").replace(
        "  return", "  %z = arith.constant 0 : index\n  %n = memref.dim %b, %z : memref<?xi32>\n  return"
    )
    status, record = prove(tmp_path, before, before.replace("%i + 1", "%i"), capsys)
    assert status == 1
    assert record["difference"]["executed"].startswith(
        "not executed: mlir-opt is not found, and xDSL's interpreter does"
    )


def test_nothing_is_executed_where_nobody_should(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mlir_tools, "run", lambda *_, **__: pytest.fail("a program runs"))
    (tmp_path / "a.mlir").write_text(SHIFT)
    (tmp_path / "b.mlir").write_text(SHIFT.replace("%i + 1", "%i"))
    assert main(["prove", "--no-execute", str(tmp_path / "a.mlir"), str(tmp_path / "b.mlir")]) == 1


@pytest.mark.usefixtures("no_tools")
def test_doubles_that_are_equal_decide_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    equal = Left([np.ones(4, np.int32)], [np.ones(4, np.int32)], None)
    monkeypatch.setattr(interpreters, "run_all", lambda *_: [equal])
    status, record = prove(tmp_path, SHIFT, SHIFT.replace("%i + 1", "%i"), capsys)
    assert (status, record["verdict"]) == (3, "unknown"), "integers are exact"
    assert record["reason"] == "expressions differ at element [0], and the judge finds equal numbers"
    floats = SHIFT.replace("i32", "f32")
    equal = Left([np.ones(4, np.float32)], [np.ones(4, np.float32)], None)
    status, record = prove(tmp_path, floats, floats.replace("%i + 1", "%i"), capsys)
    assert (status, record["verdict"]) == (1, "refuted")
    assert record["difference"]["executed"].endswith("in double precision, finds equal numbers")


def test_equal_numbers_leave_it_open(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    equal = Left([np.ones(4, np.int32)], [np.ones(4, np.int32)], None)
    monkeypatch.setattr(runner, "run_all", lambda *_: [equal])
    status, record = prove(tmp_path, SHIFT, SHIFT.replace("%i + 1", "%i"), capsys)
    assert (status, record["verdict"]) == (3, "unknown")
    assert record["difference"]["executed"] == "executed: mlir-runner finds equal numbers"


@pytest.mark.parametrize(
    ("after", "text"),
    [
        (Crash("SIGFPE"), "executed: mlir-runner ends after with SIGFPE, and not before"),
        (Left([ZEROS], [ZEROS], 0), "finds that the program after writes outside of %a"),
        (Left([ZEROS], [ONES], None), "after it whatever memory holds that nothing wrote"),
    ],
)
def test_what_confirms(
    after: Left | Crash,
    text: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = Left([ONES], [ONES], None)
    answers = iter([[before], [after]])
    monkeypatch.setattr(runner, "run_all", lambda *_: next(answers))
    status, record = prove(tmp_path, SHIFT, SHIFT.replace("%i + 1", "%i"), capsys)
    assert status == 1 and text in record["difference"]["executed"]


def test_guards_of_a_block() -> None:
    layout = Layout.of(function(SHIFT.replace("%a: memref<4xi32>", "%a: memref<4xi32>, %b: memref<3xi8>")),
        [np.zeros(4, np.int32), np.zeros(3, np.int8)], [])  # fmt: skip
    block = bytearray(layout.block([np.arange(4, dtype=np.int32), np.arange(3, dtype=np.int8)], 0xA5))
    assert layout.written_outside(bytes(block), 0xA5) is None
    first, second = layout.inputs
    np.testing.assert_array_equal(first.of(bytes(block)), np.arange(4))
    sides = {first.offset - 1: 0, first.offset + 16: 0, second.offset - 1: 1, second.offset + 3: 1}
    for at, number in sides.items():
        changed = bytearray(block)
        changed[at] = 0
        assert layout.written_outside(bytes(changed), 0xA5) == number


def test_arguments_that_no_driver_passes() -> None:
    text = SHIFT.replace("%a: memref<4xi32>", "%a: memref<4xi32>, %s: memref<4xf32, affine_map<(d0) -> (d0 * 2)>>")
    with pytest.raises(CannotRun, match="a driver passes memrefs with strides, and not memref<4xf32, affine_map"):
        runner.run_all(function(text), [[np.zeros(4), np.zeros(4)]], [])


def test_tools_are_found_where_the_variable_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = tmp_path / "mlir-opt"
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    monkeypatch.setenv(mlir_tools.VARIABLE, str(tmp_path))
    assert mlir_tools.find("mlir-opt") == str(tool)
    assert mlir_tools.find("mlir-runner") is None


def test_a_program_that_does_not_end() -> None:
    assert mlir_tools.run(["/bin/sh", "-c", "sleep 600"], seconds=0.2).reason == "it does not end in time"


@pytest.mark.needs("mlir-runner")
def test_mlir_runner_on_memrefs() -> None:
    a = np.array([3, 1, 4, 1], np.int32)
    left = ran(SHIFT, a)
    np.testing.assert_array_equal(left.first[0], [1, 4, 1, 1])
    assert left.outside is None
    outside = SHIFT.replace("to 3", "to 5").replace("%i + 1", "0")
    assert ran(outside, a).outside == 0
    read = ran(SHIFT.replace("%i + 1", "%i + 2"), a)
    assert read.first[0][2] != read.second[0][2], "what stands behind the buffer"


@pytest.mark.needs("mlir-runner")
def test_mlir_runner_on_results_and_scalars() -> None:
    text = """func.func @main(%a: tensor<?x2xf32>, %n: index, %s: f64, %m: memref<i64>)
        -> (tensor<?x2xf32>, index, f64, memref<?xi64>) {
      %0 = arith.addf %a, %a : tensor<?x2xf32>
      %1 = arith.negf %s : f64
      %v = memref.load %m[] : memref<i64>
      %r = memref.alloc(%n) : memref<?xi64>
      affine.for %i = 0 to %n {
        affine.store %v, %r[%i] : memref<?xi64>
      }
      return %0, %n, %1, %r : tensor<?x2xf32>, index, f64, memref<?xi64>
    }"""
    a = np.array([[0.1, 0.2], [0.3, -0.0], [np.inf, 1e-40]], np.float32)
    left = ran(text, a, 4, np.float64(0.1), np.int64(-7), shapes=[(3, 2), (), (), (4,)])
    results = left.first[4:]
    np.testing.assert_array_equal(results[0].view(np.int32), (a + a).view(np.int32))
    assert (int(results[1]), float(results[2])) == (4, -0.1)
    np.testing.assert_array_equal(results[3], [-7] * 4)
    with pytest.raises(CannotRun, match="other shapes than expected"):
        ran(text, a, 4, np.float64(0.1), np.int64(-7), shapes=[(3, 2), (), (), (5,)])


@pytest.mark.needs("mlir-runner")
def test_mlir_runner_on_strides_and_memory_spaces() -> None:
    row = "memref<2x3xi32, strided<[?, 1]>, 1>"
    text = f"""func.func @main(%a: {row}, %b: memref<3xi32, strided<[1]>>) -> memref<2x3xi32, 1> {{
      %z = arith.constant 1 : index
      %0 = memref.load %a[%z, %z] : {row}
      memref.store %0, %b[%z] : memref<3xi32, strided<[1]>>
      %r = memref.alloc() : memref<2x3xi32, 1>
      memref.copy %a, %r : {row} to memref<2x3xi32, 1>
      return %r : memref<2x3xi32, 1>
    }}"""
    a = np.arange(6, dtype=np.int32).reshape(2, 3)
    left = ran(text, a, np.zeros(3, np.int32), shapes=[(2, 3)])
    np.testing.assert_array_equal(left.first[1], [0, 4, 0])
    np.testing.assert_array_equal(left.first[2], a)


@pytest.mark.needs("mlir-runner")
def test_calls_that_crash_end_no_others() -> None:
    text = """func.func @main(%a: memref<1xi32>) {
      %0 = affine.load %a[0] : memref<1xi32>
      %c = arith.constant 35 : i32
      %1 = arith.divsi %c, %0 : i32
      affine.store %1, %a[0] : memref<1xi32>
      return
    }"""
    trials = [[np.array([value], np.int32)] for value in (5, 0, 7)]
    first, second, third = runner.run_all(function(text), trials, [])
    assert isinstance(first, Left) and isinstance(third, Left)
    assert [int(left.first[0][0]) for left in (first, third)] == [7, 5]
    assert second == Crash("SIGFPE")


@pytest.mark.needs("mlir-runner")
def test_equal_numbers_do_not_clear_poison(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = """func.func @main(%a: memref<2xi32>) {
      %x = affine.load %a[0] : memref<2xi32>
      %y = affine.load %a[1] : memref<2xi32>
      %z = arith.addi %x, %y : i32
      affine.store %z, %a[0] : memref<2xi32>
      return
    }"""
    status, record = prove(tmp_path, before, before.replace("%x, %y :", "%x, %y overflow<nsw> :"), capsys)
    assert status == 1
    assert record["difference"]["executed"] == "executed: mlir-runner finds equal numbers; poison may be any number"


@pytest.mark.needs("mlir-runner")
def test_files_that_are_not_executed() -> None:
    unread = SHIFT.replace("affine.load", '"foreign.load"() : () -> i32\n %1 = affine.load')
    with pytest.raises(CannotRun, match="mlir-opt does not read the file: .*error"):
        runner.run_all(Original(unread, "main", function(SHIFT).inputs, ()), [[np.zeros(4, np.int32)]], [])
    call = "    func.call @none(%0) : (i32) -> ()\n    affine.store"
    external = "func.func private @none(i32)\n" + SHIFT.replace("    affine.store", call)
    with pytest.raises(CannotRun, match="'func.func @none' may run code that is not of the file"):
        runner.run_all(function(external), [[np.zeros(4, np.int32)]], [])


@pytest.mark.needs("mlir-runner")
@pytest.mark.each("name", sorted(REFERENCES))
def test_conversions_compute_what_mlir_runner_does(name: str) -> None:
    """The files that our conversions are tested with: mlir-runner finds the numbers that these are compared with."""
    text = (ROOT / "lit" / "upstream" / f"{name}.mlir").read_text(encoding="utf-8")
    module = parse(context(), text, name)
    program = tilewright.compile(module.clone(), target="interpreter")
    inputs = draw(program, SIZES.get(name, {}))
    expected = REFERENCES[name](*inputs)
    whole = original(text, module, "main")
    shapes = [np.shape(value) for value in expected[: len(whole.results)]]
    (left,) = runner.run_all(whole, [inputs], shapes)
    assert isinstance(left, Left) and left.outside is None
    written = [left.first[number] for number in WRITTEN.get(name, ())]
    assert_close([*left.first[len(inputs) :], *written], expected)
