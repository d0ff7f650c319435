"""Shared libraries of programs in C, in the form of `runtime.description`, which `runtime.library` loads.

The code is compiled for this machine: the description lists its instruction sets, and others refuse the library.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from ...diagnostics.files import fail_writing, written_whole
from ...runtime.buffers import ALIGNMENT
from ...runtime.cpu_features import present_features
from ...runtime.description import SYMBOL, USE_OPENMP, Encoded, Entry, encode
from ...runtime.openmp import openmp
from ...toolchain.c_compiler import compile_library
from ..library_file import BLOCK_SECTION, CONSTANTS_SECTION, write_shared
from .openmp import OPENMP_SOURCE
from .openmp import USE_OPENMP as USE_GIVEN


def write_library(path: Path, text: str, entries: Sequence[Entry], weights: str = "") -> Encoded:
    """Write the library of C source, with the description of its entries and their constants; as what it is encoded.

    Where `weights` names a file, the constants are to be in that one. Raises TW0428 where there is no C compiler that
    has OpenMP, TW0204 where the file cannot be written.
    """
    block = encode(entries, present_features(), weights=weights, made_for="c")
    with tempfile.TemporaryDirectory(prefix="tilewright") as folder:
        head = Path(folder) / "block"
        head.write_bytes(block.head)
        linked = compile_library(text + OPENMP_SOURCE + _block_source(head), openmp().library)
    try:
        with written_whole(path) as temporary, temporary.open("wb") as file:
            write_shared(linked, block, file)
    except OSError as error:
        fail_writing(path, error)
    return block


def _block_source(head: Path) -> str:
    """The description as a symbol of the library, and the entry by which loaders pass the OpenMP runtime."""
    return f"""
__asm__(
  ".pushsection {BLOCK_SECTION},\\"a\\"\\n.globl {SYMBOL}\\n.balign {ALIGNMENT}\\n"
  "{SYMBOL}:\\n.incbin \\"{head}\\"\\n.popsection\\n"
  ".pushsection {CONSTANTS_SECTION}\\n.byte 0\\n.popsection\\n");
void {USE_OPENMP}(void *const *functions) {{ {USE_GIVEN}(functions); }}
"""
