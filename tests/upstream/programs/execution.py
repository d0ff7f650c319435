"""Execution of both texts of a pair by upstream's tools, at given sizes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from tilewright.semantics.arguments import arguments_of
from tilewright.semantics.parameters import dynamic_outputs_at, inputs_at, words_of
from tilewright.tools.judging.function import original
from tilewright.tools.judging.runner import CannotRun, Left, run_all
from tilewright.tools.prove import File
from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.func import FuncOp

SEEDS = (0, 1)
"""Each pair is executed on inputs of these draws."""


def executes_equal(before: File, after: File, function: FuncOp, sizes: Mapping[str, int]) -> bool | None:
    """Return True where both files leave the same bits in all elements that the first one defines.

    `function` is the one of the file before as it was compared, `sizes` its open sizes by the words of conditions. None
    where the files cannot be executed, or the one before crashes.
    """
    if before.upstream is None or after.upstream is None:
        return None
    given = {parameter: sizes[word] for parameter, word in words_of(function).items() if word in sizes}
    name = function.sym_name.data
    first, second = (original(*file.upstream, name) for file in (before, after) if file.upstream is not None)
    if (first.inputs, first.results) != (second.inputs, second.results):
        return None
    outputs = [a for a in arguments_of(function) if a.is_output]
    dynamic = dynamic_outputs_at(function, given)
    shapes = [dynamic.get(a.value.index, a.type.get_shape() if isinstance(a.type, MemRefType) else ()) for a in outputs]
    trials = [[np.asarray(value) for value in inputs_at(function, given, seed)] for seed in SEEDS]
    try:
        pairs = list(zip(run_all(first, trials, shapes), run_all(second, trials, shapes), strict=True))
    except CannotRun:
        return None
    if not all(isinstance(one, Left) and one.outside is None for one, _ in pairs):
        return None
    return all(isinstance(one, Left) and isinstance(other, Left) and _equal(one, other) for one, other in pairs)


def _equal(one: Left, other: Left) -> bool:
    """Return True where elements that the first call defines are the same bits after the second; NaN is one number."""
    if other.outside is not None:
        return False
    for first, second, left, right in zip(one.first, one.second, other.first, other.second, strict=True):
        defined = _same(first, second)
        if not np.all(_same(first, left)[defined]) or not np.all(_same(first, right)[defined]):
            return False
    return True


def _same(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.asarray((a == b) | ((a != a) & (b != b)))
