"""The wheel, and what xdsl-opt sees of it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from contextlib import nullcontext
from pathlib import Path

import pytest
from tilewright import renamed
from xdsl.universe import XDSL_UNIVERSE

ROOT = Path(__file__).resolve().parents[2]

LOOPS = """\
func.func private @scale(%x: memref<8xf32>, %y: memref<8xf32> {tw.output}) {
  loop.for %i = 0 to 8 {
    %a = loop.load %x[%i] : memref<8xf32>
    loop.store %a, %y[%i] : memref<8xf32>
  }
  func.return
}
"""
COMPUTE = """\
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = te.compute "y" [%i to 8] -> tensor<8xf32> {
    %a = te.read %x[%i] : tensor<8xf32>
    te.yield %a : f32
  }
  func.return %y : tensor<8xf32>
}
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a wheel from a copy of the sources, so that no build folder is left in them."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    skip = shutil.ignore_patterns(".*", "__pycache__", "build", "dist", "*.egg-info", "tests", "lit", "demo-output")
    shutil.copytree(ROOT, source, ignore=skip)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--wheel-dir", str(folder), str(source)], check=True, capture_output=True)
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return an environment in which the wheel's contents are found before any other installation."""
    site = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    return {**os.environ, "PYTHONPATH": str(site)}


def python(environment: dict[str, str], *args: str, stdin: str = "", cwd: Path) -> str:
    done = subprocess.run(
        [sys.executable, *args], input=stdin, capture_output=True, text=True, env=environment, cwd=cwd
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_wheel_holds_every_module_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
        metadata = next(name for name in archive.namelist() if name.endswith("/METADATA"))
        assert "License-Expression: Apache-2.0" in archive.read(metadata).decode()
    outside = {"tests", "lit", "benchmarks", "examples", "docs", "build"}
    modules = {
        path.relative_to(ROOT)
        for path in ROOT.rglob("*.py")
        if path.relative_to(ROOT).parts[0] not in outside
        and not any(part.startswith(".") for part in path.relative_to(ROOT).parts)
    }
    stubs = {Path(f"{face}__init__.pyi") for face in ("", "dialects/graph/", "ir/", "te/")}
    page = {path.relative_to(ROOT) for path in (ROOT / "passes" / "framework" / "tracing" / "page").iterdir()}
    header = {Path("include/tilewright.h"), Path("include/tilewright.c")}
    assert names == {f"tilewright/{path}" for path in modules | stubs | page | header} | {
        "tilewright/py.typed",
        "tilewright/runtime/py.typed",
    }


def test_the_wheel_is_what_is_imported(environment: dict[str, str], tmp_path: Path) -> None:
    out = python(environment, "-c", "import tilewright; print(tilewright.__file__)", cwd=tmp_path)
    assert out.startswith(environment["PYTHONPATH"])


def test_xdsl_opt_knows_our_dialects(environment: dict[str, str], tmp_path: Path) -> None:
    out = python(environment, "-m", "xdsl.tools.xdsl_opt", stdin=LOOPS, cwd=tmp_path)
    assert "loop.for %i = 0 to 8 {" in out


def test_xdsl_opt_knows_our_passes(environment: dict[str, str], tmp_path: Path) -> None:
    pipeline = "tw-lower-te,tw-lower-blocks,tw-cse,cse"
    out = python(environment, "-m", "xdsl.tools.xdsl_opt", "-p", pipeline, stdin=COMPUTE, cwd=tmp_path)
    assert "loop.store" in out
    assert "te.compute" not in out


def test_opt_tool_of_the_wheel(environment: dict[str, str], tmp_path: Path) -> None:
    out = python(environment, "-m", "tilewright.tools.opt", "--pass", "lower-te", stdin=COMPUTE, cwd=tmp_path)
    assert "loop.block" in out


@pytest.mark.filterwarnings("ignore::tilewright.renamed.RenamedWarning")  # earlier names are there too
def test_no_name_clashes_with_xdsl() -> None:
    from tilewright.universe import PREFIX, UNIVERSE

    assert not set(UNIVERSE.all_passes) & set(XDSL_UNIVERSE.all_passes)
    assert not set(UNIVERSE.all_dialects) & set(XDSL_UNIVERSE.all_dialects)
    for name, load in UNIVERSE.all_passes.items():
        is_earlier = name.removeprefix(PREFIX) in renamed.PASSES
        with pytest.warns(renamed.RenamedWarning) if is_earlier else nullcontext():
            assert load().name == name


WITHOUT_CUDA = '''
import ctypes, importlib.abc, sys

class Hidden(importlib.abc.MetaPathFinder):
    """What the extra `cuda` brings cannot be found."""

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("cuda", "numba_cuda", "nvidia"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None

sys.meta_path.insert(0, Hidden())
real = ctypes.CDLL
asked = []

class Library(real):
    """Nor can a library of NVIDIA's."""

    def __init__(self, name=None, *arguments, **options):
        if any(part in str(name or "").lower() for part in ("cuda", "nvvm", "nvrtc", "nvjitlink", "cudart")):
            asked.append(name)
            raise OSError(f"{name}: cannot open shared object file")
        super().__init__(name, *arguments, **options)

ctypes.CDLL = Library

import numpy as np
import tilewright
from tilewright import te

n = te.var("n")
a = te.placeholder((n,), name="A")
b = te.compute((n,), lambda i: te.exp(a[i]) + 1.0, name="B")
schedule = te.create_schedule(b.op)
block, thread = schedule[b].split(b.op.axis[0], factor=32)
schedule[b].bind(block, te.thread_axis("blockIdx.x"))
schedule[b].bind(thread, te.thread_axis("threadIdx.x"))
assert "blockIdx.x" in str(tilewright.lower(schedule, [a, b]))
x = np.linspace(-1, 1, 50, dtype=np.float32)
simulated = tilewright.build(schedule, [a, b], "cuda", device="simulator")
np.testing.assert_allclose(simulated(x), np.exp(x) + 1, rtol=1e-6)
assert asked == [] and "numba" not in sys.modules
module = tilewright.build(schedule, [a, b], "cuda")
assert "cuda.blockIdx.x" in module.get_source()
for act in (lambda: module(x), lambda: module.get_source("ptx"), lambda: module.get_source("sass")):
    try:
        act()
    except tilewright.TilewrightError as error:
        print(error.code, "tilewright[cuda]" in error.help)
'''


def test_kernels_where_no_library_of_cuda_is(environment: dict[str, str], tmp_path: Path) -> None:
    """The wheel without the extra `cuda` imports, lowers and simulates; what takes more says what to install."""
    environment = {k: v for k, v in environment.items() if not k.startswith(("CUDA", "NUMBA"))}
    environment |= {"TILEWRIGHT_CACHE_DIR": str(tmp_path / "cache"), "CUDA_HOME": str(tmp_path)}
    out = python(environment, "-c", WITHOUT_CUDA, cwd=tmp_path)
    assert out.splitlines() == ["TW0634 True", "TW0635 True", "TW0635 True"]
