"""Tensor programs built with target="c", against numpy."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from shutil import which

import numpy as np
import pytest
import tilewright
from needed_tools import skip_without
from tilewright import te, tir
from tilewright.diagnostics import TilewrightError

RANDOM = np.random.default_rng(0)


def array(*shape: int) -> np.ndarray:
    return RANDOM.normal(size=shape).astype(np.float32)


def matmul(n: int = 24):
    a, b = te.placeholder((n, n), name="A"), te.placeholder((n, n), name="B")
    k = te.reduce_axis((0, n), name="k")
    return a, b, te.compute((n, n), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="C")


@pytest.mark.parametrize("vectorized", [False, True])
def test_matmul_with_a_schedule(vectorized):
    a, b, c = matmul()
    schedule = te.create_schedule(c.op)
    io, ii = schedule[c].split(c.op.axis[0], factor=5)
    jo, ji = schedule[c].split(c.op.axis[1], factor=8)
    schedule[c].reorder(io, jo, c.op.reduce_axis[0], ii, ji)
    schedule[c].parallel(io)
    if vectorized:
        schedule[c].vectorize(ji)
    built = tilewright.build(schedule, [a, b, c], target="c", name="matmul")
    x, y = array(24, 24), array(24, 24)
    for threads in (1, 2):
        np.testing.assert_allclose(built(x, y, threads=threads), x @ y, rtol=1e-5, atol=1e-5)
    text = built.get_source("c")
    assert "#pragma omp parallel for" in text
    assert ("for (int lane = 0; lane < 8; ++lane)" in text) == vectorized


def test_default_schedules_have_no_vectors():
    built = tilewright.build([*matmul()], target="c")
    x, y = array(24, 24), array(24, 24)
    np.testing.assert_allclose(built(x, y), x @ y, rtol=1e-5, atol=1e-5)
    assert "lane" not in built.get_source()


def test_symbolic_sizes_and_several_stages():
    """A softmax over rows of any number and length: its intermediate results are on the heap."""
    m, n = te.var("m"), te.var("n")
    x = te.placeholder((m, n), name="X")
    k, r = te.reduce_axis((0, n), name="k"), te.reduce_axis((0, n), name="r")
    most = te.compute((m,), lambda i: te.max(x[i, k], axis=k), name="most")
    e = te.compute((m, n), lambda i, j: te.exp(x[i, j] - most[i]), name="e")
    total = te.compute((m,), lambda i: te.sum(e[i, r], axis=r), name="total")
    y = te.compute((m, n), lambda i, j: e[i, j] / total[i], name="Y")
    built = tilewright.build(te.create_schedule(y.op), [x, y], target="c")
    for shape in ((3, 7), (1, 1), (0, 4)):
        values = array(*shape)
        powers = np.exp(values - values.max(axis=1, keepdims=True, initial=-np.inf))
        np.testing.assert_allclose(built(values), powers / powers.sum(axis=1, keepdims=True), rtol=1e-6)
    assert "malloc" in built.get_source()


def test_padded_convolution_and_integers():
    x = te.placeholder((10,), dtype="int32", name="X")
    k = te.reduce_axis((0, 3), name="k")
    pad = te.compute((12,), lambda i: te.if_then_else(te.all(i >= 1, i < 11), x[i - 1], 0), name="pad")
    y = te.compute((10,), lambda i: te.sum(pad[i + k], axis=k), name="Y")
    values = np.arange(10, dtype=np.int32) * 2**28
    built = tilewright.build([x, y], target="c")
    with np.errstate(over="ignore"):
        expected = np.convolve(values.astype(np.int64), np.ones(3, np.int64), "same").astype(np.int32)
    np.testing.assert_array_equal(built(values), expected)


def test_sigmoid_calls_the_library():
    x = te.placeholder((33,), name="X")
    y = te.compute(x.shape, lambda i: te.sigmoid(x[i]), name="Y")
    built = tilewright.build([x, y], target="c")
    values = array(33)
    np.testing.assert_allclose(built(values), 1 / (1 + np.exp(-values)), rtol=1e-6)
    assert "expf(-" in built.get_source()


def test_strides_of_the_caller():
    x = te.placeholder((4, 5), name="X")
    y = te.compute(x.shape, lambda i, j: x[i, j] + 1.0, name="Y")
    strided = tir.decl_buffer(x.shape, x.dtype, name="X", strides=[te.var("s"), te.var("t")])
    built = tilewright.build(te.create_schedule(y.op), [x, y], target="c", binds={x: strided})
    values = array(5, 4).T
    np.testing.assert_array_equal(built(values), values + 1.0)


def test_several_functions(tmp_path):
    a, b, c = matmul(8)
    x = te.placeholder((8,), name="X")
    y = te.compute(x.shape, lambda i: x[i] * 2.0, name="Y")
    built = tilewright.build({"main": tilewright.lower([a, b, c]), "twice": tilewright.lower([x, y])}, target="c")
    values = array(8)
    np.testing.assert_array_equal(built["twice"](values), values * 2)
    built.save(tmp_path / "program.c")
    assert "int program_twice_run(" in (tmp_path / "program.h").read_text()
    assert "func.func @twice" in built.get_source("mlir")


@pytest.mark.parametrize(
    "code, act",
    [
        ("TW0209", lambda built, path: built.get_source("asm")),
        ("TW0614", lambda built, path: built.save(path / "program.o")),
        ("TW0204", lambda built, path: built.save(path / "none" / "program.c")),
        ("TW0703", lambda built, path: built(np.zeros(4, np.float64))),
    ],
)
def test_refusals(tmp_path, code, act):
    x = te.placeholder((4,), name="X")
    built = tilewright.build([x, te.compute(x.shape, lambda i: x[i] * 2.0, name="Y")], target="c")
    with pytest.raises(TilewrightError) as raised:
        act(built, tmp_path)
    assert raised.value.code == code


@pytest.mark.parametrize("target", ["c -mcpu=x86-64-v3", "opencl -num-cores=2"])
def test_options_of_targets(target):
    assert tilewright.Target("c -num-cores=3").attribute().threads == 3
    with pytest.raises(TilewrightError) as raised:
        tilewright.Target(target)
    assert raised.value.code == "TW0612"


def _clang_without_openmp(folder: Path) -> None:
    clang = folder / "clang"
    clang.write_text(f'#!/bin/sh\ncase "$*" in *-fopenmp*) echo no -lomp >&2; exit 1;; esac\nexec {which("cc")} "$@"\n')
    clang.chmod(0o755)


def test_a_compiler_without_openmp_is_passed_over(tmp_path, monkeypatch):
    _clang_without_openmp(tmp_path)
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    built = tilewright.build([*matmul(5)], target="c")
    x, y = array(5, 5), array(5, 5)
    np.testing.assert_allclose(built(x, y), x @ y, rtol=1e-5)


def test_no_compiler_with_openmp(tmp_path, monkeypatch):
    _clang_without_openmp(tmp_path)
    monkeypatch.setenv("CC", str(tmp_path / "clang"))
    with pytest.raises(TilewrightError, match="cannot link it") as raised:
        tilewright.build([*matmul(5)], target="c")
    assert raised.value.code == "TW0428" and "libomp-dev" in (raised.value.help or "")


BOTH = """
import os, re
import numpy as np
import tilewright
from tilewright import te

a = te.placeholder((64, 64), name="A")
b = te.compute((64, 64), lambda i, j: a[i, j] * 2.0, name="B")
x = np.arange(4096, dtype=np.float32).reshape(64, 64)
for target in ORDER:
    schedule = te.create_schedule(b.op)
    schedule[b].parallel(b.op.axis[0])
    for threads in (1, 2, 4):
        assert (tilewright.build(schedule, [a, b], target=target)(x, threads=threads) == x * 2).all()
print(len(set(re.findall(r"/\\S*lib(?:iomp5|omp|gomp)\\b\\S*", open(f"/proc/{os.getpid()}/maps").read()))))
"""


@pytest.mark.parametrize("compiler", ["clang", "gcc"])
@pytest.mark.parametrize("order", [("c", "llvm"), ("llvm", "c")])
def test_a_process_has_one_openmp_runtime(compiler, order):
    """Two of LLVM's kind would end the process."""
    skip_without(compiler)
    run = subprocess.run(
        [sys.executable, "-c", BOTH.replace("ORDER", repr(order))],
        env={**os.environ, "CC": compiler},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stdout) == (0, "1\n"), run.stderr


@pytest.mark.parametrize("threads", [1, 2])
def test_a_saved_library_is_loaded_again(tmp_path: Path, threads: int) -> None:
    n = te.var("n")
    a, w = te.placeholder((n, 24), name="A"), te.placeholder((24, 24), name="B")
    k = te.reduce_axis((0, 24), name="k")
    c = te.compute((n, 24), lambda i, j: te.sum(a[i, k] * w[k, j], axis=k), name="C")
    schedule = te.create_schedule(c.op)
    schedule[c].parallel(c.op.axis[0])
    built = tilewright.build(schedule, [a, w, c], target="c", name="matmul")
    built.export_library(tmp_path / "matmul.so")
    loaded = tilewright.runtime.load_module(tmp_path / "matmul.so")
    for rows in (1, 7, 24):
        x, y = array(rows, 24), array(24, 24)
        np.testing.assert_array_equal(loaded["matmul"](x, y, threads=threads), built(x, y, threads=threads))
    with pytest.raises(TilewrightError, match=r"TW0614.*ends in \.so, \.c or \.mlir"):
        built.export_library(tmp_path / "matmul.o")


def test_a_saved_library_reports_indices_out_of_bounds(tmp_path: Path) -> None:
    a, at = te.placeholder((8,), name="A"), te.placeholder((4,), "int32", name="I")
    b = te.compute((4,), lambda i: a[at[i]] + 1.0, name="B")
    built = tilewright.build(te.create_schedule(b.op), [a, at, b], target="c")
    built.save(tmp_path / "take.so")
    loaded = tilewright.runtime.load_module(tmp_path / "take.so")
    x = array(8)
    np.testing.assert_array_equal(loaded(x, np.array([7, 0, 3, 3], np.int32)), x[[7, 0, 3, 3]] + 1)
    for program in (built, loaded):
        with pytest.raises(TilewrightError, match="TW0730"):
            program(x, np.array([0, 8, 0, 0], np.int32))
