"""A matrix product whose inner loops are somebody else's code.

Hardware and libraries offer instructions that compute small tensors at once. Here one is played by a C function, a
product of a 16x64 matrix and a vector. It is declared by what it computes, as a tensor expression, and by how it is
called; `tensorize` then checks that a nest of loops computes exactly that and replaces it by the call.

    python examples/tensorize_gemv.py
"""

from __future__ import annotations

import numpy as np
import tilewright as tvm
from tilewright import te, tir

N, M, L = 64, 32, 128
ROWS, COLUMNS = 16, 64

SOURCE = """
int gemv_reset(float *out, int rows) {
    for (int i = 0; i < rows; ++i) out[i] = 0.0f;
    return 0;
}

int gemv_update(float *out, const float *vector, const float *matrix, int rows, int columns, int stride) {
    for (int i = 0; i < rows; ++i) {
        float sum = 0.0f;
        for (int k = 0; k < columns; ++k) sum += vector[k] * matrix[i * stride + k];
        out[i] += sum;
    }
    return 0;
}
"""


def gemv(rows: int, columns: int) -> tir.TensorIntrin:
    """Return an intrinsic for `c[i] = sum over k of a[k] * b[i, k]`, of which a longer sum can be made piece by
    piece."""
    a = te.placeholder((columns,), name="a")
    b = te.placeholder((rows, columns), name="b")
    k = te.reduce_axis((0, columns), name="k")
    c = te.compute((rows,), lambda i: te.sum(a[k] * b[i, k], axis=k), name="c")
    # The rows of the matrix may lie at any distance, which the code gets as an argument.
    vector = tir.decl_buffer(a.shape, a.dtype, name="vector", offset_factor=1, strides=[1])
    matrix = tir.decl_buffer(b.shape, b.dtype, name="matrix", offset_factor=1, strides=[te.var("stride"), 1])
    result = tir.decl_buffer(c.shape, c.dtype, name="result", offset_factor=1, strides=[1])

    def code(ins, outs):
        x, y = ins
        z = outs[0]

        def reset():
            ib = tir.ir_builder.create()
            ib.emit(tir.call_extern("int32", "gemv_reset", z.access_ptr("w"), rows))
            return ib.get()

        def update():
            ib = tir.ir_builder.create()
            pointers = z.access_ptr("rw"), x.access_ptr("r"), y.access_ptr("r")
            ib.emit(tir.call_extern("int32", "gemv_update", *pointers, rows, columns, y.strides[0]))
            return ib.get()

        return None, reset(), update()

    return te.decl_tensor_intrin(c.op, code, name="gemv", binds={a: vector, b: matrix, c: result})


def product(split_sum: bool):
    """Return `A @ B.T` with the intrinsic inside: over whole rows, or over pieces of them."""
    A = te.placeholder((N, L), name="A")
    B = te.placeholder((M, L), name="B")
    k = te.reduce_axis((0, L), name="k")
    C = te.compute((N, M), lambda i, j: te.sum(A[i, k] * B[j, k], axis=k), name="C")
    s = te.create_schedule(C.op)
    x, y = C.op.axis
    yo, yi = s[C].split(y, factor=ROWS)
    if split_sum:
        ko, ki = s[C].split(C.op.reduce_axis[0], factor=COLUMNS)
        s[C].reorder(x, yo, ko, yi, ki)
    else:
        s[C].reorder(x, yo, yi, C.op.reduce_axis[0])
    s[C].tensorize(yi, gemv(ROWS, COLUMNS if split_sum else L))
    s[C].pragma(x, "import_c", SOURCE)
    return s, [A, B, C]


def main() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.random((N, L), np.float32), rng.random((M, L), np.float32)
    for split_sum in (False, True):
        s, args = product(split_sum)
        print(tvm.lower(s, args, simple_mode=True))
        c = np.zeros((N, M), np.float32)
        tvm.build(s, args, target="cpu", name="gemv")(a, b, c)
        np.testing.assert_allclose(c, a @ b.T, rtol=1e-4)


if __name__ == "__main__":
    main()
