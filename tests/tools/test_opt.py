"""opt-tool, in process: output, exit status, what goes to which stream."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
import tempfile
from io import StringIO
from pathlib import Path
from types import FunctionType

import numpy as np
import pytest
from tilewright.dialects.resource import walk_resources
from tilewright.driver import load_module
from tilewright.passes.framework import registry
from tilewright.tools.opt import main

FUNCTION = """\
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = te.compute "y" [%i to 8] -> tensor<8xf32> {
    %a = te.read %x[%i] : tensor<8xf32>
    %b = arith.addf %a, %a : f32
    te.yield %b : f32
  }
  func.return %y : tensor<8xf32>
}
"""
PASSES = '''\
from dataclasses import dataclass

import tilewright
from tilewright.dialects.resource import resource_attr, walk_resources
from xdsl.dialects.builtin import StringAttr
from xdsl.passes import ModulePass


@tilewright.register_pass(phase=1)
@dataclass(frozen=True)
class Mark(ModulePass):
    """Marks the module."""

    name = "user-mark"
    word: str = "mark"

    def apply(self, ctx, op):
        op.attributes["user.mark"] = StringAttr(self.word)


@tilewright.register_pass(phase=1)
@dataclass(frozen=True)
class Crash(ModulePass):
    """Fails in a way that no user's mistake should lead to."""

    name = "user-crash"

    def apply(self, ctx, op):
        {}["missing"]


@tilewright.register_pass(phase=1)
@dataclass(frozen=True)
class Values(ModulePass):
    """Reads all weights."""

    name = "user-values"

    def apply(self, ctx, op):
        for _, _, attr in walk_resources(op):
            attr.data.array.sum()


@tilewright.register_pass(phase=1)
@dataclass(frozen=True)
class Double(ModulePass):
    """Doubles all weights."""

    name = "user-double"

    def apply(self, ctx, op):
        for owner, key, attr in walk_resources(op):
            owner.properties[key] = resource_attr(attr.data.name, 2 * attr.data.array)
'''


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "scale.mlir"
    path.write_text(FUNCTION)
    return path


@pytest.fixture
def user_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(registry, "_user", {})
    path = tmp_path / "my_passes.py"
    path.write_text(PASSES)
    return path


def printed(capsys: pytest.CaptureFixture[str], *args: object) -> str:
    """Return standard output of a call that succeeds and says nothing else."""
    status = main([str(arg) for arg in args])
    out, err = capsys.readouterr()
    assert (status, err) == (0, "")
    return out


def failure(capsys: pytest.CaptureFixture[str], *args: object) -> str:
    """Return standard error of a call that fails and prints nothing."""
    try:
        status = main([str(arg) for arg in args])
    except SystemExit as exit:
        status = exit.code
    out, err = capsys.readouterr()
    assert (status, out) == (2 if "error[TW0209]" in err else 1, "")
    assert "Traceback" not in err
    return err


def test_output_is_read_back_identically(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = printed(capsys, file)
    again = tmp_path / "again.mlir"
    again.write_text(first)
    assert printed(capsys, again) == first
    assert printed(capsys, "--print-op-generic", again) == printed(capsys, "--print-op-generic", file)


def test_standard_input(file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    expected = printed(capsys, file)
    for args in ((), ("-",)):
        monkeypatch.setattr(sys, "stdin", StringIO(FUNCTION))
        assert printed(capsys, *args) == expected


def test_several_pass_options_run_in_order(file: Path, user_passes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, "--load", user_passes, "--pass", "user-mark{word=a}", "-p", "user-mark{word=b}", file)
    assert 'user.mark = "b"' in out


def test_conversions_are_inserted_shown_or_missed(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--pass", "lower-blocks", "--print-pipeline", str(file)]) == 0
    out, err = capsys.readouterr()
    assert err == "lower-te,lower-blocks\n"
    assert "loop.for" in out
    assert "te.compute" not in out
    err = failure(capsys, "--pass", "lower-blocks", "--no-auto-lower", file)
    assert err.startswith(
        "error[TW0205]: pass 'lower-blocks' works at level block, loop, but the module is at level te\n"
    )
    err = failure(capsys, "--pass", "lower-te,lower-graph", file)
    assert err.startswith("error[TW0205]: pass 'lower-graph' works at level graph")


def test_phase(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = printed(capsys, "--phase", "0", "--target", "none", file)
    assert "loop.block" in blocks
    loops = printed(capsys, "--phase", "1", "--target", "none", file)
    assert "loop.block" not in loops
    assert "loop.store" in loops


def test_target(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "#target.cpu<" not in printed(capsys, file)
    out = printed(capsys, "--target", "host", file)
    assert "tw.target = #target.cpu<" in out
    targeted = file.with_name("own.mlir")
    targeted.write_text(re.sub(r"threads \d+", "threads 99", out))
    assert "threads 99" in printed(capsys, "--target", "host", targeted), "a module's own target is kept"


def test_watching_goes_to_standard_error(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain = printed(capsys, "--pass", "lower-te,dead-code", file)
    flags = ["--print-ir-after-all", "--print-ir-after-change", "--timing", "--print-pipeline"]
    assert main(["--pass", "lower-te,dead-code", *flags, "--print-ir-before", "lower-te", str(file)]) == 0
    out, err = capsys.readouterr()
    assert out == plain
    headings = [line for line in err.splitlines() if line.startswith("// -----")]
    assert headings[0] == "// ----- IR before lower-te ----- //"
    assert headings[1] == "// ----- IR after lower-te ----- //"
    assert headings[2].startswith("// ----- IR after dead-code")
    assert err.splitlines()[0] == "lower-te,dead-code"
    assert err.splitlines()[-1].endswith("ms 100.0 %  total")


def test_print_ir_after_names_must_exist(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "error[TW0201]: unknown pass 'fuze'; did you mean 'fuse'?" in failure(
        capsys, "--print-ir-after", "fuze", file
    )


def test_output_file_is_whole_or_absent(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected = printed(capsys, file)
    target = tmp_path / "out.mlir"
    assert printed(capsys, "-o", target, file) == ""
    assert target.read_text() == expected
    assert stat.S_IMODE(target.stat().st_mode) & 0o444 == 0o444
    failure(capsys, "--pass", "lower-te,lower-te", "-o", target, file)
    assert target.read_text() == expected
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.mlir", "scale.mlir"]
    assert "error[TW0204]: cannot write" in failure(capsys, "-o", tmp_path / "no" / "out.mlir", file)
    assert printed(capsys, "-o", os.devnull, file) == ""


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "TW0106"),
        (b"\xff\xfe\x00", "TW0261"),
        (b"\xff\xff\x00", "TW0204"),
        (b"\x00\x01", "TW0101"),
        (b"{}" * 1000, "TW0101"),
    ],
)
def test_garbage(content: bytes, code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "garbage.mlir"
    path.write_bytes(content)
    assert f"error[{code}]" in failure(capsys, path)


HELP = "help: name a regular file that you may read\n"


def test_files_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = tmp_path / "missing.mlir"
    assert failure(capsys, missing) == f"error[TW0204]: cannot read '{missing}': no such file or folder\n" + HELP
    assert failure(capsys, tmp_path) == f"error[TW0204]: cannot read '{tmp_path}': it is a folder\n" + HELP


def test_emit_of_a_kind_that_nobody_makes(capsys: pytest.CaptureFixture[str]) -> None:
    kinds = "mlir, llvm, asm, c, opencl, cuda-python, ptx, sass, schedule, tvmscript, mlir-upstream"
    assert failure(capsys, "--emit", "ams").startswith(
        f"error[TW0209]: argument --emit: expected one of {kinds}, but got 'ams'; did you mean 'asm'?"
    )


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--pas", "x"], "opt-tool: unknown argument '--pas'; did you mean '--pass' or '--phase'?"),
        (["--phase", "4"], "opt-tool: argument --phase: invalid choice: 4"),
        (["a.mlir", "b.mlir"], "opt-tool: unknown argument 'b.mlir'"),
    ],
)
def test_command_line_errors(args: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    err = failure(capsys, *args)
    assert err.startswith(f"error[TW0209]: {message}")
    assert err.splitlines()[1:] == ["help: take what the message names; `--help` lists what a command takes"]


def test_an_error_in_a_users_pass_is_the_users(
    file: Path, user_passes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (line,) = (n for n, text in enumerate(user_passes.read_text().splitlines(), 1) if '{}["missing"]' in text)
    err = failure(capsys, "--load", user_passes, "--pass", "user-crash", file)
    assert err.splitlines()[0].endswith(
        f"{user_passes}:{line}:1: error[TW0224]: this code, which is not the compiler's, failed: KeyError: 'missing'"
    )
    assert "note: in pass 'user-crash'" in err and "internal" not in err and "tilewright-" not in err
    assert main(["--load", str(user_passes), "--pass", "user-crash", "--traceback", str(file)]) == 1
    assert "Traceback" in capsys.readouterr().err


def test_what_a_users_pass_makes_a_library_raise_is_the_users(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The innermost line of the user's is named, and the lines that led there."""
    loaded = tmp_path / "loaded.py"
    loaded.write_text(
        "import tilewright\n"
        "from xdsl.dialects.builtin import IntegerAttr\n"
        "def number():\n"
        "    return IntegerAttr('seven', 32)\n"
        "@tilewright.register_pass(phase=1)\n"
        "def seven(module):\n"
        "    return number()\n"
    )
    err = failure(capsys, "--load", loaded, "--pass", "seven", file)
    assert f"{loaded}:4:1: error[TW0224]" in err
    assert f"note: called from {loaded}:7, in seven" in err


def test_an_error_in_a_users_lowering_rule_is_the_users(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The compiler's pass calls the rule: the line of the rule is named, and the pass in a note."""
    loaded, source = tmp_path / "rules.py", tmp_path / "calls.mlir"
    loaded.write_text(
        "import tilewright\n"
        "tilewright.register_intrinsic('halve', reference=lambda x: x / 2)\n"
        "@tilewright.register_lowering('halve')\n"
        "def lower_halve(op, rewriter):\n"
        "    return op.no_such_operand\n"
    )
    source.write_text(
        "func.func @f(%x: f32) -> f32 {\n"
        '  %y = loop.call_intrin "halve"(%x) : (f32) -> f32\n'
        "  func.return %y : f32\n"
        "}\n"
    )
    err = failure(capsys, "--load", loaded, "--pass", "lower-intrinsics", "--target", "none", source)
    assert f"{loaded}:5:1: error[TW0224]" in err and "AttributeError" in err
    assert "note: in pass 'lower-intrinsics" in err


def test_a_users_endless_recursion_is_the_users(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    loaded = tmp_path / "deep.py"
    loaded.write_text(
        "import tilewright\n@tilewright.register_pass(phase=1)\ndef deep(module):\n    return deep(module)\n"
    )
    err = failure(capsys, "--load", loaded, "--pass", "deep", file)
    assert f"{loaded}:4:1: error[TW0224]" in err and "RecursionError" in err


def test_internal_errors_are_ours_and_leave_a_reproducer(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from tilewright.passes.phase3.remove_no_op import RemoveNoOpPass

    def crash(self: object, ctx: object, op: object) -> None:
        raise KeyError("missing")

    ours = FunctionType(crash.__code__, {"__name__": RemoveNoOpPass.__module__, "KeyError": KeyError})
    monkeypatch.setattr(RemoveNoOpPass, "apply", ours)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    err = failure(capsys, "--pass", "cse,remove-no-op", file)
    assert err.splitlines()[0] == "error[TW0299]: internal error of the compiler: KeyError: 'missing'"
    assert "note: in pass 'remove-no-op'" in err
    (reproducer,) = tmp_path.glob("tilewright-*.mlir")
    assert f"note: 'opt-tool --run-reproducer {reproducer}' shows it again" in err
    again = failure(capsys, "--run-reproducer", reproducer)
    assert "error[TW0299]: internal error of the compiler: KeyError: 'missing'" in again
    monkeypatch.undo()
    assert main(["--run-reproducer", str(reproducer), "-o", str(tmp_path / "out.mlir")]) == 0
    assert "te.compute" not in (tmp_path / "out.mlir").read_text()


def test_load_errors(tmp_path: Path, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "error[TW0212]: cannot read 'none.py': no such file" in failure(capsys, "--load", "none.py", file)
    bad = tmp_path / "bad.py"
    bad.write_text("import tilewright\n\nvalue = 1 / 0\n")
    assert f"{bad}:3:1: error[TW0212]: cannot load '{bad}': ZeroDivisionError" in failure(capsys, "--load", bad, file)
    bad.write_text("def f(:\n")
    assert f"{bad}:1:7: error[TW0212]: cannot load '{bad}': invalid syntax" in failure(capsys, "--load", bad, file)


def test_list_passes(user_passes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "--list-passes", "--load", user_passes).splitlines()
    names = {line.split()[0]: line for line in lines if not line.startswith(" ")}
    assert set(names) == {*registry.BUILTIN, "user-mark", "user-crash", "user-values", "user-double"}
    assert "phase 0  te to block: Lower te computes" in names["lower-te"]
    assert "phase 1  any level: Marks the module." in names["user-mark"]
    assert any(line.strip() == "word: str = mark" for line in lines)


def test_verify_diagnostics_fails_when_the_error_does_not_come(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "expected.mlir"
    path.write_text("// expected-error @+1 {{TW0102}}\n" + FUNCTION)
    err = failure(capsys, "--verify-diagnostics", path)
    assert err.startswith(f"{path}:1:1: error[TW0210]: expected error {{{{TW0102}}}} did not come\n")
    assert printed(capsys, "--verify-diagnostics", file) == printed(capsys, file)
    path.write_text("// expected-error @unknown {{unknown pass 'x'}}\n" + FUNCTION)
    assert "TW0201" in failure(capsys, "--pass", "x", "--verify-diagnostics", path), (
        "the command line is no part of a file"
    )


WEIGHTED = """\
builtin.module attributes {tw.weights = "weights.safetensors"} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %w = graph.constant resource<"w"> : tensor<4xf32>
    %v = graph.constant resource<"v"> : tensor<4xf32>
    %s = graph.add %w, %v : tensor<4xf32>
    %y = graph.add %x, %s : tensor<4xf32>
    func.return %y : tensor<4xf32>
  }
}
"""


@pytest.fixture
def weighted(tmp_path: Path) -> Path:
    from safetensors.numpy import save_file

    ones = np.ones(4, np.float32)
    save_file({"w": ones, "v": 2 * ones}, tmp_path / "weights.safetensors")
    path = tmp_path / "weighted.mlir"
    path.write_text(WEIGHTED)
    return path


def test_a_missing_weights_file_matters_only_where_values_are_needed(
    weighted: Path, user_passes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (weighted.parent / "weights.safetensors").unlink()
    assert 'resource<"w">' in printed(capsys, weighted)
    assert main(["--pass", "fuse", str(weighted)]) == 0
    out, err = capsys.readouterr()
    assert 'resource<"w">' in out
    assert re.fullmatch(r"note: weights file '.*' does not exist; passes see constants without values\n", err)
    err = failure(capsys, "--load", user_passes, "--pass", "user-values", weighted)
    assert re.search(r"error\[TW0705\]: weights file '.*weights.safetensors' does not exist\n", err)


def test_constants_made_by_passes_are_written_beside_the_output(
    weighted: Path, user_passes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "elsewhere" / "doubled.mlir"
    target.parent.mkdir()
    args = ("--load", user_passes, "--pass", "user-double", weighted)
    assert printed(capsys, "-o", target, *args) == ""
    assert sorted(path.name for path in target.parent.iterdir()) == ["doubled.mlir", "doubled.safetensors"]
    assert weights(target) == {"w": [2.0] * 4, "v": [4.0] * 4}
    assert main([str(arg) for arg in args]) == 0
    assert (
        capsys.readouterr().err == "note: 2 constants made by passes have no file; -o writes them beside the module\n"
    )


def test_weights_go_along_to_another_folder(weighted: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "elsewhere" / "same.mlir"
    target.parent.mkdir()
    assert printed(capsys, "-o", target, weighted) == ""
    assert sorted(path.name for path in target.parent.iterdir()) == ["same.mlir", "same.safetensors"]
    assert weights(target) == {"w": [1.0] * 4, "v": [2.0] * 4}


def weights(path: Path) -> dict[str, list[float]]:
    """Return the values of the resources of a module in a file."""
    return {attr.data.name: attr.data.array.tolist() for _, _, attr in walk_resources(load_module(path))}


def test_help_imports_nothing_that_takes_time() -> None:
    command = [sys.executable, "-X", "importtime", "-m", "tilewright.tools.opt", "--help"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    assert "tilewright" in imported
    assert not imported & {"xdsl", "numpy", "islpy", "llvmlite", "numba", "onnx"}


def test_a_reader_that_leaves_early_is_no_error(file: Path) -> None:
    command = f"{sys.executable} -m tilewright.tools.opt {file} | true"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert done.stderr == ""


def test_errors_on_a_terminal_are_coloured_and_otherwise_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "long.mlir"
    path.write_text("func.func @f() {\n" + " " * 100 + "arith.adi\n}\n")
    plain = failure(capsys, path)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    stream = StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", stream)
    assert main([str(path)]) == 1
    coloured = stream.getvalue()
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == plain


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as info:
        main(["--version"])
    assert info.value.code == 0
    assert capsys.readouterr().out.startswith("tilewright 0.1.0 (Python 3.")
