"""One call of a function of any level and calling convention, and its outcome.

A function keeps its inputs through all passes, but its calling convention changes: results become output buffers,
buffers lose dimensions, workspaces are added. Two calls are compared by the contents of results, output buffers and
every array that was passed, element by element in row-major order. Before the call output buffers hold random numbers,
and workspaces hold poison.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, TensorType
from xdsl.dialects.func import FuncOp

from ..diagnostics import TilewrightError, fail
from .arguments import Argument, allocate_outputs, arguments_of, check_arguments, inputs_of
from .compare import Difference, Mismatch, first_difference
from .drawn_inputs import random_array
from .random_streams import Purpose, generator
from .values import Array, dtype_of, poison

if TYPE_CHECKING:
    from .program import Program

WORKSPACE = "tw.workspace"


@dataclass(frozen=True)
class Outcome:
    """The values of results and of all arrays after a run of a function."""

    values: list[Any]
    """Results, output buffers, then every array that was passed in, as it is afterwards."""
    made: int
    """The number of values that are results and output buffers."""

    def is_visible(self, inputs: Sequence[Any]) -> bool:
        """Return whether the caller sees that the function ran on `inputs`: it made numbers, or wrote to its inputs."""
        passed = (v.reshape(-1) for v in inputs if getattr(v, "shape", ()))
        made = [v for n, v in enumerate(self.values[: self.made]) if n not in self.blank]
        return any(np.size(v) for v in made) or any(
            not np.array_equal(before, after, equal_nan=before.dtype.kind in "fc")
            for before, after in zip(passed, self.values[self.made :], strict=False)
        )

    @property
    def blank(self) -> list[int]:
        """The results and output buffers that have elements and are NaN everywhere: any NaN would equal them."""
        return [n for n, v in enumerate(self.values[: self.made]) if np.size(v) and bool(np.all(v != v))]


@dataclass(frozen=True)
class Call:
    """Arguments of a function, all of them, for one run."""

    function: FuncOp
    arguments: tuple[Argument, ...]
    values: list[Any]

    def outcome(self, results: Sequence[Any]) -> Outcome:
        """Return the outcome of the run that returned `results`."""
        outputs, kept = self._seen()
        values = [self.values[n] for n in outputs] + [self.values[n].reshape(-1) for n in kept]
        return Outcome([*results, *values], len(results) + len(outputs))

    def position_of(self, argument: int) -> int | None:
        """Return the position in an outcome of the value of that argument; results count as arguments behind the
        others. None where nobody looks at it."""
        if argument >= len(self.arguments):
            return argument - len(self.arguments)
        results = [len(self.arguments) + k for k in range(len(self.function.function_type.outputs))]
        seen = [*results, *(n for part in self._seen() for n in part)]
        return seen.index(argument) if argument in seen else None

    def _seen(self) -> tuple[list[int], list[int]]:
        """Return the numbers of the arguments that are outputs, and of the other arrays that the caller has."""
        workspaces = _workspaces(self.function)
        numbered = list(enumerate(zip(self.arguments, self.values, strict=True)))
        outputs = [number for number, (argument, _) in numbered if argument.is_output]
        kept = [n for n, (a, v) in numbered if not a.is_output and _is_kept(a, v, workspaces)]
        return outputs, kept


def prepare_call(
    function: FuncOp, inputs: Sequence[Any], trial: int, shapes: Mapping[int, tuple[int, ...]] | None = None
) -> Call:
    """Return arguments for a run of `function`: copies of `inputs`, and output buffers that hold the same numbers in
    each run of a trial, so that a function which reads them first computes the same from them.

    `shapes` gives shapes of output buffers by position, where the function does not state them.

    Raises TilewrightError: TW0723 where it takes other inputs than these, TW0701 to TW0704 where they do not fit.
    """
    arguments = arguments_of(function)
    workspaces = _workspaces(function)
    given = iter(inputs)
    taken = [
        _workspace(a) if a.value.index in workspaces else _fitted(a, next(given, None))
        for a in arguments
        if not a.is_output
    ]
    if next(given, None) is not None:
        fail("TW0723", f"expected @{function.sym_name.data} to take {len(inputs)} inputs as before, but it takes fewer")
    checked = check_arguments(function, inputs_of(function), taken)
    outputs = allocate_outputs(function, checked, shapes)
    for number, output in enumerate(outputs):
        output[...] = initial_contents(output, trial, number)
    remaining = {True: iter(outputs), False: iter(checked)}
    return Call(function, arguments, [next(remaining[a.is_output]) for a in arguments])


def run_function(program: Program, name: str, inputs: Sequence[Any], trial: int) -> Outcome:
    """Run a function on `inputs`; the number of the trial chooses the initial content of its output buffers.

    Raises TilewrightError: TW0723 where the function takes other inputs, and all errors of the run itself.
    """
    return run_call(program, name, inputs, trial)[1]


def run_call(
    program: Program,
    name: str,
    inputs: Sequence[Any],
    trial: int,
    shapes: Mapping[int, tuple[int, ...]] | None = None,
) -> tuple[Call, Outcome]:
    """Run a function as `run_function` does, and return the call, whose output buffers the function has written, with
    the outcome."""
    try:
        call = prepare_call(program.definition(name), inputs, trial, shapes)
        return call, call.outcome(program.run(name, *call.values))
    except TilewrightError:
        raise
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise TilewrightError("TW0723", f"@{name} cannot be run: {type(error).__name__}: {error}") from None


def differences(before: Sequence[Any], after: Sequence[Any], *, exact: bool) -> Difference | Mismatch | None:
    """Return the first difference of the values that two calls left; None where they agree.

    Outputs that gained or lost dimensions are compared in row-major order.
    """
    if len(before) == len(after):
        pairs = [(np.asarray(a), np.asarray(b)) for a, b in zip(before, after, strict=True)]
        after = [b.reshape(a.shape) if a.size == b.size else b for a, b in pairs]
    return first_difference(before, after, exact=exact)


def initial_contents(like: Array, trial: int, number: int) -> Array:
    """Return elements of an output buffer before a call, in the shape and dtype of `like`: unrelated to all inputs, the
    same in row-major order for the same trial and position among the outputs."""
    return random_array(generator(Purpose.OUTPUTS, trial, number), like.shape, like.dtype)


def _is_kept(argument: Argument, value: Any, workspaces: set[int]) -> bool:
    return hasattr(value, "reshape") and bool(value.shape) and argument.value.index not in workspaces


def _workspaces(function: FuncOp) -> set[int]:
    attributes = function.arg_attrs.data if function.arg_attrs else ()
    return {index for index, attribute in enumerate(attributes) if WORKSPACE in attribute.data}


def _workspace(argument: Argument) -> Any:
    assert isinstance(argument.type, MemRefType)
    return poison(argument.type.get_shape(), dtype_of(argument.type))


def _fitted(argument: Argument, value: Any) -> Any:
    """Return a fresh copy of an input in the shape that the function takes it in."""
    if value is None:
        fail("TW0723", f"expected an input for argument '{argument.name}', which was not there before")
    if not isinstance(value, np.ndarray):
        return value
    array = value.copy()
    if not isinstance(argument.type, (MemRefType, TensorType)):
        return array
    shape = argument.type.get_shape()
    refits = len(shape) != array.ndim and shape.count(DYNAMIC_INDEX) <= 1
    return array.reshape(shape) if refits else array
