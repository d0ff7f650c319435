"""The compiler's state as a part of cache keys: its sources, the libraries that it uses, registrations of users.

A cached program replaces a compilation only where this state is the same. Code of users and of plugins has no digest,
so programs are not cached while any is registered.
"""

from __future__ import annotations

import hashlib
import os
import platform
import time
from collections.abc import Iterator
from functools import cache
from importlib.metadata import entry_points, version
from pathlib import Path

_LIBRARIES = ("xdsl", "numpy", "ml_dtypes", "llvmlite", "islpy")
"""The libraries that the compiler computes with."""

_STARTED = time.time_ns()


def compiler_fingerprint() -> str | None:
    """Return a digest of the running compiler, the same in all processes.

    None where a source has changed since the process started: then the files are not the code that runs.
    """
    digest, newest = _sources()
    return None if newest > _STARTED else digest


def is_as_shipped() -> bool:
    """Return whether the compiler is unextended: no plugins are installed, and no operators, rules, kernels or dialects
    are registered."""
    from ..operators.declaration import registered
    from ..passes.framework.intrinsics import has_foreign_rules
    from ..passes.framework.user_dialects import has_user_dialects
    from ..plugins import GROUP
    from ..schedule.product_kernels import has_registered_kernels
    from ..schedule.rules.registered import has_registered_rules

    changed = has_foreign_rules() or has_registered_kernels() or has_registered_rules() or has_user_dialects()
    return not (changed or registered() or entry_points(group=GROUP))


_MAKING_CODE = ("analysis", "backends", "dialects", "ir", "passes", "runtime", "schedule", "semantics")
"""The parts of the package that determine the machine code of a schedule."""


def compiler_of_records() -> str:
    """Return the name that tuning records have for this compiler: equal names make equal code of equal schedules.

    The name is a digest of contents, not of times: the same sources, installed elsewhere, have the same name. Where
    plugins or registered rules take part, whose code no digest covers, the name says so.
    """
    return _content_digest() + ("" if is_as_shipped() else " extended")


@cache
def _content_digest() -> str:
    digest = hashlib.sha256(" ".join(f"{name} {version(name)}" for name in _LIBRARIES).encode())
    root = Path(__file__).resolve().parents[1]
    for part in _MAKING_CODE:
        for name, _ in sorted(_python_files(str(root / part), f"/{part}")):
            digest.update(f"{name}\0".encode())
            digest.update((root / name[1:]).read_bytes())
    return digest.hexdigest()[:16]


def _sources() -> tuple[str, int]:
    """Return the digest of the sources by names, sizes and times, with the versions; and when the last one was
    changed."""
    digest, newest = hashlib.sha256(_versions().encode()), 0
    root = Path(__file__).resolve().parents[1]
    for name, status in sorted(_python_files(str(root), "")):
        digest.update(f"{name} {status.st_size} {status.st_mtime_ns}\0".encode())
        newest = max(newest, status.st_mtime_ns)
    return digest.hexdigest(), newest


def _python_files(folder: str, name: str) -> Iterator[tuple[str, os.stat_result]]:
    """Return the files of a package and of those within it, by their names relative to it."""
    entries = list(os.scandir(folder))
    if not any(entry.name == "__init__.py" for entry in entries):
        return
    for entry in entries:
        inside = f"{name}/{entry.name}"
        if entry.name.endswith((".py", ".ll", ".c")):
            yield inside, entry.stat()
        elif entry.is_dir(follow_symlinks=False) and not entry.name.startswith((".", "__")):
            yield from _python_files(entry.path, inside)


@cache
def _versions() -> str:
    from .. import __version__

    libraries = " ".join(f"{name} {version(name)}" for name in _LIBRARIES)
    return f"{__version__} {platform.python_version()} {platform.machine()} {libraries}"
