"""`export_library` in every form: libraries, packages, and files that a linker of the caller's writes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te
from tilewright.contrib import cc, utils


def doubled() -> tvm.runtime.Module:
    A = te.placeholder((4,), name="A")
    return tvm.build([A, te.compute((4,), lambda i: A[i] * 2.0, name="B")], target="llvm", name="double")


def refused(code: str, message: str):
    return pytest.raises(tvm.TilewrightError, match=rf"(?s){code}.*{message}")


def test_forms_by_the_name_of_the_file() -> None:
    temp, x = utils.tempdir(), np.arange(4, dtype=np.float32)
    for name in ("lib.so", "lib.tar"):
        doubled().export_library(temp.relpath(name))
        np.testing.assert_array_equal(tvm.runtime.load_module(temp.relpath(name))["double"](x), 2 * x)
    doubled().export_library(Path(temp.relpath("lib.o")))
    assert Path(temp.relpath("lib.o")).read_bytes().startswith(b"\x7fELF")


def test_a_linker_of_the_callers(tmp_path: Path) -> None:
    x = np.arange(4, dtype=np.float32)
    (tmp_path / "more.c").write_text("int more(void) { return 3; }\n")
    subprocess.run(["cc", "-c", "-fPIC", "more.c", "-o", "more.o"], cwd=tmp_path, check=True)
    path = str(tmp_path / "lib.so")
    doubled().export_library(path, fcompile=cc.create_shared, addons=[str(tmp_path / "more.o")], options=["-O1"])
    np.testing.assert_array_equal(tvm.runtime.load_module(path)["double"](x), 2 * x)
    assert "more" in subprocess.run(["nm", "-D", path], capture_output=True, text=True, check=True).stdout
    given: list[object] = []
    doubled().export_library(path, lambda *arguments, **options: given.append((arguments, options)), cc="gcc")
    (((output, (object_file,)), options),) = given
    assert (output, options) == (path, {"cc": "gcc"}) and not Path(object_file).exists()
    (tmp_path / "objects").mkdir()
    doubled().export_library(path, lambda *_: None, workspace_dir=str(tmp_path / "objects"))
    assert (tmp_path / "objects" / "lib0.o").exists()
    for others in ({"addons": ["more.o"]}, {"workspace_dir": "."}, {"cc": "gcc"}):
        with refused("TW0725", "'fcompile' beside others"):
            doubled().export_library(path, **others)
    with refused("TW0725", "'file_name'"):
        doubled().export_library(3, lambda *_: None)  # type: ignore[arg-type]
