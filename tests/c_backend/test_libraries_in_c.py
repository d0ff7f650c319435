"""Saved libraries in programs in C, through tilewright.h: what they tell, compute, refuse and allocate."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import which

import numpy as np
import onnx
import onnx.parser
import pytest
import tilewright as tvm
from tilewright import te
from tilewright.backends.library_exports import exports_source
from tilewright.runtime.description import encode

from .models import EACH_COMPILER, SANITIZED, onnxruntime_results

RNG = np.random.default_rng(5)
INCLUDE = Path(tvm.get_include())
TARGET = "llvm -mcpu=x86-64-v3"
STRICT = ("-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-O2")
pytestmark = pytest.mark.needs("cc")


def parsed(text: str) -> onnx.ModelProto:
    return onnx.parser.parse_model(f'<ir_version: 10, opset_import: ["" : 21]>\n{text}')


NETWORK = parsed(
    """g (float[1, 3, 12, 12] x, float[8, 3, 3, 3] k) => (float[1, 8, 5, 5] y, float[1, 200] z) {
       c = Conv(x, k) r = Relu(c) y = MaxPool<kernel_shape = [2, 2], strides = [2, 2]>(r) f = Flatten(y) z = Softmax(f)
    }"""
)
BLOCK = encode([], [])
OPEN = parsed("g (float[n, 4] x, int64[k] i) => (int64[r, q] y, float[k, 4] z) { y = NonZero(x) z = Gather(x, i) }")


@dataclass(frozen=True)
class Program:
    """The program in C, and the folder of libraries that it runs."""

    folder: Path

    def run(
        self,
        mode: str,
        library: str,
        inputs: Sequence[np.ndarray] = (),
        sizes: Sequence[int] = (),
        threads: int = 1,
        prefix: Sequence[str] = (),
        program: str = "counting",
        **environment: str,
    ) -> subprocess.CompletedProcess[str]:
        """Run a mode; the outputs are in the file `outputs`."""
        (self.folder / "inputs").write_bytes(b"".join(np.ascontiguousarray(a).tobytes() for a in inputs))
        command = [*prefix, f"./{program}", mode, library, "inputs", "outputs", str(threads), *map(str, sizes)]
        return subprocess.run(
            command,
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
            env={**os.environ, **environment},
        )

    def outputs(self, like: Sequence[np.ndarray]) -> list[np.ndarray]:
        data, found = (self.folder / "outputs").read_bytes(), list[np.ndarray]()
        for array in like:
            found.append(np.frombuffer(data, array.dtype, array.size).reshape(array.shape))
            data = data[array.nbytes :]
        return found


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    folder = tmp_path_factory.mktemp("c")
    compiled(folder, "counting", ("cc", "-O1", "-DCOUNTING"))
    compiled(folder, "plain", ("cc", "-O1", "-g"))
    tvm.compile(NETWORK, target=TARGET).save(folder / "network.so")
    tvm.compile(OPEN, target=TARGET).save(folder / "open.so")
    product().save(folder / "product.so")
    return Program(folder)


def compiled(folder: Path, name: str, command: Sequence[str]) -> None:
    """Compile the program in C."""
    source = Path(__file__).with_name("library_program.c")
    files = [f"-I{INCLUDE}", str(source), str(INCLUDE / "tilewright.c"), "-o", name]
    libraries = ["-Wl,--wrap=dlopen", "-ldl", "-lpthread"]
    subprocess.run([*command, "-Wall", *files, *libraries], cwd=folder, check=True)


def product() -> tvm.runtime.Module:
    """Return a product of open size by threads, for the target c."""
    n = te.var("n")
    a, b = te.placeholder((n, 16), name="A"), te.placeholder((16, 9), name="B")
    k = te.reduce_axis((0, 16), "k")
    c = te.compute((n, 9), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="C")
    schedule = te.create_schedule(c.op)
    schedule[c].parallel(c.op.axis[0])
    return tvm.build(schedule, [a, b, c], target="c", name="product")


def arguments() -> list[np.ndarray]:
    return [RNG.standard_normal(s).astype(np.float32) for s in ((1, 3, 12, 12), (8, 3, 3, 3))]


@pytest.mark.parametrize("compiler", EACH_COMPILER)
def test_the_header_and_its_implementation_compile_without_warnings(tmp_path: Path, compiler: str) -> None:
    (tmp_path / "user.cpp").write_text('#include "tilewright.h"\n')
    subprocess.run([compiler, *STRICT, "-c", INCLUDE / "tilewright.c", "-o", tmp_path / "t.o"], check=True)
    plus = {"gcc": "g++", "clang": "clang++"}[compiler]
    if which(plus):
        command = [plus, "-Wall", "-Wextra", "-pedantic", "-Werror", f"-I{INCLUDE}", "-fsyntax-only", "user.cpp"]
        subprocess.run(command, cwd=tmp_path, check=True)


def test_files_and_bytes_compute(program: Program) -> None:
    given = arguments()
    expected = onnxruntime_results(NETWORK, dict(zip(("x", "k"), given, strict=True)))
    for mode in ("file", "bytes"):
        run = program.run(mode, "network.so", given)
        assert run.returncode == 0, run.stdout
        for actual, wanted in zip(program.outputs(expected), expected, strict=True):
            np.testing.assert_allclose(actual, wanted, rtol=1e-5, atol=1e-6)


def test_constants_beside_a_library(program: Program) -> None:
    model = parsed(
        "g (float[2, 3] x) => (float[2, 2] y) <float[3, 2] w = {1, 2, 3, 4, 5, 6}, float[2, 2] b = {1, 2, 3, 4}>"
        "{ m = MatMul(x, w) y = Add(m, b) }"
    )
    tvm.compile(model, target=TARGET).save(program.folder / "beside.so", weights="beside")
    x = RNG.standard_normal((2, 3)).astype(np.float32)
    (expected,) = onnxruntime_results(model, {"x": x})
    run = program.run("file", "beside.so", [x])
    assert run.returncode == 0, run.stdout
    np.testing.assert_allclose(program.outputs([expected])[0], expected, rtol=1e-6)
    run = program.run("bytes", "beside.so", [x])
    assert run.returncode == 1 and "TW0711: expected a library with its constants inside" in run.stdout
    weights = program.folder / "beside.safetensors"
    whole = weights.read_bytes()
    for damaged in (whole[:-1], whole.replace(b"p0", b"p9"), whole[:4], b"\xff" * 64, b""):
        weights.write_bytes(damaged)
        run = program.run("file", "beside.so", [x])
        assert run.returncode == 1 and "TW0711: expected the constants of the program in" in run.stdout, run.stdout
    weights.unlink()
    assert program.run("file", "beside.so", [x]).returncode == 1


@pytest.mark.parametrize("threads", [1, 3])
def test_a_library_of_c_source_and_open_sizes(program: Program, threads: int) -> None:
    a, b = RNG.standard_normal((5, 16)).astype(np.float32), RNG.standard_normal((16, 9)).astype(np.float32)
    run = program.run("describe", "product.so", [a, b], [5], threads)
    assert run.stdout == "size n\ninput A float32 5 16\ninput B float32 16 9\noutput C float32 5 9\n"
    np.testing.assert_allclose(program.outputs([a @ b])[0], a @ b, rtol=1e-5)


def test_results_of_any_shape(program: Program) -> None:
    x = np.zeros((3, 4), np.float32)
    x[1, 2] = x[2, 0] = 1
    run = program.run("describe", "open.so", [x, np.array([2, 0], np.int64)], [3, 2])
    assert run.stdout.splitlines()[2:] == [
        "input x float32 3 4",
        "input i int64 2",
        "output y int64 2 2",
        "output z float32 2 4",
    ]
    data = (program.folder / "outputs").read_bytes()
    np.testing.assert_array_equal(np.frombuffer(data, np.int64, 4).reshape(2, 2), np.stack(np.nonzero(x)))


def test_no_call_allocates_and_eight_threads_agree(program: Program) -> None:
    run = program.run("count", "network.so", arguments())
    assert (run.returncode, run.stdout) == (0, "0 allocations\n")
    run = program.run("team", "network.so", arguments())
    assert (run.returncode, run.stdout) == (0, "0 of 8 threads differ\n")


DECLARED = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__libc_memalign(size_t, size_t);
void __libc_free(void *);
static _Atomic(void *) arenas[4096];
static atomic_int made, wrong;
static float x[432], k[216], expected[400];
static int32_t (*call)(const float *, const float *, float *, float *, int32_t);

void *aligned_alloc(size_t alignment, size_t size) {
  return arenas[made++] = __libc_memalign(alignment, size);
}

void free(void *data) {
  for (int i = 0; i < made && data; ++i) if (arenas[i] == data) arenas[i] = 0;
  __libc_free(data);
}

static int held(void) {
  int found = 0;
  for (int i = 0; i < made; ++i) found += arenas[i] != 0;
  return found;
}

static void *calls(void *unused) {
  float y[400];
  for (int i = 0; i < 20; ++i) wrong += call(x, k, y, y + 200, 1 + i % 3) || memcmp(y, expected, sizeof y);
  return unused;
}

int main(void) {
  pthread_t team[8];
  void *library = dlopen("./network.so", RTLD_NOW);
  *(void **)&call = dlsym(library, "tw_main");
  for (int i = 0; i < 432; ++i) x[i] = i % 7 - 3;
  for (int i = 0; i < 216; ++i) k[i] = i % 5 - 2;
  wrong += call(x, k, expected, expected + 200, 3);
  int before = made;
  calls(0);
  printf("%d of the first call, %d of others, ", held(), made - before);
  for (int i = 0; i < 8; ++i) pthread_create(&team[i], 0, calls, 0);
  for (int i = 0; i < 8; ++i) pthread_join(team[i], 0);
  printf("%s are kept, ", held() <= 16 ? "few" : "many");
  dlclose(library);
  printf("%d when it is closed, %d wrong", held(), wrong);
  return 0;
}
"""


def test_declared_functions_keep_their_arenas_and_free_them_when_the_library_is_closed(program: Program) -> None:
    (program.folder / "declared.c").write_text(DECLARED)
    command = ["cc", "-O1", "-Wall", "-Werror", "declared.c", "-o", "declared", "-ldl", "-lpthread"]
    subprocess.run(command, cwd=program.folder, check=True)
    run = subprocess.run(["./declared"], cwd=program.folder, capture_output=True, text=True, check=True, timeout=300)
    assert run.stdout == "1 of the first call, 0 of others, few are kept, 0 when it is closed, 0 wrong"


@pytest.mark.needs("valgrind")
@pytest.mark.parametrize("mode", ["team", "bytes"])
def test_valgrind_finds_nothing(program: Program, mode: str) -> None:
    prefix = ["valgrind", "-q", "--leak-check=full", "--error-exitcode=9"]
    run = program.run(mode, "network.so", arguments(), prefix=prefix, program="plain")
    assert run.returncode == 0 and not run.stderr, run.stderr


@pytest.mark.needs("sanitizers")
def test_sanitizers_find_nothing(program: Program) -> None:
    compiled(program.folder, "sanitized", ("gcc", *SANITIZED))
    x = np.zeros((3, 4), np.float32)
    for mode, library, inputs, sizes, status in (
        ("team", "network.so", arguments(), [], 0),
        ("bytes", "network.so", arguments(), [], 0),
        ("describe", "open.so", [x, np.array([2, 0], np.int64)], [3, 2], 0),
        ("file", "open.so", [x, np.full(1, 9)], [3, 1], 1),
        ("file", "open.so", [x], [-1, 2], 1),
    ):
        run = program.run(mode, library, inputs, sizes, program="sanitized")
        assert run.returncode == status and not run.stderr, run.stderr


def test_what_is_refused(program: Program) -> None:
    x = np.zeros((3, 4), np.float32)
    (program.folder / "text.so").write_text("no library")
    (program.folder / "other.c").write_text("int f(void) { return 0; }\n")
    subprocess.run(["cc", "-shared", "-o", "other.so", "other.c"], cwd=program.folder, check=True)
    failures: list[str] = []
    for code, mode, library, inputs, sizes, threads, environment in (
        ("TW0204: 'none.so' cannot be read", "file", "none.so", [], [], 1, {}),
        ("TW0711: expected a program that tilewright saved", "file", "text.so", [], [], 1, {}),
        ("TW0711: expected a program that tilewright saved", "bytes", "text.so", [], [], 1, {}),
        ("does not describe itself", "file", "other.so", [], [], 1, {}),
        ("TW0704: expected size 'n' from 0", "file", "open.so", [x], [-1, 2], 1, {}),
        ("TW0730: expected an index within [3, 4], but x[9, 0]", "file", "open.so", [x, np.full(1, 9)], [3, 1], 1, {}),
        ("TW0725: expected at least one thread", "file", "network.so", arguments(), [], 0, {}),
        ("TW0772: expected an OpenMP runtime", "file", "network.so", arguments(), [], 2, {"NO_OPENMP": "1"}),
    ):
        run = program.run(mode, library, inputs, sizes, threads, **environment)
        if run.returncode != 1 or code not in run.stdout:
            failures.append(f"{code}: {run.returncode} {run.stdout} {run.stderr}")
    assert not failures, "\n".join(failures)


def test_instruction_sets_that_the_machine_lacks(program: Program, tmp_path: Path) -> None:
    """A library says what it needs: the kernel has no such word."""
    assert 'tw_features[] = {"avx2", 0}' in exports_source([], BLOCK, ["avx2"])
    source = exports_source([], BLOCK, []).replace("{0}", '{"avx9000", 0}')
    source = source.replace("tw_functions[] = {\n\n}", "tw_functions[1]")
    functions = "void tilewright_use_openmp(void *const *f) { (void)f; }\n"
    functions += "const unsigned char *tw_constants(void) { return 0; }\n"
    (tmp_path / "needs.c").write_text(f"#include <stdint.h>\n{functions}{source}")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", program.folder / "needs.so", "needs.c"], cwd=tmp_path, check=True)
    run = program.run("file", "needs.so")
    assert (
        run.returncode == 1 and "TW0612: expected a program that this machine runs, but it has no avx9000" in run.stdout
    )
    (tmp_path / "next.c").write_text((tmp_path / "needs.c").read_text().replace("  TILEWRIGHT_INTERFACE,", "  99,"))
    subprocess.run(["cc", "-shared", "-fPIC", "-o", program.folder / "next.so", "next.c"], cwd=tmp_path, check=True)
    run = program.run("file", "next.so")
    assert (
        run.returncode == 1
        and "TW0711: expected a program of interface 1, but 'next.so' has interface 99" in run.stdout
    )
