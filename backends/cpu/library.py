"""Writing programs to files: object files and shared libraries, linked by the system's C compiler.

A file appears under its name when it is complete: it is written beside it and renamed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal

from ...diagnostics import fail
from ...runtime.description import Entry, encode
from ...runtime.library import SEAL, SEAL_MARK
from .c_interface import BLOCK, c_header, c_source


def link(
    entries: Sequence[Entry], objects: Sequence[bytes], features: Sequence[str], kind: Literal["shared", "relocatable"]
) -> bytes:
    """The shared library or object file of a program, with its description and constants.

    Raises TW0613 where the C compiler is missing or fails.
    """
    block, offsets = encode(entries, features)
    with tempfile.TemporaryDirectory(prefix="tilewright") as name:
        folder = Path(name)
        (folder / BLOCK).write_bytes(block)
        (folder / "interface.c").write_text(c_source(entries, offsets))
        inputs: list[str] = []
        for number, data in enumerate(objects):
            inputs.append(f"{number}.o")
            (folder / inputs[-1]).write_bytes(data)
        run_compiler(["-O2", "-fPIC", "-fvisibility=hidden", "-c", "interface.c"], folder)
        files = ["-o", "result", "interface.o", *inputs]
        if kind == "relocatable":
            run_compiler(["-r", "-nostdlib", *files], folder)
            return (folder / "result").read_bytes()
        # A process may hold several libraries of this kind, each of which calls its own functions.
        run_compiler(["-shared", "-Wl,-Bsymbolic", *files, "-lm"], folder)
        data = (folder / "result").read_bytes()
        return data + SEAL.pack(SEAL_MARK, hashlib.sha256(data).digest())


def write_header(path: Path, entries: Sequence[Entry]) -> None:
    """Write the C header of a program."""
    guard = "TILEWRIGHT_" + "".join(c if c.isalnum() and c.isascii() else "_" for c in path.stem.upper()) + "_H"
    write_file(path, c_header(entries, guard).encode())


def write_file(path: Path, data: bytes) -> None:
    """Write a file at once. Raises TW0204 where that is impossible."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_bytes(data)
        os.replace(temporary, path)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink()
        fail("TW0204", f"cannot write '{path}': {error.strerror}")


def run_compiler(arguments: Sequence[str], folder: Path) -> None:
    """Run the system's C compiler in a folder. Raises TW0613 where it is missing or fails."""
    command = os.environ.get("CC", "").split() or ["cc"]
    program = shutil.which(command[0])
    if program is None:
        fail(
            "TW0613",
            f"expected a C compiler to link with, but '{command[0]}' cannot be found",
            help="install one (gcc or clang), or name one in the environment variable CC",
        )
    run = subprocess.run([program, *command[1:], *arguments], cwd=folder, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        fail("TW0613", f"{command[0]} cannot link the program: {run.stderr.strip() or f'status {run.returncode}'}")
