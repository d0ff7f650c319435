"""Running one function of a module on given inputs, whatever its level and calling convention.

A function keeps its inputs through all passes, but not the way it gets them: results become buffers to fill, buffers
lose dimensions, workspaces are added. What is compared is what stands in results, output buffers and every array that
was passed in, element by element in row-major order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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


def run_function(program: Program, name: str, inputs: Sequence[Any]) -> list[Any]:
    """What a function computes from `inputs`: results, output buffers, and the arrays as they are afterwards.

    Raises TilewrightError: TW0723 where it takes other inputs than these, and all that running it may raise.
    """

    from ...semantics.arguments import arguments_of

    arguments = [a for a in arguments_of(program.definition(name)) if not a.is_output]
    workspaces = _workspaces(program.definition(name))
    given = iter(inputs)
    values = [_workspace(a) if a.value.index in workspaces else _fitted(a, next(given, None)) for a in arguments]
    if next(given, None) is not None:
        fail("TW0723", f"expected @{name} to take {len(inputs)} inputs as before, but it takes fewer")
    try:
        results = program.evaluate(name, *values)
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise TilewrightError("TW0723", f"@{name} cannot be run: {type(error).__name__}: {error}") from error
    kept = [v.reshape(-1) for a, v in zip(arguments, values, strict=True) if _is_kept(a, v, workspaces)]
    return [*results, *kept]


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
