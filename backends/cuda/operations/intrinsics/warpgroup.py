"""Products of warpgroups: `wgmma` (sm_90a; PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions").

Four warps multiply 64 rows by up to 256 columns. Both operands are read from shared memory, in lines of 128 bytes with
the 128-byte swizzle ("Asynchronous Warpgroup Level Matrix Shared Memory Layout"). A descriptor states the address and
the layout. Accumulators are in registers: the 16 rows of a warp as in `mma`, one tile of 8 columns after the other.

An operand with contiguous terms (K-major) has a line of 64 terms for each row or column. An operand with contiguous
rows or columns has a line of 64 of them for each term; the next 64 follow after all terms.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from .....hardware import SWIZZLE_LINE_BYTES
from ..table import LINE_ELEMENTS, WARP_ROWS, WARPGROUP_PRODUCTS, WARPGROUP_WARPS, Operation, WarpgroupProduct
from .building import F32, I32, I64, element_pointer, inline_ptx, make_intrinsic, numba_types, shared_address, unpacked

"""Bytes."""

_SWIZZLE_128 = 1 << 62
_STEPS = LINE_ELEMENTS // 16
"""Instructions of a product."""


def make(name: str, operation: Operation) -> Any:
    """Return the intrinsic of a product, or of waiting for products."""
    if name in WARPGROUP_PRODUCTS:
        return make_intrinsic(name, _product(WARPGROUP_PRODUCTS[name]))
    return make_intrinsic(name, _wait(operation.width))


def _product(product: WarpgroupProduct) -> Any:
    types = numba_types()
    left_lines, right_lines = not product.left_transposed, product.right_transposed
    text = _text(product, left_lines, right_lines)

    def typed(typing: Any, sums: Any, first: Any, left: Any, at: Any, right: Any, there: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            pointers = [
                element_pointer(context, builder, signature.args[n], *arguments[n : n + 2]) for n in range(0, 6, 2)
            ]
            addresses = [shared_address(builder, pointer) for pointer in pointers[1:]]
            # A warp passes the address of its rows; the instruction takes the address of the first warp's rows.
            warp_bytes = WARP_ROWS * SWIZZLE_LINE_BYTES if left_lines else WARP_ROWS * 2
            addresses[0] = builder.sub(addresses[0], builder.mul(_warp_of_group(builder), ir.Constant(I32, warp_bytes)))
            descriptors = [_descriptor(builder, address) for address in addresses]
            _update(builder, pointers[0], product.sums, text, descriptors)
            return context.get_dummy_value()

        return types.none(sums, types.intp, left, types.intp, right, types.intp), code

    return typed


def _text(product: WarpgroupProduct, left_lines: bool, right_lines: bool) -> str:
    """Return the instructions. The next 16 terms of an operand are 32 bytes further in lines of terms, else 16 lines
    further."""
    registers = ", ".join(f"${n}" for n in range(product.sums))
    given = 2 * product.sums
    steps = [2 if lines else 16 * SWIZZLE_LINE_BYTES // 16 for lines in (left_lines, right_lines)]
    name = f"wgmma.mma_async.sync.aligned.m64n{product.columns}k16.f32.{product.kind}.{product.kind}"
    lines = [".reg .b64 left, right;", f"mov.b64 left, ${given};", f"mov.b64 right, ${given + 1};"]
    lines.append("wgmma.fence.sync.aligned;")
    for number in range(_STEPS):
        if number:
            lines += [f"add.s64 left, left, {steps[0]};", f"add.s64 right, right, {steps[1]};"]
        orders = f"{int(not left_lines)}, {int(not right_lines)}"
        lines.append(f"{name} {{{registers}}}, left, right, 1, 1, 1, {orders};")
    lines.append("wgmma.commit_group.sync.aligned;")
    return "\n".join(["{", *lines, "}"])


def _warp_of_group(builder: Any) -> Any:
    """Return the number of the thread's warp among the four of its group: warps lie along the second axis of
    threads."""
    name = "llvm.nvvm.read.ptx.sreg.tid.y"
    function = builder.module.globals.get(name)
    if function is None:
        function = ir.Function(builder.module, ir.FunctionType(I32, []), name)
    return builder.and_(builder.call(function, []), ir.Constant(I32, WARPGROUP_WARPS - 1))


def _descriptor(builder: Any, address: Any) -> Any:
    """Return the descriptor of an operand in shared memory ("Matrix Descriptor Format"): groups of 8 lines behind one
    another; with a line for each term, blocks of 64 columns follow after all terms."""
    blocks, groups = LINE_ELEMENTS * SWIZZLE_LINE_BYTES, 8 * SWIZZLE_LINE_BYTES
    fixed = blocks >> 4 << 16 | groups >> 4 << 32 | _SWIZZLE_128
    start = builder.lshr(builder.and_(address, ir.Constant(I32, 0x3FFFF)), ir.Constant(I32, 4))
    return builder.or_(builder.zext(start, I64), ir.Constant(I64, fixed))


def _wait(count: int) -> Any:
    types = numba_types()

    def typed(typing: Any, sums: Any, first: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            pointer = element_pointer(context, builder, signature.args[0], *arguments)
            _update(builder, pointer, count, "wgmma.wait_group.sync.aligned 0;", [])
            return context.get_dummy_value()

        return types.none(sums, types.intp), code

    return typed


def _update(builder: Any, pointer: Any, count: int, text: str, operands: list[Any]) -> None:
    """Emit PTX that updates a thread's elements in place: they are the outputs, its first registers, and are tied to
    inputs."""
    pointers = [builder.gep(pointer, [ir.Constant(I32, n)], inbounds=True) for n in range(count)]
    values = [builder.load(each) for each in pointers]
    constraints = ",".join(["=f"] * count + [str(n) for n in range(count)] + ["l"] * len(operands))
    result = inline_ptx(
        builder, text, constraints, ir.LiteralStructType([F32] * count), [*values, *operands], effect=True
    )
    for each, value in zip(pointers, unpacked(builder, result, count), strict=True):
        builder.store(value, each)
