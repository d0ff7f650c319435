"""Two revisions of the package side by side, for workers of one interpreter and the same dependencies.

A worker imports `tilewright` from the first folder of PYTHONPATH that has it, which comes before what is installed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path

PACKAGE = "tilewright"


@dataclass(frozen=True)
class Revision:
    """A folder that holds the package, and one for what it caches."""

    folder: Path
    cache: Path

    @property
    def variables(self) -> dict[str, str]:
        """The environment variables of workers that run this revision."""
        before = os.environ.get("PYTHONPATH")
        path = os.pathsep.join([str(self.folder), *([before] if before else [])])
        return {"PYTHONPATH": path, "TILEWRIGHT_CACHE_DIR": str(self.cache)}


def commit(repository: Path, name: str) -> str:
    """Return the hash of a revision. Ends the program where git knows none of that name."""
    done = _git(repository, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    if done.returncode:
        sys.exit(f"error: git knows no revision '{name}' in {repository}")
    return done.stdout.decode().strip()


def linked(repository: Path, folder: Path) -> Revision:
    """Return the working tree as it stands."""
    folder.mkdir(parents=True)
    (folder / PACKAGE).symlink_to(repository.resolve(), target_is_directory=True)
    return Revision(folder, folder / "cache")


def checked_out(repository: Path, revision: str, folder: Path) -> Revision:
    """Return the files of a commit, in a separate folder."""
    (folder / PACKAGE).mkdir(parents=True)
    archive = folder / "archive.tar"
    done = _git(repository, "archive", "--format=tar", f"--output={archive}", revision)
    if done.returncode:
        sys.exit(f"error: git cannot write {revision}: {done.stderr.decode().strip()}")
    with tarfile.open(archive) as files:
        files.extractall(folder / PACKAGE, filter="data")
    archive.unlink()
    return Revision(folder, folder / "cache")


def _git(repository: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["git", "-C", str(repository), *arguments], capture_output=True, check=False)
