"""Accesses that leave their buffers are found, at sizes at which the interpreter finds them too."""

from __future__ import annotations

import random
import re
from typing import Any

import numpy as np
import pytest
from tilewright.analysis.polyhedral import Model, model_of
from tilewright.analysis.polyhedral.inside import violations
from tilewright.diagnostics import TilewrightError
from tilewright.dialects.index_expr import Symbol
from tilewright.semantics import run
from tilewright.semantics.values import dtype_of
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.utils.exceptions import ParseError, VerifyException

from .execute import sizes_of
from .functions import CASES, DOUBLED, FUSED, Case
from .test_model import drawn_arguments, parsed, run_both

OUTSIDE = {"TW0721", "TW0722"}
"""The interpreter's codes for an access outside of its buffer and an iteration variable outside of its extent."""
OTHER_SHAPE = "TW0704"

NUMBER = re.compile(r"(?<=[-+] )\d+|(?<=< )\d+|(?<=>= )\d+|(?<== )\d+(?= to)|(?<=\()\d+(?=\))")
"""A number in an index, a bound or a guard."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_right_functions_stay_inside(case: Case) -> None:
    _, function = parsed(case.text)
    model = model_of(function)
    assert isinstance(model, Model)
    assert violations(model) == []


def changed(text: str, rng: random.Random) -> str:
    """Return the text with one of its numbers changed by one."""
    found = rng.choice(list(NUMBER.finditer(text)))
    number = max(0, int(found.group()) + rng.choice((-1, 1)))
    return f"{text[: found.start()]}{number}{text[found.end() :]}"


def fault_of(module: ModuleOp, arguments: list[Any]) -> str | None:
    """Return the code of the error that a call ends with."""
    try:
        run(module, "main", *(a.copy() if isinstance(a, np.ndarray) else a for a in arguments))
    except TilewrightError as error:
        return error.code
    return None


@pytest.mark.each("seed", range(8))
@pytest.mark.parametrize("case", [c for c in CASES if NUMBER.search(c.text)], ids=lambda case: case.name)
def test_changed_functions_do_what_the_interpreter_says(case: Case, seed: int) -> None:
    try:
        module, function = parsed(changed(case.text, random.Random(seed)))
    except (ParseError, VerifyException):
        return  # such as a view beyond its buffer
    model = model_of(function)
    if not isinstance(model, Model):
        assert case in (FUSED, DOUBLED), model
        return
    found = violations(model)
    for call in case.calls:
        arguments = drawn_arguments(function, call)
        fault = fault_of(module, arguments)
        if not model.context.contains(sizes_of(model, arguments)):
            assert fault == OTHER_SHAPE
        elif fault is None:
            run_both(module, model, arguments)
        else:
            assert fault in OUTSIDE
            assert found, "the interpreter leaves a buffer"
    for violation in found:
        arguments = arguments_for(function, violation.sizes, model)
        assert fault_of(module, arguments) in OUTSIDE, violation


def arguments_for(function: FuncOp, sizes: dict[Symbol, int], model: Model) -> list[Any]:
    """Return zeros of the shapes that parameters say, and numbers."""
    values: list[Any] = []
    by_dimension = {(p.argument, p.dimension): sizes[p.symbol] for p in model.parameters}
    for position, argument in enumerate(function.body.block.args):
        if isinstance(argument.type, MemRefType):
            shape = [by_dimension.get((position, d), n) for d, n in enumerate(argument.type.get_shape())]
            values.append(np.ones(shape, dtype_of(argument.type)))
        elif (position, None) in by_dimension:
            values.append(by_dimension[position, None])
        else:
            values.append(dtype_of(argument.type).type(1))
    return values
