"""Networks with random parameters, and helpers that run passes over expressions."""

from __future__ import annotations

from typing import Any

from ....dialects.ir_module import IRModule
from ....passes.framework.context import PassLike
from ....tir.sequences import Sequential
from .. import transform
from ..functions import Function, function_of, view_of
from . import init, layers, mlp, mobilenet, resnet
from .init import create_workload

__all__ = [
    "create_workload",
    "init",
    "layers",
    "mlp",
    "mobilenet",
    "resnet",
    "run_infer_type",
    "run_opt_pass",
]


def run_opt_pass(expr: Any, opt_pass: PassLike | list[PassLike], import_prelude: bool = False) -> Any:
    """Run a pass, or several, on an expression or a function."""
    passes = opt_pass if isinstance(opt_pass, list) else [opt_pass]
    given = expr if isinstance(expr, Function) else None
    module = IRModule.from_expr(function_of(expr))
    result = view_of(Sequential(passes)(module)["main"])
    return result if given is not None else result.body


def run_infer_type(expr: Any) -> Any:
    """Infer the types of an expression, which has them from where it was made."""
    return run_opt_pass(expr, transform.InferType())
