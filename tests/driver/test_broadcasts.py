"""Arguments bound to buffers of `buffer_type="auto_broadcast"`: a dimension of extent 1 is read at 0."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.remarks import collect_remarks


def added(rank: int, bound: str = "AB", target: str = "llvm") -> tuple[Any, list[str]]:
    """Return the sum of two arguments, those of `bound` with extents of 1; and the codes of the remarks."""
    shapes = [[te.size_var(f"{letter}{d}") for d in range(rank)] for letter in "mno"]
    A, B = (te.placeholder(shape, name=name) for shape, name in zip(shapes[:2], "AB", strict=True))
    C = te.compute(shapes[2], lambda *i: A(*i) + B(*i), name="C")
    binds = {
        t: tvm.tir.decl_buffer(t.shape, t.dtype, name=t.name, buffer_type="auto_broadcast")
        for t in (A, B)
        if t.name in bound
    }
    with collect_remarks() as remarks:
        program = tvm.build(te.create_schedule(C.op), [A, B, C], target, name="add", binds=binds)
    return program, [remark.code for remark in remarks]


@pytest.mark.parametrize(
    ("a", "b"),
    [((2, 4, 3), (2, 1, 1)), ((2, 4, 3), (2, 4, 3)), ((1, 1, 1), (5, 3, 2)), ((1, 4, 1), (3, 1, 2)), ((1, 1), (1, 1)),
     ((37,), (1,))],
)  # fmt: skip
def test_extents_of_1_are_found_at_the_call(a: tuple[int, ...], b: tuple[int, ...]) -> None:
    program, codes = added(len(a))
    assert "TW0617" in codes
    x, y = (np.random.default_rng(3).standard_normal(shape).astype(np.float32) for shape in (a, b))
    expected = x + y
    z = np.zeros(expected.shape, np.float32)
    program(x, y, z)
    np.testing.assert_array_equal(z, expected)


def test_extents_that_are_known_need_no_second_version() -> None:
    A, B = te.placeholder((4, 1), name="A"), te.placeholder((4, 6), name="B")
    C = te.compute((4, 6), lambda i, j: A[i, j] + B[i, j], name="C")
    binds = {A: tvm.tir.decl_buffer(A.shape, name="A", buffer_type="auto_broadcast")}
    with collect_remarks() as remarks:
        program = tvm.build(te.create_schedule(C.op), [A, B, C], binds=binds)
    assert "TW0617" not in [remark.code for remark in remarks]
    x, y = np.arange(4, dtype=np.float32)[:, None], np.ones((4, 6), np.float32)
    z = np.zeros((4, 6), np.float32)
    program(x, y, z)
    np.testing.assert_array_equal(z, x + y)


def test_an_argument_without_the_declaration_keeps_its_extents() -> None:
    program, _ = added(1, bound="B")
    with pytest.raises(TilewrightError):
        program(np.ones(1, np.float32), np.ones(4, np.float32), np.zeros(4, np.float32))
