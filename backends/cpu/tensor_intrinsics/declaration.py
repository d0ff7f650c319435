"""A kernel of matrix products as a tensor intrinsic: the compute that describes it, and calls of LLVM text.

    void kernel(result *c, const left *a, const right *b, int stride, int chunks, int goes_on, int rows, int distance)

computes a column of tiles of `c` from `chunks` chunks of both packed operands. `stride` is the distance of rows of `c`
in elements, and `distance` that of tiles of the left operand. If `goes_on` is not zero, the products are added to the
elements of `c`; otherwise they replace them. The last tile has the remaining rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .... import te
from ....passes.te_functions.tensor_intrin import decl_tensor_intrin
from ....schedule.product_kernels import ProductKernel
from ....schedule.tensor_intrinsics import TensorIntrin
from ....semantics import register_extern
from ....semantics.foreign import extern_reference
from ....te.foreign import Buffer, decl_buffer

PARAMETERS = (
    "ptr noalias %c, ptr noalias %a, ptr noalias %b, i32 %stride, i32 %chunks, i32 %goes.on, i32 %rows, i32 %distance"
)
"""The parameters of a kernel in LLVM's text."""


def declare(kernel: ProductKernel, height: int, depth: int, text: str) -> TensorIntrin:
    """Declare the intrinsic that sums `depth` terms for so many rows; `text` defines the function of the kernel's
    name."""
    rows, chunk, group = kernel.rows, kernel.chunk, kernel.group
    a = te.placeholder((-(-height // rows), depth // chunk, rows, chunk), kernel.left, "a")
    b = te.placeholder((depth // group, kernel.columns, group), kernel.right, "b")
    k = te.reduce_axis((0, depth), name="k")

    def element(i: Any, j: Any) -> te.Expr:
        left, right = a[i // rows, k // chunk, i % rows, k % chunk], b[k // group, j, k % group]
        factor = left.astype(kernel.result)
        if kernel.left_offset:
            factor = factor - kernel.left_offset
        return te.sum(factor * right.astype(kernel.result), axis=k)

    c = te.compute((height, kernel.columns), element, name="c")
    # Rows of results, and tiles of the left operand, may lie at any distance, which is a parameter of the code.
    result = decl_buffer(c.shape, c.dtype, "result", strides=[te.var("stride"), 1])
    left_tiles = decl_buffer(a.shape, a.dtype, "left", strides=[te.var("distance"), rows * chunk, chunk, 1])

    def code(ins: Sequence[Buffer], outs: Sequence[Buffer]) -> Any:
        def call(goes_on: int) -> Any:
            pointers = outs[0].access_ptr("rw" if goes_on else "w"), ins[0].access_ptr("r"), ins[1].access_ptr("r")
            numbers = outs[0].strides[0], depth // chunk, goes_on, height, ins[0].strides[0]
            return te.call_extern("void", kernel.name, *pointers, *numbers)

        return call(0), te.described(j="vectorized"), call(1)

    if extern_reference(kernel.name) is None:
        register_extern(kernel.name, _reference(kernel))
    return decl_tensor_intrin(
        c.op, code, f"{kernel.name}_{height}x{depth}", binds={a: left_tiles, c: result}, llvm_ir=text
    )


def _reference(kernel: ProductKernel) -> Any:
    """Return the kernel as a numpy function, for the interpreter."""

    def product(
        c: np.ndarray, a: np.ndarray, b: np.ndarray, stride: int, chunks: int, goes_on: int, height: int, distance: int
    ) -> None:
        depth = chunks * kernel.chunk
        rows = a.reshape(-1, chunks, kernel.rows, kernel.chunk).transpose(0, 2, 1, 3).reshape(-1, depth)[:height]
        columns = b.reshape(-1, kernel.columns, kernel.group).transpose(0, 2, 1).reshape(depth, -1)
        terms = (rows.astype(c.dtype) - c.dtype.type(kernel.left_offset)) @ columns.astype(c.dtype)
        c[...] = c + terms if goes_on else terms

    return product
