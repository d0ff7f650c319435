"""Shared libraries of programs in C, in the form of `runtime.description`, which `runtime.library` loads.

The code is compiled for this machine: the description lists its instruction sets, and others refuse the library.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from ...diagnostics.files import fail_writing, written_whole
from ...runtime.cpu_features import present_features
from ...runtime.description import USE_OPENMP, Encoded, Entry, encode
from ...runtime.openmp import openmp
from ...toolchain.c_compiler import compile_library
from ..library_exports import BLOCK, block_source, constants_source, entry_declarations, exports_source
from ..library_file import write_shared
from ..written.c_declarations import SIZE_FUNCTIONS
from .openmp import OPENMP_SOURCE
from .openmp import USE_OPENMP as USE_GIVEN

_USE_OPENMP = f"void {USE_OPENMP}(void *const *functions) {{ {USE_GIVEN}(functions); }}\n"
"""The entry by which loaders pass the OpenMP runtime."""


def write_library(path: Path, text: str, entries: Sequence[Entry], weights: str = "") -> Encoded:
    """Write the library of C source and return its encoded block: the description of its entries, and their constants.

    Where `weights` names a file, the constants are to be in that one. Raises TW0428 where there is no C compiler that
    has OpenMP, TW0204 where the file cannot be written.
    """
    features = present_features()
    block = encode(entries, features, weights=weights, made_for="c")
    exported = constants_source(weak=False) + entry_declarations(entries) + exports_source(entries, block, features)
    with tempfile.TemporaryDirectory(prefix="tilewright") as folder:
        head = Path(folder) / BLOCK
        head.write_bytes(block.head)
        interface = block_source(str(head), "globl") + _USE_OPENMP + SIZE_FUNCTIONS + exported
        linked = compile_library(text + OPENMP_SOURCE + interface, openmp().library)
    try:
        with written_whole(path) as temporary, temporary.open("wb") as file:
            write_shared(linked, block, file)
    except OSError as error:
        fail_writing(path, error)
    return block
