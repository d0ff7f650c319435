"""Errors of stages, pointing at the user's Python line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NoReturn

from xdsl.dialects.builtin import LocationAttr

from ...diagnostics import fail
from ...diagnostics.locations import caller_location, source_position
from ..primitive_declaration import primitives

STALE_AXIS, FOREIGN_AXIS, NO_SUCH_LOOP, NO_CONSUMER, NO_RELAYOUT = "TW0480", "TW0481", "TW0482", "TW0483", "TW0484"
NOT_ADJACENT, BAD_AXES, WRONG_KIND, WRONG_OBJECT, NOT_INLINE = "TW0485", "TW0486", "TW0487", "TW0488", "TW0489"
FOREIGN_TENSOR, BAD_SPLIT, KIND_TWICE, BAD_THREAD, CYCLE = "TW0490", "TW0491", "TW0492", "TW0493", "TW0494"
NO_LOOPS, BAD_CACHE, BAD_ARGUMENTS, BAD_DETAIL, NOT_LOWERED = "TW0495", "TW0496", "TW0497", "TW0498", "TW0499"

_REMEDIES = {
    "TW0434": "split by factors that divide the extents, or compute a tensor over extents that are rounded up to whole "
    "tiles and copy the elements of the result",
}
"""Remedies for programs of stages, by code, where the engine's remedy names methods that stages lack."""


def stage_error(
    code: str,
    message: str,
    *,
    location: LocationAttr | None = None,
    notes: Sequence[str] = (),
    help: str | None = None,
) -> NoReturn:
    """Raise a TilewrightError at `location`, or at the user's line that called into the library."""
    fail(code, message, location=location or caller_location(), notes=notes, help=help)


def remedy_for_stages(code: str, remedy: str | None) -> str | None:
    """Return the remedy of an engine's error for a program of stages: methods that stages lack are attributed to
    `Schedule`."""
    if code in _REMEDIES:
        return _REMEDIES[code]
    from .schedule import LazySchedule
    from .stage import Stage

    words = re.findall(r"\w+_\w+", remedy or "")
    lacking = [w for w in words if w == "assert_legal" or (w in primitives() and not hasattr(Stage, w))]
    lacking = [w for w in dict.fromkeys(lacking) if not hasattr(LazySchedule, w)]
    if not lacking:
        return remedy
    return f"{remedy}; stages have no {' and no '.join(lacking)}: tir.Schedule(te.create_prim_func(args)) has"


def at_location(location: LocationAttr) -> str:
    """Return ` at file:line` for the end of a clause; empty where the line is not known."""
    position = source_position(location)
    return f" at {position.file}:{position.line}" if position is not None else ""


def quoted(names: Iterable[str]) -> str:
    """Join quoted names: `'a', 'b' and 'c'`."""
    items = [repr(name) for name in names]
    return " and ".join([", ".join(items[:-1]), items[-1]]) if len(items) > 1 else "".join(items)
