"""Pages of the documentation as programs: their blocks run in order, in one folder, and print what the pages show.

- `python`: runs in the page's namespace. A `text` block behind it is what it prints.
- `python FILE`, `mlir FILE`, `sh FILE`: appended to that file. RUN lines of IR are run, Python of a page
  among `IMPORTED` too.
- `console`: commands behind `$ `, each with what it prints to both streams. `# exits with 1` behind a command states
  its exit status, 0 otherwise. A command behind which stands `# not run: ` and the reason is shown alone; one behind
  which stands `# needs wasm-ld, clang` is run where these tools are there (`needed_tools`).
- `sh`, `mermaid`, `toml`, `mlir` without a file: shown, not run. Files of the repository that `sh` names exist.

`…` in what a page shows stands for anything within a line, on a line of its own for any lines.
"""

from __future__ import annotations

import contextlib
import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from needed_tools import those_there
from tilewright.operators.declaration import registered, unregister_operator
from tilewright.passes.framework import registry
from tilewright.passes.framework.base import USER_LEVELS
from tilewright.passes.framework.user_dialects import unregister_dialect
from tilewright.tools.lit_kit import shell

ROOT = Path(__file__).resolve().parents[2]
_BLOCK = re.compile(r"^```(?P<language>\w+)(?: (?P<file>\S+))?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_FENCE = re.compile(r"^```", re.MULTILINE)
_DIRECTIVE = re.compile(r"^```\{.*?^```$", re.MULTILINE | re.DOTALL)
_STATUS = re.compile(r"\s+# exits with (\d)$")
_NOT_RUN = re.compile(r"\s+# not run: \w.+$")
_NEEDS = re.compile(r"\s+# needs ([\w, -]+)$")
_OURS = re.compile(r"(?:tests|benchmarks|examples|docs|lit)/\S+\.\w+")
SHOWN = ("sh", "mermaid", "toml", "mlir", "text", "make")
IMPORTED = ("extend",)
"""Pages that go on with what their Python files define and register."""


class Block(NamedTuple):
    """A fenced block of a page."""

    language: str
    file: str | None
    text: str
    line: int


def blocks(page: Path) -> list[Block]:
    """Return the blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    found = [(match, text.count("\n", 0, match.start()) + 2) for match in _BLOCK.finditer(text)]
    return [Block(match["language"], match["file"], match["text"], line) for match, line in found]


def shows(expected: str, got: str) -> bool:
    """Return whether `got` is what a page shows."""
    pattern = re.escape("\n" + expected).replace(re.escape("\n…\n"), "\n(?:.*\n)*").replace("…", ".*")
    printed = got.rstrip("\n")
    return re.fullmatch(pattern, f"\n{printed}\n" if printed else "\n") is not None


def run(page: Path) -> int:
    """Run the blocks of a page in the current folder; how many ran. Raises AssertionError where a page shows something
    else than what is printed."""
    text = _DIRECTIVE.sub("", page.read_text(encoding="utf-8"))
    assert len(_FENCE.findall(text)) == 2 * len(_BLOCK.findall(text)), f"{page.name}: a block without a language"
    module = type(sys)(page.stem.replace("-", "_"))
    sys.modules[module.__name__] = module  # dataclasses look their module up
    count, printed, imported = 0, "", list[Block]()
    try:
        for block in blocks(page):
            if block.file is not None:
                with open(block.file, "a", encoding="utf-8") as file:
                    file.write(block.text)
                if block.language == "python" and page.stem in IMPORTED:
                    _python(page, block, module.__dict__)
                    imported.append(block)
                if block.language == "mlir":
                    count += _lit(page, block)
            elif block.language == "python":
                printed = _python(page, block, module.__dict__)
                count += 1
            elif block.language == "console":
                count += _console(page, block)
                for earlier in imported:
                    _python(page, earlier, module.__dict__)
            elif block.language == "text":
                assert shows(block.text, printed), f"{page.name}:{block.line} shows something else than\n{printed}"
            else:
                assert block.language in SHOWN, f"{page.name}:{block.line}: no block of language {block.language}"
                missing = [path for path in _OURS.findall(block.text) if not (ROOT / path).exists()]
                assert block.language != "sh" or not missing, f"{page.name}:{block.line}: no file {missing}"
    finally:
        del sys.modules[module.__name__]
    return count


def _python(page: Path, block: Block, namespace: dict[str, Any]) -> str:
    output = io.StringIO()
    code = "\n" * (block.line - 1) + block.text  # errors name the page's line
    with contextlib.redirect_stdout(output):
        exec(compile(code, str(page), "exec"), namespace)
    return output.getvalue()


@contextlib.contextmanager
def fresh() -> Iterator[None]:
    """Let a command know no passes, operators and dialects that the page has registered, and leave none behind."""
    passes, registry._user = registry._user, {}  # pyright: ignore[reportPrivateUsage]
    forget()
    yield
    forget()
    registry._user = passes  # pyright: ignore[reportPrivateUsage]


def forget() -> None:
    """Forget the operators and dialects of users."""
    for name in registered():
        unregister_operator(name)
    for name in USER_LEVELS.copy():
        unregister_dialect(name)


def _lit(page: Path, block: Block) -> int:
    path = Path(block.file or "").resolve()
    lines = shell.run_lines(path)
    for line in lines:
        with fresh():
            result = shell.run(shell.substituted(line, path, path.parent))
        assert result.status == 0, f"{page.name}:{block.line}: {line}\n{result.err}"
    return len(lines)


def _console(page: Path, block: Block) -> int:
    commands = re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]
    for command in commands:
        line, _, expected = command.partition("\n")
        if _NOT_RUN.search(line):
            continue
        if (needs := _NEEDS.search(line)) is not None:
            names = needs[1].split(", ")
            if len(those_there(*names)) < len(names):
                continue
            line = line[: needs.start()]
        status = _STATUS.search(line)
        with fresh():
            result = shell.run(f"{_STATUS.sub('', line)} 2>&1")
        assert shows(expected, result.out), f"{page.name}:{block.line}: {line}\n{result.out}"
        assert result.status == (int(status[1]) if status else 0), f"{page.name}:{block.line}: {line}\n{result.out}"
    return len(commands)
