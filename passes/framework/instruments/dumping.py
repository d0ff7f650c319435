"""The module after every pass, in files of a folder.

Files are numbered over all runs of managers. Their names therefore sort in the order of writing, and a repeated
compilation writes the same names. A pass that runs other passes has a folder with its name for their files.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NoReturn

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ....diagnostics import TilewrightError
from ..options import spec_of
from .base import Instrument
from .printing import print_ir

_MANIFEST = ".dumped"
"""The file that lists the written files, so that the next dump into the folder deletes only those."""
_SUFFIXES = {"llvm": "ll", "asm": "s"}


class DumpIR(Instrument):
    """Writes `directory/NNN-phase-pass.mlir` after every pass, `NNN-input.mlir` before the first one, and the generated
    code.

    Each file appears whole or not at all. Raises TilewrightError TW0204 where one cannot be written.
    """

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        self.directory = Path(directory)
        self.folder = ""
        """The folder of the files inside the directory; empty for the directory itself."""
        self._numbers: dict[str, int] = {}
        """Files so far by folder."""
        self._inside: list[tuple[ModulePass, str]] = []
        """The running passes, and the folders for the files of passes that they run."""
        self._phase = 0
        self._prepare()

    def before_run(self, module: ModuleOp) -> None:
        self._write("input", "mlir", print_ir(module))

    def before_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        self._phase = getattr(pass_, "phase", self._phase)
        self._inside.append((pass_, self._next_name(self._label(pass_))))

    def after_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        self._inside.pop()
        self._phase = getattr(pass_, "phase", self._phase)
        self._write(self._label(pass_), "mlir", f"// after {spec_of(pass_)}\n{print_ir(module)}")

    def after_failure(self, pass_: ModulePass, module: ModuleOp, error: Exception) -> None:
        if self._inside and self._inside[-1][0] is pass_:  # otherwise the pass ran, and a later step failed
            self._inside.pop()
            self._write(f"{self._label(pass_)}-failed", "mlir", f"// {spec_of(pass_)} failed\n{print_ir(module)}")

    def after_build(self, module: ModuleOp, sources: Mapping[str, Callable[[], str]]) -> None:
        for kind, source in sources.items():
            try:
                self._write(kind, _SUFFIXES.get(kind, kind), source())
            except TilewrightError as error:  # a module that is not executable has no code
                if error.code == "TW0204":
                    raise
                self._write(f"{kind}-failed", "txt", f"{error}\n")

    def _label(self, pass_: ModulePass) -> str:
        return f"phase{self._phase}-{pass_.name}"

    @property
    def _current(self) -> str:
        return self._inside[-1][1] if self._inside else self.folder

    def _next_name(self, label: str) -> str:
        folder = self._current
        name = f"{self._numbers.get(folder, 0):03}-{re.sub(r'[^A-Za-z0-9_.-]', '_', label)}"
        return f"{folder}/{name}" if folder else name

    def _write(self, label: str, suffix: str, text: str) -> None:
        name = f"{self._next_name(label)}.{suffix}"
        folder = self._current
        self._numbers[folder] = self._numbers.get(folder, 0) + 1
        path = self.directory / name
        temporary = path.with_name(f".{path.name}.part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with (self.directory / _MANIFEST).open("a", encoding="utf-8") as manifest:
                manifest.write(f"{name}\n")
            temporary.write_text(text, encoding="utf-8")
            temporary.replace(path)
        except OSError as error:
            temporary.unlink(missing_ok=True)
            _fail(path, error)

    def _prepare(self) -> None:
        """Make the folder, or delete the files of an earlier dump from it."""
        manifest = self.directory / _MANIFEST
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            names = manifest.read_text(encoding="utf-8").splitlines() if manifest.is_file() else []
            inside = self.directory.resolve()
            for path in ((self.directory / name) for name in names):
                if path.resolve().is_relative_to(inside):
                    path.unlink(missing_ok=True)
            manifest.unlink(missing_ok=True)
        except (OSError, UnicodeDecodeError) as error:
            _fail(self.directory, error)


def _fail(path: Path, error: Exception) -> NoReturn:
    reason = error.strerror if isinstance(error, OSError) else "its list of files is not text"
    raise TilewrightError("TW0204", f"cannot write '{path}': {reason}")
