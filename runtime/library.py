"""Loading of saved programs, in a process without a compiler.

A file is checked before the system's loader maps it, because the loader crashes on a truncated file.
"""

from __future__ import annotations

import ctypes
import hashlib
import platform
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from mmap import mmap
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from .buffers import Array, rounded
from .cpu_features import missing_features
from .description import HEADER, MAGIC, MALFORMED, SYMBOL, USE_OPENMP, VERSION, Constant, Description, Entry, decode
from .elf import end_of, is_mapped, machine_of, problem_of
from .errors import fail
from .executable import Executable
from .expectations import expect_type
from .function import Function
from .integrity import Integrity, Sealed
from .module import Module
from .native_call import SYMBOL as CALL_ENTRY
from .openmp import SYMBOLS, openmp
from .shared_library import open_library
from .weights import mapped, weight, weights_beside

if TYPE_CHECKING:
    from .kernels.saved import KernelCalls

SEAL = struct.Struct("<8sQ32s")
"""The end of a library that `Module.save` wrote: a mark; how many bytes from the start, the constants left out, have
the digest behind it; that digest."""
SEAL_MARK = b"TILESEAL"


def load_module(path: str | Path, threads: int | None = None) -> Module:
    """Load the module that `Module.save` wrote to a shared library, or one that a linker made of its object file; to a
    package (`.tar`); or to a file of kernels (`.ptx`). Kernels, of libraries and packages too, run on a GPU.

    `threads` is how many threads its parallel loops use unless a call says otherwise. Raises TilewrightError TW0204
    where the file cannot be read, TW0711 where it is no such library or damaged, TW0750 where it is for another kind
    of machine, TW0612 where this machine lacks an instruction set that the code uses. Constants are mapped: a first
    call raises TW0711 where they are damaged.
    """
    return load_program(path, threads)


def load_program(path: str | Path, threads: int | None = None, calls: KernelCalls | None = None) -> Module:
    """Load a module as `load_module` does, where `calls` says how kernels run."""
    expect_type("path", path, str, Path)
    path = Path(path).resolve()
    if path.suffix == ".ptx":
        from .kernels.saved import load_kernels

        return load_kernels(path, calls)
    if path.suffix == ".tar":
        from .packages import load_package

        return load_package(path, threads, calls)
    return load_library(path, threads, calls=calls)


def load_library(
    path: Path,
    threads: int | None = None,
    weights: Mapping[str, Array] | None = None,
    called: str = "",
    calls: KernelCalls | None = None,
) -> Module:
    """Load the module of a shared library. `weights` are the constants of one that lies in a package, by name, which
    messages name as `called`; `calls` says how kernels run."""
    called = called or str(path)
    data = mapped(path)
    _check_file(called, data)
    try:
        library = open_library(path)
        start = ctypes.addressof(ctypes.c_char.in_dll(library, SYMBOL))
    except (OSError, ValueError) as error:
        _refuse(called, str(error))
    distance, described = _describe(called, start, data)
    missing = missing_features(described.features)
    if missing:
        fail("TW0612", f"expected a program that this machine runs, but it has no {', '.join(missing)}")
    files = [(Path(called).name, data)]
    if described.weights and weights is None:
        weights = weights_beside(path, described.weights)
        files.append((described.weights, mapped(path.with_name(described.weights))))
    entries: list[tuple[Entry, Sequence[Sealed]]] = []
    for entry, constants in described.entries:
        if weights is None:
            arrays = [_array_at(library, start + distance + c.offset, a) for c, a in _pairs(constants, entry)]
        else:
            arrays = [weight(weights, c.name, a, called) for c, a in _pairs(constants, entry)]
        sealed = [Sealed(c.name, a, c.digest) for c, a in zip(constants, arrays) if c.digest]
        entries.append((replace(entry, constants=tuple(arrays)), sealed))
    if described.kernels:
        from .kernels.saved import kernels_of_library

        integrity = Integrity(called, entries[0][1])  # each entry has all constants
        stated = [entry for entry, _ in entries]
        module = kernels_of_library(Path(called), described.kernels, stated, integrity, calls)
    else:
        use_openmp(library)
        module = Module({entry.name: _function(called, library, entry, sealed, threads) for entry, sealed in entries})
    module.origin.hold(*files)
    return module


def _pairs(constants: Sequence[Constant], entry: Entry) -> Iterator[tuple[Constant, Array]]:
    return zip(constants, entry.constants)


def _function(called: str, library: Any, entry: Entry, sealed: Sequence[Sealed], threads: int | None) -> Function:
    address = _address_in(library, entry.symbol)
    if address is None:
        _refuse(called, f"it has no function '{entry.symbol}'")
    executable = Executable(
        address,
        entry.signature,
        entry.constants,
        entry.arena_size,
        (library,),
        entry.checks,
        entry.thread_arena_size,
        _address_in(library, CALL_ENTRY),
        Integrity(called, sealed),
    )
    return Function.of(executable, threads)


def _address_in(library: Any, symbol: str) -> int | None:
    """Return the address of a function; None where the library has none of that name."""
    try:
        return ctypes.cast(library[symbol], ctypes.c_void_p).value
    except (AttributeError, ValueError):  # a zero byte in the name
        return None


def _array_at(library: ctypes.CDLL, address: int, like: Array) -> Array:
    """Return data in the library, in place, as an array of the shape and dtype of `like`."""
    size = like.size * like.dtype.itemsize
    memory = (ctypes.c_uint8 * size).from_address(address)
    memory.library = library  # pyright: ignore[reportAttributeAccessIssue]  (which is mapped as long as the array is)
    return np.frombuffer(memoryview(memory), like.dtype, like.size).reshape(like.shape)


def _describe(called: str, start: int, data: mmap) -> tuple[int, Description]:
    """Return the distance of the constants from the head, and the description."""
    header = ctypes.string_at(start, HEADER.size)
    magic, version, length, distance, size = HEADER.unpack(header)
    if magic != MAGIC:
        _refuse(called, "it does not describe itself")
    if version != VERSION:
        _refuse(called, f"its form has version {version}, but this is version {VERSION}")
    at = data.find(header)  # as it lies in the file; the mapping may end before the lengths that it states
    try:
        described = decode(data[at + HEADER.size : at + HEADER.size + length].decode())
        _check_constants(described.entries, size)
    except MALFORMED as error:
        _refuse(called, f"its description is malformed ({error})")
    if not described.weights and not is_mapped(data, at, distance, size):
        _refuse(called, f"it has no {size} bytes of constants")
    return distance, described


def _check_constants(entries: Sequence[tuple[Entry, Sequence[Constant]]], size: int) -> None:
    """Raise ValueError unless the constants follow one another, as they were written."""
    sizes = {c.offset: a.nbytes for entry, constants in entries for c, a in _pairs(constants, entry)}
    start = 0
    for offset in sorted(sizes):
        if offset != start:
            raise ValueError(f"expected a constant at byte {start}, but got {offset}")
        start += rounded(sizes[offset])
    if start != size:
        raise ValueError(f"expected constants of {size} bytes, but got {start}")


def use_openmp(library: Any) -> None:
    """Let the parallel loops of a library that was linked with the weak runtime of saved programs use the real one."""
    runtime = openmp()
    if runtime.library is not None:
        table = (ctypes.c_void_p * len(SYMBOLS))(*(runtime.addresses[name] for name in SYMBOLS))
        library[USE_OPENMP](table)


def _check_file(called: str, data: mmap) -> None:
    if data[:4] != b"\x7fELF":
        _refuse(called, "it is no shared library")
    if data.find(MAGIC) < 0:
        _refuse(called, "it was not saved by this project, or is damaged")
    machine = machine_of(data)
    if machine != platform.machine():
        made_for = machine or "an unknown machine"
        fail(
            "TW0750", f"expected to run on {made_for}, for which '{called}' was made, but this is {platform.machine()}"
        )
    mark, covered, digest = SEAL.unpack(data[-SEAL.size :].rjust(SEAL.size, b"\0"))
    if mark == SEAL_MARK and _digest(data, covered) != digest:
        _refuse(called, "it is damaged")
    problem = problem_of(data)
    if problem is not None:  # a library that a linker made of an object file has no digest
        _refuse(called, problem)
    if mark != SEAL_MARK and 0 < len(data) - end_of(data) <= SEAL.size:  # tools write nothing after the sections
        _refuse(called, "its seal is damaged")


def _digest(data: mmap, size: int) -> bytes:
    with memoryview(data) as view, view[:size] as covered:
        return hashlib.sha256(covered).digest()


def _refuse(called: str, why: str) -> NoReturn:
    fail("TW0711", f"expected a library that Module.save wrote, but '{called}' cannot be used: {why}")
