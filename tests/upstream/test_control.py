"""Control flow of upstream MLIR: interpreted and compiled, as several versions print it, and proved equal to itself."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import numpy as np
import pytest
import tilewright
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.passes.framework.base import Level, level_of
from tilewright.passes.upstream import calls
from tilewright.passes.upstream.counting_loops import for_instead_of_while
from tilewright.tools import cli
from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer

from .control_references import GIVEN, REFERENCES, RETURNING, SIZES, WRITTEN
from .running import assert_close, draw, outputs_of

FILES = Path(__file__).parent / "control"


def read(path: Path) -> ModuleOp:
    module = parse(context(), path.read_text(encoding="utf-8"), str(path))
    module.verify()
    assert level_of(module) is Level.UPSTREAM
    return module


def check(module: ModuleOp, name: str, target: str = "interpreter") -> None:
    program = tilewright.compile(module, target=target)
    written = () if name in RETURNING else WRITTEN.get(name, (1,))
    for given in GIVEN.get(name, ({},)):
        inputs = draw(program, SIZES.get(name, {}))
        for position, number in given.items():
            inputs[position] = np.full_like(inputs[position], number)
        assert_close(outputs_of(program, inputs, written), REFERENCES[name](*inputs))


def test_every_file_has_a_reference() -> None:
    assert {path.stem for path in FILES.glob("*.mlir")} == set(REFERENCES)
    assert len(REFERENCES) >= 58


@pytest.mark.each("name", REFERENCES)
def test_interpreted(name: str) -> None:
    check(read(FILES / f"{name}.mlir"), name)


@pytest.mark.each("name", REFERENCES)
def test_compiled(name: str) -> None:
    check(read(FILES / f"{name}.mlir"), name, "cpu")


PRINTED = Path(__file__).parent / "printed"
"""The same programs with debug information: `24` in the generic form of LLVM 24, `22` in the custom form of LLVM 22."""


@pytest.mark.each("path", sorted(PRINTED.glob("*.mlir")), ids=lambda path: path.stem)
def test_as_printed(path: Path) -> None:
    check(read(path), path.name.partition(".")[0])


def test_every_file_is_printed_by_both() -> None:
    generic = {path.name.partition(".")[0] for path in PRINTED.glob("*.24.mlir")}
    custom = {path.name.partition(".")[0] for path in PRINTED.glob("*.22.mlir")}
    assert generic == set(REFERENCES)
    assert custom == set(REFERENCES) - {"parallel-reductions"}  # which LLVM 22 refuses for its types


@pytest.mark.each("name", REFERENCES)
def test_text_reads_back(name: str) -> None:
    module = read(FILES / f"{name}.mlir")
    for generic in (False, True):
        stream = StringIO()
        Printer(stream=stream, print_generic_format=generic).print_op(module)
        again = parse(context(), stream.getvalue(), "<again>")
        again.verify()
        assert str(again) == str(module)


BOUNDED = frozenset({"delinearize", "for-step-data", "forall-dynamic", "semi-affine"})
"""Files with products of sizes, or divisions by one."""
UNKNOWN = frozenset({"integer-loops", "poison-kinds"})
"""Files that the prover does not decide: one with narrow arithmetic, one with a poison index."""


@pytest.mark.sampled(2)
@pytest.mark.each("name", REFERENCES, shards=2)
def test_proved_equal_to_what_is_printed(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    status = cli.main(["prove", str(FILES / f"{name}.mlir"), str(PRINTED / f"{name}.24.mlir"), "--function", "main"])
    word = capsys.readouterr().out.split()[1]
    assert word == ("bounded" if name in BOUNDED else "unknown" if name in UNKNOWN else "proved")
    assert status == (0 if word == "proved" else 3)


WHILE = """func.func @main(%A: memref<4xi32>, %n: i32) {
  %r = scf.while (%i = %n) : (i32) -> i32 {
    %c = arith.cmpi sgt, %i, %n : i32
    scf.condition(%c) %i : i32
  } do {
  ^bb0(%i: i32):
    scf.yield %i : i32
  }
  return
}"""
COUNTED = """func.func @main(%A: memref<4xi32>, %n: i32, %u: i32) {
  %one = arith.constant 1 : i32
  %r:2 = scf.while (%i = %n, %m = %u) : (i32, i32) -> (i32, i32) {
    %c = arith.cmpi slt, %i, %u : i32
    scf.condition(%c) %i, %m : i32, i32
  } do {
  ^bb0(%j: i32, %v: i32):
    %k = arith.addi %j, %one : i32
    scf.yield %k, %v : i32, i32
  }
  return
}"""
NEVER_COUNTED = {
    "a bound that changes": {"slt, %i, %u": "slt, %i, %m"},
    "not equal to a bound": {"slt,": "ne,"},
    "unsigned numbers": {"slt,": "ult,"},
    "down": {"constant 1": "constant -1"},
    "integers that may wrap around by their step": {"constant 1": "constant 2"},
    "integers that may wrap around by their bound": {"slt,": "sle,"},
    "the other operand": {"slt, %i, %u": "sgt, %i, %u"},
    "a step that is data": {"addi %j, %one": "addi %j, %v"},
    "a product": {"addi %j, %one": "muli %j, %one"},
    "another value passed on": {"scf.condition(%c) %i, %m": "scf.condition(%c) %m, %m"},
    "another value counted": {"addi %j, %one": "addi %v, %one"},
    "the condition passed on": {
        "(i32, i32) -> (i32, i32)": "(i32, i32) -> (i32, i1)",
        "%i, %m : i32, i32": "%i, %c : i32, i1",
        "%v: i32": "%w: i1",
        "%k, %v": "%k, %u",
    },
}
RECURSION = """func.func private @f(%A: memref<4xf32>) {
  memref.dealloc %A : memref<4xf32>
  call @g(%A) : (memref<4xf32>) -> ()
  return
}
func.func private @g(%A: memref<4xf32>) {
  call @f(%A) : (memref<4xf32>) -> ()
  return
}
func.func @main(%A: memref<4xf32>) {
  call @f(%A) : (memref<4xf32>) -> ()
  return
}"""
GROWING = """func.func @main(%A: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %A) -> (tensor<?xf32>) {
    %y = tensor.extract_slice %x[1] [%i] [1] : tensor<?xf32> to tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}"""
BRANCHES = """func.func @main(%A: tensor<?xf32>, %B: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c = arith.cmpi slt, %n, %n : index
  %r = scf.if %c -> (tensor<?xf32>) {
    scf.yield %A : tensor<?xf32>
  } else {
    scf.yield %B : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}"""
TURNING = """func.func @main(%A: memref<4xf32>, %B: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %A, %y = %B) -> (memref<4xf32>, memref<4xf32>) {
    scf.yield %y, %x : memref<4xf32>, memref<4xf32>
  }
  return
}"""
UNSIGNED = """func.func @main(%A: memref<4xf32>, %n: index) {
  scf.for unsigned %i = %n to %n step %n {
  }
  return
}"""
WIDE = """func.func @main(%A: memref<4xi128>, %n: index) {
  %w = arith.index_castui %n : index to i128
  memref.store %w, %A[%n] : memref<4xi128>
  return
}"""
NEGATIVE = """func.func @main(%A: memref<4xf32>, %n: index) {
  %i = affine.apply affine_map<(d0) -> (d0 floordiv -2)>(%n)
  memref.dealloc %A : memref<4xf32>
  return
}"""
STANDING = """func.func @main(%A: memref<4xf32>, %n: index) {
  scf.forall (%i) = (0) to (%n) step (0) {
  }
  return
}"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (WHILE, "TW0573.*expected a loop that counts, but 'scf.while'"),
        (RECURSION, "TW0574.*do not call themselves, but @f does"),
        (GROWING, "TW0575.*tensors of one size as 'scf.for' passes them on"),
        (BRANCHES, "TW0575.*tensors of one size as 'scf.if' passes them on"),
        (TURNING, "TW0571.*but got memref"),
        (UNSIGNED, "TW0571.*signed bounds"),
        (WIDE, "TW0571.*at most 64 bits, but got i128"),
        (NEGATIVE, "TW0571.*a division by a positive number, but got -2"),
        (STANDING, "TW0571.*a step above 0, but got 0"),
    ],
)
def test_control_flow_that_is_refused(text: str, message: str) -> None:
    module = parse(context(), text, "<text>")
    module.verify()
    with pytest.raises(TilewrightError, match=message) as error:
        tilewright.compile(module, target="interpreter")
    assert error.value.location is not None and error.value.help


def test_while_loops_that_do_not_count() -> None:
    wrong = []
    for name, changes in {"": dict[str, str](), **NEVER_COUNTED}.items():
        text = COUNTED
        for old, new in changes.items():
            assert old in text
            text = text.replace(old, new)
        module = parse(context(), text, "<text>")
        module.verify()
        for_instead_of_while(module)
        left = [op.name for op in module.walk() if op.name in ("scf.while", "scf.for")]
        if left != (["scf.while"] if name else ["scf.for"]):
            wrong.append((name, left))
    assert wrong == []


def test_calls_that_become_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "MOST_OPERATIONS", 8)
    with pytest.raises(TilewrightError, match="TW0574.*at most 8 in one function, but @"):
        tilewright.compile(read(FILES / "calls-nested.mlir"), target="interpreter")
