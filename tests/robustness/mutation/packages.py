"""Saved programs that are damaged, cut short, for another machine or of a newer form: refused, or bit-equal results.

The program is a small network, saved as a library with its constants inside, as one with them beside it, and as a
package. Damage is what storage, transfers, other versions and other machines do; whoever writes a wrong description of
code under a right seal can do anything (kind `library`, which only loads).
"""

from __future__ import annotations

import hashlib
import io
import json
import random
import struct
import tarfile
import tempfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import numpy as np

from .mutators import damaged_bytes

Files = dict[str, bytes]

_MACHINE_AT, _CLASS_AT, _ORDER_AT, _VERSION_AT = 18, 4, 5, 8
"""Positions in an ELF header, and of the version in the head of a description."""
_MACHINES = (0, 2, 3, 8, 21, 22, 40, 62, 183, 243, 258, 0xFFFF)


@cache
def _saved() -> Mapping[str, Files]:
    """Return the files of each form."""
    import tilewright
    from small_network import network

    found: dict[str, Files] = {}
    with tempfile.TemporaryDirectory() as name:
        program = tilewright.compile(network())
        for form, file, weights in (("inside", "p.so", "inside"), ("beside", "p.so", "beside"), ("tar", "p.tar", None)):
            folder = Path(name) / form
            folder.mkdir()
            program.save(folder / file, weights=weights)
            found[form] = {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".h"}
    return found


def _input() -> np.ndarray:
    return np.random.default_rng(0).standard_normal((1, 3, 16, 16), np.float32)


@cache
def _expected() -> bytes:
    """Return the program's output."""
    import tilewright
    from small_network import network

    return tilewright.compile(network()).run({"data": _input()})["scores"].tobytes()


def prepare() -> None:
    """Make what all trials share."""
    _saved(), _expected()


def write_damaged(random_: random.Random, folder: Path) -> str:
    """Write a program with one kind of damage; the kind."""
    files = dict(_saved()[random_.choice(sorted(_saved()))])
    kinds = _KINDS if "p.tar" in files else [kind for kind in _KINDS if kind not in (_members, _manifest)]
    kind = random_.choice(kinds)
    kind(random_, files)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    (folder / "expected").write_bytes(_expected())
    return kind.__name__.strip("_")


def run_package() -> None:
    """Load the program in this folder and run it, on one thread and on two."""
    from tilewright.runtime import load_module

    path = next(Path(name) for name in ("p.tar", "p.so") if Path(name).exists())
    program = load_module(path)
    expected = Path("expected").read_bytes()
    for threads in (1, 2, None):
        found = program.run({"data": _input()}, threads=threads)
        assert found["scores"].tobytes() == expected, "another result"


# Damage


def _corrupt(random_: random.Random, files: Files) -> None:
    """Change bytes of one file, anywhere or at one of its ends, where headers and seals are."""
    name = random_.choice(sorted(files))
    data = files[name]
    match random_.randrange(3):
        case 0:
            files[name] = damaged_bytes(random_, data)
        case 1:
            files[name] = damaged_bytes(random_, data[:4096]) + data[4096:]
        case _:
            files[name] = data[:-512] + damaged_bytes(random_, data[-512:])


def _truncated(random_: random.Random, files: Files) -> None:
    """Cut a file short, or remove it."""
    name = random_.choice(sorted(files))
    size = len(files[name])
    kept = random_.choice((0, 1, 63, 64, 511, 512, size - 1, size - 47, size - 48, size - 49, random_.randrange(size)))
    files[name] = files[name][: max(0, kept)]
    if not kept and len(files) > 1 and random_.random() < 0.5:
        del files[name]


def _foreign(random_: random.Random, files: Files) -> None:
    """Change a library to one for another machine, under a right seal."""

    def change(data: bytearray) -> None:
        match random_.randrange(4):
            case 0:
                data[_CLASS_AT] = 1  # 32 bits
            case 1:
                data[_ORDER_AT] = 2  # the most significant byte first
            case _:
                struct.pack_into("<H", data, _MACHINE_AT, random_.choice(_MACHINES))

    _change_library(files, change)


def _features(random_: random.Random, files: Files) -> None:
    """Put instruction sets that another machine has into a description of the same length."""

    def change(data: bytearray) -> None:
        at = data.index(b'"features": [') + len(b'"features": [')
        end = data.index(b"]", at)
        names = json.dumps(random_.sample(["sve2", "amx-fp16", "avx10.2-512", "zvfh", "xop", "fma4"], 2))[1:-1].encode()
        if len(names) <= end - at:
            data[at:end] = names.ljust(end - at)

    _change_library(files, change)


def _newer(random_: random.Random, files: Files) -> None:
    """Give the description the form of another version."""
    from tilewright.runtime.description import MAGIC, VERSION

    version = random_.choice((0, 1, VERSION - 1, VERSION + 1, VERSION + 2, 99, 2**31, 2**32 - 1))

    def change(data: bytearray) -> None:
        struct.pack_into("<I", data, data.index(MAGIC) + _VERSION_AT, version)

    _change_library(files, change)


def _manifest(random_: random.Random, files: Files) -> None:
    """Change the manifest to another version, or to one that states something else."""
    members = _members_of(files)
    manifest = json.loads(members["manifest.json"])
    match random_.randrange(6):
        case 0:
            manifest["version"] = random_.choice((0, 2, 99, "1", None, 1.5, [1]))
        case 1:
            manifest["form"] = random_.choice(("other package", "", None, 7))
        case 2:
            del manifest[random_.choice(sorted(manifest))]
        case 3:
            manifest["digests"][random_.choice(("mod.so", "mod.json", "../../x", "mod.params"))] = "0" * 64
        case 4:
            manifest["weights"] = random_.choice(({"w0": "p99"}, {}, [], None, {"w0": 3}))
        case _:
            manifest["added in a later version"] = {"a": [1, 2]}
    members["manifest.json"] = json.dumps(manifest).encode()
    files["p.tar"] = _tar(members)


def _members(random_: random.Random, files: Files) -> None:
    """Change members: missing, twice there, of other names or kinds, or of another program."""
    members = _members_of(files)
    name = random_.choice(sorted(members))
    more: list[tuple[tarfile.TarInfo, bytes]] = []
    match random_.randrange(6):
        case 0:
            del members[name]
        case 1:
            more.append((tarfile.TarInfo(name), members[name][: random_.randrange(len(members[name]) + 1)]))
        case 2:
            odd = ("../canary.bin", "../../escaped", "/dev/null", "a/../../escaped", "mod.so/", "x" * 300, "é", " ")
            more.append((tarfile.TarInfo(random_.choice(odd)), b"escaped"))
        case 3:
            link = tarfile.TarInfo(random_.choice((name, "link")))
            link.type = random_.choice((tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE, b"9"))
            link.linkname = random_.choice(("../canary.bin", "/etc/hostname", "mod.so"))
            more.append((link, b""))
        case 4:
            members[name] = damaged_bytes(random_, members[name])
            _state_digest(members, name)
        case _:
            members[name] = members[random_.choice(sorted(members))]
            _state_digest(members, name)
    files["p.tar"] = _tar(members, more)


_KINDS: tuple[Callable[[random.Random, Files], None], ...] = (
    _corrupt,
    _truncated,
    _foreign,
    _features,
    _newer,
    _manifest,
    _members,
)


def _change_library(files: Files, change: Callable[[bytearray], None]) -> None:
    """Change a library and seal it anew; in a package, state its digest too."""
    if "p.so" in files:
        files["p.so"] = _resealed(files["p.so"], change)
        return
    members = _members_of(files)
    members["mod.so"] = _resealed(members["mod.so"], change)
    _state_digest(members, "mod.so")
    files["p.tar"] = _tar(members)


def _resealed(data: bytes, change: Callable[[bytearray], None]) -> bytes:
    from tilewright.runtime.library import SEAL, SEAL_MARK

    _, covered, _ = SEAL.unpack(data[-SEAL.size :])
    result = bytearray(data[: -SEAL.size])
    change(result)
    return bytes(result) + SEAL.pack(SEAL_MARK, covered, hashlib.sha256(result[:covered]).digest())


def _members_of(files: Files) -> Files:
    with tarfile.open(fileobj=io.BytesIO(files["p.tar"])) as tar:
        found = {member.name: tar.extractfile(member) for member in tar.getmembers()}
        return {name: file.read() for name, file in found.items() if file is not None}


def _state_digest(members: Files, name: str) -> None:
    if name not in ("manifest.json", "mod.params"):
        manifest = json.loads(members["manifest.json"])
        manifest["digests"][name] = hashlib.sha256(members[name]).hexdigest()
        members["manifest.json"] = json.dumps(manifest).encode()


def _tar(members: Files, more: list[tuple[tarfile.TarInfo, bytes]] | None = None) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for info, data in [*((tarfile.TarInfo(name), data) for name, data in members.items()), *(more or [])]:
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return buffer.getvalue()
