"""Execution of the RUN lines of lit files in this process: starting Python for each command would dominate the time.

The parser of the lit package splits the lines, so that both runners read the same syntax: pipelines, `&&`, `||`, `;`,
`not`, redirection and globs. opt-tool, tilewright, filecheck and cat run in process, other commands are started. An
unknown directive, substitution, operator or command raises `UnknownSyntax`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import IO, NamedTuple

from ...diagnostics import fail

try:
    from lit.ShCommands import Command, GlobItem, Pipeline, Seq
    from lit.ShUtil import ShParser
except ImportError:
    fail("TW0231", "expected the packages 'lit' and 'filecheck', but 'lit' is not installed")

_DIRECTIVE = re.compile(r"\b(RUN|DEFINE|REDEFINE|XFAIL|REQUIRES|UNSUPPORTED|ALLOW_RETRIES):(.*)|\bEND\.")
_SUBSTITUTION = re.compile(r"%(?:[A-Za-z]|[{/:(])")


class UnknownSyntax(ValueError):
    """Raised for a RUN line, or another directive, that this runner does not support."""


class Result(NamedTuple):
    """The output of a command, and its exit status."""

    status: int
    out: str
    err: str


def run_lines(path: Path) -> list[str]:
    """Return the RUN lines of a file, continuation lines joined. Raises UnknownSyntax for other directives of lit."""
    lines: list[str] = []
    started = ""
    for match in filter(None, map(_DIRECTIVE.search, path.read_text(encoding="utf-8").splitlines())):
        if match[1] != "RUN":
            raise UnknownSyntax(f"{path}: '{match[0]}' is known to lit alone")
        started += match[2].strip()
        if started.endswith("\\"):
            started = started[:-1]
        else:
            lines.append(started)
            started = ""
    if started:
        raise UnknownSyntax(f"{path}: the last RUN line goes on nowhere")
    return lines


def substituted(line: str, path: Path, temporary: Path, more: Sequence[tuple[str, str]] = ()) -> str:
    """Return a RUN line with `more` substitutions, pairs of a regular expression and a text, and those of lit itself.

    Raises UnknownSyntax for others.
    """
    for pattern, replacement in more:
        line = re.sub(pattern, lambda _, text=replacement: text, line)
    for name, replacement in (("%s", path), ("%S", path.parent), ("%p", path.parent), ("%t", temporary / "t")):
        line = re.sub(f"{name}(?![A-Za-z])", str(replacement), line)
    if unknown := _SUBSTITUTION.search(line.replace("%%", "")):
        raise UnknownSyntax(f"{path}: no substitution for '{line[unknown.start() :]}'")
    return line.replace("%%", "%")


Commands = Mapping[str, Callable[[list[str]], object]]
"""The commands that run in this process: a name, and a function of the words that returns the exit status."""


def run(line: str, commands: Commands | None = None) -> Result:
    """Run one substituted line; `commands` replace those of this process. Raises UnknownSyntax."""
    try:
        parsed = ShParser(line, pipefail=True).parse()
    except (ValueError, IndexError, AssertionError) as error:  # lit's parser looks beyond the end of '... &'
        raise UnknownSyntax(f"lit cannot read '{line}': {error}") from error
    return _run(parsed, {**_COMMANDS, **(commands or {})})


def call(words: list[str], stdin: str) -> Result:
    """Run one command on a text. Raises UnknownSyntax."""
    return _command(Command(words, []), stdin, _COMMANDS)


def _run(parsed: Seq | Pipeline, commands: Commands) -> Result:
    if isinstance(parsed, Pipeline):
        return _pipeline(parsed.commands, commands)
    if parsed.op not in ("&&", "||", ";"):
        raise UnknownSyntax(f"unknown operator '{parsed.op}'")
    first = _run(parsed.lhs, commands)
    if parsed.op != ";" and (first.status == 0) == (parsed.op == "||"):
        return first
    second = _run(parsed.rhs, commands)
    return Result(second.status, first.out + second.out, first.err + second.err)


def _pipeline(pipeline: list[Command], commands: Commands) -> Result:
    """Run a pipeline. The status is the last failure's, as with pipefail."""
    status, text, errors = 0, "", ""
    for command in pipeline:
        result = _command(command, text, commands)
        text = result.out
        errors += result.err
        status = result.status or status
    return Result(status, text, errors)


def _command(command: Command, stdin: str, commands: Commands) -> Result:
    words = [word for arg in command.args for word in _expanded(arg)]
    is_negated = False
    while words[:1] == ["not"]:
        is_negated = not is_negated
        del words[0]
    if not words or words[0].startswith("-"):
        raise UnknownSyntax(f"expected a command after 'not', but got {words}")
    out, err = StringIO(), StringIO()
    with ExitStack() as open_files:
        streams: dict[int, IO[str]] = {0: StringIO(stdin), 1: out, 2: err}
        for operator, target in command.redirects:
            _redirect(streams, operator, _target(target), open_files)
        status = _call(commands.get(words[0], _external), words, streams)
    return Result(int(status == 0) if is_negated else status, out.getvalue(), err.getvalue())


def _expanded(word: str | GlobItem) -> list[str]:
    return [word] if isinstance(word, str) else [str(path) for path in word.resolve(os.getcwd())]


def _target(word: object) -> str:
    """Return the file or stream that a redirection names."""
    if not isinstance(word, str):
        raise UnknownSyntax(f"expected a file's name after a redirection, but got {word}")
    return word


def _redirect(
    streams: dict[int, IO[str]], operator: tuple[str] | tuple[str, int], target: str, open_files: ExitStack
) -> None:
    """Point streams of a command elsewhere, as one redirection says. `operator` may say which, as in ('>', 2)."""
    kind = operator[0]
    number = operator[1] if len(operator) == 2 else int(kind not in ("<", "<&"))
    if kind == ">&" and target.isdigit() and int(target) in streams:
        streams[number] = streams[int(target)]
        return
    mode = {"<": "r", ">": "w", ">>": "a", "&>": "w"}.get(kind)
    if mode is None or number not in streams:
        raise UnknownSyntax(f"unknown redirection '{kind}' to '{target}'")
    file = open(target, mode, encoding="utf-8")  # noqa: SIM115  (the stack closes it)
    streams[number] = open_files.enter_context(file)
    if kind == "&>":
        streams[2] = streams[1]


def _call(function: Callable[[list[str]], object], words: list[str], streams: dict[int, IO[str]]) -> int:
    before = sys.stdin
    sys.stdin = streams[0]
    try:
        with redirect_stdout(streams[1]), redirect_stderr(streams[2]):
            status = function(words)
    except SystemExit as exit:
        status = exit.code
    finally:
        sys.stdin = before
    return status if isinstance(status, int) else int(status is not None)


def _opt_tool(words: list[str]) -> object:
    from ..opt import main

    return main(words[1:])


def _tilewright(words: list[str]) -> object:
    from ..cli import main

    return main(words[1:])


def _filecheck(words: list[str]) -> object:
    from filecheck.main import main

    return main(words)


def _cat(words: list[str]) -> object:
    texts = [Path(name).read_text(encoding="utf-8") for name in words[1:]] or [sys.stdin.read()]
    sys.stdout.write("".join(texts))
    return 0


def _external(words: list[str]) -> object:
    if shutil.which(words[0], path=_environment()["PATH"]) is None:
        raise UnknownSyntax(f"no command '{words[0]}'")
    errors = subprocess.STDOUT if sys.stdout is sys.stderr else subprocess.PIPE
    done = subprocess.run(
        words, input=sys.stdin.read(), stdout=subprocess.PIPE, stderr=errors, text=True, env=_environment()
    )
    sys.stdout.write(done.stdout)
    sys.stderr.write(done.stderr or "")
    return done.returncode


_COMMANDS: Commands = {
    "opt-tool": _opt_tool,
    "tilewright": _tilewright,
    "filecheck": _filecheck,
    "cat": _cat,
}


def _environment() -> dict[str, str]:
    return {**os.environ, "PATH": os.path.dirname(sys.executable) + os.pathsep + os.environ.get("PATH", "")}
