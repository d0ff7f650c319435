"""The judge: both files of a refutation, executed at its sizes and compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol

import numpy as np
from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from ...analysis.equivalence import EXACT, Algebra, Fault, Refuted
from ...semantics.arguments import arguments_of
from ...semantics.compare import first_difference
from ...semantics.parameters import dynamic_outputs_at
from ...semantics.proving import Witness
from ...semantics.values import Array
from . import interpreters, runner
from .function import Original
from .runner import CannotRun, Crash, Left, Ran


class RunAll(Protocol):
    """An executor of a function of a file on the inputs of several trials."""

    def __call__(
        self, function: Original, trials: Sequence[Sequence[Array]], shapes: Sequence[tuple[int, ...]], /
    ) -> list[Ran]: ...


class Shown(Enum):
    """The evidence of an execution for or against a refutation."""

    DIFFERENT = auto()
    EQUAL = auto()
    NOTHING = auto()
    """Both functions were executed, but numbers cannot show this kind of fault, or not exactly enough."""
    NOT_RUN = auto()


@dataclass(frozen=True)
class Finding:
    """The answer of the judge."""

    shown: Shown
    text: str
    """The numbers, or why there are none."""


@dataclass(frozen=True)
class Case:
    """A refutation, with all that is needed to execute it."""

    before: Original
    after: Original
    converted: FuncOp
    """The function before, as it was compared."""
    refuted: Refuted
    """With sizes by the parameters of the model."""
    algebra: Algebra
    inputs: Sequence[Array]
    shapes: Sequence[tuple[int, ...]]
    """The shapes of the results."""
    hidden: str
    """The reason why equal numbers leave the fault possible, in a clause; empty where they exclude it."""

    @property
    def slot(self) -> int | None:
        """The number of the refuted output among the arguments and results of the files."""
        if self.refuted.output is None:
            return None
        arguments = arguments_of(self.converted)
        outputs = [a.value.index for a in arguments if a.is_output]
        inputs = [a.value.index for a in arguments if not a.is_output]
        order = [*inputs, *outputs]
        return order.index(self.refuted.output) if self.refuted.output in order else None

    def name(self, slot: int) -> str:
        """Return the argument or result of that number, for a message."""
        arguments = [a for a in arguments_of(self.converted) if not a.is_output]
        return f"%{arguments[slot].name}" if slot < len(arguments) else f"result {slot - len(arguments)}"


def judge(before: Original, after: Original, converted: FuncOp, witness: Witness, algebra: Algebra = EXACT) -> Finding:
    """Execute two functions of upstream files on the inputs of a refutation, and compare the results.

    `converted` is the function before, after the conversions of `prove`.
    """
    if witness.refuted.fault is Fault.RACE:
        return Finding(Shown.NOTHING, "not executed: mlir-runner runs parallel loops in order, which shows no race")
    try:
        case = _case(before, after, converted, witness, algebra)
    except CannotRun as error:
        return Finding(Shown.NOT_RUN, f"not executed: {error}")
    try:
        return _compared(case, "mlir-runner", *_both(case, runner.run_all))
    except CannotRun as error:
        missing = error
    try:
        found = _compared(case, interpreters.NAME, *_both(case, interpreters.run_all))
    except CannotRun as error:
        return Finding(Shown.NOT_RUN, f"not executed: {missing}, and {error}")
    if found.shown is Shown.EQUAL and any(value.dtype.kind not in "iub" for value in case.inputs):
        text = f"not executed: {missing}; {interpreters.NAME}, in double precision, finds equal numbers"
        return Finding(Shown.NOTHING, text)
    return found


def _case(before: Original, after: Original, converted: FuncOp, witness: Witness, algebra: Algebra) -> Case:
    if _shapes(before.inputs) != _shapes(after.inputs) or _shapes(before.results) != _shapes(after.results):
        raise CannotRun("the files give the function different types")
    arguments = arguments_of(converted)
    outputs = [a for a in arguments if a.is_output]
    if len(arguments) - len(outputs) != len(before.inputs) or len(outputs) != len(before.results):
        raise CannotRun("the function that was compared has other arguments than that of the file")
    inputs = [np.asarray(value) for value in witness.confirmation.inputs]
    dynamic = dynamic_outputs_at(converted, witness.refuted.sizes)
    shapes = [dynamic.get(a.value.index, a.type.get_shape() if isinstance(a.type, MemRefType) else ()) for a in outputs]
    hidden = "poison may be any number" if witness.confirmation.is_poison else ""
    if witness.refuted.fault is Fault.OUTSIDE:
        hidden = "an access outside may leave no trace"
    return Case(before, after, converted, witness.refuted, algebra, inputs, shapes, hidden)


def _shapes(types: Sequence[Attribute]) -> list[tuple[object, ...]]:
    """Return the extents and the element of each type, whether it is a memref or a tensor."""
    return [
        (type_.get_shape(), type_.element_type) if isinstance(type_, (MemRefType, TensorType)) else (type_,)
        for type_ in types
    ]


def _both(case: Case, run_all: RunAll) -> tuple[Ran, Ran]:
    return run_all(case.before, [case.inputs], case.shapes)[0], run_all(case.after, [case.inputs], case.shapes)[0]


def _compared(case: Case, who: str, before: Ran, after: Ran) -> Finding:
    """Return the finding on two runs."""
    if before is None or after is None:
        raise CannotRun(f"{who} does not take the inputs")
    if isinstance(before, Crash):
        raise CannotRun(f"{who} ends before with {before.reason}")
    if before.outside is not None:
        raise CannotRun(f"{who} finds that the program before writes outside of {case.name(before.outside)}")
    if isinstance(after, Crash):
        return Finding(Shown.DIFFERENT, f"executed: {who} ends after with {after.reason}, and not before")
    if after.outside is not None:
        beside = case.name(after.outside)
        return Finding(Shown.DIFFERENT, f"executed: {who} finds that the program after writes outside of {beside}")
    if (text := _difference(case, before, after)) is not None:
        return Finding(Shown.DIFFERENT, f"executed: {who} finds {text}")
    if case.hidden:
        return Finding(Shown.NOTHING, f"executed: {who} finds equal numbers; {case.hidden}")
    return Finding(Shown.EQUAL, f"executed: {who} finds equal numbers")


def _difference(case: Case, before: Left, after: Left) -> str | None:
    """Return the difference of two calls in words: at the element of the refutation, else at the first one that has a
    number before."""
    slot, element = case.slot, case.refuted.element
    is_named = case.refuted.fault is Fault.VALUE and slot is not None and _is_inside(element, before.first[slot])
    if is_named and slot is not None and (text := _at(case, slot, element, before, after)) is not None:
        return text
    inputs = [*case.before.inputs, *case.after.inputs]
    values = {n % len(case.before.inputs) for n, type_ in enumerate(inputs) if isinstance(type_, TensorType)}
    for number in range(len(before.first)):
        if number in values:
            continue  # a tensor is no buffer that the caller has
        elements = np.argwhere(_unequal(before.first[number], after.first[number]))
        for position in map(tuple, elements):
            if (text := _at(case, number, position, before, after)) is not None:
                where = f"{case.name(number)}[{', '.join(map(str, position))}]"
                return f"{text}, at {where}"
    return None


def _at(case: Case, slot: int, element: tuple[int, ...], before: Left, after: Left) -> str | None:
    """Return the numbers of an element before and after, where they differ and the number before follows from the
    inputs."""
    first, second = before.first[slot], before.second[slot]
    changed, other = after.first[slot], after.second[slot]
    if _differ(case, first, second, element, exact=True):
        return None
    if _differ(case, changed, other, element, exact=True):
        return f"{first[element]!s} before, and after it whatever memory holds that nothing wrote"
    if _differ(case, first, changed, element):
        return f"{first[element]!s} before and {changed[element]!s} after"
    return None


def _differ(case: Case, first: Array, second: Array, element: tuple[int, ...], *, exact: bool = False) -> bool:
    """Return True where two arrays differ at one element; the tolerance follows from the whole array."""
    other = first.copy()
    other[element] = second[element]
    return first_difference([first], [other], exact=exact or case.algebra == EXACT) is not None


def _unequal(first: Array, second: Array) -> Array:
    """Return the elements whose numbers differ, zeros of both signs and NaN taken as equal."""
    with np.errstate(invalid="ignore"):
        return np.asarray((first != second) & ((first == first) | (second == second)))


def _is_inside(element: Sequence[int], array: Array) -> bool:
    return len(element) == array.ndim and all(0 <= i < n for i, n in zip(element, array.shape, strict=True))
