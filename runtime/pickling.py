"""Pickling of compiled modules and functions, to send them to other processes.

A pickle holds the files that `Module.save` writes; the process that unpickles it imports the runtime alone, and loads a
program once even where it gets several pickles of it. A module that was loaded is pickled as the files that it comes
from; they stay mapped, so that they may be removed or replaced meanwhile.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from pickle import PickleBuffer
from threading import Lock
from typing import TYPE_CHECKING, Any, NoReturn, Union

from .errors import fail
from .openmp import available_threads
from .shared_library import in_memory
from .weights import mapped

if TYPE_CHECKING:
    from mmap import mmap

    from .function import Function
    from .module import Code, Module

MOST_RESTORED = 16
"""The number of programs from pickles that stay loaded in a process; the least recently used is dropped first."""

Content = Union[bytes, memoryview, "mmap"]
Files = Sequence["tuple[str, Content]"]
"""Names and contents, the program's file first."""


class Origin:
    """The files that a program was loaded from, or the code that they are made from when they are first asked for."""

    def __init__(self, code: Code | None) -> None:
        self.code = code
        self._files: Files = ()
        self._digest = ""

    def hold(self, *files: tuple[str, Content]) -> None:
        """Let these be the files of the program."""
        self._files, self._digest = files, ""

    @property
    def files(self) -> Files:
        """The program's files. Raises TilewrightError TW0614 for a program that cannot be saved, and what saving it
        raises."""
        if not self._files:
            self.hold(*self._saved())
        return self._files

    @property
    def digest(self) -> str:
        """A digest of the files."""
        if not self._digest:
            state = hashlib.sha256()
            for name, content in self.files:
                state.update(f"{name} {len(content)}\n".encode())
                state.update(content)
            self._digest = state.hexdigest()
        return self._digest

    def _saved(self) -> Files:
        if self.code is None:
            _refuse()
        with tempfile.TemporaryDirectory(prefix="tilewright") as folder:
            path = Path(folder) / ("program.ptx" if self.code.type_key == "cuda" else "program.so")
            self.code.save(path)
            beside = path.with_suffix(".safetensors")
            return [(each.name, mapped(each)) for each in (path, beside) if each.exists()]


def _refuse() -> NoReturn:
    fail(
        "TW0614",
        "expected a program with machine code to be pickled, but this one has none",
        help="build it for a target that writes libraries, such as cpu",
    )


def reduced_module(module: Module, protocol: int) -> tuple[Any, ...]:
    """Return a module as `pickle` takes objects."""
    return restored_module, (*_shipped(module.origin, protocol), _stated_threads(module.entry))


def reduced_function(function: Function, protocol: int) -> tuple[Any, ...]:
    """Return a function, with the module that it belongs to, as `pickle` takes objects."""
    if function.origin is None:
        _refuse()
    origin, name = function.origin
    return restored_function, (*_shipped(origin, protocol), _stated_threads(function), name)


def _shipped(origin: Origin, protocol: int) -> tuple[str, list[tuple[str, Any]]]:
    """Return the digest and the files; contents are not copied where the protocol passes buffers."""
    in_buffers = protocol >= 5
    files: list[tuple[str, Any]] = [
        (name, PickleBuffer(data) if in_buffers else bytes(data)) for name, data in origin.files
    ]
    return origin.digest, files


def _stated_threads(function: Function) -> int | None:
    """Return the threads of a function's loops; None for all of the process, which may have more or fewer elsewhere."""
    return None if function.threads == available_threads() else function.threads


_Key = tuple[str, Union[int, None]]
_restored: OrderedDict[_Key, Module] = OrderedDict()
"""By digest and threads."""
_locks = [Lock()]
"""The lock of this process: one that a thread holds during a fork stays held in the child."""
os.register_at_fork(after_in_child=lambda: _locks.__setitem__(0, Lock()))


def restored_module(digest: str, files: Files, threads: int | None) -> Module:
    """Return the module of these files, which a process loads once. Raises the errors of `load_module`."""
    key = digest, threads
    with _locks[0]:
        module = _restored.get(key)
        if module is None:
            module = _restored[key] = _loaded(files, threads)
        _restored.move_to_end(key)
        while len(_restored) > MOST_RESTORED:
            _restored.popitem(last=False)
    return module


def restored_function(digest: str, files: Files, threads: int | None, name: str) -> Function:
    """Return a function of the module of these files."""
    return restored_module(digest, files, threads)[name]


def _loaded(files: Files, threads: int | None) -> Module:
    from .library import load_library, load_module

    (name, content), *others = files
    if name.endswith(".so") and not others:
        with in_memory(content, name) as path:
            return load_library(path, threads, called=name)
    with tempfile.TemporaryDirectory(prefix="tilewright") as folder:
        for each, data in files:
            (Path(folder) / Path(each).name).write_bytes(data)
        return load_module(Path(folder) / Path(name).name, threads)
