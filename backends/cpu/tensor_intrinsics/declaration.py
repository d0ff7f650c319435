"""A kernel of matrix products as a tensor intrinsic: the compute that describes it, and calls of LLVM text.

    void kernel(result *c, const left *a, const right *b, int stride, int chunks, int goes_on)

computes a tile of results, row by row `stride` elements apart, out of `chunks` chunks of both packed operands. Where
`goes_on` is not zero it adds them to what is there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .... import te, tir
from ....passes.tensor_intrin import decl_tensor_intrin
from ....schedule.product_kernels import ProductKernel
from ....schedule.tensor_intrinsics import TensorIntrin
from ....semantics import register_extern
from ....semantics.foreign import extern_reference

PARAMETERS = "ptr noalias %c, ptr noalias %a, ptr noalias %b, i32 %stride, i32 %chunks, i32 %goes.on"
"""The parameters of a kernel in LLVM's text."""


def declare(kernel: ProductKernel, depth: int, text: str) -> TensorIntrin:
    """The intrinsic that sums `depth` terms; `text` defines the function of the kernel's name."""
    chunk, group = kernel.chunk, kernel.group
    a = te.placeholder((depth // chunk, kernel.rows, chunk), kernel.left, "a")
    b = te.placeholder((depth // group, kernel.columns, group), kernel.right, "b")
    k = te.reduce_axis((0, depth), name="k")

    def element(i: Any, j: Any) -> te.Expr:
        left, right = a[k // chunk, i, k % chunk], b[k // group, j, k % group]
        return te.sum(left.astype(kernel.result) * right.astype(kernel.result), axis=k)

    c = te.compute((kernel.rows, kernel.columns), element, name="c")
    # Rows of results may lie any distance apart: the code is told.
    tile = tir.decl_buffer(c.shape, c.dtype, "tile", strides=[te.var("stride"), 1])

    def code(ins: Sequence[tir.Buffer], outs: Sequence[tir.Buffer]) -> Any:
        def call(goes_on: int) -> Any:
            pointers = outs[0].access_ptr("rw" if goes_on else "w"), ins[0].access_ptr("r"), ins[1].access_ptr("r")
            return tir.call_extern("void", kernel.name, *pointers, outs[0].strides[0], depth // chunk, goes_on)

        return call(0), te.described(j="vectorized"), call(1)

    if extern_reference(kernel.name) is None:
        register_extern(kernel.name, _reference(kernel))
    return decl_tensor_intrin(c.op, code, f"{kernel.name}_{depth}", binds={c: tile}, llvm_ir=text)


def _reference(kernel: ProductKernel) -> Any:
    """What the function computes, for the interpreter."""

    def product(c: np.ndarray, a: np.ndarray, b: np.ndarray, stride: int, chunks: int, goes_on: int) -> None:
        rows = a.reshape(chunks, kernel.rows, kernel.chunk).transpose(1, 0, 2).reshape(kernel.rows, -1)
        columns = b.reshape(-1, kernel.columns, kernel.group).transpose(0, 2, 1).reshape(-1, kernel.columns)
        terms = rows.astype(c.dtype) @ columns.astype(c.dtype)
        c[...] = c + terms if goes_on else terms

    return product
