"""Running one function of a module on given inputs, whatever its level and calling convention.

A function keeps its inputs through all passes, but not the way it gets them: results become buffers to fill, buffers
lose dimensions, workspaces are added. What is compared is what stands in results, output buffers and every array that
was passed in, element by element in row-major order. Output buffers hold drawn numbers before the run, those of
temporaries are poison.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from zlib import crc32

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, ModuleOp, TensorType
from xdsl.dialects.func import FuncOp

from ...diagnostics import TilewrightError, fail

if TYPE_CHECKING:
    from ...semantics import Program
    from ...semantics.arguments import Argument

SIZES = (5, 1, 8, 3, 16, 2)
"""What symbolic sizes are: primes, powers of two, and one."""

LOOP_BUDGET = 400_000
"""How many operations the loops of one run may execute; a run takes about half a second then."""

GRID_BUDGET = 50_000_000
"""How many elements the computes of one run may visit, and its operators have: numpy does many at once."""

WORKSPACE = "tw.workspace"


class Sizes(dict[str, int]):
    """A number for every symbolic size, by its name: other ones for each trial."""

    def __init__(self, trial: int) -> None:
        super().__init__()
        self.trial = trial

    def get(self, key: str, default: Any = None) -> int:  # pyright: ignore[reportIncompatibleMethodOverride]
        if self.trial == 0:
            return SIZES[0]
        return SIZES[(crc32(key.encode()) + self.trial) % len(SIZES)]


def functions_of(module: ModuleOp) -> Iterator[FuncOp]:
    """The functions of a module that can be run."""
    return (op for op in module.ops if isinstance(op, FuncOp) and op.body.blocks)


def draw_inputs(module: ModuleOp, name: str, trial: int) -> list[Any]:
    """Random inputs of a function."""
    from ...semantics.drawn_inputs import random_inputs

    return random_inputs(module, name, seed=trial, sizes=Sizes(trial))


@dataclass(frozen=True)
class Outcome:
    """What a run of a function left behind."""

    values: list[Any]
    """Results, output buffers, then every array that was passed in, as it is afterwards."""
    made: int
    """How many of the values are results and output buffers."""

    def is_visible(self, inputs: Sequence[Any]) -> bool:
        """Whether the caller sees that the function ran on `inputs`: it made numbers, or wrote what it was passed."""
        import numpy as np

        passed = (v.reshape(-1) for v in inputs if getattr(v, "shape", ()))
        made = [v for n, v in enumerate(self.values[: self.made]) if n not in self.blank]
        return any(np.size(v) for v in made) or any(
            not np.array_equal(before, after, equal_nan=before.dtype.kind in "fc")
            for before, after in zip(passed, self.values[self.made :], strict=False)
        )

    @property
    def blank(self) -> list[int]:
        """The results and output buffers that have elements and are NaN everywhere: any NaN would equal them."""
        import numpy as np

        return [n for n, v in enumerate(self.values[: self.made]) if np.size(v) and bool(np.all(v != v))]


@dataclass(frozen=True)
class Call:
    """Arguments of a function, all of them, for one run."""

    function: FuncOp
    arguments: tuple[Argument, ...]
    values: list[Any]

    def outcome(self, results: Sequence[Any]) -> Outcome:
        """What the run that returned `results` left behind."""
        workspaces = _workspaces(self.function)
        pairs = list(zip(self.arguments, self.values, strict=True))
        outputs = [value for argument, value in pairs if argument.is_output]
        kept = [v.reshape(-1) for a, v in pairs if not a.is_output and _is_kept(a, v, workspaces)]
        return Outcome([*results, *outputs, *kept], len(results) + len(outputs))


def prepare_call(function: FuncOp, inputs: Sequence[Any], trial: int) -> Call:
    """Arguments for a run of `function`: copies of `inputs`, and output buffers that hold the same numbers in each run
    of a trial, so that a function which reads them first computes the same from them.

    Raises TilewrightError: TW0723 where it takes other inputs than these, TW0701 to TW0704 where they do not fit.
    """
    from ...semantics.arguments import allocate_outputs, arguments_of, check_arguments, inputs_of

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
    outputs = allocate_outputs(function, checked)
    for number, output in enumerate(outputs):
        _fill(output, trial, number)
    remaining = {True: iter(outputs), False: iter(checked)}
    return Call(function, arguments, [next(remaining[a.is_output]) for a in arguments])


def run_function(program: Program, name: str, inputs: Sequence[Any], trial: int) -> Outcome:
    """What a function computes from `inputs`, the number of the trial deciding what its output buffers hold before.

    Raises TilewrightError: TW0723 where it takes other inputs than these, and all that running it may raise.
    """
    try:
        call = prepare_call(program.definition(name), inputs, trial)
        return call.outcome(program.run(name, *call.values))
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise TilewrightError("TW0723", f"@{name} cannot be run: {type(error).__name__}: {error}") from error


def _fill(output: Any, trial: int, number: int) -> None:
    import numpy as np

    from ...semantics.drawn_inputs import random_array

    output.reshape(-1)[:] = random_array(np.random.default_rng((trial, number)), (output.size,), output.dtype)


def _is_kept(argument: Argument, value: Any, workspaces: set[int]) -> bool:
    return hasattr(value, "reshape") and bool(value.shape) and argument.value.index not in workspaces


def _workspaces(function: FuncOp) -> set[int]:
    attributes = function.arg_attrs.data if function.arg_attrs else ()
    return {index for index, attribute in enumerate(attributes) if WORKSPACE in attribute.data}


def _workspace(argument: Argument) -> Any:
    from ...semantics.values import dtype_of, poison

    assert isinstance(argument.type, MemRefType)
    return poison(argument.type.get_shape(), dtype_of(argument.type))


def _fitted(argument: Argument, value: Any) -> Any:
    """A fresh copy of an input in the shape that the function takes it in."""
    import numpy as np

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
