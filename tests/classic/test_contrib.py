"""Temporary folders and compilers, as old programs use them."""

from __future__ import annotations

import ctypes
import shutil
from pathlib import Path

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te
from tilewright.contrib import cc, clang, nvcc, utils


def refused(code: str, message: str):
    return pytest.raises(tvm.TilewrightError, match=rf"(?s){code}.*{message}")


def test_temporary_folders() -> None:
    with utils.tempdir() as folder:
        Path(folder.relpath("b.txt")).write_text("x")
        (folder / "a.txt").write_text("y")
        assert folder.listdir() == ["a.txt", "b.txt"] and folder.path == Path(folder.temp_dir)
    assert not folder.path.exists()
    gone = tvm.contrib.utils.tempdir().path
    assert not gone.exists()
    kept = utils.tempdir(keep_for_debug=True)
    kept.remove()
    assert kept.path.exists()
    shutil.rmtree(kept.path)


def test_a_folder_at_a_path(tmp_path: Path) -> None:
    made = utils.tempdir(str(tmp_path / "here"))
    assert (tmp_path / "here").is_dir()
    made.remove()
    assert not (tmp_path / "here").exists()


@pytest.mark.needs("cc")
def test_objects_and_sources_become_libraries(tmp_path: Path) -> None:
    source = tmp_path / "seven.c"
    source.write_text('#ifdef __cplusplus\nextern "C"\n#endif\nint seven(void) { return N; }\n')
    cc.create_shared(str(tmp_path / "seven.so"), str(source), ["-DN=7"])
    assert ctypes.CDLL(str(tmp_path / "seven.so")).seven() == 7
    cc.cross_compiler(cc.get_cc(), ["-DN=9"])(str(tmp_path / "nine.so"), [str(source)])
    assert ctypes.CDLL(str(tmp_path / "nine.so")).seven() == 9
    seen = []
    cc.cross_compiler(lambda output, objects, options: seen.append((output, objects, options)), ["-x"])("o", ["i"])
    assert seen == [("o", ["i"], ["-x"])]
    with refused("TW0613", "to link, but it failed: "):
        cc.create_shared(str(tmp_path / "bad.so"), str(tmp_path / "missing.c"))
    with refused("TW0613", "'no-such-compiler' cannot be found"):
        cc.create_shared("x.so", "x.o", cc="no-such-compiler")


@pytest.mark.needs("cc")
def test_a_program_is_saved_as_an_object_linked_and_loaded(tmp_path: Path) -> None:
    A = te.placeholder((8,), name="A")
    B = te.compute((8,), lambda i: A[i] + 1.0, name="B")
    program = tvm.build(te.create_schedule(B.op), [A, B], "llvm")
    program.save(str(tmp_path / "part.o"))
    cc.create_shared(str(tmp_path / "whole.so"), [str(tmp_path / "part.o")], ["-lm"])
    program.export_library(str(tmp_path / "exported.so"))
    x = np.arange(8, dtype=np.float32)
    for name in ("whole.so", "exported.so"):
        loaded = tvm.runtime.load_module(str(tmp_path / name))
        np.testing.assert_array_equal(loaded(x), x + 1)
        assert loaded.type_key == "library"


@pytest.mark.needs("clang")
def test_clang_makes_llvm_text(tmp_path: Path) -> None:
    source = 'extern "C" int seven() { return 7; }\n'
    assert "@seven" in clang.create_llvm(source, str(tmp_path / "seven.ll"))
    (tmp_path / "seven.cc").write_text(source)
    assert "@seven" in clang.create_llvm(str(tmp_path / "seven.cc"), options=["-O1"])
    assert "@seven" in (tmp_path / "seven.ll").read_text()


def test_a_missing_compiler_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    for name in ("CC", "CXX", "CUDA_PATH", "CUDA_HOME"):
        monkeypatch.delenv(name, raising=False)
    assert cc.get_cc() is None and clang.find_clang(required=False) == []
    with refused("TW0613", "'cc' cannot be found"):
        cc.create_shared("x.so", "x.o")
    with refused("TW0613", "'clang' cannot be found.*install clang, or name one"):
        clang.create_llvm("int x;")
    with refused("TW0613", "expected nvcc.*target='cuda'"):
        nvcc.compile_cuda("")
    with refused("TW0613", "expected the CUDA toolkit"):
        nvcc.find_cuda_path()


def test_compute_capabilities() -> None:
    assert nvcc.parse_compute_version("8.6") == (8, 6)
    assert nvcc.get_target_compute_version("cuda -arch=sm_80") == "8.0"
    with tvm.target.Target("cuda -arch=sm_90a"):
        assert nvcc.get_target_compute_version() == "9.0"
    table = {"5.2": "0000", "5.3": "1000", "6.0": "1000", "6.1": "1100", "7.0": "1110", "9.0": "1111"}
    for version, bits in table.items():
        has = (nvcc.have_fp16, nvcc.have_int8, nvcc.have_tensorcore, nvcc.have_bf16)
        assert [f(version) for f in has] == [b == "1" for b in bits], version
    assert nvcc.have_tensorcore(None) and not nvcc.have_tensorcore(target="llvm")
    assert nvcc.have_tensorcore(tvm.cpu().compute_version, tvm.target.Target("cuda -arch=sm_75"))
    with refused("TW0208", "a compute capability as 8.0"):
        nvcc.parse_compute_version("8")
    with refused("TW0208", "ptx, cubin or fatbin"):
        nvcc.compile_cuda("", "elf")
    with refused("TW0612", "a target for CUDA"):
        nvcc.get_target_compute_version("llvm")
