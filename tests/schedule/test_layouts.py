"""Layouts of buffers and blocks: index maps, transform_layout, transform_block_layout, reindex."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from tilewright import TilewrightError
from tilewright.analysis.integer_set import PROVED, Refuted
from tilewright.dialects import loop
from tilewright.dialects.index_expr import Index
from tilewright.schedule import Schedule
from tilewright.schedule.index_map import IndexMap

from .compiled import check_compiled
from .programs import chain, check, conv, elementwise, matmul, parse, symbolic, symbolic_matmul

MAPS: list[tuple[Any, tuple[int, ...], bool]] = [
    (lambda i, j: (i // 8, j, i % 8), (12, 3), True),
    (lambda i, j: (i // 2, j // 4, i % 2, j % 4), (5, 7), True),
    (lambda i, j: (j, i), (4, 5), True),
    (lambda i, j: i * 5 + j, (4, 5), True),
    (lambda i, j: (i * 8 + j,), (4, 5), True),
    (lambda i: (i % 2, i // 2 % 3, i // 6), (13,), True),
    (lambda i, j: (i // 2, (i % 2) * 7 + j), (5, 7), True),
    (lambda i, j: (i + j, j), (4, 5), False),
    (lambda i: ((i // 3) * 4 + i % 3,), (6,), False),
    (lambda i, j: (i * 4 + j,), (4, 5), False),
    (lambda i: (i // 2,), (4,), False),
]


@pytest.mark.parametrize(("function", "extents", "inverts"), MAPS)
def test_index_maps_against_enumeration(function: Any, extents: tuple[int, ...], inverts: bool) -> None:
    found = IndexMap.of(function)
    assert IndexMap.of(str(found)) == found
    assert eval(repr(found)) == found
    sizes = [Index.of(n) for n in extents]
    points = list(product(*map(range, extents)))
    images = [tuple(e.constant for e in found(*point)) for point in points]
    assert [n.constant for n in found.extents(sizes) or ()] == [max(axis) + 1 for axis in zip(*images, strict=True)]
    verdict = found.is_injective(sizes)
    assert (verdict == PROVED) == (len(set(images)) == len(images))
    assert verdict == PROVED or isinstance(verdict, Refuted)
    inverse = found.inverse(sizes)
    assert (inverse is not None) == inverts
    if inverse is not None:
        assert [tuple(e.constant for e in inverse(*image)) for image in images] == points
        box = product(*(range(n.constant) for n in found.extents(sizes) or ()))
        padding = {image for image in box if tuple(e.constant for e in inverse(*image)) not in set(points)}
        assert padding.isdisjoint(images)
        assert len(padding) + len(images) == len(set(padding) | set(images))


@pytest.mark.parametrize(
    "given",
    [
        "(i -> (i)",
        "(i) -> (i +)",
        "(i) -> (j)",
        "(i) -> (i floordiv 0)",
        "(i, j) -> (i * j)",
        lambda i, j: (i * j,),
        lambda i: (i / 2,),
        lambda *i: i,
        lambda i: ("i",),
        7,
    ],
)
def test_what_is_no_index_map(given: Any) -> None:
    with pytest.raises(TilewrightError) as error:
        IndexMap.of(given)
    assert error.value.code == "TW0418"
    assert "lambda i, j" in (error.value.help or "")


def refused(text: str, transform: Any, code: str, message: str, help: str = "") -> None:
    schedule = Schedule(parse(text))
    with pytest.raises(TilewrightError) as error:
        transform(schedule)
    assert error.value.code == code
    assert message in error.value.message
    assert help in (error.value.help or "")


def shape_of(s: Schedule, name: str) -> tuple[int, ...]:
    type = s.buffer(name).type
    return tuple(type.get_shape())  # pyright: ignore


@pytest.mark.parametrize("m", [1, 4, 5, 8, 11])
@pytest.mark.parametrize("pad_value", [None, 0])
def test_layout_of_an_intermediate(m: int, pad_value: float | None) -> None:
    def transform(s: Schedule) -> None:
        s.transform_layout(s.get_block("C"), ("write", 0), lambda i, j: (j // 4, i, j % 4), pad_value)

    s = check_compiled(matmul(3, m, 5), transform)
    assert shape_of(s, "C") == (-(-m // 4), 3, min(m, 4))
    labels = [op.label for op in s.func.walk() if isinstance(op, loop.BlockOp)]
    assert ("C_pad" in labels) == (pad_value is not None and m in (5, 11))


@pytest.mark.parametrize("n", [1, 3, 8, 13])
def test_layout_of_a_symbolic_buffer(n: int) -> None:
    def transform(s: Schedule) -> None:
        s.transform_layout(s.get_block("C"), "C", lambda i, j: (j // 4, i, j % 4), pad_value=-1.0)

    check_compiled(symbolic_matmul(), transform, {"A": (3, 2), "B": (2, n), "E": (3, n)})


def test_padding_is_filled_and_nothing_else() -> None:
    """A consumer that reads all of the padded buffer sees the value in the padding."""
    text = """
func.func @k(%A: memref<5xf64>, %B: memref<2x4xf64> {tw.output}) {
  %T = loop.alloc : memref<5xf64>
  loop.for %i = 0 to 5 {
    loop.block "T" (%vi = spatial(%i) in 5) {
      %a = loop.load %A[%vi] : memref<5xf64>
      loop.store %a, %T[%vi] : memref<5xf64>
    }
  }
  func.return
}"""
    schedule = Schedule(parse(text))
    schedule.transform_layout(schedule.get_block("T"), "T", lambda i: (i // 4, i % 4), pad_value=7)
    copy = """
  loop.for %i = 0 to 2 { loop.for %j = 0 to 4 {
    %t = loop.load %T[%i, %j] : memref<2x4xf64>
    loop.store %t, %B[%i, %j] : memref<2x4xf64> } }
  func.return"""
    from .programs import execute, interpret

    module = parse(str(schedule.func).replace("  func.return", copy))
    for run in (execute, interpret):
        (result,) = run(module)
        assert result.reshape(8)[5:].tolist() == [7.0, 7.0, 7.0]
        assert abs(result.reshape(8)[:5]).max() <= 5


def test_layouts_that_are_refused() -> None:
    text = matmul(3, 4, 5)
    swap = lambda i, j: (j, i)  # noqa: E731
    refused(
        text,
        lambda s: s.transform_layout(s.get_block("C"), ("read", 1), swap),
        "TW0419",
        "transform_layout: %B, used by block 'C', is not allocated in this function",
        "cache_read(block, 'B', 'global')",
    )
    refused(text, lambda s: s.transform_layout(s.get_block("C"), "C", lambda i: i), "TW0418", "an index map of 2")
    refused(
        text, lambda s: s.transform_layout(s.get_block("C"), "C", lambda i, j: (i - j, j)), "TW0418", "never negative"
    )
    refused(
        text,
        lambda s: s.transform_layout(s.get_block("C"), "C", lambda i, j: (i, j // 2)),
        "TW0418",
        "and another element of block 'C' to [",
    )
    refused(
        text,
        lambda s: s.transform_layout(s.get_block("C"), "C", lambda i, j: (i + j, j), 0),
        "TW0418",
        "padding of %C cannot be distinguished from elements",
    )
    refused(text, lambda s: s.transform_layout(s.get_block("C"), ("read", 7), swap), "TW0407", "it reads %A, %B")
    refused(text, lambda s: s.transform_layout(s.get_block("C"), ("both", 7), swap), "TW0403", "by name, as a value")


@pytest.mark.parametrize(("n", "m"), [(8, 12), (3, 5), (1, 1), (4, 9)])
def test_block_layout(n: int, m: int) -> None:
    def transform(s: Schedule) -> None:
        b = s.get_block("B")
        s.transform_block_layout(b, lambda i, j: (j // 4, i, j % 4))
        *_, last = s.get_loops(b)
        s.vectorize(last)

    check_compiled(elementwise(n, m), transform)
    check_compiled(elementwise(n, m), lambda s: s.transform_block_layout(s.get_block("B"), "(i, j) -> (i * 16 + j)"))


@pytest.mark.parametrize("n", [1, 4, 7])
def test_block_layout_of_symbolic_sizes(n: int) -> None:
    def transform(s: Schedule) -> None:
        s.transform_block_layout(s.get_block("B"), lambda i, j: (j // 4, i, j % 4))

    check_compiled(symbolic(), transform, {"A": (3, n), "B": (3, n)})


@pytest.mark.parametrize("k", [1, 4, 6])
def test_block_layout_of_a_reduction(k: int) -> None:
    def transform(s: Schedule) -> None:
        s.transform_block_layout(s.get_block("C"), lambda i, j, k: (k % 2, j, k // 2, i))
        assert s.reassociates == (k > 1)

    check_compiled(matmul(3, 4, k), transform)


def test_block_layout_inside_a_shared_loop() -> None:
    def transform(s: Schedule) -> None:
        e = s.get_block("E")
        _, y = s.get_loops(e)
        yo, _ = s.split(y, factor=8)
        c = s.get_block("C")
        s.compute_at(c, yo)
        s.transform_block_layout(c, lambda i, j, k: (i, j // 4, k, j % 4))

    check_compiled(matmul(3, 16, 5), transform)
    check_compiled(matmul(3, 11, 5), transform)


def test_block_layouts_that_are_refused() -> None:
    text = matmul(3, 4, 5)
    refused(
        text,
        lambda s: s.transform_block_layout(s.get_block("C"), lambda i, j, k: (i * 20 + j * 5 + k,)),
        "TW0406",
        "spatial and reduce variables in one",
    )
    refused(
        text,
        lambda s: s.transform_block_layout(s.get_block("C"), lambda i, j, k: (i + j, j, k)),
        "TW0418",
        "no inverse",
    )
    from .programs import in_place

    refused(
        in_place("%vi - 1", "%vj"),
        lambda s: s.transform_block_layout(s.get_block("S"), lambda i, j: (j, i)),
        "TW0401",
        "running loop %i in another order of block 'S' is illegal",
    )

    def vectorized(s: Schedule) -> None:
        b = s.get_block("B")
        s.vectorize(s.get_loops(b)[1])
        s.transform_block_layout(b, lambda i, j: (j, i))

    refused(elementwise(3, 4), vectorized, "TW0406", "kinds come afterwards")


def test_reindex_of_reads_and_writes() -> None:
    def transform(s: Schedule) -> None:
        c = s.get_block("C")
        copy = s.reindex(c, ("read", 0))
        assert shape_of(s, "P_reindex") == (4, 4, 2, 3, 3)
        s.parallel(s.get_loops(copy)[0])
        back = s.reindex(c, ("write", 0))
        s.vectorize(s.get_loops(back)[-1])

    check_compiled(conv(2, 6, 3, 3), transform)


def test_reindex_keeps_guards() -> None:
    check_compiled(conv(2, 4, 3, 3, pad=1), lambda s: s.reindex(s.get_block("P"), "X"))
    check_compiled(
        symbolic_matmul(), lambda s: s.reindex(s.get_block("C"), "B"), {"A": (3, 2), "B": (2, 4), "E": (3, 4)}
    )


def test_reindex_refusals() -> None:
    text = matmul(3, 4, 5)
    refused(text, lambda s: s.reindex(s.get_block("C"), "E"), "TW0406", "should read or write %E")
    refused(
        elementwise(4, 4)
        .replace("loop.for %i = 0 to 4", "loop.for %i = 0 to 4 ")
        .replace("in 4) {", "in 4) where (%i - %j >= 0) {"),
        lambda s: s.reindex(s.get_block("B"), "A"),
        "TW0402",
        "runs all of a box",
    )


@pytest.mark.parametrize("scope", ["global", "local"])
def test_cache_with_another_layout(scope: str) -> None:
    def transform(s: Schedule) -> None:
        c = s.get_block("C")
        copy = s.cache_read(c, 1, scope)
        s.transform_layout(copy, 0, lambda k, j: (j // 4, k, j % 4))
        s.transform_block_layout(copy, lambda k, j: (j // 4, k, j % 4))

    check_compiled(matmul(3, 11, 5), transform)
    s = check_compiled(matmul(3, 8, 5), transform)
    assert all(not b.conditions for b in s.func.walk() if isinstance(b, loop.BlockOp))


def test_one_cache_for_several_consumers() -> None:
    text = chain(8).replace(
        "  func.return",
        """  loop.for %z = 0 to 8 {
    loop.block "D" (%vz = spatial(%z) in 8) {
      %a = loop.load %A[%vz] : memref<8xf64>
      %c = loop.load %C[%vz] : memref<8xf64>
      %d = arith.addf %a, %c : f64
      loop.store %d, %C[%vz] : memref<8xf64>
    }
  }
  func.return""",
    )

    def transform(s: Schedule) -> None:
        copy = s.cache_read(s.get_block("D"), "A", "local", consumer_blocks=[s.get_block("B")])
        assert len(s.get_consumers(copy)) == 2

    check_compiled(text, transform)
    overwritten = text.replace("loop.store %d, %C", "loop.store %d, %A").replace(
        "%c = loop.load %C", "%c = loop.load %A"
    )
    refused(overwritten, transform, "TW0406", "should read %A directly and not write it")


def test_block_layout_without_loops() -> None:
    def transform(s: Schedule) -> None:
        (j,) = s.get_loops(s.get_block("C"))
        s.compute_at(s.get_block("B"), j)
        s.transform_block_layout(s.get_block("B"), lambda i: (i // 4, i % 4))

    check_compiled(chain(6), transform)


def test_refusals_leave_the_program_alone() -> None:
    integers = matmul(3, 4, 5).replace("f64", "i32").replace("0.0 : i32", "0 : i32")
    integers = integers.replace("mulf", "muli").replace("addf", "addi").replace("maximumf", "maxsi")
    s = Schedule(parse(integers))
    before = str(s.func)
    with pytest.raises(TilewrightError, match="expected an integer to pad elements of type i32 with, but got 0.5"):
        s.transform_layout(s.get_block("C"), 0, lambda i, j: (i // 2, j, i % 2), 0.5)
    assert str(s.func) == before

    divides = elementwise(3, 5).replace("f64", "i32").replace("2.0 : i32", "2 : i32").replace("mulf", "divsi")
    s = Schedule(parse(divides))
    before = str(s.func)
    with pytest.raises(TilewrightError, match="divides integers, which instances added as padding must not do"):
        s.transform_block_layout(s.get_block("B"), lambda i, j: (i, j // 4, j % 4))
    assert str(s.func) == before
    s.transform_block_layout(s.get_block("B"), lambda i, j: (j, i))


def under_a_condition() -> str:
    """Return blocks without loops of their own in a loop that runs them once: their guards speak of that loop alone."""
    return """
func.func @k(%A: memref<1x1xf64>, %C: memref<1x1xf64> {tw.output}) {
  loop.for %a = 0 to 2 {
    %P = loop.alloc : memref<1x1xf64>
    loop.block "P" (%vi = spatial(0) in 1, %vj = spatial(0) in 1) where (%a < 1) {
      %x = loop.load %A[%vi, %vj] : memref<1x1xf64>
      loop.store %x, %P[%vi, %vj] : memref<1x1xf64>
    }
    loop.block "C" (%vi = spatial(0) in 1, %vj = spatial(0) in 1) where (%a < 1) {
      %x = loop.load %P[%vi, %vj] : memref<1x1xf64>
      %y = arith.addf %x, %x : f64
      loop.store %y, %C[%vi, %vj] : memref<1x1xf64>
    }
  }
  func.return
}"""


@pytest.mark.parametrize(
    "transform",
    [
        lambda s: s.transform_block_layout(s.get_block("C"), "(i, j) -> (j, i)"),
        lambda s: s.transform_block_layout(s.get_block("C"), "(i, j) -> (i, j floordiv 4, j mod 4)"),
        lambda s: s.reindex(s.get_block("C"), ("read", 0)),
        lambda s: s.reindex(s.get_block("C"), ("write", 0)),
        lambda s: s.cache_read(s.get_block("C"), "P", "local"),
        lambda s: s.cache_write(s.get_block("C"), "C", "local"),
        lambda s: s.add_unit_loop(s.get_block("C")),
    ],
)
def test_guards_over_outer_loops_stay(transform) -> None:
    check(under_a_condition(), transform)


def test_a_block_over_tiles_is_not_padded() -> None:
    schedule = Schedule(parse(elementwise(5, 3)))
    outer = schedule.blockize(schedule.get_loops(schedule.get_block("B"))[1])
    before = str(schedule.func)
    with pytest.raises(TilewrightError, match="TW0406.*holds blocks"):
        schedule.transform_block_layout(outer, "(i) -> (i floordiv 4, i mod 4)")
    assert str(schedule.func) == before
