"""Saved programs: what a process without a compiler, and a C program, make of them."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te
from tilewright.dialects import context
from tilewright.runtime import cpu_features
from tilewright.runtime.description import VERSION
from tilewright.runtime.library import SEAL, SEAL_MARK
from xdsl.parser import Parser

RANDOM = np.random.default_rng(0)


def refused(code: str, message: str):
    return pytest.raises(tvm.TilewrightError, match=rf"(?s){code}.*{message}")


def matmul():
    n = te.var("n")
    A, B = te.placeholder((n, 16), name="A"), te.placeholder((16, 9), name="B")
    k = te.reduce_axis((0, 16), "k")
    C = te.compute((n, 9), lambda i, j: te.sum(A[i, k] * B[k, j], axis=k), name="C")
    schedule = te.create_schedule(C.op)
    schedule[C].parallel(C.op.axis[0])
    return tvm.build(schedule, [C, A, B], name="matmul", threads=2)


CONSTANTS = """
func.func @main(%x: tensor<?x4xf32>) -> tensor<?xf64> {
  %w = te.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>
  %s = te.constant dense<[[2.0], [10.0]]> : tensor<2x1xf32>
  %n = te.dim %x, 0 : tensor<?x4xf32>
  %y = te.compute "y" [%i to %n * 2 + 1] reduce [%k to 4] -> tensor<?xf64> {
    %zero = arith.constant 0.0 : f32
    %v = te.read %x[%i floordiv 2, %k] where (%n * 2 - 1 - %i >= 0) else %zero : tensor<?x4xf32>
    %b = te.read %s[%i mod 2, 0] : tensor<2x1xf32>
    %u = arith.mulf %v, %b : f32
    %e = arith.extf %u : f32 to f64
    %c = te.read %w[%k] : tensor<4xf64>
    %p = arith.mulf %e, %c : f64
    te.reduce <add> %p : f64
  }
  func.return %y : tensor<?xf64>
}
"""


def constants_expected(x):
    y = (x[:, None] * np.array([2.0, 10.0], np.float32)[:, None]).astype(float) @ np.arange(1.0, 5.0)
    return np.append(y.ravel(), 0.0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("libraries")
    module = Parser(context(), CONSTANTS).parse_module()
    matmul().save(folder / "matmul.so")
    matmul().export_library(folder / "matmul.o")
    tvm.build({"scale": module, "again": module}).save(folder / "both.so")
    return folder


def test_loaded_programs_compute(folder):
    a, b = RANDOM.random((5, 16), np.float32), RANDOM.random((16, 9), np.float32)
    loaded = tvm.runtime.load_module(folder / "matmul.so")
    np.testing.assert_allclose(loaded(a, b), a @ b, rtol=1e-5)
    c = np.zeros((5, 9), np.float32)
    assert loaded["matmul"](c, a, b) is None
    np.testing.assert_allclose(c, a @ b, rtol=1e-5)
    assert str(loaded.signature) == str(matmul().signature)
    with refused("TW0704", "'A'"):
        loaded(b, b)


@pytest.mark.parametrize("suffix", ["so", "tar"])
@pytest.mark.parametrize("names", [["p", "p", "p"], ["p", "q", "r"]])
def test_programs_that_are_loaded_at_one_time_are_different_ones(suffix, names, tmp_path):
    """Of a path that is saved anew, and of files in memory: the system's loader knows libraries by their paths."""
    loaded = []
    for factor, name in enumerate(names):
        A = te.placeholder((4,), name="A")
        B = te.compute((4,), lambda i, A=A, factor=factor: A[i] * float(factor), name="B")
        tvm.build([A, B]).save(tmp_path / f"{name}.{suffix}")
        loaded += [tvm.load_module(tmp_path / f"{name}.{suffix}") for _ in range(2)]
    ones = np.ones(4, np.float32)
    assert [program(ones)[0] for program in loaded] == [0, 0, 1, 1, 2, 2]


def test_a_damaged_seal_is_no_missing_one(folder, tmp_path):
    """Without a seal a library is what a linker made, whose code nobody compares with anything."""
    whole = (folder / "both.so").read_bytes()
    for damaged in (whole[:-1], whole[: 1 - SEAL.size], whole[: -SEAL.size] + b"?" + whole[1 - SEAL.size :]):
        (tmp_path / "damaged.so").write_bytes(damaged)
        with refused("TW0711", "seal is damaged"):
            tvm.load_module(tmp_path / "damaged.so")
    (tmp_path / "none.so").write_bytes(whole[: -SEAL.size])
    x = RANDOM.random((3, 4), np.float32)
    np.testing.assert_array_equal(tvm.load_module(tmp_path / "none.so")(x), tvm.load_module(folder / "both.so")(x))


def test_constants_and_several_entries(folder):
    loaded = tvm.load_module(folder / "both.so")
    x = RANDOM.random((3, 4), np.float32)
    for name in ("scale", "again"):
        np.testing.assert_allclose(loaded[name](x), constants_expected(x))
    x = RANDOM.random((0, 4), np.float32)
    np.testing.assert_array_equal(loaded(x), [0.0])


def test_loading_imports_no_compiler(folder):
    code = f"""
import sys
import numpy as np
import tilewright as tvm
f = tvm.load_module({str(folder / "matmul.so")!r})
a, b = np.full((5, 16), 2, np.float32), np.ones((16, 9), np.float32)
assert (f(a, b) == 32).all() and (f(a, b, threads=1) == 32).all()
print([m for m in ("xdsl", "llvmlite", "islpy", "numba") if m in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_object_files_link_into_libraries(folder):
    subprocess.run(["cc", "-shared", "-o", "linked.so", "matmul.o"], cwd=folder, check=True)
    a, b = RANDOM.random((5, 16), np.float32), RANDOM.random((16, 9), np.float32)
    np.testing.assert_allclose(tvm.load_module(folder / "linked.so")(a, b), a @ b, rtol=1e-5)
    (folder / "cut.so").write_bytes((folder / "linked.so").read_bytes()[:-100])
    with refused("TW0711", "cut short"):
        tvm.load_module(folder / "cut.so")


C_PROGRAM = r"""
#include <stdio.h>
#include "both.h"
#include "matmul.h"
#include "scaled.h"

int main(void) {
  float a[3 * 16], b[16 * 9], c[3 * 9], x[2 * 4];
  double y[5], z[5];
  for (int i = 0; i < 3 * 16; ++i) a[i] = i % 7;
  for (int i = 0; i < 16 * 9; ++i) b[i] = i % 5;
  for (int i = 0; i < 8; ++i) x[i] = i;
  if (matmul(a, b, c, 3, 4) || scale(x, y, 2, 1) || tw_main(x, z, 2, 1)) return 1;
  for (int i = 0; i < 3 * 9; ++i) printf("%g ", c[i]);
  for (int i = 0; i < 5; ++i) printf("%g ", y[i]);
  for (int i = 0; i < 5; ++i) printf("%g ", z[i]);
  return 0;
}
"""


def test_c_programs_call_libraries(folder):
    """Two object files and a library in one program: each finds its own constants."""
    tvm.build(Parser(context(), CONSTANTS).parse_module()).save(folder / "scaled.o")
    (folder / "program.c").write_text(C_PROGRAM)
    libraries = ["matmul.o", "scaled.o", "both.so", f"-Wl,-rpath,{folder}"]
    subprocess.run(["cc", "-Wall", "-Werror", "-o", "program", "program.c", *libraries, "-lm"], cwd=folder, check=True)
    printed = subprocess.run([folder / "program"], capture_output=True, text=True, check=True).stdout
    a, b = (np.arange(48) % 7).reshape(3, 16), (np.arange(144) % 5).reshape(16, 9)
    scaled = constants_expected(np.arange(8, dtype=np.float32).reshape(2, 4))
    expected = [*(a @ b).ravel(), *scaled, *scaled]
    np.testing.assert_allclose([float(v) for v in printed.split()], expected)


PRODUCT_PROGRAM = """
#include <stdio.h>
#include "flat.h"

int main(void) {
  float a[6] = {1, 2, 3, 4, 5, 6}, out[6];
  if (flat(a, out, 2, 3, 1)) return 1;
  for (int i = 0; i < 6; ++i) printf("%g ", out[i]);
  return 0;
}
"""


def test_sizes_that_are_products_reach_c_programs(tmp_path):
    n, m = te.var("n"), te.var("m")
    A = te.placeholder((n, m), name="A")
    flat = te.compute((n * m,), lambda i: A[i // m, i % m] * 2, name="flat")
    tvm.build([A, flat], [A, flat], name="flat").save(tmp_path / "flat.so")
    x = np.arange(12, dtype=np.float32).reshape(4, 3)
    np.testing.assert_array_equal(tvm.runtime.load_module(tmp_path / "flat.so")(x), x.ravel() * 2)
    (tmp_path / "program.c").write_text(PRODUCT_PROGRAM)
    command = ["cc", "-Wall", "-Werror", "-o", "program", "program.c", "flat.so", f"-Wl,-rpath,{tmp_path}"]
    subprocess.run(command, cwd=tmp_path, check=True)
    printed = subprocess.run([tmp_path / "program"], capture_output=True, text=True, check=True).stdout
    assert printed.split() == ["2", "4", "6", "8", "10", "12"]


def sealed(data: bytes) -> bytes:
    return data + SEAL.pack(SEAL_MARK, len(data), hashlib.sha256(data).digest())


def test_damaged_and_foreign_files(folder, tmp_path):
    whole = (folder / "matmul.so").read_bytes()
    body = whole[: -SEAL.size]
    offset = body.index(b"TILEWRGT")
    other_version = body[: offset + 8] + (VERSION + 1).to_bytes(4, "little") + body[offset + 12 :]
    malformed = body.replace(b'"entries"', b'"entrees"')
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 1
    (foreign,) = (p for p in map(Path, ["/usr/lib/x86_64-linux-gnu/libm.so.6", "/lib64/libm.so.6"]) if p.exists())
    files = {
        "damaged": (bytes(flipped), "it is damaged"),
        "short": (whole[: len(whole) // 3], "cannot be used"),
        "empty": (b"", "is empty"),
        "text": (b"hello", "no shared library"),
        "foreign": (foreign.read_bytes(), "not saved by this project"),
        "version": (sealed(other_version), f"version {VERSION + 1}"),
        "description": (sealed(malformed), "malformed"),
    }
    for name, (data, message) in files.items():
        path = tmp_path / f"{name}.so"
        path.write_bytes(data)
        with refused("TW0711", message):
            tvm.load_module(path)
    with refused("TW0204", "no such file"):
        tvm.load_module(tmp_path / "missing.so")


def test_instruction_sets_are_checked(folder, monkeypatch):
    monkeypatch.setattr(cpu_features, "_flags", lambda: frozenset({"sse4_1", "avx"}))
    assert cpu_features.missing_features(["sse4.1", "avx2", "fma", "unheard-of"]) == ["avx2", "fma"]
    with refused("TW0612", "it has no .*avx2"):
        tvm.load_module(folder / "matmul.so")
    monkeypatch.setattr(cpu_features, "_flags", frozenset)
    assert cpu_features.missing_features(["avx2"]) == []


def test_missing_and_failing_compilers(tmp_path, monkeypatch):
    program = matmul()
    monkeypatch.setenv("CC", "no-such-compiler")
    with refused("TW0613", "'no-such-compiler' cannot be found.*help: install gcc or clang"):
        program.save(tmp_path / "x.so")
    monkeypatch.setenv("CC", "false")
    with refused("TW0613", "false cannot link"):
        program.save(tmp_path / "x.so")
    assert os.listdir(tmp_path) == []


def test_other_forms(tmp_path):
    program = matmul()
    for suffix, text in ((".s", "tw_entry.matmul:"), (".ll", "define i32 @tw_entry.matmul"), (".mlir", "loop.for")):
        program.save(tmp_path / f"x{suffix}")
        assert text in (tmp_path / f"x{suffix}").read_text()
    with refused("TW0614", "ends in .so, .tar, .o"):
        program.save(tmp_path / "x.exe")
    with refused("TW0204", "no such file or folder"):
        program.save(tmp_path / "nowhere" / "x.mlir")


def test_loaded_programs_have_no_source(folder, tmp_path):
    loaded = tvm.load_module(folder / "matmul.so")
    with refused("TW0614", "built in this process to be shown"):
        loaded.get_source()
    with refused("TW0614", "built in this process to be saved"):
        loaded.save(tmp_path / "x.so")
