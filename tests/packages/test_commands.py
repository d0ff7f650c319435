"""`tilewright compile -o`, `tilewright info` and `tilewright run` of compiled programs."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
import pytest
from tilewright.runtime import load_module
from tilewright.tools import cli

from .network import TARGET, X, network

KERNELS = """\
from tilewright import te
from tilewright.tir import Schedule
import tilewright as tvm

def tensors():
    n = te.var("n")
    A = te.placeholder((n,), name="A")
    return [A, te.compute((n,), lambda i: A[i] + 1, name="B")]

def schedule():
    A, B = tensors()
    return te.create_schedule(B.op), [A, B]

def interactive():
    return Schedule(module())

def module():
    return tvm.IRModule({"main": te.create_prim_func(tensors())})

_hidden = 3
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("commands") / "network.onnx"
    onnx.save(network(), path)
    return path


def call(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    status = cli.main([str(each) for each in arguments])
    out, err = capsys.readouterr()
    return status, out, err


def test_a_model_is_compiled_to_each_form_and_run(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    np.savez("x.npz", x=X)
    results = []
    for name, more in (("inside.so", ()), ("beside.so", ("--weights", "beside")), ("package.tar", ())):
        status, out, err = call(capsys, "compile", model, "--target", TARGET, "-o", name, *more)
        assert (status, out) == (0, "")
        where = "in beside.safetensors" if name == "beside.so" else "among them"
        assert err.startswith(f"{name}: ")
        assert err.endswith(f"832 of constants {where}\n")
        status, out, err = call(capsys, "run", name, "--input", "x.npz", "--output", "y.npz", "--print-time")
        assert status == 0
        assert out.startswith("y: float32[2, 3] min ")
        assert "load    " in err
        results.append(np.load("y.npz")["y"])
    assert call(capsys, "compile", "package.tar", "--target", TARGET, "-o", "again.so")[0] == 0
    results.append(load_module("again.so")(X))
    for result in results:
        np.testing.assert_array_equal(result, results[0])
    assert call(capsys, "compile", model, "--target", TARGET, "-o", "x.o")[0] == 0
    assert sorted(path.name for path in tmp_path.glob("*.h")) == ["again.h", "beside.h", "inside.h", "x.h"]
    for text, start in (("x.s", "# function @"), ("x.ll", "; function @"), ("x.mlir", "builtin.module")):
        assert call(capsys, "compile", model, "--target", TARGET, "-o", text)[0] == 0
        assert Path(text).read_text().startswith(start)


def test_inputs_that_are_not_given_are_drawn(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.tar"
    assert call(capsys, "compile", model, "--target", TARGET, "-o", path)[0] == 0
    for mode, note in (
        ("ones", "all ones: x"),
        ("zeros", "all zeros: x"),
        ("random", "drawn at random (--random-seed 0): x"),
    ):
        status, _, err = call(capsys, "run", path, "--fill-mode", mode, "--output", tmp_path / f"{mode}.npz")
        assert (status, err) == (0, f"note: {note}\n")
    ones = np.load(tmp_path / "ones.npz")["y"]
    np.testing.assert_array_equal(ones, load_module(path)(np.ones((2, 6), np.float32)))


def test_profiles_need_the_ir(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("x.tar", "x.so"):
        assert call(capsys, "compile", model, "-o", tmp_path / name)[0] == 0
    status, _, err = call(capsys, "run", tmp_path / "x.tar", "--profile")
    assert status == 0
    assert "operators (and sources)" in err
    status, _, err = call(capsys, "run", tmp_path / "x.so", "--profile")
    assert (status, "error[TW0734]" in err) == (1, True)


def test_info_says_what_a_program_takes_and_needs(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.tar"
    assert call(capsys, "compile", model, "--target", TARGET, "-o", path)[0] == 0
    status, out, _ = call(capsys, "info", path)
    assert status == 0
    for line in (
        "input  x: float32[2, 6]",
        "output y: float32[2, 3]",
        "832 bytes in mod.params",
        "needs: x86_64, form ",
    ):
        assert line in out
    described = json.loads(call(capsys, "info", path, "--json")[1])
    assert described["functions"][0]["inputs"] == [{"name": "x", "dtype": "float32", "shape": [2, 6]}]
    assert "error[TW0711]" in call(capsys, "info", model)[2]


def test_functions_of_python_files_are_compiled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "kernels.py"
    source.write_text(KERNELS)
    x = np.arange(5, dtype=np.float32)
    for name in ("tensors", "schedule", "interactive", "module"):
        status, _, err = call(capsys, "compile", f"{source}:{name}", "--target", TARGET, "-o", tmp_path / f"{name}.so")
        assert status == 0, err
        np.testing.assert_array_equal(load_module(tmp_path / f"{name}.so")(x), x + 1)
    status, out, _ = call(capsys, "compile", f"{source}:schedule", "--target", TARGET, "--emit", "mlir")
    assert (status, "loop.for" in out) == (0, True)
    status, _, err = call(capsys, "compile", f"{source}:tensor", "-o", tmp_path / "x.so")
    assert (status, "error[TW0263]" in err, "did you mean 'tensors'" in err) == (1, True, True)
    assert "error[TW0610]" in call(capsys, "compile", f"{source}:_hidden", "-o", tmp_path / "x.so")[2]


def test_names_that_end_in_no_form_are_refused_with_the_list(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("x.zip", "x", "x.dll"):
        status, _, err = call(capsys, "compile", model, "-o", tmp_path / name)
        assert (status, "error[TW0262]" in err, ".so, .tar, .o, .c, .wasm, .ptx" in err) == (1, True, True)
    assert "error[TW0262]" in call(capsys, "compile", model, "--emit", "asm", "-o", tmp_path / "x.so")[2]
    assert "error[TW0209]" in call(capsys, "compile", model, "-o", tmp_path / "x.tar", "--weights", "beside")[2]
    assert [*tmp_path.iterdir()] == []
