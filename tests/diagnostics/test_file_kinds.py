"""Files, folders and objects of other programs: recognised by their content, and answered with what to do."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import pickle
import struct
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnx.parser
import pytest
import tilewright
from tilewright import TilewrightError
from tilewright.diagnostics.file_kinds import KINDS, OBJECTS, kind_of
from tilewright.tools import cli, opt

ROOT = Path(__file__).resolve().parents[2]
MODEL = onnx.parser.parse_model(
    '<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] y) { y = Relu(x) }'
)


def zipped(*names: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in names:
            archive.writestr(name, "content")
    return stream.getvalue()


def field(number: int, payload: bytes | int) -> bytes:
    """Return a field of a protocol buffer, shorter than 128 bytes."""
    if isinstance(payload, int):
        return bytes([number << 3, payload])
    return bytes([number << 3 | 2, len(payload)]) + payload


def tarred() -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("model.onnx"), io.BytesIO())
    return stream.getvalue()


def saved(save: Callable[..., None], *args: Any, **named: Any) -> bytes:
    stream = io.BytesIO()
    save(stream, *args, **named)
    return stream.getvalue()


def safetensors() -> bytes:
    header = json.dumps({"w": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}).encode()
    return struct.pack("<Q", len(header)) + header + b"\0\0\0\0"


NODE = field(1, b"MatMul_1") + field(2, b"MatMul") + field(3, b"x")
FILES: dict[str, list[tuple[str, bytes]]] = {
    "torchscript": [("m.pt", zipped("m/data.pkl", "m/constants.pkl", "m/code/__torch__.py", "m/version"))],
    "torch": [
        ("m.pth", zipped("archive/data.pkl", "archive/data/0", "archive/version")),
        ("m.bin", b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.\x80\x02M\xe9\x03."),
        ("old.pt", b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\nq\x00."),
    ],
    "pt2": [
        ("m.pt2", zipped("m/models/model.json", "m/archive_format", "m/data/weights/model.pt")),
        ("n.pt2", zipped("serialized_exported_program.json", "version")),
    ],
    "pickle": [("m.pkl", pickle.dumps({"a": 1}, protocol=p)) for p in (2, 4, 5)],
    "keras": [("m.keras", zipped("metadata.json", "config.json", "model.weights.h5"))],
    "hdf5": [("m.h5", b"\x89HDF\r\n\x1a\n" + bytes(100)), ("n.h5", bytes(512) + b"\x89HDF\r\n\x1a\n" + bytes(9))],
    "savedmodel": [("saved_model.pb", field(1, 1) + field(2, field(1, field(5, b"serve")) + field(2, field(1, NODE))))],
    "graphdef": [("frozen.pb", field(1, NODE) + field(1, NODE) + field(4, field(1, 21)))],
    "tflite": [("m.tflite", b"\x1c\0\0\0TFL3" + bytes(40))],
    "ort": [("m.ort", b"\x18\0\0\0ORTM" + bytes(40))],
    "gguf": [("m.gguf", b"GGUF" + struct.pack("<IQQ", 3, 0, 0))],
    "safetensors": [("m.safetensors", safetensors())],
    "npz": [("x.npz", saved(np.savez, x=np.zeros(3)))],
    "npy": [("x.npy", saved(np.save, np.zeros(3)))],
    "onnx": [("m.pb", MODEL.SerializeToString()), ("m", MODEL.SerializeToString())],
    "tensor": [("input_0.pb", onnx.numpy_helper.from_array(np.zeros((2, 3), np.float32), "x").SerializeToString())],
    "bytecode": [("m.mlirbc", b"ML\xefR\x0dMLIR\0")],
    "bitcode": [("m.bc", b"BC\xc0\xde\x35\x14\0\0")],
    "elf": [("m.o", b"\x7fELF\x02\x01\x01" + bytes(60))],
    "webassembly": [("m.wasm", b"\0asm\1\0\0\0")],
    "gzip": [("m.onnx.gz", gzip.compress(MODEL.SerializeToString()))],
    "bzip2": [("m.bz2", bz2.compress(b"model"))],
    "xz": [("m.xz", lzma.compress(b"model"))],
    "zstd": [("m.zst", b"\x28\xb5\x2f\xfd\x20\x05" + bytes(8))],
    "tar": [("m.tar", tarred())],
    "zip": [("m.zip", zipped("model.onnx", "labels.txt")), ("cut.zip", zipped("a", "b")[:40])],
    "lfs": [("m.lfs", b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n")],
    "html": [("m.html", b"\n<!DOCTYPE html><html></html>"), ("n.html", b"<html><body>Sign in</body></html>")],
    "xml": [("m.xml", b'<?xml version="1.0"?>\n<net name="m"></net>')],
    "utf16": [("m.txt", "func.func".encode("utf-16"))],
}
FOLDERS: dict[str, tuple[str, ...]] = {
    "savedmodel": ("saved_model.pb", "fingerprint.pb"),
    "folder of weights": ("config.json", "model.safetensors"),
}


def reported(capsys: pytest.CaptureFixture[str], main: Callable[[list[str]], int], *words: object) -> str:
    status = main([str(word) for word in words])
    out, err = capsys.readouterr()
    assert (status, out) == (1, ""), (words, out, err)
    return err


def test_every_kind_on_every_road(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One error, which says what the file is and what to do, whatever the file is called and whoever reads it."""
    assert {*FILES, *FOLDERS} == set(KINDS)
    for kind, files in FILES.items():
        what, remedy = KINDS[kind]
        for name, content in files:
            assert kind_of(content) == kind, name
            for called in (name, "given.onnx", "given.mlir"):
                if kind == "onnx" and called == "given.onnx":
                    continue
                path = tmp_path / called
                path.write_bytes(content)
                expected = f"error[TW0261]: '{path}' is {what}, which is not read here\nhelp: {remedy.split('{')[0]}"
                roads = [
                    (cli.main, "compile", path),
                    (cli.main, "import", path, "-o", tmp_path / "out.mlir"),
                    (cli.main, "run", path),
                    (opt.main, path),
                ]
                for main, *words in roads[:1] if name != called else roads:
                    if words[0] == "import" and path.suffix != ".onnx":
                        continue  # import reads ONNX only, and says so of other names as of these
                    assert reported(capsys, main, *words).startswith(expected), (kind, words)
                with pytest.raises(TilewrightError) as caught:
                    tilewright.compile(path)
                assert str(caught.value).startswith(expected), kind
                path.unlink()
    assert not (tmp_path / "out.mlir").exists()


def test_import_of_every_kind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for kind, files in FILES.items():
        for name, content in files:
            if kind == "onnx":
                continue
            path = tmp_path / name
            path.write_bytes(content)
            message = reported(capsys, cli.main, "import", path, "-o", tmp_path / "out.mlir")
            assert message.startswith(f"error[TW0261]: '{path}' is {KINDS[kind].what}"), (name, message)


def test_bytes_of_every_kind() -> None:
    for kind, files in FILES.items():
        for name, content in files:
            if kind in ("onnx", "lfs", "html", "xml"):
                continue  # a model, and text
            with pytest.raises(TilewrightError) as caught:
                tilewright.compile(content)
            assert caught.value.code in ("TW0261", "TW0301", "TW0101"), (name, caught.value)


def test_folders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for kind, names in FOLDERS.items():
        folder = tmp_path / kind.replace(" ", "_")
        folder.mkdir()
        for name in names:
            (folder / name).touch()
        for main, *words in ((cli.main, "compile"), (cli.main, "import"), (cli.main, "run"), (opt.main,)):
            message = reported(capsys, main, *words, folder)
            assert message.startswith(f"error[TW0261]: '{folder}' is {KINDS[kind].what}"), message
        with pytest.raises(TilewrightError, match="TW0261"):
            tilewright.compile(folder)
    message = reported(capsys, cli.main, "run", tmp_path)
    assert message.startswith(f"error[TW0204]: cannot read '{tmp_path}': it is a folder\nhelp: name a regular file")
    for name in ("b.mlir", "a.onnx", "readme.txt"):
        (tmp_path / name).touch()
    message = reported(capsys, cli.main, "run", tmp_path)
    assert message.endswith("it is a folder\nhelp: give one of the models in it: a.onnx, b.mlir\n")


def test_text_and_ir_are_no_other_kind(tmp_path: Path) -> None:
    """Whatever text begins with: the first bytes of a protocol buffer are characters, too."""
    for text in (
        "",
        "\n\n",
        "\n\n\nfunc.func",
        "PK",
        "GG",
        "BZ",
        "{}",
        "<x>",
        "// café",
        "\t",
        "(",
        "0123456789" * 500,
    ):
        assert kind_of(text.encode()) is None, text
    for path in [*(ROOT / "lit").rglob("*.mlir"), *(ROOT / "examples").rglob("*.py")]:
        assert kind_of(path.read_bytes()) is None, path


def test_truncated_and_odd_files() -> None:
    """Any beginning of a file gives an answer, never an exception."""
    for files in FILES.values():
        for _, content in files:
            for end in range(min(len(content), 80)):
                kind_of(content[:end])
    rng = np.random.default_rng(0)
    for _ in range(300):
        kind_of(rng.bytes(int(rng.integers(0, 60))))
    for start in (b"\x0a", b"\x08\x01\x12", b"\x80\x04", b"\x02\0\0\0\0\0\0\0{}"):
        for _ in range(100):
            kind_of(start + rng.bytes(20))


def test_objects_of_other_libraries() -> None:
    for library, (what, remedy) in OBJECTS.items():
        base = type("Module", (), {"__module__": f"{library}.nn"})
        mine = type("Mine", (base,), {"__module__": "mine"})
        with pytest.raises(TilewrightError) as caught:
            tilewright.compile(mine())
        assert caught.value.code == "TW0261" and what in caught.value.message and caught.value.help == remedy


def test_a_mark_of_the_byte_order_and_ends_of_lines_of_windows(tmp_path: Path) -> None:
    path = tmp_path / "m.mlir"
    text = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\r\n  func.return %x : tensor<2xf32>\r\n}\r\n"
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    x = np.ones(2, np.float32)
    np.testing.assert_array_equal(tilewright.compile(path)(x), x)
    path.write_bytes(text.encode("latin1") + b"// caf\xe9")
    with pytest.raises(TilewrightError, match=r"TW0204.*has the byte 0xe9 at \d+"):
        tilewright.compile(path)


def test_the_page_lists_all_kinds() -> None:
    page = (ROOT / "docs" / "commands.md").read_text()
    assert [kind.what for kind in KINDS.values() if kind.what not in " ".join(page.split())] == []
