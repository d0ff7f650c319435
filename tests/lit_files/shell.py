"""Runs the RUN lines of lit files in this process: a start of Python a command would take most of the time.

The subset of the shell that the files use: pipelines, `&&`, `not`, `2>&1` and redirection of standard output, with
opt-tool, tilewright, filecheck and cat in process; other commands start as usual. Other lines go to a real shell.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

LIT_ROOT = Path(__file__).resolve().parents[2] / "lit"
_RUN = re.compile(r"//\s*RUN:\s*(.*?)(\\?)$")
_UNSUPPORTED = {"||", ";", "<", ">>", "(", ")", "&"}
_REDIRECTION = re.compile(r"\b2>(?!&1)")


class Result(NamedTuple):
    """What a command wrote, and its exit status."""

    status: int
    out: str
    err: str


def lit_files() -> list[Path]:
    """All lit files."""
    return sorted(LIT_ROOT.rglob("*.mlir"))


def run_lines(path: Path) -> list[str]:
    """The RUN lines of a file, continuation lines joined."""
    lines: list[str] = []
    joining = False
    for text in path.read_text(encoding="utf-8").splitlines():
        if match := _RUN.search(text):
            if joining:
                lines[-1] += " " + match[1]
            else:
                lines.append(match[1])
            joining = bool(match[2])
    return lines


def substituted(line: str, path: Path, temporary: Path) -> str:
    """A RUN line with the substitutions of lit.cfg.py and of lit itself."""
    for name, replacement in _configured_substitutions():
        line = line.replace(name, replacement)
    for name, replacement in (("%s", path), ("%S", path.parent), ("%t", temporary / "t")):
        line = re.sub(f"{name}(?![A-Za-z])", str(replacement), line)
    return line.replace("%%", "%")


def _configured_substitutions() -> list[tuple[str, str]]:
    config = SimpleNamespace(environment={}, substitutions=[])
    source = (LIT_ROOT / "lit.cfg.py").read_text(encoding="utf-8")
    exec(compile(source, "lit.cfg.py", "exec"), {"config": config, "__file__": str(LIT_ROOT / "lit.cfg.py")})
    return config.substitutions


def run(line: str) -> Result:
    """Run one substituted line."""
    lexer = shlex.shlex(line.replace("2>&1", " 2\\>\\&1 "), posix=True, punctuation_chars="|&;<>()")
    lexer.whitespace_split = True
    lexer.commenters = ""
    tokens = list(lexer)
    if any(token in _UNSUPPORTED for token in tokens) or _REDIRECTION.search(line):
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", line], capture_output=True, text=True, env=_environment()
        )
        return Result(done.returncode, done.stdout, done.stderr)
    out = err = ""
    for part in _split(tokens, "&&"):
        result = _pipeline([_split(command, "2>&1") for command in _split(part, "|")])
        out, err = out + result.out, err + result.err
        if result.status:
            return Result(result.status, out, err)
    return Result(0, out, err)


def _split(tokens: list[str], separator: str) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for token in tokens:
        if token == separator:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _pipeline(commands: list[list[list[str]]]) -> Result:
    """Each command is its tokens split at `2>&1`; the status is the last failure's, as with pipefail."""
    status, text, errors = 0, "", ""
    for parts in commands:
        tokens = [token for part in parts for token in part]
        result = _command(tokens, text, merge=len(parts) > 1)
        text = result.out
        errors += result.err
        status = result.status or status
    return Result(status, text, errors)


def _command(tokens: list[str], stdin: str, *, merge: bool) -> Result:
    target: str | None = None
    if ">" in tokens:
        at = tokens.index(">")
        target = tokens[at + 1]
        tokens = tokens[:at] + tokens[at + 2 :]
    negated = 0
    while tokens[0] == "not":
        negated += 1
        tokens = tokens[1:]
    out = StringIO()
    err = out if merge else StringIO()
    status = _call(_COMMANDS.get(tokens[0], _external), tokens, stdin, out, err)
    if negated % 2:
        status = 0 if status else 1
    text = out.getvalue()
    if target is not None:
        Path(target).write_text(text, encoding="utf-8")
        text = ""
    return Result(status, text, "" if merge else err.getvalue())


def _call(function: Callable[[list[str]], object], tokens: list[str], stdin: str, out: StringIO, err: StringIO) -> int:
    before = sys.stdin
    sys.stdin = StringIO(stdin)
    try:
        with redirect_stdout(out), redirect_stderr(err):
            status = function(tokens)
    except SystemExit as exit:
        status = exit.code
    finally:
        sys.stdin = before
    return status if isinstance(status, int) else int(status is not None)


def _opt_tool(tokens: list[str]) -> object:
    from tilewright.tools.opt import main

    return main(tokens[1:])


def _tilewright(tokens: list[str]) -> object:
    from tilewright.tools.cli import main

    return main(tokens[1:])


def _filecheck(tokens: list[str]) -> object:
    from filecheck.main import main

    return main(tokens)


def _cat(tokens: list[str]) -> object:
    for name in tokens[1:]:
        sys.stdout.write(Path(name).read_text(encoding="utf-8"))
    return 0 if len(tokens) > 1 else sys.stdout.write(sys.stdin.read()) * 0


def _external(tokens: list[str]) -> object:
    done = subprocess.run(tokens, input=sys.stdin.read(), capture_output=True, text=True, env=_environment())
    sys.stdout.write(done.stdout)
    sys.stderr.write(done.stderr)
    return done.returncode


_COMMANDS: dict[str, Callable[[list[str]], object]] = {
    "opt-tool": _opt_tool,
    "tilewright": _tilewright,
    "filecheck": _filecheck,
    "cat": _cat,
}


def _environment() -> dict[str, str]:
    return {**os.environ, "PATH": os.path.dirname(sys.executable) + os.pathsep + os.environ.get("PATH", "")}
