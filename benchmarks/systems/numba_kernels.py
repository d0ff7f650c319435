"""The loops of `loops.with_numba`: parallel outside, vectorised by LLVM inside, sums in any order."""

from __future__ import annotations

import math

from numba import njit, prange

parallel = njit(parallel=True, fastmath=True)


@parallel
def matmul(a, b, c):
    for i in prange(a.shape[0]):
        c[i, :] = 0
        for k in range(a.shape[1]):
            for j in range(b.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


@parallel
def batched_matmul(a, b, c):
    for n in prange(a.shape[0]):
        c[n] = 0
        for i in range(a.shape[1]):
            for k in range(a.shape[2]):
                for j in range(b.shape[2]):
                    c[n, i, j] += a[n, i, k] * b[n, k, j]


@parallel
def integer_matmul(a, b, c):
    for i in prange(a.shape[0]):
        c[i, :] = 0
        for k in range(a.shape[1]):
            for j in range(b.shape[1]):
                c[i, j] += c.dtype.type(a[i, k]) * c.dtype.type(b[k, j])


@parallel
def gemv(a, x, y):
    for i in prange(a.shape[0]):
        total = y.dtype.type(0)
        for k in range(a.shape[1]):
            total += a[i, k] * x[k]
        y[i] = total


@parallel
def multiply_add_relu(a, b, c, y):
    for i in prange(a.size):
        y[i] = max(a[i] * b[i] + c[i], y.dtype.type(0))


@parallel
def triad(a, b, y):
    for i in prange(a.size):
        y[i] = a[i] + y.dtype.type(3) * b[i]


@parallel
def softmax(x, y):
    for i in prange(x.shape[0]):
        top = x[i].max()
        total = y.dtype.type(0)
        for j in range(x.shape[1]):
            y[i, j] = math.exp(x[i, j] - top)
            total += y[i, j]
        scale = y.dtype.type(1) / total
        for j in range(x.shape[1]):
            y[i, j] *= scale


@parallel
def layer_norm(x, gamma, beta, y):
    for i in prange(x.shape[0]):
        mean = x[i].mean()
        total = y.dtype.type(0)
        for j in range(x.shape[1]):
            total += (x[i, j] - mean) ** 2
        scale = 1 / math.sqrt(total / x.shape[1] + 1e-5)
        for j in range(x.shape[1]):
            y[i, j] = (x[i, j] - mean) * scale * gamma[j] + beta[j]


@parallel
def sum_rows(x, y):
    for i in prange(x.shape[0]):
        total = y.dtype.type(0)
        for j in range(x.shape[1]):
            total += x[i, j]
        y[i] = total


@parallel
def sum_columns(x, y):
    strip = 256
    for start in prange(x.shape[1] // strip):
        columns = slice(start * strip, (start + 1) * strip)
        y[columns] = 0
        for i in range(x.shape[0]):
            y[columns] += x[i, columns]


@parallel
def take_rows(x, chosen, y):
    table, numbers, rows = x.reshape(x.size), chosen.reshape(chosen.size), y.reshape(y.size)
    width = rows.size // numbers.size
    for i in prange(numbers.size):
        first = numbers[i] * width
        for j in range(width):
            rows[i * width + j] = table[first + j]


@parallel
def take_columns(x, chosen, y):
    for i in prange(x.shape[0]):
        for j in range(chosen.size):
            y[i, j] = x[i, chosen[j]]


@parallel
def put_rows(data, chosen, updates, y):
    for i in prange(data.shape[0]):
        y[i, :] = data[i, :]
    for i in prange(chosen.size):
        y[chosen[i], :] = updates[i, :]
