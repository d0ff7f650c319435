"""Unrolled nests of very many operations are refused before anything is written out; a setting allows more."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright
from tilewright import TilewrightError, te
from tilewright.passes.framework.context import PassContext
from tilewright.schedule import Schedule


def unrolled(rows: int, columns: int) -> Schedule:
    a = te.placeholder((rows, columns), name="A")
    b = te.compute((rows, columns), lambda i, j: a[i, j] + 1, name="B")
    s = Schedule(tilewright.IRModule({"main": te.create_prim_func([a, b])}))
    for handle in s.get_loops(s.get_block("B")):
        s.unroll(handle)
    return s


@pytest.mark.parametrize(("rows", "columns"), [(1 << 19, 1), (1 << 10, 1 << 9), (1, 1 << 40)])
def test_nests_that_are_too_large(rows: int, columns: int) -> None:
    with pytest.raises(TilewrightError, match=r"is unrolled, and its iterations come to \d+ operations") as caught:
        tilewright.lower(unrolled(rows, columns))
    assert caught.value.code == "TW0222" and "max_unrolled_ops" in str(caught.value.help)


def test_the_setting_decides() -> None:
    x = np.arange(32, dtype=np.float32).reshape(4, 8)
    with PassContext(config={"max_unrolled_ops": 200}):
        np.testing.assert_array_equal(tilewright.build(unrolled(4, 8), threads=1)(x), x + 1)
    with PassContext(config={"max_unrolled_ops": 20}), pytest.raises(TilewrightError, match="more than 20") as caught:
        tilewright.build(unrolled(4, 8), threads=1)
    assert caught.value.code == "TW0222"
