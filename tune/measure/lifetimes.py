"""Child processes that the system ends with their parent, and the text of an exit status."""

from __future__ import annotations

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def end_with_parent(parent: int) -> None:
    """Let the system end this process by SIGKILL as soon as the thread that started it ends, in whatever way.

    `parent` is the process that has that thread: if it is gone already, this process ends here. Other systems than
    Linux have no such request: there a process ends when its pipe does.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def ending(status: int) -> str:
    """Return the end of a process with that status, as `subprocess` counts them, in words."""
    if status >= 0:
        return f"the process ends with status {status}"
    try:
        return signal.Signals(-status).name
    except ValueError:  # a signal for real-time programs
        return f"signal {-status}"
