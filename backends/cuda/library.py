"""Programs of kernels as shared libraries and object files, without machine code.

The block of `runtime.description` describes the functions and contains the source and the PTX of the kernels. The
constants are stored as in the libraries of other programs.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ...runtime.description import Encoded, Entry, encode
from ...runtime.kernels.program import LaunchProgram
from ...runtime.kernels.saved import kernels_text
from ..library_exports import BLOCK, block_source
from ..linking import link, write_linked


def library_entries(program: LaunchProgram) -> list[Entry]:
    """Return the functions of a program as libraries state them: without a symbol, and with all constants."""
    return [Entry(entry.name, "", entry.signature, program.constants, 0) for entry in program.entries]


def write_library(path: Path, entries: Sequence[Entry], program: LaunchProgram, ptx: str, weights: str = "") -> Encoded:
    """Write a shared library, or an object file where the name ends in .o, and return its encoded block.

    If `weights` names a file, the description refers to that file for the constants. Raises TW0613 where the C compiler
    is missing or fails, TW0204 where the file cannot be written.
    """
    text = kernels_text(path.name, program, ptx)
    block = encode(entries, [], weights=weights, made_for=f"cuda -arch={program.arch}", kernels=text)
    kind = "relocatable" if path.suffix == ".o" else "shared"
    write_linked(path, link(block_source(BLOCK, "globl"), [], kind, block), kind, block)
    return block
