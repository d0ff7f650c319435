"""Compiling LLVM text and loading the code into this process.

One LLJIT serves the process; each program is a library of its own in it. Libraries are never unloaded:
threads of the OpenMP pool may hold addresses of their code.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from functools import cache
from threading import Lock
from typing import Any

from ...diagnostics import fail
from ...passes.instruments.spans import span
from ..cache import OBJECTS, Cache
from .host import host_features
from .llvm import CodeOptions, emit_object, llvm_version, target_machine

_libraries: list[Any] = []
_library_numbers = itertools.count()
_jit_lock = Lock()


class ObjectCompiler:
    """Compiles modules of LLVM text in the background, taking what the cache has.

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
        """The object file of `text`, to come. Its `result()` raises TW0603 where LLVM rejects the text.

        `function` is what the time is recorded for.
        """
        return self._pool.submit(self._context.copy().run, self._compile, text, options, function)

    def _compile(self, text: str, options: CodeOptions, function: str) -> bytes:
        with span("machine code", "llvm", function=function):
            return cached_object(text, options, self._cache)


def cached_object(text: str, options: CodeOptions, cache: Cache) -> bytes:
    """The object file of `text`, from the cache or compiled. Raises TW0603 where LLVM rejects the text."""
    key = object_key(text, options)
    found = cache.load(key)
    if found is not None:
        return found.tobytes()
    data = emit_object(text, options)
    cache.store(key, [data])
    return data


def object_key(text: str, options: CodeOptions) -> str:
    """The hash of what determines an object file: the text, the options, LLVM's version and ours."""
    from ... import __version__

    digest = hashlib.sha256()
    for part in (__version__, llvm_version(), str(options), text):
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()


def load_objects(objects: Sequence[bytes], symbols: Mapping[str, int], exports: Sequence[str]) -> dict[str, int]:
    """Link object files into one library of this process; the addresses of its exported functions.

    `symbols` are addresses that the objects may refer to beside one another and the process's own (libc,
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
        with _jit_lock:
            library = builder.link(_jit(), f"tilewright{next(_library_numbers)}")
    except RuntimeError as error:
        fail("TW0603", f"the compiled functions cannot be linked: {str(error).strip()}")
    _libraries.append(library)
    return {name: library[name] for name in exports}


@cache
def _jit() -> Any:
    from llvmlite import binding

    return binding.create_lljit_compiler(target_machine(CodeOptions(host_features())), use_jit_link=True)
