"""Backends: each a vertical slice of target, lowering rules, emission and module.

Importing this package makes the backends' lowering rules and kernels of products known, by name only.
"""

from __future__ import annotations

from ..passes.intrinsics import register_builtin
from ..schedule.product_kernels import register_builtin as register_builtin_kernels
from ..schedule.tensor_cores import register_builtin as register_builtin_tensor_cores
from ..schedule.tensor_cores import tensor_core as tensor_core
from ..semantics.foreign_tables import register_builtin as register_builtin_references

LOWERINGS: dict[str, dict[str, str]] = {
    "cpu": {
        "math.acos": "cpu.rules.inverse_trigonometric:lower_acos",
        "math.asin": "cpu.rules.inverse_trigonometric:lower_asin",
        "math.atan": "cpu.rules.inverse_trigonometric:lower_atan",
        "math.cos": "cpu.rules.trigonometric:lower_cos",
        "math.erf": "cpu.rules.error_function:lower_erf",
        "math.exp": "cpu.rules.exponential:lower_exp",
        "math.exp2": "cpu.rules.power:lower_exp2",
        "math.ipowi": "cpu.rules.integer_power:lower_ipowi",
        "math.log": "cpu.rules.logarithm:lower_log",
        "math.log10": "cpu.rules.power:lower_log10",
        "math.log2": "cpu.rules.power:lower_log2",
        "math.powf": "cpu.rules.power:lower_pow",
        "math.sin": "cpu.rules.trigonometric:lower_sin",
        "math.tan": "cpu.rules.trigonometric:lower_tan",
        "math.tanh": "cpu.rules.hyperbolic:lower_tanh",
    },
}
"""Rules for `lower-intrinsics`: target -> operation -> "module:function", the module relative to this package."""

for _target, _rules in LOWERINGS.items():
    register_builtin(_target, _rules, __name__)
register_builtin_kernels("cpu.tensor_intrinsics:KERNELS", __name__)
register_builtin_references("cuda.tensor_intrinsics.calls:REFERENCES", __name__)
register_builtin_tensor_cores("cuda.tensor_intrinsics:TENSOR_CORES", __name__)
