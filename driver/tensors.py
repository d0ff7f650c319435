"""Tensors, and lazy schedules of tensors, as modules.

A schedule is replayed on fresh loops, which are marked as scheduled, so that no default schedule touches them. The
function's arguments are the inputs, then the outputs, as everywhere; where the user lists them in another order, or
sizes among them, the function carries that order for the calls of the compiled program.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ..dialects import context
from ..dialects.loop import ForOp
from ..passes.framework.manager import PassManager
from ..passes.framework.registry import parse_pipeline
from ..schedule.stages import IterVar, LazySchedule, replay
from ..te import Placeholder, Tensor, Var, to_module
from ..te.build import block_labels, note_order
from .output_sizes import remove_stand_ins, stand_ins

Arguments = Sequence[Tensor | Var]


def tensors_module(args: Arguments, name: str) -> ModuleOp:
    """Return a module with one function that computes the tensors among `args` that are no placeholders.

    It is at te level, or has loops already where sizes are read off outputs.
    """
    return _lowered(args, name, "fuse") if stand_ins(args) else _te_module(args, args, name)


def scheduled_module(
    schedule: LazySchedule, args: Arguments, name: str, observe: Callable[[IterVar, ForOp], None] | None = None
) -> ModuleOp:
    """Return the module of loops of `schedule`; `observe` is passed to `replay.apply`.

    If `args` contains no result of the definition that the schedule is for, its results become the last arguments. If
    `args` contains some of several results, the others stay inside the program.
    """
    args = with_results(schedule, args)
    module = _lowered(args, name)
    outputs = [t for t in args if isinstance(t, Tensor) and not isinstance(t.op, Placeholder)]
    replay.apply(schedule, _only_function(module), block_labels(outputs), observe)
    return module


def with_results(schedule: LazySchedule, args: Arguments) -> list[Tensor | Var]:
    """Return the arguments; where none of them is a result of the schedule, its results too."""
    given = {a.op for a in args if isinstance(a, Tensor)}
    results = [op for op in schedule.outputs if not isinstance(op, Placeholder)]
    if given.intersection(results):
        return [*args]
    return [*args, *(t for op in results for t in op.outputs)]


def _lowered(args: Arguments, name: str, *passes: str) -> ModuleOp:
    """Return the function with fresh loops, after some passes at te level."""
    given = stand_ins(args)
    module = _te_module([*args, *(s.tensor for s in given)], args, name)
    PassManager(parse_pipeline(",".join([*passes, "lower-te"])), verify_each=False).run(context(), module)
    remove_stand_ins(_only_function(module), given)
    return module


def _te_module(args: Arguments, listed: Arguments, name: str) -> ModuleOp:
    """Return the module for `args`, whose callers pass the arguments in the order `listed`."""
    module = to_module(args, name)
    note_order(_only_function(module), args, listed)
    return module


def _only_function(module: ModuleOp) -> FuncOp:
    (function,) = (op for op in module.ops if isinstance(op, FuncOp))
    return function
