"""compute_at, compute_inline, caches and decompose_reduction: what they compute, what they refuse."""

from __future__ import annotations

import pytest
from tilewright import TilewrightError
from tilewright.dialects import loop
from tilewright.schedule import Schedule

from .calls import call
from .programs import chain, check, conv, elementwise, matmul, parse, symbolic_matmul, verify


def blocks(schedule: Schedule) -> dict[str, loop.BlockOp]:
    return {op.label: op for op in schedule.func.walk() if isinstance(op, loop.BlockOp)}


def tile_matmul(s: Schedule) -> None:
    """Schedule the register-tiled kernel: rows by 3, columns by 4."""
    x, y = s.get_loops(s.get_block("E"))
    xo, xi = s.split(x, factor=3)
    yo, yi = s.split(y, factor=4)
    s.reorder(xo, yo, xi, yi)
    c = s.get_block("C")
    s.compute_at(c, yo)
    s.set_scope("C", "register")
    inner = s.get_loops(c)[2:]
    *tile, k = inner
    s.reorder(k, *tile)
    init = s.decompose_reduction(c, k)
    for handle in (*tile[:-1], xi):
        s.unroll(handle)
    for handle in (*tile[-1:], yi, *s.get_loops(init)[-1:]):
        s.vectorize(handle)
    s.parallel(s.fuse(xo, yo))


@pytest.mark.parametrize("n", [2, 3, 4, 7])
@pytest.mark.each("m", [1, 3, 4, 5, 11])
def test_register_tiled_matmul(n: int, m: int) -> None:
    if m == 1 or n < 3:
        return
    schedule = check(matmul(n, m, 5), tile_matmul)
    assert [b.label for b in schedule.func.walk() if isinstance(b, loop.BlockOp)] == ["C_init", "C", "E"]


@pytest.mark.parametrize(("n", "d", "m"), [(1, 2, 1), (2, 3, 4), (4, 1, 5), (7, 2, 3)])
def test_register_tiled_symbolic_matmul(n: int, d: int, m: int) -> None:
    schedule = check(symbolic_matmul(), tile_matmul, {"A": (n, d), "B": (d, m), "E": (n, m)})
    counts = [op.constant_trip_count for op in schedule.func.walk() if isinstance(op, loop.ForOp)]
    assert counts == [None, 3, 4, None, 3, 4, 3, 4]


def test_symbolic_caches() -> None:
    def transform(s: Schedule) -> None:
        e = s.get_block("E")
        s.cache_write(e, "E", "local")
        c = s.get_block("C")
        copy = s.cache_read(c, "A", "local")
        s.compute_at(copy, s.get_loops(c)[0])

    check(symbolic_matmul(), transform, {"A": (3, 2), "B": (2, 4), "E": (3, 4)})


def test_register_tiled_matmul_has_no_guards_where_tiles_divide() -> None:
    schedule = check(matmul(6, 8, 5), tile_matmul)
    assert all(b.conditions == () for b in blocks(schedule).values())
    alloc = next(op for op in schedule.func.walk() if isinstance(op, loop.AllocOp))
    assert isinstance(alloc.parent_op(), loop.ForOp)
    assert loop.scope_of(alloc.res.type) == "register"


@pytest.mark.parametrize(("n", "m"), [(6, 8), (7, 5), (3, 4)])
def test_matmul_without_epilogue_goes_through_cache_write(n: int, m: int) -> None:
    def transform(s: Schedule) -> None:
        c = s.get_block("C")
        copy = s.cache_write(c, "C", "register")
        i, j = s.get_loops(copy)
        io, ii = s.split(i, factor=3)
        jo, ji = s.split(j, factor=4)
        s.reorder(io, jo, ii, ji)
        s.compute_at(c, jo)
        *tile, k = s.get_loops(c)[2:]
        s.reorder(k, *tile)
        s.decompose_reduction(c, k)
        s.parallel(io)

    schedule = check(matmul(n, m, 5, epilogue=False), transform)
    assert schedule.buffer("C_register").name_hint == "C_register"


@pytest.mark.parametrize(("kernel", "stride", "pad"), [(1, 1, 0), (3, 1, 1), (3, 2, 1), (1, 2, 0), (2, 3, 0)])
@pytest.mark.parametrize("size", [5, 6])
def test_convolution(kernel: int, stride: int, pad: int, size: int) -> None:
    def transform(s: Schedule) -> None:
        f, h, w = s.get_loops(s.get_block("E"))
        fo, fi = s.split(f, factor=2)
        wo, wi = s.split(w, factor=2)
        s.reorder(fo, h, wo, fi, wi)
        c, p = s.get_block("C"), s.get_block("P")
        s.compute_at(c, wo)
        s.set_scope("C", "register")
        below = s.get_loops(c)[3:]
        reduce, tile = below[-3:], below[:-3]
        s.reorder(*reduce, *tile)
        s.decompose_reduction(c, reduce[0])
        s.compute_at(p, h)
        s.parallel(s.fuse(fo, h))

    check(conv(2, size, 3, kernel, stride, pad), transform)


def test_pad_region_of_a_strided_row() -> None:
    schedule = Schedule(parse(conv(2, 8, 2, 3, 2, 1)))
    c, p = schedule.get_block("C"), schedule.get_block("P")
    h = schedule.get_loops(c)[1]
    schedule.compute_at(p, h)
    loops = [schedule.loop(handle) for handle in schedule.get_loops(p)]
    assert [op.constant_trip_count for op in loops] == [2, 4, 2, 3, 9]
    assert [str(e) for e in schedule.block(p).index_list("bindings")] == ["%c", "%h * 2 + %y", "%x"]
    assert schedule.block(p).conditions == ()


def test_inlined_pad() -> None:
    check(conv(2, 5, 2, 3, 1, 1), lambda s: s.compute_inline(s.get_block("P")))


@pytest.mark.parametrize("n", [1, 3, 4, 5, 7])
@pytest.mark.parametrize("second", ["%vj", "%vj floordiv 2", "%vj mod 2"])
def test_elementwise_producer(n: int, second: str) -> None:
    if n == 1 and "mod" in second:
        return

    def at(s: Schedule) -> None:
        (j,) = s.get_loops(s.get_block("C"))
        jo, _ = s.split(j, factor=4)
        s.compute_at(s.get_block("B"), jo)
        s.parallel(jo)

    check(chain(n, second), at)
    schedule = check(chain(n, second), lambda s: s.compute_inline(s.get_block("B")))
    assert list(blocks(schedule)) == ["C"]
    assert not any(isinstance(op, loop.AllocOp) for op in schedule.func.walk())


def test_halo_is_computed_twice_and_guarded() -> None:
    text = chain(9).replace("loop.load %B[%vj]", "loop.load %B[%vj - 1] where (%vj >= 1) else %two")

    def transform(s: Schedule) -> None:
        (j,) = s.get_loops(s.get_block("C"))
        jo, _ = s.split(j, factor=4)
        b = s.get_block("B")
        s.compute_at(b, jo)
        s.parallel(jo)

    schedule = check(text, transform)
    assert len(blocks(schedule)["B"].conditions) == 2
    inlined = check(text, lambda s: s.compute_inline(s.get_block("B")))
    assert any(isinstance(op, loop.TestOp) for op in inlined.func.walk())


@pytest.mark.parametrize("n", [1, 4, 9])
def test_cache_read_at_a_tile(n: int) -> None:
    def transform(s: Schedule) -> None:
        b = s.get_block("B")
        copy = s.cache_read(b, "A", "local")
        i, _ = s.get_loops(b)
        io, _ = s.split(i, factor=4)
        s.compute_at(copy, io)
        s.parallel(io)

    schedule = check(elementwise(n, 3), transform)
    assert list(blocks(schedule)) == ["A_read", "B"]


def test_cache_read_of_a_computed_buffer() -> None:
    check(chain(6), lambda s: s.cache_read(s.get_block("C"), "B", "local"))


def test_cache_write_within_a_tile() -> None:
    def transform(s: Schedule) -> None:
        (j,) = s.get_loops(s.get_block("C"))
        jo, _ = s.split(j, factor=4)
        b = s.get_block("B")
        s.compute_at(b, jo)
        s.cache_write(b, "B", "local")

    check(chain(8), transform)


def test_cache_write_holds_the_whole_reduction() -> None:
    def transform(s: Schedule) -> None:
        c = s.get_block("C")
        s.compute_at(s.get_block("P"), s.get_loops(c)[3])
        s.cache_write(c, "C", "local")

    check(conv(2, 3, 2, 2), transform)


def test_decompose_keeps_guards_and_kinds() -> None:
    def transform(s: Schedule) -> None:
        c = s.get_block("C")
        i, j, k = s.get_loops(c)
        jo, ji = s.split(j, factor=4)
        ko, ki = s.split(k, factor=2)
        s.reorder(i, jo, ko, ki, ji)
        s.vectorize(ji)
        init = s.decompose_reduction(c, ko)
        assert s.loop(s.get_loops(init)[-1]).kind == loop.VECTORIZED
        assert len(s.block(init).conditions) == 1
        assert len(s.block(c).conditions) == 2

    check(matmul(3, 6, 5, epilogue=False), transform)


@pytest.mark.parametrize("at", [0, 1, 2])
def test_decompose_drops_guards_over_loops_that_nothing_is_bound_to(at: int) -> None:
    def transform(s: Schedule) -> None:
        c = s.get_block("C")
        i, j, k = s.get_loops(c)
        unit, inside = s.split(s.add_unit_loop(c), factor=2)
        s.reorder(i, j, unit, inside, k)
        init = s.decompose_reduction(c, (unit, inside, k)[at])
        assert len(s.block(c).conditions) == 1
        assert len(s.block(init).conditions) == (1 if at == 2 else 0)

    check(matmul(3, 4, 5, epilogue=False), transform)


WATCHED = """\
func.func @main(%A: memref<8x4xf32>, %C: memref<8xf32> {tw.output}) {
  %zero = arith.constant 0.0 : f32
  loop.for %i = 0 to 8 {
    loop.for %k = 0 to 4 {
      loop.block "C" (%vi = spatial(%i) in 8, %vk = reduce(%k) in 4) {
        loop.init {
          loop.store %zero, %C[%vi] : memref<8xf32>
        }
        %a = loop.load %A[%vi, %vk] : memref<8x4xf32>
        %c = loop.load %C[%vi] : memref<8xf32>
        loop.call_extern "watch"(read %C[%vi] box [1] : memref<8xf32>)
        %s = arith.addf %c, %a : f32
        loop.store %s, %C[%vi] : memref<8xf32>
      }
    }
  }
  func.return
}
"""


@pytest.mark.parametrize("at", ["i", "k"])
def test_decompose_with_foreign_code_that_reads_the_result(at: str) -> None:
    schedule = Schedule(parse(WATCHED))
    init = schedule.decompose_reduction(schedule.get_block("C"), schedule.get_loop(at))
    assert [op.name for op in schedule.block(init).body.block.ops] == ["loop.store"]
    assert schedule.block(schedule.get_block("C")).init is None
    verify(schedule.mod.op)


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_decompose_at_any_loop_outside_the_reduction(depth: int) -> None:
    def transform(s: Schedule) -> None:
        c = s.get_block("C")
        s.decompose_reduction(c, s.get_loops(c)[depth])

    check(matmul(3, 4, 5), transform)


def refused(text: str, attempt, code: str, message: str) -> None:
    schedule = Schedule(parse(text))
    with pytest.raises(TilewrightError) as error:
        attempt(schedule)
    assert message in error.value.message
    assert error.value.code == code


def test_decompose_refusals() -> None:
    def inside_reduction(s: Schedule) -> None:
        c = s.get_block("C")
        i, j, k = s.get_loops(c)
        s.reorder(k, i, j)
        s.decompose_reduction(c, i)

    def twice(s: Schedule) -> None:
        c = s.get_block("C")
        k = s.get_loops(c)[2]
        s.decompose_reduction(c, k)
        s.decompose_reduction(c, k)

    text = matmul(3, 4, 5)
    refused(text, inside_reduction, "TW0403", "loop %k of reduce variable %vk is outside of loop %i")
    refused(text, twice, "TW0406", "should be a reduction with its init")
    refused(
        text,
        lambda s: s.decompose_reduction(s.get_block("C"), s.get_loops(s.get_block("E"))[0]),
        "TW0403",
        "block 'C' is not inside loop %x",
    )


def test_init_cannot_leave_the_loop_of_its_buffer() -> None:
    def transform(s: Schedule) -> None:
        c = s.get_block("C")
        x = s.get_loops(s.get_block("E"))[0]
        s.compute_at(c, x)
        s.decompose_reduction(c, x)

    refused(matmul(3, 4, 5), transform, "TW0406", "uses %C in its init, which is not known before loop %x")


def test_compute_at_refusals() -> None:
    text = matmul(3, 4, 5)

    def after_decompose(s: Schedule) -> None:
        c = s.get_block("C")
        s.decompose_reduction(c, s.get_loops(c)[2])
        s.compute_at(c, s.get_loops(s.get_block("E"))[0])

    def private_loop(s: Schedule) -> None:
        c = s.get_block("C")
        s.compute_at(c, s.get_loops(c)[0])

    refused(
        text, after_decompose, "TW0406", "is not the only one to write %C, a compact dataflow: block 'C_init' does too"
    )
    refused(text, private_loop, "TW0403", "loop %i is an ancestor of block 'C' already")
    refused(
        text,
        lambda s: s.compute_at(s.get_block("E"), s.get_loops(s.get_block("C"))[0]),
        "TW0406",
        "is an output block: %E is seen outside of the function",
    )


TWO_READERS = chain(6).replace(
    "  func.return",
    """  loop.for %k = 0 to 6 {
    loop.block "D" (%vk = spatial(%k) in 6) {
      %b = loop.load %B[%vk] : memref<6xf64>
      %d = loop.load %C[%vk] : memref<6xf64>
      %e = arith.addf %b, %d : f64
      loop.store %e, %C[%vk] : memref<6xf64>
    }
  }
  func.return""",
)


def test_all_consumers_must_be_inside() -> None:
    refused(
        TWO_READERS,
        lambda s: s.compute_at(s.get_block("B"), s.get_loops(s.get_block("C"))[0]),
        "TW0406",
        "is read by block 'D' outside of loop %j, but compute_at requires all the consumers inside",
    )
    check(TWO_READERS, lambda s: s.compute_inline(s.get_block("B")))


OVERWRITTEN = chain(6).replace(
    "  loop.for %j",
    """  loop.for %o = 0 to 6 {
    loop.block "O" (%vo = spatial(%o) in 6) {
      loop.store %two, %A[%vo] : memref<6xf64>
    }
  }
  loop.for %j""",
    1,
)


def test_inputs_must_not_change_in_between() -> None:
    refused(
        OVERWRITTEN,
        lambda s: s.compute_at(s.get_block("B"), s.get_loops(s.get_block("C"))[0]),
        "TW0401",
        "compute_at: computing at loop %j of block 'B' is illegal: (i=",
    )
    refused(
        OVERWRITTEN,
        lambda s: s.compute_inline(s.get_block("B")),
        "TW0401",
        "compute_inline: computing at its consumers of block 'B' is illegal",
    )
    disjoint = OVERWRITTEN.replace("%A[%vo]", "%C[%vo]")
    check(disjoint, lambda s: s.compute_inline(s.get_block("B")))


def test_reduction_cannot_be_inlined() -> None:
    refused(matmul(3, 4, 5), lambda s: s.compute_inline(s.get_block("C")), "TW0406", "is a reduction")


def test_cache_refusals() -> None:
    text = matmul(3, 4, 5)
    refused(text, lambda s: s.cache_write(s.get_block("C"), "E", "local"), "TW0406", "does not write %E")
    refused(text, lambda s: s.cache_read(s.get_block("C"), "E", "local"), "TW0406", "does not read %E")
    refused(text, lambda s: s.cache_read(s.get_block("C"), "X", "local"), "TW0407", "expected a buffer %X")
    refused(text, lambda s: s.set_scope("A", "register"), "TW0406", "%A is not allocated in this function")


def test_partial_reduction_is_not_moved() -> None:
    def transform(s: Schedule) -> None:
        c = s.get_block("C")
        k = s.get_loops(c)[2]
        s.split(k, factor=2)
        s.compute_at(c, s.get_loops(s.get_block("E"))[0])

    check(matmul(3, 4, 5), transform)
    text = matmul(3, 4, 5).replace("loop.for %k = 0 to 5", "loop.for %k = 0 to 4")
    refused(text, transform, "TW0401", "does not run all of its reduction")


def test_buffers_can_be_given_as_values() -> None:
    def transform(s: Schedule) -> None:
        s.set_scope(s.buffer("C"), "local")

    check(matmul(3, 4, 5), transform)


@pytest.mark.parametrize("outer", [0, 1], ids=["whole", "rows"])
@pytest.mark.parametrize("calls", ['cache_write(B_o, "B", "local")', 'reindex(B_o, "B")', 'reindex(B_o, "A")'])
def test_a_block_of_blocks_has_no_copy_of_what_an_inner_one_numbers(outer: int, calls: str) -> None:
    def attempt(s: Schedule) -> None:
        s.blockize(s.get_loops(s.get_block("B"))[outer])
        call(s, calls)

    refused(elementwise(3, 4), attempt, "TW0406", "with values other than the block's iteration variables")


def test_a_copy_of_a_computed_element_is_refused() -> None:
    text = elementwise(3, 1).replace(
        "loop.store %b, %B[%vi, %vj]", "%p = loop.apply (2 - %vi) : index\nloop.store %b, %B[%p, %vj]"
    )
    reason = "with values other than the block's iteration variables"
    refused(text, lambda s: s.cache_write(s.get_block("B"), "B", "local"), "TW0406", reason)


@pytest.mark.parametrize("calls", ["reverse_compute_at(C, i)", "compute_at(B, j)"])
def test_no_block_is_put_inside_another(calls: str) -> None:
    def attempt(s: Schedule) -> None:
        s.blockize(s.get_loop(calls[-2]))
        call(s, calls)

    refused(chain(4), attempt, "TW0403", f"loop %{calls[-2]} is inside a block")
