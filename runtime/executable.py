"""The calling convention of native code, and calls through ctypes.

The native entry has the C type

    int32_t entry(void *const *arguments, const int64_t *sizes, void *const *constants, void *arena, int32_t
    threads)

- `arguments`: the strides in elements that the signature leaves to the caller, then the data pointers of the inputs
  and of the outputs, in the order of the signature. Each is aligned to its element, and dense in row-major order unless
  the signature states strides. No output shares memory with any other argument.
- `sizes`: for each argument in that order, the dimensions that are symbolic in its type, outermost first.
- `constants`: the data pointers of the program's constants, each aligned to 64 bytes, never written to; among them, in
  a program that checks itself, pointers to the record of the call (`runtime.checks`).
- `arena`: memory for this call alone, aligned to 64 bytes: a part of fixed size, then a part for each thread.
- `threads`: the largest number of threads of a parallel loop, at least 1.
- The result is 0, or 1 where an allocation of symbolic size failed, or a check failed.

The entry keeps no state between calls, so any number of threads may call it at once; ctypes releases the
interpreter's lock.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from typing import Any

from .arguments import Signature
from .buffers import ArenaPool, Array, address_of, all_aligned
from .checked_call import CheckedCall
from .checks import Checks
from .integrity import Integrity
from .openmp import available_threads, openmp
from .packed import raise_pending

_ENTRY_TYPE = ctypes.CFUNCTYPE(
    ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32
)


@dataclass(frozen=True)
class Executable:
    """Native code with its signature, constants, arena sizes and checks."""

    address: int
    """Of the entry function."""
    signature: Signature
    constants: tuple[Array, ...] = ()
    arena_size: int = 0
    """Bytes."""
    keep_alive: tuple[Any, ...] = field(default=(), repr=False)
    """The objects that own the code."""
    checks: Checks | None = None
    """The checks that it makes while it runs."""
    thread_arena_size: int = 0
    """Bytes of the arena for each thread."""
    call_entry: int | None = None
    """The address of the entry for Python's calls (`runtime.native_call`), where there is one."""
    integrity: Integrity | None = None
    """Of constants that were loaded: compared with their digests before the first call."""
    thread_limit: ctypes.c_int32 | None = None
    """The most threads of a parallel loop in this process, where native code can read it; None for that of OpenMP."""

    @property
    def is_checked(self) -> bool:
        """Return if constants are known to be whole."""
        return self.integrity is None or self.integrity.is_checked


class CtypesCall(CheckedCall):
    """Calls of native code through ctypes."""

    def __init__(self, executable: Executable, threads: int | None = None) -> None:
        super().__init__(executable.signature, threads or available_threads())
        self.executable = executable
        self.thread_limit = executable.thread_limit or openmp().limit
        self._entry = _ENTRY_TYPE(executable.address)
        arguments = self.signature.arguments
        self._symbolic = [
            (position, dimension)
            for position, argument in enumerate(arguments)
            for dimension, size in enumerate(argument.shape)
            if not isinstance(size, int)
        ]
        self._strided = [
            (position, dimension)
            for position, argument in enumerate(arguments)
            for dimension, stride in enumerate(argument.strides or ())
            if stride is None
        ]
        self.arenas = ArenaPool(self._arena_size(self.threads))
        self._constants = all_aligned(executable.constants)
        self.constant_table = (ctypes.c_void_p * len(self._constants))(*map(address_of, self._constants))
        self._pointers_type = ctypes.c_void_p * (len(self._strided) + len(arguments))
        self._sizes_type = ctypes.c_int64 * len(self._symbolic)

    def _invoke(self, arrays: list[Array], threads: int) -> int:
        strides = [arrays[a].strides[d] // arrays[a].itemsize for a, d in self._strided]
        if not self.executable.is_checked:
            self.check_constants()
        pointers = self._pointers_type(*strides, *map(address_of, arrays))
        sizes = self._sizes_type(*[arrays[argument].shape[dimension] for argument, dimension in self._symbolic])
        checks = self.executable.checks
        record = None if checks is None else checks.new_record()
        constants = self.constant_table if record is None else self._constants_with(record)
        threads = min(threads, self.thread_limit.value)
        # A team that is larger than usual has a separate arena.
        arenas = self.arenas if threads <= self.threads else ArenaPool(self._arena_size(threads))
        arena = arenas.take()
        try:
            address = 0 if arena is None else address_of(arena)
            status = self._entry(pointers, sizes, constants, address, threads)
        finally:
            arenas.give_back(arena)
        raise_pending()
        if checks is not None and record is not None:
            inputs = self.signature.inputs
            extents = zip(self._symbolic, sizes)
            checks.report(record, {str(inputs[a].shape[d]): n for (a, d), n in extents if a < len(inputs)})
        return status

    def check_constants(self) -> None:
        """Compare the constants with their digests, once. Raises TilewrightError TW0711 where one is damaged."""
        if self.executable.integrity is not None:
            self.executable.integrity.check()

    def _arena_size(self, threads: int) -> int:
        return self.executable.arena_size + threads * self.executable.thread_arena_size

    def _constants_with(self, record: Array) -> ctypes.Array[ctypes.c_void_p]:
        """Return the table of constants of a call that keeps a record."""
        checks = self.executable.checks
        assert checks is not None
        table = checks.with_record([address_of(c) for c in self._constants], address_of(record))
        return (ctypes.c_void_p * len(table))(*table)
