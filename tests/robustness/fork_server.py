"""Runs the command line tools in processes of their own that start with the modules loaded: python fork_server.py

Reads one JSON request a line, {"tool", "arguments", "folder", "out", "err", "seconds"}, forks, and answers with the
exit status as `subprocess` gives it, or null where the time was up. Nothing here has threads when it forks.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import sys
import time
from typing import Any

TOOLS = {"tilewright": "tilewright.tools.cli", "opt-tool": "tilewright.tools.opt"}
LOADED = (
    *TOOLS.values(),
    "onnx",
    "tilewright.tools.execute",
    "tilewright.tools.process",
    "tilewright.driver",
    "tilewright.frontends.onnx.importer",
    "tilewright.backends.cpu.module",
)


def child(request: dict[str, Any]) -> int:
    os.chdir(request["folder"])
    null = os.open(os.devnull, os.O_RDONLY)
    streams = (null, *(os.open(request[key], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600) for key in ("out", "err")))
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    try:
        status = importlib.import_module(TOOLS[request["tool"]]).main(request["arguments"])
    except SystemExit as stop:
        status = stop.code
    except BaseException:
        sys.excepthook(*sys.exc_info())
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    return int(status or 0)


def wait(process: int, seconds: float) -> int | None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found, status = os.waitpid(process, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return None


def serve() -> None:
    for name in LOADED:
        importlib.import_module(name)
    for line in sys.stdin:
        request = json.loads(line)
        process = os.fork()
        if process == 0:
            os._exit(child(request))
        print(json.dumps(wait(process, request["seconds"])), flush=True)


if __name__ == "__main__":
    serve()
