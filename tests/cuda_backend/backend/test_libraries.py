"""Programs of kernels as libraries, object files and packages: run from them, joined with kernels, refused."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tilewright
from tilewright import te
from tilewright.contrib import cc
from tilewright.diagnostics import TilewrightError
from tilewright.runtime.description import HEADER, MAGIC
from tilewright.runtime.package_info import package_info
from tilewright.tools import cli

ROWS = np.arange(12, dtype=np.float32).reshape(2, 6)
WEIGHTS = np.arange(-9, 9, dtype=np.float32).reshape(6, 3)
LOADED = tilewright.runtime.load_module


def network() -> str:
    """Return IR of a product with constant weights."""
    return f"""
func.func @main(%x: memref<2x6xf32>, %y: memref<2x3xf32> {{tw.output}}) attributes {{tw.scheduled}} {{
  %w = loop.constant dense<{WEIGHTS.tolist()}> : memref<6x3xf32>
  %zero = arith.constant 0.0 : f32
  loop.for %i = 0 to 2 kind thread<"blockIdx.x"> {{
    loop.for %j = 0 to 3 kind thread<"threadIdx.x"> {{
      loop.store %zero, %y[%i, %j] : memref<2x3xf32>
      loop.for %k = 0 to 6 {{
        %a = loop.load %x[%i, %k] : memref<2x6xf32>
        %b = loop.load %w[%k, %j] : memref<6x3xf32>
        %c = loop.load %y[%i, %j] : memref<2x3xf32>
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %c, %p : f32
        loop.store %s, %y[%i, %j] : memref<2x3xf32>
      }}
    }}
  }}
  func.return
}}"""


@pytest.fixture
def program(driver: Any, parse: Any) -> tilewright.runtime.Module:
    return tilewright.compile(parse(network()), "cuda")


def scaled(factor: float = 2.0, name: str = "main", block: int = 8, arch: str = "") -> tilewright.runtime.Module:
    """Return a program of one kernel, B[i] = factor * A[i] for any number of elements."""
    n = te.var("n")
    a = te.placeholder((n,), name="A")
    b = te.compute((n,), lambda i: a[i] * factor, name="B")
    schedule = te.create_schedule(b.op)
    outer, inner = schedule[b].split(b.op.axis[0], factor=block)
    schedule[b].bind(outer, te.thread_axis("blockIdx.x"))
    schedule[b].bind(inner, te.thread_axis("threadIdx.x"))
    return tilewright.build(schedule, [a, b], f"cuda{arch}", name=name)


def each_form(program: tilewright.runtime.Module, folder: Path) -> list[Path]:
    """Save the program as every form of library."""
    names = ("inside.so", "package.tar", "object.o")
    for name in names:
        program.save(folder / name)
    program.save(folder / "beside.so", weights="beside")
    cc.create_shared(str(folder / "linked.so"), [str(folder / "object.o")])
    return [folder / name for name in ("inside.so", "beside.so", "linked.so", "package.tar")]


def refusal(code: str, call: Any) -> TilewrightError:
    with pytest.raises(TilewrightError) as raised:
        call()
    assert raised.value.code == code, raised.value
    return raised.value


def test_each_form_runs_on_a_device_and_in_the_simulator(
    driver: Any, drivers: Any, program: Any, tmp_path: Path
) -> None:
    for path in each_form(program, tmp_path):
        loaded = LOADED(path)
        assert (loaded.type_key, str(loaded.signature)) == ("cuda", str(program.signature))
        assert loaded.get_source("ptx") == program.get_source("ptx")
        results = [
            loaded(drivers.CudaArray(driver, ROWS)).numpy(),
            tilewright.load_module(path, copy=True)(ROWS),
            tilewright.load_module(path, device="gpu", copy=True)(ROWS),
            tilewright.load_module(path, device="simulator")(ROWS),
            pickle.loads(pickle.dumps(loaded))(drivers.CudaArray(driver, ROWS)).numpy(),
        ]
        for result in results:
            np.testing.assert_array_equal(result, ROWS @ WEIGHTS, err_msg=path.name)
    assert not [*tmp_path.glob("*.h")]  # there is nothing that C could call


def test_constants_are_mapped_and_uploaded_from_there(driver: Any, drivers: Any, program: Any, tmp_path: Path) -> None:
    """Constants of a library are not copied on the host."""
    program.save(tmp_path / "x.so")
    (constant,) = LOADED(tmp_path / "x.so").code.program.constants
    maps = Path("/proc/self/maps").read_text().splitlines()
    start = constant.__array_interface__["data"][0]
    within = [line for line in maps if start in range(*(int(end, 16) for end in line.split()[0].split("-")))]
    assert within[0].endswith("x.so")


def test_the_classic_sequence(driver: Any, drivers: Any, tmp_path: Path) -> None:
    """Object file and PTX are saved, linked, loaded and joined again by hand."""
    fadd = scaled(name="myadd")
    fadd.save(str(tmp_path / "myadd.o"))
    fadd.imported_modules[0].save(str(tmp_path / "myadd.ptx"))
    cc.create_shared(str(tmp_path / "myadd.so"), [str(tmp_path / "myadd.o")])
    fadd1 = LOADED(str(tmp_path / "myadd.so"))
    device_code = LOADED(str(tmp_path / "myadd.ptx"))
    fadd1.import_module(device_code)
    assert fadd1.imported_modules == device_code.imported_modules
    x = np.arange(21, dtype=np.float32)
    result = np.zeros_like(x)
    fadd1["myadd"](drivers.CudaArray(driver, x), drivers.CudaArray(driver, result))
    np.testing.assert_array_equal(result, 2 * x)


def test_imported_kernels_are_those_that_run(driver: Any, drivers: Any, tmp_path: Path) -> None:
    """From the first call after `import_module` on, whatever ran before; pickles have them too."""
    scaled().save(tmp_path / "x.so")
    scaled(arch=" -arch=sm_80").save(tmp_path / "older.ptx")
    x = np.arange(9, dtype=np.float32)
    module = LOADED(tmp_path / "x.so")
    seen: list[str] = []
    load = driver.load
    driver.load = lambda ptx: seen.append(ptx) or load(ptx)
    other = LOADED(tmp_path / "older.ptx")
    marked = other.get_source("ptx") + "// of the file\n"
    object.__setattr__(other.code, "ptx", marked)
    for _ in range(2):
        np.testing.assert_array_equal(module(drivers.CudaArray(driver, x)).numpy(), 2 * x)
    module.import_module(other)
    for _ in range(2):
        np.testing.assert_array_equal(module(drivers.CudaArray(driver, x)).numpy(), 2 * x)
    assert [ptx == marked for ptx in seen] == [False, True]
    assert pickle.loads(pickle.dumps(module)).get_source("ptx") == marked
    module.save(tmp_path / "again.ptx")
    assert LOADED(tmp_path / "again.ptx").code.program.arch == "sm_80"


def test_imported_kernels_serve_a_device_that_is_too_old_for_others(
    use_driver: Any, drivers: Any, tmp_path: Path
) -> None:
    driver = use_driver(drivers.HostDriver(capability=(8, 0)))
    scaled().save(tmp_path / "x.so")
    scaled(arch=" -arch=sm_80").save(tmp_path / "older.ptx")
    module, x = LOADED(tmp_path / "x.so"), np.arange(9, dtype=np.float32)
    refusal("TW0644", lambda: module(drivers.CudaArray(driver, x)))
    module.import_module(LOADED(tmp_path / "older.ptx"))
    np.testing.assert_array_equal(module(drivers.CudaArray(driver, x)).numpy(), 2 * x)


def test_kernels_of_another_program_are_refused_with_the_difference(driver: Any, parse: Any, tmp_path: Path) -> None:
    scaled().save(tmp_path / "x.so")
    module = LOADED(tmp_path / "x.so")
    before = [*module.imported_modules]
    for other, said in (
        (scaled(name="other"), "functions other rather than main"),
        (scaled(block=16), "'main' has other buffers or launches"),
        (scaled(3.0), "their source is another: B["),
        (tilewright.compile(parse(network()), "cuda"), "'main' takes (x: float32[2, 6]) -> (y: float32[2, 3]) there"),
    ):
        other.save(tmp_path / "other.ptx")
        assert said in refusal("TW0768", lambda: module.import_module(LOADED(tmp_path / "other.ptx"))).message
    changed = network().replace(str(WEIGHTS.tolist()), str((WEIGHTS + 1).tolist()))
    for name, text in (("p.so", network()), ("q.ptx", changed)):
        tilewright.compile(parse(text), "cuda").save(tmp_path / name)
    product = LOADED(tmp_path / "p.so")
    error = refusal("TW0768", lambda: product.import_module(LOADED(tmp_path / "q.ptx")))
    assert "constant 0 has other values" in error.message
    assert module.imported_modules == before


def test_what_is_no_module_of_saved_kernels_is_refused(driver: Any, tmp_path: Path) -> None:
    a = te.placeholder((8,), name="A")
    on_cpu = tilewright.build([a, te.compute((8,), lambda i: a[i] + 1.0, name="B")])
    built = scaled()
    built.save(tmp_path / "x.so")
    loaded = LOADED(tmp_path / "x.so")
    assert "of type 'llvm'" in refusal("TW0768", lambda: loaded.import_module(on_cpu)).message
    assert "from a file" in refusal("TW0768", lambda: loaded.import_module(built)).message
    refusal("TW0725", lambda: loaded.import_module("x.ptx"))
    assert "launches no kernels" in refusal("TW0768", lambda: on_cpu.import_module(loaded)).message
    assert "that it was built with" in refusal("TW0768", lambda: built.import_module(loaded)).message
    refusal("TW0251", lambda: on_cpu.import_module(on_cpu))
    refusal("TW0251", lambda: built.import_module(on_cpu))


def test_loading_needs_the_runtime_alone(driver: Any, program: Any, tmp_path: Path) -> None:
    paths = each_form(program, tmp_path)
    program.save(tmp_path / "x.ptx")
    code = f"""
import sys
from tilewright.runtime import TilewrightError, load
for path in {[str(path) for path in paths]}:
    module = load(path)
    module.import_module(load({str(tmp_path / "x.ptx")!r}))
    try:
        module(0)
    except TilewrightError as error:
        assert error.code in ("TW0634", "TW0633"), error  # without a card, and with one
print(sorted(name for name in ("xdsl", "numba", "llvmlite", "islpy", "onnx") if name in sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stdout + done.stderr


def test_commands_write_run_and_describe_them(
    driver: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.mlir").write_text(network())
    np.savez("x.npz", x=ROWS)
    for name in ("x.so", "x.tar", "x.o"):
        assert cli.main(["compile", "x.mlir", "--target", "cuda -arch=sm_90a", "-o", name]) == 0
        assert f"{name}: " in (said := capsys.readouterr().err) and said.endswith(" of constants among them\n")
        assert cli.main(["info", name]) == 0
        out = capsys.readouterr().out
        assert "needs: x86_64, form " in out and "an NVIDIA GPU sm_90a and no other, NVIDIA's driver" in out
        assert "threads: those of the GPU" in out and "memory" not in out
        assert cli.main(["info", name, "--json"]) == 0
        described = json.loads(capsys.readouterr().out)
        assert (described["gpu"], described["ptx"]) == ("sm_90a", "")
        assert described["functions"][0]["outputs"] == [{"name": "y", "dtype": "float32", "shape": [2, 3]}]
    for name in ("x.so", "x.tar"):
        assert cli.main(["run", name, "--input", "x.npz", "--output", "y.npz"]) == 0
        np.testing.assert_array_equal(np.load("y.npz")["y"], ROWS @ WEIGHTS)


def test_the_version_of_ptx_is_stated(nvvm: None, tmp_path: Path) -> None:
    scaled(arch=" -arch=sm_80").save(tmp_path / "x.so")
    info = package_info(tmp_path / "x.so")
    assert (info.gpu, info.ptx) == ("sm_80", info.ptx) and float(info.ptx) >= 7.0
    assert f"sm_80 or later, NVIDIA's driver, which reads PTX {info.ptx}" in str(info)


# Damage


def replaced(path: Path, content: bytes) -> Path:
    """Write the content to a new file, since an old one may be mapped, and return its path."""
    path.unlink()
    path.write_bytes(content)
    return path


def test_damage_is_found(driver: Any, drivers: Any, program: Any, tmp_path: Path) -> None:
    """A library that a linker made has no seal: the text of the kernels and each constant have digests."""
    inside, _, linked, _ = each_form(program, tmp_path)
    for path in (inside, linked):
        content = path.read_bytes()
        start = content.rindex(MAGIC)
        _, _, length, _, size = HEADER.unpack_from(content, start)
        assert size
        for position in range(start + HEADER.size, start + HEADER.size + length, 97):
            changed = content[:position] + bytes([content[position] ^ 1]) + content[position + 1 :]
            replaced(path, changed)
            refusal("TW0711", lambda path=path: LOADED(path))
        for cut in (len(content) // 2, start + HEADER.size + length // 2):
            replaced(path, content[:cut])
            refusal("TW0711", lambda path=path: LOADED(path))
        first = content.index(WEIGHTS.tobytes())
        module = LOADED(replaced(path, content[:first] + b"\x01" + content[first + 1 :]))
        for _ in range(2):
            refusal("TW0711", lambda module=module: module(drivers.CudaArray(driver, ROWS)))
        refusal("TW0711", lambda module=module: module.save(tmp_path / "x.ptx"))
        refusal("TW0711", lambda path=path: tilewright.load_module(path, device="simulator"))


def test_descriptions_that_contradict_themselves_are_refused(driver: Any, program: Any, tmp_path: Path) -> None:
    """The text of the kernels states how many elements the constants have, and the signatures of the functions."""
    program.save(tmp_path / "x.o")
    content = (tmp_path / "x.o").read_bytes()
    start = content.rindex(MAGIC) + HEADER.size
    (length,) = HEADER.unpack_from(content, start - HEADER.size)[2:3]
    data = json.loads(content[start : start + length])
    for change in (
        lambda entry: entry["constants"][0].update(shape=[9, 2], dtype="int32"),
        lambda entry: entry["constants"].clear(),
        lambda entry: entry.update(name="next"),
        lambda entry: entry["inputs"][0].update(name="z"),
    ):
        changed = json.loads(json.dumps(data))
        change(changed["entries"][0])
        text = json.dumps(changed).encode()
        assert len(text) <= length
        (tmp_path / "y.o").write_bytes(content[:start] + text.ljust(length) + content[start + length :])
        (tmp_path / "y.so").unlink(missing_ok=True)
        cc.create_shared(str(tmp_path / "y.so"), [str(tmp_path / "y.o")])
        refusal("TW0711", lambda: LOADED(tmp_path / "y.so"))
