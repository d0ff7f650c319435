"""Numpy references of the files of lit/upstream: `REFERENCES[name](*inputs)` gives all results.

The results are what the function returns, then each memref that it writes, in the order of its arguments.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

Array = np.ndarray[Any, Any]
Reference = Callable[..., tuple[Array, ...]]


def windows(image: Array, size: tuple[int, int], stride: int, dilation: int) -> Array:
    """Return the windows of an image of shape [n, h, w, ...]: [n, oh, ow, kh, kw, ...]."""
    kh, kw = size
    oh = (image.shape[1] - (kh - 1) * dilation - 1) // stride + 1
    ow = (image.shape[2] - (kw - 1) * dilation - 1) // stride + 1
    rows = np.arange(oh)[:, None] * stride + np.arange(kh)[None] * dilation
    columns = np.arange(ow)[:, None] * stride + np.arange(kw)[None] * dilation
    return image[:, rows[:, None, :, None], columns[None, :, None, :]]


def matmul(a: Array, b: Array, c: Array) -> tuple[Array, ...]:
    return (a @ b,)


def matmul_generic(a: Array, b: Array) -> tuple[Array, ...]:
    return (a.astype(np.int32) @ b.astype(np.int32),)


def conv_nhwc(image: Array, kernel: Array) -> tuple[Array, ...]:
    return (np.einsum("nyxklc,klcf->nyxf", windows(image, (3, 3), 2, 1), kernel),)


def conv_nchw(image: Array, kernel: Array, output: Array) -> tuple[Array, ...]:
    seen = windows(image.transpose(0, 2, 3, 1), (3, 3), 1, 2)
    return (output + np.einsum("nyxklc,fckl->nfyx", seen, kernel),)


def depthwise(image: Array, kernel: Array) -> tuple[Array, ...]:
    return (np.einsum("nyxklc,klc->nyxc", windows(image, (3, 3), 1, 1), kernel),)


def pooling(image: Array) -> tuple[Array, ...]:
    return windows(image, (2, 2), 2, 1).max(axis=(3, 4)), windows(image, (3, 3), 1, 1).sum(axis=(3, 4))


def fill_copy(a: Array, b: Array, c: Array) -> tuple[Array, ...]:
    full = np.full_like(a, 2.5)
    return full, full, a


def elementwise(a: Array, b: Array, c: Array, d: Array) -> tuple[Array, ...]:
    total = a + b
    return np.maximum(total, 0), np.tanh(total) * np.float32(0.5) + np.arange(10, dtype=np.float32)


def softmax(x: Array) -> tuple[Array, ...]:
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1, keepdims=True),)


def matvec_dot(a: Array, x: Array, y: Array, z: Array, d: Array) -> tuple[Array, ...]:
    y = y + a @ x
    z = z + y @ a
    return y, z, d + x @ z


def stencil(a: Array, b: Array) -> tuple[Array, ...]:
    a, b = a.copy(), b.copy()
    for _ in range(3):
        b[1:33] = (a[:32] + a[1:33] + a[2:34]) * np.float32(0.333333343)
        a[1:33] = b[1:33]
    return a, b


def affine_if(a: Array, b: Array) -> tuple[Array, ...]:
    i, j = np.indices(a.shape)
    return (np.where((i >= 1) & (i <= 7) & (j % 2 == 0), a, -1).astype(np.int32),)


def min_max(a: Array, b: Array) -> tuple[Array, ...]:
    b = b.copy()
    b[5:47] = a[5:47] * 2
    for i in range(0, 50, 7):
        b[i // 2] = a[min(i + 3, 40)] - a[max(i, 10)]
    return (b,)


def scf_if(a: Array, b: Array) -> tuple[Array, ...]:
    value = np.where(a < 100, a + a, 100).astype(np.int32)
    return (np.where(np.arange(20) < 7, value, 100 - value).astype(np.int32),)


def scf_parallel(a: Array, b: Array, s: Array) -> tuple[Array, ...]:
    b = b.copy()
    b[:, ::2] = -a[:, ::2]
    return b, np.float32(3) + a[:, 2].sum()


def subview(a: Array, b: Array) -> tuple[Array, ...]:
    a, taken = a.copy(), a[2:10:2, 3:8].copy()
    for i in range(0, 12, 4):
        a[i : i + 4, i : i + 4] = 1
    a[15, 0] = a[15, 4]
    return a, taken


def integers(a: Array, b: Array, i: Array) -> tuple[Array, ...]:
    wide, bits = a.astype(np.int32), a.view(np.uint8).astype(np.int32)
    number = np.arange(24, dtype=np.int32)
    return (np.where(wide < 5, wide, bits) ^ number) << 5, np.arange(24) % 3 * (np.arange(24) // 3)


def narrow_floats(a: Array, b: Array, c: Array) -> tuple[Array, ...]:
    z = c.astype(np.float32) + b.astype(np.float32)
    return z.astype(np.float16) * a, z.astype(ml_dtypes.bfloat16)


def calls(x: Array, y: Array, k: Array) -> tuple[Array, ...]:
    t = x * k
    y = t * np.float32(t.sum(dtype=np.float32))
    return y.sum(dtype=np.float32), y


def constants(x: Array, y: Array, n: Array) -> tuple[Array, ...]:
    w = np.array([[1, 2, 3, 4], [5, 6, 7, 8], [-1, -2, -3, -4]], np.float32)
    return y + w @ x, np.ones(4, np.int32)


def alloc_views(a: Array, b: Array, c: Array) -> tuple[Array, ...]:
    t = a * 2
    return t[3], t.reshape(24), t.reshape(2, 2, 6)


def tensor_slices(a: Array, b: Array) -> tuple[Array, ...]:
    inserted = a.copy()
    inserted[2:4, 4:7] = b
    return a[1:4, ::2], inserted, a.reshape(48), np.pad(a, [(1, 1), (2, 0)], constant_values=-1)


def tensor_arith(a: Array, b: Array) -> tuple[Array, ...]:
    return (np.exp((a + b) * np.float32(0.25) - np.array([1, 2, 3, 4], np.float32)),)


REFERENCES: dict[str, Reference] = {
    "affine-if": affine_if,
    "affine-iter-args": lambda a, r: (a[:, ::2].sum(axis=1),),
    "affine-min-max": min_max,
    "affine-parallel": lambda a, r: (a[:, ::2].max(axis=1),),
    "affine-stencil": stencil,
    "affine-triangular": lambda m, x, y: (y + np.tril(m) @ x,),
    "alloc-views": alloc_views,
    "batch-matmul": lambda a, b: (a @ b,),
    "calls": calls,
    "conv-2d-nchw-fchw": conv_nchw,
    "conv-2d-nhwc-hwcf": conv_nhwc,
    "depthwise-conv": depthwise,
    "dynamic-matmul": lambda a, b, c: (c + a @ b,),
    "dynamic-tensors": lambda a, b: (a * b,),
    "elementwise": elementwise,
    "fill-copy": fill_copy,
    "globals": constants,
    "integers": integers,
    "matmul": matmul,
    "matmul-accumulate": lambda a, b, c: (c + a @ b,),
    "matmul-generic": matmul_generic,
    "matvec-dot": matvec_dot,
    "narrow-floats": narrow_floats,
    "pooling": pooling,
    "reduce-map": lambda a: (a.sum(axis=1), np.sqrt(np.abs(a).max(axis=0))),
    "scf-if": scf_if,
    "scf-iter-args": lambda a: (a.sum(dtype=np.float32), a.prod(dtype=np.float32)),
    "scf-parallel": scf_parallel,
    "softmax": softmax,
    "subview": subview,
    "tensor-arith": tensor_arith,
    "tensor-slices": tensor_slices,
    "transpose-broadcast": lambda a, b: (a.T, np.broadcast_to(b, (5, 6))),
}

WRITTEN: dict[str, tuple[int, ...]] = {
    "affine-if": (1,),
    "affine-iter-args": (1,),
    "affine-min-max": (1,),
    "affine-parallel": (1,),
    "affine-stencil": (0, 1),
    "affine-triangular": (2,),
    "alloc-views": (1, 2),
    "calls": (1,),
    "conv-2d-nchw-fchw": (2,),
    "dynamic-matmul": (2,),
    "elementwise": (2, 3),
    "fill-copy": (0, 1, 2),
    "globals": (1, 2),
    "integers": (1, 2),
    "matmul": (2,),
    "matvec-dot": (2, 3, 4),
    "scf-if": (1,),
    "scf-parallel": (1, 2),
    "subview": (0, 1),
}
"""The numbers of the arguments that a function writes."""

SIZES: dict[str, dict[str, int]] = {
    "dynamic-matmul": {"arg0_dim0": 5, "arg0_dim1": 7, "arg1_dim1": 6},
    "dynamic-tensors": {"arg0_dim0": 5, "arg0_dim1": 9},
    "scf-iter-args": {"arg0_dim0": 11},
}
"""Values for symbolic sizes."""
