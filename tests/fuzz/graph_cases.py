"""Operators that nothing else makes, each on the operands of one of its cases. Nothing reads their results."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from tilewright.dialects import graph
from tilewright.dialects.dtypes import element_type, is_float
from tilewright.dialects.graph import make_type

from .graph_makers import MAKERS, makes
from .graph_modules import GraphWriter, Value

sys.path.append(str(Path(__file__).resolve().parents[1] / "conditions"))

from operator_case import Case
from operator_cases import CASES


def make_on_cases() -> None:
    """Register a maker for each operator that has none: one of its cases."""
    cases: dict[str, list[Case]] = {}
    for case in CASES:
        if case.operator not in MAKERS:
            cases.setdefault(case.operator, []).append(case)
    for name, known in cases.items():

        @makes(name)
        def _(writer: GraphWriter, op: type[graph.GraphOp], known: list[Case] = known) -> None:
            case = writer.draw.one_of(known)
            operands = [_operand(writer, case, array) for array in case.arrays()]
            writer.emit(op, operands, 0.0, ends=True, **case.values)


def _operand(writer: GraphWriter, case: Case, array: np.ndarray) -> Value:
    """Return the case's numbers, or an argument where the operator takes any."""
    element = element_type(array.dtype.name)
    if case.given is None and not case.positive and is_float(element) and writer.draw.chance(0.6):
        return writer.argument(make_type(array.shape, element))
    op = graph.ConstantOp.from_array(array, writer.draw.name("w"))
    writer.block.add_op(op)
    return Value(op.y, float(np.abs(array.astype(np.float64)).max(initial=0.0)), True)
