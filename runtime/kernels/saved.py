"""Programs of kernels in a file: PTX that any tool of CUDA reads, and in its comments all that calls take.

`x.ptx` begins with a list of the launches (`//*`), for people who call the kernels from programs of their own. Behind
the PTX come the lines

    //! tilewright kernels 4
    //! { ... }                    the functions, their arguments, buffers and launches, as JSON
    //| from numba import cuda     the kernels' source, for the simulator
    //! sha256 ...                 of all lines before this one

Constants lie beside it in `x.safetensors`, whose digest is part of the JSON. Both files are written whole or not at
all, the constants first.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NoReturn

from ..buffers import Array, aligned
from ..checked_call import CheckedCall
from ..description import (
    MALFORMED,
    decode_dimension,
    decode_signature,
    encode_dimension,
    encode_signature,
    read_check,
    read_count,
    read_dtype,
    read_text,
)
from ..errors import fail
from ..files import read_bytes, write_file
from ..function import Function
from ..module import Module
from ..tensor_files import DamagedTensorFile, arrays_of, pieces_of
from .device_call import DeviceCall
from .device_program import DeviceProgram
from .program import Buffer, Entry, Launch, Program, Shape

_VERSION = 4
_MARK = "//! tilewright kernels "
_HEAD, _DATA, _SOURCE, _SEAL = "//* ", "//! ", "//| ", "//! sha256 "


def save_kernels(path: Path, program: Program, ptx: str) -> None:
    """Write a program to a file that ends in .ptx. Raises TW0204 where that is impossible."""
    digest = _save_constants(path, program) if program.constants else None
    data = {
        "arch": program.arch,
        "max_threads": program.max_threads,
        "constants": [[c.dtype.name, c.size] for c in program.constants],
        "digest": digest,
        "source_name": program.path.name,
        "checks": program.checks,
        "entries": [_encode_entry(entry) for entry in program.entries],
    }
    lines = [*_list_of_launches(path, program), ptx.rstrip("\n"), f"{_MARK}{_VERSION}"]
    lines += [_DATA + line for line in json.dumps(data, indent=1).splitlines()]
    lines += [_SOURCE + line for line in program.source.splitlines()]
    text = ("\n".join(lines) + "\n").encode()
    write_file(path, text + f"{_SEAL}{hashlib.sha256(text).hexdigest()}\n".encode())


def _save_constants(path: Path, program: Program) -> str:
    """Write the constants beside a program; their digest."""
    data = b"".join(pieces_of({f"constant{n}": c for n, c in enumerate(program.constants)}))
    write_file(path.with_suffix(".safetensors"), data)
    return hashlib.sha256(data).hexdigest()


def _list_of_launches(path: Path, program: Program) -> list[str]:
    """The launches of each function, for people."""
    lines = [f'tilewright.load_module("{path.name}") runs these kernels. What it launches:', ""]
    for entry in program.entries:
        lines.append(f"{entry.name}{entry.signature}")
        names = [_buffer_name(entry, n) for n in range(len(entry.buffers))]
        for launch in entry.launches:
            passed = ", ".join(p if isinstance(p, str) else names[p] for p in launch.parameters)
            numbers = ", ".join(f"({', '.join(map(str, s))})" for s in (launch.blocks, launch.threads))
            lines.append(f"  {launch.kernel}<<<{numbers}, {launch.dynamic_shared}>>>({passed})")
    lines += ["", "An array is passed as seven words: 0, 0, elements, bytes of one, address, elements, bytes of one."]
    return [f"{_HEAD}{line}" for line in lines]


def _buffer_name(entry: Entry, number: int) -> str:
    buffer = entry.buffers[number]
    if buffer.kind == "argument":
        return entry.signature.arguments[buffer.number].name
    return f"{buffer.kind}{buffer.number if buffer.kind == 'constant' else number}"


def _encode_entry(entry: Entry) -> dict[str, Any]:
    return {
        "name": entry.name,
        **encode_signature(entry.signature),
        "sizes": entry.sizes,
        "buffers": [
            [b.kind, b.dtype.name, b.number, [encode_dimension(e) for e in b.extents], b.offset] for b in entry.buffers
        ],
        "launches": [_encode_launch(launch) for launch in entry.launches],
        "alignments": entry.alignments,
    }


def _encode_launch(launch: Launch) -> dict[str, Any]:
    return {
        "kernel": launch.kernel,
        "label": launch.label,
        "parameters": launch.parameters,
        "blocks": [encode_dimension(d) for d in launch.blocks],
        "threads": [encode_dimension(d) for d in launch.threads],
        "shared": launch.shared,
    }


# Reading


@dataclass(frozen=True)
class SavedKernels:
    """What a module of loaded kernels was made from."""

    type_key: ClassVar[str] = "cuda"

    program: Program
    ptx: str

    def get_source(self, kind: str = "cuda-python") -> str:
        """The source of the kernels as "cuda-python", or their "ptx". Raises TW0209 for another kind."""
        if kind in ("cuda-python", "cuda", "python", "llvm"):  # the last is the default of `Module.get_source`
            return self.program.source
        if kind != "ptx":
            fail("TW0209", f"expected cuda-python or ptx of loaded kernels, but got '{kind}'")
        return self.ptx

    source = get_source

    def save(self, path: Path) -> None:
        """Write the program to a file that ends in .ptx, or its source to one in .py."""
        if path.suffix == ".ptx":
            save_kernels(path, self.program, self.ptx)
        elif path.suffix == ".py":
            write_file(path, self.program.source.encode())
        else:
            fail("TW0614", f"expected a file name that ends in .ptx or .py for loaded kernels, but got '{path}'")


def load_kernels(
    path: str | Path, copy: bool = False, simulated: Callable[[Entry, Program], CheckedCall] | None = None
) -> Module:
    """The module that `Module.save` wrote to a file of kernels. They run on a GPU, or as `simulated` makes calls of
    functions.

    Raises TilewrightError TW0204 where a file cannot be read, TW0711 where it is no such file, or damaged.
    """
    path = Path(path).resolve()
    program, ptx = _read(path)
    calls: dict[str, CheckedCall]
    if simulated is not None:
        calls = {entry.name: simulated(entry, program) for entry in program.entries}
    else:
        shared = DeviceProgram(program, lambda: ptx)
        calls = {entry.name: DeviceCall(entry, shared, copy) for entry in program.entries}
    code = SavedKernels(program, ptx)
    return Module({name: Function(call) for name, call in calls.items()}, code, [code])


def _read(path: Path) -> tuple[Program, str]:
    """A program and its PTX."""
    text, seal, digest = read_bytes(path).rpartition(_SEAL.encode())
    if not seal or f"\n{_MARK}".encode() not in text:
        _refuse(path, "it was not saved by this project, or is cut short")
    if hashlib.sha256(text).hexdigest().encode() != digest.strip():
        _refuse(path, "it is damaged")
    ptx, _, rest = _as_text(path, text).rpartition(f"\n{_MARK}")
    ptx = "".join(line for line in ptx.splitlines(keepends=True) if not line.startswith(_HEAD))
    version, *lines = rest.splitlines()
    if version != str(_VERSION):
        _refuse(path, f"its form has version {version}, but this is version {_VERSION}")
    source = "\n".join(line.removeprefix(_SOURCE) for line in lines if line.startswith(_SOURCE)) + "\n"
    try:
        data = json.loads("\n".join(line.removeprefix(_DATA) for line in lines if line.startswith(_DATA)))
        entries = tuple(_decode_entry(entry) for entry in data["entries"])
        constants = _constants(path, data)
        name = path.with_name(read_text(data["source_name"]))
        arch, threads = read_text(data["arch"]), read_count(data["max_threads"])
        checks = tuple(map(read_check, data["checks"]))
        return Program(entries, source, name, arch, threads, constants, checks), ptx + "\n"
    except MALFORMED as error:
        _refuse(path, f"its description is malformed ({error})")


def _as_text(path: Path, data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        _refuse(path, "it is not UTF-8 text")


def _refuse(path: Path, why: str) -> NoReturn:
    fail("TW0711", f"expected kernels that Module.save wrote, but '{path}' cannot be used: {why}")


def _constants(path: Path, data: Mapping[str, Any]) -> tuple[Array, ...]:
    """The constants beside a program."""
    if not data["constants"]:
        return ()
    beside = path.with_suffix(".safetensors")
    if not beside.exists():
        _refuse(path, f"its constants are missing: {beside.name}")
    content = read_bytes(beside)
    if hashlib.sha256(content).hexdigest() != data["digest"]:
        _refuse(path, f"{beside.name} holds the constants of another program, or is damaged")
    try:
        found = arrays_of(content)
    except DamagedTensorFile as error:
        _refuse(path, f"{beside.name}: {error}")
    arrays = [aligned(found[f"constant{n}"]) for n in range(len(data["constants"]))]
    if [[a.dtype.name, a.size] for a in arrays] != data["constants"]:
        _refuse(path, f"{beside.name} holds other constants")
    return tuple(arrays)


def _decode_entry(data: Mapping[str, Any]) -> Entry:
    signature = decode_signature(data)
    arguments = signature.arguments
    sizes = tuple((read_text(name), read_count(n), d if d == -1 else read_count(d)) for name, n, d in data["sizes"])
    for _, argument, dimension in sizes:
        arguments[argument].shape[dimension]
    buffers = tuple(map(_decode_buffer, data["buffers"]))
    for buffer in buffers:
        if buffer.number >= {"argument": len(arguments), "view": len(buffers)}.get(buffer.kind, buffer.number + 1):
            raise ValueError(f"expected the number of an argument or buffer, but got {buffer.number}")
    launches = tuple(_decode_launch(launch, len(buffers), {name for name, *_ in sizes}) for launch in data["launches"])
    alignments = tuple(read_count(n, 1) for n in data["alignments"])
    if len(alignments) != len(arguments):
        raise ValueError(f"expected an alignment for each of {len(arguments)} arguments")
    return Entry(read_text(data["name"]), signature, sizes, buffers, launches, alignments)


def _decode_buffer(data: Any) -> Buffer:
    kind, dtype, number, extents, offset = data
    if kind not in ("argument", "temporary", "constant", "view", "record"):
        raise ValueError(f"expected a kind of buffer, but got {kind!r}")
    shape = tuple(map(decode_dimension, extents))
    return Buffer(kind, read_dtype(dtype), read_count(number), shape, read_count(offset))


def _decode_launch(data: Mapping[str, Any], buffers: int, sizes: set[str]) -> Launch:
    blocks, threads = _shape(data["blocks"]), _shape(data["threads"])
    parameters = tuple(p if isinstance(p, str) else read_count(p) for p in data["parameters"])
    for parameter in parameters:
        if parameter not in sizes if isinstance(parameter, str) else parameter >= buffers:
            raise ValueError(f"expected a buffer or a size, but got {parameter!r}")
    kernel, label, shared = read_text(data["kernel"]), read_text(data["label"]), read_count(data["shared"])
    return Launch(kernel, label, parameters, blocks, threads, shared)


def _shape(data: Any) -> Shape:
    x, y, z = map(decode_dimension, data)
    return x, y, z
