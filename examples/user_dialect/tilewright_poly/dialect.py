"""The dialect `poly`: polynomials with constant coefficients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from xdsl.dialects.builtin import AnyFloatConstr, ArrayAttr, FloatAttr, VectorType, f64
from xdsl.ir import Dialect, SSAValue
from xdsl.irdl import IRDLOperation, VarConstraint, irdl_op_definition, operand_def, prop_def, result_def, traits_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException


@irdl_op_definition
class EvalOp(IRDLOperation):
    """The value of a polynomial, computed by Horner's rule; the coefficient of the highest power comes first.

    %y = poly.eval %x [2.0, 0.0, 1.0] : f32    // 2 x^2 + 1
    """

    name = "poly.eval"

    T: ClassVar = VarConstraint("T", AnyFloatConstr | VectorType.constr(AnyFloatConstr))

    x = operand_def(T)
    coefficients = prop_def(ArrayAttr[FloatAttr])
    y = result_def(T)

    traits = traits_def(Pure())

    assembly_format = "$x $coefficients attr-dict `:` type($x)"

    def __init__(self, x: SSAValue, coefficients: Sequence[float]) -> None:
        given = ArrayAttr([FloatAttr(value, f64) for value in coefficients])
        super().__init__(operands=[x], properties={"coefficients": given}, result_types=[x.type])

    def verify_(self) -> None:
        if not len(self.coefficients):
            raise VerifyException("expected at least one coefficient, but got none")

    @property
    def values(self) -> tuple[float, ...]:
        """The coefficients, that of the highest power first."""
        return tuple(coefficient.value.data for coefficient in self.coefficients)


def horner(op: EvalOp, x: Any) -> Any:
    """Return the value of the operation, rounded at each step to the type of `x`, a numpy scalar or array."""
    round_ = x.dtype.type
    result = x * round_(0) + round_(op.values[0])
    for coefficient in op.values[1:]:
        result = result * x + round_(coefficient)
    return np.asarray(result, x.dtype)


POLY = Dialect("poly", [EvalOp])
