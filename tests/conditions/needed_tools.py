"""Tools that tests need beside Python packages of the extra `test`: programs, libraries of the system, other packages.

`@pytest.mark.needs("gcc", "qemu-aarch64")` skips a test where one is missing, `skip_without` the rest of a test. The
environment variable TILEWRIGHT_REQUIRE_TOOLS names tools, with commas or spaces between them, whose absence is a
failure instead: whoever installs them learns that tests do not find them.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest

VARIABLE = "TILEWRIGHT_REQUIRE_TOOLS"
MARK = "needs"


def chromium() -> str | None:
    """Return the path of a Chromium."""
    return os.environ.get("TILEWRIGHT_CHROMIUM") or shutil.which("chromium")


def _wasi_libc() -> bool:
    """Return True where clang finds a C library for WebAssembly; it answers with the bare name otherwise."""
    if shutil.which("clang") is None:
        return False
    command = ["clang", "--target=wasm32-wasi", "-print-file-name=libc.a"]
    path = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    return Path(path).is_absolute() and Path(path).exists()


def _x86_64_assembler() -> bool:
    """Return True where `as` is GNU's for x86-64."""
    if shutil.which("as") is None:
        return False
    return "x86_64" in subprocess.run(["as", "--version"], capture_output=True, text=True, check=False).stdout


def _mlir_runner() -> bool:
    """Return True where the judge of refutations finds the programs of MLIR and their library."""
    from tilewright.tools.judging.mlir_tools import find, library

    programs = [find("mlir-opt"), find("mlir-runner"), library("mlir_c_runner_utils")]
    return all(program is not None for program in programs)


def _opencl_device() -> bool:
    if importlib.util.find_spec("pyopencl") is None:
        return False
    import pyopencl

    try:
        pyopencl.create_some_context(interactive=False)
    except pyopencl.Error:
        return False
    return True


def _sanitizers() -> bool:
    """Return True where gcc links programs with the sanitizers of addresses and of undefined behaviour."""
    if shutil.which("gcc") is None:
        return False
    command = ["gcc", "-fsanitize=address,undefined", "-shared", "-fPIC", "-x", "c", "/dev/null", "-o", "/dev/null"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def _command(name: str) -> Callable[[], bool]:
    return lambda: shutil.which(name) is not None


def _package(name: str) -> Callable[[], bool]:
    return lambda: importlib.util.find_spec(name) is not None


TOOLS: Mapping[str, Callable[[], bool]] = {
    **{name: _command(name) for name in ("addr2line", "cc", "clang", "clang++", "g++", "gcc", "gdb", "git")},
    **{name: _command(name) for name in ("make", "qemu-aarch64", "qemu-riscv64", "valgrind", "wasm-ld")},
    **{name: _command(name) for name in ("aarch64-linux-gnu-as", "aarch64-linux-gnu-gcc", "riscv64-linux-gnu-gcc")},
    **{name: _package(name) for name in ("furo", "lightgbm", "mypy", "myst_parser", "pyright", "sphinx", "wasmtime")},
    "chromium": lambda: chromium() is not None,
    "mlir-runner": _mlir_runner,
    "opencl-device": _opencl_device,
    "sanitizers": _sanitizers,
    "wasi-libc": _wasi_libc,
    "x86-64-as": _x86_64_assembler,
}
"""Name -> whether the tool is there."""


@cache
def is_there(name: str) -> bool:
    """Return True where a tool of `TOOLS` is found."""
    return TOOLS[name]()


def required() -> frozenset[str]:
    """Return the tools whose absence is a failure. Raises pytest.UsageError for a name that is no tool's."""
    names = frozenset(re.findall(r"[^\s,]+", os.environ.get(VARIABLE, "")))
    if unknown := sorted(names - TOOLS.keys()):
        raise pytest.UsageError(f"{VARIABLE}: expected tools of {', '.join(TOOLS)}, but got {', '.join(unknown)}")
    return names


def those_there(*names: str) -> list[str]:
    """Return the tools among these that are there; the test fails where one is missing that is required."""
    found = [name for name in names if is_there(name)]
    if wanted := sorted(required().intersection(names).difference(found)):
        pytest.fail(f"{VARIABLE} names {', '.join(wanted)}, but tests do not find it", pytrace=False)
    return found


def skip_without(*names: str) -> None:
    """Skip the rest of a test where one of these tools is missing; fail it where that one is required."""
    found = those_there(*names)
    if missing := [name for name in names if name not in found]:
        pytest.skip(f"no {', '.join(missing)}")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip or fail a test that is marked with tools that are missing."""
    skip_without(*dict.fromkeys(name for mark in item.iter_markers(MARK) for name in mark.args))
