"""The loop level under its classic names: schedules of functions, and functions of scalars.

    sch = tir.Schedule(tilewright.IRModule({"main": te.create_prim_func([A, B])}))
    C = te.compute((n,), lambda i: tir.exp(A[i]), name="C")

Scalar functions are those of `te`; this level has no tensors.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from ..diagnostics.expectations import public
from ..lazy import found_elsewhere, load, unknown_name

if TYPE_CHECKING:
    from typing import Any

    from ..schedule import Schedule as Schedule
    from ..schedule.tensor_intrinsics import TensorIntrin as TensorIntrin
    from ..te.calls import call_intrin as call_intrin
    from ..te.calls import call_pure_extern as call_pure_extern
    from ..te.calls import call_pure_intrin as call_pure_intrin
    from ..te.calls import reinterpret as reinterpret
    from ..te.foreign import Buffer as Buffer
    from ..te.foreign import call_extern as call_extern
    from ..te.foreign import decl_buffer as decl_buffer
    from ..te.functions import bitwise_and as bitwise_and
    from ..te.functions import bitwise_not as bitwise_not
    from ..te.functions import bitwise_or as bitwise_or
    from ..te.functions import bitwise_xor as bitwise_xor
    from ..te.functions import infinity as infinity
    from ..te.functions import shift_left as shift_left
    from ..te.functions import shift_right as shift_right
    from ..te.printing import print as print
    from . import analysis as analysis
    from . import ir_builder as ir_builder
    from . import stmt_functor as stmt_functor
    from . import transform as transform
    from .analysis import BufferRegion as BufferRegion
    from .c_functions import clz as clz
    from .c_functions import copysign as copysign
    from .c_functions import exp10 as exp10
    from .c_functions import hypot as hypot
    from .c_functions import ldexp as ldexp
    from .c_functions import nextafter as nextafter
    from .effects import CallEffectKind as CallEffectKind
    from .packed import call_packed as call_packed
    from .packed import trace as trace
    from .statements import Allocate as Allocate
    from .statements import Block as Block
    from .statements import BufferLoad as BufferLoad
    from .statements import BufferStore as BufferStore
    from .statements import For as For
    from .statements import ForKind as ForKind
    from .statements import IfThenElse as IfThenElse
    from .statements import IntImm as IntImm
    from .statements import PrimFunc as PrimFunc
    from .statements import SeqStmt as SeqStmt
    from .statements import Stmt as Stmt
    from .value_expressions import vscale as vscale

_EXPORTS = {
    "Allocate": "tir.statements:Allocate",
    "Block": "tir.statements:Block",
    "BufferLoad": "tir.statements:BufferLoad",
    "BufferStore": "tir.statements:BufferStore",
    "For": "tir.statements:For",
    "ForKind": "tir.statements:ForKind",
    "IfThenElse": "tir.statements:IfThenElse",
    "IntImm": "tir.statements:IntImm",
    "PrimFunc": "tir.statements:PrimFunc",
    "SeqStmt": "tir.statements:SeqStmt",
    "Stmt": "tir.statements:Stmt",
    "Buffer": "te.foreign:Buffer",
    "BufferRegion": "tir.analysis:BufferRegion",
    "CallEffectKind": "tir.effects:CallEffectKind",
    "TensorIntrin": "schedule.tensor_intrinsics:TensorIntrin",
    "bitwise_and": "te.functions:bitwise_and",
    "bitwise_not": "te.functions:bitwise_not",
    "bitwise_or": "te.functions:bitwise_or",
    "bitwise_xor": "te.functions:bitwise_xor",
    "call_extern": "te.foreign:call_extern",
    "call_packed": "tir.packed:call_packed",
    "clz": "tir.c_functions:clz",
    "copysign": "tir.c_functions:copysign",
    "exp10": "tir.c_functions:exp10",
    "hypot": "tir.c_functions:hypot",
    "infinity": "te.functions:infinity",
    "ldexp": "tir.c_functions:ldexp",
    "nextafter": "tir.c_functions:nextafter",
    "decl_buffer": "te.foreign:decl_buffer",
    "reinterpret": "te.calls:reinterpret",
    "shift_left": "te.functions:shift_left",
    "shift_right": "te.functions:shift_right",
    "print": "te.printing:print",
    "trace": "tir.packed:trace",
    "vscale": "tir.value_expressions:vscale",
}
"""Names of this level, imported when they are first asked for."""

_ELSEWHERE = ("Schedule",)
"""Names of this level in the root's table of paths, because their modules are in higher folders."""

_MODULES = ("analysis", "ir_builder", "stmt_functor", "transform")

_TENSORS = frozenset(
    {
        "Computation",
        "Placeholder",
        "Tensor",
        "build_computes",
        "compute",
        "create_prim_func",
        "create_schedule",
        "decl_tensor_intrin",
        "described",
        "extern",
        "gradient",
        "placeholder",
        "scan",
        "tag_scope",
        "to_module",
    }
)
"""Names of `te` that make or mean tensors."""


def __getattr__(name: str) -> Any:
    if name in _EXPORTS:
        return public(load(_EXPORTS[name], "tilewright"))
    if name in _MODULES:
        return import_module(f".{name}", __name__)
    try:
        return found_elsewhere(__name__, name)
    except KeyError:
        pass
    if not name.startswith("_") and name not in _TENSORS:
        from .. import te

        if name in te.__all__:
            return getattr(te, name)
    raise unknown_name(__name__, name, [*globals(), *_EXPORTS])


def __dir__() -> list[str]:
    from .. import te

    return sorted([*globals(), *_EXPORTS, *_ELSEWHERE, *_MODULES, *set(te.__all__) - _TENSORS])
