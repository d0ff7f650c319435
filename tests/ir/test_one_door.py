"""Passes and primitives change programs through the editor alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("analysis", "backends", "driver", "operators", "passes", "schedule")

# fmt: off
MUTATORS = {
    "detach", "erase", "erase_op", "erase_arg", "insert_arg", "add_op", "add_ops", "add_block", "add_region",
    "detach_op", "detach_block", "detach_region", "drop_all_references", "insert_op", "insert_op_before",
    "insert_op_after", "insert_ops_before", "insert_ops_after", "move_blocks", "move_blocks_before",
    "replace_all_uses_with", "replace_by", "replace_op", "replace_uses_with_if", "replace_value_with_new_type",
    "split_before", "inline_block",
}
# fmt: on
"""Methods of xDSL that change a program."""
CONTAINERS = ("attributes", "operands", "properties", "regions", "successors")
DICTIONARY = ("clear", "pop", "popitem", "setdefault", "update")
FIELDS = {
    *("arg_attrs", "callee", "function_type", "iteration_kinds", "kind", "name_hint", "res_attrs", "sym", "sym_name"),
    "sym_visibility",
}
"""Accessors of operations' properties, and the names of values."""
NO_OPERATIONS = {
    "backends/cuda/emit/fragments.py": {"kind"},
    "backends/cuda/emit/lanes.py": {"kind"},
    "passes/phase0/fuse/fusion_groups.py": {"kind"},
    "schedule/stages/factoring.py": {"kind"},
}
"""Fields of the same names that other objects have."""


def is_edited(base: ast.expr) -> bool:
    """Return whether an expression is `edit.change(op)`, or the rewriter of a pattern, which counts."""
    text = ast.unparse(base)
    return text.startswith("edit.") or text in ("edit", "rewriter", "self.rewriter")


def raw_changes(tree: ast.AST) -> Iterator[str]:
    """Yield the changes of programs in a module that do not go through the editor, with their lines."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=base, attr=name)) if name in MUTATORS and not is_edited(base):
                yield f"{node.lineno}: {ast.unparse(node.func)}"
            case ast.Call(func=ast.Attribute(value=ast.Attribute(value=base, attr=held), attr=name)) if (
                held in CONTAINERS and name in DICTIONARY and not is_edited(base)
            ):
                yield f"{node.lineno}: {ast.unparse(node.func)}"
            case ast.Assign(targets=targets) | ast.Delete(targets=targets):
                yield from (f"{node.lineno}: {ast.unparse(t)}" for t in targets if _is_raw(t))
            case ast.AugAssign(target=target) | ast.AnnAssign(target=target) if _is_raw(target):
                yield f"{node.lineno}: {ast.unparse(target)}"


def _is_raw(target: ast.expr) -> bool:
    if isinstance(target, ast.Tuple):
        return any(_is_raw(t) for t in target.elts)
    holder = target.value if isinstance(target, ast.Subscript) else target
    if not isinstance(holder, ast.Attribute) or is_edited(holder.value):
        return False
    is_self = isinstance(holder.value, ast.Name) and holder.value.id == "self"
    return holder.attr in CONTAINERS or (holder is target and holder.attr in FIELDS and not is_self)


@pytest.mark.parametrize("folder", FOLDERS)
def test_programs_are_changed_through_the_editor(folder: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{change}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        for change in raw_changes(ast.parse(path.read_text(encoding="utf-8")))
        if change.rpartition(".")[2] not in NO_OPERATIONS.get(str(path.relative_to(ROOT)), ())
    ]
    assert not found, "change programs through ir.editor:\n" + "\n".join(found)


def examples() -> Iterator[tuple[str, str]]:
    """Yield the programs that show users how to change IR: examples, and the Python blocks of pages."""
    for path in sorted((ROOT / "examples").rglob("*.py")):
        yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")
    for path in sorted((ROOT / "docs").rglob("*.md")):
        for block in re.findall(r"^```python[^\n]*\n(.*?)^```$", path.read_text(encoding="utf-8"), re.M | re.S):
            if path.parent.name != "reference":
                yield str(path.relative_to(ROOT)), block


def test_examples_change_programs_through_the_editor() -> None:
    found = [f"{name}: {change}" for name, code in examples() for change in raw_changes(ast.parse(code))]
    assert not found, "change programs through tilewright.passes.editor:\n" + "\n".join(found)


@pytest.mark.parametrize(
    "code",
    [
        "op.detach()",
        "Rewriter.erase_op(op)",
        "Rewriter.insert_op(op, InsertPoint.before(other))",
        "block.add_op(op)",
        "value.replace_all_uses_with(other)",
        "op.operands[0] = value",
        "op.operands = values",
        "op.attributes |= other.attributes",
        "del op.attributes['a']",
        "op.attributes.pop('a')",
        "op.properties['a'], x = y",
        "op.sym = label",
        "a.b.function_type = c",
    ],
)
def test_raw_changes_are_seen(code: str) -> None:
    assert list(raw_changes(ast.parse(code)))


@pytest.mark.parametrize(
    "code",
    ["edit.erase(op)", "edit.change(op).operands[0] = value", "edit.change(op).sym = label", "rewriter.erase(op)"],
)
def test_edits_are_let_through(code: str) -> None:
    assert not list(raw_changes(ast.parse(code)))
