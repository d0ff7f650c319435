"""Writing programs to files: object files and shared libraries, linked by the system's C compiler."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ...diagnostics.files import write_file
from ...dialects.target import CpuTargetAttr
from ...dialects.target_text import stated
from ...runtime.description import Encoded, Entry, encode
from ..linking import Kind, link, write_linked
from .c_interface import c_header, c_source
from .host import foreign_triple


def write_library(
    path: Path, entries: Sequence[Entry], objects: Sequence[bytes], target: CpuTargetAttr, kind: Kind, weights: str = ""
) -> Encoded:
    """Write the shared library or object file of a program and return its encoded block.

    Where `weights` names a file, the constants are to be in that one, beside the library. Raises TW0613 where the C
    compiler for the target is missing or fails, TW0204 where the file cannot be written.
    """
    features = [f.data for f in target.features]
    block = encode(entries, features, weights=weights, made_for=stated(target) or str(target))
    linked = link(c_source(entries, block, features), objects, kind, block, foreign_triple(target))
    write_linked(path, linked, kind, block)
    return block


def write_header(path: Path, entries: Sequence[Entry]) -> None:
    """Write the C header of a program."""
    guard = "TILEWRIGHT_" + "".join(c if c.isalnum() and c.isascii() else "_" for c in path.stem.upper()) + "_H"
    write_file(path, c_header(entries, guard).encode())
