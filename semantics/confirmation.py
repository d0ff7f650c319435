"""Confirmation of a refutation: both functions are run at the sizes of the refutation, and their results compared.

A refutation says that two expressions differ, while their values may be equal. The inputs of the runs are random
numbers, and numbers about as large as the constants of both functions, since only these reach a bound of a clip. Where
the functions have to agree bit by bit, infinities, NaN and zeros of both signs are among the inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation

from ..analysis.equivalence import EXACT, Algebra, Axiom, Fault, Refuted
from ..analysis.polyhedral.sizes import parameter_symbol
from ..diagnostics import TilewrightError
from ..diagnostics.locations import location_of, source_position
from ..dialects.upstream.undefined import DIVISIONS
from .arguments import inputs_of
from .calls import Call, Outcome, run_call
from .compare import default_tolerance, first_difference
from .parameters import dynamic_outputs_at, elements_at, inputs_at
from .poison import Poison, may_be_poison
from .program import Program
from .random_streams import Purpose, generator
from .values import WITHOUT_NAN, name_of

STEPS = 4_000_000
"""The number of operations that the loops of one run may execute: a run then takes some seconds."""
ELEMENTS = 1 << 24
"""The most elements that the arguments of one run may have: a run reads and writes fewer than `STEPS` of them."""

_TRIALS = 4
_SPECIAL = (0.0, -0.0, np.inf, -np.inf, np.nan, 3e38)
_SPECIAL_SHARES = (0.05, 0.1, 0.2, 0.5, 0.5, 1.0, 1.0, 1.0)
"""The shares of elements with special values: low shares keep a long sum from NaN, high shares reach short sums."""
_OF_FLAGS = (np.nan, np.inf)
"""Numbers by which operations with flags give poison."""
_DIVISORS = (0, -1)
"""Numbers by which a division may be undefined."""
_EXTREME_SHARES = (0.1, 0.5, 1.0, 1.0)
"""The shares of integers that are at the ends of their type's range, where sums overflow."""
_CONSTANT_SHARES = (0.0, 0.0, 0.3, 1.0)
"""The shares of elements that are constants of the functions; the others are numbers of their magnitude. The former are
for functions that have to agree bit by bit: of equal keys another order of a reduction may select another one."""
_LARGE = 1e6
"""Float constants beyond are no bounds of values that numbers come near: masks, and limits of types."""

Run: TypeAlias = tuple[Call, Outcome]

_MEMORY = "memory"
_NO_VERDICT = {"TW0720", "TW0723", "TW0724", "TW0705", _MEMORY}
"""Errors that say something about the interpreter, not about the function."""


class Numbers(Enum):
    """The result of a comparison of two functions by their runs."""

    UNEQUAL = auto()
    EQUAL = auto()
    NOT_RUN = auto()


@dataclass(frozen=True)
class Confirmation:
    """The evidence from running two functions at the sizes of a refutation."""

    numbers: Numbers
    text: str = ""
    """The two values of the element; why the functions could not be run."""
    inputs: tuple[Any, ...] = ()
    """The inputs that show unequal numbers."""
    is_poison: bool = False
    """True where the number after stands for poison, or for a division that is undefined."""


def confirm(before: FuncOp, after: FuncOp, refuted: Refuted, algebra: Algebra) -> Confirmation:
    """Run both functions at the sizes of `refuted` and compare: bit by bit where the algebra is exact, else within the
    tolerance of the dtype. If the refutation is a race of a parallel loop, the run detects races."""
    if (elements := elements_at(before, refuted.sizes)) > ELEMENTS:
        return Confirmation(Numbers.NOT_RUN, f"its arguments have {elements} elements, and runs take up to {ELEMENTS}")
    functions = before, after
    watched = False, refuted.fault is Fault.RACE
    poisons = [Poison(replaces=replaces) if _may_be_poison(*functions) else None for replaces in (False, True)]
    programs = [
        Program(ModuleOp([function.clone()]), STEPS, finds_races=watches, poison=poison)
        for function, watches, poison in zip(functions, watched, poisons, strict=True)
    ]
    reason = "no inputs suit it"
    ran = False
    is_exact = algebra == EXACT
    for trial, (inputs, among) in enumerate(_inputs(before, after, refuted, algebra)):
        for poison in poisons:
            if poison is not None:
                poison.forget()
        pairs = zip(programs, functions, strict=True)
        runs = [_run(program, function, inputs, trial, refuted.sizes) for program, function in pairs]
        first, second = runs
        if poisons[0] is not None and (undefined := poisons[0].first) is not None:
            reason = f"before, '{undefined.name}' is undefined or poison for all inputs that were tried"
        elif isinstance(first, Failure) or (isinstance(second, Failure) and second.is_of_interpreter):
            failed = first if isinstance(first, Failure) else second
            assert isinstance(failed, Failure)
            reason = failed.reason
            if failed.is_for_all_inputs:
                break
        elif poisons[1] is not None and (divides := poisons[1].undefined) is not None:
            text = (
                f"the interpreter finds a divisor of 0 or an overflow in {_named(divides)} after{among}, and not before"
            )
            return Confirmation(Numbers.UNEQUAL, text, tuple(inputs), is_poison=True)
        elif isinstance(second, Failure):
            return Confirmation(Numbers.UNEQUAL, f"the interpreter fails after: {second.reason}", tuple(inputs))
        else:
            ran = True
            found = _difference(first, second, refuted, exact=is_exact)
            if found is not None:
                poisoned = _poisoned_by(poisons[1])
                text = f"the interpreter finds {found}{among}{poisoned}"
                return Confirmation(Numbers.UNEQUAL, text, tuple(inputs), is_poison=bool(poisoned))
    return Confirmation(Numbers.EQUAL) if ran else Confirmation(Numbers.NOT_RUN, reason)


def _may_be_poison(*functions: FuncOp) -> bool:
    return any(may_be_poison(op) for function in functions for op in function.walk())


def _poisoned_by(poison: Poison | None) -> str:
    """Return the operation of the program after that gave poison, which may be any number."""
    if poison is None or poison.first is None:
        return ""
    return f", where {_named(poison.first)} gives poison"


def _named(op: Operation) -> str:
    position = source_position(location_of(op))
    return f"'{op.name}'{'' if position is None else f' ({position})'}"


@dataclass(frozen=True)
class Failure:
    """A function that could not be run."""

    reason: str
    code: str

    @property
    def is_of_interpreter(self) -> bool:
        """True for a limit of the interpreter, which is no fault of the function."""
        return self.code in _NO_VERDICT

    @property
    def is_for_all_inputs(self) -> bool:
        return self.code in ("TW0720", "TW0724", _MEMORY)


def _run(
    program: Program, function: FuncOp, inputs: Sequence[Any], trial: int, sizes: Mapping[str, int]
) -> Run | Failure:
    try:
        return run_call(program, function.sym_name.data, inputs, trial, dynamic_outputs_at(function, sizes))
    except TilewrightError as error:
        return Failure(f"{error.message} [{error.code}]", error.code)
    except MemoryError:
        return Failure("it takes too much memory", _MEMORY)


def _inputs(before: FuncOp, after: FuncOp, refuted: Refuted, algebra: Algebra) -> Iterator[tuple[list[Any], str]]:
    """Yield inputs at the sizes of a refutation, each with a few words about values that are not drawn as usual.

    Random ones, some near constants of the functions, unless these are those of a polynomial for a function, which is
    near it within its range alone; integers at the ends of their range; and, where bits have to agree, special values.
    """
    for trial in range(_TRIALS):
        yield inputs_at(before, refuted.sizes, trial), ""
    constants = [op.value for function in (before, after) for op in function.walk() if isinstance(op, ConstantOp)]
    for trial, share in enumerate(_EXTREME_SHARES):
        rng = generator(Purpose.EXTREME_VALUES, trial)
        values = inputs_at(before, refuted.sizes, trial)
        if not any(map(_is_integral, values)):
            break
        yield (
            _changed(before, refuted, values, lambda v, r=rng, s=share: _with_extremes(v, r, s)),
            ", with the least and the greatest integers",
        )
    for number in _DIVISORS if any(op.name in DIVISIONS for op in after.walk()) else ():
        values = inputs_at(before, refuted.sizes, 0)
        yield _changed(before, refuted, values, lambda v, n=number: _all(v, n)), f", with {number} for all integers"
    for special in _OF_FLAGS if _may_be_poison(before, after) else ():
        values = inputs_at(before, refuted.sizes, 0)
        yield _changed(before, refuted, values, lambda v, n=special: _filled(v, n)), f", with {special} for all inputs"
    expands = Axiom.EXPAND_INTRINSIC in algebra.axioms
    for trial, share in enumerate(_CONSTANT_SHARES if constants and not expands else ()):
        if share and algebra != EXACT:
            break
        rng = generator(Purpose.NEAR_CONSTANTS, trial)
        values = inputs_at(before, refuted.sizes, trial)
        near = _changed(before, refuted, values, lambda v, r=rng, s=share: _near(v, constants, r, s))
        yield near, ", with inputs near constants of the functions"
    for trial, share in enumerate(_SPECIAL_SHARES if algebra == EXACT else ()):
        rng = generator(Purpose.SPECIAL_VALUES, trial)
        values = inputs_at(before, refuted.sizes, trial)
        yield (
            _changed(before, refuted, values, lambda v, r=rng, s=share: _with_special(v, r, s)),
            ", with infinities and NaN among the inputs",
        )


def _changed(function: FuncOp, refuted: Refuted, values: Sequence[Any], change: Callable[[Any], Any]) -> list[Any]:
    """Return the inputs, each changed but those that are sizes of the refutation; arrays of rank 0 stay arrays."""
    names = [parameter_symbol(argument.value.index).name for argument in inputs_of(function)]
    changed = [value if name in refuted.sizes else change(value) for name, value in zip(names, values, strict=True)]
    return [np.asarray(v) if isinstance(value, np.ndarray) else v for value, v in zip(values, changed, strict=True)]


def _near(value: Any, constants: Sequence[Attribute], rng: np.random.Generator, share: float) -> Any:
    """Return an array or scalar of that share of constants of its kind, the other elements about as large as these."""
    if not isinstance(value, (np.ndarray, np.generic)) or value.dtype.kind == "b":
        return value
    is_float = bool(default_tolerance(value.dtype))
    known = [c.value.data for c in constants if isinstance(c, FloatAttr if is_float else IntegerAttr)]
    suited = [c for c in known if abs(c) <= _LARGE]  # not NaN
    if not suited:
        return value
    bound = 2 * max(1, *map(abs, suited))
    chosen = rng.random(value.shape) < share
    drawn = np.where(chosen, rng.choice(suited, value.shape), rng.uniform(-bound, bound, value.shape))
    with np.errstate(all="ignore"):
        return (drawn if is_float else drawn.astype(np.int64)).astype(value.dtype)[()]


def _is_integral(value: Any) -> bool:
    return isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "iu"


def _with_extremes(value: Any, rng: np.random.Generator, share: float) -> Any:
    """Return the array or scalar of integers with that share of its elements near the ends of the type's range."""
    if not _is_integral(value):
        return value
    limits = np.iinfo(value.dtype)
    ends = np.array([limits.max, limits.min, limits.max // 2 + 1, limits.max - 1], value.dtype)
    chosen = rng.random(value.shape) < share
    return np.where(chosen, rng.choice(ends, value.shape), value)[()]


def _all(value: Any, number: int) -> Any:
    """Return an array or scalar of integers that are all one number."""
    return np.full(value.shape, number).astype(value.dtype)[()] if _is_integral(value) else value


def _filled(value: Any, number: float) -> Any:
    """Return an array or scalar of floats that are all one number."""
    if not isinstance(value, (np.ndarray, np.generic)) or not default_tolerance(value.dtype):
        return value
    return np.full(value.shape, number, value.dtype)[()]


def _with_special(value: Any, rng: np.random.Generator, share: float) -> Any:
    """Return the array or scalar with that share of its elements special."""
    if not isinstance(value, (np.ndarray, np.generic)) or not default_tolerance(value.dtype):
        return value
    chosen = rng.random(value.shape) < share
    with np.errstate(all="ignore"):
        special = rng.choice(_SPECIAL, value.shape).astype(value.dtype)
        return np.where(chosen, special, value)[()]


def _difference(first: Run, second: Run, refuted: Refuted, *, exact: bool) -> str | None:
    """Return the difference of two runs: at the element of the refutation, else at another element that is a number."""
    (call, left), (_, changed) = first, second
    position = None if refuted.output is None else call.position_of(refuted.output)
    if refuted.output is None or position is None or len(left.values) != len(changed.values):
        return None
    shape = np.shape(call.values[refuted.output] if refuted.output < len(call.values) else left.values[position])
    before, after = np.asarray(left.values[position]), np.asarray(changed.values[position])
    if before.size != after.size:
        return f"{before.size} elements before and {after.size} after"
    before, after = before.reshape(shape), after.reshape(shape)
    if _is_inside(refuted.element, shape):
        # The tolerance follows from the whole output.
        other = before.copy()
        other[refuted.element] = after[refuted.element]
        if first_difference([before], [other], exact=exact) is not None:
            return f"{before[refuted.element]!s} before and {other[refuted.element]!s} after"
    if not default_tolerance(before.dtype) or name_of(before.dtype) in WITHOUT_NAN:
        return None  # an element that was not written holds a number like any other
    found = first_difference([before], [np.where(np.isnan(before), before, after)], exact=exact)
    return None if found is None else str(found)


def _is_inside(element: Sequence[int], shape: Sequence[int]) -> bool:
    return len(element) == len(shape) and all(0 <= i < n for i, n in zip(element, shape, strict=True))
