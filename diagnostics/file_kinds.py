"""Recognition of model files of other frameworks by their content, for messages that say how to convert them.

The suffix of a file is ambiguous: `.pb` is three formats, `.pt` is two. `kind_of` reads the first bytes, the names in
an archive, and the numbers of the first fields of a protocol buffer; nothing is unpacked, and no code of a file runs.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, NamedTuple, NoReturn
from zipfile import BadZipFile, ZipFile

from .errors import fail
from .text import printable

OTHER_KIND = "TW0261"
_HEAD = 4096
"""The number of bytes at the start of a file that are looked at."""
_MOST_FIELDS = 4096


class FileKind(NamedTuple):
    """A file format that is not supported, and the way to convert it."""

    what: str
    """A noun phrase."""
    remedy: str
    """The way to a model that is read, `{}` being the file."""


_TORCH = "torch.onnx.export(module, example_inputs, 'model.onnx')"
_KERAS = "keras.saving.load_model('{}').export('model.onnx', format='onnx')"

KINDS: dict[str, FileKind] = {
    "torchscript": FileKind("a TorchScript program of PyTorch", f"write the module it was made of with {_TORCH}"),
    "torch": FileKind(
        "a pickle of PyTorch, weights or a module", f"load it into its module in PyTorch, and write that with {_TORCH}"
    ),
    "pt2": FileKind(
        "an exported program of PyTorch",
        "write it with torch.onnx.export(torch.export.load('{}'), f='model.onnx', dynamo=True)",
    ),
    "pickle": FileKind(
        "a pickle of Python", f"load it in the program that wrote it; a module of PyTorch is written with {_TORCH}"
    ),
    "keras": FileKind("a model of Keras", f"write it with {_KERAS}"),
    "hdf5": FileKind("an HDF5 file, as Keras saves models", f"write it with {_KERAS}"),
    "savedmodel": FileKind(
        "a SavedModel of TensorFlow", "python -m tf2onnx.convert --saved-model {folder} --output model.onnx"
    ),
    "graphdef": FileKind(
        "a GraphDef of TensorFlow",
        "python -m tf2onnx.convert --graphdef {} --inputs X:0 --outputs Y:0 --output model.onnx",
    ),
    "tflite": FileKind("a model of TensorFlow Lite", "python -m tf2onnx.convert --tflite {} --output model.onnx"),
    "ort": FileKind("a model in the format of ONNX Runtime", "give the .onnx file that it was made of"),
    "gguf": FileKind(
        "weights of llama.cpp (GGUF), without a graph",
        "export the model that they are from: optimum-cli export onnx --model NAME FOLDER",
    ),
    "safetensors": FileKind(
        "weights (safetensors), without a graph",
        "give the .mlir or .onnx file that they belong to, or load them into their module in PyTorch and write that "
        f"with {_TORCH}",
    ),
    "npz": FileKind("an archive of numpy's arrays, no model", "arrays are inputs: tilewright run MODEL --input {}"),
    "npy": FileKind(
        "an array of numpy, no model",
        "arrays are inputs: write them by name with numpy.savez, for tilewright run MODEL --input X.npz",
    ),
    "onnx": FileKind("an ONNX model", "import it, from a name that ends in .onnx: tilewright import {}"),
    "tensor": FileKind("a tensor of ONNX, no model", "read it with onnx.load_tensor and numpy.savez, for --input"),
    "bytecode": FileKind("MLIR bytecode", "write it as text: mlir-opt {} -o model.mlir"),
    "bitcode": FileKind("LLVM bitcode", "tilewright reads programs before LLVM: give the model or its IR"),
    "elf": FileKind("a library or a program of the system", "tilewright.load_module reads saved programs, named .so"),
    "webassembly": FileKind("a module of WebAssembly", "run it in a browser or another engine, as examples/web does"),
    "gzip": FileKind("a file compressed by gzip", "unpack it first: gunzip {}"),
    "bzip2": FileKind("a file compressed by bzip2", "unpack it first: bunzip2 {}"),
    "xz": FileKind("a file compressed by xz", "unpack it first: unxz {}"),
    "zstd": FileKind("a file compressed by zstd", "unpack it first: unzstd {}"),
    "tar": FileKind("a tar archive", "unpack it first: tar xf {}"),
    "zip": FileKind("a zip archive", "unpack it first, and give the model in it"),
    "lfs": FileKind("a pointer of Git LFS, not the file itself", "fetch the file: git lfs pull"),
    "html": FileKind("a page of HTML", "download the file itself, not the page about it"),
    "xml": FileKind("an XML file, as OpenVINO writes models", "give the ONNX model that it was made of"),
    "utf16": FileKind("text in UTF-16", "write it as UTF-8: iconv -f UTF-16 -t UTF-8 {}"),
    "folder of weights": FileKind(
        "a checkpoint of a model, weights without a graph", "optimum-cli export onnx --model {} FOLDER"
    ),
}
"""All kinds by the names that recognisers give."""

OBJECTS: dict[str, FileKind] = {
    "torch": FileKind("an object of PyTorch", f"write it with {_TORCH}, and give the file"),
    "keras": FileKind("an object of Keras", "write it with model.export('model.onnx', format='onnx')"),
    "tensorflow": FileKind("an object of TensorFlow", "write it with tf2onnx, and give the file"),
    "jax": FileKind("an object of JAX", "write it with jax2onnx, or by way of TensorFlow with tf2onnx"),
    "flax": FileKind("an object of Flax", "write it with jax2onnx, or by way of TensorFlow with tf2onnx"),
    "sklearn": FileKind("an object of scikit-learn", "write it with skl2onnx, and give the file"),
    "onnxruntime": FileKind("a session of ONNX Runtime", "give the .onnx file that it was made of"),
}
"""Models of other libraries by the name of the package that their class is from."""

_MAGIC: Sequence[tuple[int, bytes, str]] = (
    (0, b"GGUF", "gguf"),
    (0, b"\x89HDF\r\n\x1a\n", "hdf5"),
    (512, b"\x89HDF\r\n\x1a\n", "hdf5"),
    (4, b"TFL3", "tflite"),
    (4, b"ORTM", "ort"),
    (0, b"\x93NUMPY", "npy"),
    (0, b"ML\xefR", "bytecode"),
    (0, b"BC\xc0\xde", "bitcode"),
    (0, b"\x7fELF", "elf"),
    (0, b"\0asm", "webassembly"),
    (0, b"\x1f\x8b", "gzip"),
    (0, b"BZh", "bzip2"),
    (0, b"\xfd7zXZ\x00", "xz"),
    (0, b"\x28\xb5\x2f\xfd", "zstd"),
    (257, b"ustar", "tar"),
    (0, b"version https://git-lfs.github.com/spec/", "lfs"),
    (0, b"\xff\xfe", "utf16"),
    (0, b"\xfe\xff", "utf16"),
    (0, b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19.", "torch"),
)
"""Bytes that stand at a position of every file of a kind."""


def kind_of(content: BinaryIO | bytes) -> str | None:
    """Return the name in `KINDS` of a file by its content; None for text, for IR, and for a file of no known kind."""
    stream = BytesIO(content) if isinstance(content, bytes) else content
    stream.seek(0)
    head = stream.read(_HEAD)
    found = next((name for at, magic, name in _MAGIC if head.startswith(magic, at)), None)
    if found is None:
        found = next(filter(None, (recognise(head, stream) for recognise in _RECOGNISERS)), None)
    stream.seek(0)
    return found


def kind_of_folder(folder: Path) -> str | None:
    """Return the name in `KINDS` of a folder by its contents."""
    try:
        names = sorted(entry.name for entry in os.scandir(folder))
    except OSError:
        return None
    if "saved_model.pb" in names:
        return "savedmodel"
    is_checkpoint = "config.json" in names and any(n.endswith((".safetensors", ".bin", ".gguf", ".pt")) for n in names)
    return "folder of weights" if is_checkpoint else None


def fail_as(kind: str, path: str) -> NoReturn:
    """Raise TilewrightError TW0261 for a file of that kind."""
    what, remedy = KINDS[kind]
    parent = str(Path(path).parent) if path.endswith(".pb") else path
    help = remedy.replace("{}", path).replace("{folder}", parent)
    fail(OTHER_KIND, f"'{printable(path)}' is {what}, which is not read here", help=help)


def check_object(model: object) -> None:
    """Raise TilewrightError TW0261 for a model that is an object of another library."""
    for each in type(model).__mro__:
        library = each.__module__.partition(".")[0]
        if library in OBJECTS:
            what, remedy = OBJECTS[library]
            fail(OTHER_KIND, f"the model is {what} ({type(model).__name__}), which is not read here", help=remedy)


def _markup(head: bytes, stream: BinaryIO) -> str | None:
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:256].lower()
    if start.startswith((b"<!doctype html", b"<html")):
        return "html"
    return "xml" if start.startswith(b"<?xml") else None


def _archive(head: bytes, stream: BinaryIO) -> str | None:
    """Recognize a zip archive by the names in it."""
    if not head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return None
    try:
        stream.seek(0)
        names = ZipFile(stream).namelist()
    except (BadZipFile, OSError, ValueError, NotImplementedError):
        names = []
    last = {name.rpartition("/")[2] for name in names}
    if "serialized_exported_program.json" in last or any("models/" in n and n.endswith(".json") for n in names):
        return "pt2"
    if "constants.pkl" in last:
        return "torchscript"
    if "data.pkl" in last:
        return "torch"
    if "config.json" in last and "metadata.json" in last:
        return "keras"
    return "npz" if names and all(name.endswith(".npy") for name in names) else "zip"


def _pickled(head: bytes, stream: BinaryIO) -> str | None:
    """Recognize a pickle of protocol 2 to 5: its end, a dot, is not looked for."""
    is_pickle = len(head) > 2 and head[0] == 0x80 and 2 <= head[1] <= 5
    return None if not is_pickle else "torch" if b"torch" in head else "pickle"


def _weights(head: bytes, stream: BinaryIO) -> str | None:
    """Recognize a safetensors file: the length of a header in JSON, and the header, which names tensors with their
    types."""
    size = int.from_bytes(head[:8], "little")
    if len(head) < 10 or head[8:9] != b"{" or not 2 <= size <= 100 << 20:
        return None
    stream.seek(8)
    try:
        header = json.loads(stream.read(size))
    except ValueError:
        return "safetensors" if b'"data_offsets"' in head else None
    entries = [entry for name, entry in header.items() if name != "__metadata__"]
    return "safetensors" if all(isinstance(e, dict) and "data_offsets" in e for e in entries) else None


def _message(head: bytes, stream: BinaryIO) -> str | None:
    """Recognize a protocol buffer by the numbers and types of its first fields."""
    fields = list(_fields(stream))
    if not fields:
        return None
    kinds = {(number, wire) for number, wire, _ in fields}
    first = next((payload for number, wire, payload in fields if (number, wire) == (2, _LEN)), b"")
    if (1, _VARINT) in kinds and ((7, _LEN) in kinds or (8, _LEN) in kinds) and (2, _VARINT) not in kinds:
        return "onnx"
    if fields[0][:2] == (1, _VARINT) and kinds <= {(1, _VARINT), (2, _LEN)} and first.startswith(b"\x0a"):
        return "savedmodel"
    if (2, _VARINT) in kinds and kinds <= {(1, _VARINT), (1, _LEN), (2, _VARINT), (8, _LEN), (9, _LEN)}:
        return "tensor"
    node = fields[0][2] if fields[0][:2] == (1, _LEN) else b""
    inner = [(number, wire) for number, wire, _ in _fields(BytesIO(node))]
    return "graphdef" if inner[:2] == [(1, _LEN), (2, _LEN)] and kinds <= {(k, _LEN) for k in (1, 2, 4)} else None


_VARINT, _LEN = 0, 2
"""The wire types of a field of a protocol buffer: a number, and bytes behind their length."""


def _fields(stream: BinaryIO) -> Iterator[tuple[int, int, bytes]]:
    """Yield number, wire type and first bytes of each field; none where the content is no protocol buffer."""
    stream.seek(0, os.SEEK_END)
    end = stream.tell()
    stream.seek(0)
    found: list[tuple[int, int, bytes]] = []
    while stream.tell() < end and len(found) < _MOST_FIELDS:
        tag = _varint(stream)
        number, wire = (tag or 0) >> 3, (tag or 0) & 7
        size = _varint(stream) if wire in (_VARINT, _LEN) else {1: 8, 5: 4}.get(wire)
        if not number or size is None:
            return
        payload = b""
        if wire != _VARINT:
            start = stream.tell()
            payload = stream.read(min(size, _HEAD))
            stream.seek(min(start + size, end))
        found.append((number, wire, payload))
    yield from found


def _varint(stream: BinaryIO) -> int | None:
    """Return the number at the position of the stream; None where there is none."""
    value = 0
    for shift in range(0, 70, 7):
        byte = stream.read(1)
        if not byte:
            return None
        value |= (byte[0] & 0x7F) << shift
        if byte[0] < 0x80:
            return value
    return None


_RECOGNISERS: Sequence[Callable[[bytes, BinaryIO], str | None]] = (_markup, _archive, _pickled, _weights, _message)
"""Functions of a file's first bytes and of the file, for kinds without a fixed beginning."""
