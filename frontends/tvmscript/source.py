"""Source text of scripts: the syntax tree, the source location of each node, and the values of free names."""

from __future__ import annotations

import ast
import builtins
import inspect
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import FunctionType, ModuleType
from typing import Any, NoReturn

from xdsl.dialects.builtin import FileLineColLoc

from ...diagnostics import fail
from ...diagnostics.locations import file_location, note_source
from ...diagnostics.rendering import register_source

SYNTAX = "TW0310"
NO_SOURCE = "TW0311"
MAX_NESTING = 64
"""The deepest nesting of statements, as in IR text."""


@dataclass(frozen=True)
class Source:
    """A piece of a Python file, and the values of its free names."""

    file: str
    tree: ast.Module
    lines: tuple[str, ...]
    first_line: int = 1
    indent: int = 0
    """The number of columns that were cut off the beginning of each line."""
    names: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """The values of names outside of the piece: closures, globals, arguments of `from_source`."""
    runs_python: bool = True
    """True if Python functions that the piece calls may be run; those of text never are."""

    def location(self, node: ast.AST) -> FileLineColLoc:
        """Return the location of the beginning of a node."""
        line, offset = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        column = len(text.encode()[:offset].decode(errors="replace"))
        return file_location(self.file, self.first_line + line - 1, column + self.indent + 1)

    def fail(self, code: str, message: str, node: ast.AST, *, help: str | None = None) -> NoReturn:
        """Raise a TilewrightError at a node."""
        fail(code, message, location=self.location(node), help=help)


_BUILTINS = {f.__name__: f for f in (range, min, max, abs, len, int, float, bool)}
"""The builtin functions of Python that text may use."""


def source_of_text(text: str, name: str, names: Mapping[str, Any]) -> Source:
    """Return the source of a script that is given as text."""
    register_source(name, text)
    known = {**_BUILTINS, **names}
    return Source(name, _parse(text, name, 1, 0), tuple(text.split("\n")), names=known, runs_python=False)


def source_of(thing: Callable[..., Any] | type, *, is_being_defined: bool = False) -> Source:
    """Return the source of a function or a class, which Python has defined already, or is about to.

    Of one that is being defined the names of the functions around it are known too: annotations use them, and are no
    part of its closure.
    """
    what = f"{'class' if isinstance(thing, type) else 'function'} '{thing.__name__}'"
    try:
        lines, first = inspect.getsourcelines(thing)
        file = inspect.getsourcefile(thing) or inspect.getfile(thing)
    except (OSError, TypeError):
        lines, first, file = [], 1, ""
    if not lines:
        fail(
            NO_SOURCE,
            f"the source of {what} is not available",
            help="define it in a file or a notebook, or hand its text to from_source",
        )
    note_source(file)
    plain = textwrap.dedent("".join(lines))
    indent = len(lines[0].rstrip("\n")) - len(plain.split("\n")[0])
    tree = _parse(plain, file, first, indent)
    names = {**vars(builtins), **(_names_around() if is_being_defined else {}), **_names_of(thing)}
    return Source(file, tree, tuple(plain.split("\n")), first, indent, names)


def _names_around() -> dict[str, Any]:
    """Return the names of the active functions in the file of the function that has a script read."""
    frame = inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == _PACKAGE:
        frame = frame.f_back
    found: list[dict[str, Any]] = []
    file = frame.f_code.co_filename if frame is not None else None
    while frame is not None and frame.f_code.co_filename == file:
        found += [frame.f_locals, frame.f_globals] if not found else [frame.f_locals]
        frame = frame.f_back
    return {name: value for names in reversed(found) for name, value in names.items()} | (found[0] if found else {})


def _names_of(thing: Callable[..., Any] | type) -> dict[str, Any]:
    """Return the values of the free names of a function, or of the methods of a class: the module's names, then its
    closure."""
    functions = list(vars(thing).values()) if isinstance(thing, type) else [inspect.unwrap(thing)]
    found: dict[str, Any] = {}
    for function in functions:
        if not isinstance(function, FunctionType):
            continue
        found |= {k: v for k, v in function.__globals__.items() if k not in found}
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=False):
            try:
                found[name] = cell.cell_contents
            except ValueError:  # not bound yet
                continue
    return found


_PACKAGE = __name__.split(".", maxsplit=1)[0]


def _parse(text: str, file: str, first_line: int, indent: int) -> ast.Module:
    try:
        tree = ast.parse(text)
        _check_nesting(tree, file, first_line, indent)
    except SyntaxError as error:
        line, column = error.lineno or 1, error.offset or 1
        where = file_location(file, first_line + line - 1, max(column, 1) + indent)
        fail(SYNTAX, f"expected Python, but got: {error.msg}", location=where)
    except (RecursionError, MemoryError, ValueError) as error:
        where = file_location(file, first_line, indent + 1)
        fail(SYNTAX, f"the text cannot be read as Python: {error or type(error).__name__}", location=where)
    return tree


_DEEPEST = 200
"""The deepest nesting of expressions and statements together."""


def _check_nesting(tree: ast.Module, file: str, first_line: int, indent: int) -> None:
    """Reject syntax trees that are too deep for recursive functions."""
    stack: list[tuple[ast.AST, int]] = [(tree, 0)]
    while stack:
        node, depth = stack.pop()
        if depth > _DEEPEST:
            line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
            where = file_location(file, first_line + line - 1, column + indent + 1)
            fail(SYNTAX, f"expected at most {_DEEPEST} levels of nesting", location=where)
        stack.extend((child, depth + 1) for child in ast.iter_child_nodes(node))


def is_module(value: Any, *names: str) -> bool:
    """Return whether a value is one of these modules of the package."""
    return isinstance(value, ModuleType) and value.__name__ in {f"{_PACKAGE}.{name}" for name in names}
