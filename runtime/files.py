"""Files that programs are saved in."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from ..diagnostics import fail


def write_file(path: Path, data: bytes) -> None:
    """Write a file whole or not at all. Raises TW0204 where that is impossible."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_bytes(data)
        os.replace(temporary, path)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink()
        fail("TW0204", f"cannot write '{path}': {error.strerror}")
