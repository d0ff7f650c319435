"""Checks of the arguments of public functions, before anything else uses them."""

from __future__ import annotations

from typing import Any

from .errors import fail
from .hardware import MOST_CPU_THREADS

WRONG_TYPE = "TW0725"


def expect_type(name: str, value: object, *types: type[Any]) -> None:
    """Raise TilewrightError TW0725 unless the argument `name` has one of these types."""
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
        wanted = " or ".join("None" if t is type(None) else t.__name__ for t in types)
        fail(
            WRONG_TYPE,
            f"expected argument '{name}' to be of type {wanted}, but got {type(value).__name__}",
            help="the function's documentation says what it takes",
        )
    if isinstance(value, str) and not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            fail(
                WRONG_TYPE, f"expected argument '{name}' to be text that UTF-8 has, but got {value!r}", help="rename it"
            )


def expect_threads(value: object) -> None:
    """Raise TilewrightError TW0725 unless `value` is a number of threads; None and 0 mean all available threads."""
    expect_type("threads", value, int, type(None))
    if isinstance(value, int) and not 0 <= value <= MOST_CPU_THREADS:
        fail(
            WRONG_TYPE,
            f"expected argument 'threads' to be from 0 to {MOST_CPU_THREADS}, but got {value}",
            help="leave it out for all processors that this process may use",
        )


def expect_serial(threads: int | None, reason: str) -> None:
    """Raise TilewrightError TW0725 for several threads where `reason` says why no loop runs on threads of the host."""
    if threads is not None and threads > 1:
        fail(WRONG_TYPE, f"expected no argument 'threads', because {reason}, but got {threads}", help="leave it out")
