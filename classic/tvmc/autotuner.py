"""`tvmc.tune`, which is refused."""

from __future__ import annotations

from typing import Any, NoReturn

from ...diagnostics.errors import UnknownNameError


def tune_model(*arguments: Any, **named: Any) -> NoReturn:
    """Refused with TW0251: there is no search over schedules."""
    refuse_tuning("tvmc.tune")


def refuse_tuning(what: str) -> NoReturn:
    """Refuse a name or an argument that a search over schedules would need (TW0251)."""
    raise UnknownNameError(
        "TW0251",
        f"'{what}' is not part of this package: there is no search over schedules",
        help="leave it out: default schedules need no records",
    )
