"""A check of tensor intrinsics: the description and the implementations run on the same random operands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp

from ..analysis.access import blocks_in
from ..diagnostics import fail
from ..ir import editor as edit
from ..semantics.compare import first_difference
from ..semantics.drawn_inputs import random_array
from ..semantics.program import run
from ..semantics.random_streams import Purpose, generator
from ..semantics.values import Array, dtype_of

if TYPE_CHECKING:
    from .tensor_intrinsics import TensorIntrin

DIFFERENT = "TW0430"


def check_intrinsic(intrin: TensorIntrin, seed: int = 0) -> None:
    """Raise TilewrightError TW0430 where an implementation gives other values than the description.

    Foreign code is called: accesses beyond its box may harm the process.
    """
    rng = generator(Purpose.INTRINSIC_OPERANDS, seed)
    operands = [_random(rng, a.type) for a in intrin.arguments]
    whole = _results(intrin.description, operands)
    if intrin.body is not None:
        _compare(intrin, "body", whole, _results(intrin.body, operands))
    if intrin.update is None:
        return
    if intrin.reset is not None:
        _compare(intrin, "reset and update", whole, _results(intrin.update, _results(intrin.reset, operands)))
    further = intrin.description.clone()
    (block,) = blocks_in(further)
    if block.init is not None:
        edit.erase(block.init)
    _compare(intrin, "update", _results(further, operands), _results(intrin.update, operands))


def _random(rng: np.random.Generator, type: Any) -> Array:
    assert isinstance(type, MemRefType)
    return random_array(rng, tuple(type.get_shape()), dtype_of(type))


def _results(function: FuncOp, operands: list[Array]) -> list[Array]:
    """Return the operands after a call of a function."""
    copies = [np.array(a) for a in operands]
    copy = function.clone()
    run(ModuleOp([copy]), copy.sym_name.data, *copies)
    return copies


def _compare(intrin: TensorIntrin, role: str, expected: list[Array], actual: list[Array]) -> None:
    difference = first_difference(expected, actual, exact=False)
    if difference is not None:
        text = str(difference).replace("output", "operand", 1)
        fail(DIFFERENT, f"tensor intrinsic {intrin.name!r}: its {role} computes another result than described: {text}")
