"""An error ends in one message: no exception of xDSL before it, no module printed on the way."""

from __future__ import annotations

import ast
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tilewright
from tilewright import PassContext, PassManager, TilewrightError, te, tir
from tilewright.dialects import context
from tilewright.driver import emit
from tilewright.schedule.trace import Trace
from tilewright.tools import cli, opt
from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, ModuleOp, f32, f64
from xdsl.parser import Parser
from xdsl.utils.exceptions import PassFailedException, VerifyException

ROOT = Path(__file__).resolve().parents[2]

WRONG_TYPE = """func.func @main(%x: memref<4xf32>, %y: memref<4xf32>) {
  loop.for %i = 0 to 4 {
    loop.block "B" (%v = spatial(%i) in 4) {
      %a = loop.load %x[%v] : memref<4xf32>
      %b = "arith.addf"(%a, %a) : (f32, f32) -> f64
      loop.store %a, %y[%v] : memref<4xf32>
    }
  }
  func.return
}
"""
WRONG_RETURN = """func.func @main(%x: tensor<4xf32>) -> tensor<5xf32> {
  %r = graph.relu %x : tensor<4xf32>
  func.return %r : tensor<4xf32>
}
"""


def made(text: str) -> ModuleOp:
    """Return the module that a user's program makes without verifying it."""
    return Parser(context(), text).parse_module()


def reported(call: Callable[[], Any]) -> tuple[TilewrightError, str]:
    """Return the error that a call ends in, and what Python prints of it."""
    try:
        call()
    except TilewrightError as error:
        return error, "".join(traceback.format_exception(error))
    raise AssertionError("the call succeeds")


MODULES: dict[str, Callable[[ModuleOp], Any]] = {
    "compile": tilewright.compile,
    "compile of a view": lambda module: tilewright.compile(tilewright.IRModule(module)),
    "interpreter": lambda module: tilewright.compile(module, target="interpreter"),
    "build": tilewright.build,
    "build of a function": lambda module: tilewright.build(tilewright.IRModule(module)["main"]),
    "build of several": lambda module: tilewright.build({"one": module}),
    "lower": tilewright.lower,
    "lower, simple": lambda module: tilewright.lower(module, simple_mode=True),
    "emit": lambda module: emit(module, "mlir"),
    "Schedule": tilewright.Schedule,
    "tir.Schedule": lambda module: tir.Schedule(tilewright.IRModule(module)),
    "PassManager": lambda module: PassManager([]).run(context(), module),
    "tir.transform": lambda module: tir.transform.Simplify()(tilewright.IRModule(module)),
}


def test_entry_points_with_a_module_that_breaks_a_rule() -> None:
    """Each refuses the module itself, before a pass runs, and names what is wrong with it in the first line."""
    for text, said in (
        (WRONG_TYPE, "'arith.addf': result 'result' at position 0 does not verify: attribute f32 expected"),
        (WRONG_RETURN, "'func.return': Expected arguments to have the same types as the function output types"),
    ):
        for name, call in MODULES.items():
            error, printed = reported(lambda call=call, text=text: call(made(text)))
            first = str(error).splitlines()[0]
            assert error.code == "TW0103" and said in first, (name, first)
            assert printed.count("Traceback") == 1 and "loop.for" not in printed, (name, printed)


def test_a_function_that_is_not_well_formed() -> None:
    function = tilewright.IRModule(made(WRONG_TYPE))["main"]
    assert not tir.analysis.verify_well_formed(function, assert_mode=False)
    error, printed = reported(lambda: tir.analysis.verify_well_formed(function))
    assert error.code == "TW0255" and "'arith.addf'" in str(error).splitlines()[0]
    assert printed.count("Traceback") == 1


TEXTS: dict[str, tuple[str, Callable[[Path], Any]]] = {
    "syntax": ("func.func @main( {", tilewright.load_module),
    "a type": ("func.func @main(%x: tensor<4xf3>) { func.return }", tilewright.compile),
    "a value": ("func.func @main() { %1 = arith.addf %2, %3 : f32\n func.return }", tilewright.compile),
    "a letter": ('"abc', tilewright.load_module),
    "an attribute": ('func.func @main() { "x"() {a = dense<"0"> : tensor<1xf32>} : () -> () }', tilewright.load_module),
    "a rule": (WRONG_RETURN, tilewright.compile),
    "bytes": ("func.func @main( {", lambda path: tilewright.compile(path.read_bytes())),
    "a script": ("def f(", lambda path: tilewright.script.from_source(path.read_text())),
    "a type in a script": (
        "from tvm.script import tir as T\n@T.prim_func\ndef f(a: T.Buffer((4,), 'float3')):\n    pass\n",
        lambda path: tilewright.script.from_source(path.read_text()),
    ),
    "a trace": ("schedule.sequence {", lambda path: Trace.from_mlir(path.read_text())),
    "a trace in JSON": ('[{"a": 1}]', lambda path: Trace.from_json(path.read_text())),
    "tensors in JSON": ("{", lambda path: tilewright.ir.load_json(path.read_text())),
    "a model": ("no model", lambda path: tilewright.compile(str(path.rename(path.with_suffix(".onnx"))))),
    "a library": ("no library", lambda path: tilewright.load_module(str(path.rename(path.with_suffix(".so"))))),
    "passes": ("fuse{", lambda path: tilewright.passes.parse_pipeline(path.read_text())),
}


def test_texts_that_cannot_be_read(tmp_path: Path) -> None:
    for name, (text, call) in TEXTS.items():
        path = tmp_path / "text.mlir"
        path.write_text(text)
        error, printed = reported(lambda call=call, path=path: call(path))
        assert str(error).splitlines()[0].endswith(error.message.splitlines()[0]), name
        assert printed.count("Traceback") == 1, (name, printed)


def refuse(_: ModuleOp) -> None:
    raise PassFailedException("not this one")


def break_rule(_: ModuleOp) -> None:
    """Verify an operation that a pass has made, as passes written for xDSL do."""
    value = arith.ConstantOp(FloatAttr(1.0, f32)).result
    arith.AddfOp(value, value, result_type=f64).verify()


def test_passes_that_fail() -> None:
    a = te.placeholder((4,), name="A")
    b = te.compute((4,), lambda i: a[i] + 1.0, name="B")
    for add, code in ((refuse, "TW0214"), (break_rule, "TW0107")):
        with PassContext(config={"tir.add_lower_pass": [(1, add)]}):
            error, printed = reported(lambda: tilewright.lower(te.create_schedule(b.op), [a, b]))
        assert error.code == code, error
        assert printed.count("Traceback") == 1, printed


def test_command_lines_print_the_message_alone(tmp_path: Path, capsys: Any) -> None:
    """And with --traceback the exceptions that it replaces, too."""
    path = tmp_path / "wrong.mlir"
    path.write_text(WRONG_TYPE)
    for main, words in (
        (opt.main, [str(path), "--phase", "3"]),
        (cli.main, ["compile", str(path)]),
        (cli.main, ["run", str(path)]),
        (cli.main, ["prove", str(path), str(path)]),
        (cli.main, ["reduce", str(path), "--test", "true"]),
    ):
        assert main(words) == 1, words
        out, err = capsys.readouterr()
        assert out == "" and err.startswith(f"{path}:5:12: error[TW0103]: 'arith.addf': result"), (words, err)
        assert "Traceback" not in err and "loop.for" not in err, (words, err)
    assert opt.main([str(path), "--traceback"]) == 1
    err = capsys.readouterr().err
    assert err.startswith(f"{path}:5:12: error[TW0103]") and err.count("Traceback") >= 2, err


def test_no_error_of_ours_names_the_exception_that_it_replaces() -> None:
    """`raise TilewrightError(...) from error` would make Python print both."""
    found: list[str] = []
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).parts
        if parts[0] in ("tests", "build", "examples") or any(part.startswith(".") for part in parts):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Raise) or node.cause is None or isinstance(node.cause, ast.Constant):
                continue
            if "TilewrightError" in ast.unparse(node) or not isinstance(node.exc, ast.Call):
                found.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert found == []


def test_exceptions_of_xdsl_carry_modules_that_notes_leave_out() -> None:
    from tilewright.tools.common import internal

    try:
        made(WRONG_TYPE).verify()
    except VerifyException as error:
        error.add_note("in pass 'mine'")
        assert internal(error).notes == ["in pass 'mine'"]
