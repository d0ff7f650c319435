"""Junk for every parameter of the public functions: a coded error, or Python's own for a call of the wrong form."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tilewright
from tilewright import TilewrightError, te, tir


class Odd:
    """An object that answers nothing."""

    def __repr__(self) -> str:
        return "<odd>"


JUNK: dict[str, Any] = {
    "none": None,
    "number": 5,
    "float": 1.5,
    "negative": -3,
    "huge": 10**30,
    "nan": float("nan"),
    "bytes": b"\xff",
    "text": "junk \x00",
    "empty": "",
    "list": [[]],
    "mapping": {"a": Odd()},
    "set": {1},
    "object": Odd(),
    "type": int,
    "function": lambda *_: None,
    "array": np.zeros((2, 2)),
    "bool": True,
    "path": Path("/dev/null"),
    "surrogate": "\udcff",
}


def program() -> tuple[Any, list[Any]]:
    a = te.placeholder((6,), name="A")
    b = te.compute((6,), lambda i: a[i] * 2.0, name="B")
    return te.create_schedule(b.op), [a, b]


def module_file(folder: Path) -> Path:
    path = folder / "m.mlir"
    path.write_text(
        "func.func @main(%x: tensor<6xf32>) -> tensor<6xf32> {\n"
        "  %y = graph.relu %x : tensor<6xf32>\n  func.return %y : tensor<6xf32>\n}\n"
    )
    return path


def valid(name: str, folder: Path) -> tuple[Callable[..., Any], dict[str, Any]]:
    """Return a public function, and arguments that it accepts."""
    schedule, args = program()
    match name:
        case "build":
            return tilewright.build, {"inputs": schedule, "args": args}
        case "lower":
            return tilewright.lower, {"inputs": schedule, "args": args}
        case "compile":
            return tilewright.compile, {"model": module_file(folder)}
        case "load_module":
            return tilewright.load_module, {"path": module_file(folder)}
        case "Target":
            return tilewright.Target, {"target": "llvm"}
        case "PassContext":
            return tilewright.PassContext, {}
        case _:
            raise AssertionError(name)


NAMES = ("build", "lower", "compile", "load_module", "Target", "PassContext")


def parameters() -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for name in NAMES:
        function = getattr(tilewright, name)
        signature = inspect.signature(function)
        found += [
            (name, p.name) for p in signature.parameters.values() if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)
        ]
    return found


def only_coded(call: Callable[[], Any], what: str) -> None:
    """Assert that a call succeeds or fails with a code."""
    try:
        call()
    except TilewrightError as error:
        str(error)
    except Exception as error:
        raise AssertionError(f"{what}: {type(error).__name__}: {error}") from error


@pytest.mark.each(("name", "parameter"), parameters())
def test_parameters_of_functions(name: str, parameter: str, tmp_path: Path) -> None:
    function, arguments = valid(name, tmp_path)
    for kind, junk in JUNK.items():
        only_coded(lambda j=junk: function(**arguments | {parameter: j}), f"{name}({parameter}={kind})")


def classic_calls() -> dict[str, tuple[Callable[..., Any], list[Any]]]:
    """Return functions of the classic surface by name, each with arguments that it accepts."""
    schedule, (a, b) = program()
    buffer = tir.decl_buffer((4, 3), "float32", name="T")
    n, k = te.var("n"), te.reduce_axis((0, 6), "k")
    function = te.create_prim_func([a, b])
    store = tir.BufferStore(buffer, 1.0, [0, 0])
    binary = ("Add", "Sub", "Mul", "Div", "FloorDiv", "Mod", "FloorMod", "Min", "Max", "EQ", "LT", "And", "Or")
    return {
        **{f"tir.{name}": (getattr(tir, name), [n, n + 1]) for name in binary},
        "tir.Not": (tir.Not, [n < 3]),
        "tir.Cast": (tir.Cast, ["float32", n]),
        "tir.Select": (tir.Select, [n < 3, n, n + 1]),
        "tir.FloatImm": (tir.FloatImm, ["float32", 1.5]),
        "tir.StringImm": (tir.StringImm, ["text"]),
        "tir.BufferLoad": (tir.BufferLoad, [buffer, [n, 0]]),
        "tir.BufferStore": (tir.BufferStore, [buffer, 1.0, [n, 0]]),
        "tir.SeqStmt": (tir.SeqStmt, [[]]),
        "tir.For": (tir.For, [n, 0, 4, tir.ForKind.SERIAL, tir.SeqStmt([])]),
        "tir.PrimFunc": (tir.PrimFunc, [[buffer], store]),
        "tir.Schedule": (tir.Schedule, [function]),
        "tir.decl_buffer": (tir.decl_buffer, [(4, 3), "float32", "T"]),
        "tir.call_intrin": (tir.call_intrin, ["float32", "tir.exp", a[0]]),
        "tir.call_extern": (tir.call_extern, ["int32", "f", n]),
        "te.compute": (te.compute, [(6,), lambda i: a[i], "C"]),
        "te.placeholder": (te.placeholder, [(6,), "float32", "C"]),
        "te.reduce_axis": (te.reduce_axis, [(0, 6), "r"]),
        "te.sum": (te.sum, [a[k], k]),
        "te.create_prim_func": (te.create_prim_func, [[a, b]]),
        "te.create_schedule": (te.create_schedule, [b.op]),
        "te.extern": (te.extern, [(6,), [a], lambda ins, outs: tir.call_extern("int32", "f", outs[0])]),
        "te.comm_reducer": (te.comm_reducer, [lambda x, y: x + y, lambda t: te.const(0, t), "mine"]),
        "IRModule": (tilewright.IRModule, [{"main": function}]),
        "ir.structural_equal": (tilewright.ir.structural_equal, [function, function]),
        "transform.Sequential": (tilewright.transform.Sequential, [[]]),
        "tir.analysis.verify_ssa": (tir.analysis.verify_ssa, [function]),
        "tir.analysis.verify_memory": (tir.analysis.verify_memory, [function]),
        "target.arm_cpu": (tilewright.target.arm_cpu, ["rasp4b64"]),
        "runtime.device": (tilewright.runtime.device, ["cpu", 0]),
    }


@pytest.mark.each("name", list(classic_calls()))
def test_arguments_of_classic_functions(name: str) -> None:
    function, arguments = classic_calls()[name]
    function(*arguments)
    for position in range(len(arguments)):
        for kind, junk in JUNK.items():
            given = [*arguments[:position], junk, *arguments[position + 1 :]]
            only_coded(lambda g=given: str(function(*g)), f"{name}, argument {position} = {kind}")


X = np.ones(6, np.float32)


@pytest.fixture(scope="module")
def doubled() -> Any:
    schedule, args = program()
    return tilewright.build(schedule, args)


def test_calls_of_programs(doubled: Any) -> None:
    for kind, junk in JUNK.items():
        for call in (
            lambda j=junk: doubled(j),
            lambda j=junk: doubled(X, out=j),
            lambda j=junk: doubled(X, threads=j),
            lambda j=junk: doubled(X, j),
            lambda j=junk: doubled(A=j),
            lambda j=junk: doubled.run(j),
            lambda j=junk: doubled.run({"A": X}, j),
            lambda j=junk: doubled.run({"A": X}, None, j),
            lambda j=junk: doubled[j],
            lambda j=junk: doubled.get_source(j),
            lambda j=junk: doubled.profile(j),
        ):
            only_coded(call, kind)
    np.testing.assert_array_equal(doubled(X), X * 2)


def test_names_of_files_to_save_in(doubled: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for kind, junk in JUNK.items():
        only_coded(lambda j=junk: doubled.save(j), kind)


class Tensor:
    """A tensor of another library: its protocol gives numpy's answer or that library's error."""

    def __init__(self, problem: str) -> None:
        self.problem = problem

    def __dlpack__(self, **_: Any) -> Any:
        raise (BufferError if "grad" in self.problem else RuntimeError)(self.problem)

    def __dlpack_device__(self) -> tuple[int, int]:
        if "device" in self.problem:
            raise NotImplementedError(self.problem)
        return 1, 0


@pytest.mark.parametrize("problem", ["requires grad", "sparse layout", "conjugate bit", "meta device", "lazy device"])
def test_tensors_that_give_no_memory(problem: str, doubled: Any) -> None:
    with pytest.raises(TilewrightError, match="TW0707") as caught:
        doubled(Tensor(problem))
    assert problem in str(caught.value)


def test_masked_arrays_are_refused(doubled: Any) -> None:
    """Their mask would be lost."""
    with pytest.raises(TilewrightError, match="TW0707.*mask"):
        doubled(np.ma.masked_array(X, mask=[1, 0, 0, 0, 0, 0]))
    with pytest.raises(TilewrightError, match="TW0707.*mask"):
        doubled(X, out=np.ma.masked_array(X.copy(), mask=False))


@pytest.mark.parametrize("threads", [1.5, "2", True, 10**9, -1])
def test_numbers_of_threads(threads: Any, doubled: Any) -> None:
    schedule, args = program()
    for call in (lambda: doubled(X, threads=threads), lambda: tilewright.build(schedule, args, threads=threads)):
        with pytest.raises(TilewrightError, match="TW0725.*'threads'"):
            call()


def test_results_in_a_number(doubled: Any) -> None:
    with pytest.raises(TilewrightError, match="TW0725.*argument 'out' to be of type ndarray"):
        doubled(X, out=5)
