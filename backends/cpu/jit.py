"""Compiling LLVM text and loading the code into this process.

Each program is a separate library, which is unloaded when the program is dropped; up to `_PROGRAMS` share an LLJIT. No
thread of the pool is inside the code of a dropped program: a parallel loop ends when all its members have left it.
"""

from __future__ import annotations

import hashlib
import weakref
from collections import deque
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from threading import Lock
from typing import Any

from ...diagnostics import fail
from ...forks import held_off, held_off_at_once
from ...passes.framework.instruments.spans import span
from ..cache import OBJECTS, Cache
from .host import host_features
from .llvm import CodeOptions, emit_object, llvm_version, target_machine

_PROGRAMS = 64
"""The number of libraries that one LLJIT holds."""

_linkers: list[_Linker] = []
"""The linker for new libraries, if there is one."""
_dropped: deque[tuple[Any, _Linker]] = deque()
"""Libraries that are no longer used. The holder of the lock unloads them, because objects die at any time, in any
thread."""
_linking = Lock()


class ObjectCompiler:
    """Compiles modules of LLVM text in background threads; objects in the cache are not compiled again.

    Use as a context manager: leaving it waits for the compilations.
    """

    def __init__(self, threads: int, cache: Cache | None = None) -> None:
        self._cache = cache or Cache.of(OBJECTS)
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="tilewright-llvm")
        self._context = copy_context()

    def __enter__(self) -> ObjectCompiler:
        return self

    def __exit__(self, *exception: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def submit(self, text: str, options: CodeOptions, function: str = "") -> Future[bytes]:
        """Return the object file of `text`, to come: its `result()` raises TW0603 where LLVM rejects the text.

        `function` is the name under which the time is recorded.
        """
        return self._pool.submit(self._context.copy().run, self._compile, text, options, function)

    def _compile(self, text: str, options: CodeOptions, function: str) -> bytes:
        with span("machine code", "llvm", function=function):
            return cached_object(text, options, self._cache)


def cached_object(text: str, options: CodeOptions, cache: Cache) -> bytes:
    """Return the object file of `text`, from the cache or compiled. Raises TW0603 where LLVM rejects the text."""
    key = object_key(text, options)
    found = cache.load(key)
    if found is not None:
        return found.tobytes()
    data = emit_object(text, options)
    cache.store(key, [data])
    return data


def object_key(text: str, options: CodeOptions) -> str:
    """Return the cache key of an object file: the hash of the text, the options, LLVM's version and this package's
    version."""
    from ... import __version__

    digest = hashlib.sha256()
    for part in (__version__, llvm_version(), str(options), text):
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()


class _Linker:
    """An LLJIT, into which up to `_PROGRAMS` libraries are linked.

    LLJIT keeps some kilobytes about each library after the library is unloaded. They are freed with the linker, when it
    has been replaced and its last library is gone.
    """

    def __init__(self) -> None:
        from llvmlite import binding

        machine = target_machine(CodeOptions(host_features()))
        self._jit = binding.create_lljit_compiler(machine, use_jit_link=True)
        self.count = 0

    def link(self, builder: Any) -> Any:
        self.count += 1
        return builder.link(self._jit, f"tilewright{self.count}")


class LoadedCode:
    """A library that is loaded into this process, as the addresses of its functions by name. It is unloaded when this
    object dies."""

    def __init__(self, library: Any, linker: _Linker, exports: Sequence[str]) -> None:
        self._addresses: dict[str, int] = {name: library[name] for name in exports}
        weakref.finalize(self, _drop, library, linker).atexit = False

    def __getitem__(self, name: str) -> int:
        return self._addresses[name]


def load_objects(objects: Sequence[bytes], symbols: Mapping[str, int], exports: Sequence[str]) -> LoadedCode:
    """Link object files into one library of this process.

    `symbols` are addresses that the objects may refer to, in addition to one another and the process's symbols (libc,
    libm). Raises TW0603 where a symbol is missing.
    """
    from llvmlite import binding

    builder = binding.JITLibraryBuilder().add_current_process()
    for data in objects:
        builder.add_object_img(data)
    for name, address in symbols.items():
        builder.import_symbol(name, address)
    for name in exports:
        builder.export_symbol(name)
    try:
        with held_off(), _linking:
            linker = _current_linker()
            library = linker.link(builder)
    except RuntimeError as error:
        fail("TW0603", f"the compiled functions cannot be linked: {str(error).strip()}")
    finally:
        _unload_dropped()
    return LoadedCode(library, linker, exports)


def _current_linker() -> _Linker:
    """Return the linker with room for another library. `_linking` is held."""
    if not _linkers or _linkers[0].count == _PROGRAMS:
        _linkers[:] = [_Linker()]
    return _linkers[0]


def _drop(library: Any, linker: _Linker) -> None:
    _dropped.append((library, linker))
    _unload_dropped()


def _unload_dropped() -> None:
    """Unload dropped libraries, unless another thread, or a caller of this function, is linking and will do it."""
    if _dropped:
        held_off_at_once(_unload)


def _unload() -> None:
    from .kept_blocks import free_kept_blocks

    while _dropped and _linking.acquire(blocking=False):
        try:
            while _dropped:
                library, linker = _dropped.popleft()
                library.close()
                free_kept_blocks()
                del library, linker  # the linker may go with its last library
        finally:
            _linking.release()
