"""Run-time checks in compiled code, and the messages of failed checks.

Code with checks gets pointers to the record of its call among its constants, at positions that the backend states. The
record is an array of int64. The first element is 0 until a check fails, and then the number of that check, counted from
1; the values of its message follow. Among several threads the first to fail writes the record, and the entry's result
is not 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, NoReturn

import numpy as np

from .buffers import Array
from .errors import SourcePosition, fail
from .text import filled

VIOLATED = "TW0730"


class Check(NamedTuple):
    """The message and the source position of a condition; the file is empty where it is unknown."""

    message: str
    """With a `{}` for each value."""
    file: str = ""
    line: int = 0
    column: int = 0


@dataclass(frozen=True)
class Checks:
    """The checks of a program."""

    checks: tuple[Check, ...]
    """By their numbers."""
    positions: tuple[int, ...]
    """The positions of the pointers to the record in the program's table of constants."""

    @property
    def record_size(self) -> int:
        """The count of numbers in a record."""
        return 1 + max((check.message.count("{}") for check in self.checks), default=0)

    def new_record(self) -> Array:
        """Return the record of a call."""
        return np.zeros(self.record_size, np.int64)

    def with_record(self, constants: Sequence[int], record: int) -> list[int]:
        """Return the table of constants of a call: their addresses, and that of its record."""
        table = list(constants)
        for position in self.positions:  # they ascend
            table.insert(position, record)
        return table

    def report(self, record: Array, sizes: Mapping[str, int] | None = None) -> None:
        """Raise TilewrightError TW0730 where a check failed; a note has the symbolic sizes of the call."""
        if record[0]:
            self._fail(sizes or {}, *(int(n) for n in record))

    def _fail(self, sizes: Mapping[str, int], number: int, *values: int) -> NoReturn:
        check = self.checks[number - 1]
        notes = [f"the call has {', '.join(f'{name} = {size}' for name, size in sizes.items())}"] if sizes else []
        location = SourcePosition(check.file, check.line, check.column) if check.file else None
        fail(VIOLATED, filled(check.message, values[: check.message.count("{}")]), notes=notes, location=location)
