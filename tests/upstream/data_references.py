"""The results of each file of tests/upstream/data in numpy, those that a function returns before those it writes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Reference = Callable[..., tuple[Array, ...]]

F32 = np.float32


def contract_kinds(a: Array, x: Array, y: Array, d: Array) -> tuple[Array, ...]:
    return np.maximum(y, (a * x).max(axis=1)), F32(1) + x @ x


def contract_masked(a: Array, x: Array, y: Array) -> tuple[Array, ...]:
    y = y.copy()
    y[:3] += a[:3, :5] @ x[:5]
    return (y,)


def multi_reduction(a: Array, c: Array, d: Array, e: Array) -> tuple[Array, ...]:
    r = a.sum(axis=1) + 1
    return r, r.max(), r.sum() + np.minimum(a.min(), 0)


def reduction_integers(a: Array, r: Array) -> tuple[Array, ...]:
    bits, both = a.view(np.uint32), np.bitwise_and.reduce(a)
    with np.errstate(over="ignore"):
        total, product = a.sum(dtype=np.int32), a.prod(dtype=np.int32)
    unsigned = (bits.min(), bits.max())
    least, most = (n.view(np.int32) for n in unsigned)
    numbers = [total, product, least, a.min(), most, a.max(), both, np.bitwise_xor.reduce(a) ^ both]
    return (np.array(numbers, np.int32),)


def masks(a: Array, b: Array) -> tuple[Array, ...]:
    n = min(len(a), 8)
    read = np.zeros(8, F32)
    read[:n] = a[:n]
    other = np.where(np.arange(8) < 3, read, np.arange(1, 9, dtype=F32))
    written = b.copy()
    written[:n] = (read * other + read)[:n]
    return (written,)


def masks_transposed(a: Array, c: Array) -> tuple[Array, ...]:
    read = np.full((4, 8), 7, F32)
    read[:2, :3] = a[3:6, :2].T
    c = c.copy()
    c[:2, :2] = (read + read)[:2, :2]
    return (c,)


def transfer_maps(a: Array, c: Array) -> tuple[Array, ...]:
    columns = np.full((4, 16), 7, F32)
    columns[:, :13] = a[3:, :4].T
    row = np.full(16, 7, F32)
    row[:13] = a[0, 3:]
    c = c.copy()
    c[3:, :4] = (columns + row).T[:13]
    return (c,)


def transfer_views(a: Array, b: Array) -> tuple[Array, ...]:
    return (np.concatenate([a[2:8:2, 3:7], np.full((1, 4), 5, F32)]),)


def outer_product(a: Array, b: Array, c: Array, d: Array) -> tuple[Array, ...]:
    product = np.outer(a, b)
    masked = product + c
    masked[:2, :2] *= product[:2, :2]
    return product + masked, np.maximum(a, a * b[3])


def extract_insert(a: Array, b: Array, c: Array) -> tuple[Array, ...]:
    row, number, changed = c[1].copy(), c[2, 3], c.copy()
    changed[0] = row
    changed[3, 7] = number
    part = changed[1:3, 2:6].copy()
    changed[:2, :4] = part
    changed[2] = b
    shuffled = np.concatenate([b, b])[[0, 9, 2, 11]]
    sums = [b.sum() - b[k] + shuffled[k] for k in range(4)]
    return np.array(sums, F32), (changed + number + b) * shuffled[:, None]


def rearranged(a: Array, b: Array, c: Array, d: Array, f: Array) -> tuple[Array, ...]:
    difference = (b - a)[[3, 1, 2, 0]] + np.arange(4, dtype=np.int32)
    return np.stack([a, b], axis=1).reshape(8), difference, difference.astype(F32)


def carried_vectors(a: Array, c: Array, d: Array) -> tuple[Array, ...]:
    x, y = np.zeros(8, F32), np.ones(8, F32)
    for row in a:
        x, y = y, x + row
    difference = x - y
    w = start = difference.reshape(2, 4)
    for _ in range(3):
        w = np.stack([w[1], w[1]]) + start
    return difference, w


def swapped_vectors(a: Array, b: Array, n: Array) -> tuple[Array, ...]:
    for _ in range(len(n)):
        a, b = b, a.T
    return a, b


def conditional_vectors(a: Array, b: Array) -> tuple[Array, ...]:
    return (np.concatenate([-a[:2], a[2:]]),)


def vector_arguments(a: Array, x: Array) -> tuple[Array, ...]:
    return a * x, (a * x).sum(axis=1)


def buffers_of_vectors(a: Array, b: Array) -> tuple[Array, ...]:
    doubled = a + a
    doubled[0] = doubled[2]
    return (doubled,)


def views(a: Array, b: Array) -> tuple[Array, ...]:
    b = a[2:10:2, 3:7].copy()
    b[1] = 1
    b.reshape(16)[10:] = 2
    return (b,)


def views_by_sizes(a: Array, b: Array) -> tuple[Array, ...]:
    a, added = a.copy(), b.copy()
    a[1:] += added
    added[: len(b) // 2 * 2 : 2] = 3
    return a, added


def views_by_metadata(a: Array, b: Array) -> tuple[Array, ...]:
    b = a.reshape(128)[19 + np.arange(4)[:, None] * 16 + np.arange(4)]
    b[0, 0] = 16 + 8
    return (b,)


def strided_arguments(a: Array, b: Array) -> tuple[Array, ...]:
    return a + b[:4], a + b[:4]


def tensor_loop(t: Array, u: Array) -> tuple[Array, ...]:
    for i in range(8):
        n, o = t.copy(), u.copy()
        n[i] = t[i] * 2
        o[:, i] = t[i]
        t, u = o, n
    return t, u


def tensor_if(t: Array, b: Array) -> tuple[Array, ...]:
    for i in range(4):
        t = t.copy()
        if i < 2:
            t[i, 0] = b[i, i]
        t = t + b
    return (t,)


def tensor_forms(a: Array, b: Array, d: Array) -> tuple[Array, ...]:
    generated = a[:, None] + np.add.outer(np.arange(8), np.arange(4)).astype(F32)
    padded = np.broadcast_to(np.arange(5, dtype=F32), (len(b) + 1, 5)).copy()
    padded[:-1, 1:4] = b
    inserted = np.full((2, 2), 0.5, F32)
    inserted[0, 1] = 1
    product = np.arange(1, 9, dtype=F32).reshape(2, 4) * a.reshape(2, 4)
    return generated, padded, b.reshape(-1), np.concatenate([b, b], axis=1), inserted, product


def tensor_argmax(a: Array, b: Array, i: Array) -> tuple[Array, ...]:
    is_larger = a.max(axis=1) > b
    return np.maximum(a.max(axis=1), b), np.where(is_larger, a.argmax(axis=1), i).astype(np.int32)


def tensor_vectors(a: Array, c: Array) -> tuple[Array, ...]:
    doubled, c = a + a, c.copy()
    c[:3, :3] = doubled[:3, :3]
    c[3] = doubled[0]
    return (c,)


def tensor_packed(a: Array, d: Array, e: Array) -> tuple[Array, ...]:
    whole = np.full((8, 8), 0.5, F32)
    whole[:, :6] = a
    return whole.reshape(2, 4, 2, 4).transpose(2, 0, 3, 1), a


def tensor_choices(a: Array, b: Array, c: Array) -> tuple[Array, ...]:
    return np.where((a > b) & (c < 0), a, b), (a > b).astype(np.int32)


DATA: dict[str, Reference] = {
    "affine-vectors": lambda a, b: (a.T,),
    "buffers-of-vectors": buffers_of_vectors,
    "carried-vectors": carried_vectors,
    "conditional-vectors": conditional_vectors,
    "contract-kinds": contract_kinds,
    "contract-masked": contract_masked,
    "contract-matmul": lambda a, b, c: ((a @ b + c).T,),
    "extract-insert": extract_insert,
    "masks": masks,
    "masks-of-data": lambda a, i, b: (np.where(i > 0, a + b, b),),
    "masks-transposed": masks_transposed,
    "multi-reduction": multi_reduction,
    "outer-product": outer_product,
    "rearranged": rearranged,
    "reduction-integers": reduction_integers,
    "strided-arguments": strided_arguments,
    "swapped-vectors": swapped_vectors,
    "tensor-argmax": tensor_argmax,
    "tensor-calls": lambda a, n: (a * 2 ** len(n),),
    "tensor-choices": tensor_choices,
    "tensor-forms": tensor_forms,
    "tensor-if": tensor_if,
    "tensor-loop": tensor_loop,
    "tensor-memrefs": lambda a, b, c: (a + a, a + a),
    "tensor-packed": tensor_packed,
    "tensor-tiles": lambda a, b, c: (c + a @ b,),
    "tensor-vectors": tensor_vectors,
    "transfer-dynamic": lambda a, b: (np.exp(a),),
    "transfer-maps": transfer_maps,
    "transfer-views": transfer_views,
    "vector-arguments": vector_arguments,
    "vectors-of-rank-0": lambda a, b: (a + a, np.full(4, a)),
    "views": views,
    "views-by-metadata": views_by_metadata,
    "views-by-sizes": views_by_sizes,
    "views-by-strides": lambda a, b: (a,),
    "views-of-bytes": lambda a, b: (a + a,),
}

DATA_WRITTEN: dict[str, tuple[int, ...]] = {
    "affine-vectors": (1,),
    "buffers-of-vectors": (1,),
    "carried-vectors": (1, 2),
    "conditional-vectors": (1,),
    "contract-kinds": (2, 3),
    "contract-masked": (2,),
    "contract-matmul": (2,),
    "extract-insert": (0, 2),
    "masks": (1,),
    "masks-of-data": (2,),
    "masks-transposed": (1,),
    "multi-reduction": (1, 2, 3),
    "outer-product": (2, 3),
    "rearranged": (2, 3, 4),
    "reduction-integers": (1,),
    "strided-arguments": (0,),
    "swapped-vectors": (0, 1),
    "tensor-memrefs": (1, 2),
    "transfer-dynamic": (1,),
    "transfer-maps": (1,),
    "transfer-views": (1,),
    "vectors-of-rank-0": (0, 1),
    "views": (1,),
    "views-by-metadata": (1,),
    "views-by-sizes": (0, 1),
    "views-by-strides": (1,),
    "views-of-bytes": (1,),
}
"""The numbers of the arguments that a function writes."""

DATA_SIZES: dict[str, tuple[dict[str, int], ...]] = {
    "masks": ({"arg0_dim0": 5, "arg1_dim0": 5}, {"arg0_dim0": 11, "arg1_dim0": 11}),
    "strided-arguments": ({"arg1_dim0": 6},),
    "swapped-vectors": tuple({"arg2_dim0": n} for n in (0, 1, 2, 3)),
    "tensor-calls": tuple({"arg1_dim0": n} for n in (0, 1, 3)),
    "tensor-forms": ({"arg1_dim0": 4},),
    "tensor-tiles": tuple(
        {"arg0_dim0": n, "arg0_dim1": 3, "arg1_dim0": 3, "arg1_dim1": 5, "arg2_dim0": n, "arg2_dim1": 5}
        for n in (1, 4, 6)
    ),
    "transfer-dynamic": tuple({"arg0_dim0": n, "arg0_dim1": 9, "arg1_dim0": n, "arg1_dim1": 9} for n in (3, 4, 6)),
    "views-by-strides": ({"arg0_dim0": 4, "arg0_dim1": 5, "arg1_dim0": 4, "arg1_dim1": 5},),
    "views-by-sizes": ({"arg0_dim0": 4, "arg0_dim1": 5, "arg1_dim0": 5},),
}
"""Values for symbolic sizes."""
