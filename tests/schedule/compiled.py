"""Scheduled programs on the CPU backend: what `programs.check` checks of values, and the compiled result."""

from __future__ import annotations

from typing import Any

import numpy as np
from tilewright.driver import compile as compile_module
from tilewright.schedule import Schedule
from xdsl.dialects.builtin import ModuleOp, StringAttr, UnitAttr
from xdsl.dialects.func import FuncOp

from .programs import check, execute, parse

Sizes = dict[str, tuple[int, ...]] | None


def check_compiled(text: str, transform: Any, sizes: Sizes = None) -> Schedule:
    """Apply a schedule to a program; it verifies and computes the same interpreted and compiled.

    Replaying is left to the tests of traces and of the primitives' examples.
    """
    schedule = check(text, transform, sizes, replay=False)
    module = schedule.func.parent_op()
    assert isinstance(module, ModuleOp)
    for want, got in zip(execute(parse(text), sizes), run_compiled(module, sizes), strict=True):
        np.testing.assert_array_equal(got, want)
    return schedule


def run_compiled(module: ModuleOp, sizes: Sizes = None) -> list[np.ndarray]:
    """Return the outputs of the compiled function on the arguments that `programs.execute` gives it."""
    (function,) = (op for op in module.ops if isinstance(op, FuncOp))
    rng = np.random.default_rng(0)
    arguments: list[np.ndarray] = []
    for k, value in enumerate(function.body.block.args):
        if function.arg_attrs is not None and "tw.output" in function.arg_attrs.data[k].data:
            continue
        shape = (sizes or {}).get(value.name_hint or "", tuple(value.type.get_shape()))
        arguments.append(rng.integers(-4, 5, shape).astype(np.float64))
    return run_on(arguments, module)


def run_on(arguments: list[np.ndarray], module: ModuleOp) -> list[np.ndarray]:
    """Return the outputs of the only function, compiled as it is scheduled."""
    module = module.clone()
    (function,) = (op for op in module.ops if isinstance(op, FuncOp))
    function.properties["sym_name"] = StringAttr("main")
    function.attributes["tw.scheduled"] = UnitAttr()
    result = compile_module(module, threads=2)(*arguments)
    return list(result) if isinstance(result, (list, tuple)) else [result]
