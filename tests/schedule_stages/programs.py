"""Lazy schedules carried out: as IR, and run by the interpreter and by compiled code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from tilewright import semantics, te
from tilewright.analysis.dominance import verify_dominance
from tilewright.dialects import context
from tilewright.driver import compile as compile_module
from tilewright.passes.phase0.lower_te import LowerTePass
from tilewright.schedule import Schedule as Engine
from tilewright.schedule.stages import LazySchedule
from tilewright.schedule.stages.replay import apply
from tilewright.te.definition_order import block_labels
from tilewright.te.tensor import Placeholder, Tensor
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

Sizes = Mapping[Any, int]


def function_of(module: ModuleOp) -> FuncOp:
    (function,) = (op for op in module.ops if isinstance(op, FuncOp))
    return function


def fresh(args: Sequence[Tensor]) -> ModuleOp:
    """Return the loops of `args` before any schedule."""
    module = te.to_module(args)
    LowerTePass().apply(context(), module)
    return module


def lower(schedule: LazySchedule, args: Sequence[Tensor]) -> ModuleOp:
    """Return the scheduled loops; the trace of the schedule makes the same of fresh loops."""
    module = fresh(args)
    labels = block_labels([t for t in args if not isinstance(t.op, Placeholder)])
    apply(schedule, function_of(module), labels)
    module.verify()
    verify_dominance(module)
    again = fresh(args)
    schedule.lowered_trace().apply_to(Engine(again))
    function_of(again).attributes.update(function_of(module).attributes)
    assert str(again) == str(module)
    return module


def run(schedule: LazySchedule, args: Sequence[Tensor], sizes: Sizes | None = None) -> tuple[Any, ...]:
    """Return inputs, then what compiled code computes of them, checked against the interpreter and the fresh loops."""
    module = lower(schedule, args)
    inputs = [random(t, sizes or {}) for t in args if isinstance(t.op, Placeholder)]
    shapes = [shape_of(t, sizes or {}) for t in args if not isinstance(t.op, Placeholder)]
    dtypes = [t.dtype for t in args if not isinstance(t.op, Placeholder)]
    expected = interpret(fresh(args), inputs, shapes, dtypes)
    for got, want in zip(interpret(module, inputs, shapes, dtypes), expected, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-5)
    result = compile_module(module, threads=2)(*inputs)
    outputs = list(result) if isinstance(result, (list, tuple)) else [result]
    for got, want in zip(outputs, expected, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-5)
    return (*inputs, *outputs)


def interpret(module: ModuleOp, inputs: Sequence[Any], shapes: Sequence[Any], dtypes: Sequence[str]) -> list[Any]:
    outputs = [np.full(s, 111, d) for s, d in zip(shapes, dtypes, strict=True)]
    semantics.run(module, "main", *inputs, *outputs)
    return outputs


def random(tensor: Tensor, sizes: Sizes) -> Any:
    """Return small integers, so that sums are exact in any order."""
    rng = np.random.default_rng(len(tensor.name) + ord(tensor.name[0]))
    return rng.integers(-4, 5, shape_of(tensor, sizes)).astype(tensor.dtype)


def shape_of(tensor: Tensor, sizes: Sizes) -> tuple[int, ...]:
    return tuple(n if isinstance(n, int) else sizes[n] for n in tensor.shape)
