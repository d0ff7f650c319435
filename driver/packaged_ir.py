"""The IR that a package keeps of its program, recorded while the program is compiled (see `packaging`)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..dialects.resource import walk_resources
from ..passes.framework.base import Level, level_of
from ..passes.framework.instruments.base import Instrument
from ..runtime.description import data_of
from ..runtime.module import LibraryCode

if TYPE_CHECKING:
    from ..backends.library_file import Writer
    from ..runtime import Module
    from ..runtime.buffers import Array

_FORMING_KERNELS = ("fuse", "materialize-region-results", "outline", "lower-graph")
"""Passes that turn a graph into kernels; the IR is recorded before the first of them that runs."""


@dataclass(frozen=True)
class PackagedIR:
    """The IR of a package. Its weights are constants of the program, and separate values where the program does not
    read them."""

    text: bytes | memoryview
    names: Mapping[str, str]
    """Names of weights in the IR -> those of the program's constants."""
    values: bytes | memoryview | None
    """A file of safetensors of the other weights, where there are any."""

    def files(self) -> list[bytes | memoryview]:
        """Return the files that `of` makes the same IR of."""
        return [json.dumps(dict(self.names)).encode(), self.text, *([] if self.values is None else [self.values])]

    @staticmethod
    def of(files: Sequence[memoryview]) -> PackagedIR:
        """Read the IR of such files."""
        names, text, *values = files
        return PackagedIR(text, json.loads(bytes(names)), values[0] if values else None)


class GraphRecorder(Instrument):
    """Records a copy of the IR from which a program can be built again. A graph is copied just before its kernels are
    formed, when its weights are those of the program; a module of another level is copied as it was given. Copies share
    the weights."""

    def __init__(self) -> None:
        self.module: ModuleOp | None = None
        self._packaged: PackagedIR | None = None

    def before_run(self, module: ModuleOp) -> None:
        if self.module is None and level_of(module) is not Level.GRAPH:
            self.module = module.clone()

    def before_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        if self.module is None and pass_.name in _FORMING_KERNELS:
            self.module = module.clone()

    def packaged(self, constants: Mapping[str, Array]) -> PackagedIR | None:
        """Return the IR for a package of a program with these constants; None where none was recorded. Threads may call
        this at the same time: each gets the same IR."""
        if self._packaged is None and self.module is not None:
            self._packaged = _packaged(self.module, constants)
        return self._packaged


def add_packager(program: Module, packaged: Callable[[Mapping[str, Array]], PackagedIR | None]) -> None:
    """Let a program be saved as a package, where its backend writes libraries. `packaged` gives the IR, by the
    program's constants."""
    if isinstance(program.code, LibraryCode):
        program.packager = partial(_write, cast("Writer", program.code), packaged)


def _write(
    code: Writer, packaged: Callable[[Mapping[str, Array]], PackagedIR | None], program: Module, path: Path
) -> None:
    from .packaging import write_package

    write_package(code, packaged, program, path)


def _packaged(module: ModuleOp, constants: Mapping[str, Array]) -> PackagedIR:
    """Return the IR of a module, by the program's constants."""
    from ..passes.framework.instruments import print_ir

    names = _Names(constants)
    known: dict[str, str] = {}
    others: dict[str, Array] = {}
    for _, _, attribute in walk_resources(module):
        resource = attribute.data
        if resource.name not in known and resource.name not in others:
            name = names.of(resource.array)
            if name is None:
                others[resource.name] = np.ascontiguousarray(resource.array)
            else:
                known[resource.name] = name
    values = None
    if others:
        from safetensors.numpy import save

        values = save(others)
    return PackagedIR(print_ir(module).encode(), known, values)


class _Names:
    """The names of constants, looked up by address, or by content where passes made a copy."""

    def __init__(self, constants: Mapping[str, Array]) -> None:
        self._constants = constants
        self._by_memory = {(c.ctypes.data, c.nbytes): name for name, c in constants.items()}
        self._sizes = {c.nbytes for c in constants.values()}
        self._by_digest: dict[bytes, str] = {}

    def of(self, array: Array) -> str | None:
        found = self._by_memory.get((array.ctypes.data, array.nbytes))
        if found is not None or array.nbytes not in self._sizes:
            return found
        if not self._by_digest:
            self._by_digest = {_digest(c): name for name, c in self._constants.items()}
        return self._by_digest.get(_digest(array))


def _digest(array: Array) -> bytes:
    return hashlib.sha256(data_of(array)).digest()
