"""Functions of programs that were compiled for another machine: they can be saved, and calls of them are refused."""

from __future__ import annotations

from .arguments import Signature
from .buffers import Array
from .checked_call import CheckedCall
from .errors import fail


class ElsewhereCall(CheckedCall):
    """Calls of code that this machine does not run."""

    def __init__(self, signature: Signature, threads: int, machine: str, obstacle: str) -> None:
        """Keep `machine`, which the code is for, and `obstacle`, which keeps this one from running it."""
        super().__init__(signature, threads)
        self._machine = machine
        self._obstacle = obstacle

    def _invoke(self, arrays: list[Array], threads: int) -> int:
        fail(
            "TW0750",
            f"expected to run on {self._machine}, but {self._obstacle}",
            help="save the program and load it on such a machine, or build it for this one",
        )
