"""Kernels in C of groups that pass a result on: none is stored as a whole, and the values are those of numpy."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

import numpy as np
import tilewright
from numpy.lib.stride_tricks import sliding_window_view
from tilewright import te, topi
from tilewright.dialects.loop import AllocOp, scope_of
from tilewright.dialects.target import TARGET_ATTRIBUTE
from tilewright.driver.lowering import lower_module
from tilewright.driver.targets import Target

Program = tuple[list[te.Tensor], Callable[..., np.ndarray]]


def convolution() -> Program:
    d, w = te.placeholder((1, 4, 10, 10), name="d"), te.placeholder((8, 4, 3, 3), name="w")

    def expected(d: np.ndarray, w: np.ndarray) -> np.ndarray:
        return np.maximum(np.einsum("nchwij,ocij->nohw", sliding_window_view(d, (3, 3), (2, 3)), w), 0)

    return [d, w, topi.nn.relu(topi.nn.conv2d(d, w, 1, 0))], expected


def dense() -> Program:
    d, w, b = (te.placeholder(shape, name=n) for n, shape in (("d", (6, 40)), ("w", (24, 40)), ("b", (24,))))
    return [d, w, b, topi.nn.relu(topi.nn.dense(d, w, b))], lambda d, w, b: np.maximum(d @ w.T + b, 0)


def batch_product() -> Program:
    a, b, c = (te.placeholder(shape, name=n) for n, shape in (("a", (3, 6, 8)), ("b", (3, 5, 8)), ("c", (3, 6, 5))))
    product = topi.nn.batch_matmul(a, b)
    result = te.compute((3, 6, 5), lambda n, i, j: te.tanh(product[n, i, j]) * c[n, i, j], name="r")
    return [a, b, c, result], lambda a, b, c: np.tanh(a @ b.transpose(0, 2, 1)) * c


def exponentials_and_sum() -> Program:
    d = te.placeholder((32, 48), name="d")
    return [d, topi.sum(topi.exp(d), axis=1)], lambda d: np.exp(d).sum(1)


def sums_of_columns() -> Program:
    d = te.placeholder((32, 48), name="d")
    return [d, topi.sqrt(topi.sum(d * d, axis=0))], lambda d: np.sqrt((d * d).sum(0))


def injective_chain() -> Program:
    d = te.placeholder((24, 16), name="d")
    return [d, topi.tanh(topi.transpose(topi.exp(d)))], lambda d: np.tanh(np.exp(d).T)


def test_no_result_is_stored_that_a_group_passes_on() -> None:
    wrong: list[str] = []
    for make in (convolution, dense, batch_product, exponentials_and_sum, sums_of_columns, injective_chain):
        tensors, expected = make()
        module = te.to_module(tensors)
        module.attributes[TARGET_ATTRIBUTE] = Target("c").attribute()
        for op in lower_module(module).walk():
            if isinstance(op, AllocOp) and (scope_of(op.res.type) != "register" or prod(op.res.type.get_shape()) > 64):
                wrong.append(f"{make.__name__} allocates {op.res.type}")
        values = [np.random.default_rng(0).standard_normal(t.shape, np.float32) for t in tensors[:-1]]
        built = tilewright.build(tensors, target="c")
        for threads in (1, 2):
            if not np.allclose(built(*values, threads=threads), expected(*values), rtol=1e-4, atol=1e-4):
                wrong.append(f"{make.__name__} computes other values with {threads} threads")
    assert wrong == []
