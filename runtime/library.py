"""Loading saved programs, in a process that has no compiler.

A file is looked at before the system's loader maps it, because that crashes on a torn one.
"""

from __future__ import annotations

import ctypes
import hashlib
import platform
import struct
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from ..diagnostics import fail
from ..diagnostics.files import read_bytes
from .buffers import Array
from .cpu_features import missing_features
from .description import HEADER, MAGIC, SYMBOL, USE_OPENMP, VERSION, Entry, decode
from .executable import Executable
from .function import Function
from .module import Module
from .native_call import SYMBOL as CALL_ENTRY
from .openmp import SYMBOLS, openmp
from .shared_library import open_library

SEAL = struct.Struct("<8s32s")
"""What `Module.save` appends to a library: a mark, and the digest of all before it."""
SEAL_MARK = b"TILESEAL"

_ELF = b"\x7fELF"
_ELF_HEADER = struct.Struct("<16xHHIQQQIHHHHHH")
_MACHINES = {62: "x86_64", 183: "aarch64"}
"""Numbers in ELF headers -> what systems call the machines."""


def load_module(path: str | Path, threads: int | None = None) -> Module:
    """The module that `Module.save` wrote to a shared library, or one that a linker made of its object file; or to a
    file of kernels (`.ptx`), which run on a GPU.

    `threads` is how many threads its parallel loops use unless a call says otherwise. Raises TilewrightError TW0204
    where the file cannot be read, TW0711 where it is no such library or damaged, TW0750 where it is for another kind
    of machine, TW0612 where this machine lacks an instruction set that the code uses.
    """
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
    entries, features = _describe(path, start)
    missing = missing_features(features)
    if missing:
        fail("TW0612", f"expected a program that this machine runs, but it has no {', '.join(missing)}")
    use_openmp(library)
    return Module({e.name: _function(library, start, e, offsets, threads) for e, offsets in entries})


def _function(library: Any, start: int, entry: Entry, offsets: list[int], threads: int | None) -> Function:
    address = _address_in(library, entry.symbol)
    assert address is not None
    constants = tuple(_array_at(library, start + o, c) for o, c in zip(offsets, entry.constants, strict=True))
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
    except AttributeError:
        return None


def _array_at(library: ctypes.CDLL, address: int, like: Array) -> Array:
    """Data in the library, in place, as an array of the shape and dtype of `like`."""
    size = like.size * like.dtype.itemsize
    memory = (ctypes.c_uint8 * size).from_address(address)
    memory.library = library  # pyright: ignore[reportAttributeAccessIssue]  (which is mapped as long as the array is)
    return np.frombuffer(memoryview(memory), like.dtype, like.size).reshape(like.shape)


def _describe(path: Path, start: int) -> tuple[list[tuple[Entry, list[int]]], list[str]]:
    magic, version, length = HEADER.unpack(ctypes.string_at(start, HEADER.size))
    if magic != MAGIC:
        _refuse(path, "it does not describe itself")
    if version != VERSION:
        _refuse(path, f"its form has version {version}, but this is version {VERSION}")
    try:
        return decode(ctypes.string_at(start + HEADER.size, length).decode())
    except (KeyError, TypeError, ValueError) as error:
        _refuse(path, f"its description is malformed ({error})")


def use_openmp(library: Any) -> None:
    """Let the parallel loops of a library that was linked with the weak runtime of saved programs use the real one."""
    runtime = openmp()
    if runtime.library is not None:
        table = (ctypes.c_void_p * len(SYMBOLS))(*(runtime.addresses[name] for name in SYMBOLS))
        library[USE_OPENMP](table)


def _check_file(path: Path, data: bytes) -> None:
    if not data.startswith(_ELF):
        _refuse(path, "it is no shared library")
    if MAGIC not in data:
        _refuse(path, "it was not saved by this project, or is damaged")
    machine = _MACHINES.get(_ELF_HEADER.unpack_from(data)[1])
    if machine != platform.machine():
        made_for = machine or "an unknown machine"
        fail("TW0750", f"expected to run on {made_for}, for which '{path}' was made, but this is {platform.machine()}")
    mark, digest = SEAL.unpack(data[-SEAL.size :])
    if mark == SEAL_MARK:
        if hashlib.sha256(data[: -SEAL.size]).digest() != digest:
            _refuse(path, "it is damaged")
        return
    # A linker made it of an object file. Its table of sections ends the file.
    *_, table, _, _, _, _, size, count, _ = _ELF_HEADER.unpack_from(data)
    if table + size * count > len(data):
        _refuse(path, "it is cut short")


def _refuse(path: Path, why: str) -> NoReturn:
    fail("TW0711", f"expected a library that Module.save wrote, but '{path}' cannot be used: {why}")
