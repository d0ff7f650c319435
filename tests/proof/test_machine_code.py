"""Validation goes on to machine code, and bisection to the passes of LLVM."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import tilewright
from hangs import HANG
from tilewright.backends.cpu import module as cpu_module
from tilewright.backends.cpu.emit.program import EmittedProgram, emit_program
from tilewright.diagnostics import TilewrightError
from tilewright.dialects import context
from tilewright.driver.lowering import lower_module
from tilewright.driver.machine_code import Comparison, WrongCode, compare_machine_code
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.passes.framework.validation import Validation
from tilewright.tools.opt import main as opt_tool
from xdsl.dialects.builtin import ModuleOp

from .planted import SUM, module_of

NEXT = """\
func.func @next(%x: memref<8xi32>, %y: memref<8xi32> {tw.output}) {
  %one = arith.constant 1 : i32
  loop.for %i = 0 to 8 {
    %a = loop.load %x[%i] : memref<8xi32>
    %b = arith.addi %a, %one : i32
    loop.store %b, %y[%i] : memref<8xi32>
  }
  func.return
}
"""
VECTORS = NEXT.replace("@next", "@vectors").replace(
    "  loop.for",
    """\
  %v = loop.load %x[lane] : memref<8xi32>, vector<4xi32>
  loop.store %v, %y[lane] : vector<4xi32>, memref<8xi32>
  loop.for""",
)
"""A module with vectors, which LLVM optimises function by function."""
TWO = (
    NEXT.replace("@next", "private @first")
    + NEXT.replace("@next", "private @second")
    + """\
func.func @main(%x: memref<8xi32>, %y: memref<8xi32> {tw.output}) {
  %t = loop.alloc : memref<8xi32>
  func.call @first(%x, %t) : (memref<8xi32>, memref<8xi32>) -> ()
  func.call @second(%t, %y) : (memref<8xi32>, memref<8xi32>) -> ()
  func.return
}
"""
)
SIMPLIFYING = {"early-cse", "instcombine", "ipsccp", "sccp", "simplifycfg"}
"""LLVM's passes that use what they are told to assume."""


@pytest.fixture(autouse=True)
def object_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Provide an object cache of each test's own."""
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    yield tmp_path


def plant(monkeypatch: pytest.MonkeyPatch, change: Callable[[str], str], functions: set[str]) -> None:
    """Change the LLVM text of these functions."""

    def emit(*arguments: object) -> EmittedProgram:
        program = emit_program(*arguments)  # pyright: ignore
        return replace(program, texts=((n, change(t) if n in functions else t) for n, t in program.texts))

    monkeypatch.setattr(cpu_module, "emit_program", emit)


def assumes_a_value(text: str) -> str:
    """Return text that promises that an element is 100. LLVM's passes may rely on it; without them code is as
    before."""
    promise = r"\1\2\3\n\1%planted = icmp eq i32 \2, 100\n\1call void @llvm.assume(i1 %planted)"
    changed = re.sub(r"( *)(%\S+)( = load i32, .*)", promise, text, count=1)
    assert changed != text
    return f"{changed}\ndeclare void @llvm.assume(i1)\n"


def adds_another_number(text: str) -> str:
    """Return text that is wrong by itself."""
    changed = re.sub(r"(add i32 %\S+), 1$", r"\1, 2", text, flags=re.MULTILINE)
    assert changed != text
    return changed


def stores_nothing(text: str) -> str:
    """Return text whose outputs stay as they were before the call."""
    changed = re.sub(r"^ *store .*$", "", text, flags=re.MULTILINE)
    assert changed != text
    return changed


def compared(text: str | ModuleOp, passes: str = "simplify") -> Comparison | WrongCode:
    module = module_of(text) if isinstance(text, str) else text
    validation = Validation(2)
    PassManager(parse_pipeline(passes), [validation]).run(context(), module)
    return compare_machine_code(validation, module)


@pytest.mark.parametrize("text", [NEXT, VECTORS, TWO])
def test_right_code_agrees_bit_for_bit(text: str) -> None:
    found = compared(text)
    assert isinstance(found, Comparison)
    assert len(found.compared) == 1  # private functions run with the one that calls them
    assert str(found) == "machine code of 1 functions compared; not compared: 0"


PROGRAMS = {"next": NEXT, "vectors": VECTORS, "first": TWO, "second": TWO}


@pytest.mark.parametrize("function", PROGRAMS)
def test_the_pass_of_llvm_is_named(monkeypatch: pytest.MonkeyPatch, function: str) -> None:
    plant(monkeypatch, assumes_a_value, {function})
    found = compared(PROGRAMS[function])
    assert isinstance(found, WrongCode)
    assert "but got 101; 8 elements differ" in found.finding.problem or function == "first"
    wrong = found.wrong_pass()
    assert wrong is not None and wrong.function == function
    assert 1 <= wrong.number < wrong.total
    name, _, scope = wrong.description.partition(" on ")
    assert name in SIMPLIFYING and scope in (f"tw.{function}", "[module]")


def test_text_that_is_wrong_by_itself_is_no_fault_of_a_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, adds_another_number, {"next"})
    found = compared(NEXT)
    assert isinstance(found, WrongCode)
    assert re.search(r"at \[0\]: expected (-?\d+), but got", found.finding.problem)
    assert found.wrong_pass() is None


def test_code_without_stores_is_wrong_for_a_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy writes the values that its input holds; its output must not hold them before."""
    copy = NEXT.replace("loop.store %b", "loop.store %a")
    for element in ("i32", "f32", "i8"):
        text = copy.replace("i32", element).replace("arith.addi", "arith.addi" if element != "f32" else "arith.addf")
        text = text.replace("constant 1 :", "constant 1.0 :") if element == "f32" else text
        plant(monkeypatch, stores_nothing, {"next"})
        assert isinstance(compared(text), WrongCode), element


def crashes(text: str) -> str:
    """Return text that stores where no process may."""
    return re.sub(r"^entry:$", "entry:\\n  store volatile i32 1, ptr inttoptr (i64 8 to ptr)", text, flags=re.MULTILINE)


def never_ends(text: str) -> str:
    """Return text that waits before its loop until an address is null."""
    spin = "entry:\n  %held = icmp ne ptr %a0, null\n  br label %spin\nspin:\n"
    spin += '  call void asm sideeffect "", ""()\n  br i1 %held, label %spin, label %loop1\n'
    changed = text.replace("entry:\n  br label %loop1\n", spin, 1).replace("[ 0, %entry ]", "[ 0, %spin ]")
    assert changed != text
    return changed


@pytest.mark.parametrize(
    ("change", "seconds", "problem"),
    [
        (crashes, HANG, "it fails: it ends the process with SIGSEGV"),
        (never_ends, 2, "it fails: it has not ended after 2 seconds"),
    ],
)
def test_code_that_crashes_or_never_ends_is_wrong_code(
    monkeypatch: pytest.MonkeyPatch, change: Callable[[str], str], seconds: int, problem: str
) -> None:
    monkeypatch.setattr("tilewright.driver.machine_code.SECONDS", seconds)
    plant(monkeypatch, change, {"next"})
    validation = Validation(1)
    module = module_of(NEXT)
    PassManager(parse_pipeline("simplify"), [validation]).run(context(), module)
    found = compare_machine_code(validation, module, forked=True)
    assert isinstance(found, WrongCode)
    assert found.finding.problem == problem


def test_a_function_that_was_not_run_again_is_compared_with_what_it_calls_as_it_is_now() -> None:
    """contract-fma rounds differently in a kernel; the text of its caller stays, and so does what is kept of it."""
    text = """
    func.func @main(%a: tensor<4x64xf32>, %b: tensor<4x64xf32>, %c: tensor<4x64xf32>) -> tensor<4x64xf32> {
      %p = graph.mul %a, %b : tensor<4x64xf32>
      %s = graph.add %p, %c : tensor<4x64xf32>
      func.return %s : tensor<4x64xf32>
    }"""
    validation = Validation(2)
    module = lower_module(module_of(text), instruments=[validation])
    assert "math.fma" in str(module)
    found = compare_machine_code(validation, module)
    assert isinstance(found, Comparison) and found.compared == ["main"]


LEFT_OUT = {
    "its results are no arguments": (
        "func.func @f(%x: i32) -> i32 {\n func.return %x : i32\n}",
        {"f": "expected function @f to write its results to arguments"},
    ),
    "it is not at the level of loops": (SUM, {"": "the module is at level graph; --phase 3 takes it down"}),
    "its registers are not shrunk yet": (
        """func.func @f(%x: memref<?xf32>, %y: memref<?xf32> {tw.output}) {
          %n = loop.dim %x, 0 : memref<?xf32>
          loop.bind %x shape [%n] strides [1] : memref<?xf32>
          loop.bind %y shape [%n] strides [1] : memref<?xf32>
          loop.for %i = 0 to %n {
            %r = loop.alloc (%n) : memref<?xf32, "register">
            %a = loop.load %x[%i] : memref<?xf32>
            loop.store %a, %r[%i] : memref<?xf32, "register">
            %b = loop.load %r[%i] : memref<?xf32, "register">
            loop.store %b, %y[%i] : memref<?xf32>
          }
          func.return
        }""",
        {
            "f": "expected indices of registers to be constants and variables of unrolled loops, but got %i; "
            "--phase 3 takes it down"
        },
    ),
    "its target is another": (
        f"module attributes {{tw.target = #target.opencl<>}} {{\n{NEXT}}}",
        {"": "its target is none that LLVM compiles for"},
    ),
}


@pytest.mark.parametrize("case", LEFT_OUT)
def test_what_is_not_compared_is_named(case: str) -> None:
    text, reasons = LEFT_OUT[case]
    passes = {"it is not at the level of loops": "infer-types", "its registers are not shrunk yet": "lower-blocks"}
    found = compared(text, passes.get(case, "simplify"))
    assert isinstance(found, Comparison)
    assert (found.compared, found.left_out) == ([], reasons)
    assert all(reason in str(found) for reason in reasons.values())


def test_compiling_in_a_context_that_validates(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, assumes_a_value, {"next"})
    with tilewright.PassContext(validate=1), pytest.raises(TilewrightError, match="machine code of @next") as raised:
        tilewright.compile(module_of(NEXT))
    assert raised.value.code == "TW0552"


def test_the_command_line_goes_on_to_llvm(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plant(monkeypatch, assumes_a_value, {"second"})
    source, reproducer = tmp_path / "two.mlir", tmp_path / "reproducer.mlir"
    source.write_text(TWO)
    assert opt_tool(["--validate", "--pass", "simplify", str(source)]) == 1
    printed = capsys.readouterr()
    assert "error[TW0552]: the machine code of @main computes something else than the interpreter" in printed.err
    assert printed.out == ""
    assert opt_tool(["--bisect", "--pass", "simplify", "--reproducer", str(reproducer), str(source)]) == 0
    printed = capsys.readouterr()
    assert "all 1 passes keep what the module computes" in printed.out
    assert re.search(r"the first bad pass of LLVM is number \d+ of \d+ on function @second: \S+ on ", printed.out)
    assert opt_tool(["--run-reproducer", str(reproducer)]) == 1
    assert "error[TW0552]: the machine code of @main" in capsys.readouterr().err


def test_right_programs_are_compared_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "sum.mlir"
    source.write_text(SUM)
    assert opt_tool(["--validate", "--phase", "3", str(source), "-o", str(tmp_path / "out.mlir")]) == 0
    assert "machine code of 1 functions compared; not compared: 0" in capsys.readouterr().err
    assert opt_tool(["--bisect", "--phase", "3", str(source)]) == 1
    printed = capsys.readouterr().err
    assert "TW0554" in printed and "note: machine code of 1 functions compared" in printed
