"""`TilewrightError`, the exception of errors that users can act on, and `fail`, which raises it at an operation.

The runtime declares the exception."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from ..runtime.errors import MissingItemError as MissingItemError
from ..runtime.errors import ReportedError as ReportedError
from ..runtime.errors import TilewrightError as TilewrightError
from ..runtime.errors import UnknownModuleError as UnknownModuleError
from ..runtime.errors import UnknownNameError as UnknownNameError
from ..runtime.errors import without_addresses as without_addresses

if TYPE_CHECKING:
    from xdsl.dialects.builtin import LocationAttr
    from xdsl.ir import Operation


def fail(
    code: str,
    message: str,
    *,
    op: Operation | None = None,
    location: LocationAttr | None = None,
    notes: Sequence[str] = (),
    help: str | None = None,
) -> NoReturn:
    """Raise a `TilewrightError` at `location`, or at `op`'s location."""
    if location is None and op is not None:
        from .locations import location_of

        location = location_of(op)
    raise TilewrightError(code, message, location=location, notes=notes, help=help, op=op)
