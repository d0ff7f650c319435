"""Runs a function that may crash or never return in a fork of this process, with a time limit."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Ended:
    """A fork that a signal ended before it returned a result."""

    signal: int
    seconds: int

    def __str__(self) -> str:
        if self.signal == signal.SIGALRM:
            return f"it has not ended after {self.seconds} seconds"
        return f"it ends the process with {signal.Signals(self.signal).name}"


def run_forked(run: Callable[[], T], seconds: int) -> T | Ended:
    """Return the result of `run`, which can be pickled, computed in a fork within `seconds` seconds.

    Raises RuntimeError where `run` raises; the traceback is on standard error.
    """
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        os._exit(_answer(run, seconds, writing))
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        answer: Any = pipe.read()
    _, status = os.waitpid(process, 0)
    if os.WIFSIGNALED(status):
        return Ended(os.WTERMSIG(status), seconds)
    if os.WEXITSTATUS(status) != 0:
        raise RuntimeError("the function that ran in a separate process failed")
    return pickle.loads(answer)


def _answer(run: Callable[[], object], seconds: int, writing: int) -> int:
    """Run in this process, which ends with the status that is returned."""
    try:
        for number in (signal.SIGALRM, signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGFPE, signal.SIGABRT):
            signal.signal(number, signal.SIG_DFL)
        signal.alarm(seconds)
        with os.fdopen(writing, "wb") as pipe:
            pickle.dump(run(), pipe)
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        return 1
    return 0
