"""Linking with the system's C compiler, or with a cross compiler.

Each file is written under a temporary name in the same folder and renamed when it is complete.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from ..diagnostics import fail
from ..diagnostics.files import fail_writing, written_whole
from ..dialects.target import AARCH64, RISCV64, WASM32
from ..runtime.description import Encoded
from ..toolchain import cross_compilers
from .library_exports import BLOCK
from .library_file import write_relocatable, write_shared

Kind = Literal["shared", "relocatable"]


def write_linked(path: Path, linked: bytes, kind: Kind, block: Encoded) -> None:
    """Write the result of `link` with its constants. Raises TW0204 where that is impossible."""
    write = write_shared if kind == "shared" else write_relocatable
    try:
        with written_whole(path) as temporary, temporary.open("wb") as file:
            write(linked, block, file)
    except OSError as error:
        fail_writing(path, error)


def link(source: str, objects: Sequence[bytes], kind: Kind, block: Encoded, triple: str = "") -> bytes:
    """Link C source, object files and the head of the block, which the source includes.

    Raises TW0613 where the C compiler for this machine, or for `triple`, is missing or fails.
    """
    with tempfile.TemporaryDirectory(prefix="tilewright") as name:
        folder = Path(name)
        (folder / BLOCK).write_bytes(block.head)
        (folder / "interface.c").write_text(source)
        inputs: list[str] = []
        for number, data in enumerate(objects):
            inputs.append(f"{number}.o")
            (folder / inputs[-1]).write_bytes(data)
        run_compiler(["-O2", "-fPIC", "-fvisibility=hidden", "-c", "interface.c"], folder, triple)
        files = ["-o", "result", "interface.o", *inputs]
        if kind == "relocatable":
            run_compiler(["-r", "-nostdlib", *files], folder, triple)
        else:
            # A process may load several libraries of this kind, each of which has to call the functions in itself
            # (-Bsymbolic). The note makes room for the segment of the constants.
            run_compiler(["-shared", "-Wl,-Bsymbolic", "-Wl,--build-id=sha1", *files, "-lm"], folder, triple)
        return (folder / "result").read_bytes()


_PACKAGES = {
    WASM32: "clang, lld and wasi-libc",
    **{name: f"gcc-{name}-linux-gnu and its libc6-dev cross package" for name in (AARCH64, RISCV64)},
}
"""Architecture -> the Debian package that links programs for it on another kind of machine."""


def run_compiler(arguments: Sequence[str], folder: Path, triple: str = "") -> None:
    """Run the system's C compiler in a folder, or one for another kind of machine.

    Raises TW0613 where it is missing or fails.
    """
    commands = cross_compilers(triple) if triple else [os.environ.get("CC", "").split() or ["cc"]]
    command = next((c for c in commands if shutil.which(c[0]) is not None), None)
    purpose = f"for {triple}" if triple else "to link with"
    needed = _PACKAGES.get(triple.partition("-")[0], "gcc or clang")
    if command is None:
        fail(
            "TW0613",
            f"expected a C compiler {purpose}, but {' and '.join(repr(c[0]) for c in commands)} cannot be found",
            help=f"install {needed}, or name a compiler in the environment variable CC",
        )
    run = subprocess.run([*command, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        problem = run.stderr.strip() or f"status {run.returncode}"
        fail(
            "TW0613",
            f"{command[0]} cannot link the program{f' {purpose}' if triple else ''}: {problem}",
            help=f"install {needed}" if triple else None,
        )
