"""Classic TVM stands beside the IR: modules of the compiler neither import `classic` nor define its names.

A name of the classic stack is the last part of a path in `classic.import_paths.PATHS` or of a name in `__all__` of a
module there, with the object that it leads to; the names that `tir` and `script` hand on are such too. A module of the
compiler defines one if that object is a class or a function of that name in it. Exempt are

- names that the compiler has by itself: public ones of `COMPILER` (te, schedules, passes, targets, devices), and those
  of `USED_BY_THE_COMPILER`;
- refused names, which lead to nothing, and texts of error codes.

Fields of classic nodes are names too: no operation, function, module, schedule or trace of the compiler has one.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import tilewright
from tilewright import Schedule, script, tir
from tilewright.classic.import_paths import PATHS
from tilewright.dialects import DIALECTS, factory
from tilewright.dialects.ir_module import Function, IRModule
from tilewright.lazy import load
from tilewright.schedule import Trace
from tilewright.tir import function_fields

from .docs.public_names import LIST
from .test_layers import MODULES, imports, part_of, references, resolve

ROOT = tilewright.__name__
CORE = ("analysis", "backends", "diagnostics", "dialects", "ir", "passes", "runtime", "schedule", "semantics")
COMPILER = tuple(f"{ROOT}{part}" for part in ("", ".operators", ".passes", ".runtime", ".schedule", ".te"))
"""Modules whose public names the compiler has by itself."""
USED_BY_THE_COMPILER = {
    **dict.fromkeys(("Fuse", "IterVar", "Singleton", "Split", "Stage"), "schedules of te.create_schedule"),
    "DumpIR": "the instrument of `--dump-dir`",
    "TensorIntrin": "the declaration that `sch.tensorize` applies",
    "ValueRV": "a number that a primitive draws",
}
"""Names of definitions that the compiler needs where no classic program runs, with their use."""

FIELDS = {
    *function_fields.MADE,
    *function_fields.OF_MODULES,
    *("extent", "insts", "loop_var", "min", "name_hint", "thread_binding"),
    *("alloc_buffers", "iter_values", "iter_vars", "match_buffers", "predicate"),
    *("buffer_var", "else_case", "then_case", "seq"),
} - {"body"}
"""Fields of classic nodes; a body is a region of operations too."""


def classic_names() -> Iterator[tuple[str, Any]]:
    """Yield the names of the classic stack as paths, with their objects."""
    for path, target in PATHS.items():
        if target.startswith("classic.refused:"):
            continue
        if ":" in target:
            yield path, load(target, ROOT)
        elif target.startswith("classic."):
            module = import_module(f"{ROOT}.{target}")
            yield from ((f"{path}.{name}", getattr(module, name)) for name in getattr(module, "__all__", ()))
    yield from ((f"tir.{name}", getattr(tir, name)) for name in tir._EXPORTS)
    yield from ((f"script.{name}", getattr(script, name)) for name in script.__all__)


def definition_of(value: Any) -> str | None:
    """Return the path below the package at which a class or a function is defined, None for anything else."""
    value = inspect.unwrap(value) if callable(value) else value
    if not inspect.isclass(value) and not inspect.isfunction(value):
        return None
    return f"{value.__module__}.{value.__qualname__}".removeprefix(f"{ROOT}.")


def compiler_names() -> set[str]:
    """Return the public names that the compiler has by itself."""
    names = [name.rpartition(".") for name in LIST.read_text(encoding="utf-8").split()]
    return {name for owner, _, name in names if owner in COMPILER} | {*USED_BY_THE_COMPILER}


def test_no_module_of_the_compiler_defines_a_classic_name() -> None:
    known = compiler_names()
    found: set[str] = set()
    for path, value in classic_names():
        name, definition = path.rpartition(".")[2], definition_of(value)
        if definition is not None and definition.partition(".")[0] in CORE and name not in known:
            found |= {f"{definition} is {path}"} if definition.rpartition(".")[2] == name else set()
    assert not found, "\n".join(sorted(found))


def test_no_module_of_the_compiler_refers_to_the_classic_stack() -> None:
    found: list[str] = []
    for name in (each for each in MODULES if part_of(each) in CORE):
        named = imports(name) | {part_of(path) for text in references(name) if (path := resolve(name, text))}
        found += [f"{name}: {each}" for each in named & {"classic", "script", "tir"}]
    assert not found


def test_no_object_of_the_compiler_has_a_field_of_a_classic_node() -> None:
    operations = [op for dialect in DIALECTS for op in factory(dialect)().operations]
    found = [f"{cls.__name__}.{name}" for cls in (*operations, Function, IRModule, Schedule, Trace) for name in FIELDS
             if name in dir(cls)]  # fmt: skip
    assert not found


def test_handles_give_operations_here_and_statements_there() -> None:
    from tilewright import te

    A = te.placeholder((8,), name="A")
    function = te.create_prim_func([A, te.compute((8,), lambda i: A[i] + 1, name="B")])
    here, there = Schedule(function), tir.Schedule(function)
    for schedule, kinds in ((here, ("loop.block", "loop.for")), (there, (tir.Block, tir.For))):
        block = schedule.get_block("B")
        handles = (block, *schedule.get_loops(block))
        for handle, kind in zip(handles, kinds, strict=True):
            got: Any = schedule.get(handle)
            assert got.name == kind if isinstance(kind, str) else isinstance(got, kind)
    assert type(there).__module__.startswith(f"{ROOT}.classic.") and isinstance(there, Schedule)
    assert type(there.copy().trace).__module__.startswith(f"{ROOT}.classic.")
