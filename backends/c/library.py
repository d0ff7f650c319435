"""Shared libraries of programs in C, in the form of `runtime.description`, which `runtime.library` loads.

The code is compiled for this machine: the description lists its instruction sets, and others refuse the library.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ...runtime.buffers import ALIGNMENT
from ...runtime.cpu_features import present_features
from ...runtime.description import SYMBOL, USE_OPENMP, Entry, encode
from ...runtime.library import SEAL, SEAL_MARK
from ...runtime.openmp import openmp
from ...toolchain.c_compiler import compile_library
from ..cpu.c_interface import BLOCK, entry_declarations, exports_source
from ..written.c_declarations import SIZE_FUNCTIONS
from .openmp import OPENMP_SOURCE
from .openmp import USE_OPENMP as USE_GIVEN


def saved_library(text: str, entries: Sequence[Entry]) -> bytes:
    """The library of C source, with the description of its entries and their constants.

    Raises TW0428 where there is no C compiler that has OpenMP.
    """
    features = present_features()
    pieces, offsets = encode(entries, features)
    with tempfile.TemporaryDirectory(prefix="tilewright") as folder:
        block = Path(folder) / "block"
        with block.open("wb") as file:
            file.writelines(pieces)
        described = _block_source(block) + entry_declarations(entries) + exports_source(entries, offsets, features)
        data = compile_library(text + OPENMP_SOURCE + described, openmp().library)
    return data + SEAL.pack(SEAL_MARK, hashlib.sha256(data).digest())


def _block_source(block: Path) -> str:
    """The description as a symbol of the library, and the entry by which loaders pass the OpenMP runtime."""
    return f"""
__asm__(
  ".pushsection .rodata\\n.globl {SYMBOL}\\n.balign {ALIGNMENT}\\n"
  "{SYMBOL}:\\n{BLOCK}:\\n.incbin \\"{block}\\"\\n.popsection\\n");
extern __attribute__((visibility("hidden"))) const unsigned char {BLOCK}[];
void {USE_OPENMP}(void *const *functions) {{ {USE_GIVEN}(functions); }}
{SIZE_FUNCTIONS}"""
