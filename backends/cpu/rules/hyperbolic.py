"""tanh: an odd polynomial near zero, 1 - 2 / (e^(2x) + 1) beyond.

The polynomial, of degree 11 for |x| < 0.625, is that of S. Moshier's Cephes, `tanhf`.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from ...rules.lanes import Lanes, f32_rule
from .exponential import exp

_BORDER = 0.625
_SATURATED = 10.0
"""From here on tanh rounds to 1."""
_POLYNOMIAL = (-5.70498872745e-3, 2.06390887954e-2, -5.37397155531e-2, 1.33314422036e-1, -3.33332819422e-1)


def tanh(lanes: Lanes, x: SSAValue) -> SSAValue:
    """Compute the hyperbolic tangent."""
    magnitude = lanes.absolute(x)
    square = lanes.mul(magnitude, magnitude)
    near = lanes.fma(lanes.mul(lanes.polynomial(square, _POLYNOMIAL), square), magnitude, magnitude)
    capped = lanes.choose(lanes.compare("ogt", magnitude, _SATURATED), _SATURATED, magnitude)
    power = exp(lanes, lanes.add(capped, capped))
    far = lanes.sub(1.0, lanes.div(2.0, lanes.add(power, 1.0)))
    return lanes.with_sign(lanes.choose(lanes.compare("olt", magnitude, _BORDER), near, far), x)


lower_tanh = f32_rule(tanh)
