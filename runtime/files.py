"""Files that users name: read whole if they are files, written whole or not at all.

A path may name a pipe, a device or a folder. Opening a pipe waits for a writer, and a device may have no end, so
nothing but a regular file is read.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Generator
from contextlib import contextmanager, suppress
from io import BufferedReader
from pathlib import Path
from typing import NoReturn, Union

from .errors import fail
from .text import printable

FilePath = Union[str, "os.PathLike[str]"]

TEMPORARY_SUFFIX = ".part"
"""The suffix of a file while it is being written."""

_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}


def open_file(path: FilePath) -> BufferedReader:
    """Return a regular file, open for reading. Raises OSError where there is none, or where `path` names something
    else."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | getattr(os, "O_NONBLOCK", 0))
    except ValueError as error:  # a zero byte, or a letter that the file system cannot write
        raise OSError(None, f"no file has such a name ({error})") from error
    try:
        kind = stat.S_IFMT(os.fstat(descriptor).st_mode)
        if kind != stat.S_IFREG:
            raise OSError(None, f"it is {_KINDS.get(kind, 'no file')}")
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def check_file(path: FilePath, code: str = "TW0204") -> None:
    """Raise TilewrightError with that code unless `path` is a regular file that can be read."""
    try:
        open_file(path).close()
    except OSError as error:
        fail(code, f"cannot read '{shown(path)}': {reason(error)}", help=_remedy(path))


def read_bytes(path: FilePath, code: str = "TW0204") -> bytes:
    """Return the content of a regular file. Raises TilewrightError with that code where there is none, or it is
    unreadable."""
    try:
        with open_file(path) as file:
            return file.read()
    except OSError as error:
        fail(code, f"cannot read '{shown(path)}': {reason(error)}", help=_remedy(path))


def _remedy(path: FilePath) -> str:
    """Return the help of an error about a file that cannot be read."""
    with suppress(OSError, ValueError):
        names = sorted(entry.name for entry in os.scandir(path) if entry.name.endswith((".onnx", ".mlir")))
        if names:
            return f"give one of the models in it: {', '.join(names[:4])}"
    return "name a regular file that you may read"


def path_inside(folder: FilePath, name: str, what: str, *, anywhere: bool = False) -> Path:
    """Return the path of the file that a model calls `name`, relative to the model's folder.

    Raises TilewrightError TW0709 where it leads out of the folder, links followed, unless it may lead anywhere.
    """
    root = Path(folder)
    try:
        path = root / name if anywhere else (root / name).resolve()
        is_inside = anywhere or path.is_relative_to(root.resolve())
    except (OSError, ValueError, RuntimeError) as error:  # a zero byte; links in a circle
        fail("TW0709", f"{what} names the file '{shown(name)}', which cannot be: {reason(error)}")
    if not is_inside:
        fail(
            "TW0709",
            f"expected {what} in the folder of the model, but it names '{shown(name)}'",
            help="move the file there; for a model that you trust, --weights-outside or the setting weights_outside "
            "(TILEWRIGHT_WEIGHTS_OUTSIDE=1) allow other folders",
        )
    return root / name


@contextmanager
def written_whole(path: FilePath, mode: int = 0o666) -> Generator[Path]:
    """Yield a file beside `path` to be written; when the `with` ends well, it takes the place of `path`.

    Its permissions are `mode` without the process's umask; its owner can always read and write it. Raises OSError
    where it cannot be made.
    """
    target = Path(path)
    temporary = target.with_name(f".{os.urandom(8).hex()}{TEMPORARY_SUFFIX}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    descriptor = os.open(temporary, flags, mode)
    try:
        os.fchmod(descriptor, stat.S_IMODE(os.fstat(descriptor).st_mode) | 0o600)  # whatever the umask takes away
    finally:
        os.close(descriptor)
    try:
        yield temporary
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def write_file(path: FilePath, data: bytes) -> None:
    """Write a file whole or not at all. Raises TilewrightError TW0204 where that is impossible."""
    try:
        with written_whole(path) as temporary:
            temporary.write_bytes(data)
    except (OSError, ValueError) as error:
        fail_writing(path, error)


def fail_writing(path: FilePath, error: Exception) -> NoReturn:
    """Raise TilewrightError TW0204 for a file that cannot be written."""
    fail("TW0204", f"cannot write '{shown(path)}': {reason(error)}", help="name a folder that you may write to")


def reason(error: Exception) -> str:
    """Return the message of an error of the system, without its number and path."""
    if isinstance(error, FileNotFoundError):
        return "no such file or folder"
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__


def shown(path: FilePath) -> str:
    """Return a path as text that can be printed and encoded: what is not UTF-8, and control characters, as escapes."""
    return printable(os.fspath(path).encode("utf-8", "backslashreplace").decode())
