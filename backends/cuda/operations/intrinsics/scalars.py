"""Functions of single values: LLVM intrinsics, functions of libdevice, and instructions that only inline PTX reaches.

`cvt.rn.bf16.f32`, `cvt.rna.tf32.f32` and `min.NaN.f32` need compute capability 8.0 (PTX ISA, the pages of `cvt` and
`min`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir

from ..table import Operation
from .building import F32, F64, I16, I32, I64, inline_ptx, library_call, make_intrinsic, numba_types

Build = Callable[[Any, list[Any]], Any]
"""From a builder and operands to a value."""


def make(name: str, operation: Operation) -> Any:
    """Return the intrinsic of a function of single values."""
    types = numba_types()
    kinds = {"f32": types.float32, "f64": types.float64, "u16": types.uint16, "u32": types.uint32, "u64": types.uint64}
    kinds["f32x2"] = types.UniTuple(types.float32, 2)

    def typed(typing: Any, *arguments: Any) -> Any:
        wide = any(a == types.float64 or isinstance(a, types.Integer) for a in arguments)
        common = types.float64 if wide else types.float32
        converted = [common if p == "f" else kinds[p] for p in operation.parameters]
        result = common if operation.result == "f" else kinds[operation.result or ""]

        def code(context: Any, builder: Any, signature: Any, operands: Any) -> Any:
            value = _build(name, builder, list(operands))
            if isinstance(value, list):
                return context.make_tuple(builder, signature.return_type, value)
            return value

        return result(*converted), code

    # numba reads the number of parameters from the function.
    functions = {
        1: lambda typing, x: typed(typing, x),
        2: lambda typing, x, y: typed(typing, x, y),
        3: lambda typing, x, y, z: typed(typing, x, y, z),
    }
    return make_intrinsic(name, functions[len(operation.parameters)])


def _build(name: str, builder: Any, operands: list[Any]) -> Any:
    if name in _LIBRARY:
        single = operands[0].type == F32
        function = _LIBRARY[name] if name.startswith("fast_") else f"__nv_{_LIBRARY[name]}{'f' if single else ''}"
        return library_call(builder, function, operands[0].type, operands)
    if name in _PTX:
        text, constraints, result = _PTX[name]
        return inline_ptx(builder, text, constraints, result, operands)
    return _BUILDERS[name](builder, operands)


_LIBRARY = {
    "rsqrt": "rsqrt",
    "exp2": "exp2",
    "cbrt": "cbrt",
    "rint": "rint",
    "round_away": "round",
    "minimum_number": "fmin",
    "maximum_number": "fmax",
    "fast_exp": "__nv_fast_expf",
    "fast_log": "__nv_fast_logf",
    "fast_log2": "__nv_fast_log2f",
    "fast_sin": "__nv_fast_sinf",
    "fast_cos": "__nv_fast_cosf",
    "fast_power": "__nv_fast_powf",
    "fast_divide": "__nv_fast_fdividef",
}
"""Functions of libdevice; names of functions that exist for both float types end in `f` for float32."""

_PTX: dict[str, tuple[str, str, Any]] = {
    "fast_exp2": ("ex2.approx.f32 $0, $1;", "=f,f", F32),
    "fast_tanh": ("tanh.approx.f32 $0, $1;", "=f,f", F32),
    "fast_sqrt": ("sqrt.approx.f32 $0, $1;", "=f,f", F32),
    "fast_rsqrt": ("rsqrt.approx.f32 $0, $1;", "=f,f", F32),
    "fast_reciprocal": ("rcp.approx.f32 $0, $1;", "=f,f", F32),
    "f16_bits": ("cvt.rn.f16.f32 $0, $1;", "=h,f", I16),
    "f16_value": ("cvt.f32.f16 $0, $1;", "=f,h", F32),
    "bf16_bits": ("cvt.rn.bf16.f32 $0, $1;", "=h,f", I16),
    "tf32_bits": ("cvt.rna.tf32.f32 $0, $1;", "=r,f", I32),
    # The first source goes into the high half.
    "pack_f16": ("cvt.rn.f16x2.f32 $0, $2, $1;", "=r,f,f", I32),
    "pack_bf16": ("cvt.rn.bf16x2.f32 $0, $2, $1;", "=r,f,f", I32),
}
"""Instructions without an effect."""


def narrow_to_float(builder: Any, kind: str, bits: Any) -> Any:
    """Convert the 16 bits of a half ("f16") or a bfloat16 ("bf16") to float32."""
    if kind == "f16":
        return _build("f16_value", builder, [bits])
    return builder.bitcast(builder.shl(builder.zext(bits, I32), ir.Constant(I32, 16)), F32)


def narrow_from_float(builder: Any, kind: str, value: Any) -> Any:
    """Return the 16 bits of the nearest half or bfloat16."""
    return _build(f"{kind}_bits", builder, [value])


def _unpack(kind: str) -> Build:
    def build(builder: Any, operands: list[Any]) -> list[Any]:
        high = builder.lshr(operands[0], ir.Constant(I32, 16))
        return [narrow_to_float(builder, kind, builder.trunc(half, I16)) for half in (operands[0], high)]

    return build


def _extreme(name: str) -> Build:
    """Return the code of the lesser or greater operand; NaN where one is NaN. There is no such instruction for
    float64."""

    def build(builder: Any, operands: list[Any]) -> Any:
        if operands[0].type == F32:
            return inline_ptx(builder, f"{name}.NaN.f32 $0, $1, $2;", "=f,f,f", F32, operands)
        unordered = builder.fcmp_unordered("uno", *operands)
        return builder.select(unordered, builder.fadd(*operands), library_call(builder, f"__nv_f{name}", F64, operands))

    return build


_BUILDERS: dict[str, Build] = {
    "fma": lambda builder, operands: builder.fma(*operands),
    "minimum": _extreme("min"),
    "maximum": _extreme("max"),
    "float_as_uint": lambda builder, operands: builder.bitcast(operands[0], I32),
    "uint_as_float": lambda builder, operands: builder.bitcast(operands[0], F32),
    "double_as_ulong": lambda builder, operands: builder.bitcast(operands[0], I64),
    "ulong_as_double": lambda builder, operands: builder.bitcast(operands[0], F64),
    "bf16_value": lambda builder, operands: narrow_to_float(builder, "bf16", operands[0]),
    "unpack_f16": _unpack("f16"),
    "unpack_bf16": _unpack("bf16"),
    "pack_u16": lambda builder, operands: builder.or_(
        builder.zext(operands[0], I32), builder.shl(builder.zext(operands[1], I32), ir.Constant(I32, 16))
    ),
}
