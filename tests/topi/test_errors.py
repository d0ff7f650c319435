"""Refusals of operators: one mistake a case, with its code, its message and its line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tilewright import te, topi
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.locations import source_position

N, M = te.var("n"), te.var("m")
A = te.placeholder((N, 5), name="A")
B = te.placeholder((4, 3), name="B")
I = te.placeholder((4, 3), "int32", name="I")  # noqa: E741
X = te.placeholder((1, 4, 8, 8), name="X")
W = te.placeholder((6, 4, 3, 3), name="W")
S = te.placeholder((1, 4, M, 8), name="S")
V = te.placeholder((3,), name="V")
C = te.placeholder((4, 3), "bool", name="C")

CASES: dict[str, tuple[Callable[[], Any], str, str]] = {
    "sizes differ": (lambda: topi.add(A, B), "TW0440", "expected shapes that broadcast, but got (n, 5) and (4, 3)"),
    "operator": (lambda: B + te.placeholder((5,)), "TW0440", "but got (4, 3) and (5,)"),
    "other variable": (lambda: A * te.placeholder((M, 5)), "TW0440", "but got (n, 5) and (m, 5)"),
    "symbolic and number": (lambda: topi.where(C, te.placeholder((N, 3)), 0), "TW0440", "(4, 3) and (n, 3)"),
    "broadcast_to": (lambda: topi.broadcast_to(B, (4, 4)), "TW0440", "that (4, 3) of 'B' stretches to, but got (4, 4)"),
    "batches": (
        lambda: topi.matmul(te.placeholder((2, 3, 4)), te.placeholder((3, 4, 3))),
        "TW0440",
        "but got (2,) and (3,)",
    ),
    "axis": (lambda: topi.sum(A, axis=2), "TW0441", "expected an axis from -2 to 1, but got 2"),
    "axis twice": (lambda: topi.max(A, axis=(0, -2)), "TW0441", "expected axes that differ, but got [0, -2]"),
    "axis no integer": (lambda: topi.nn.softmax(A, 0.5), "TW0441", "expected an integer as an axis, but got 0.5"),
    "permutation": (lambda: topi.transpose(X, (0, 1, 2)), "TW0441", "expected an order of 4 axes, but got [0, 1, 2]"),
    "tensordot": (lambda: topi.tensordot(A, B, 3), "TW0441", "at most 2 axes to sum over, but got 3"),
    "groups": (lambda: topi.nn.group_conv2d_nchw(X, W, groups=3), "TW0442", "divide 4 and 6 channels, but got 3"),
    "channels of a group": (
        lambda: topi.nn.conv2d(X, W, groups=2),
        "TW0442",
        "expected weights of 2 input channels a group, but got 4",
    ),
    "group_norm": (
        lambda: topi.nn.group_norm(X, V, V, 3),
        "TW0442",
        "expected groups that divide 4 channels of (1, 4, 8, 8), but got 3",
    ),
    "space_to_depth": (lambda: topi.nn.space_to_depth(X, 3), "TW0442", "divides the height and width, but got 3 and 8"),
    "depth_to_space": (lambda: topi.nn.depth_to_space(X, 3), "TW0442", "expected channels that 9 divides, but got 4"),
    "layout": (lambda: topi.nn.conv2d(X, W, data_layout="NCWH"), "TW0443", "unknown layout 'NCWH'"),
    "layout of weights": (lambda: topi.nn.conv2d(X, W, kernel_layout="HWIO"), "TW0443", "unknown layout of weights"),
    "pooling": (lambda: topi.nn.pool2d(X, 2, pool_type="mean"), "TW0443", "unknown type of pooling 'mean'"),
    "mode": (lambda: topi.take(A, I, 1, "near"), "TW0443", "unknown mode 'near'"),
    "gelu": (lambda: topi.nn.gelu(A, "fast"), "TW0443", "unknown approximation 'fast'"),
    "mirror": (lambda: topi.nn.mirror_pad(B, (1, 1), mode="WRAP"), "TW0443", "unknown mode of padding 'WRAP'"),
    "coordinates": (
        lambda: topi.image.resize2d(X, (4, 4), coordinate_transformation_mode="half"),
        "TW0443",
        "unknown coordinate mode 'half'",
    ),
    "rank": (lambda: topi.nn.dense(X, B), "TW0444", "to have 2 dimensions, but got 'X' of shape (1, 4, 8, 8)"),
    "depth": (lambda: topi.matmul(A, B), "TW0444", "the depth of 'B' of shape (4, 3) to be 5, but got 4"),
    "symbolic depth": (lambda: topi.nn.dense(B, te.placeholder((3, M))), "TW0444", "to be 3, but got m"),
    "channels": (lambda: topi.nn.conv2d(X, te.placeholder((6, 3, 3, 3))), "TW0444", "to be 4, but got 3"),
    "bias": (lambda: topi.nn.bias_add(B, V, 0), "TW0444", "the size of the bias to be 4, but got 3"),
    "concatenate": (lambda: topi.concatenate([A, B], 0), "TW0444", "dimension 1 of operand 1 to be 5, but got 3"),
    "squeeze": (lambda: topi.squeeze(B, 0), "TW0444", "dimension 0 of 'B' to be 1, but got 4"),
    "einsum": (lambda: topi.einsum("ij,jk", B, B), "TW0444", "dimension 'j' of 'B' to be 3, but got 4"),
    "einsum letters": (lambda: topi.einsum("ijk->i", B), "TW0444", "expected a letter for each dimension of operands"),
    "einsum result": (lambda: topi.einsum("ij->k", B), "TW0444", "letters of the operands, each once, after the arrow"),
    "gather_nd": (lambda: topi.gather_nd(V, I), "TW0444", "indices of at most 1 coordinates, but got 4"),
    "stride": (lambda: topi.nn.conv2d(X, W, 0), "TW0445", "expected strides to be at least 1, but got 0"),
    "strides": (lambda: topi.nn.conv2d(X, W, (1, 1, 1)), "TW0445", "strides to be one integer or 2, but got [1, 1, 1]"),
    "padding": (lambda: topi.nn.conv2d(X, W, 1, (1, 2, 3)), "TW0445", "padding to be 1, 2 or 4 integers"),
    "window": (lambda: topi.nn.pool2d(X, (9, 1)), "TW0445", "at most 8 elements along spatial dimension 0, but got 9"),
    "weights": (
        lambda: topi.nn.conv2d(X, te.placeholder((6, 4, M, 3))),
        "TW0445",
        "expected weights of known spatial sizes, but got (m, 3)",
    ),
    "adaptive": (lambda: topi.nn.adaptive_pool(S, 2, "avg"), "TW0445", "expected known spatial sizes, but got m, 8"),
    "margins": (lambda: topi.nn.pad(B, (1,)), "TW0445", "expected 2 margins for shape (4, 3), but got [1]"),
    "reflected": (lambda: topi.nn.mirror_pad(B, (0, 3), mode="REFLECT"), "TW0445", "at most 2 elements to mirror"),
    "reshape": (
        lambda: topi.reshape(B, (5, 2)),
        "TW0446",
        "as many elements as 'B' of shape (4, 3) has, but got (5, 2)",
    ),
    "reshape open": (lambda: topi.reshape(B, (5, -1)), "TW0446", "sizes that divide (4, 3) of 'B', but got [5]"),
    "reshape twice": (lambda: topi.reshape(B, (-1, -1)), "TW0446", "at most one -1 in a shape"),
    "symbolic reshape": (lambda: topi.reshape(A, (N, 6)), "TW0446", "as many elements as 'A' of shape (n, 5) has"),
    "sections": (lambda: topi.split(B, 3), "TW0446", "expected sections that divide 4, but got 3"),
    "split": (lambda: topi.split(B, [2, 5]), "TW0446", "rising indices of at most 4 to split at, but got [2, 5]"),
    "split symbolic": (lambda: topi.split(A, 2), "TW0446", "a known size along axis 0 to split, but got n"),
    "slice": (lambda: topi.strided_slice(B, [0], [4], [0]), "TW0446", "expected a stride other than 0"),
    "slice symbolic": (
        lambda: topi.strided_slice(A, [0], [2]),
        "TW0446",
        "of the symbolic size n to start at the front",
    ),
    "slice bounds": (
        lambda: topi.strided_slice(B, [0, 0], [2, 1], axes=[0]),
        "TW0446",
        "bounds and strides for 1 axes",
    ),
    "step": (lambda: topi.arange(3, step=0), "TW0446", "expected a step other than 0"),
    "symbolic step": (lambda: topi.arange(0, N, 0.5), "TW0446", "a positive integer as step beside symbolic bounds"),
    "empty": (lambda: topi.argmax(te.placeholder((0, 2)), 0), "TW0446", "elements along axis 0 of 'placeholder'"),
    "array": (lambda: topi.add(A, np.ones(5)), "TW0447", "expected a tensor or a number, but got array"),
    "number": (lambda: topi.exp(3), "TW0447", "expected a tensor as the operand, but got 3 of type int"),
    "numbers only": (lambda: topi.add(1, 2), "TW0447", "a tensor among the operands of add, but got numbers"),
    "indices": (lambda: topi.take(A, B), "TW0447", "expected indices of integers, but got 'B' of float32"),
    "mean": (lambda: topi.mean(I), "TW0447", "a tensor of floating-point numbers, but got 'I' of int32"),
    "all": (lambda: topi.all(I), "TW0447", "expected conditions, but got 'I' of int32"),
    "sum of bool": (lambda: topi.sum(C), "TW0447", "expected numbers to reduce, but got 'C' of bool"),
    "condition": (lambda: topi.logical_not(I), "TW0447", "expected a condition, but got 'I' of int32"),
    "types": (lambda: topi.concatenate([B, I]), "TW0447", "expected operand 1 of float32, but got int32"),
    "bound": (lambda: topi.clip(I, 0.5), "TW0447", "expected a whole number as a bound of int32, but got 0.5"),
    "no list": (lambda: topi.stack(B), "TW0447", "expected a list of tensors"),
    "element": (lambda: A * B[0, 0], "TW0451", "a tensor or a number beside a whole tensor, but got `B[0, 0]`"),
    "true division": (lambda: I / 2, "TW0451", "expected floating-point operands of `/`, but got int32"),
    "element type": (lambda: topi.cast(A, "int3"), "TW0450", "expected an element type, but got 'int3'"),
}


@pytest.mark.each("name", CASES)
def test_refuses(name: str) -> None:
    make, code, message = CASES[name]
    with pytest.raises(TilewrightError) as caught:
        make()
    assert caught.value.code == code
    assert message in caught.value.message
    position = source_position(caught.value.location)
    assert position is not None and position.file == __file__


def test_every_code_is_raised() -> None:
    assert {code for _, code, _ in CASES.values()} >= {f"TW044{k}" for k in range(8)}
