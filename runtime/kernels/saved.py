"""Programs of kernels in a file: PTX that any CUDA tool reads, with the description of the program in its comments.

`x.ptx` begins with a list of the launches (`//*`), for users who call the kernels from other programs. The PTX is
followed by the lines

    //! tilewright kernels 4
    //! { ... }                    the functions, their arguments, buffers and launches, as JSON
    //| from numba import cuda     the kernels' source, for the simulator
    //! sha256 ...                 of all lines before this one

Constants lie beside it in `x.safetensors`, whose digest is part of the JSON. Both files are written whole or not at
all, the constants first. A library of kernels has the same text in its description, and its constants as other
libraries have (`runtime.description`).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, NoReturn

from ..buffers import Array, aligned
from ..checked_call import CheckedCall
from ..description import (
    MALFORMED,
    data_of,
    decode_dimension,
    decode_signature,
    encode_dimension,
    encode_signature,
    read_check,
    read_count,
    read_dtype,
    read_text,
)
from ..description import Entry as LibraryEntry
from ..errors import fail
from ..files import read_bytes, write_file
from ..function import Function
from ..integrity import Integrity
from ..module import Module
from ..tensor_files import DamagedTensorFile, arrays_of, pieces_of
from .device_call import DeviceCall
from .device_program import DeviceProgram
from .program import Buffer, Entry, Launch, LaunchProgram, Shape

FOREIGN_KERNELS = "TW0768"

_VERSION = 4
_MARK = "//! tilewright kernels "
_HEAD, _DATA, _SOURCE, _SEAL = "//* ", "//! ", "//| ", "//! sha256 "


def save_kernels(path: Path, program: LaunchProgram, ptx: str) -> None:
    """Write a program to a file that ends in .ptx. Raises TW0204 where that is impossible."""
    digest = _save_constants(path, program) if program.constants else None
    write_file(path, kernels_text(path.name, program, ptx, digest).encode())


def kernels_text(name: str, program: LaunchProgram, ptx: str, digest: str | None = None) -> str:
    """Return the text of a program that a file of that name has; `digest` is that of a file of its constants."""
    data = {
        "arch": program.arch,
        "max_threads": program.max_threads,
        "constants": [[c.dtype.name, c.size] for c in program.constants],
        "digest": digest,
        "source_name": program.path.name,
        "checks": program.checks,
        "entries": [_encode_entry(entry) for entry in program.entries],
    }
    lines = [*_list_of_launches(name, program), ptx.rstrip("\n"), f"{_MARK}{_VERSION}"]
    lines += [_DATA + line for line in json.dumps(data, indent=1).splitlines()]
    lines += [_SOURCE + line for line in program.source.splitlines()]
    text = "\n".join(lines) + "\n"
    return f"{text}{_SEAL}{hashlib.sha256(text.encode()).hexdigest()}\n"


def _save_constants(path: Path, program: LaunchProgram) -> str:
    """Write the constants beside a program; their digest."""
    data = b"".join(pieces_of({f"constant{n}": c for n, c in enumerate(program.constants)}))
    write_file(path.with_suffix(".safetensors"), data)
    return hashlib.sha256(data).hexdigest()


def _list_of_launches(name: str, program: LaunchProgram) -> list[str]:
    """Return the launches of each function, for people."""
    lines = [f'tilewright.load_module("{name}") runs these kernels. What it launches:', ""]
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
class KernelCalls:
    """The factory of calls of loaded kernels: on a GPU, where `copy` lets arrays of the host be copied to it and back,
    or by `simulated`."""

    copy: bool = False
    simulated: Callable[[Entry, LaunchProgram], CheckedCall] | None = None

    def of(self, shared: DeviceProgram) -> dict[str, CheckedCall]:
        """Return the calls of a program's functions, by name."""
        program = shared.program
        if self.simulated is not None:
            return {entry.name: self.simulated(entry, program) for entry in program.entries}
        return {entry.name: DeviceCall(entry, shared, self.copy) for entry in program.entries}


@dataclass(frozen=True)
class SavedKernels:
    """The kernels of a saved program, as a module's code."""

    type_key: ClassVar[str] = "cuda"

    program: LaunchProgram
    ptx: str = field(repr=False)
    integrity: Integrity = field(repr=False, compare=False)
    """Compares the constants with their digests."""

    def get_source(self, kind: str = "cuda-python") -> str:
        """Return the source of the kernels as "cuda-python", or their "ptx". Raises TW0209 for another kind."""
        if kind in ("cuda-python", "cuda", "python", "llvm"):  # the last is the default of `Module.get_source`
            return self.program.source
        if kind != "ptx":
            fail("TW0209", f"expected cuda-python or ptx of loaded kernels, but got '{kind}'")
        return self.ptx

    source = get_source

    def save(self, path: Path) -> None:
        """Write the program to a file that ends in .ptx, or its source to one in .py."""
        if path.suffix == ".ptx":
            self.integrity.check()
            save_kernels(path, self.program, self.ptx)
        elif path.suffix == ".py":
            write_file(path, self.program.source.encode())
        else:
            fail("TW0614", f"expected a file name that ends in .ptx or .py for loaded kernels, but got '{path}'")


def load_kernels(path: str | Path, calls: KernelCalls | None = None) -> Module:
    """Load the module that `Module.save` wrote to a file that ends in .ptx.

    Raises TilewrightError TW0204 where a file cannot be read, TW0711 where it is no such file, or damaged.
    """
    path = Path(path).resolve()
    program, ptx = read_kernels(path, read_bytes(path))
    return _module_of(SavedKernels(program, ptx, Integrity(str(path), ())), calls)


def kernels_of_library(
    path: Path,
    text: str,
    stated: Sequence[LibraryEntry],
    integrity: Integrity,
    calls: KernelCalls | None = None,
) -> Module:
    """Return the module of a library of kernels, from the text in its description and the entries that this has. Raises
    TilewrightError TW0711 where they are malformed or contradict each other."""
    program, ptx = read_kernels(path, text.encode("utf-8", "surrogatepass"), stated[0].constants)
    if [(entry.name, entry.signature) for entry in stated] != [(e.name, e.signature) for e in program.entries]:
        _refuse(path, "its description has other functions than its kernels")
    if calls is not None and calls.simulated is not None:
        integrity.check()
    return _module_of(SavedKernels(program, ptx, integrity), calls)


def _module_of(code: SavedKernels, calls: KernelCalls | None) -> Module:
    shared = DeviceProgram(code.program, lambda: code.ptx, code.integrity)
    made = (calls or KernelCalls()).of(shared)
    module = Module({name: Function(call) for name, call in made.items()}, code, [code])
    module.importer = _Importer(code, shared)
    return module


@dataclass(frozen=True)
class _Importer:
    """Adds the kernels of another file to a loaded program."""

    code: SavedKernels
    shared: DeviceProgram

    def __call__(self, module: Module, imported: Module) -> None:
        """Let `module` run the kernels of `imported`. Raises TilewrightError TW0768 where they are of another program,
        TW0711 where constants are damaged."""
        code = imported.code
        if not isinstance(code, SavedKernels):
            fail(
                FOREIGN_KERNELS,
                f"expected a module of kernels from a file, but got one of type '{imported.type_key}'",
                help="save the program's kernels as .ptx and load that file",
            )
        for each in (self.code, code):
            each.integrity.check()
        difference = _difference(self.code.program, code.program)
        if difference:
            fail(FOREIGN_KERNELS, f"expected kernels of the same program, but {difference}")
        self.shared.replace(code.program, code.ptx)
        module.code, module.imported_modules[:] = code, [code]
        module.origin.hold()  # pickles have these kernels, too


def _difference(program: LaunchProgram, other: LaunchProgram) -> str:
    """Return a description of the first difference that forbids the kernels of one program to serve the other; empty
    where there is none. Architectures may differ."""
    ours, theirs = ({entry.name: entry for entry in each.entries} for each in (program, other))
    if ours.keys() != theirs.keys():
        return f"they have functions {', '.join(theirs)} rather than {', '.join(ours)}"
    for name, entry in ours.items():
        if entry.signature != theirs[name].signature:
            return f"'{name}' takes {theirs[name].signature} there and {entry.signature} here"
        if entry != theirs[name]:
            return f"'{name}' has other buffers or launches there"
    if len(program.constants) != len(other.constants):
        return f"they have {len(other.constants)} constants rather than {len(program.constants)}"
    for number, (constant, found) in enumerate(zip(program.constants, other.constants)):
        if constant.dtype != found.dtype or data_of(constant) != data_of(found):
            return f"constant {number} has other values there"
    if (program.checks, program.max_threads) != (other.checks, other.max_threads):
        return "they have other checks or limits"
    lines = zip(program.source.splitlines(), other.source.splitlines())
    changed = next((found for line, found in lines if line != found), "")
    if program.source != other.source:
        return f"their source is another: {changed.strip() or 'it has more or fewer lines'}"
    return ""


def ptx_version(ptx: str) -> str:
    """Return the version of the language that PTX is in, as "9.0"; empty where it states none."""
    found = re.search(r"^\s*\.version\s+(\d+\.\d+)", ptx, re.M)
    return found[1] if found else ""


def read_kernels(path: Path, content: bytes, constants: Sequence[Array] | None = None) -> tuple[LaunchProgram, str]:
    """Return the program and its PTX in the content of a file. Its constants are `constants`, or lie in a file beside
    it.

    Raises TilewrightError TW0711 where it is not what `kernels_text` writes."""
    text, seal, digest = content.rpartition(_SEAL.encode())
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
        found = _constants_beside(path, data) if constants is None else constants
        if [[a.dtype.name, a.size] for a in found] != data["constants"]:
            _refuse(path, "its constants are those of another program")
        name = path.with_name(read_text(data["source_name"]))
        arch, threads = read_text(data["arch"]), read_count(data["max_threads"])
        checks = tuple(map(read_check, data["checks"]))
        return LaunchProgram(entries, source, name, arch, threads, tuple(found), checks), ptx + "\n"
    except MALFORMED as error:
        _refuse(path, f"its description is malformed ({error})")


def _as_text(path: Path, data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        _refuse(path, "it is not UTF-8 text")


def _refuse(path: Path, why: str) -> NoReturn:
    fail("TW0711", f"expected kernels that Module.save wrote, but '{path}' cannot be used: {why}")


def _constants_beside(path: Path, data: Mapping[str, Any]) -> list[Array]:
    """Return the constants in the file beside a program."""
    if not data["constants"]:
        return []
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
    return [aligned(found[f"constant{n}"]) for n in range(len(data["constants"]))]


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
