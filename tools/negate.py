"""`tilewright not COMMAND`: status 0 where a command fails, 1 where it succeeds, as LLVM's `not`.

lit's internal shell and the runner in Python implement `not`; this command is for other shells.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

from ..diagnostics import fail


def negate(words: Sequence[str], *, expects_crash: bool = False) -> int:
    """Run a command and return the status of its negation.

    A command that a signal ends has crashed, which is no failure that a test expects: status 1, and 0 with
    `expects_crash`. Raises TilewrightError TW0209 where there is no command.
    """
    if not words:
        fail("TW0209", "tilewright not: expected a command")
    try:
        status = subprocess.run(words, check=False).returncode
    except OSError as error:
        fail("TW0209", f"tilewright not: cannot run '{words[0]}': {error.strerror}")
    has_crashed = status < 0
    return int(not has_crashed) if expects_crash else int(status == 0 or has_crashed)
