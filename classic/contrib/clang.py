"""Clang: compilation of C and C++ to LLVM IR, for `te.extern(..., llvm_ir=…)` and `import_llvm`."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from .cc import missing, run

_NAMES = ("clang", *(f"clang-{version}" for version in range(21, 9, -1)))

_REMEDY = "install clang, or name one in the environment variable CC: other compilers write no LLVM text"


def find_clang(required: bool = True) -> list[str]:
    """Return the paths of clang, the one that the environment variable CC names first.

    Raises TilewrightError TW0613 where there is none, unless it is not required.
    """
    named = os.environ.get("CC", "").split()[:1]
    names = [*(name for name in named if "clang" in Path(name).name), *_NAMES]
    found = [path for name in names if (path := shutil.which(name)) is not None]
    if required and not found:
        missing("clang", _REMEDY)
    return found


def create_llvm(
    inputs: str | Sequence[str],
    output: str | None = None,
    options: Sequence[str] | None = None,
    cc: str | None = None,
) -> str:
    """Return the LLVM text of a source file, or of source text, and write it to `output` where that is given.

    Raises TilewrightError TW0613 where clang is missing or fails.
    """
    compiler = cc or find_clang()[0]
    with tempfile.TemporaryDirectory(prefix="tilewright") as folder:
        files: list[str] = []
        for number, source in enumerate([inputs] if isinstance(inputs, str) else inputs):
            is_file = len(source) < 1024 and "\n" not in source and Path(source).is_file()
            path = Path(source) if is_file else Path(folder) / f"input{number}.cc"
            if not is_file:
                path.write_text(source, encoding="utf-8")
            files.append(str(path))
        result = Path(output) if output is not None else Path(folder) / "output.ll"
        run([compiler, "-O3", "-emit-llvm", "-S", *(options or ()), *files, "-o", str(result)], "compile")
        return result.read_text(encoding="utf-8")
