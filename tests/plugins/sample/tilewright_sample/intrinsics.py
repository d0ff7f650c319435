"""Intrinsic `softsign`: x / (1 + |x|)."""

import numpy as np
from tilewright import register_intrinsic, register_lowering, te

register_intrinsic("softsign", dtypes=["float32"], arity=1, reference=lambda x: x / (1 + np.abs(x)))


@register_lowering("softsign")
def softsign(call):
    """Return the quotient itself, for every target."""
    (x,) = call.args
    return x / (1 + te.abs(x))
