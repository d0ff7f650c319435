"""Matrices of a warp: `ldmatrix` and `mma.sync` (compute capability 8.0; PTX ISA, "Warp Level Matrix Instructions").

`../reference/matrix.py` documents the register of each element.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from ..table import Operation
from .building import F32, I32, element_pointer, inline_ptx, make_intrinsic, numba_types, shared_address, unpacked

_PRODUCTS = {
    "mma_m16n8k16_f16": "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
    "mma_m16n8k16_bf16": "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32",
    "mma_m16n8k8_tf32": "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
}


def make(name: str, operation: Operation) -> Any:
    """Return the intrinsic of an operation on matrices."""
    if name in _PRODUCTS:
        return make_intrinsic(name, _product(_PRODUCTS[name]))
    return make_intrinsic(name, _load(operation.width, name.endswith("_trans")))


def _product(instruction: str) -> Any:
    types = numba_types()
    text = f"{instruction} {{$0, $1, $2, $3}}, {{$4, $5, $6, $7}}, {{$8, $9}}, {{$10, $11, $12, $13}};"
    constraints = ",".join(["=f"] * 4 + ["r"] * 6 + ["f"] * 4)

    def typed(typing: Any, a: Any, b: Any, c: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            operands = [
                item for part, n in zip(arguments, (4, 2, 4), strict=True) for item in unpacked(builder, part, n)
            ]
            result = ir.LiteralStructType([F32] * 4)
            # Not marked as an effect on memory: accesses may move over it, but all lanes stay together.
            function = ir.FunctionType(result, [operand.type for operand in operands])
            value = builder.call(ir.InlineAsm(function, text, constraints, side_effect=True), operands)
            return context.make_tuple(builder, signature.return_type, unpacked(builder, value, 4))

        registers = [types.UniTuple(types.uint32, 4), types.UniTuple(types.uint32, 2), types.UniTuple(types.float32, 4)]
        return registers[2](*registers), code

    return typed


def _load(count: int, transposed: bool) -> Any:
    types = numba_types()
    results = ", ".join(f"${i}" for i in range(count))
    suffix = ".trans" if transposed else ""
    text = f"ldmatrix.sync.aligned.m8n8.x{count}{suffix}.shared.b16 {{{results}}}, [${count}];"
    constraints = ",".join(["=r"] * count + ["r"])

    def typed(typing: Any, array: Any, index: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            pointer = element_pointer(context, builder, signature.args[0], *arguments)
            result = ir.LiteralStructType([I32] * count) if count > 1 else I32
            operands = [shared_address(builder, pointer)]
            value = inline_ptx(builder, text, constraints, result, operands, effect=True)
            if count == 1:
                return value
            return context.make_tuple(builder, signature.return_type, unpacked(builder, value, count))

        result = types.UniTuple(types.uint32, count) if count > 1 else types.uint32
        return result(array, types.intp), code

    return typed
