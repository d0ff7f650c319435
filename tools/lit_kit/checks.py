"""CHECK lines for the text that a command writes: one directive for each line, names of values captured.

    func.func @double(%x: f32) -> f32 {        // CHECK-LABEL: func.func @double(
                                               // CHECK-SAME:    %[[X:.*]]: f32) -> f32 {
      %y = arith.addf %x, %x : f32             // CHECK-NEXT:    %[[Y:.*]] = arith.addf %[[X]], %[[X]] : f32
      func.return %y : f32                     // CHECK-NEXT:    func.return %[[Y]] : f32
    }

A name is captured at its first occurrence, and where a later line defines it again; a name that occurs once matches any
name. Lines that only open or close a module or close a function have no directive.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

_LABEL = re.compile(
    r"^(?P<indent>\s*)(?P<label>(?:func\.func|llvm\.func|define)\b[^@\n]*@(?P<name>[\w.$-]+)\(|"
    r'"func\.func"\(\) <\{sym_name = "(?P<generic>[\w.$-]+)")(?P<rest>.*)$'
)
_SEPARATOR = "// -----"
_PLAIN = {"builtin.module {", '"builtin.module"() ({', "module {", "}) : () -> ()", "}"}
"""Lines outside of functions that say nothing."""
_STRING = r'"(?:[^"\\]|\\.)*"'
_NAME = r"%(?P<value>\d+|[A-Za-z_$.-][\w$.-]*)"
_TOKEN = re.compile(rf"(?P<string>{_STRING})|{_NAME}(?P<defined>(?::\d+)?\s*=(?!=))?")
_SPECIAL = re.compile(r"\[\[|\{\{")


@dataclass
class Chunk:
    """A function of the output, or the text before the first function."""

    name: str | None = None
    label: str = ""
    """The part of its first line that identifies the function."""
    rest: str = ""
    """The rest of that line."""
    lines: list[str] = field(default_factory=list)
    """The lines below it, without indentation common to all; an empty one separates lines that are not neighbours."""

    @property
    def text(self) -> str:
        """The output of the chunk."""
        first = [] if self.name is None else [self.label + self.rest]
        return "\n".join([*first, *self.lines]) + "\n"


def chunks_of(text: str) -> list[Chunk]:
    """Return the functions of a text in order, after the text before the first one."""
    chunks, end, indent = [Chunk()], None, 0
    for line in text.splitlines():
        if match := _LABEL.match(line):
            name = match["name"] or match["generic"]
            chunks.append(Chunk(name, match["label"], match["rest"].rstrip()))
            is_open = match["rest"].rstrip().endswith("{") or match["generic"] is not None
            end = f"{match['indent']}}}" if is_open else None
            indent = len(match["indent"])
        elif end is not None and line.startswith(end):
            end = None
            chunks[-1].lines.append("")
        elif end is not None:
            chunks[-1].lines.append(line[indent:].rstrip() if not line[:indent].strip() else line.rstrip())
        elif line.strip() in _PLAIN or line.startswith(_SEPARATOR) or not line.strip():
            chunks[-1].lines.append("")
        else:
            chunks[-1].lines.append(line.rstrip())
    return chunks


class Directives:
    """Writes the directives of chunks, with one prefix."""

    def __init__(self, prefix: str, paths: Sequence[tuple[str, str]] = ()) -> None:
        self.prefix = prefix
        self.paths = paths
        """Names of files in the output, and the substitution of each in directives."""

    def of(self, chunk: Chunk) -> list[str]:
        """Return the directives of a chunk, without the marker of comments."""
        names = _Names(chunk)
        result: list[str] = []
        if chunk.name is not None:
            result.append(self._line("LABEL", self._literal(chunk.label)))
            if chunk.rest.strip(" {)") or "{" not in chunk.rest:
                result.append(self._line("SAME", "  " + self._pattern(chunk.rest, names)))
        follows = chunk.name is not None
        for line in chunk.lines:
            if line:
                result.append(self._line("NEXT" if follows else "", self._pattern(line, names)))
            follows = bool(line)
        return result

    def _line(self, kind: str, pattern: str) -> str:
        directive = f"{self.prefix}-{kind}:" if kind else f"{self.prefix}:"
        return f"{directive:{len(self.prefix) + 7}} {pattern}"

    def _pattern(self, line: str, names: _Names) -> str:
        parts: list[str] = []
        end = 0
        for match in _TOKEN.finditer(line):
            if match["string"] is not None:
                continue
            parts += [self._literal(line[end : match.start()]), names.of(match["value"], match["defined"] is not None)]
            end = match.start("value") + len(match["value"])
        return "".join([*parts, self._literal(line[end:])])

    def _literal(self, text: str) -> str:
        """Return text that matches itself, and any position in a file."""
        text = _SPECIAL.sub(lambda match: "".join(["{{", *(f"\\{c}" for c in match[0]), "}}"]), text)
        for path, pattern in self.paths:
            position = re.escape(path) + r'(?P<quote>"?)(?P<line>:\d+)?(?P<column>:\d+)?'
            text = re.sub(position, lambda match, pattern=pattern: pattern + _numbers(match), text)
        return text


def _numbers(match: re.Match[str]) -> str:
    """Return the line and column behind a file's name as a pattern: they move with the directives."""
    return match["quote"] + "".join(":{{[0-9]+}}" for group in ("line", "column") if match[group] is not None)


class _Names:
    """The FileCheck variables for the values of one chunk."""

    def __init__(self, chunk: Chunk) -> None:
        found = [match["value"] for match in _TOKEN.finditer(chunk.text) if match["string"] is None]
        self._counts = Counter(found)
        self._variables: dict[str, str] = {}

    def of(self, value: str, is_defined: bool) -> str:
        """Return the directive's text for a name of a value, `%` included."""
        if self._counts[value] == 1:
            return "%{{.*}}"
        if value in self._variables and not is_defined:
            return f"%[[{self._variables[value]}]]"
        if value not in self._variables:
            self._variables[value] = self._free(value)
        return f"%[[{self._variables[value]}:.*]]"

    def _free(self, value: str) -> str:
        """Return a variable that no other value has."""
        stem = re.sub(r"\W", "_", value).upper()
        stem = f"VAL_{stem}" if stem[0].isdigit() else stem
        taken = set(self._variables.values())
        numbered = (f"{stem}_{number}" for number in range(1, len(taken) + 2))
        return stem if stem not in taken else next(name for name in numbered if name not in taken)
