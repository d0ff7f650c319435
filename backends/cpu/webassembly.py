"""WebAssembly modules: a program, its weights and the C library functions that it uses, in one file without imports.

The host reads the description of the program (`runtime.description`) in the module's memory, at the address of the
export `tilewright_module`. It allocates memory by `tilewright_allocate`, writes its arrays there, and calls a function
by the entry's name. The functions have the signatures of `c_interface`: pointers and `int32_t` are i32, sizes are i64.

The memory holds the stack, whose overflow traps, then the weights, then the heap. The allocator and functions of libm
that no rule of `lower-intrinsics` replaces, such as those of float64, are wasi-libc's. A program that prints imports
WASI's functions for files, and runs only on hosts that provide them.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ...diagnostics import fail
from ...diagnostics.files import write_file
from ...dialects.target import CpuTargetAttr
from ...dialects.target_text import stated
from ...runtime.buffers import ALIGNMENT
from ...runtime.description import SYMBOL, Entry, encode
from ..library_exports import BLOCK
from ..linking import run_compiler
from .c_interface import c_declarations, c_source
from .host import foreign_triple

ALLOCATE, RELEASE = "tilewright_allocate", "tilewright_free"
"""The module's functions that give and take back memory for arrays: (bytes: i32) -> address, 0 where there is none, and
(address)."""
STACK_BYTES = 1 << 20
_MOST_BYTES = 1 << 32

_BLOCK = "__asm__(\n{});\n".format(
    "\n".join(
        f'  "{line}\\n"'
        for line in (
            f'.section .rodata.{BLOCK},\\"\\",@',
            f".globl {SYMBOL}",
            *(f".type {name},@object" for name in (SYMBOL, BLOCK)),
            f".p2align {ALIGNMENT.bit_length() - 1}",
            f"{SYMBOL}:",
            f"{BLOCK}:",
            f'.incbin \\"{BLOCK}\\"',
            *(f".size {name}, . - {name}" for name in (SYMBOL, BLOCK)),
            ".text",
        )
    )
)
"""The block of bytes in an object file of WebAssembly."""

_MEMORY = f"""
__attribute__((export_name("{ALLOCATE}"))) void *{ALLOCATE}(size_t size) {{
  size_t blocks = size / {ALIGNMENT} + 1;
  return blocks > SIZE_MAX / {ALIGNMENT} ? 0 : aligned_alloc({ALIGNMENT}, blocks * {ALIGNMENT});
}}
__attribute__((export_name("{RELEASE}"))) void {RELEASE}(void *data) {{ free(data); }}
"""

_LINK = (
    "-nostartfiles",
    "-nodefaultlibs",
    "-Wl,--no-entry",
    f"-Wl,--export={SYMBOL}",
    "-Wl,--stack-first",
    f"-Wl,-z,stack-size={STACK_BYTES}",
    "-Wl,--strip-all",
)


def write_webassembly(path: Path, entries: Sequence[Entry], objects: Sequence[bytes], target: CpuTargetAttr) -> None:
    """Write the module of a program, with its description and constants.

    Raises TW0613 where clang, lld or wasi-libc is missing or fails, TW0618 where weights and buffers of fixed size do
    not fit into 32-bit addresses, TW0204 where the file cannot be written.
    """
    features, made_for = [f.data for f in target.features], stated(target) or str(target)
    block = encode(entries, features, made_for=made_for, digests=False)
    needed = block.size + max(entry.arena_size for entry in entries) + STACK_BYTES
    if needed >= _MOST_BYTES:
        fail("TW0618", f"expected less than 4 GiB of weights and buffers on wasm32, but got {needed} bytes")
    with tempfile.TemporaryDirectory(prefix="tilewright") as name:
        folder = Path(name)
        with (folder / BLOCK).open("wb") as file:
            file.write(block.head)
            file.writelines(block.pieces())
        source = c_source(entries, block, definition=_exports(entries) + _BLOCK + _MEMORY)
        (folder / "interface.c").write_text(source)
        inputs: list[str] = []
        for number, data in enumerate(objects):
            inputs.append(f"{number}.o")
            (folder / inputs[-1]).write_bytes(data)
        triple = foreign_triple(target)
        run_compiler(["-O2", "-c", "interface.c"], folder, triple)
        run_compiler([*_LINK, "-o", "result", "interface.o", *inputs, "-lc", "-lm"], folder, triple)
        write_file(path, (folder / "result").read_bytes())


def _exports(entries: Sequence[Entry]) -> str:
    """Return declarations that export each function under its entry's name."""
    return "".join(
        f"__attribute__((export_name({json.dumps(entry.name)}))) {declaration};\n"
        for entry, declaration in zip(entries, c_declarations(entries), strict=True)
    )
