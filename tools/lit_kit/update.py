"""`tilewright update-checks`: regenerates the CHECK lines of lit files from the output of their RUN lines.

The directives of a function precede the function, after other comments. A file whose directives match is not changed;
in other files only the directives of functions that do not match are rewritten. All other lines are kept.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from difflib import SequenceMatcher
from pathlib import Path
from typing import NamedTuple

from filecheck.options import parse_argv_options

from ...diagnostics import TilewrightError, fail
from ...diagnostics.files import read_text
from ...diagnostics.progress import task
from .. import files
from . import shell
from .checks import Chunk, Directives, chunks_of
from .suite import suite_of

_FUNCTION = re.compile(r"^\s*(?:func\.func|llvm\.func)\b[^@\n]*@(?P<name>[\w.$-]+)\(")
_COMMENT = re.compile(r"^\s*//(?! -----)")
_RUN = re.compile(r"\bRUN:")


class _Check(NamedTuple):
    """One call of filecheck: its command line, its prefixes and its input."""

    words: list[str]
    prefixes: list[str]
    text: str


def update_files(paths: Sequence[str], *, anew: bool = False) -> int:
    """Update files, report on standard error, and return the exit status.

    `anew` rewrites directives that match too.
    """
    status = 0
    with task("files", len(paths)) as step:
        for path in paths:
            step(path)
            try:
                changed = update_file(Path(path), anew=anew)
                print(f"{path}: {'written' if changed else 'unchanged'}", file=sys.stderr)
            except TilewrightError as error:
                from ..terminal import show

                show(error)
                status = 1
    return status


def update_file(path: Path, *, anew: bool = False) -> bool:
    """Update one file and return whether it changed. Raises TilewrightError TW0232 where its RUN lines give nothing to
    check."""
    text = read_text(str(path))
    path = path.resolve()
    with tempfile.TemporaryDirectory(prefix="tilewright-lit-") as folder:
        checks = _checks_of(path, Path(folder))
        new = text if not anew and _hold(text, checks) else _updated(text, path, checks, Path(folder), anew)
    if new != text:
        files.write(str(path), new)
    return new != text


def _checks_of(path: Path, temporary: Path) -> list[_Check]:
    """Return the calls of filecheck in RUN lines that check directives of the file itself."""
    suite = suite_of(path)
    found: list[_Check] = []

    def keep(words: list[str]) -> int:
        options = parse_argv_options(list(words))
        text = sys.stdin.read() if options.input_file == "-" else Path(options.input_file).read_text(encoding="utf-8")
        if Path(options.match_filename) == path:
            found.append(_Check(words, list(options.check_prefixes), text))
        return 0

    try:
        with suite.environment_set() if suite is not None else nullcontext():
            for line in shell.run_lines(path):
                command = shell.substituted(line, path, temporary, () if suite is None else suite.substitutions)
                result = shell.run(command, {"filecheck": keep})
                if result.status != 0:
                    failure = f"RUN line '{line}' of '{path}' ends with status {result.status}"
                    fail("TW0232", failure, notes=[text] if (text := result.err.strip()) else [])
    except shell.UnknownSyntax as error:
        fail("TW0232", f"a RUN line cannot be followed: {error}")
    if not found:
        fail("TW0232", f"expected a RUN line of '{path}' that ends in '| filecheck %s', but there is none")
    return found


def _updated(text: str, path: Path, checks: list[_Check], temporary: Path, anew: bool) -> str:
    """Return the text with other directives."""
    paths = [(str(path), "{{.*}}" + path.name), (str(temporary), "{{.*}}")]
    outputs = {prefix: chunks_of(output) for prefix, output in _outputs(checks, path).items()}
    for keeps in (False,) if anew else (True, False):
        source = _Source(text, list(outputs))
        for prefix, chunks in outputs.items():
            source.insert(Directives(prefix, paths), chunks, keeps=keeps)
        new = source.text()
        if _hold(new, checks):
            return new
    fail("TW0232", f"the output of the RUN lines of '{path}' cannot be written as CHECK lines")


def _outputs(checks: list[_Check], path: Path) -> dict[str, str]:
    """Return the output that directives of a prefix are to match, for one prefix of each use of filecheck."""
    texts: dict[str, set[str]] = {}
    for check in checks:
        for prefix in check.prefixes:
            texts.setdefault(prefix, set()).add(check.text)
    found: dict[str, str] = {}
    for check in checks:
        prefix = next((prefix for prefix in check.prefixes if len(texts[prefix]) == 1), None)
        if prefix is None:
            shared = ", ".join(check.prefixes)
            fail(
                "TW0232",
                f"RUN lines of '{path}' print different texts for directives of the same prefix, {shared}",
                help="give each a different prefix: `filecheck %s --check-prefix=OTHER`",
            )
        found[prefix] = check.text
    return found


def _hold(text: str, checks: list[_Check]) -> bool:
    return all(_holds(text, check.words, check.text) for check in checks)


def _holds(text: str, words: list[str], output: str) -> bool:
    """Return whether the directives of a text hold for an output."""
    with tempfile.TemporaryDirectory(prefix="tilewright-lit-") as folder:
        path = Path(folder) / "directives"
        path.write_text(text, encoding="utf-8")
        # The name of the file is the one argument that filecheck takes beside options.
        name = parse_argv_options(list(words)).match_filename
        given = [str(path) if word == name else word for word in words]
        return shell.call([word for word in given if not word.startswith("--input-file")], output).status == 0


class _Source:
    """The lines of a lit file, grouped by function."""

    def __init__(self, text: str, prefixes: Sequence[str]) -> None:
        kinds = r"(?:-(?:DAG|COUNT-\d+|NOT|EMPTY|NEXT|SAME|LABEL))?(?:\{LITERAL\})?:"
        self._directive = re.compile(rf"^\s*//.*?\b(?P<prefix>{'|'.join(map(re.escape, prefixes))}){kinds}")
        lines = text.splitlines()
        starts = [number for number, line in enumerate(lines) if _FUNCTION.match(line)]
        bounds = [self._begin(lines, start) for start in starts]
        self._segments = [lines[a:b] for a, b in zip([0, *bounds], [*bounds, len(lines)], strict=True)]
        """The lines in front of the first function, and those of each function, comments in front included."""
        self._names = [match["name"] for line in lines if (match := _FUNCTION.match(line))]

    def _begin(self, lines: list[str], start: int) -> int:
        """Return the line at which the comments in front of a function start; RUN lines are not part of them."""
        while start > 0 and _COMMENT.match(lines[start - 1]) and not _RUN.search(lines[start - 1]):
            start -= 1
        return start

    def insert(self, directives: Directives, chunks: list[Chunk], *, keeps: bool) -> None:
        """Put the directives of an output where they belong; those that hold for their functions stay, if `keeps`."""
        for index, group in enumerate(self._groups(chunks)):
            segment = self._segments[index]
            written = [line for line in segment if self._is_directive(line, directives.prefix)]
            output = "".join(chunk.text for chunk in group)
            words = ["filecheck", "directives", f"--check-prefix={directives.prefix}"]
            if keeps and index > 0 and written and _holds("\n".join(written) + "\n", words, output):
                continue
            lines = [line for chunk in group for line in directives.of(chunk)]
            kept = list(_without(segment, lambda line: self._is_directive(line, directives.prefix)))
            self._segments[index] = _with(kept, lines, is_head=index == 0)

    def text(self) -> str:
        """Return the whole file."""
        return "\n".join(line for segment in self._segments for line in segment) + "\n"

    def _groups(self, chunks: list[Chunk]) -> list[list[Chunk]]:
        """Return the chunks that belong to each segment: the function of that name, and those that follow and have
        none."""
        groups: list[list[Chunk]] = [[] for _ in self._segments]
        names = [chunk.name for chunk in chunks]
        matcher = SequenceMatcher(None, [None, *self._names], names, autojunk=False)
        segment_of = {b + k: a + k for a, b, size in matcher.get_matching_blocks() for k in range(size)}
        current = 0
        for index, chunk in enumerate(chunks):
            current = segment_of.get(index, current)
            groups[current].append(chunk)
        return groups

    def _is_directive(self, line: str, prefix: str) -> bool:
        match = self._directive.match(line)
        return match is not None and match["prefix"] == prefix


def _without(lines: list[str], is_removed: Callable[[str], bool]) -> Iterator[str]:
    """Yield the lines that stay; where some were removed between two empty lines, one of those."""
    last, removed = "", False
    for line in lines:
        if is_removed(line):
            removed = True
            continue
        if not (removed and not line.strip() and not last.strip()):
            yield line
            last = line
        removed = False


def _with(lines: list[str], directives: list[str], *, is_head: bool) -> list[str]:
    """Return lines with directives in front of the function, or behind the RUN lines."""
    if not directives:
        return lines
    if is_head:
        runs = [number for number, line in enumerate(lines) if _RUN.search(line)]
        start = runs[-1] + 1 if runs else 0
        rest = lines[start:]
        before = [""] if start else []
        after = [] if rest[:1] == [""] else [""]
        return [*lines[:start], *before, *(f"// {line}" for line in directives), *after, *rest]
    start = next(number for number, line in enumerate(lines) if _FUNCTION.match(line))
    indent = lines[start][: len(lines[start]) - len(lines[start].lstrip())]
    return [*lines[:start], *(f"{indent}// {line}" for line in directives), *lines[start:]]
