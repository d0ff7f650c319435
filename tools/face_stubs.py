"""Generator of stubs for the modules with lazy re-exports: the package, its `ir` and `te`, and `dialects.graph`.

    python -m tilewright.tools.face_stubs

writes the stubs. Run it after a name is added, renamed or removed in a table of one of these modules, or an operator is
declared. Type checkers read the stubs; at run time the names are imported on first use.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path

from ..classic.import_paths import PATHS
from ..dialects.graph import all_operations
from ..operators.record import load_operators

ROOT = (__package__ or "").partition(".")[0]
HEADING = '"""Names for type checkers. Written by `python -m tilewright.tools.face_stubs`."""\n\n'
GRAPH, IR, OPERATORS, TE = "dialects.graph", "ir", "operators", "te"

Names = Iterable[tuple[str, str]]
"""Names, each with its module below the package and the name there: `("Conv2dOp", "operators.convolution:Conv2dOp")`.
A module has no name there."""


def stub_path(face: str) -> Path:
    """Return the stub of a module, named below the package; "" is the package itself."""
    module = import_module(f"{ROOT}.{face}" if face else ROOT)
    return Path(module.__file__ or "").with_suffix(".pyi")


def stubs() -> dict[str, str]:
    """Return the texts of the stubs by the module, named below the package."""
    root = import_module(ROOT)
    handed_on = {**PATHS, **root._HANDED_ON}
    modules = {name: name for name in root._MODULES}
    return {
        "": _text("", [*_imported(""), *modules.items(), *_below("", handed_on).items(), *root._EXPORTS.items()]),
        IR: _text(IR, _below("ir.", handed_on).items()),
        TE: _text(TE, [*_imported(TE), *_below("te.", handed_on).items()]),
        GRAPH: _text(GRAPH, [*_imported(GRAPH), *_operators()], "from xdsl.ir import Operation", _TABLE),
    }


_TABLE = "OPERATIONS: dict[str, type[Operation]]"


def _below(prefix: str, table: Mapping[str, str]) -> dict[str, str]:
    """Return the public names of one module in a table of paths, without those that are refused or a face that has
    them."""
    named = {path.removeprefix(prefix): spec for path, spec in table.items() if path.startswith(prefix)}
    return {
        name: spec
        for name, spec in named.items()
        if "." not in name and not name.startswith("_") and (":" in spec or spec.startswith("classic."))
        if not spec.startswith("classic.refused:")
    }


def _operators() -> Iterator[tuple[str, str]]:
    """Yield the classes of the graph dialect that operators declare, each with the file that names it."""
    load_operators()
    for path in sorted(stub_path(OPERATORS).parent.glob("*.py")):
        module = import_module(f"{ROOT}.{OPERATORS}.{path.stem}")
        for name in [each for node in ast.parse(path.read_text(encoding="utf-8")).body for each in _bound(node)]:
            if getattr(module, name) in all_operations().values():
                yield name, f"{OPERATORS}.{path.stem}:{name}"


def _bound(node: ast.stmt) -> list[str]:
    """Return the names that a statement of a module binds."""
    match node:
        case ast.ClassDef(name=name) | ast.Assign(targets=[ast.Name(id=name)]):
            return [name]
        case _:
            return []


def _imported(face: str) -> Iterator[tuple[str, str]]:
    """Yield the public names that a module imports from others of the package when it is loaded."""
    tree = ast.parse(stub_path(face).with_suffix(".py").read_text(encoding="utf-8"))
    package = face.split(".") if face else []
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.level:
            base = [*package[: len(package) - node.level + 1], *(node.module or "").split(".")]
            for alias in node.names:
                name = alias.asname or alias.name
                if not name.startswith("_") or name == "__version__":
                    yield name, f"{'.'.join(base)}:{alias.name}"


def _text(face: str, names: Names, *further: str) -> str:
    """Return the stub of a module that has these names; of a name that is listed twice the last holds."""
    depth = len(face.split(".")) + 1 if face else 1
    chosen: Mapping[str, str] = dict(names)
    lines, others = list[str](), ["__all__: list[str]"]
    for name, spec in sorted(chosen.items(), key=lambda item: (item[1].partition(":")[0], item[0])):
        module, _, inner = spec.partition(":")
        if not inner:
            module, _, inner = module.rpartition(".")
        is_same = inner == name  # an import under another name is not handed on
        lines.append(f"from {'.' * depth}{module} import {inner} as {name if is_same else f'_{name}'}")
        others += [] if is_same else [f"{name} = _{name}"]
    imports = [line for line in further if line.startswith("from ")]
    rest = [line for line in further if not line.startswith("from ")]
    return HEADING + "\n".join([*imports, *lines, "", *others, *rest]) + "\n"


def main() -> None:
    """Write all stubs."""
    for face, text in stubs().items():
        stub_path(face).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
