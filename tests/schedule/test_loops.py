"""split, fuse, reorder and set_kind: what they compute, what they refuse."""

from __future__ import annotations

from typing import Any

import pytest
from tilewright import TilewrightError, te, tir
from tilewright.dialects import loop
from tilewright.schedule import Schedule

from .programs import check, elementwise, in_place, matmul, parse, symbolic


def blocks(schedule: Schedule) -> list[loop.BlockOp]:
    return [op for op in schedule.func.walk() if isinstance(op, loop.BlockOp)]


def guards(schedule: Schedule) -> int:
    return sum(len(b.conditions) for b in blocks(schedule))


@pytest.mark.each("extent", [1, 3, 4, 5, 7, 12])
@pytest.mark.parametrize(
    "arguments", [{"factor": 4}, {"nparts": 4}, {"factors": [None, 2, 3]}, {"factors": [2, None, 2]}]
)
def test_split(extent: int, arguments: dict[str, object]) -> None:
    def transform(s: Schedule) -> None:
        i, _ = s.get_loops(s.get_block("B"))
        s.split(i, **arguments)

    schedule = check(elementwise(extent, 3), transform)
    parts = [op.constant_trip_count for op in schedule.func.walk() if isinstance(op, loop.ForOp)][:-1]
    total = 1
    for n in parts:
        total *= n
    assert guards(schedule) == (0 if total == extent else 1)


@pytest.mark.parametrize("n", [1, 3, 4, 5, 11])
def test_split_symbolic(n: int) -> None:
    def transform(s: Schedule) -> None:
        _, j = s.get_loops(s.get_block("B"))
        s.split(j, factor=4)

    schedule = check(symbolic(), transform, {"A": (3, n), "B": (3, n)})
    assert guards(schedule) == 1


PARTS = {
    "as they are": lambda s, parts: None,
    "in parallel": lambda s, parts: s.parallel(parts[0]),
    "by vectors": lambda s, parts: s.vectorize(s.split(parts[-1], factor=4)[1]),
    "the other way around": lambda s, parts: s.reorder(*parts[::-1]),
    "unrolled": lambda s, parts: s.unroll(parts[0]),
    "split again": lambda s, parts: s.parallel(s.split(parts[0], factor=2)[0]),
    "in one loop again": lambda s, parts: s.fuse(*parts),
}


@pytest.mark.sampled(3)
@pytest.mark.each("after", PARTS, shards=3)
@pytest.mark.parametrize("factors", [[4, None], [2, None, 3], [2, 3, None]])
def test_split_a_symbolic_loop_into_a_number_of_parts(factors: list[int | None], after: str) -> None:
    def transform(s: Schedule) -> None:
        _, j = s.get_loops(s.get_block("B"))
        PARTS[after](s, s.split(j, factors))

    for n in (0, 1, 4, 5, 23):
        check(symbolic(), transform, {"A": (3, n), "B": (3, n)})


@pytest.mark.parametrize("order", ["rows first", "columns first"])
def test_tiles_by_their_number_of_symbolic_loops(order: str) -> None:
    def transform(s: Schedule) -> None:
        i, j = s.get_loops(s.get_block("B"))
        pairs = {}
        for name in ("i", "j") if order == "rows first" else ("j", "i"):
            pairs[name] = s.split(i if name == "i" else j, nparts=3 if name == "i" else 4)
        (io, ii), (jo, ji) = pairs["i"], pairs["j"]
        s.reorder(io, jo, ii, ji)
        s.parallel(s.fuse(io, jo))

    for n, m in ((0, 5), (1, 1), (3, 4), (7, 9), (12, 2)):
        check(symbolic(), transform, {"A": (n, m), "B": (n, m)})


def test_split_into_parts_that_depend_on_one_another() -> None:
    """The start of a part is a product of a loop variable and a size; the elements that it writes are still known."""
    text = symbolic().replace("loop.load %A[%vi, %vj]", "loop.load %B[%vi, %vj - 1]").replace("%j = 0", "%j = 1")
    schedule = Schedule(parse(text))
    _, j = schedule.get_loops(schedule.get_block("B"))
    outer, _ = schedule.split(j, nparts=4)
    with pytest.raises(TilewrightError, match="cannot prove that parallelizing loop %jo") as error:
        schedule.parallel(outer)
    assert error.value.code == "TW0402"
    rows = Schedule(parse(text))
    i, j = rows.get_loops(rows.get_block("B"))
    rows.split(j, nparts=4)
    rows.parallel(i)


def test_split_of_a_split_guards_once_each() -> None:
    def transform(s: Schedule) -> None:
        i, _ = s.get_loops(s.get_block("B"))
        _, inner = s.split(i, factor=8)
        s.split(inner, factor=4)

    assert guards(check(elementwise(13, 2), transform)) == 1


@pytest.mark.parametrize(("n", "m"), [(1, 1), (3, 5), (4, 4), (7, 2)])
def test_fuse_and_split_again(n: int, m: int) -> None:
    def transform(s: Schedule) -> None:
        f = s.fuse(*s.get_loops(s.get_block("B")))
        s.split(f, factor=4)

    check(elementwise(n, m), transform)


@pytest.mark.parametrize(("n", "m"), [(1, 1), (3, 5), (4, 4), (7, 2)])
def test_fuse_symbolic_delinearizes(n: int, m: int) -> None:
    def transform(s: Schedule) -> None:
        f = s.fuse(*s.get_loops(s.get_block("B")))
        outer, _ = s.split(f, factor=4)
        s.parallel(outer)

    schedule = check(symbolic(), transform, {"A": (n, m), "B": (n, m)})
    assert any(isinstance(op, loop.DelinearizeOp) for op in schedule.func.walk())


def test_fuse_undoes_split() -> None:
    def transform(s: Schedule) -> None:
        i, _ = s.get_loops(s.get_block("B"))
        s.fuse(*s.split(i, factor=4))

    (block,) = blocks(check(elementwise(8, 3), transform))
    assert len(block.index_list("bindings")[0].terms) == 1


def test_fuse_three_matmul_loops() -> None:
    check(matmul(3, 4, 5, epilogue=False), lambda s: s.fuse(*s.get_loops(s.get_block("C"))))


@pytest.mark.parametrize("order", [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)])
def test_reorder_matmul(order: tuple[int, ...]) -> None:
    def transform(s: Schedule) -> None:
        loops = s.get_loops(s.get_block("C"))
        s.reorder(*(loops[k] for k in order))

    schedule = check(matmul(3, 4, 5, epilogue=False), transform)
    assert not schedule.reassociates


def test_reorder_of_reduction_parts_reassociates() -> None:
    def transform(s: Schedule) -> None:
        k = s.get_loops(s.get_block("C"))[2]
        ko, ki = s.split(k, factor=2)
        s.reorder(ki, ko)

    assert check(matmul(3, 4, 5, epilogue=False), transform).reassociates


def test_reorder_of_fused_reduction_parts_reassociates() -> None:
    """The loops drive the terms through loop.delinearize alone."""
    n = te.var("n")
    a = te.placeholder((2, n, n), name="A")
    k, m = te.reduce_axis((0, n), name="k"), te.reduce_axis((0, n), name="m")
    s = Schedule(te.create_prim_func([a, te.compute((2,), lambda i: te.sum(a[i, k, m], axis=[k, m]), name="B")]))
    _, *terms = s.get_loops(s.get_block("B"))
    outer, inner = s.split(s.fuse(*terms), factors=[None, 2])
    assert not s.reassociates
    s.reorder(inner, outer, assert_legal=True)
    assert s.reassociates


def test_tiled_matmul() -> None:
    def transform(s: Schedule) -> None:
        i, j, k = s.get_loops(s.get_block("C"))
        io, ii = s.split(i, factor=4)
        jo, ji = s.split(j, factor=3)
        ko, ki = s.split(k, factor=2)
        s.reorder(io, jo, ko, ii, ki, ji)
        s.parallel(s.fuse(io, jo))
        s.vectorize(ji)
        s.unroll(ii)

    check(matmul(6, 7, 5, epilogue=False), transform)


@pytest.mark.parametrize(
    ("first", "second", "legal"),
    [
        ("%vi - 1", "%vj + 1", False),
        ("%vi - 1", "%vj - 1", True),
        ("%vi - 1", "%vj", True),
        ("%vi", "%vj - 1", True),
        ("%vi + 1", "%vj - 1", False),
        ("%vj", "%vi", False),
    ],
)
def test_reorder_in_place_stencil(first: str, second: str, legal: bool) -> None:
    text = in_place(first, second)

    def transform(s: Schedule) -> None:
        i, j = s.get_loops(s.get_block("S"))
        s.reorder(j, i)

    if legal:
        check(text, transform)
        return
    with pytest.raises(TilewrightError) as error:
        transform(Schedule(parse(text)))
    assert error.value.code == "TW0401"


def test_reorder_names_the_counter_example() -> None:
    schedule = Schedule(parse(in_place("%vi - 1", "%vj + 1", 4)))
    i, j = schedule.get_loops(schedule.get_block("S"))
    before = str(schedule.func)
    with pytest.raises(TilewrightError) as error:
        schedule.reorder(j, i)
    assert error.value.message == (
        "reorder: the order %j, %i of block 'S' is illegal: (i=1, j=2) must run before (i=2, j=1)"
    )
    assert error.value.notes[0] == "(i=1, j=2) writes %A[1, 2], which (i=2, j=1) reads after it"
    assert "test_loops.py" in str(error.value).splitlines()[0]
    assert str(schedule.func) == before
    assert [step.method for step in schedule.trace.instructions] == ["get_block", "get_loops"]


def test_parallel_refuses_reduction_loop() -> None:
    schedule = Schedule(parse(matmul(4, 4, 2, epilogue=False)))
    _, _, k = schedule.get_loops(schedule.get_block("C"))
    for attempt in (schedule.parallel, schedule.vectorize):
        with pytest.raises(TilewrightError) as error:
            attempt(k)
        assert error.value.code == "TW0401"
        assert "loop %k of block 'C' is illegal: (k=0) must run before (k=1)" in error.value.message
    schedule.unroll(k)


@pytest.mark.parametrize(("first", "second"), [("%vi - 1", "%vj"), ("%vi + 1", "%vj"), ("%vj", "%vi")])
def test_parallel_refuses_stencil(first: str, second: str) -> None:
    schedule = Schedule(parse(in_place(first, second)))
    i, _ = schedule.get_loops(schedule.get_block("S"))
    with pytest.raises(TilewrightError, match="parallelizing loop %i of block 'S' is illegal"):
        schedule.parallel(i)


def test_parallel_accepts_loop_without_dependence() -> None:
    def transform(s: Schedule) -> None:
        _, j = s.get_loops(s.get_block("S"))
        s.parallel(j)

    check(in_place("%vi - 1", "%vj"), transform)


def test_vectorize_needs_constant_extent() -> None:
    schedule = Schedule(parse(symbolic()))
    _, j = schedule.get_loops(schedule.get_block("B"))
    with pytest.raises(TilewrightError, match="needs a constant number of iterations") as error:
        schedule.vectorize(j)
    assert error.value.code == "TW0403"


GATHER = """
func.func @k(%A: memref<8xf64>, %I: memref<8xindex>, %B: memref<8xf64> {tw.output}) {
  loop.for %i = 0 to 8 {
    loop.block "G" (%vi = spatial(%i) in 8) {
      %x = loop.load %I[%vi] : memref<8xindex>
      %a = loop.load %A[%vi] : memref<8xf64>
      loop.store %a, %B[%x] : memref<8xf64>
    }
  }
  func.return
}"""


def test_data_dependent_index_is_unknown_unless_asserted() -> None:
    schedule = Schedule(parse(GATHER))
    (i,) = schedule.get_loops(schedule.get_block("G"))
    with pytest.raises(TilewrightError, match="depends on data") as error:
        schedule.parallel(i)
    assert error.value.code == "TW0402"
    schedule.set_kind(i, "parallel", assert_legal=True)
    assert schedule.loop(i).kind == loop.PARALLEL


def refusal(text: str, label: str, attempt) -> TilewrightError:
    schedule = Schedule(parse(text))
    before = str(schedule.func)
    with pytest.raises(TilewrightError) as error:
        attempt(schedule, schedule.get_loops(schedule.get_block(label)))
    assert str(schedule.func) == before
    return error.value


def test_bad_arguments_are_refused() -> None:
    text = elementwise(8, 8)
    for attempt, message in [
        (lambda s, at: s.split(at[0], factor=0), "expected positive integers as factors, but got 0"),
        (lambda s, at: s.split(at[0], [4]), "expected two or more factors"),
        (lambda s, at: s.split(at[0], [None, None]), "at most one of them None"),
        (lambda s, at: s.split(at[0], [2, 3]), "give 6 iterations, too few for the 8"),
        (lambda s, at: s.split(at[0]), "expected one of factors, factor and nparts"),
        (lambda s, at: s.fuse(at[0]), "expected two or more loops"),
        (lambda s, at: s.reorder(at[0], at[0]), "expected different loops"),
        (lambda s, at: s.set_kind(at[0], "wavy"), "expected a loop kind"),
        (lambda s, at: s.split(s.get_block("B"), factor=2), "expected a loop for 'loop', but got <block 'B'>"),
    ]:
        error = refusal(text, "B", attempt)
        assert error.code == "TW0403"
        assert message in error.message


def test_split_after_kind_is_refused() -> None:
    schedule = Schedule(parse(elementwise(8, 8)))
    i, j = schedule.get_loops(schedule.get_block("B"))
    schedule.parallel(i)
    with pytest.raises(TilewrightError, match="loop %i is parallel"):
        schedule.split(i, factor=2)
    with pytest.raises(TilewrightError, match="differ in kind: parallel and serial"):
        schedule.fuse(i, j)


def test_symbolic_split_needs_a_part_that_is_computed() -> None:
    error = refusal(symbolic(), "B", lambda s, at: s.split(at[0], [4, 8]))
    assert error.code == "TW0403"
    assert "symbolic (%n)" in error.message


def test_fuse_needs_perfect_nesting() -> None:
    text = matmul(4, 4, 4)
    error = refusal(text, "C", lambda s, at: s.fuse(at[0], at[2]))
    assert error.code == "TW0405"
    assert "expected loop %i to hold nothing but loop %k" in error.message


def test_reorder_needs_one_nest() -> None:
    schedule = Schedule(parse(matmul(4, 4, 4)))
    i, *_ = schedule.get_loops(schedule.get_block("C"))
    x, _ = schedule.get_loops(schedule.get_block("E"))
    with pytest.raises(TilewrightError, match="on the way to loop %i") as error:
        schedule.reorder(x, i)
    assert error.value.code == "TW0405"


TRIANGLE = """
func.func @k(%A: memref<8x8xf64>, %B: memref<8x8xf64> {tw.output}) {
  loop.for %i = 0 to 8 {
    loop.for %j = 0 to %i + 1 {
      loop.block "T" (%vi = spatial(%i) in 8, %vj = spatial(%j) in 8) {
        %a = loop.load %A[%vi, %vj] : memref<8x8xf64>
        loop.store %a, %B[%vi, %vj] : memref<8x8xf64>
      }
    }
  }
  func.return
}"""


def test_triangular_bounds() -> None:
    for attempt in (lambda s, at: s.reorder(at[1], at[0]), lambda s, at: s.fuse(*at)):
        error = refusal(TRIANGLE, "T", attempt)
        assert error.code == "TW0405"

    def transform(s: Schedule) -> None:
        i, j = s.get_loops(s.get_block("T"))
        s.split(j, factor=3)
        s.split(i, factor=3)

    check(TRIANGLE, transform)


def test_stale_and_unknown_handles() -> None:
    schedule = Schedule(parse(elementwise(8, 8)))
    i, j = schedule.get_loops(schedule.get_block("B"))
    schedule.split(i, factor=2)
    with pytest.raises(TilewrightError, match="it was split by an earlier primitive") as error:
        schedule.split(i, factor=2)
    assert error.value.code == "TW0404"
    with pytest.raises(TilewrightError, match="expected one block 'X', but got 0; the blocks are 'B'") as error:
        schedule.get_block("X")
    assert error.value.code == "TW0407"
    with pytest.raises(TilewrightError, match="expected a handle of this schedule"):
        Schedule(parse(elementwise(8, 8))).split(j, factor=2)


LOOPS_ONLY = """
func.func @k(%A: memref<10x6xf64>, %B: memref<10x6xf64> {tw.output}) {
  loop.for %i = 0 to 10 {
    loop.for %j = 0 to 6 {
      %a = loop.load %A[%i, %j] : memref<10x6xf64>
      %x = loop.apply (%i + %j) : index
      %c = loop.test (%i < 3) : i1
      %b = arith.addf %a, %a : f64
      %r = arith.select %c, %a, %b : f64
      loop.store %r, %B[%i, %j] : memref<10x6xf64>
    }
  }
  func.return
}"""


def test_loops_without_blocks() -> None:
    def transform(s: Schedule) -> None:
        i, j = s.get_loop("i"), s.get_loop("j")
        s.reorder(j, i)
        io, ii = s.split(i, factor=4)
        s.parallel(s.fuse(j, io))
        s.unroll(ii)

    schedule = check(LOOPS_ONLY, transform)
    (outer,) = schedule.get_child_loops()
    assert schedule.get_child_loops(outer)[0].variable == "ii"
    assert sum(isinstance(op, loop.IfOp) for op in schedule.func.walk()) == 1


def test_accumulation_without_blocks_is_a_dependence() -> None:
    schedule = Schedule(parse(LOOPS_ONLY.replace("loop.load %A[%i, %j]", "loop.load %B[%i - %i, %j]")))
    with pytest.raises(TilewrightError, match=r"\(i=0\) must run before"):
        schedule.parallel(schedule.get_loop("i"))


def annotated(outer: int | None, inner: int | None) -> tuple[tir.Schedule, list[Any]]:
    a = te.placeholder((8, 4), name="A")
    sch = tir.Schedule(te.create_prim_func([a, te.compute((8, 4), lambda i, j: a[i, j] + 1, name="B")]))
    loops = sch.get_loops(sch.get_block("B"))
    for handle, value in zip(loops, (outer, inner), strict=True):
        if value is not None:
            sch.annotate(handle, "note", value)
    return sch, loops


@pytest.mark.parametrize(("outer", "inner", "kept"), [(1, None, 1), (None, 2, 2), (3, 3, 3), (None, None, None)])
def test_fused_loops_keep_annotations(outer: int | None, inner: int | None, kept: int | None) -> None:
    sch, loops = annotated(outer, inner)
    sch.fuse(*loops)
    assert ("note" in str(sch.mod)) == (kept is not None)
    assert kept is None or f"note = {kept} : i64" in str(sch.mod)


def test_fused_loops_do_not_differ_in_annotations() -> None:
    sch, loops = annotated(1, 2)
    with pytest.raises(TilewrightError, match="TW0403.*differ in annotation 'note'"):
        sch.fuse(*loops)
    assert len(sch.get_loops(sch.get_block("B"))) == 2
