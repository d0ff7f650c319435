"""Assembly of PTX to machine code without a GPU (nvJitLink), and its disassembly (nvdisasm).

The assembler reports the registers and spills of each kernel, which predict its speed before a GPU has run it. Both
tools come with packages: nvJitLink with the extra `cuda`, nvdisasm with the extra `sass`.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NoReturn

from ...diagnostics import fail

NO_TOOL = "TW0643"
_COMPILED = re.compile(r"Compiling entry function '([^']+)' for")
_NUMBERS = {
    "registers": r"Used (\d+) registers",
    "stack": r"(\d+) bytes stack frame",
    "spill_stores": r"(\d+) bytes spill stores",
    "spill_loads": r"(\d+) bytes spill loads",
    "shared": r"(\d+) bytes smem",
}


@dataclass(frozen=True)
class Usage:
    """The resources of a kernel on a multiprocessor: registers of each thread, and bytes."""

    registers: int
    stack: int
    spill_stores: int
    spill_loads: int
    shared: int
    """Static shared memory."""


@dataclass(frozen=True)
class Cubin:
    """Assembled kernels."""

    arch: str
    data: bytes = field(repr=False)
    kernels: dict[str, Usage]

    @cached_property
    def sass(self) -> str:
        """The instructions as text. Raises TW0643 where there is no nvdisasm."""
        return disassemble(self.data)

    @cached_property
    def instructions(self) -> dict[str, list[str]]:
        """Kernels -> the names of their instructions, in order, as in "LDG.E.128"."""
        return instructions_of(self.sass)


def assemble(ptx: str, arch: str) -> Cubin:
    """Assemble a module of PTX for an architecture such as "sm_90".

    Raises TW0643 where there is no nvJitLink, TW0635 for PTX that it refuses.
    """
    linker = _linker()
    handle = linker.create(2, [f"-arch={arch}", "-verbose"])
    try:
        try:
            linker.add_data(handle, linker.InputType.PTX, ptx.encode(), len(ptx.encode()), "kernels")
            linker.complete(handle)
        except linker.nvJitLinkError as error:
            lines = _text(linker, handle, "error_log").splitlines()
            notes = [line.strip() for line in lines if line.strip()][:5]
            fail("TW0635", f"expected PTX that can be assembled for {arch}, but nvJitLink says {error}", notes=notes)
        log = _text(linker, handle, "info_log")
        data = bytearray(linker.get_linked_cubin_size(handle))
        linker.get_linked_cubin(handle, data)
    finally:
        linker.destroy(handle)
    return Cubin(arch, bytes(data), dict(_usages(log)))


def _linker() -> Any:
    try:
        nvjitlink: Any = importlib.import_module("cuda.bindings.nvjitlink")
        nvjitlink.version()
    except (ImportError, RuntimeError) as error:  # the bindings, or the library that they are for
        _missing("nvJitLink", str(error), 'pip install "tilewright[cuda]" brings it')
    return nvjitlink


def _text(linker: Any, handle: Any, what: str) -> str:
    text = bytearray(getattr(linker, f"get_{what}_size")(handle))
    getattr(linker, f"get_{what}")(handle, text)
    return text.decode(errors="replace").strip("\0")


def _usages(log: str) -> Iterator[tuple[str, Usage]]:
    """Yield the resources of each kernel in the log of the assembler."""
    parts = _COMPILED.split(log)
    for name, text in zip(parts[1::2], parts[2::2], strict=True):
        found = {key: re.search(pattern, text) for key, pattern in _NUMBERS.items()}
        yield name, Usage(**{key: int(number[1]) if number else 0 for key, number in found.items()})


def disassemble(cubin: bytes) -> str:
    """Return the instructions of assembled kernels as text. Raises TW0643 where there is no nvdisasm."""
    tool = _disassembler()
    if tool is None:
        _missing("nvdisasm", "there is none", 'pip install "tilewright[sass]" brings it, as does a CUDA toolkit')
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        done = subprocess.run([tool, "-c", file.name], capture_output=True, text=True)
    if done.returncode:
        _missing("nvdisasm", f"this one refused: {done.stderr.strip()}", "one of CUDA 13 knows these kernels")
    return done.stdout


@cache
def _disassembler() -> str | None:
    """Return the path of nvdisasm: of a package, of a toolkit, or as the system finds it."""
    package = importlib.util.find_spec("nvidia")
    folders = [*package.submodule_search_locations] if package and package.submodule_search_locations else []
    paths = [path for folder in folders for path in Path(folder).glob("*/bin/nvdisasm")]
    paths += [Path(home) / "bin" / "nvdisasm" for home in (os.environ.get("CUDA_HOME"),) if home]
    return next((str(path) for path in paths if path.is_file()), None) or shutil.which("nvdisasm")


def _missing(tool: str, why: str, remedy: str) -> NoReturn:
    fail(NO_TOOL, f"expected {tool} to make machine code with, but {why.strip()}", help=remedy)


def instructions_of(sass: str) -> dict[str, list[str]]:
    """Return the names of the instructions of each kernel, in the order of the text of `disassemble`."""
    parts = re.split(r"^\.text\.([\w$]+):$", sass, flags=re.M)
    return {
        name: re.findall(r"^\s*/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)", text, re.M)
        for name, text in zip(parts[1::2], parts[2::2], strict=True)
    }
