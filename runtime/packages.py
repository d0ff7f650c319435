"""Packages: a tar of a program's library, its weights, its graph and its IR, as `driver.packaging` writes it.

A package is checked before any part of it is used: its members are uncompressed files of known names with the digests
that the manifest states. The library is loaded from memory where the system supports it, so that loading writes no
file. Weights are mapped, and programs read them in the package; small weights are copied to aligned memory.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from .buffers import Array
from .description import MALFORMED, read_text
from .errors import TilewrightError, fail
from .library import load_library
from .module import Module
from .params import params_in
from .shared_library import in_memory
from .tar_file import Member, members
from .weights import mapped

if TYPE_CHECKING:
    from .kernels.saved import KernelCalls

FORM = "tilewright package"
VERSION = 1
MANIFEST, LIBRARY, OBJECT, PARAMS = "manifest.json", "mod.so", "mod.o", "mod.params"
GRAPH, IR, VALUES = "mod.json", "mod.mlir", "mod.safetensors"
_NEEDED = {MANIFEST, LIBRARY, PARAMS}
_KNOWN = _NEEDED | {OBJECT, GRAPH, IR, VALUES}


def load_package(path: Path, threads: int | None = None, calls: KernelCalls | None = None) -> Module:
    """Load the module of a package; `calls` says how kernels run. Raises TilewrightError TW0204 where it cannot be
    read, TW0711 where it is no package or damaged, and the errors of `load_library`."""
    package = open_package(path)
    with in_memory(package.content(LIBRARY), LIBRARY) as library:
        module = load_library(library, threads, package.weights(), str(path), calls)
    module.origin.hold((path.name, package.data))
    return module


def is_package(path: Path) -> bool:
    """Return if a file is a tar with a manifest: of this project, unless it is damaged."""
    try:
        return any(member.name == MANIFEST for member in members(memoryview(mapped(path))))
    except (TilewrightError, ValueError):
        return False


def open_package(path: Path) -> Package:
    """Return a package whose manifest has been read. Raises TilewrightError TW0204 where the file cannot be read,
    TW0711 where it is none."""
    return Package.read(path, memoryview(mapped(path)))


@dataclass
class Package:
    """The files of a package."""

    path: Path
    data: memoryview
    files: Mapping[str, Member]
    digests: Mapping[str, str]
    """Of the files but the manifest and the weights, whose constants have digests in the library."""
    names: Mapping[str, str]
    """Names of weights in the IR -> those of the program's constants."""
    made_by: str

    @staticmethod
    def read(path: Path, data: memoryview) -> Package:
        """Return the package that bytes are. Raises TilewrightError TW0711 where they are none."""
        files: dict[str, Member] = {}
        try:
            for member in members(data):
                if member.name not in _KNOWN or member.name in files:
                    raise ValueError(f"it has a member '{member.name[:80]}', which no package has so")
                files[member.name] = member
            missing = sorted(_NEEDED - files.keys())
            if missing:
                raise ValueError(f"it has no {missing[0]}")
            manifest = _manifest(_bytes(data, files[MANIFEST]))
            digests = {read_text(name): read_text(digest) for name, digest in manifest["digests"].items()}
            names = {read_text(name): read_text(found) for name, found in manifest["weights"].items()}
            if digests.keys() != files.keys() - {MANIFEST, PARAMS}:
                raise ValueError("its manifest lists other files")
            return Package(path, data, files, digests, names, read_text(manifest["made_by"]))
        except MALFORMED as error:
            _refuse(path, f"{error}")

    def content(self, name: str) -> bytes:
        """Return the bytes of a file. Raises TilewrightError TW0711 where it is missing or damaged."""
        if name not in self.files:
            _refuse(self.path, f"it has no {name}")
        content = _bytes(self.data, self.files[name])
        if hashlib.sha256(content).hexdigest() != self.digests.get(name):
            _refuse(self.path, f"its {name} is damaged")
        return content

    def weights(self) -> dict[str, Array]:
        """Return the constants by name, in place. Raises TilewrightError TW0777 where they are no parameters."""
        member = self.files[PARAMS]
        return params_in(self.data[member.start : member.start + member.size])


def _manifest(text: bytes) -> dict[str, Any]:
    """Return the values of the manifest. Raises one of `MALFORMED` where it is none, or of another version."""
    data = json.loads(text)
    if data["form"] != FORM:
        raise ValueError("its manifest is none of this project")
    if data["version"] != VERSION:
        raise ValueError(f"its form has version {data['version']}, but this is version {VERSION}")
    return data


def _bytes(data: memoryview, member: Member) -> bytes:
    return bytes(data[member.start : member.start + member.size])


def _refuse(path: Path, why: str) -> NoReturn:
    fail("TW0711", f"expected a package that Module.save wrote, but '{path}' cannot be used: {why}")
