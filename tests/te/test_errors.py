"""Mistakes in tensor expressions: the code, the words, and the user's line."""

from __future__ import annotations

import inspect

import pytest
from tilewright import TilewrightError, te
from tilewright.diagnostics.locations import source_position

N = te.var("n")
A = te.placeholder((4, 8), name="A")
I = te.placeholder((4,), "int32", name="I")  # noqa: E741
K = te.reduce_axis((0, 8), "k")
C = te.compute((4,), lambda i: te.sum(A[i, K], axis=K), name="C")
D = te.compute((4,), lambda i: te.max(A[i, K] + C[i], axis=K), name="D")
ARGMAX = te.comm_reducer(
    lambda x, y: (te.Select(x[1] >= y[1], x[0], y[0]), te.Select(x[1] >= y[1], x[1], y[1])),
    lambda t0, t1: (te.const(-1, t0), te.min_value(t1)),
    name="argmax",
)

MISTAKES = {
    "unknown type": (lambda: te.placeholder((4,), "float31"), "TW0450", "expected an element type, but got 'float31'"),
    "whole tensor": (lambda: te.exp(A), "TW0451", "but got a whole tensor"),
    "string": (lambda: A[0, 0] + "x", "TW0451", "expected a scalar expression or a number, but got 'x' of type str"),
    "true division": (lambda: I[0] / 2, "TW0451", "expected floating-point operands of `/`, but got int32"),
    "floor division": (lambda: A[0, 0] // 2, "TW0451", "expected integer operands of `floordiv`, but got float32"),
    "arithmetic on bool": (lambda: (I[0] < 3) + (I[0] < 2), "TW0451", "numbers as operands of `add`"),
    "shift of floats": (lambda: A[0, 0] << 1, "TW0451", "expected integer operands of `shl`, but got float32"),
    "bits of a float": (lambda: te.popcount(A[0, 0]), "TW0451", "an integer as operand of `popcount`, but got float32"),
    "logic on floats": (lambda: A[0, 0] & A[0, 1], "TW0451", "expected conditions or integers as operands of `and`"),
    "invert a float": (lambda: ~A[0, 0], "TW0451", "operand of `~`, but got float32"),
    "negate a bool": (lambda: -(I[0] < 3), "TW0451", "expected a number as operand of `neg`, but got bool"),
    "not a condition": (lambda: te.Select(I[0], 1, 2), "TW0451", "expected a condition, but got `I[0]` of type int32"),
    "number too large": (lambda: te.const(300, "uint8"), "TW0451", "a number that uint8 can hold, but got 300"),
    "float too large": (lambda: te.const(1e30, "float16"), "TW0451", "that float16 can hold"),
    "fraction": (lambda: te.const(1.5, "int8"), "TW0451", "that int8 can hold, but got 1.5"),
    "not a number": (lambda: te.const(float("nan"), "int8"), "TW0451", "that int8 can hold, but got nan"),
    "no conditions": (lambda: te.all(), "TW0451", "expected at least one condition"),
    "reduce a bool": (lambda: te.sum(I[0] < 3, axis=K), "TW0451", "expected numbers to reduce"),
    "iterate": (lambda: list(A), "TW0451", "expected tensor 'A' to be indexed"),
    "python if": (lambda: 1 if N < 3 else 2, "TW0452", "but got `n < 3`"),
    "python and": (lambda: (N < 3) and (N > 1), "TW0452", "but got `n < 3`"),
    "few parameters": (lambda: te.compute((4, 8), lambda i: A[i, 0], name="D"), "TW0453", "to take 2 arguments"),
    "many parameters": (lambda: te.compute((4,), lambda i, j: A[i, j], name="D"), "TW0453", "to take 1 arguments"),
    "no result": (lambda: te.compute((4,), lambda i: None, name="D"), "TW0453", "but got None"),
    "nested reduction": (lambda: te.sum(A[0, K], axis=K) + 1, "TW0454", "`sum(A[0, k], axis=[k])` in an expression"),
    "reduction of one": (lambda: te.sum(te.max(A[0, K], axis=K), axis=K), "TW0454", "whole body of its compute"),
    "reduction and element": (
        lambda: te.compute((4,), lambda i: (te.sum(A[i, K], axis=K), A[i, 0])), "TW0462", "expected one reduction"
    ),
    "several reductions": (
        lambda: te.compute((4,), lambda i: (te.sum(A[i, K], axis=K), te.max(A[i, K], axis=K)), name="D"),
        "TW0462", "but got `sum(A[i, k], axis=[k])`, `max(A[i, k], axis=[k])`",
    ),
    "part of a reduction": (
        lambda: te.compute((4,), lambda i: ARGMAX((K, A[i, K]), axis=K)[0], name="D"), "TW0462", "all 2 results"
    ),
    "parts of two reductions": (
        lambda: te.compute((4,), lambda i: (ARGMAX((K, A[i, K]), K)[0], ARGMAX((K, A[i, K]), K)[1])),
        "TW0462", "all 2 results of one reduction",
    ),
    "reducer of other types": (
        lambda: te.comm_reducer(lambda x, y: x < y, lambda t: 0)(A[0, K], axis=K), "TW0463", "to give float32"
    ),
    "reducer of too few": (
        lambda: te.comm_reducer(lambda x, y: x[0], lambda t, u: (0, 0))((K, K), axis=K), "TW0463", "2 values, but got 1"
    ),
    "reducer of tensors": (
        lambda: te.comm_reducer(lambda x, y: x + A[0, 0], lambda t: 0)(A[0, K], axis=K), "TW0463", "use its arguments"
    ),
    "identity of another type": (
        lambda: te.comm_reducer(lambda x, y: x, lambda t: A[0, 0])(A[0, K], axis=K), "TW0463", "a number of float32"
    ),
    "starts of a tuple": (lambda: ARGMAX((K, A[0, K]), K, init=3), "TW0463", "expected 2 values that the reduction"),
    "start under the axis": (lambda: te.sum(A[0, K], K, init=A[1, K]), "TW0456", "not to use reduce axis 'k'"),
    "thread axis": (lambda: te.thread_axis("threadIdx.w"), "TW0460", "expected a thread axis, but got 'threadIdx.w'"),
    "thread domain": (lambda: te.thread_axis((1, 8), "threadIdx.x"), "TW0460", "a domain (0, extent) of threadIdx.x"),
    "scalar variable": (lambda: te.size_var("alpha", "float32"), "TW0461", "but got 'alpha' of type float32"),
    "few indices": (lambda: A[0] * 2, "TW0455", "expected 2 indices of tensor 'A', but got 1"),
    "slice": (lambda: A[0, 1:] + 1.0, "TW0455", "but got a slice"),
    "float index": (lambda: I[A[0, 0]], "TW0455", "but got `A[0, 0]` of type float32"),
    "reduce axis outside": (lambda: te.compute((4,), lambda i: A[i, K]), "TW0456", "axis 'k' is not reduced over"),
    "foreign axis": (lambda: te.compute((4,), lambda i: A[i, C.op.axis[0]]), "TW0456", "belongs to another compute"),
    "data axis reduced": (lambda: te.compute((4,), lambda i: te.sum(A[i, 0], axis=i)), "TW0456", "te.reduce_axis"),
    "axis twice": (lambda: te.sum(A[0, K], axis=[K, K]), "TW0456", "distinct axes"),
    "negative size": (lambda: te.placeholder((-1,), name="P"), "TW0457", "dimension 0 of 'P' not to be negative"),
    "float size": (lambda: te.placeholder((1.5,), name="P"), "TW0457", "as dimension 0 of 'P', but got 1.5"),
    "size of floats": (lambda: te.placeholder((A[0, 0],)), "TW0457", "but got `A[0, 0]` of type float32"),
    "domain": (lambda: te.reduce_axis(8, "r"), "TW0457", "a domain (low, high) of reduce axis 'r', but got 8"),
    "empty domain": (lambda: te.reduce_axis((3, 1), "r"), "TW0457", "but got (3, 1)"),
    "free size": (lambda: te.to_module([A, te.compute((N,), lambda i: 1.0)]), "TW0458", "a dimension of size 'n'"),
    "no output": (lambda: te.to_module([A]), "TW0459", "at least one computed tensor"),
    "missing placeholder": (lambda: te.to_module([I, C]), "TW0459", "expected placeholder 'A' among the arguments"),
    "no tensor": (lambda: te.to_module([A, C, 3]), "TW0459", "expected tensors and sizes as arguments, but got 3"),
    "size of a result alone": (
        lambda: te.to_module([A, te.compute((N,), lambda i: 1.0), N]),
        "TW0458",
        "a dimension of size 'n'",
    ),
    "shared reduce axis": (lambda: te.to_module([A, C, D]), "TW0464", "but 'k' is one of 'C' and of 'D'"),
    "argument twice": (lambda: te.to_module([A, A, C]), "TW0459", "but got 'A' twice"),
}  # fmt: skip


@pytest.mark.each("mistake", MISTAKES)
def test_mistake(mistake: str) -> None:
    build, code, words = MISTAKES[mistake]
    with pytest.raises(TilewrightError) as caught:
        build()
    assert caught.value.code == code
    assert words in caught.value.message
    position = source_position(caught.value.location)
    first = inspect.getsourcelines(build)[1]
    assert position is not None
    assert position.file == __file__
    assert first <= position.line <= first + 2


def test_a_shared_reduce_axis_names_both_computes_and_their_lines() -> None:
    with pytest.raises(TilewrightError) as caught:
        te.to_module([A, D])
    positions = [source_position(t.op.location) for t in (C, D)]
    assert caught.value.notes == [f"{position}: compute '{n}'" for position, n in zip(positions, "CD", strict=True)]
    assert caught.value.help == "make a reduce_axis for each of 'C' and 'D'"
