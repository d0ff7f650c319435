"""`tilewright cache`: lists or empties the cache of compiled code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..backends.cache import clear, configured_root, obstacle, usage
from ..diagnostics import fail
from ..diagnostics.files import reason
from ..passes.framework.context import PassContext


def cache_command(is_info: bool, is_clear: bool) -> None:
    """Print the contents of the cache, or delete them. Raises TilewrightError TW0204 where a file cannot be deleted."""
    if is_info == is_clear:
        fail("TW0209", "expected one of --info and --clear", help="tilewright cache --info")
    root = configured_root()
    if is_info or root is None:
        print("\n".join(information()))
    else:
        _clear(root)


def information() -> Iterator[str]:
    """Yield the lines that describe the cache: its path, the size of its entries by kind, and its limit."""
    root = configured_root()
    if root is None:
        yield "no cache: the setting cache_dir (TILEWRIGHT_CACHE_DIR) is empty"
        return
    found = usage(root)
    total, limit = sum(entry.size for entry in found), PassContext.current().value("cache_size", int)
    yield f"{root}: {_state(root)}, {_mebibytes(total)} of {limit} MiB"
    for entry in found:
        if entry.files:
            yield f"  {entry.kind.what}: {entry.files}, {_mebibytes(entry.size)} MiB"


def _state(root: Path) -> str:
    try:
        problem = obstacle(root)
    except FileNotFoundError:
        return "not made yet"
    except OSError as error:
        problem = reason(error)
    return "in use" if problem is None else f"not used: {problem}"


def _clear(root: Path) -> None:
    found = usage(root)
    try:
        clear(root)
    except OSError as error:
        fail("TW0204", f"cannot delete '{error.filename}': {reason(error)}", help=f"delete '{root}' yourself")
    count, size = sum(entry.files for entry in found), sum(entry.size for entry in found)
    print(f"{root}: {count} files deleted, {_mebibytes(size)} MiB")


def _mebibytes(size: int) -> str:
    return f"{size / (1 << 20):.1f}"
