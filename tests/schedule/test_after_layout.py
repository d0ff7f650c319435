"""Primitives on blocks whose results transform_layout has put into another layout; numpy says what is right."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import tilewright
from tilewright import TilewrightError, te
from tilewright.schedule import Schedule

from .programs import parse

N, M = 8, 12


def program(rows: te.Expr | int) -> list[te.Tensor]:
    """Return B = A + 1; C = sums of products of its rows; D = 2 C."""
    a = te.placeholder((rows, M), name="A")
    k = te.reduce_axis((0, M), "k")
    b = te.compute((rows, M), lambda i, j: a[i, j] + 1, name="B")
    c = te.compute((rows, M), lambda i, j: te.sum(b[i, k] * (j + 1), axis=k), name="C")
    return [a, te.compute((rows, M), lambda i, j: c[i, j] * 2, name="D")]


def expected(a: np.ndarray) -> np.ndarray:
    return 2 * (a + 1).sum(axis=1, keepdims=True) * np.arange(1, M + 1, dtype=np.float32)


LAYOUTS = {
    "turned": "(i, j) -> (j, i)",
    "blocks": "(i, j) -> (j floordiv 4, i, j mod 4)",
    "padded blocks": "(i, j) -> (i, j floordiv 5, j mod 5)",
    "in one row": "(i, j) -> (i * 12 + j)",
    "tiles": "(i, j) -> (i floordiv 2, j floordiv 4, i mod 2, j mod 4)",
}
SYMBOLIC = ["turned", "blocks", "padded blocks"]
"""Layouts that work with an open number of rows."""


def cache_write(s: Schedule, block: str) -> None:
    s.cache_write(s.get_block(block), 0, "local")


def cache_write_of_a_row(s: Schedule, block: str) -> None:
    reader = {"B": "C", "C": "D"}[block]
    s.compute_at(s.get_block(block), s.get_loops(s.get_block(reader))[0])
    s.cache_write(s.get_block(block), 0, "local")


def compute_at_rows(s: Schedule, block: str) -> None:
    reader = {"B": "C", "C": "D"}[block]
    s.compute_at(s.get_block(block), s.get_loops(s.get_block(reader))[0])


def compute_at_tiles(s: Schedule, block: str) -> None:
    s.split(s.get_loops(s.get_block("D"))[1], [None, 5])
    s.compute_at(s.get_block("C"), s.get_loops(s.get_block("D"))[1])


def compute_root(s: Schedule, block: str) -> None:
    compute_at_rows(s, block)
    s.compute_root(s.get_block(block))


def rfactor(s: Schedule, block: str) -> None:
    _, inner = s.split(s.get_loops(s.get_block("C"))[-1], [None, 4])
    s.rfactor(inner, 0)


def inline(s: Schedule, block: str) -> None:
    s.compute_inline(s.get_block("B"))


CALLS: dict[str, Callable[[Schedule, str], None]] = {
    call.__name__: call
    for call in (cache_write, cache_write_of_a_row, compute_at_rows, compute_at_tiles, compute_root, rfactor, inline)
}


@pytest.mark.each("call", CALLS)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("block", ["B", "C"])
def test_calls_after_a_layout(block: str, layout: str, call: str) -> None:
    rows = te.var("n") if layout in SYMBOLIC else N
    s = Schedule(tilewright.IRModule({"main": te.create_prim_func(program(rows))}))
    s.transform_layout(s.get_block(block), ("write", 0), LAYOUTS[layout])
    CALLS[call](s, block)
    run = tilewright.build(s, target="interpreter")
    for n in (0, 1, 5) if layout in SYMBOLIC else (N,):
        a = np.random.default_rng(n).integers(0, 5, (n, M)).astype(np.float32)
        np.testing.assert_array_equal(run(a), expected(a))


def test_a_read_between_the_elements_that_a_layout_stores_is_not_computed() -> None:
    a = te.placeholder((N, M), name="A")
    b = te.compute((N, M), lambda i, j: a[i, j] + 1, name="B")
    s = Schedule(tilewright.IRModule({"main": te.create_prim_func([a, te.compute((N,), lambda i: b[i, 0], name="C")])}))
    s.transform_layout(s.get_block("B"), ("write", 0), LAYOUTS["padded blocks"])
    text = str(s.func).replace("%B[%vi_1, 0, 0]", "%B[%vi_1, 2, 4]")
    padded = Schedule(parse(text))
    with pytest.raises(TilewrightError, match="not certain to store all that is read of the layout") as caught:
        padded.compute_inline(padded.get_block("B"))
    assert caught.value.code == "TW0406"


def test_a_layout_that_stores_an_element_twice_has_no_inverse() -> None:
    s = Schedule(tilewright.IRModule({"main": te.create_prim_func(program(N))}))
    s.transform_layout(s.get_block("C"), ("write", 0), LAYOUTS["in one row"])
    overlapping = Schedule(parse(str(s.func).replace("%vi_1 * 12 + %vj_1", "%vi_1 * 6 + %vj_1")))
    for call in (compute_at_rows, rfactor):
        with pytest.raises(TilewrightError) as caught:
            call(overlapping, "C")
        assert caught.value.code == "TW0406"


def weighted_sums(rows: te.Expr | int) -> list[te.Tensor]:
    a = te.placeholder((rows, 6), name="A")
    k = te.reduce_axis((0, 6), "k")
    return [a, te.compute((rows, 4), lambda i, j: te.sum(a[i, k] * (j + 1), axis=k), name="C")]


MAPS = [
    "(i, j, k) -> (j, k, i)",
    "(i, j, k) -> (i, j floordiv 2, j mod 2, k)",
    "(i, j, k) -> (k floordiv 3, i, j, k mod 3)",
]


@pytest.mark.parametrize("fused", [slice(0, 3), slice(1, 3), slice(0, 2)])
@pytest.mark.parametrize("index_map", MAPS)
def test_block_layouts_of_fused_loops(index_map: str, fused: slice) -> None:
    s = Schedule(tilewright.IRModule({"main": te.create_prim_func(weighted_sums(5))}))
    s.fuse(*s.get_loops(s.get_block("C"))[fused])
    s.transform_block_layout(s.get_block("C"), index_map)
    a = np.random.default_rng(0).integers(0, 5, (5, 6)).astype(np.float32)
    want = a.sum(axis=1, keepdims=True) * np.arange(1, 5, dtype=np.float32)
    for target in ("interpreter", "cpu"):
        np.testing.assert_array_equal(tilewright.build(s, target=target)(a), want)


def test_a_fused_sum_of_elements_that_iterations_share_keeps_its_order() -> None:
    text = str(te.create_prim_func(weighted_sums(5))).replace("%C[%vi, %vj]", "%C[0, %vj]")
    s = Schedule(parse(text))
    s.fuse(*s.get_loops(s.get_block("C")))
    with pytest.raises(TilewrightError, match="must run before") as caught:
        s.transform_block_layout(s.get_block("C"), MAPS[0])
    assert caught.value.code == "TW0401"


@pytest.mark.parametrize("shape", [(4, 6), (1, 1)])
def test_a_cache_of_a_block_that_holds_others_is_refused(shape: tuple[int, int]) -> None:
    """Its store is at variables of the block within, which the copy does not have."""
    a = te.placeholder(shape, name="A")
    schedule = Schedule(
        tilewright.IRModule({"main": te.create_prim_func([a, te.compute(shape, lambda i, j: a[i, j] * 2, name="C")])})
    )
    outer = schedule.blockize(schedule.get_loops(schedule.get_block("C"))[0])
    before = str(schedule.func)
    with pytest.raises(
        tilewright.TilewrightError, match="with values other than the block's iteration variables"
    ) as refused:
        schedule.cache_write(outer, 0, "global")
    assert refused.value.code == "TW0406" and str(schedule.func) == before
