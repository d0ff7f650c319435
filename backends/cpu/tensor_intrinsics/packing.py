"""Packing of a group of rows of the right operand, so that the elements of each column become neighbours.

The rows of a group are loaded as vectors, widened and shuffled. The text uses LLVM's shuffles and no intrinsic of an
instruction set.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from .... import te
from ....passes.te_functions.tensor_intrin import decl_tensor_intrin
from ....schedule.product_kernels import ProductKernel
from ....schedule.tensor_intrinsics import TensorIntrin
from ....semantics import register_extern
from ....te.dtypes import DType, dtype_info
from ....te.foreign import Buffer, decl_buffer


@cache
def declare_interleave(kernel: ProductKernel, source: str) -> TensorIntrin:
    """Declare the intrinsic that makes a group of the kernel's right operand out of rows of elements of type
    `source`."""
    rows, columns = kernel.group, kernel.columns
    x = te.placeholder((rows, columns), source, "x")
    y = te.compute((columns, rows), lambda j, t: x[t, j].astype(kernel.right), name="y")
    matrix = decl_buffer(x.shape, x.dtype, "matrix", strides=[te.var("stride"), 1])
    name = f"interleave_{rows}x{columns}_{source}_{kernel.right}"

    def code(ins: Sequence[Buffer], outs: Sequence[Buffer]) -> Any:
        pointers = outs[0].access_ptr("w"), ins[0].access_ptr("r")
        return te.call_extern("void", name, *pointers, ins[0].strides[0])

    register_extern(name, _reference)
    text = interleave_text(name, rows, columns, dtype_info(source), dtype_info(kernel.right))
    return decl_tensor_intrin(y.op, code, name, binds={x: matrix}, llvm_ir=text)


def _reference(y: np.ndarray, x: np.ndarray, stride: int) -> None:
    y[...] = x.T.reshape(y.shape)


def interleave_text(name: str, rows: int, columns: int, source: DType, packed: DType) -> str:
    """Return the module that defines the function. `rows` is a power of two."""
    body = (*_rows(rows, columns, source, packed), *_shuffles(rows, columns, packed))
    return "\n".join(
        (f"define void @{name}(ptr noalias %y, ptr noalias %x, i32 %stride) {{", *body, "  ret void", "}", "")
    )


def _rows(rows: int, columns: int, source: DType, packed: DType) -> Iterator[str]:
    """Load each row as integers as wide as packed elements."""
    narrow, wide = f"<{columns} x i{source.bits}>", f"<{columns} x i{packed.bits}>"
    yield "  %row = sext i32 %stride to i64"
    for r in range(rows):
        yield f"  %offset.{r} = mul i64 %row, {r}"
        yield f"  %place.{r} = getelementptr i{source.bits}, ptr %x, i64 %offset.{r}"
        if source.name == packed.name:
            yield f"  %part.{r} = load {narrow}, ptr %place.{r}, align 1"
        elif source.is_float:
            yield from _widened_float(r, columns, source, packed)
        else:
            extension = "sext" if source.signed else "zext"
            yield f"  %narrow.{r} = load {narrow}, ptr %place.{r}, align 1"
            yield f"  %part.{r} = {extension} {narrow} %narrow.{r} to {wide}"


def _widened_float(r: int, columns: int, source: DType, packed: DType) -> Iterator[str]:
    kind = {"bfloat16": "bfloat", "float16": "half"}[source.name]
    yield f"  %narrow.{r} = load <{columns} x {kind}>, ptr %place.{r}, align 1"
    yield f"  %float.{r} = fpext <{columns} x {kind}> %narrow.{r} to <{columns} x float>"
    yield f"  %part.{r} = bitcast <{columns} x float> %float.{r} to <{columns} x i{packed.bits}>"


def _shuffles(rows: int, columns: int, packed: DType) -> Iterator[str]:
    """Pair rows until one vector holds all: neighbouring elements become one of twice the size."""
    parts, bits = [f"%part.{r}" for r in range(rows)], packed.bits
    order = ", ".join(f"i32 {i}, i32 {columns + i}" for i in range(columns))
    while len(parts) > 1:
        one, two, joined = f"<{columns} x i{bits}>", f"<{2 * columns} x i{bits}>", f"<{columns} x i{2 * bits}>"
        pairs: list[str] = []
        for first, second in zip(parts[::2], parts[1::2], strict=True):
            pairs.append(f"%pair.{len(parts)}.{len(pairs)}")
            yield f"  {pairs[-1]}.apart = shufflevector {one} {first}, {one} {second}, <{2 * columns} x i32> <{order}>"
            yield f"  {pairs[-1]} = bitcast {two} {pairs[-1]}.apart to {joined}"
        parts, bits = pairs, 2 * bits
    yield f"  store <{columns} x i{bits}> {parts[0]}, ptr %y, align 4"
