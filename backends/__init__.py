"""The backends, each with its target, lowering rules, emitter and module loader, registered by one record.

Importing this package registers the backends and their tensor intrinsics by name only, without importing them.
"""

from __future__ import annotations

from ..dialects import dtypes
from ..passes.framework.intrinsics import ANY_TARGET, BUILTIN_LEVEL, register_lowerings
from ..schedule.product_kernels import register_builtin_kernels
from ..schedule.tensor_cores import register_builtin_cores
from ..schedule.tensor_cores import tensor_core as tensor_core
from ..semantics.byte_products import DOT4, INSTRUCTIONS
from ..semantics.foreign_tables import register_builtin_references
from .backend import Backend as Backend
from .backend import backend_for_kind as backend_for_kind
from .backend import backend_for_text as backend_for_text
from .backend import backend_of as backend_of
from .backend import backends as backends
from .backend import legalization_of as legalization_of
from .backend import register_backend as register_backend
from .backend import unregister_backend as unregister_backend

_NARROW_FLOATS = ("float16", "bfloat16")
"""The dtypes of narrow floats."""
_NARROW_OPERATIONS = (
    *("arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.remf", "arith.negf", "arith.cmpf"),
    *("arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf"),
    *("math.absf", "math.ceil", "math.copysign", "math.floor", "math.round", "math.roundeven", "math.trunc"),
    *("math.sqrt", "math.rsqrt", "math.cbrt", "math.powf"),
    *(f"math.{sign}{name}{h}" for sign in ("a", "") for name in ("cos", "sin", "tan") for h in ("", "h")),
    *("math.atan2", "math.erf", "math.exp", "math.exp2", "math.expm1"),
    *("math.log", "math.log10", "math.log1p", "math.log2"),
)
"""The operations that are computed in f32 where their floats are narrow."""
_STORAGE_TYPES = tuple(dtypes.STORAGE_TYPES)
"""The dtypes that are moved and converted only."""

register_backend(
    Backend(
        name="cpu",
        kinds=("cpu", "llvm"),
        options="cpu.target:OPTIONS",
        check="cpu.target:check_target",
        target="cpu.target:read_target",
        build="cpu.module:build",
        texts={"llvm": "cpu.module:emitted_llvm", "asm": "cpu.module:emitted_assembly"},
        sources={"llvm": "cpu.module:llvm_text", "asm": "cpu.module:assembly"},
        keeps_machine_code=True,
        lowerings={
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
            "math.tanh": "cpu.rules.exponential:lower_tanh",
            **dict.fromkeys(DOT4, "cpu.rules.dot4:lower_dot4"),
        },
        instructions=tuple(INSTRUCTIONS),
        expansions={
            "arith.ceildivsi": "cpu.rules.integer_division:expand_rounded_division",
            "arith.ceildivui": "cpu.rules.integer_division:expand_rounded_division",
            "arith.divsi": "cpu.rules.integer_division:expand_division",
            "arith.divui": "cpu.rules.integer_division:expand_division",
            "arith.extf": "cpu.rules.conversions:expand_extf",
            "arith.floordivsi": "cpu.rules.integer_division:expand_rounded_division",
            "arith.fptosi": "cpu.rules.conversions:expand_to_integer",
            "arith.fptoui": "cpu.rules.conversions:expand_to_integer",
            "arith.remsi": "cpu.rules.integer_division:expand_division",
            "arith.remui": "cpu.rules.integer_division:expand_division",
            "arith.sitofp": "rules.narrow_conversions:expand_from_integer",
            "arith.truncf": "cpu.rules.conversions:expand_truncf",
            "arith.uitofp": "rules.narrow_conversions:expand_from_integer",
            "math.ceil": "cpu.rules.rounding:expand_rounding",
            "math.floor": "cpu.rules.rounding:expand_rounding",
            "math.round": "cpu.rules.rounding:expand_rounding",
            "math.roundeven": "cpu.rules.rounding:expand_rounding",
            "math.trunc": "cpu.rules.rounding:expand_rounding",
        },
    )
)
register_backend(
    Backend(
        name="c",
        kinds=("c",),
        options="c.target:C_OPTIONS",
        target="c.target:read_c_target",
        build="c.module:build",
        texts={"c": "c.module:c_text"},
        sources={"c": "c.module:c_text"},
    )
)
register_backend(
    Backend(
        name="opencl",
        kinds=("opencl",),
        target="c.target:read_opencl_target",
        build="c.opencl:build",
        texts={"opencl": "c.opencl:opencl_text"},
        sources={"cl": "c.opencl:opencl_text"},
    )
)
register_backend(
    Backend(
        name="cuda",
        kinds=("cuda",),
        options="cuda.target:OPTIONS",
        check="cuda.target:check_target",
        target="cuda.target:read_target",
        build="cuda.module:build",
        texts={
            "cuda-python": "cuda.module:cuda_python_text",
            "ptx": "cuda.module:ptx_text",
            "sass": "cuda.module:sass_text",
        },
        sources={"cuda-python": "cuda.module:cuda_python_text"},
        legalization=(
            # Expands the operations that rules for intrinsics emitted, once in each function.
            "expand-operations",
            # Buffers of kernels then belong to the function that launches them.
            "inline-calls",
            # No later pass creates an access, so all accesses of a buffer get the same swizzle.
            "swizzle-addresses",
            # The alignment that each shared buffer needs is known.
            "assign-shared-offsets",
            # Registers of lanes are no memory: their accesses get no position.
            "select-shuffles",
            # Buffers, accesses and guards are final, so that positions can be proved. Loads that do not become copies
            # are widened next.
            "select-copies",
            "widen-accesses",
            # No later pass creates a call or a view.
            "note-aliases",
        ),
        expansions={
            "arith.ceildivsi": "cuda.rules.integer_division:expand_division",
            "arith.ceildivui": "cuda.rules.integer_division:expand_division",
            "arith.divsi": "cuda.rules.integer_division:expand_division",
            "arith.divui": "cuda.rules.integer_division:expand_division",
            "arith.floordivsi": "cuda.rules.integer_division:expand_division",
            "arith.remsi": "cuda.rules.integer_division:expand_division",
            "arith.remui": "cuda.rules.integer_division:expand_division",
            "arith.sitofp": "rules.narrow_conversions:expand_from_integer",
            "arith.truncf": "rules.narrow_conversions:expand_from_double",
            "arith.uitofp": "rules.narrow_conversions:expand_from_integer",
            "math.ctlz": "rules.bit_counts:expand_count",
            "math.ctpop": "rules.bit_counts:expand_count",
            "math.cttz": "rules.bit_counts:expand_count",
        },
        call_options=("device", "copy"),
    )
)
register_backend(
    Backend(
        name="interpreter",
        kinds=("interpreter",),
        options="cpu.target:OPTIONS",
        check="cpu.target:check_target",
        target="cpu.target:read_target",
        build="interpreter:build",
        takes_any_level=True,
    )
)
register_lowerings(
    ANY_TARGET,
    {"math.fma": "rules.narrow_floats:widen_fma", **dict.fromkeys(_NARROW_OPERATIONS, "rules.narrow_floats:widen")},
    __name__,
    _NARROW_FLOATS,
    exact=True,
)
register_lowerings(
    ANY_TARGET,
    {
        "arith.extf": "rules.storage_types:expand_extf",
        "arith.extsi": "rules.storage_types:expand_extsi",
        "arith.truncf": "rules.storage_types:expand_truncf",
    },
    __name__,
    _STORAGE_TYPES,
    exact=True,
)
for _target in (ANY_TARGET, "cpu"):  # the rules of a target come before those of all
    register_lowerings(
        _target,
        {"math.powf": "rules.powers:lower_whole_power"},
        __name__,
        ("float32", "float64"),
        level=BUILTIN_LEVEL + 1,
    )
register_lowerings(ANY_TARGET, dict.fromkeys(DOT4, "rules.dot4:expand_dot4"), __name__)
register_builtin_kernels("cpu.tensor_intrinsics:KERNELS", __name__)
register_builtin_references("cuda.tensor_intrinsics.calls:REFERENCES", __name__)
register_builtin_cores("cuda.tensor_intrinsics:TENSOR_CORES", __name__)
