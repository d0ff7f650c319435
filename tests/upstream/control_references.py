"""The results of each file of tests/upstream/control, in numpy: `REFERENCES[name](*inputs)` gives all of them.

The results are what the function returns, then each memref that it writes, in the order of its arguments. Inputs are
drawn; `GIVEN` has the numbers that are sizes, bounds and indices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Reference = Callable[..., tuple[Any, ...]]


def changed(array: Array, at: Any, values: Any) -> Array:
    """Return a copy with other elements at some positions."""
    result = array.copy()
    result[at] = values
    return result


def semi_affine(a: Array, b: Array, c: Array, k: Array) -> tuple[Any, ...]:
    return a, np.array([-(-i // int(k)) for i in range(24)], np.int32)


def symbol_bounds(a: Array, b: Array) -> tuple[Any, ...]:
    b, (n, m) = b.copy(), a.shape
    for i in range(n):
        for j in range(max(0, i - 1), min(i + 2, m)):
            b[i, j] = a[i, m - 1 - j]
    return (b,)


def parallel_reductions(a: Array, i: Array, s: Array, t: Array) -> tuple[Any, ...]:
    part = a[:, ::2]
    numbers = [i.sum(dtype=np.int32), i.max(), np.bitwise_xor.reduce(i, axis=None)]
    return np.array([part.max(), part.min()]), np.array(numbers, np.int32)


def parallel_bounds(a: Array, b: Array) -> tuple[Any, ...]:
    b = b.copy()
    for k in range(0, 12, 5):
        for i in range(max(k - 1, 0), min(k + 4, 12)):
            for j in range(k, min(k * 2 + 1, k + 5, 12), 2):
                b[i, j] = a[i, j]
    return (b,)


def integer_loops(a: Array, b: Array, c: Array) -> tuple[Any, ...]:
    i = np.arange(1, 19, 3)
    return changed(b, i + 1, a[i]), changed(c, i, i + 1)


def if_data(a: Array, b: Array, c: Array) -> tuple[Any, ...]:
    return np.where(a > 0, a, b), np.where(a > 0, c, -a)


def forall_memref(a: Array, b: Array, c: Array) -> tuple[Any, ...]:
    return a, changed(c, np.s_[1::3, ::2], a[1::3, ::2])


def while_counts(a: Array, r: Array, n: Array) -> tuple[Any, ...]:
    r, at = r.copy(), np.arange(0, 10, 3)
    r[at] = np.cumsum(a[at])
    r[1] = a[at].sum()
    r[:8:2] = 0
    return r, np.array([12, 3, 4])


def for_scalars(a: Array, r: Array, n: Array) -> tuple[Any, ...]:
    s, p = np.float32(0), np.float32(1)
    for x in a:
        s, p = p * s, s + x
    return np.array([s, p]), np.array([45])


def switch(a: Array, b: Array) -> tuple[Any, ...]:
    r = np.arange(12) % 3
    return (np.where(r == 0, a + a, np.where(r == 2, 7, a)).astype(np.int32),)


def calls_nested(a: Array, b: Array) -> tuple[Any, ...]:
    # outer(A, B): B is A as it was, A grows by one. outer(B, A): A is B, B grows by one.
    return a.copy(), a + np.float32(1)


def lowered(a: Array, b: Array) -> tuple[Any, ...]:
    return (a,)


def nested_data(a: Array, b: Array) -> tuple[Any, ...]:
    x = a[:, :1]
    return (np.where((x > 0) & (a < x), a, b),)


def memref_carried(a: Array, b: Array) -> tuple[Any, ...]:
    a = changed(a, np.s_[:4], a[:4] + a[:4])
    return a, a


def tensor_swap(a: Array, b: Array, n: Array) -> tuple[Any, ...]:
    x, s, y = a, np.float32(0), b
    for _ in range(int(n)):
        x, s, y = changed(y, 0, s), s + x[1], x
    return x, y, s


def forms_in_loop(a: Array, n: Array) -> tuple[Any, ...]:
    x = a
    k = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9], [0, 1, 0]], np.float32)
    for _ in range(int(n)):
        x = x * np.float32(2) + k
    padded = np.pad(x, [(1, 1), (2, 2)], constant_values=1)
    return padded, x.reshape(12), x.reshape(2, 2, 3), np.concatenate([x, a])


def integer_arguments(a: Array, lo: Array, hi: Array) -> tuple[Any, ...]:
    i = np.arange(int(lo), int(hi) - 1, 2)
    return (changed(a, i, i),)


def unsigned_casts(a: Array, b: Array, c: Array, n: Array) -> tuple[Any, ...]:
    end = min(int(n) % 256, 16)
    u = a.view(np.uint8).astype(np.int32)
    squares = (u * u).astype(np.int16) | np.arange(16, dtype=np.int16)
    return changed(b, np.s_[:end], (u - a)[:end]), changed(c, np.s_[:end], squares[:end])


def unsigned_comparisons(a: Array, b: Array, n: Array) -> tuple[Any, ...]:
    end = int(n) if n >= 0 else 10
    return (changed(b, np.s_[:end], a[:end]),)


def mixed_reductions(a: Array, n: Array, r: Array) -> tuple[Any, ...]:
    part = a[: int(n), : min(int(n) + 2, 8) : 3]
    both = [np.bitwise_and.reduce(part, axis=None), part.sum(dtype=np.int32)]
    return (np.array([*both, part.prod(dtype=np.int32), np.bitwise_or.reduce(part, axis=None)], np.int32),)


def min_max_values(a: Array, b: Array, n: Array) -> tuple[Any, ...]:
    i = np.arange(16)
    low, high = np.maximum(i - 4, 2), np.minimum(np.minimum(i + 3, int(n) - 1), 12)
    return (a[high] - a[low],)


def apply_chains(a: Array, b: Array, k: Array) -> tuple[Any, ...]:
    b, k = b.copy(), int(k)
    for i in range(12):
        for j in range(i // 2, i // 2 + 2):
            half = (i * 2 - j) // 2
            mixed = half % 5 + -(-i // 3) * 2 + k
            b[i * 3 + j % 3] = a[k + mixed % 7]
    return (b,)


def delinearize_open(a: Array, n: Array) -> tuple[Any, ...]:
    i = np.arange(30)
    return (i % 4 * 7 + int(n),)


def zero_trips(a: Array, n: Array) -> tuple[Any, ...]:
    s = np.float32(1)
    for i in range(5, int(n), 2):
        s = s + a[i]
    for i in range(3, int(n), 4):
        s = s * a[i]
    return (s,)


def negative_bounds(a: Array, b: Array) -> tuple[Any, ...]:
    b = b.copy()
    for i in range(-6, 6, 5):
        for j in range(i - 1, i + 3):
            if -6 <= j <= 5:
                b[5 - j] = a[j + 6]
    return (b,)


def if_else(a: Array, n: Array) -> tuple[Any, ...]:
    i = np.arange(9)
    return (np.where((i % 2 == 0) & (i < n), 1, np.where(i >= 4, 2, a)).astype(np.int32),)


def switch_effects(a: Array, n: Array) -> tuple[Any, ...]:
    r = (np.arange(9) + int(n)) % 4
    return (np.where(r == 1, 1, np.where(r == 3, 2, a)).astype(np.int32),)


def select_of_indices(a: Array, b: Array, n: Array) -> tuple[Any, ...]:
    i = np.arange(12)
    return (a[np.where(i >= n, 11 - i, i)],)


def between_loops(a: Array, b: Array, n: Array) -> tuple[Any, ...]:
    return (a * np.float32(2 ** int(n)) + a,)


def first_of_rows(a: Array, b: Array) -> tuple[Any, ...]:
    x = a[:, :1]
    return (np.where(x >= 0, a, np.broadcast_to(x, a.shape)),)


REFERENCES: dict[str, Reference] = {
    "affine-apply-chains": apply_chains,
    "affine-for-tensors": lambda a: (np.cumsum(a, dtype=np.int32), a.sum(dtype=np.int32)),
    "affine-if-else": if_else,
    "affine-if-whole": lambda a, b, n: (
        np.where(np.eye(9, dtype=bool) & (np.arange(9) <= n)[:, None], a, -1).astype(np.float32),
    ),
    "affine-min-max-values": min_max_values,
    "affine-parallel-mixed": mixed_reductions,
    "call-results": lambda a: (np.repeat(np.arange(3, dtype=np.float32), 4).reshape(3, 4),),
    "call-tensors": lambda a: (a + a + (a + a),),
    "call-view": lambda a: (changed(a, np.s_[1::2], 1),),
    "calls-nested": calls_nested,
    "delinearize": lambda a, b, c, k: (a.T.reshape(24), a.reshape(24)),
    "delinearize-open": delinearize_open,
    "execute-region": lambda a, b: (a * a,),
    "for-memref-carried": memref_carried,
    "for-scalars": for_scalars,
    "for-step-data": lambda a, b, s: (changed(b, np.s_[:: int(s)], a[:: int(s)]),),
    "for-tensors": lambda a: (a,),
    "for-tensors-tiled": lambda a, b, c: (c + a @ b,),
    "for-vectors": lambda a, b: (a.sum(axis=0, dtype=np.float32),),
    "forall-dynamic": lambda a, b, s: (changed(b, np.s_[:: int(s), 1::2], a[:: int(s), 1::2]),),
    "forall-memref": forall_memref,
    "forall-tensor": lambda a, b: (changed(b, np.s_[::2], a[::2] + b[::2]),),
    "forall-tiles": lambda a, b, c: (a @ b,),
    "if-data": if_data,
    "if-data-results": lambda a, i, b, j: (
        np.where(a > 0, a + a, a[::-1]),
        np.where(a > 0, 7, i).astype(np.int32),
    ),
    "if-index-result": lambda a, b, n: (changed(b, np.s_[: max(int(n), 0)], a[: max(int(n), 0)]),),
    "if-nested-data": nested_data,
    "if-tensors": lambda a, b, n: (a + b if n < 3 else b,),
    "if-vector-result": first_of_rows,
    "index-sizes": lambda a, n, b: (changed(b, np.s_[: int(n)], a[: int(n)][::-1]),),
    "index-switch": switch,
    "integer-arguments": integer_arguments,
    "integer-loops": integer_loops,
    "integer-sizes": lambda a, n, m, b: (changed(b, np.s_[int(m) : int(n)], a[int(m) : int(n)]),),
    "linalg-between-loops": between_loops,
    "locations": lambda a, b: (changed(b, np.s_[1:], a),),
    "lowered-affine": lowered,
    "memory-spaces": lambda a, b: (changed(a * np.arange(1, 5, dtype=np.float32) * 2, 0, 1),),
    "min-max-sizes": lambda a, b: (np.concatenate([a[t : t + 8][::-1] for t in range(0, 30, 8)]),),
    "negative-bounds": negative_bounds,
    "parallel-bounds": parallel_bounds,
    "parallel-reductions": parallel_reductions,
    "parallel-scf-reductions": lambda a, r: (np.array([a[::2, 1:].sum(dtype=np.float32), a[::2, 1:].max()]),),
    "poison": lambda a, b: (a,),
    "poison-kinds": lambda a, n: (a[int(n)],),
    "poison-tensors": lambda a: (changed(a, 2, a[0]),),
    "scf-parallel-nested": lambda a, r: (a.prod(axis=1, dtype=np.float32),),
    "select-of-indices": select_of_indices,
    "semi-affine": semi_affine,
    "switch-effects": switch_effects,
    "symbol-bounds": symbol_bounds,
    "tensor-condition-in-loop": lambda a: (np.abs(a),),
    "tensor-dynamic-tiles": lambda a, b: (a + b,),
    "tensor-forms-in-loop": forms_in_loop,
    "tensor-swap": tensor_swap,
    "tensors-and-buffers": lambda a, b: ((a + a) * a, a + a),
    "tiled-scf": lambda a, b: (a,),
    "unsigned-casts": unsigned_casts,
    "unsigned-comparisons": unsigned_comparisons,
    "zero-trips": zero_trips,
    "while-counts": while_counts,
}

WRITTEN: dict[str, tuple[int, ...]] = {
    "affine-if-else": (0,),
    "affine-parallel-mixed": (2,),
    "call-results": (0,),
    "call-view": (0,),
    "calls-nested": (0, 1),
    "delinearize": (1, 2),
    "delinearize-open": (0,),
    "for-memref-carried": (0, 1),
    "for-scalars": (1, 2),
    "forall-memref": (1, 2),
    "if-data": (1, 2),
    "if-data-results": (2, 3),
    "index-sizes": (2,),
    "integer-arguments": (0,),
    "integer-loops": (1, 2),
    "integer-sizes": (3,),
    "parallel-reductions": (2, 3),
    "semi-affine": (1, 2),
    "switch-effects": (0,),
    "unsigned-casts": (1, 2),
    "while-counts": (1, 2),
}
"""The numbers of the arguments that a function writes; where a file is not listed and returns nothing, the second."""

RETURNING = frozenset(
    {
        *("affine-for-tensors", "call-tensors", "for-tensors", "for-tensors-tiled", "forall-tensor", "forall-tiles"),
        *("if-tensors", "poison-kinds", "poison-tensors", "tensor-condition-in-loop", "tensor-dynamic-tiles"),
        *("tensor-forms-in-loop", "tensor-swap", "zero-trips"),
    }
)
"""The files whose functions write no argument."""

GIVEN: dict[str, tuple[dict[int, int], ...]] = {
    "affine-apply-chains": ({2: 0}, {2: 13}),
    "affine-if-else": ({1: 0}, {1: 5}, {1: 20}),
    "affine-if-whole": ({2: -1}, {2: 4}, {2: 30}),
    "affine-min-max-values": ({2: 1}, {2: 8}, {2: 40}),
    "affine-parallel-mixed": ({1: 0}, {1: 3}, {1: 7}),
    "delinearize": ({3: 1}, {3: 5}, {3: 100}),
    "delinearize-open": ({1: 0}, {1: -5}),
    "for-step-data": ({2: 1}, {2: 7}, {2: 40}),
    "forall-dynamic": ({2: 1}, {2: 3}),
    "if-index-result": ({2: -3}, {2: 0}, {2: 9}, {2: 16}),
    "if-tensors": ({2: 2}, {2: 3}),
    "index-sizes": ({1: 0}, {1: 1}, {1: 7}),
    "integer-arguments": ({1: 0, 2: 0}, {1: 1, 2: 7}, {1: 2, 2: 7}),
    "integer-sizes": ({1: 3, 2: 5}, {1: 7, 2: 2}, {1: -4, 2: -9 + 5}),
    "linalg-between-loops": ({2: 0}, {2: 3}),
    "poison-kinds": ({1: 0}, {1: 3}),
    "select-of-indices": ({2: -1}, {2: 5}, {2: 12}),
    "semi-affine": ({3: 1}, {3: 5}, {3: 24}, {3: 100}),
    "switch-effects": ({1: 0}, {1: 2}, {1: -7}),
    "tensor-forms-in-loop": ({1: 0}, {1: 1}, {1: 3}),
    "tensor-swap": ({2: 0}, {2: 1}, {2: 2}, {2: 5}),
    "unsigned-casts": ({3: 0}, {3: 5}, {3: -1}),
    "unsigned-comparisons": ({2: 0}, {2: 4}, {2: 10}, {2: -1}),
    "zero-trips": ({1: 0}, {1: 4}, {1: 6}, {1: 8}),
}
"""The numbers that arguments are given, one run for each."""

SIZES: dict[str, dict[str, int]] = {
    "affine-parallel-mixed": {"arg0_dim0": 7},
    "forall-dynamic": {"arg0_dim0": 7, "arg0_dim1": 6, "arg1_dim0": 7, "arg1_dim1": 6},
    "index-sizes": {"arg0_dim0": 8, "arg2_dim0": 9},
    "integer-arguments": {"arg0_dim0": 9},
    "integer-sizes": {"arg0_dim0": 8, "arg3_dim0": 7},
    "symbol-bounds": {"arg0_dim0": 5, "arg0_dim1": 7, "arg1_dim0": 5, "arg1_dim1": 7},
    "tensor-dynamic-tiles": {"arg0_dim0": 10, "arg1_dim0": 10},
    "tiled-scf": {"arg0_dim0": 9, "arg0_dim1": 6, "arg1_dim0": 9, "arg1_dim1": 6},
    "zero-trips": {"arg0_dim0": 8},
}
"""Values for symbolic sizes."""
