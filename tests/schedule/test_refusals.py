"""One refusal for each condition of the primitives: its code and words; the function stays as it was."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from tilewright import TilewrightError
from tilewright.diagnostics.locations import source_position
from tilewright.schedule import Schedule
from tilewright.schedule.tensor_intrinsics import TensorIntrin

from .calls import call
from .programs import elementwise, matmul, parse, symbolic
from .refused_programs import (
    AFTER,
    BOTH,
    CALLED,
    CARRIED,
    CHAINED_CARRIED,
    COMPUTED_PADDING,
    CONDITION,
    CONSUMER_FIRST,
    CONTROL,
    DOUBLED,
    FILLED_IN_PARTS,
    FIRST_READS,
    GUARDED,
    HIDDEN,
    HIDDEN_AFTER,
    LATE_START,
    NEIGHBOURS,
    NO_INIT,
    OVERTAKING,
    PART_OF_SUM,
    PARTLY,
    PLAIN,
    QUOTIENTS,
    READS_SUM,
    REWRITTEN,
    SEPARATE,
    SEVERAL_BOUNDS,
    SPARE_AXIS,
    TILE_BESIDE,
    TWICE,
    TWO_STORES,
    UNREAD,
    VIEWED,
    row_sum,
)


class Case(NamedTuple):
    """The last of several calls, separated by `;`, is refused."""

    program: str
    calls: str
    code: str
    part: str


CASES = {
    "split of carried values": Case(CARRIED, "split(i, [None, 2])", "TW0406", "loop %i carries values"),
    "split of several bounds": Case(SEVERAL_BOUNDS, "split(i, [None, 2])", "TW0406", "loop %i has several bounds"),
    "fuse of carried values": Case(CARRIED, "fuse(i, j)", "TW0406", "fuse: loop %i carries values"),
    "fuse of several bounds": Case(SEVERAL_BOUNDS, "fuse(i, j)", "TW0406", "fuse: loop %i has several bounds"),
    "fuse of one": Case(PLAIN, "fuse(i)", "TW0403", "expected two or more loops, but got 1"),
    "reorder of carried values": Case(CARRIED, "reorder(i)", "TW0406", "reorder: loop %i carries values"),
    "parallel of carried values": Case(CARRIED, "parallel(i)", "TW0406", "parallel: loop %i carries values"),
    "unknown kind": Case(PLAIN, 'set_kind(i, "sideways")', "TW0403", "set_kind: expected a loop kind of serial"),
    "no such loop": Case(PLAIN, 'get_loop("q")', "TW0407", "expected one loop %q, but got 0; the loops are %i, %j"),
    "rename to nothing": Case(PLAIN, 'rename_block(B, "")', "TW0403", "expected a label, but got ''"),
    "rename to another's": Case(PLAIN, 'rename_block(B, "C")', "TW0403", "a block 'C' exists already"),
    "two stores": Case(TWO_STORES, "compute_inline(B)", "TW0406", "one store to one buffer, but has 2 to 2"),
    "guarded store": Case(GUARDED, "compute_inline(B)", "TW0406", "should store to %B without a guard or a view"),
    "results stored twice": Case(TWICE, "compute_at(B, j)", "TW0406", "should store once to each of its results"),
    "results stored apart": Case(SEPARATE, "compute_at(B, j)", "TW0406", "all its results at the same element"),
    "inline of an output": Case(PLAIN, "compute_inline(C)", "TW0406", "writes %C, which is seen outside"),
    "store by a multiple": Case(DOUBLED, "compute_at(B, j)", "TW0406", "one spatial variable a dimension"),
    "no consumer": Case(UNREAD, "compute_at(B, j)", "TW0406", "block 'B' has no consumer"),
    "vectorized target": Case(PLAIN, "vectorize(j); compute_at(B, j)", "TW0403", "loop %j is vectorized"),
    "consumer elsewhere": Case(AFTER, "compute_at(B, last)", "TW0406", "is read by block 'C' outside of loop %last"),
    "target inside a block": Case(
        elementwise(8, 8), "split(j, [None, 4]); blockize(ji); compute_at(B_o, vi)", "TW0407", "expected one loop %vi"
    ),
    "inline of a spare axis": Case(SPARE_AXIS, "compute_inline(B)", "TW0406", "%vs that does not index its result"),
    "inline of control flow": Case(CONTROL, "compute_inline(B)", "TW0406", "has control flow in its body"),
    "inline into a view": Case(VIEWED, "compute_inline(B)", "TW0406", "is read by something other than scalar loads"),
    "cache of what is read first": Case(
        FIRST_READS, 'cache_write(B, "B", "local")', "TW0406", "reads %B before it writes it"
    ),
    "cache of what is not all written": Case(
        PARTLY, 'cache_read(C, "B", "local")', "TW0401", "the box of %B that block 'C' reads is not all written"
    ),
    "cache of what changes": Case(
        REWRITTEN,
        'cache_read(C, "B", "local", [L])',
        "TW0406",
        "shares %B with block 'W', which writes it before the copy",
    ),
    "cache of a part": Case(
        PARTLY.replace("%i = 1 to 6", "%i = 0 to 6").replace(
            'loop.block "B" (%vi = spatial(%i) in 6)',
            'loop.block "B" (%vi = spatial(%i) in 6) where (%i mod 2 - 1 >= 0)',
        ),
        'cache_write(B, "B", "local")',
        "TW0402",
        "cannot prove that block 'B' writes all of a box",
    ),
    "decomposed twice": Case(
        matmul(3, 4, 5), "decompose_reduction(C, k); decompose_reduction(C, k)", "TW0406", "reduction with its init"
    ),
    "decomposed under a condition": Case(
        CONDITION, "decompose_reduction(C, k)", "TW0406", "is under a condition inside loop %k"
    ),
    "moved after it was decomposed": Case(
        matmul(3, 4, 5), "decompose_reduction(C, k); compute_at(C, x)", "TW0406", "is not the only one to write %C"
    ),
    "merge of carried values": Case(CHAINED_CARRIED, "merge(i, j)", "TW0406", "merge: loop %i carries values"),
    "unit loop around carried values": Case(CARRIED, "add_unit_loop(i)", "TW0406", "add_unit_loop: loop %i carries"),
    "partition of carried values": Case(
        CARRIED, "loop_partition(i, points=[2])", "TW0406", "loop_partition: loop %i carries"
    ),
    "partition of several bounds": Case(
        SEVERAL_BOUNDS, "loop_partition(i, points=[2])", "TW0406", "loop %i should run from a constant to one bound"
    ),
    "partition of a symbolic fusion": Case(
        symbolic(), "fuse(i, j); loop_partition(i_j, points=[2])", "TW0406", "is fused from symbolic loops"
    ),
    "foreign code of no language": Case(PLAIN, 'import_foreign("python", "")', "TW0403", "the language c or llvm"),
    "foreign code of no text": Case(
        PLAIN, 'import_foreign("c", 3)', "TW0403", "expected a string for 'code', but got 3"
    ),
    "foreign code of a pragma without text": Case(
        PLAIN, 'pragma(i, "import_c", 3)', "TW0403", "expected the text of the code, but got 3"
    ),
    "consumer into a vector": Case(
        PLAIN, "vectorize(i); reverse_compute_at(C, i)", "TW0403", "loop %i is vectorized and cannot hold other loops"
    ),
    "consumer of something else": Case(
        AFTER, "reverse_compute_at(L, i)", "TW0406", "block 'L' reads nothing that loop %i produces"
    ),
    "producer after its consumer": Case(
        CONSUMER_FIRST, "compute_at(B, j)", "TW0406", "block 'B' should come before loop %j"
    ),
    "loop inside a block": Case(
        PLAIN, "split(j, [None, 3]); blockize(ji); compute_at(B, ji)", "TW0403", "loop %ji is inside a block"
    ),
    "value of its own loop": Case(HIDDEN, "compute_at(B, j)", "TW0406", "uses %h, which is not known at loop %j"),
    "value of its own loop, inline": Case(
        HIDDEN, "compute_inline(B)", "TW0406", "uses %h, which is not known at its consumer"
    ),
    "init that others see": Case(
        row_sum(beside=READS_SUM), "decompose_reduction(C, i)", "TW0406", "shares %C with block 'R', which could run"
    ),
    "init at a computed row": Case(
        row_sum(row="%row"), "decompose_reduction(C, k)", "TW0406", "has a spatial variable bound to %row"
    ),
    "init under a joint guard": Case(
        row_sum(guard="where (%i + %k < 5)"), "decompose_reduction(C, i)", "TW0406", "over loops that its init has and"
    ),
    "init after a joint guard": Case(
        row_sum(guard="where (%i + %k < 5)"), "decompose_reduction(C, k)", "TW0406", "and loops that it has not"
    ),
    "init of a repeated reduction": Case(
        row_sum(around="%u = 0 to 2"), "decompose_reduction(C, i)", "TW0402", "runs each instance of block 'C' once"
    ),
    "inline of a division into a guard": Case(
        QUOTIENTS, "compute_inline(B)", "TW0406", "divides integers, which a guarded read of it must not do"
    ),
    "scope of what is passed on": Case(CALLED, 'set_scope("B", "local")', "TW0406", "%B is used by func.call"),
    "cache of a sum that is read on the way": Case(
        row_sum(inside=READS_SUM), 'cache_write(C, "C", "local")', "TW0406", "code inside the loops of its reduction"
    ),
    "reduction without its init": Case(NO_INIT, "compute_at(C, x)", "TW0406", "is a reduction without its init"),
    "factor of a parallel loop": Case(
        row_sum().replace("%k = 0 to 5 {", "%k = 0 to 5 kind parallel {"), "rfactor(k)", "TW0411", "it is parallel"
    ),
    "factor of a result that the reduction indexes": Case(
        row_sum().replace("%C[%vi]", "%C[%vk]"), "rfactor(k)", "TW0411", "at an element that %vk chooses"
    ),
    "factor of a loop with other code": Case(row_sum(inside=READS_SUM), "rfactor(k)", "TW0411", "it holds 2 blocks"),
    "factor under a joint guard": Case(
        row_sum(guard="where (%i + %k < 9)"), "rfactor(k)", "TW0411", "is over the reduction and the result at once"
    ),
    "padding under a condition": Case(CONDITION, "pad_einsum(C, [4, 1, 1])", "TW0406", "without a condition"),
    "reindex of what is read first": Case(FIRST_READS, 'reindex(B, "B")', "TW0406", "reads %B before it writes it"),
    "reindex of a guarded store": Case(GUARDED, 'reindex(B, "B")', "TW0406", "should write %B without a guard"),
    "consumer that may leave elements out": Case(
        LATE_START, "reverse_compute_at(C, i)", "TW0406", "block 'C' is not certain to run all of its domain"
    ),
    "consumer of a later loop too": Case(
        BOTH, "reverse_compute_at(L, i)", "TW0406", "reads %C of block 'C' after loop %i"
    ),
    "consumer that would overtake": Case(
        OVERTAKING, "reverse_compute_at(L, i)", "TW0406", "shares %D with block 'C', which it would overtake"
    ),
    "producer with control flow": Case(CONTROL, "reverse_compute_inline(C)", "TW0406", "has control flow in its body"),
    "consumer before its producer": Case(
        CONSUMER_FIRST, "reverse_compute_inline(C)", "TW0406", "should come after the loops of block 'B'"
    ),
    "consumer that leaves elements out, inline": Case(
        LATE_START, "reverse_compute_inline(C)", "TW0401", "does not run in every iteration in which block 'B' does"
    ),
    "reindex of several places": Case(NEIGHBOURS, 'reindex(C, "B")', "TW0406", "should access %B at one index"),
    "tiles that start late": Case(PARTLY, "blockize(i)", "TW0433", "expected loop %i to run from 0 to a constant"),
    "layout of what is viewed": Case(
        VIEWED, 'transform_layout(B, "B", lambda i: (i // 2, i % 2))', "TW0406", "shares %B with a loop.view"
    ),
    "prefetch of nothing ahead": Case(PLAIN, 'prefetch("A", i, 0)', "TW0403", "expected an offset of at least 1"),
    "consumer with a value of its loop": Case(
        HIDDEN_AFTER, "reverse_compute_at(C, i)", "TW0406", "uses %h, which is not known before loop %i"
    ),
    "consumer with a value of its loop, inline": Case(
        HIDDEN_AFTER, "reverse_compute_inline(C)", "TW0406", "uses %h, which is not known at block 'B'"
    ),
    "padding of integers by a fraction": Case(
        QUOTIENTS, 'transform_layout(B, "B", lambda i: (i // 4, i % 4), 1.5)', "TW0403", "expected an integer to pad"
    ),
    "consumer of more than the loop produces": Case(
        FILLED_IN_PARTS, "reverse_compute_at(C, i)", "TW0401", "leaves instances of block 'C' out, such as (vj=0)"
    ),
    "root of a part of a reduction": Case(
        PART_OF_SUM, "compute_root(C)", "TW0401", "block 'C' does not run all of its reduction"
    ),
    "reindex of a padding that is computed": Case(
        COMPUTED_PADDING, 'reindex(C, "B")', "TW0406", "computes the values for elements outside of the guard"
    ),
    "tiles under a condition over another loop": Case(
        TILE_BESIDE,
        "blockize(j)",
        "TW0433",
        "its condition -%h * 2 - %j + 5 >= 0 is over more than tiles and positions in them",
    ),
    "factor axis beyond the rank": Case(
        row_sum(), "rfactor(k, -3)", "TW0403", "expected a factor axis from -2 to 1 for %C, but got -3"
    ),
    "prefetch of what is not read": Case(PLAIN, 'prefetch("C", i, 1)', "TW0406", "reads no known part of %C"),
}


@pytest.mark.each("case", CASES.values(), ids=CASES)
def test_refused(case: Case) -> None:
    schedule = Schedule(parse(case.program))
    *before, last = case.calls.split("; ")
    for text in before:
        call(schedule, text)
    function, steps = str(schedule.func), len(schedule.trace.instructions)
    with pytest.raises(TilewrightError) as caught:
        call(schedule, last)
    error = caught.value
    assert error.code == case.code, str(error)
    assert case.part in error.message, str(error)
    assert str(schedule.func) == function, "a refused primitive leaves the function as it was"
    queries = [step.method for step in schedule.trace.instructions[steps:]]
    assert all(method.startswith("get_") for method in queries), "a refused primitive is not in the trace"


INTRINSICS = {
    "no function": ("3", "expected one function with a body"),
    "dynamic shape": ("memref<?xf64>", "expected a description over buffers of constant shapes"),
    "late start": ("%i = 1 to 4", "expected the description's loops to run from 0 to a constant"),
    "two nests": ("  }\n  loop.for %o = 0 to 4 {\n  }\n  func.return", "expected a description of one nest of loops"),
}


@pytest.mark.parametrize(("change", "message"), INTRINSICS.values(), ids=INTRINSICS)
def test_descriptions_of_intrinsics(change: str, message: str) -> None:
    text = """func.func @d(%A: memref<4xf64>, %B: memref<4xf64>) {
  loop.for %i = 0 to 4 {
    loop.block "B" (%vi = spatial(%i) in 4) {
      %a = loop.load %A[%vi] : memref<4xf64>
      loop.store %a, %B[%vi] : memref<4xf64>
    }
  }
  func.return
}"""
    originals = {"3": text, "memref<?xf64>": "memref<4xf64>", "%i = 1 to 4": "%i = 0 to 4"}
    described: object = text.replace(originals.get(change, "  }\n  func.return"), change)
    with pytest.raises(TilewrightError) as caught:
        TensorIntrin.register("described", 3 if described == "3" else described)  # pyright: ignore[reportArgumentType]
    assert caught.value.code == "TW0430"
    assert message in caught.value.message


def test_a_refusal_shows_where_its_call_begins() -> None:
    """Behind another call of the same line."""
    schedule = Schedule(parse(elementwise(8, 4)))
    with pytest.raises(TilewrightError) as caught:
        _ = schedule.get_block("B"), schedule.get_block("Z")
    position = source_position(caught.value.location)
    assert position is not None and position.file == __file__
    line = Path(__file__).read_text().splitlines()[position.line - 1]
    assert line[position.column - 1 :] == 'schedule.get_block("Z")'
