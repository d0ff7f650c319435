"""Reading and writing the files of the command line tools."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from ..diagnostics import fail
from ..diagnostics.files import check_file, check_kind, fail_writing, read_text, shown, written_whole

STDIN = "-"
_SEPARATOR = re.compile(r"^// -----[ \t]*$", re.MULTILINE)
SEPARATOR = "// -----\n"


def read(path: str) -> tuple[str, str]:
    """Read the text of a file, or of standard input for `-`, and the name that errors give it.

    Raises TilewrightError TW0204.
    """
    if path != STDIN:
        return read_text(path), shown(path)
    try:
        return sys.stdin.read(), "<stdin>"
    except UnicodeDecodeError:
        fail("TW0204", "expected UTF-8 text on standard input")


def write(path: str, text: str) -> None:
    """Write a file whole or not at all: first to a temporary file beside it. Raises TilewrightError TW0204."""
    check_writable(path)
    target = Path(path)
    if is_special(path):
        try:
            target.write_text(text, encoding="utf-8")
        except OSError as error:
            fail_writing(path, error)
        return
    try:
        with written_whole(target) as temporary:
            temporary.write_text(text, encoding="utf-8")
            if target.exists():
                temporary.chmod(target.stat().st_mode)
    except OSError as error:
        fail_writing(path, error)


def is_special(path: str) -> bool:
    """Return if a path names something that is written to as it is: `/dev/null`, a pipe."""
    target = Path(path)
    return target.exists() and not target.is_file() and not target.is_dir()


def check_writable(path: str) -> None:
    """Raise TilewrightError TW0204 where no file can have this path: said before the work, not after it."""
    target = Path(path)
    if target.is_dir():
        fail("TW0204", f"cannot write '{path}': it is a folder")
    if not target.parent.is_dir():
        fail("TW0204", f"cannot write '{path}': folder '{target.parent}' does not exist")


def check_model(path: str) -> None:
    """Raise TilewrightError TW0204 for a path that is no readable file, and TW0261 for a folder of another program,
    unless a user's frontend reads it."""
    from ..frontends.registry import find_frontend

    if find_frontend(path) is None:
        if Path(path).is_dir():
            check_kind(path)
        check_file(path)


def check_output(path: str, source: str) -> None:
    """Raise TilewrightError TW0204 where no file can have this path, and where it is the model that is read."""
    check_writable(path)
    if Path(path).exists() and Path(source).exists() and Path(path).samefile(source):
        fail("TW0204", f"cannot write '{shown(path)}': it is the model itself", help="name another file with -o")


def split(text: str) -> list[str]:
    """Return the parts between lines `// -----`, each padded with empty lines so that its lines keep their numbers."""
    parts: list[str] = []
    start = 0
    for end in [*(match.start() for match in _SEPARATOR.finditer(text)), len(text)]:
        parts.append("\n" * text.count("\n", 0, start) + text[start:end])
        start = min(end + len(SEPARATOR) - 1, len(text))
    return parts
