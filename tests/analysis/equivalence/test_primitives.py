"""Each primitive of schedules keeps what programs compute, for constant sizes and for all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from tilewright import IRModule, te
from tilewright.analysis.equivalence import EXACT, Algebra, Axiom, Bounded, Proved, Refuted, equivalent
from tilewright.schedule import LoopRV, Schedule

from .programs import PROGRAMS, function_of

REASSOCIATES = Algebra(reassociates=True)


def loops(s: Schedule, block: str) -> tuple[LoopRV, ...]:
    return s.get_loops(s.get_block(block))


@dataclass(frozen=True)
class Case:
    program: str
    step: Callable[[Schedule], object]
    algebra: Algebra = EXACT
    sizes: tuple[bool, ...] = (False, True)
    """The kinds of sizes: False for constant ones, True for symbolic ones."""


def tile(s: Schedule) -> None:
    i, j, k = loops(s, "C")
    (io, ii), (jo, ji), (ko, ki) = s.split(i, [None, 8]), s.split(j, [None, 16]), s.split(k, [None, 4])
    s.reorder(io, jo, ko, ii, ki, ji)


def fuse(s: Schedule) -> None:
    i, j, _ = loops(s, "C")
    s.fuse(i, j)


def reorder(s: Schedule) -> None:
    i, j, k = loops(s, "C")
    s.reorder(k, i, j)


def factor(block: str, position: int) -> Callable[[Schedule], object]:
    return lambda s: s.rfactor(s.split(loops(s, block)[-1], [None, 4])[position])


def factor_both(s: Schedule) -> None:
    factor("M", 1)(s)
    factor("S", 1)(s)


def rows(s: Schedule) -> None:
    for block in ("S", "E", "M"):
        s.compute_at(s.get_block(block), loops(s, "Y")[0])


def roll(s: Schedule) -> None:
    s.compute_at(s.get_block("P"), loops(s, "C")[0])
    s.rolling_buffer(s.get_block("P"), "P")


def reorder_window(s: Schedule) -> None:
    _, _, u, v = loops(s, "C")
    s.reorder(v, u)


def fuse_window(s: Schedule) -> None:
    _, _, u, v = loops(s, "C")
    s.fuse(u, v)


def tile_transposed(s: Schedule) -> None:
    i, j = loops(s, "T")
    (io, ii), (jo, ji) = s.split(i, [None, 8]), s.split(j, [None, 8])
    s.reorder(io, jo, ji, ii)


CASES: dict[str, Case] = {
    "split": Case("dense_relu", lambda s: s.split(loops(s, "C")[2], [None, 4])),
    "split with a tail": Case("dense_relu", lambda s: s.split(loops(s, "C")[1], [None, 5])),
    "tile": Case("dense_relu", tile),
    "fuse": Case("dense_relu", fuse),
    "reorder": Case("dense_relu", reorder),
    "compute_inline": Case("dense_relu", lambda s: s.compute_inline(s.get_block("D"))),
    "reverse_compute_inline": Case("dense_relu", lambda s: s.reverse_compute_inline(s.get_block("E"))),
    "compute_at": Case("dense_relu", lambda s: s.compute_at(s.get_block("C"), loops(s, "D")[0])),
    "compute_at, inner": Case("dense_relu", lambda s: s.compute_at(s.get_block("C"), loops(s, "D")[1])),
    "reverse_compute_at": Case("dense_relu", lambda s: s.reverse_compute_at(s.get_block("D"), loops(s, "C")[1])),
    "cache_read": Case("dense_relu", lambda s: s.cache_read(s.get_block("C"), "A", "global")),
    "cache_write": Case("dense_relu", lambda s: s.cache_write(s.get_block("C"), "C", "global")),
    "reindex": Case("dense_relu", lambda s: s.reindex(s.get_block("C"), "A")),
    "decompose_reduction": Case("dense_relu", lambda s: s.decompose_reduction(s.get_block("C"), loops(s, "C")[2])),
    "decompose_reduction, outer": Case(
        "dense_relu", lambda s: s.decompose_reduction(s.get_block("C"), loops(s, "C")[0])
    ),
    "rfactor": Case("dense_relu", factor("C", 0), REASSOCIATES),
    "rfactor, inner": Case("dense_relu", factor("C", 1), REASSOCIATES),
    "loop_partition": Case("dense_relu", lambda s: s.loop_partition(loops(s, "C")[0], points=[2])),
    "transform_layout": Case("dense_relu", lambda s: s.transform_layout(s.get_block("C"), "C", lambda i, j: (j, i))),
    "vectorize": Case("dense_relu", lambda s: s.vectorize(loops(s, "D")[1]), sizes=(False,)),
    "parallel": Case("dense_relu", lambda s: s.parallel(loops(s, "D")[0])),
    "unroll": Case("dense_relu", lambda s: s.unroll(loops(s, "D")[1]), sizes=(False,)),
    "add_unit_loop": Case("dense_relu", lambda s: s.add_unit_loop(s.get_block("D"))),
    "set_scope": Case("dense_relu", lambda s: s.set_scope(s.get_block("C"), "C", "local"), sizes=(False,)),
    "padding inline": Case("padded_convolution", lambda s: s.compute_inline(s.get_block("P"))),
    "padding in rows": Case("padded_convolution", lambda s: s.compute_at(s.get_block("P"), loops(s, "C")[0])),
    "padding in place": Case("padded_convolution", lambda s: s.compute_at(s.get_block("P"), loops(s, "C")[1])),
    "decompose_padding": Case("padded_convolution", lambda s: s.decompose_padding(s.get_block("P"), loops(s, "P")[0])),
    "rolling_buffer": Case("padded_convolution", roll),
    "window reordered": Case("padded_convolution", reorder_window, REASSOCIATES),
    "window fused": Case("padded_convolution", fuse_window),
    "window factored": Case("padded_convolution", lambda s: s.rfactor(loops(s, "C")[2]), REASSOCIATES),
    "chain in rows": Case("softmax_chain", rows),
    "sum factored": Case("softmax_chain", factor("S", 1), REASSOCIATES),
    "maximum factored": Case("softmax_chain", factor("M", 1)),
    "both factored": Case("softmax_chain", factor_both, REASSOCIATES),
    "chain inline": Case("softmax_chain", lambda s: s.compute_inline(s.get_block("E"))),
    "ring inline": Case("stencil", lambda s: s.compute_inline(s.get_block("A"))),
    "ring in place": Case("stencil", lambda s: s.compute_at(s.get_block("A"), loops(s, "B")[1])),
    "ring fused": Case("stencil", lambda s: s.fuse(*loops(s, "A"))),
    "transposed tiles": Case("transposition", tile_transposed),
    "transposed layout": Case(
        "transposition", lambda s: s.transform_layout(s.get_block("T"), "T", lambda i, j: (j // 4, i, j % 4))
    ),
    "merge": Case("transposition", lambda s: s.merge(loops(s, "T")[0], loops(s, "Y")[0])),
}


@pytest.mark.each(
    ("name", "is_symbolic"),
    [(name, is_symbolic) for name, case in CASES.items() for is_symbolic in case.sizes],
)
def test_a_primitive_is_proved(name: str, is_symbolic: bool) -> None:
    case = CASES[name]
    s = PROGRAMS[case.program](is_symbolic)
    before = function_of(s)
    case.step(s)
    verdict = equivalent(before, function_of(s), case.algebra)
    assert isinstance(verdict, Proved), verdict
    assert not verdict.undefined


def test_a_fused_loop_of_products_is_proved_where_inner_sizes_are_fixed() -> None:
    s = PROGRAMS["dense_relu"](True)
    before = function_of(s)
    i, j, _ = loops(s, "C")
    s.split(s.fuse(i, j), [None, 8])
    verdict = equivalent(before, function_of(s))
    assert isinstance(verdict, Bounded), verdict
    assert [sorted(sizes.values()) for sizes in verdict.sizes] == [[0], [1], [3], [4]]


@pytest.mark.parametrize("is_symbolic", [False, True])
def test_undeclared_reassociation_is_refuted(is_symbolic: bool) -> None:
    s = PROGRAMS["dense_relu"](is_symbolic)
    before = function_of(s)
    factor("C", 1)(s)
    verdict = equivalent(before, function_of(s))
    assert isinstance(verdict, Refuted) and verdict.output == 3
    assert bool(verdict.sizes) == is_symbolic


def test_padded_products_take_axioms() -> None:
    s = PROGRAMS["dense_relu"](False)
    before = function_of(s)
    s.pad_einsum(s.get_block("C"), [1, 1, 5])
    after = function_of(s)
    assert isinstance(equivalent(before, after, Algebra(axioms=frozenset(Axiom))), Proved)
    assert isinstance(equivalent(before, after), Refuted)


def test_parts_whose_variables_have_no_formula_are_joined() -> None:
    """The tiles of a copy cover a symbolic number of columns by a fused loop: isl 2026.2.2 crashed where it joined what
    two parts of a sum leave to be read in them."""
    n, m = te.var("n"), te.var("m")
    A, B = te.placeholder((13, n), name="A"), te.placeholder((n, m), name="B")
    k = te.reduce_axis((0, n), "k")
    C = te.compute((13, m), lambda i, j: te.sum(A[i, k] * B[k, j], axis=k), name="C")
    sch = Schedule(IRModule({"main": te.create_prim_func([A, B, C])}))
    product = sch.get_block("C")
    copy = sch.cache_write(product, 0, "local")
    rows, columns = sch.get_loops(copy)
    (io, ii), (jo, ji) = sch.split(rows, [None, 3]), sch.split(columns, [None, 2])
    sch.reorder(io, jo, ii, ji)
    sch.fuse(io, jo)
    sch.loop_partition(sch.get_loops(product)[-1], points=[3])
    before = function_of(sch)
    sch.fuse(ii, ji)
    assert isinstance(equivalent(before, function_of(sch)), Bounded)
