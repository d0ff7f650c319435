"""Inputs, outputs and needs of a saved program, read from its file without loading it."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable
from dataclasses import dataclass, replace
from mmap import mmap
from pathlib import Path
from typing import Any

from .description import HEADER, MAGIC, MALFORMED, VERSION, Description, Entry, decode
from .elf import machine_of
from .errors import fail
from .packages import LIBRARY, Package, open_package
from .weights import mapped

_GLIBC = re.compile(rb"GLIBC_(\d+)\.(\d+)(?:\.\d+)?\0")
_WASM = b"\0asm"


@dataclass(frozen=True)
class PackageInfo:
    """The description of a saved program."""

    path: str
    form: str
    """"library", "package", "object file" or "WebAssembly module"."""
    version: int
    """The version of the form of its description. A runtime reads one version and refuses all others."""
    made_for: str
    """The text of the target; empty where it is not stated."""
    machine: str
    features: tuple[str, ...]
    """The instruction sets that the code uses, by LLVM's names."""
    glibc: str
    """The oldest version of the C library that has all functions which are called; empty where none is."""
    weights: str
    """The file that has the constants; empty where they are inside."""
    constant_bytes: int
    entries: tuple[Entry, ...]
    files: tuple[tuple[str, int], ...] = ()
    """Of a package: the names and sizes of its files."""
    made_by: str = ""
    gpu: str = ""
    """Of kernels: the architecture that they need, as "sm_90", or "sm_90a" for it alone; empty for machine code."""
    ptx: str = ""
    """Of kernels: the version of PTX that the driver has to read; empty where it is not stated."""

    def as_json(self) -> dict[str, Any]:
        """Return the description as values of JSON."""
        described = {name: value for name, value in vars(self).items() if name not in ("entries", "files")}
        functions = [
            {
                "name": entry.name,
                "inputs": [_argument(a) for a in entry.signature.inputs],
                "outputs": [_argument(a) for a in entry.signature.results],
                "arena_bytes": entry.arena_size,
                "thread_arena_bytes": entry.thread_arena_size,
            }
            for entry in self.entries
        ]
        return {**described, "features": [*self.features], "files": dict(self.files), "functions": functions}

    def __str__(self) -> str:
        lines = [f"{self.path}: {self.form}{f' made by {self.made_by}' if self.made_by else ''}"]
        for entry in self.entries:
            lines.append(f"function {entry.name}")
            lines += [f"  input  {argument}" for argument in entry.signature.inputs]
            lines += [f"  output {argument}" for argument in entry.signature.results]
            if not self.gpu:
                lines.append(f"  memory {entry.arena_size} bytes, and {entry.thread_arena_size} for each thread")
        lines.append(f"constants: {self.constant_bytes} bytes {f'in {self.weights}' if self.weights else 'inside'}")
        lines += [f"target: {self.made_for}"] if self.made_for else []
        lines.append(f"needs: {', '.join(self._needs())}")
        lines.append(f"threads: {self._threads()}")
        lines += [f"files: {', '.join(f'{name} ({size} bytes)' for name, size in self.files)}"] if self.files else []
        return "\n".join(lines)

    def _threads(self) -> str:
        if self.gpu:
            return "those of the GPU: the host runs no loops"
        return "one" if self.machine == "wasm32" else "those of libgomp or libiomp5 where the system has one, else one"

    def _needs(self) -> Iterable[str]:
        yield self.machine or "any machine"
        yield f"form {self.version} of programs (a runtime reads its form alone)"
        if self.glibc:
            yield f"glibc {self.glibc}"
        if self.features:
            yield " ".join(self.features)
        if self.gpu:
            yield f"an NVIDIA GPU {self.gpu}{' and no other' if self.gpu.endswith('a') else ' or later'}"
            yield f"NVIDIA's driver{f', which reads PTX {self.ptx}' if self.ptx else ''}"


def package_info(path: Path) -> PackageInfo:
    """Return the description of a saved program. Raises TilewrightError TW0204 where the file cannot be read, TW0711
    where it is no saved program, or damaged."""
    if path.suffix == ".tar":
        return _package(path, open_package(path))
    return _library(path, mapped(path))


def _package(path: Path, package: Package) -> PackageInfo:
    described = _library(path, package.content(LIBRARY))
    files = tuple((name, member.size) for name, member in package.files.items())
    return replace(described, form="package", files=files, made_by=package.made_by)


def _library(path: Path, data: bytes | mmap) -> PackageInfo:
    """Read the head in a library, an object file or a module of WebAssembly."""
    at, size, described = _head(path, data)
    # The names of functions that are called stand before the head, as linkers order sections.
    found = max(((int(a), int(b)) for a, b in _GLIBC.findall(data[:at])), default=None)
    is_wasm, kind = data[: len(_WASM)] == _WASM, data[16:18]
    gpu, ptx = _kernels(path, described) if described.kernels else ("", "")
    return PackageInfo(
        str(path),
        "WebAssembly module" if is_wasm else "object file" if kind == b"\1\0" else "library",
        VERSION,
        described.made_for,
        "wasm32" if is_wasm else machine_of(data) or "",
        described.features,
        "" if found is None else f"{found[0]}.{found[1]}",
        described.weights,
        size,
        tuple(entry for entry, _ in described.entries),
        gpu=gpu,
        ptx=ptx,
    )


def _kernels(path: Path, described: Description) -> tuple[str, str]:
    """Return the architecture of a library of kernels, and the version of their PTX."""
    from .kernels.saved import ptx_version, read_kernels

    program, ptx = read_kernels(
        path, described.kernels.encode("utf-8", "surrogatepass"), described.entries[0][0].constants
    )
    return program.arch, ptx_version(ptx)


def _head(path: Path, data: bytes | mmap) -> tuple[int, int, Description]:
    """Return the position of the head, the bytes of its constants, and its description."""
    at = data.find(MAGIC)
    while at >= 0:
        try:
            _, version, length, _, size = HEADER.unpack_from(data, at)
            if version == VERSION:
                return at, size, decode(data[at + HEADER.size : at + HEADER.size + length].decode())
            fail(
                "TW0711",
                f"expected form {VERSION} of a saved program, but '{path}' has form {version}",
                help="build and save the program with this version, or read it with the version that saved it",
            )
        except (*MALFORMED, struct.error):
            at = data.find(MAGIC, at + 1)
    fail("TW0711", f"expected a program that Module.save wrote, but '{path}' is none, or is damaged")


def _argument(argument: Any) -> dict[str, Any]:
    return {
        "name": argument.name,
        "dtype": argument.dtype.name,
        "shape": [size if isinstance(size, int) else str(size) for size in argument.shape],
    }
