"""Helpers shared by all intrinsics: addresses, inline PTX, tuples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir

I8, I16, I32, I64 = (ir.IntType(bits) for bits in (8, 16, 32, 64))
F32, F64 = ir.FloatType(), ir.DoubleType()

_GLOBAL, _SHARED = 1, 3
"""Address spaces of NVVM IR."""


def numba_types() -> Any:
    """Return numba's types."""
    from numba import types

    return types


def make_intrinsic(name: str, function: Callable[..., Any]) -> Any:
    """Return an intrinsic that `function`, which types it and gives its code, defines."""
    from numba.cuda.descriptor import cuda_target
    from numba.cuda.extending import intrinsic

    function.__name__ = function.__qualname__ = name
    made = intrinsic(function)
    # The kernel that uses the intrinsic is being compiled; numba read its tables before the intrinsic was registered.
    cuda_target.typing_context.refresh()
    cuda_target.target_context.refresh()
    return made


def element_pointer(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    """Return the address of an element of a flat array."""
    data = context.make_array(array_type)(context, builder, array).data
    return builder.gep(data, [index], inbounds=True)


def shared_address(builder: Any, pointer: Any) -> Any:
    """Return a generic address of shared memory as the 32 bits that instructions of shared memory take."""
    return builder.ptrtoint(builder.addrspacecast(pointer, ir.PointerType(pointer.type.pointee, _SHARED)), I32)


def global_address(builder: Any, pointer: Any) -> Any:
    """Return a generic address of global memory as 64 bits."""
    return builder.ptrtoint(builder.addrspacecast(pointer, ir.PointerType(pointer.type.pointee, _GLOBAL)), I64)


def inline_ptx(
    builder: Any, text: str, constraints: str, result: Any, operands: Sequence[Any], *, effect: bool = False
) -> Any:
    """Inline PTX; with `effect` it is neither moved over accesses to memory nor dropped."""
    if effect:
        constraints = ",".join(filter(None, [constraints, "~{memory}"]))
    function = ir.FunctionType(result, [operand.type for operand in operands])
    return builder.call(ir.InlineAsm(function, text, constraints, side_effect=effect), operands)


def library_call(builder: Any, name: str, result: Any, operands: Sequence[Any]) -> Any:
    """Return a call of libdevice."""
    module = builder.module
    function = module.globals.get(name)
    if function is None:
        function = ir.Function(module, ir.FunctionType(result, [operand.type for operand in operands]), name)
    return builder.call(function, operands)


def unpacked(builder: Any, aggregate: Any, count: int) -> list[Any]:
    """Return the elements of a tuple, or of the struct that inline PTX with several results returns."""
    return [builder.extract_value(aggregate, i) for i in range(count)]
