"""Compilation with a limit on the number of LLVM's passes (`-opt-bisect-limit`).

LLVM numbers its optional passes, over optimisation and code generation, and skips all passes beyond the limit; it
prints each pass with the function that it runs on. The limit can be set once in a process. So this module, run as a
program, is a server that compiles each request in a separate fork.
"""

from __future__ import annotations

import os
import pickle
import re
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, Any, Self

from ...diagnostics import fail
from .llvm import CodeOptions, emit_object

_PASS_LINE = re.compile(r"^BISECT: running pass \(\d+\) (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Limited:
    """Object files, and LLVM's passes that produced them, in order, each with the function that it ran on."""

    objects: list[bytes]
    passes: list[str]


class LimitedCompiler:
    """The client of the server, which it starts and ends as a context manager."""

    def __enter__(self) -> Self:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        command = [sys.executable, "-m", __name__]
        self._server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        return self

    def __exit__(self, *_: object) -> None:
        self._server.communicate()

    def compile(self, sources: Sequence[tuple[str, CodeOptions]], limit: int | None = None) -> Limited:
        """Compile modules of LLVM text to object files by the first `limit` passes over all of them, by all passes
        where it is None. Raises TW0603 where LLVM ends with an error."""
        assert self._server.stdin is not None and self._server.stdout is not None
        pickle.dump((-1 if limit is None else limit, list(sources)), self._server.stdin)
        self._server.stdin.flush()
        try:
            objects, output = pickle.load(self._server.stdout)
        except EOFError:
            objects, output = None, f"the process that runs it ended with status {self._server.wait()}"
        if objects is None:
            last = next((line for line in reversed(output.splitlines()) if line.strip()), "it says nothing")
            fail("TW0603", f"LLVM failed with at most {limit} of its passes: {last.strip()}")
        return Limited(objects, _PASS_LINE.findall(output))


def serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Answer each request with its object files, None where LLVM failed, and LLVM's output about its passes."""
    while True:
        try:
            limit, sources = pickle.load(requests)
        except EOFError:
            return
        with tempfile.TemporaryFile() as made, tempfile.TemporaryFile() as said:
            process = os.fork()
            if process == 0:
                os._exit(_compile(sources, limit, made, said))
            _, status = os.waitpid(process, 0)
            made.seek(0)
            said.seek(0)
            objects: Any = pickle.load(made) if status == 0 else None
            pickle.dump((objects, said.read().decode(errors="replace")), answers)
            answers.flush()


def _compile(sources: Sequence[tuple[str, CodeOptions]], limit: int, made: IO[bytes], said: IO[bytes]) -> int:
    """Compile in this process, which ends with the status that is returned."""
    from llvmlite import binding

    os.dup2(said.fileno(), 2)
    try:
        binding.set_option("", f"-opt-bisect-limit={limit}")
        pickle.dump([emit_object(text, options) for text, options in sources], made)
        made.flush()
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        return 1
    return 0


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer)
