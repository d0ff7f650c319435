"""The command line tools in processes of their own, and what every error of theirs must look like."""

from __future__ import annotations

import atexit
import json
import os
import re
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

from hangs import HANG


class Result(NamedTuple):
    """The result of a command; a negative status is a crash."""

    status: int
    out: str
    err: str


@cache
def server() -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("fork_server.py"))],
        env={**os.environ, "PYTHONUTF8": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(process.kill)
    return process


def run(folder: Path, tool: str, *arguments: str) -> Result:
    """Run `tilewright` or `opt-tool` in a folder: it neither crashes, hangs nor shows a traceback."""
    process = server()
    assert process.stdin is not None and process.stdout is not None
    with tempfile.TemporaryDirectory() as temporary:
        out, err = Path(temporary, "out"), Path(temporary, "err")
        request = {"tool": tool, "arguments": arguments, "folder": str(folder), "seconds": HANG}
        process.stdin.write(json.dumps(request | {"out": str(out), "err": str(err)}) + "\n")
        process.stdin.flush()
        status = json.loads(process.stdout.readline())
        result = Result(status, out.read_text(encoding="utf-8"), err.read_text(encoding="utf-8"))
    assert status is not None, f"still running after {HANG} s: {tool} {' '.join(arguments)}"
    assert status in (0, 1, 2), result
    assert "Traceback" not in result.err, result.err
    return result


def error(folder: Path, *words: str) -> str:
    """Return the one error that the command ends in, with its notes and help."""
    result = run(folder, *words)
    assert result.status == (2 if "error[TW0209]" in result.err else 1), result
    assert result.out == ""
    assert len(re.findall(r"error\[TW\d{4}\]: ", result.err)) == 1, result.err
    return result.err


def output(folder: Path, *words: str) -> str:
    """Return the output of a command that succeeds and writes nothing to standard error."""
    result = run(folder, *words)
    assert (result.status, result.err) == (0, ""), result
    return result.out
