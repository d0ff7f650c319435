"""Programs as packages: one tar of the library, its weights, its graph, and the IR to rebuild it from.

    manifest.json   the form, who made it, for what target, and the digest of each other file but the weights
    mod.so          the library, without its constants
    mod.o           the same as an object file, for a linker; of machine code of LLVM
    mod.params      the constants, in the classic format of parameters (`runtime.params`), large ones at multiples of 64
    mod.json        the graph of the entry in the classic format; not there for a program that it cannot state
    mod.mlir        the IR before kernels were formed: weights are packed, and named as in mod.params
    mod.safetensors values of constants of that IR that the program does not read, where there are any

The bytes depend on the program alone, so the same program gives the same file.
"""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
import tempfile
from collections.abc import Callable, Mapping, Sequence
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import numpy as np
from xdsl.dialects.builtin import MemRefType, ModuleOp, TensorType
from xdsl.ir import Operation

from ..backends.cpu.code import CpuCode
from ..diagnostics import TilewrightError, fail
from ..diagnostics.files import check_kind, fail_writing, written_whole
from ..dialects.dtypes import numpy_dtype
from ..dialects.resource import ResourceAttr, resource_attr, walk_resources
from ..runtime.graph_executor import NOT_STATED, graph_of
from ..runtime.packages import (
    FORM,
    GRAPH,
    IR,
    LIBRARY,
    MANIFEST,
    OBJECT,
    PARAMS,
    VALUES,
    VERSION,
    is_package,
    open_package,
)
from ..runtime.params import aligned_params, param_pieces

if TYPE_CHECKING:
    from ..backends.library_file import Writer
    from ..runtime import Module
    from ..runtime.buffers import Array
    from .packaged_ir import PackagedIR


def write_package(
    code: Writer, packaged: Callable[[Mapping[str, Array]], PackagedIR | None], program: Module, path: Path
) -> None:
    """Write the package of a program to `path`; `packaged` gives its IR, by the program's constants.

    Raises TilewrightError TW0204 where that is impossible.
    """
    with tempfile.TemporaryDirectory(prefix="tilewright") as name:
        folder = Path(name)
        block = code.write_library(folder / LIBRARY, weights=PARAMS)
        files: dict[str, bytes | memoryview] = {LIBRARY: (folder / LIBRARY).read_bytes()}
        if isinstance(code, CpuCode):
            code.write_library(folder / OBJECT, weights=PARAMS)
            files[OBJECT] = (folder / OBJECT).read_bytes()
    graph = _graph_text(program)
    if graph is not None:
        files[GRAPH] = graph.encode()
    ir = packaged(block.constants)
    if ir is not None:
        files[IR] = ir.text
        if ir.values is not None:
            files[VALUES] = ir.values
    files[MANIFEST] = _manifest(files, {} if ir is None else ir.names)
    try:
        with written_whole(path) as temporary, temporary.open("wb") as file:
            _write(file, files, [*param_pieces(aligned_params(block.constants))])
    except OSError as error:
        fail_writing(path, error)


def _graph_text(program: Module) -> str | None:
    """Return the graph of a program's entry; None for one that no graph states."""
    try:
        return graph_of(program)[0].to_json()
    except TilewrightError as error:
        if error.code != NOT_STATED:
            raise
        return None


def load_packaged(path: Path) -> ModuleOp:
    """Load the IR in a package, with its weights. Raises TilewrightError TW0711 where the package has none or is
    damaged."""
    from ..diagnostics.files import shown
    from ..diagnostics.parsing import parse
    from ..dialects import context

    if not is_package(path):
        check_kind(path)
    package = open_package(path)
    text, constants = package.content(IR).decode(), package.weights()
    arrays = {name: constants[found] for name, found in package.names.items() if found in constants}
    if VALUES in package.files:
        from safetensors.numpy import load

        arrays |= load(package.content(VALUES))
    module = parse(context(), text, f"{shown(path)}:{IR}")
    for op, key, attribute in [*walk_resources(module)]:
        _resolve(op, key, attribute, arrays, path)
    return module


def _resolve(op: Operation, key: str, attribute: ResourceAttr, arrays: Mapping[str, Array], path: Path) -> None:
    """Give a resource its data, in the shape and dtype of the operation's result."""
    type_, array = op.results[0].type if op.results else None, arrays.get(attribute.data.name)
    if isinstance(type_, (TensorType, MemRefType)) and array is not None:
        shape, dtype = type_.get_shape(), numpy_dtype(type_.element_type)
        if prod(shape) * dtype.itemsize == array.nbytes:
            data = array.reshape(-1).view(np.uint8).view(dtype).reshape(shape)
            table = op.properties if op.properties.get(key) is attribute else op.attributes
            table[key] = resource_attr(attribute.data.name, data)
            return
    fail("TW0711", f"expected a package that Module.save wrote, but '{path}' has no weights '{attribute.data.name}'")


def _manifest(files: Mapping[str, bytes | memoryview], known: Mapping[str, str]) -> bytes:
    from .. import __version__

    data = {
        "form": FORM,
        "version": VERSION,
        "made_by": f"tilewright {__version__}",
        "digests": {name: hashlib.sha256(data).hexdigest() for name, data in files.items()},
        "weights": dict(known),
    }
    return f"{json.dumps(data, indent=2)}\n".encode()


def _write(file: BinaryIO, files: Mapping[str, bytes | memoryview], params: Sequence[bytes | memoryview]) -> None:
    """Write a tar: the manifest first, the weights last."""
    with tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name in (MANIFEST, *(each for each in files if each != MANIFEST)):
            tar.addfile(_member(name, len(files[name])), io.BytesIO(files[name]))
        tar.addfile(_member(PARAMS, sum(map(len, params))), _Pieces(params))


def _member(name: str, size: int) -> tarfile.TarInfo:
    """Return a file of a package, without owner and time."""
    member = tarfile.TarInfo(name)
    member.size = size
    return member


class _Pieces(io.RawIOBase):
    """A readable file over several pieces of memory, without copying them."""

    def __init__(self, pieces: Sequence[bytes | memoryview]) -> None:
        self._pieces = [memoryview(piece) for piece in reversed(pieces) if len(piece)]

    def read(self, size: int = -1) -> bytes:
        taken: list[memoryview] = []
        while self._pieces and size != 0:
            piece = self._pieces.pop()
            if 0 < size < len(piece):
                self._pieces.append(piece[size:])
                piece = piece[:size]
            taken.append(piece)
            size -= len(piece) if size > 0 else 0
        return b"".join(taken)
