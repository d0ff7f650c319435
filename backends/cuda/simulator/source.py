"""Kernel source: a Python file, its functions, and the meaning of its names. The file is parsed and never executed."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, NoReturn

from ....diagnostics import fail
from ....diagnostics.locations import file_location, note_source
from .types import SCALARS, Scalar

if TYPE_CHECKING:
    from .translate import Translation

_OPERATIONS = "tilewright.backends.cuda"
OWNERS = ("thread", "block")
"""The owners in annotations of parameters and in `tw.owner`: each element belongs to one thread, or to one block."""


@dataclass(frozen=True)
class Reference:
    """The meaning of a name of a module: `path` is "cuda", "cuda.atomic", "math", "device" and the like."""

    path: str
    type: Scalar | None = None


@dataclass
class KernelFile:
    """A file of kernels."""

    path: str
    tree: ast.Module
    _functions: dict[str, Kernel] = field(default_factory=dict[str, "Kernel"])

    @cached_property
    def names(self) -> dict[str, Reference | ast.expr]:
        """The names that are imported or assigned at the top of the file."""
        found: dict[str, Reference | ast.expr] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                found |= {alias.asname or alias.name: Reference(_module(alias.name)) for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                found |= {alias.asname or alias.name: _imported(node, alias.name) for alias in node.names}
        for node in self.tree.body:
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                found[node.targets[0].id] = node.value
        return found

    def function(self, name: str) -> Kernel:
        """Return the kernel of this name. Raises TW0650 where there is none."""
        if name not in self._functions:
            node = next((n for n in self.tree.body if isinstance(n, ast.FunctionDef) and n.name == name), None)
            if node is None:
                fail("TW0650", f"{self.path} has no function '{name}'", location=file_location(self.path, 1, 1))
            self._functions[name] = Kernel(self, node)
        return self._functions[name]


@dataclass
class Kernel:
    """The source of a kernel, with its translations."""

    file: KernelFile
    node: ast.FunctionDef
    translations: dict[object, Translation] = field(default_factory=dict[object, "Translation"])
    """By the types of arguments."""

    @property
    def name(self) -> str:
        return self.node.name

    @property
    def parameters(self) -> list[str]:
        return [argument.arg for argument in self.node.args.args]

    @property
    def owners(self) -> dict[str, str]:
        """Parameters whose annotation states that each element belongs to one thread or to one block."""
        found = {a.arg: a.annotation.value for a in self.node.args.args if isinstance(a.annotation, ast.Constant)}
        return {name: str(owner) for name, owner in found.items() if owner in OWNERS}

    def refuse(self, node: ast.AST, message: str, help: str | None = None) -> NoReturn:
        """Raise TW0650 at a position of the source."""
        line, column = getattr(node, "lineno", self.node.lineno), getattr(node, "col_offset", 0)
        fail("TW0650", message, location=file_location(self.file.path, line, column + 1), help=help)


def load(path: str | Path) -> KernelFile:
    """Read a file of kernels. Raises TW0650 where it is no Python."""
    note_source(str(path))
    return parse(Path(path).read_text(encoding="utf-8"), str(path))


@lru_cache(maxsize=256)
def parse(text: str, path: str) -> KernelFile:
    """Parse kernels from text; errors name `path`. The same text is parsed and translated once."""
    try:
        return KernelFile(path, ast.parse(text))
    except SyntaxError as error:
        location = file_location(path, error.lineno or 1, error.offset or 1)
        fail("TW0650", f"no Python: {error.msg}", location=location)


def kernel_of(function: FunctionType) -> Kernel:
    """Return the kernel that a Python function of a file is."""
    file = load(function.__code__.co_filename)
    for node in ast.walk(file.tree):
        lines = {getattr(node, "lineno", 0), *(d.lineno for d in getattr(node, "decorator_list", []))}
        if isinstance(node, ast.FunctionDef) and function.__code__.co_firstlineno in lines:
            return Kernel(file, node)
    position = file_location(file.path, function.__code__.co_firstlineno, 1)
    fail("TW0650", f"{file.path} has no function '{function.__name__}' any more", location=position)


def _module(name: str) -> str:
    return {"numpy": "numba", "numba.cuda": "cuda"}.get(name, name)


def _imported(node: ast.ImportFrom, name: str) -> Reference:
    module = node.module or ""
    if module in ("numba", "numpy", "numba.types", "numba.cuda.types") and name in SCALARS:
        return Reference("type", SCALARS[name])
    if module == "numba" and name == "cuda":
        return Reference("cuda")
    if name == "operations" and (module == _OPERATIONS or node.level):
        return Reference("device")
    if module == "numba" and name == "types":
        return Reference("numba")
    return Reference(f"{_module(module)}.{name}")
