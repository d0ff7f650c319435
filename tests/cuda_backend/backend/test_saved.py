"""Programs of kernels in files: saved, loaded again without a compiler, refused where they are damaged."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tilewright
from tilewright import te
from tilewright.diagnostics import TilewrightError


def reversed_sums() -> tuple[Any, list[Any]]:
    """Schedule C[i] = 2 A[n - 1 - i] + 1 in two kernels, for any n."""
    n = te.var("n")
    a = te.placeholder((n,), name="A")
    b = te.compute((n,), lambda i: a[i] + a[i], name="B")
    c = te.compute((n,), lambda i: b[n - 1 - i] + 1.0, name="C")
    schedule = te.create_schedule(c.op)
    for stage in (b, c):
        block, thread = schedule[stage].split(stage.op.axis[0], factor=8)
        schedule[stage].bind(block, te.thread_axis("blockIdx.x"))
        schedule[stage].bind(thread, te.thread_axis("threadIdx.x"))
    return schedule, [a, c]


WITH_CONSTANTS = """
func.func @main(%x: memref<4xf32>, %y: memref<4xf32> {tw.output}) attributes {tw.scheduled} {
  %c = loop.constant dense<[1.0, 2.0, 3.0, 4.0]> : memref<4xf32>
  %d = loop.constant dense<[1, 0, 1, 0]> : memref<4xi8>
  loop.for %i = 0 to 4 kind thread<"threadIdx.x"> {
    %a = loop.load %x[%i] : memref<4xf32>
    %b = loop.load %c[%i] : memref<4xf32>
    %e = loop.load %d[%i] : memref<4xi8>
    %f = arith.sitofp %e : i8 to f32
    %s = arith.addf %a, %b : f32
    %t = arith.mulf %s, %f : f32
    loop.store %t, %y[%i] : memref<4xf32>
  }
  func.return
}"""


@pytest.fixture
def saved(driver, tmp_path: Path) -> Path:
    path = tmp_path / "sums.ptx"
    tilewright.build(*reversed_sums(), "cuda").save(path)
    return path


def refused(code: str, path: Path, **options: Any) -> TilewrightError:
    with pytest.raises(TilewrightError) as raised:
        tilewright.load_module(path, **options)
    assert raised.value.code == code, raised.value
    return raised.value


@pytest.mark.parametrize("size", [1, 8, 21])
def test_saved_and_loaded(driver, drivers, saved: Path, size: int) -> None:
    x = np.arange(size, dtype=np.float32)
    expected = 2 * x[::-1] + 1
    np.testing.assert_array_equal(tilewright.load_module(saved, device="simulator")(x), expected)
    loaded = tilewright.load_module(saved)
    np.testing.assert_array_equal(loaded(drivers.CudaArray(driver, x)).numpy(), expected)
    np.testing.assert_array_equal(tilewright.runtime.load_module(saved)(drivers.CudaArray(driver, x)).numpy(), expected)
    np.testing.assert_array_equal(tilewright.load_module(saved, copy=True)(x), expected)
    assert str(loaded.signature) == "(A: float32[n]) -> (C: float32[n])"


def test_several_functions_and_constants(driver, drivers, parse, tmp_path: Path) -> None:
    functions = {"sums": reversed_sums(), "more": reversed_sums()}
    both = tilewright.build({name: te.create_prim_func(f[1]) for name, f in functions.items()}, target="cuda")
    path = tmp_path / "both.ptx"
    both.save(path)
    loaded = tilewright.load_module(path, device="simulator")
    assert sorted(loaded.functions) == sorted(both.functions) == ["more", "sums"]
    assert not path.with_suffix(".safetensors").exists()
    path = tmp_path / "constants.ptx"
    tilewright.compile(parse(WITH_CONSTANTS), "cuda").save(path)
    x = np.ones(4, np.float32)
    expected = [2, 0, 4, 0]
    np.testing.assert_array_equal(tilewright.load_module(path, device="simulator")(x), expected)
    np.testing.assert_array_equal(tilewright.load_module(path)(drivers.CudaArray(driver, x)).numpy(), expected)


def test_the_file_says_what_it_launches(saved: Path) -> None:
    head = saved.read_text().splitlines()[:9]
    assert '//* tilewright.load_module("sums.ptx") runs these kernels. What it launches:' in head
    assert "//*   main_kernel0<<<(((n + 7) floordiv 8), 1, 1), (8, 1, 1), 0>>>(A, temporary1, n)" in head


def test_loaded_modules_are_shown_and_saved_again(driver, saved: Path, tmp_path: Path) -> None:
    loaded = tilewright.load_module(saved)
    assert "def main_kernel0(" in loaded.get_source() == loaded.imported_modules[0].get_source()
    assert loaded.get_source("ptx") in saved.read_text()
    again, source = tmp_path / "again.ptx", tmp_path / "kernels.py"
    loaded.save(again)
    assert again.read_text() == saved.read_text().replace('"sums.ptx"', '"again.ptx"').replace(
        seal(saved.read_bytes()), seal(again.read_bytes())
    )
    loaded.save(source)
    assert source.read_text() == loaded.get_source()
    with pytest.raises(TilewrightError, match="TW0614"):
        loaded.save(tmp_path / "kernels.mlir")
    with pytest.raises(TilewrightError, match="TW0209"):
        loaded.get_source("mlir")


def seal(content: bytes) -> str:
    return content.decode().split()[-1]


def test_loading_needs_no_compiler(driver, saved: Path) -> None:
    """Neither xDSL nor numba: on a machine that only runs programs there may be none."""
    code = f"""
import sys
import tilewright
module = tilewright.load_module({str(saved)!r})
from tilewright.diagnostics import TilewrightError
assert module.get_source("ptx")
try:
    module(0)
except TilewrightError as error:
    print(error.code, sorted(name for name in ("xdsl", "numba", "llvmlite", "islpy") if name in sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.split(" ", 1)[1] == "[]\n", done.stdout + done.stderr
    assert done.stdout.startswith(("TW0634", "TW0633"))  # without a card, and with one


def test_the_ptx_is_that_of_numba(nvvm, tmp_path: Path) -> None:
    path = tmp_path / "sums.ptx"
    module = tilewright.build(*reversed_sums(), "cuda")
    module.save(path)
    loaded = tilewright.load_module(path, device="simulator")
    assert ".visible .entry main_kernel1(" in path.read_text()
    assert module.get_source("ptx").strip() in loaded.get_source("ptx")
    from tilewright.backends.cuda.ptx import parameters

    words = {name: len(types) for name, types in parameters(loaded.get_source("ptx")).items()}
    assert words == {"main_kernel0": 15, "main_kernel1": 15}  # two arrays of seven words, and a size
    assert {t for types in parameters(loaded.get_source("ptx")).values() for t in types} == {"u64"}


def test_saved_files_are_assembled_as_they_are(assembled, tmp_path: Path) -> None:
    from tilewright.backends.cuda.assembler import assemble

    path = tmp_path / "sums.ptx"
    tilewright.build(*reversed_sums(), "cuda").save(path)
    assert sorted(assemble(path.read_text(), "sm_90").kernels) == ["main_kernel0", "main_kernel1"]


@pytest.mark.parametrize("form", [".c", ".cubin", ""])
def test_forms_that_there_are_none_of(driver, tmp_path: Path, form: str) -> None:
    with pytest.raises(TilewrightError, match="TW0614"):
        tilewright.build(*reversed_sums(), "cuda").save(tmp_path / f"kernels{form}")


def test_files_that_cannot_be_written_or_read(driver, saved: Path, tmp_path: Path) -> None:
    with pytest.raises(TilewrightError, match="TW0204"):
        tilewright.build(*reversed_sums(), "cuda").save(tmp_path / "nowhere" / "sums.ptx")
    refused("TW0204", tmp_path / "missing.ptx")
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["sums.ptx"]


# Damage


def test_every_cut_and_every_change_is_noticed(saved: Path) -> None:
    content = saved.read_bytes()
    for length in range(0, len(content) - 1, 97):
        saved.write_bytes(content[:length])
        refused("TW0711", saved)
    for offset in range(0, len(content) - 1, 131):
        saved.write_bytes(content[:offset] + bytes([content[offset] ^ 1]) + content[offset + 1 :])
        refused("TW0711", saved)


def test_files_of_others(saved: Path) -> None:
    saved.write_text(".version 9.0\n.target sm_90\n.address_size 64\n")
    assert "not saved by this project" in refused("TW0711", saved).message


def test_other_versions_and_malformed_descriptions(saved: Path) -> None:
    text = saved.read_text()
    body = text[: text.rindex("//! sha256")]

    def write(changed: str) -> None:
        saved.write_text(f"{changed}//! sha256 {hashlib.sha256(changed.encode()).hexdigest()}\n")

    (version,) = map(int, re.findall(r"tilewright kernels (\d+)", body))
    write(body.replace(f"tilewright kernels {version}", f"tilewright kernels {version + 1}"))
    assert f"version {version}" in refused("TW0711", saved).message
    write(body.replace('"max_threads"', '"threads"'))
    assert "malformed" in refused("TW0711", saved).message
    write(body)
    tilewright.load_module(saved)


def test_constants_that_are_missing_or_of_another_program(driver, parse, tmp_path: Path) -> None:
    path = tmp_path / "constants.ptx"
    tilewright.compile(parse(WITH_CONSTANTS), "cuda").save(path)
    beside = path.with_suffix(".safetensors")
    beside.write_bytes(beside.read_bytes()[:-1] + b"\x07")
    assert "another program" in refused("TW0711", path).message
    beside.unlink()
    assert "missing: constants.safetensors" in refused("TW0711", path).message


def test_devices_that_there_are_none_of(saved: Path, tmp_path: Path) -> None:
    refused("TW0612", saved, device="moon")
    a = te.placeholder((8,), name="A")
    tilewright.build([a, te.compute((8,), lambda i: a[i] + 1.0, name="B")]).save(tmp_path / "program.so")
    for options in ({"device": "simulator"}, {"device": "gpu"}, {"copy": True}):
        refused("TW0612", tmp_path / "program.so", **options)
        refused("TW0612", tmp_path / "program.mlir", **options)


def test_the_driver_reads_past_what_is_behind_the_ptx(driver, drivers, saved: Path, monkeypatch) -> None:
    """It gets the PTX alone."""
    seen: list[str] = []
    load = driver.load
    monkeypatch.setattr(driver, "load", lambda ptx: seen.append(ptx) or load(ptx))
    tilewright.load_module(saved)(drivers.CudaArray(driver, np.zeros(3, np.float32)))
    assert seen == [tilewright.build(*reversed_sums(), "cuda").get_source("ptx")]
