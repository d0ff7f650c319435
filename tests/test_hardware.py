"""Constants of hardware are declared once, in hardware.py or the runtime's, and named everywhere else."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from tilewright import hardware

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("analysis", "backends", "dialects", "diagnostics", "driver", "runtime", "semantics", "te", "toolchain")
DECLARING = (ROOT / "hardware.py", ROOT / "runtime" / "hardware.py")
MODULES = [path for part in PARTS for path in sorted((ROOT / part).rglob("*.py")) if path not in DECLARING]
SPELLED = {hardware.BLOCK_INDEX, hardware.THREAD_INDEX, hardware.GRID_AXES, *hardware.THREAD_TAGS}
"""Names that no other module spells as a string."""
NUMBERS = {
    name: value
    for name, value in vars(hardware).items()
    if name.isupper() and isinstance(value, (int, tuple)) and value != hardware.THREAD_TAGS
}
COMMON = {"MOST", "OF", "BYTES", "ALONG"}


def strings(tree: ast.AST) -> set[str]:
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def words(name: str) -> set[str]:
    """Return the words of a name that say what it is about; the lanes of a warp are its threads."""
    return set(name.strip("_").replace("LANES", "WARP").split("_")) - COMMON


def declared_again(tree: ast.Module) -> list[str]:
    """Return constants of a module that have the number of one of hardware's, and a word of its name."""
    found: list[str] = []
    for node in tree.body:
        if not isinstance(node, (ast.Assign, ast.AnnAssign)) or node.value is None:
            continue
        target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
        names = (ast.Name, ast.Call, ast.Attribute, ast.Lambda)
        if not isinstance(target, ast.Name) or any(isinstance(inner, names) for inner in ast.walk(node.value)):
            continue
        value = eval(ast.unparse(node.value))  # literals and operators alone
        if any(value == number and words(target.id) & words(name) for name, number in NUMBERS.items()):
            found.append(target.id)
    return found


@pytest.mark.each("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_constants_are_declared_once(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert not strings(tree) & SPELLED
    assert declared_again(tree) == []


def test_second_declarations_are_found() -> None:
    text = "LANES = 32\nCACHE_LINE = 1 << 6\nOTHER = 32\n_MOST_THREADS = (1024, 1024, 64)\nREGISTERS: int = 1 << 16"
    assert declared_again(ast.parse(text)) == ["LANES", "CACHE_LINE", "_MOST_THREADS", "REGISTERS"]
    assert strings(ast.parse("tag.startswith('threadIdx')")) & SPELLED


def test_names_have_units() -> None:
    units = ("BYTES", "THREADS", "BLOCKS", "REGISTERS", "AXES", "ARCH", "MASK", "INDEX", "TAG", "TAGS")
    public = [name for name in vars(hardware) if name.isupper()]
    assert public and [name for name in public if not name.endswith(units)] == []
