"""Debug information of one LLVM module: only line tables, with the lines of a `LineTable`.

Every function has a subprogram, because LLVM drops the lines of a function that is inlined into a function without one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from xdsl.ir import Operation

from ....diagnostics.locations import SourcePosition
from ...line_table import LineTable

_FIRST = 3
"""The first free number of metadata; lower numbers are the same in every module."""


class DebugInfo:
    """The metadata of one module."""

    def __init__(self, lines: LineTable) -> None:
        self._lines = lines
        self._nodes: dict[str, int] = {}
        self._unit = self._add(
            f"distinct !DICompileUnit(language: DW_LANG_C99, file: {self.file(str(lines.path))}, "
            'producer: "tilewright", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)'
        )
        self._type = self._add(f"!DISubroutineType(types: {self._add('!{null}')})")

    def function(self, name: str, op: Operation) -> FunctionDebugInfo:
        """Return the debug information of a function that stands for `op`."""
        position = self._lines.position(op)
        file = self.file(position.file)
        program = self._add(
            f"distinct !DISubprogram(name: {_quoted(name)}, scope: {file}, file: {file}, line: {position.line}, "
            f"type: {self._type}, scopeLine: {position.line}, spFlags: DISPFlagDefinition | DISPFlagOptimized, "
            f"unit: {self._unit})"
        )
        return FunctionDebugInfo(self, program, position.file)

    def location(self, op: Operation, program: str, file: str) -> str:
        """Return the location of `op` inside a subprogram of `file`."""
        position = self._lines.position(op)
        scope = program if position.file == file else self._in_file(program, position)
        return self._add(f"!DILocation(line: {position.line}, column: {position.column}, scope: {scope})")

    def file(self, path: str) -> str:
        """Return the node of a source file."""
        folder, name = os.path.split(os.path.abspath(path))
        return self._add(f"!DIFile(filename: {_quoted(name)}, directory: {_quoted(folder)})")

    def text(self) -> str:
        """Return all debug information, as it stands at the end of the module."""
        flags = [self._add(f'!{{i32 {kind}, !"{name}", i32 {value}}}') for kind, name, value in _FLAGS]
        lines = [f"!llvm.dbg.cu = !{{{self._unit}}}", f"!llvm.module.flags = !{{{', '.join(flags)}}}"]
        return "\n".join([*lines, *(f"!{number} = {node}" for node, number in self._nodes.items())])

    def _in_file(self, program: str, position: SourcePosition) -> str:
        return self._add(f"!DILexicalBlockFile(scope: {program}, file: {self.file(position.file)}, discriminator: 0)")

    def _add(self, node: str) -> str:
        return f"!{self._nodes.setdefault(node, _FIRST + len(self._nodes))}"


class FunctionDebugInfo:
    """The debug information of one function: the `!dbg` suffixes of its header and its instructions."""

    def __init__(self, module: DebugInfo, program: str, file: str) -> None:
        self._module = module
        self._program = program
        self._file = file
        self._suffixes: dict[Operation, str] = {}
        self.header = f" !dbg {program}"

    def at(self, op: Operation) -> str:
        """Return the suffix with the debug location of `op`, for its instructions."""
        found = self._suffixes.get(op)
        if found is None:
            found = self._suffixes[op] = f", !dbg {self._module.location(op, self._program, self._file)}"
        return found

    def attach(self, lines: Sequence[str], op: Operation) -> list[str]:
        """Return the lines of a function, from its header to its brace, all of them standing for `op`."""
        header, *body = lines
        return [
            f"{header.removesuffix(' {')}{self.header} {{",
            *(f"{line}{self.at(op)}" if line.startswith("  ") else line for line in body),
        ]


_FLAGS = ((7, "Dwarf Version", 4), (2, "Debug Info Version", 3))
_UNSAFE = re.compile(rb"[^ !#-\[\]-~]")


def _quoted(text: str) -> str:
    escaped = _UNSAFE.sub(lambda found: b"\\%02X" % found[0], text.encode())
    return f'"{escaped.decode()}"'
