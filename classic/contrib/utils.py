"""Temporary folders: `tilewright.contrib.utils.tempdir().relpath("deploy.so")`."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path
from types import TracebackType


class TempDirectory:
    """A folder that is removed with the object, at the end of its `with` statement, or by `remove`."""

    def __init__(self, custom_path: str | None = None, keep_for_debug: bool = False) -> None:
        if custom_path is None:
            self.temp_dir = tempfile.mkdtemp(prefix="tilewright")
        else:
            Path(custom_path).mkdir(parents=True)
            self.temp_dir = custom_path
        self._removed = weakref.finalize(self, shutil.rmtree, self.temp_dir, ignore_errors=True)
        if keep_for_debug:
            self._removed.detach()

    @property
    def path(self) -> Path:
        """The folder."""
        return Path(self.temp_dir)

    def relpath(self, name: str) -> str:
        """Return the path of a file of that name in the folder."""
        return str(self.path / name)

    def listdir(self) -> list[str]:
        """Return the names in the folder."""
        return sorted(entry.name for entry in self.path.iterdir())

    def remove(self) -> None:
        """Delete the folder with all that is in it."""
        self._removed()

    def __truediv__(self, name: str) -> Path:
        return self.path / name

    def __enter__(self) -> TempDirectory:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.remove()


def tempdir(custom_path: str | None = None, keep_for_debug: bool = False) -> TempDirectory:
    """Create a temporary folder, or one at `custom_path`, which must not be there yet."""
    return TempDirectory(custom_path, keep_for_debug)
