"""Comparison of two functions on numbers, an oracle for the prover's verdicts.

A function runs at several sizes, 0 and 1 among them, on small integers and, where every bit has to be kept, on numbers
that round and on infinities, NaN and zeros of both signs. It
runs twice on each, with other contents in its temporaries: an element that differs between the two is undefined, and
may become anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from tilewright.analysis.polyhedral.sizes import Sizes, parameter_symbol
from tilewright.diagnostics import TilewrightError
from tilewright.dialects.index_expr import Symbol
from tilewright.semantics.arguments import inputs_of
from tilewright.semantics.calls import prepare_call, run_function
from tilewright.semantics.compare import default_tolerance
from tilewright.semantics.drawn_inputs import random_array, random_inputs
from tilewright.semantics.emit import memory
from tilewright.semantics.program import Program
from tilewright.semantics.values import dtype_of, poison
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp

STEPS = 400_000
"""The limit of executed operations of one run: about half a second."""
SIZES = (0, 1, 2, 3, 5, 8)
"""Values of sizes, in all combinations where there are few."""
OPEN = (1, 3, 5)
"""Values of sizes that a verdict leaves open."""
DISTINCT = 8
"""At about how many assignments of sizes that are not all alike a function runs."""

INTEGERS, ROUNDING, SPECIAL = "integers", "rounding", "special"
_SPECIAL = (0.0, -0.0, np.inf, -np.inf, np.nan, 3e38)
_NO_ANSWER = {"TW0704", "TW0705", "TW0720", "TW0723", "TW0724"}
"""Errors that say something about the interpreter or the inputs, not about what a function computes."""


@dataclass(frozen=True)
class Point:
    """Sizes and the kind of inputs that a function is run on."""

    sizes: tuple[tuple[str, int], ...]
    inputs: str

    def __str__(self) -> str:
        return ", ".join([*(f"{name} = {value}" for name, value in self.sizes), f"on {self.inputs}"])


@dataclass(frozen=True)
class Run:
    """The results of a function at a point: values, or the error that ended it."""

    values: tuple[np.ndarray, ...] = ()
    others: tuple[np.ndarray, ...] = ()
    """The values with other contents in temporaries."""
    error: str = ""

    @property
    def undefined(self) -> int:
        """Return how many elements depend on what nobody wrote."""
        return sum(int(np.sum(~_same(a, b))) for a, b in zip(self.values, self.others, strict=True))


class _Names(dict[str, int]):
    """Sizes that remember which names they were asked for."""

    def __bool__(self) -> bool:
        return True  # an empty mapping would be passed over

    def get(self, key: str, default: Any = None) -> int:  # pyright: ignore[reportIncompatibleMethodOverride]
        return self.setdefault(key, 2)


def size_names(function: FuncOp) -> tuple[str, ...]:
    """Return the names of a function's sizes, as `random_inputs` takes them."""
    names = _Names()
    random_inputs(ModuleOp([function.clone()]), function.sym_name.data, sizes=names)
    return tuple(names)


def points(function: FuncOp, *, exact: bool) -> list[Point]:
    """Return the points to run a function at: all sizes equal, then each different from the others.

    Numbers that round and special ones are tried at a few of them, and only where every bit has to be kept.
    """
    names = size_names(function)
    every = [(n,) * len(names) for n in SIZES]
    distinct = [s for s in product((0, 1, 3, 4, 7), repeat=min(len(names), 3)) if len({*s}) > 1]
    distinct = [tuple(s[k % len(s)] for k in range(len(names))) for s in distinct]
    chosen = list(dict.fromkeys([*every, *distinct[:: max(1, len(distinct) // DISTINCT)]])) if names else [()]
    assigned = [tuple(zip(names, sizes, strict=True)) for sizes in chosen]
    at = [Point(sizes, INTEGERS) for sizes in assigned]
    few = [sizes for sizes in assigned if all(n in (1, 3, 5) for _, n in sizes)][:3]
    return at + [Point(sizes, kind) for sizes in few for kind in (ROUNDING, SPECIAL) if exact]


class Numbers:
    """The results of one function at points that `before` has inputs for."""

    def __init__(self, function: FuncOp, before: FuncOp | None = None) -> None:
        self.name = function.sym_name.data
        self._inputs_of = before or function
        with _temporaries_hold(np.nan):
            self._first = Program(ModuleOp([function.clone()]), STEPS)
            self._compile(self._first)
        with _temporaries_hold(77):
            self._second = Program(ModuleOp([function.clone()]), STEPS)
            self._compile(self._second)
        self._runs: dict[Point, Run | None] = {}

    def _compile(self, program: Program) -> None:
        with suppress(TilewrightError):  # running it tells
            program.function(self.name)

    def at(self, point: Point) -> Run | None:
        """Return the run of the function at a point; None if it gives no information."""
        if point not in self._runs:
            self._runs[point] = self._run(point)
        return self._runs[point]

    def _run(self, point: Point) -> Run | None:
        try:
            inputs = self._inputs(point)
            with np.errstate(all="ignore"):
                first, second = (
                    _values(run_function(p, self.name, inputs, 0).values) for p in (self._first, self._second)
                )
        except TilewrightError as error:
            return None if error.code in _NO_ANSWER else Run(error=f"{error.code}: {error.message}")
        except MemoryError:
            return None
        return Run(first, second)

    def _inputs(self, point: Point) -> list[Any]:
        rng = np.random.default_rng(1)
        return [_as(point.inputs, value, rng) for value in draw(self._inputs_of, dict(point.sizes))]


def completed(function: FuncOp, sizes: Mapping[str, int]) -> list[dict[str, int]]:
    """Return values for all parameters of the prover where some have these: those that the function says are equal to
    them follow, and the others are each of `OPEN`."""
    found = [_with_open(function, sizes, value) for value in OPEN]
    return [each for k, each in enumerate(found) if each not in found[:k]]


def _with_open(function: FuncOp, sizes: Mapping[str, int], value: int) -> dict[str, int]:
    fixed = {Symbol(name): size for name, size in sizes.items()}
    parameters = [parameter.symbol for parameter in Sizes(function, {}).parameters]
    for symbol in parameters:
        known = _known(function, fixed, symbol)
        fixed[symbol] = value if known is None else known
    return {symbol.name: size for symbol, size in fixed.items()}


def _known(function: FuncOp, fixed: Mapping[Symbol, int], symbol: Symbol) -> int | None:
    """Return the value of a parameter that follows from the values of others, or None."""
    if symbol in fixed:
        return fixed[symbol]
    sizes = Sizes(function, fixed)
    parameter = next(p for p in sizes.parameters if p.symbol == symbol)
    argument = function.body.block.args[parameter.argument]
    e = sizes.known[argument] if parameter.dimension is None else sizes.shapes[argument][parameter.dimension]
    return e.constant if e.is_constant else None


def draw(function: FuncOp, sizes: Mapping[str, int]) -> list[Any]:
    """Return inputs of a function at sizes by name, or by the prover's parameters."""
    rng = np.random.default_rng(0)
    module, name = ModuleOp([function.clone()]), function.sym_name.data
    if not any(key.startswith("argument ") for key in sizes):
        return random_inputs(module, name, sizes=sizes)
    drawn: list[Any] = []
    for argument in inputs_of(function):
        position, type = argument.value.index, argument.type
        if not isinstance(type, MemRefType):
            given = sizes.get(parameter_symbol(position).name)
            drawn.append(random_array(rng, (), dtype_of(type))[()] if given is None else given)
            continue
        extents = enumerate(type.get_shape())
        shape = tuple(sizes[parameter_symbol(position, d).name] if n == DYNAMIC_INDEX else n for d, n in extents)
        drawn.append(random_array(rng, shape, dtype_of(type)))
    return drawn


def arguments_after(function: FuncOp, sizes: Mapping[str, int], like: FuncOp | None = None) -> list[Any]:
    """Return the contents of all arguments after a run on numbers that hardly ever agree by chance; inputs are drawn
    for `like`.

    Raises TilewrightError where the run fails.
    """
    call = prepare_call(function, draw(like or function, sizes), 0)
    with np.errstate(all="ignore"):
        Program(ModuleOp([function.clone()]), STEPS).run(function.sym_name.data, *call.values)
    return call.values


@dataclass(frozen=True)
class Difference:
    """A difference of two functions: different numbers, or the failure of one."""

    point: Point
    problem: str

    def __str__(self) -> str:
        return f"{self.problem}, {self.point}"


def first_difference(before: Numbers, after: Numbers, at: Sequence[Point], *, exact: bool) -> Difference | None:
    """Return the first point at which numbers differ. Elements that are undefined before are not compared."""
    for point in at:
        expected = before.at(point)
        if expected is None or expected.error:
            continue
        actual = after.at(point)
        if actual is None:
            continue
        if actual.error:
            return Difference(point, actual.error)
        problem = _difference(expected, actual, exact=exact)
        if problem is not None:
            return Difference(point, problem)
    return None


def comparable(before: Numbers, after: Numbers, at: Sequence[Point]) -> int:
    """Return the number of points at which both functions have numbers."""
    runs = ((before.at(point), after.at(point)) for point in at)
    return sum(a is not None and not a.error and b is not None for a, b in runs)


def _difference(expected: Run, actual: Run, *, exact: bool) -> str | None:
    if len(expected.values) != len(actual.values):
        return f"{len(expected.values)} values became {len(actual.values)}"
    for number, (value, other) in enumerate(zip(expected.values, expected.others, strict=True)):
        for got in (actual.values[number], actual.others[number]):
            if got.size != value.size:
                return f"value {number} of shape {value.shape} became one of {got.shape}"
            found = got.reshape(value.shape)
            wrong = ~_same(value, found, exact=exact) & _same(value, other)
            if wrong.any():
                position = tuple(int(i) for i in np.unravel_index(int(wrong.argmax()), wrong.shape))
                return f"value {number} at {[*position]}: expected {value[position]!s}, but got {found[position]!s}"
    return None


def _same(a: np.ndarray, b: np.ndarray, *, exact: bool = True) -> np.ndarray:
    """Return the mask of equal elements, NaN being one value; of close ones without `exact`."""
    same = np.asarray(a == b)
    if a.dtype.kind in "iub":
        return same
    neither = np.asarray(a != a) & np.asarray(b != b)
    if exact:
        return (same & np.asarray(np.signbit(a) == np.signbit(b))) | neither
    allowed = default_tolerance(a.dtype)
    with np.errstate(all="ignore"):
        near = np.abs(a.astype(float) - b.astype(float)) <= allowed * np.maximum(1, np.abs(a.astype(float)))
    return same | neither | near


def _values(values: Sequence[Any]) -> tuple[np.ndarray, ...]:
    return tuple(np.asarray(value) for value in values)


def _as(kind: str, value: Any, rng: np.random.Generator) -> Any:
    if kind == ROUNDING or not isinstance(value, np.ndarray) or value.dtype.kind in "iub":
        return value
    whole = rng.integers(-4, 5, value.shape)
    if kind == INTEGERS:
        return whole.astype(value.dtype)
    chosen = rng.random(value.shape) < 0.2
    with np.errstate(over="ignore"):
        return np.where(chosen, rng.choice(_SPECIAL, value.shape), whole).astype(value.dtype)


@contextmanager
def _temporaries_hold(content: float) -> Iterator[None]:
    """Let programs that are translated inside allocate temporaries with these contents."""

    def filled(shape: Sequence[int], dtype: np.dtype[Any]) -> np.ndarray:
        made = poison(shape, dtype)
        if not np.isnan(content):
            made[...] = np.asarray(content).astype(dtype)
        return made

    before, memory.poison = memory.poison, filled
    try:
        yield
    finally:
        memory.poison = before


def at_sizes(sizes: Mapping[str, int], inputs: str = INTEGERS) -> Point:
    """Return the point of these sizes."""
    return Point(tuple(sizes.items()), inputs)
