"""Loading saved programs, in a process that has no compiler.

A file is looked at before the system's loader maps it, because that crashes on a torn one.
"""

from __future__ import annotations

import ctypes
import hashlib
import platform
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from .buffers import Array, rounded
from .cpu_features import missing_features
from .description import HEADER, MAGIC, MALFORMED, SYMBOL, USE_OPENMP, VERSION, Entry, decode
from .elf import machine_of, problem_of
from .errors import fail
from .executable import Executable
from .expectations import expect_type
from .files import read_bytes
from .function import Function
from .module import Module
from .native_call import SYMBOL as CALL_ENTRY
from .openmp import SYMBOLS, openmp
from .shared_library import open_library

SEAL = struct.Struct("<8s32s")
"""What `Module.save` appends to a library: a mark, and the digest of all before it."""
SEAL_MARK = b"TILESEAL"


def load_module(path: str | Path, threads: int | None = None) -> Module:
    """The module that `Module.save` wrote to a shared library, or one that a linker made of its object file; or to a
    file of kernels (`.ptx`), which run on a GPU.

    `threads` is how many threads its parallel loops use unless a call says otherwise. Raises TilewrightError TW0204
    where the file cannot be read, TW0711 where it is no such library or damaged, TW0750 where it is for another kind
    of machine, TW0612 where this machine lacks an instruction set that the code uses.
    """
    expect_type("path", path, str, Path)
    path = Path(path).resolve()
    if path.suffix == ".ptx":
        from .kernels.saved import load_kernels

        return load_kernels(path)
    data = read_bytes(path)
    _check_file(path, data)
    try:
        library = open_library(path)
        start = ctypes.addressof(ctypes.c_char.in_dll(library, SYMBOL))
    except (OSError, ValueError) as error:
        _refuse(path, str(error))
    entries, features = _describe(path, start, data)
    missing = missing_features(features)
    if missing:
        fail("TW0612", f"expected a program that this machine runs, but it has no {', '.join(missing)}")
    use_openmp(library)
    return Module({e.name: _function(library, start, e, offsets, threads) for e, offsets in entries})


def _function(library: Any, start: int, entry: Entry, offsets: list[int], threads: int | None) -> Function:
    address = _address_in(library, entry.symbol)
    if address is None:
        _refuse(Path(library._name), f"it has no function '{entry.symbol}'")
    constants = tuple(_array_at(library, start + o, c) for o, c in zip(offsets, entry.constants))
    executable = Executable(
        address,
        entry.signature,
        constants,
        entry.arena_size,
        (library,),
        entry.checks,
        entry.thread_arena_size,
        _address_in(library, CALL_ENTRY),
    )
    return Function.of(executable, threads)


def _address_in(library: Any, symbol: str) -> int | None:
    """The address of a function; None where the library has none of that name."""
    try:
        return ctypes.cast(library[symbol], ctypes.c_void_p).value
    except (AttributeError, ValueError):  # a zero byte in the name
        return None


def _array_at(library: ctypes.CDLL, address: int, like: Array) -> Array:
    """Data in the library, in place, as an array of the shape and dtype of `like`."""
    size = like.size * like.dtype.itemsize
    memory = (ctypes.c_uint8 * size).from_address(address)
    memory.library = library  # pyright: ignore[reportAttributeAccessIssue]  (which is mapped as long as the array is)
    return np.frombuffer(memoryview(memory), like.dtype, like.size).reshape(like.shape)


def _describe(path: Path, start: int, data: bytes) -> tuple[list[tuple[Entry, list[int]]], list[str]]:
    header = ctypes.string_at(start, HEADER.size)
    magic, version, length = HEADER.unpack(header)
    if magic != MAGIC:
        _refuse(path, "it does not describe itself")
    if version != VERSION:
        _refuse(path, f"its form has version {version}, but this is version {VERSION}")
    block = data[data.find(header) :]  # as it lies in the file; the mapping may end before the lengths that it states
    try:
        entries, features = decode(block[HEADER.size : HEADER.size + length].decode())
        _check_constants(entries, rounded(HEADER.size + length), len(block))
    except MALFORMED as error:
        _refuse(path, f"its description is malformed ({error})")
    return entries, features


def _check_constants(entries: Sequence[tuple[Entry, list[int]]], start: int, size: int) -> None:
    """Raise ValueError unless the constants follow one another behind the description, as they were written."""
    sizes = {o: c.nbytes for entry, offsets in entries for o, c in zip(offsets, entry.constants)}
    for offset in sorted(sizes):
        if offset != start:
            raise ValueError(f"expected a constant at byte {start}, but got {offset}")
        start += rounded(sizes[offset])
    if start > size:
        raise ValueError(f"expected constants within {size} bytes")


def use_openmp(library: Any) -> None:
    """Let the parallel loops of a library that was linked with the weak runtime of saved programs use the real one."""
    runtime = openmp()
    if runtime.library is not None:
        table = (ctypes.c_void_p * len(SYMBOLS))(*(runtime.addresses[name] for name in SYMBOLS))
        library[USE_OPENMP](table)


def _check_file(path: Path, data: bytes) -> None:
    if not data.startswith(b"\x7fELF"):
        _refuse(path, "it is no shared library")
    if MAGIC not in data:
        _refuse(path, "it was not saved by this project, or is damaged")
    machine = machine_of(data)
    if machine != platform.machine():
        made_for = machine or "an unknown machine"
        fail("TW0750", f"expected to run on {made_for}, for which '{path}' was made, but this is {platform.machine()}")
    mark, digest = SEAL.unpack(data[-SEAL.size :])
    if mark == SEAL_MARK and hashlib.sha256(data[: -SEAL.size]).digest() != digest:
        _refuse(path, "it is damaged")
    problem = problem_of(data)
    if problem is not None:  # a library that a linker made of an object file has no digest
        _refuse(path, problem)


def _refuse(path: Path, why: str) -> NoReturn:
    fail("TW0711", f"expected a library that Module.save wrote, but '{path}' cannot be used: {why}")
