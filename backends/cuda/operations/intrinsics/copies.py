"""Asynchronous copies from global to shared memory: `cp.async` of the PTX ISA (compute capability 8.0).

Copies of 16 bytes bypass the L1 cache (`.cg`), shorter ones use it (`.ca`): PTX has no other forms.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from ..table import Operation
from .building import (
    I32,
    element_pointer,
    global_address,
    inline_ptx,
    make_intrinsic,
    numba_types,
    shared_address,
)

_PLAIN = {
    "cp_async_commit": "cp.async.commit_group",
    "cp_async_wait_all": "cp.async.wait_all",
    "fence_async": "fence.proxy.async.shared::cta",  # reads of a warpgroup product see the stores of threads
}


def make(name: str, operation: Operation) -> Any:
    """Return the intrinsic of a copy, or of waiting for copies."""
    if operation.kind == "copy":
        return make_intrinsic(name, _copy_or_zero(operation.width) if "zero" in name else _copy(operation.width))
    if name == "cp_async_wait":
        return make_intrinsic(name, _wait())
    return make_intrinsic(name, _plain(_PLAIN[name]))


def _addresses(context: Any, builder: Any, signature: Any, arguments: Any) -> list[Any]:
    target = element_pointer(context, builder, signature.args[0], *arguments[:2])
    source = element_pointer(context, builder, signature.args[2], *arguments[2:4])
    return [shared_address(builder, target), global_address(builder, source)]


def _instruction(size: int) -> str:
    return f"cp.async.{'cg' if size == 16 else 'ca'}.shared.global [$0], [$1], {size}"


def _copy(size: int) -> Any:
    types = numba_types()

    def typed(typing: Any, target: Any, index: Any, source: Any, first: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            operands = _addresses(context, builder, signature, arguments)
            inline_ptx(builder, f"{_instruction(size)};", "r,l", ir.VoidType(), operands, effect=True)
            return context.get_dummy_value()

        return types.none(target, types.intp, source, types.intp), code

    return typed


def _copy_or_zero(size: int) -> Any:
    types = numba_types()

    def typed(typing: Any, target: Any, index: Any, source: Any, first: Any, real: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            operands = _addresses(context, builder, signature, arguments)
            taken = builder.select(arguments[4], ir.Constant(I32, size), ir.Constant(I32, 0))
            text = f"{_instruction(size)}, $2;"
            inline_ptx(builder, text, "r,l,r", ir.VoidType(), [*operands, taken], effect=True)
            return context.get_dummy_value()

        return types.none(target, types.intp, source, types.intp, types.boolean), code

    return typed


def _plain(instruction: str) -> Any:
    types = numba_types()

    def typed(typing: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            inline_ptx(builder, f"{instruction};", "", ir.VoidType(), [], effect=True)
            return context.get_dummy_value()

        return types.none(), code

    return typed


def _wait() -> Any:
    types = numba_types()

    def typed(typing: Any, left: Any) -> Any:
        if not isinstance(left, types.IntegerLiteral):
            return None  # numba asks again with the constant's type

        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            text = f"cp.async.wait_group {left.literal_value};"
            inline_ptx(builder, text, "", ir.VoidType(), [], effect=True)
            return context.get_dummy_value()

        return types.none(left), code

    return typed
