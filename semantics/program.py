"""Execution of the functions of a module by the reference semantics.

Each function is translated to the source of one Python function, op by op, and compiled once: there is no dispatch on
ops at run time, and scalars are numpy's, which round to their dtype. An op takes a fraction of a microsecond. Loops of
every kind run their iterations in order, one after the other, except for the threads of a GPU's block with barriers,
which are interleaved.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property, partial
from threading import RLock
from typing import Any, NoReturn

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ..analysis.aliases import callees_first, written_arguments
from ..diagnostics import fail
from ..dialects.loop import GLOBAL
from ..dialects.loop.overlap import may_overlap
from ..forks import held_off
from ..runtime.memory import contiguous_copy
from .arguments import allocate_outputs, arguments_of, check_arguments, inputs_of
from .buffers import check_disjoint
from .emit.function import FunctionEmitter
from .poison import Poison
from .races import Races
from .registry import find_reference
from .values import Array


class Program:
    """The functions of a module, ready to run, from several threads too. The module must not change afterwards.

    `step_budget` bounds the number of operations that loops execute in a call; TW0724 is raised beyond it.
    `finds_races`: the threads of every block run at once, and TW0537 is raised where two of them touch an element, one
    writing it, with no barrier between them, or where two iterations of an outermost parallel loop do. `poison`
    records poison and undefined operations of upstream MLIR.
    """

    def __init__(
        self,
        module: ModuleOp,
        step_budget: int | None = None,
        *,
        finds_races: bool = False,
        poison: Poison | None = None,
    ) -> None:
        self._module = module
        self._definitions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
        self._functions: dict[str, Callable[..., Any] | None] = {}
        self._lock = RLock()
        self._step_budget = step_budget
        self._steps_left = 0
        self.races = Races() if finds_races else None
        self.poison = poison

    def run(self, name: str, *arguments: Any) -> tuple[Any, ...]:
        """Call a function with all of its arguments, outputs included, which are written in place; its results."""
        definition = self.definition(name)
        return self._call(name, check_arguments(definition, arguments_of(definition), arguments))

    def evaluate(self, name: str, *inputs: Any) -> tuple[Any, ...]:
        """Call a function with its inputs; its results, or its outputs where it is destination-passing."""
        definition = self.definition(name)
        contiguous = [_contiguous(value, position) for position, value in enumerate(inputs)]
        checked = check_arguments(definition, inputs_of(definition), contiguous)
        outputs = allocate_outputs(definition, checked)
        remaining = {True: iter(outputs), False: iter(checked)}
        results = self._call(name, [next(remaining[a.is_output]) for a in arguments_of(definition)])
        return (*results, *outputs)

    def definition(self, name: str, op: Operation | None = None) -> func.FuncOp:
        """Return the function of that name. Raises TW0723 where there is none, or none with a body."""
        definition = self._definitions.get(name)
        if definition is None or not definition.body.blocks:
            fail("TW0723", f"expected a function @{name} with a body, but there is none", op=op)
        return definition

    def _call(self, name: str, values: list[Any]) -> tuple[Any, ...]:
        function = self.function(name)
        self._steps_left = self._step_budget or 0
        races = self.races
        if races is not None:
            values = [races.watch(v, GLOBAL) if isinstance(v, np.ndarray) else v for v in values]
        with np.errstate(all="ignore"):
            results = function(*values)
        return tuple(_unshared(r, values) for r in results)

    # The names that translated functions refer to

    def overlap_check(self, name: str) -> Callable[..., None] | None:
        """Return a check that reports arguments which share memory although the function assumes them disjoint; or
        None."""
        definition = self.definition(name)
        listed = may_overlap(definition)
        if listed is None:
            return None
        disjoint = [k for k in range(len(definition.body.block.args)) if k not in listed]
        return partial(check_disjoint, name, self.written.get(name, set()), disjoint)

    @property
    def counts_steps(self) -> bool:
        return self._step_budget is not None

    @cached_property
    def written(self) -> dict[str, set[int]]:
        """By the name of a function, the positions of the arguments that it writes."""
        return written_arguments(callees_first(self._module))

    def spend(self, steps: int, op: Operation) -> None:
        """Account for operations that are about to be executed."""
        self._steps_left -= steps
        if self._steps_left < 0:
            fail("TW0724", f"expected at most {self._step_budget} operations, but there are more to execute", op=op)

    def function(self, name: str, op: Operation | None = None) -> Callable[..., Any]:
        """Return the Python function of a function of the module."""
        with held_off(), self._lock:
            if name not in self._functions:
                self._functions[name] = None
                self._functions[name] = FunctionEmitter(self, self.definition(name, op)).compile()
            function = self._functions[name]
        if function is None:
            fail("TW0723", f"expected calls that come to an end, but @{name} calls itself", op=op)
        return function

    @staticmethod
    @cache
    def lane_numbers(lanes: int) -> Array:
        return np.arange(lanes)

    @staticmethod
    def fail_unknown(op: Operation) -> NoReturn:
        fail("TW0720", f"expected an operation with reference semantics, but got {op.name}", op=op)


def run(module: ModuleOp, name: str, *arguments: Any, step_budget: int | None = None) -> tuple[Any, ...]:
    """Run function `name` of a module of any level on numpy arrays; its results.

    Buffers are written in place: a destination-passing function has no results and fills the arrays given for its
    outputs. Arrays must have the exact dtype and shape of their argument (TW0701 to TW0707). An access outside of
    its buffer is an error (TW0721), as are more than `step_budget` operations in loops (TW0724).
    """
    return Program(module, step_budget).run(name, *arguments)


def evaluate(module: ModuleOp, *inputs: Any, name: str = "main", step_budget: int | None = None) -> tuple[Any, ...]:
    """Return the outputs of a function for its inputs, the same at every level: results, or buffers marked
    `tw.output`."""
    return Program(module, step_budget).evaluate(name, *inputs)


def has_semantics(op_name: str) -> bool:
    """Return whether an operation of this name can be run."""
    from .emit.function import emitters

    return op_name in emitters() or find_reference(op_name) is not None


def _contiguous(value: Any, position: int) -> Any:
    """Return an input in row-major order. Raises TW0708 where there is no memory for the copy."""
    if isinstance(value, np.ndarray) and not value.flags.c_contiguous:
        return contiguous_copy(value, f"input {position}")
    return value


def _unshared(result: Any, values: list[Any]) -> Any:
    """Return the result, or a copy where it shares memory with an argument."""
    if isinstance(result, np.ndarray) and any(
        isinstance(v, np.ndarray) and np.may_share_memory(result, v) for v in values
    ):
        return result.copy()
    return result
