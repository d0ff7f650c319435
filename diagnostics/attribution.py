"""The origin of an exception: user code, such as passes, rules and plugins, or the compiler."""

from __future__ import annotations

import re
import sys
import sysconfig
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path
from traceback import walk_tb
from types import FrameType

from .errors import TilewrightError
from .locations import file_location, note_source

_OURS = __name__.partition(".")[0]
_SHOWN = 4
"""The number of the user's frames that an error lists."""


def of_user(error: BaseException) -> TilewrightError | None:
    """Return TW0224, at the user's line, where code of a user that the compiler called raised `error` or called the
    code that did; its notes are those of `error`, and the user's other frames. None where no user's code is
    involved."""
    frames = _user_frames(error)
    if not frames:
        return None
    (file, line, _), *callers = reversed(frames)
    note_source(file)
    said = str(error)
    return TilewrightError(
        "TW0224",
        f"this code, which is not the compiler's, failed: {type(error).__name__}{f': {said}' if said else ''}",
        location=file_location(file, line, 1),
        notes=[
            *notes_of(error),
            *(f"called from {file}:{line}, in {name}" for file, line, name in callers[: _SHOWN - 1]),
        ],
        help="mend the code at this line; --traceback shows the compiler's frames too",
    )


def notes_of(error: BaseException) -> list[str]:
    """Return the notes of an exception but for the modules that xDSL's verifier prints there."""
    return [note for note in getattr(error, "__notes__", []) if "\n" not in note]


def _user_frames(error: BaseException) -> list[tuple[str, int, str]]:
    """Return file, line and function of the user's frames that the compiler called, the innermost last."""
    found: list[tuple[str, int, str]] = []
    is_called = False
    for frame, line in walk_tb(error.__traceback__):
        if _top_module(frame) == _OURS:
            is_called = True
        elif is_called and _is_users(frame):
            found.append((frame.f_code.co_filename, line, frame.f_code.co_name))
    return found


def _top_module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]


def _is_users(frame: FrameType) -> bool:
    """Return whether a frame is neither the compiler's nor that of Python, of a library it uses, or of code it
    generated."""
    file, top = frame.f_code.co_filename, _top_module(frame)
    if file.startswith("<") or not Path(file).exists():
        return False
    paths = sysconfig.get_paths()
    if Path(file).is_relative_to(paths["purelib"]) or Path(file).is_relative_to(paths["platlib"]):
        return not _libraries().intersection(packages_distributions().get(top, ()))
    return top not in sys.stdlib_module_names


def _libraries() -> set[str]:
    """Return the distributions that the compiler requires."""
    try:
        required = requires(_OURS) or []
    except PackageNotFoundError:
        required = []
    names = {match[0] for text in required if (match := re.match(r"[\w.-]+", text))}
    return {spelling for name in names for spelling in (name, name.replace("-", "_"), name.replace("_", "-"))}
