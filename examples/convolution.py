"""A convolution with relu, from the expression to a schedule that keeps the padded rows and the sums close.

python examples/convolution.py
"""

from __future__ import annotations

import numpy as np
import tilewright as tvm
from tilewright import te, topi

CHANNELS, FILTERS, SIZE, KERNEL, PAD = 16, 32, 28, 3, 1


def expression() -> tuple[te.Tensor, te.Tensor, te.Tensor, te.Tensor, te.Tensor]:
    """Compute padding, the sum over windows, and relu, each a separate tensor."""
    x = te.placeholder((CHANNELS, SIZE, SIZE), name="X")
    f = te.placeholder((FILTERS, CHANNELS, KERNEL, KERNEL), name="F")

    def padded(c, i, j):
        inside = te.all(i >= PAD, i < SIZE + PAD, j >= PAD, j < SIZE + PAD)
        return te.if_then_else(inside, x[c, i - PAD, j - PAD], 0.0)

    p = te.compute((CHANNELS, SIZE + 2 * PAD, SIZE + 2 * PAD), padded, name="P")
    rc, ri, rj = (te.reduce_axis((0, n), name) for n, name in ((CHANNELS, "rc"), (KERNEL, "ri"), (KERNEL, "rj")))

    def window(o, i, j):
        return te.sum(p[rc, i + ri, j + rj] * f[o, rc, ri, rj], axis=[rc, ri, rj])

    c = te.compute((FILTERS, SIZE, SIZE), window, name="C")
    return x, f, p, c, te.compute((FILTERS, SIZE, SIZE), lambda o, i, j: te.max(c[o, i, j], 0.0), name="relu")


def main() -> None:
    x, f, p, c, r = expression()
    s = te.create_schedule(r.op)
    o, i, j = r.op.axis
    oo, oi = s[r].split(o, factor=4)
    jo, ji = s[r].split(j, factor=14)
    s[r].reorder(oo, i, jo, oi, ji)
    s[r].parallel(oo)
    s[r].vectorize(ji)
    s[c].compute_at(s[r], jo)
    s[c].reorder(*c.op.reduce_axis, *c.op.axis)
    s[c].vectorize(c.op.axis[2])
    s[p].compute_at(s[r], i)  # three padded rows of every channel, where they are used
    print(tvm.lower(s, [x, f, r], simple_mode=True))

    rng = np.random.default_rng(0)
    image = rng.integers(-3, 4, (CHANNELS, SIZE, SIZE)).astype(np.float32)
    filters = rng.integers(-3, 4, (FILTERS, CHANNELS, KERNEL, KERNEL)).astype(np.float32)
    expected = np.maximum(reference(image, filters), 0)
    np.testing.assert_array_equal(tvm.build(s, [x, f, r])(image, filters), expected)

    # The same by name, with the default schedule; the relu is computed in the registers that hold the sums.
    data, weight = te.placeholder((1, CHANNELS, SIZE, SIZE), name="data"), te.placeholder(filters.shape, name="weight")
    out = topi.nn.relu(topi.nn.conv2d(data, weight, strides=1, padding=PAD, dilation=1))
    program = tvm.build([data, weight, out], [data, weight, out])
    np.testing.assert_array_equal(program(image[None], filters)[0], expected)


def reference(image: np.ndarray, filters: np.ndarray) -> np.ndarray:
    padded = np.pad(image, ((0, 0), (PAD, PAD), (PAD, PAD)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (KERNEL, KERNEL), axis=(1, 2))
    return np.einsum("chwij,fcij->fhw", windows, filters)


if __name__ == "__main__":
    main()
