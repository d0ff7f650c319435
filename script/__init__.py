"""TVMScript under its usual names.

    from tilewright.script import ir as I
    from tilewright.script import tir as T

    @T.prim_func
    def double(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32")):
        for i in T.serial(128):
            with T.block("B"):
                vi = T.axis.spatial(128, i)
                B[vi] = A[vi] * T.float32(2)

docs/tvmscript.md describes the language.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy import exports as _exports

if TYPE_CHECKING:
    from ..frontends.tvmscript import from_source as from_source
    from . import ir as ir
    from . import tir as tir
    from .ir import ir_module as ir_module
    from .tir import prim_func as prim_func

__all__ = ["from_source", "ir", "ir_module", "prim_func", "tir"]

_PACKAGE = __name__.rpartition(".")[0]

_get, __dir__ = _exports(
    __name__,
    {
        "from_source": "frontends.tvmscript.functions:from_source",
        "ir_module": "script.ir:ir_module",
        "prim_func": "script.tir:prim_func",
    },
    _PACKAGE,
)


def __getattr__(name: str) -> object:
    if name in ("ir", "tir"):
        from importlib import import_module

        return import_module(f".{name}", __name__)
    return _get(name)
