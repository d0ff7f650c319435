"""tilewright: a tensor compiler on xDSL.

The names below are the public API. Each is imported on first use, so that `import tilewright` is fast.
"""

# Names are imported when they are first asked for.
# pyright: reportUnsupportedDunderAll=false

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

from .classic import import_paths as _classic
from .lazy import fill_slots, load, name_elsewhere, redirect_imports
from .renamed import NAMES as _EARLIER
from .runtime import __version__ as __version__
from .runtime import slots

_EXPORTS: dict[str, str] = {
    "Backend": "backends:Backend",
    "IRModule": "dialects.ir_module:IRModule",
    "Pass": "passes.framework.base:Pass",
    "PassContext": "passes.framework.context:PassContext",
    "PassManager": "passes.framework.manager:PassManager",
    "Schedule": "schedule:Schedule",
    "Target": "driver:Target",
    "TilewrightError": "diagnostics:TilewrightError",
    "build": "driver:build",
    "compile": "driver:compile",
    "cpu": "runtime:cpu",
    "cuda": "runtime:cuda",
    "decide": "schedule.decisions:decide",
    "device": "runtime:device",
    "get_include": "backends.library_exports:get_include",
    "load_module": "driver:load_module",
    "lower": "driver:lower",
    "pattern_pass": "passes.framework.custom:pattern_pass",
    "register_backend": "backends:register_backend",
    "register_dialect": "passes.framework.user_dialects:register_dialect",
    "register_frontend": "frontends.registry:register_frontend",
    "register_intrinsic": "semantics:register_intrinsic",
    "register_lowering": "passes.framework.intrinsics:register_lowering",
    "register_onnx_converter": "frontends.user_converters:register_onnx_converter",
    "register_operator": "operators:register_operator",
    "register_pass": "passes.framework.registry:register_pass",
    "register_primitive": "schedule:register_primitive",
    "register_schedule_rule": "schedule.rules.registered:register_schedule_rule",
    "unregister_backend": "backends:unregister_backend",
    "unregister_dialect": "passes.framework.user_dialects:unregister_dialect",
    "unregister_frontend": "frontends.registry:unregister_frontend",
    "unregister_intrinsic": "semantics.intrinsics:unregister_intrinsic",
    "unregister_lowering": "passes.framework.intrinsics:unregister_lowering",
    "unregister_onnx_converter": "frontends.user_converters:unregister_onnx_converter",
    "unregister_operator": "operators:unregister_operator",
    "unregister_pass": "passes.framework.registry:unregister_pass",
    "unregister_primitive": "schedule:unregister_primitive",
    "unregister_schedule_rule": "schedule.rules.registered:unregister_schedule_rule",
}
_MODULES = ("analysis", "driver", "ir", "passes", "runtime", "script", "te", "tir", "topi", "tune")
_HANDED_ON: dict[str, str] = {
    "ir.IRModule": "dialects.ir_module:IRModule",
    "te.create_prim_func": "passes.te_functions.prim_func:create_prim_func",
    "te.create_schedule": "schedule.stages:create_schedule",
    "te.decl_tensor_intrin": "passes.te_functions.tensor_intrin:decl_tensor_intrin",
    "te.described": "passes.te_functions.tensor_intrin:described",
}
"""Slots of lower modules, and the values of higher layers that fill them."""
_SLOTS: dict[str, str] = {
    "analysis.block_reductions:BROKEN_LAW": "semantics.combiner_laws:broken_law",
    "dialects.graph.operations:OPERATORS": "operators.record:load_operators",
    "dialects.ir_module:HTML": "tools.notebook.html:module_html",
    "dialects.ir_module:TVMSCRIPT": "frontends.tvmscript.printer:script",
    "frontends.onnx.backend:COMPILE": "driver:compile",
    "passes.framework.tuning_records:COMPILER": "driver.compiler_state:compiler_of_records",
    "schedule.primitive_declaration:BUILTIN": "schedule.methods:PRIMITIVES",
    "schedule.schedule:HTML": "tools.notebook.html:schedule_html",
    "schedule.trace:HTML": "tools.notebook.html:trace_html",
    "te.whole_tensors:ARITHMETIC": "topi.broadcast:operate",
}
_RUNTIME_SLOTS: dict[str, str] = {
    "MORE_CODES": "diagnostics.code_table:CODES",
    "REMARK": "diagnostics.remarks:remark",
    "RENDER": "diagnostics.rendering:render",
}

__all__ = [name for part in (_EXPORTS, _MODULES, _classic.MODULES, ("__version__",)) for name in part]

redirect_imports(__name__, {**_HANDED_ON, **_classic.PATHS, **_EARLIER})
fill_slots(__name__, {**_SLOTS, **_classic.SLOTS})
for _slot, _value in {**_RUNTIME_SLOTS, **_classic.RUNTIME_SLOTS}.items():
    getattr(slots, _slot).install(partial(load, _value, __name__))
slots.MISSING_NAME.install(lambda: name_elsewhere)
slots.LAUNCHER.install(lambda: load("backends.cuda.launcher:launcher", __name__)())


def __getattr__(name: str) -> Any:
    if name in (*_MODULES, *_classic.MODULES):
        return import_module(f".{name}", __name__)
    if name not in _EXPORTS:
        return name_elsewhere(__name__, name, __all__)
    from .diagnostics.expectations import public

    value = public(load(_EXPORTS[name], __name__))
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_EXPORTS, *_MODULES, *_classic.MODULES])
