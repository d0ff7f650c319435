"""Conversion of a program as users pass it (schedule, tensors, function, module, mapping) to one module."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr, UnitAttr
from xdsl.dialects.func import CallOp, FuncOp

from ..diagnostics import fail
from ..dialects.ir_module import IRModule
from ..ir import editor as edit
from ..passes.framework.manager import verify_module
from ..passes.shared.scheduling import SCHEDULED
from ..schedule import Schedule
from ..schedule.stages import LazySchedule
from ..te import Tensor, Var
from ..te.vectors import VectorTensor, stored
from .functions import is_private
from .tensors import scheduled_module, tensors_module, with_results

_KINDS = "a schedule, tensors, a function, a module, or a mapping from names to those"


def as_module(inputs: Any, args: Any = None, name: str = "main") -> ModuleOp:
    """Return a fresh module of the program's functions. `lower` lists the forms of a program."""
    match inputs:
        case LazySchedule() if args is None:
            fail("TW0610", "expected the arguments of the function beside its schedule: lower(schedule, [A, B, C])")
        case LazySchedule() if inputs.by_default and not inputs.arranged:
            return tensors_module(with_results(inputs, _tensors(args)), name)
        case LazySchedule():
            return scheduled_module(inputs, _tensors(args), name)
        case [IRModule() | ModuleOp(), *_] if args is None:
            return _joined([as_module(part) for part in inputs])
        case Tensor() | VectorTensor() | list() | tuple():
            return tensors_module(_tensors(inputs if args is None else args), name)
        case Schedule() if inputs.arguments and args is not None and _same(inputs.arguments, _tensors(args)):
            return _renamed(_scheduled_module(inputs), name)
        case _ if args is not None:
            fail("TW0610", f"expected no args beside {type(inputs).__name__}, whose functions state their parameters")
        case ModuleOp():
            return _verified(inputs.clone())
        case IRModule():
            return _verified(inputs.op.clone())
        case FuncOp():
            return _function_module(inputs, name)
        case Schedule():
            return _scheduled_module(inputs)
        case _ if isinstance(getattr(inputs, "op", None), FuncOp):
            return _function_module(inputs.op, name)
        case Mapping() if not inputs:
            fail("TW0610", f"expected {_KINDS}, but got a mapping without any")
        case Mapping():
            return _merge({key: as_module(part) for key, part in inputs.items()})
        case _:
            fail("TW0610", f"expected {_KINDS}, but got {type(inputs).__name__}")


def _tensors(args: Any) -> list[Tensor | Var]:
    given: list[Any] = [stored(a) for a in args] if isinstance(args, (list, tuple)) else [stored(args)]
    wrong = next((a for a in given if not isinstance(a, (Tensor, Var))), None)
    if wrong is not None:
        fail("TW0610", f"expected tensors and sizes as arguments, but got {type(wrong).__name__}")
    return given


def _function_module(function: FuncOp, name: str) -> ModuleOp:
    symbol = function.sym_name.data
    return _verified(IRModule({symbol if name == "main" else name: function}).op)


def _verified(module: ModuleOp) -> ModuleOp:
    """Verify a module that the caller has made of operations, and return it. Raises TilewrightError TW0103, TW0104 or
    TW0235."""
    verify_module(module)
    return module


def _scheduled_module(schedule: Schedule) -> ModuleOp:
    """Return a copy of the module that an interactive schedule works on."""
    name = schedule.func.sym_name.data
    parent = schedule.func.parent_op()
    module = parent.clone() if isinstance(parent, ModuleOp) else IRModule({name: schedule.func}).op
    edit.change(IRModule(module)[name].op).attributes[SCHEDULED] = UnitAttr()
    return module


def _same(arguments: Sequence[object], given: Sequence[object]) -> bool:
    return len(arguments) == len(given) and all(a is b for a, b in zip(arguments, given, strict=True))


def _renamed(module: ModuleOp, name: str) -> ModuleOp:
    """Give the module's public function that name."""
    _rename(module, {known: known for known in IRModule(module).functions} | {_entry_name(name, module): name})
    return module


def _joined(modules: Sequence[ModuleOp]) -> ModuleOp:
    """Join the functions of several modules in one, which callers enter by the names that they have."""
    parts: dict[str, ModuleOp] = {}
    for number, module in enumerate(modules):
        name = _entry_name(f"module {number}", module)
        if name in parts:
            fail("TW0610", f"expected functions of different names, but got two named '{name}'", op=module)
        parts[name] = module
    return _merge(parts)


def _merge(parts: Mapping[str, ModuleOp]) -> ModuleOp:
    """Return one module of the parts' functions: each part's public function under its key, private functions renamed
    where their names collide."""
    merged = ModuleOp([])
    taken = set(parts)
    for key, part in parts.items():
        _rename(part, {_entry_name(key, part): key} | _fresh_names(part, taken))
        for attribute, value in part.attributes.items():
            if edit.change(merged).attributes.setdefault(attribute, value) != value:
                fail("TW0611", f"expected one {attribute} for all programs, but '{key}' has another than those before")
        edit.append(merged.body.block, *edit.detach_all(part.body.block))
    return merged


def _entry_name(key: str, part: ModuleOp) -> str:
    public = [name for name, function in IRModule(part).functions.items() if not is_private(function.op)]
    if len(public) != 1:
        names = ", ".join(f"@{name}" for name in public) or "none"
        fail("TW0611", f"expected one public function in program '{key}', but got {names}")
    return public[0]


def _fresh_names(part: ModuleOp, taken: set[str]) -> dict[str, str]:
    """Return names for a part's private functions that no other function of the merged module has."""
    names: dict[str, str] = {}
    for name, function in IRModule(part).functions.items():
        if is_private(function.op):
            fresh, count = name, 0
            while fresh in taken:
                count += 1
                fresh = f"{name}_{count}"
            taken.add(fresh)
            names[name] = fresh
    return names


def _rename(module: ModuleOp, names: Mapping[str, str]) -> None:
    for op in module.walk():
        if isinstance(op, FuncOp):
            edit.change(op).sym_name = StringAttr(names[op.sym_name.data])
        elif isinstance(op, CallOp):
            edit.change(op).callee = SymbolRefAttr(names[op.callee.root_reference.data])
