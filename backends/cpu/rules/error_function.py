"""erf: an odd polynomial near zero, 1 - e^-p(x) beyond.

p approximates -log(erfc(x)), whose rounding errors e^-p makes small. Both polynomials are least-maximum fits made with
iteratively reweighted least squares on Chebyshev nodes, relative to erf and to erfc.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from ...rules.lanes import Lanes, f32_rule
from .exponential import exp

_BORDER = 0.92
_SATURATED = 3.93
"""From here on erf rounds to 1."""
_NEAR = (
    8.382389933e-05,
    -8.145597530e-04,
    5.201286171e-03,
    -2.685949950e-02,
    1.128369719e-01,
    -3.761263490e-01,
    1.283791661e-01,
)
_FAR = (
    4.564876406e-07,
    1.521239392e-05,
    -4.020118795e-04,
    4.070932977e-03,
    -2.493030019e-02,
    1.080560237e-01,
    6.335096359e-01,
    1.129448653e00,
    -1.630801998e-04,
)


def erf(lanes: Lanes, x: SSAValue) -> SSAValue:
    """Compute the error function."""
    magnitude = lanes.absolute(x)
    square = lanes.mul(magnitude, magnitude)
    near = lanes.fma(lanes.polynomial(square, _NEAR), magnitude, magnitude)
    capped = lanes.choose(lanes.compare("ogt", magnitude, _SATURATED), _SATURATED, magnitude)
    far = lanes.sub(1.0, exp(lanes, lanes.mul(lanes.polynomial(capped, _FAR), -1.0)))
    return lanes.with_sign(lanes.choose(lanes.compare("olt", magnitude, _BORDER), near, far), x)


lower_erf = f32_rule(erf)
