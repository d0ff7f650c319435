"""PTX of kernels, where numba finds NVVM; what is said where it does not."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import tilewright
from tilewright import te
from tilewright.backends.cuda.compiler import Prototype, ptx_of
from tilewright.diagnostics import TilewrightError


def elementwise(dtype: str = "float32", function=lambda v: v * 2.0 + 1.0):
    n = te.var("n")
    a = te.placeholder((n,), dtype, name="A")
    b = te.compute((n,), lambda i: function(a[i]), name="B")
    schedule = te.create_schedule(b.op)
    block, thread = schedule[b].split(b.op.axis[0], factor=256)
    schedule[b].bind(block, te.thread_axis("blockIdx.x"))
    schedule[b].bind(thread, te.thread_axis("threadIdx.x"))
    return schedule, [a, b]


def instructions(ptx: str) -> list[str]:
    return re.findall(r"^\s+(?:@\S+\s+)?([a-z][\w.]*)[ \t]", ptx, re.M)


@pytest.mark.parametrize("arch", ["sm_80", "sm_90"])
def test_a_kernel_is_compiled_for_the_target(nvvm, arch: str) -> None:
    module = tilewright.build(*elementwise(), f"cuda -arch={arch}")
    ptx = module.get_source("ptx")
    assert f".target {arch}" in ptx
    assert module.imported_modules[0].get_source("ptx") == ptx
    found = instructions(ptx)
    assert found.count("ld.global.f32") == found.count("st.global.f32") == found.count("fma.rn.f32") == 1


def test_numpy_without_the_name_that_numba_asks_for(monkeypatch, tmp_path) -> None:
    """It is there while kernels are compiled, and not afterwards; whether there is a compiler or not."""
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", "")
    monkeypatch.delattr(np, "row_stack", raising=False)
    path = tmp_path / "kernels.py"
    path.write_text("import numpy as np\nfound = np.row_stack\nraise ValueError('compiled')\n")
    with pytest.raises(TilewrightError, match="TW0635.*compiled"):
        ptx_of(path, {"kernel": Prototype(("float32[]",), 32)}, "sm_90")
    assert not hasattr(np, "row_stack")


def test_no_double_precision_in_kernels_of_f32(nvvm) -> None:
    ptx = tilewright.build(*elementwise(function=lambda v: te.sigmoid(v) * te.log(v)), "cuda").get_source("ptx")
    assert not [name for name in instructions(ptx) if ".f64" in name]


@pytest.mark.parametrize(("dtype", "bits"), [("float32", 32), ("float64", 64)])
def test_products_and_sums_are_fused_by_the_pass_alone(nvvm, dtype: str, bits: int) -> None:
    """Neither NVVM nor the assembler fuses more: a rounding in the instruction forbids it."""
    program = elementwise(dtype, lambda v: v * v + v)
    fused = instructions(tilewright.build(*program, "cuda").get_source("ptx"))
    assert f"fma.rn.f{bits}" in fused and not [name for name in fused if name.startswith(("mul.rn", "add.rn"))]
    with tilewright.transform.PassContext(disabled_pass=["contract-fma"]):
        separate = instructions(tilewright.build(*program, "cuda").get_source("ptx"))
    assert f"mul.rn.f{bits}" in separate and f"add.rn.f{bits}" in separate and f"fma.rn.f{bits}" not in separate


def test_addresses_cost_one_sum_and_no_wrapping(nvvm) -> None:
    """An index that may be negative is tested and shifted by numba."""
    found = instructions(tilewright.build(*elementwise(), "cuda").get_source("ptx"))
    assert not [name for name in found if name.startswith(("selp", "and."))]


def tiled():
    """Schedule a product in which each thread computes rows of a tile and keeps its sums to itself."""
    n, rows = 64, 4
    a, b = te.placeholder((n, n), name="A"), te.placeholder((n, n), name="B")
    k = te.reduce_axis((0, n), name="k")
    c = te.compute((n, n), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="C")
    schedule = te.create_schedule(c.op)
    sums = schedule.cache_write(c, "local")
    block, row = schedule[c].split(c.op.axis[0], factor=rows)
    schedule[c].reorder(block, c.op.axis[1], row)
    schedule[c].bind(block, te.thread_axis("blockIdx.x"))
    schedule[c].bind(c.op.axis[1], te.thread_axis("threadIdx.x"))
    schedule[sums].compute_at(schedule[c], c.op.axis[1])
    schedule[sums].reorder(schedule[sums].op.reduce_axis[0], *schedule[sums].op.axis)
    return schedule, [a, b, c]


def test_local_arrays_are_registers(nvvm) -> None:
    found = instructions(tilewright.build(*tiled(), "cuda").get_source("ptx"))
    assert "fma.rn.f32" in found
    assert not [name for name in found if ".local" in name]


def test_emit(nvvm, tmp_path) -> None:
    path = tmp_path / "add.mlir"
    schedule, arguments = elementwise()
    path.write_text(str(tilewright.lower(schedule, arguments)))
    command = [sys.executable, "-m", "tilewright.tools.opt", "--emit", "ptx", str(path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert ".visible .entry" in done.stdout


def test_ptx_is_kept(nvvm, monkeypatch, cache_folder) -> None:
    """Compiled once; for another target, or without a cache, again."""
    from tilewright.backends.cuda import compiler

    compiled: list[str] = []
    real = compiler._compiled

    def counted(path, kernels, arch):
        compiled.append(arch)
        return real(path, kernels, arch)

    monkeypatch.setattr(compiler, "_compiled", counted)
    first = tilewright.build(*elementwise(), "cuda").get_source("ptx")
    assert tilewright.build(*elementwise(), "cuda").get_source("ptx") == first
    assert ".target sm_80" in tilewright.build(*elementwise(), "cuda -arch=sm_80").get_source("ptx")
    assert compiled == ["sm_90", "sm_80"]
    assert len(list(cache_folder.parent.rglob("*.ptx"))) == 2
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", "")
    assert tilewright.build(*elementwise(), "cuda").get_source("ptx") == first
    assert len(compiled) == 3


def test_threads_that_compile_at_once(monkeypatch, tmp_path) -> None:
    """One after the other: what numba is told meanwhile, such as the target, holds for one of them."""
    from tilewright.backends.cuda import compiler

    pytest.importorskip("numba.cuda")
    inside: list[int] = []
    most: list[int] = []

    def load(path) -> None:
        inside.append(1)
        most.append(len(inside))
        time.sleep(0.05)
        inside.pop()
        raise RuntimeError("not compiled")

    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", "")
    monkeypatch.setattr(compiler, "load_source", load)
    (tmp_path / "kernel.py").write_text("")

    def compile_for(arch: str) -> None:
        with pytest.raises(TilewrightError, match="TW0635"):
            ptx_of(tmp_path / "kernel.py", {"kernel": Prototype(("float32[]",), 32)}, arch)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(compile_for, ["sm_80", "sm_90", "sm_86", "sm_89"]))
    assert most == [1, 1, 1, 1]


def test_kernels_that_numba_refuses(nvvm, tmp_path) -> None:
    path = tmp_path / "wrong.py"
    path.write_text("def wrong(A):\n    A[0] = unknown_name\n")
    with pytest.raises(TilewrightError, match="TW0635.*refused") as raised:
        ptx_of(path, {"wrong": Prototype(("float32[]",), 32)}, "sm_90")
    assert "unknown_name" in str(raised.value)


def test_vectors_of_shared_memory(nvvm) -> None:
    """Numba's own compiler aligns shared memory to its elements; in the PTX it begins where vectors may begin."""
    a = te.placeholder((64,), name="A")
    b = te.compute((64,), lambda i: a[63 - i], name="B")
    schedule = te.create_schedule(b.op)
    copy = schedule.cache_read(a, "shared", [b])
    block, thread = schedule[b].split(b.op.axis[0], factor=64)
    schedule[b].bind(block, te.thread_axis("blockIdx.x"))
    schedule[b].bind(thread, te.thread_axis("threadIdx.x"))
    schedule[copy].compute_at(schedule[b], block)
    thread, lanes = schedule[copy].split(copy.op.axis[0], factor=4)
    schedule[copy].bind(thread, te.thread_axis("threadIdx.x"))
    schedule[copy].vectorize(lanes)
    module = tilewright.build(schedule, [a, b], "cuda")
    assert "float32, alignment=16)" in module.get_source()
    ptx = module.get_source("ptx")
    assert "st.shared.v4.f32" in instructions(ptx)
    assert re.findall(r"\.shared \.align (\d+)", ptx) == ["16"]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "int8", "float64"])
def test_element_types(nvvm, dtype: str) -> None:
    arithmetic = (lambda v: v * v) if dtype == "int8" else (lambda v: v * v + te.exp(v))
    assert ".visible .entry" in tilewright.build(*elementwise(dtype, arithmetic), "cuda").get_source("ptx")


def test_without_nvvm_the_error_says_what_to_install(monkeypatch) -> None:
    """Numba's words for it, raised where it looks for the library."""
    from numba import cuda
    from numba.cuda.cudadrv.error import NvvmSupportError

    def refuse(*arguments: object, **options: object) -> None:
        raise NvvmSupportError("libNVVM cannot be found. Do `conda install cudatoolkit`:\nlibrary nvvm not found")

    monkeypatch.setattr(cuda, "compile_ptx", refuse)
    with pytest.raises(TilewrightError, match="TW0635.*expected NVVM.*found none") as raised:
        tilewright.build(*elementwise(), "cuda").get_source("ptx")
    assert raised.value.help is not None
    assert "tilewright[cuda]" in raised.value.help and "CUDA_HOME" in raised.value.help
