"""Finding programs of upstream MLIR: TILEWRIGHT_MLIR_BIN, PATH, then the environment's wheels."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path


@cache
def find_tool(name: str) -> Path | None:
    """The path of a tool such as mlir-opt, None where there is none."""
    folder = os.environ.get("TILEWRIGHT_MLIR_BIN")
    found = shutil.which(name, path=folder) if folder else None
    found = found or shutil.which(name) or shutil.which(name, path=str(Path(sys.prefix) / "bin"))
    return Path(found) if found else None


@cache
def version(tool: Path) -> str:
    """The number of a tool's LLVM: `22`."""
    text = subprocess.run([tool, "--version"], capture_output=True, text=True).stdout
    match = re.search(r"LLVM version (\d+)", text)
    return match.group(1) if match else "?"
