"""compute_at, reverse_compute_at, reverse_compute_inline and compute_root, compiled too, and what they refuse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tilewright
from tilewright import TilewrightError, te
from tilewright.analysis.equivalence import EXACT
from tilewright.dialects import loop
from tilewright.schedule import Schedule
from tilewright.semantics import Program

from .compiled import check_compiled
from .programs import chain, conv, matmul, parse, symbolic_matmul, verify
from .test_loops import blocks, refusal


def padded_stencil(n: int, m: int) -> str:
    """Return P = A with a border of zeros, D = P[i - 1] + P[i] + P[i + 1] by rows."""
    a, p = f"memref<{n}x{m}xf64>", f"memref<{n + 2}x{m}xf64>"
    return f"""
func.func @k(%A: {a}, %D: {a} {{tw.output}}) {{
  %zero = arith.constant 0.0 : f64
  %P = loop.alloc : {p}
  loop.for %y = 0 to {n + 2} {{ loop.for %x = 0 to {m} {{
    loop.block "P" (%vy = spatial(%y) in {n + 2}, %vx = spatial(%x) in {m}) {{
      %a = loop.load %A[%vy - 1, %vx] where (%vy >= 1, %vy < {n + 1}) else %zero : {a}
      loop.store %a, %P[%vy, %vx] : {p}
    }} }} }}
  loop.for %i = 0 to {n} {{ loop.for %j = 0 to {m} {{
    loop.block "D" (%vi = spatial(%i) in {n}, %vj = spatial(%j) in {m}) {{
      %u = loop.load %P[%vi, %vj] : {p}
      %c = loop.load %P[%vi + 1, %vj] : {p}
      %l = loop.load %P[%vi + 2, %vj] : {p}
      %s = arith.addf %u, %c : f64
      %d = arith.addf %s, %l : f64
      loop.store %d, %D[%vi, %vj] : {a}
    }} }} }}
  func.return
}}"""


def two_results(n: int) -> str:
    """Return one block that writes S = 2 A and T = A + A * A, and E = S + T shifted by one."""
    t = f"memref<{n}xf64>"
    return f"""
func.func @k(%A: {t}, %E: {t} {{tw.output}}) {{
  %zero = arith.constant 0.0 : f64
  %S = loop.alloc : {t}
  %T = loop.alloc : {t}
  loop.for %i = 0 to {n} {{
    loop.block "ST" (%vi = spatial(%i) in {n}) {{
      %a = loop.load %A[%vi] : {t}
      %s = arith.addf %a, %a : f64
      %q = arith.mulf %a, %a : f64
      %t = arith.addf %a, %q : f64
      loop.store %s, %S[%vi] : {t}
      loop.store %t, %T[%vi] : {t}
    }} }}
  loop.for %j = 0 to {n} {{
    loop.block "E" (%vj = spatial(%j) in {n}) {{
      %s = loop.load %S[%vj] : {t}
      %t = loop.load %T[%vj - 1] where (%vj >= 1) else %zero : {t}
      %e = arith.addf %s, %t : f64
      loop.store %e, %E[%vj] : {t}
    }} }}
  func.return
}}"""


def two_readers(n: int) -> str:
    """Return B = 2 A; C = B + B and D = B[i] * B[i + 1] in one loop."""
    t, s = f"memref<{n}xf64>", f"memref<{n + 1}xf64>"
    return f"""
func.func @k(%A: {s}, %C: {t} {{tw.output}}, %D: {t} {{tw.output}}) {{
  %two = arith.constant 2.0 : f64
  %B = loop.alloc : {s}
  loop.for %i = 0 to {n + 1} {{
    loop.block "B" (%vi = spatial(%i) in {n + 1}) {{
      %a = loop.load %A[%vi] : {s}
      %b = arith.mulf %a, %two : f64
      loop.store %b, %B[%vi] : {s}
    }} }}
  loop.for %j = 0 to {n} {{
    loop.block "C" (%vj = spatial(%j) in {n}) {{
      %b = loop.load %B[%vj] : {s}
      %c = arith.addf %b, %b : f64
      loop.store %c, %C[%vj] : {t}
    }}
    loop.block "D" (%vj = spatial(%j) in {n}) {{
      %b = loop.load %B[%vj] : {s}
      %b1 = loop.load %B[%vj + 1] : {s}
      %d = arith.mulf %b, %b1 : f64
      loop.store %d, %D[%vj] : {t}
    }} }}
  func.return
}}"""


def order(schedule: Schedule) -> list[str]:
    return [b.label for b in blocks(schedule)]


# compute_at


@pytest.mark.parametrize("n", [1, 4, 7])
def test_compute_at_of_a_padded_stencil(n: int) -> None:
    def transform(s: Schedule) -> None:
        i, _ = s.get_loops(s.get_block("D"))
        io, _ = s.split(i, factor=3)
        s.compute_at(s.get_block("P"), io)
        s.parallel(io)

    check_compiled(padded_stencil(n, 5), transform)


@pytest.mark.parametrize("n", [2, 5, 8])
def test_compute_at_of_several_results(n: int) -> None:
    def transform(s: Schedule) -> None:
        (j,) = s.get_loops(s.get_block("E"))
        jo, _ = s.split(j, factor=3)
        s.compute_at(s.get_block("ST"), jo)

    schedule = check_compiled(two_results(n), transform)
    allocs = [op for op in schedule.func.walk() if isinstance(op, loop.AllocOp)]
    assert all(isinstance(op.parent_op(), loop.ForOp) for op in allocs)


@pytest.mark.parametrize("n", [1, 5, 8])
def test_compute_at_of_several_consumers(n: int) -> None:
    def transform(s: Schedule) -> None:
        b = s.get_block("B")
        (j,) = s.get_loops(s.get_block("C"))
        s.compute_at(b, j)
        assert [s.loop(h).constant_trip_count for h in s.get_loops(b)] == [n, 2]

    assert order(check_compiled(two_readers(n), transform)) == ["B", "C", "D"]


@pytest.mark.parametrize(("n", "d", "m"), [(2, 3, 4), (4, 1, 5)])
def test_compute_at_of_a_symbolic_reduction(n: int, d: int, m: int) -> None:
    def transform(s: Schedule) -> None:
        x, y = s.get_loops(s.get_block("E"))
        xo, _, _, _ = s.tile(x, y, 2, 2)
        s.compute_at(s.get_block("C"), xo)

    check_compiled(symbolic_matmul(), transform, {"A": (n, d), "B": (d, m), "E": (n, m)})


def test_compute_at_keeps_the_guard_of_the_last_instance() -> None:
    text = """
func.func @k(%A: memref<5xf64>, %C: memref<6xf64> {tw.output}) {
  %zero = arith.constant 0.0 : f64
  %B = loop.alloc : memref<6xf64>
  loop.for %i = 0 to 6 {
    loop.block "B" (%vi = spatial(%i) in 6) where (%i < 5) {
      %a = loop.load %A[%vi] : memref<5xf64>
      loop.store %a, %B[%vi] : memref<6xf64>
    } }
  loop.for %j = 0 to 6 {
    loop.block "C" (%vj = spatial(%j) in 6) {
      %b = loop.load %B[%vj] where (%vj < 5) else %zero : memref<6xf64>
      loop.store %b, %C[%vj] : memref<6xf64>
    } }
  func.return
}"""
    schedule = check_compiled(text, lambda s: s.compute_at(s.get_block("B"), s.get_loop("j")))
    assert len(blocks(schedule)[0].conditions) == 1


@pytest.mark.parametrize(("index", "counts"), [(0, [6, 6]), (1, [6])])
def test_compute_at_before_and_after_the_element_is_known(index: int, counts: list[int]) -> None:
    """With an unknown element, the whole result is computed."""
    module = parse("""
func.func @k(%A: memref<6xf64>, %X: memref<6xindex>, %C: memref<6xf64> {tw.output}) {
  %B = loop.alloc : memref<6xf64>
  loop.for %i = 0 to 6 {
    loop.block "B" (%vi = spatial(%i) in 6) {
      %a = loop.load %A[%vi] : memref<6xf64>
      loop.store %a, %B[%vi] : memref<6xf64>
    } }
  loop.for %j = 0 to 6 {
    %x = loop.load %X[%j] : memref<6xindex>
    loop.block "C" (%vj = spatial(%j) in 6) {
      %b = loop.load %B[%x] : memref<6xf64>
      loop.store %b, %C[%vj] : memref<6xf64>
    } }
  func.return
}""")
    schedule = Schedule(module)
    b = schedule.get_block("B")
    schedule.compute_at(b, schedule.get_loop("j"), index=index)
    verify(module)
    assert [schedule.loop(h).constant_trip_count for h in schedule.get_loops(b)] == counts


def test_compute_at_keeps_unit_loops_on_request() -> None:
    for preserve, count in ((True, 3), (False, 2)):
        schedule = Schedule(parse(matmul(4, 5, 3)))
        c, e = schedule.get_block("C"), schedule.get_block("E")
        _, y = schedule.get_loops(e)
        schedule.compute_at(c, y, preserve)
        assert len(schedule.get_loops(c)) == count + (2 if preserve else 1)


def test_positions_in_a_loop() -> None:
    def transform(index: int) -> Any:
        def at(s: Schedule) -> None:
            (j,) = s.get_loops(s.get_block("C"))
            s.compute_at(s.get_block("B"), j, index=index)

        return at

    for index in (-1, -2, 0):
        assert order(check_compiled(two_readers(4), transform(index))) == ["B", "C", "D"]
    error = refusal(two_readers(4), "C", lambda s, at: s.compute_at(s.get_block("B"), at[0], index=1))
    assert error.code == "TW0403"
    assert "expected an index from 0 to 0 in the body of loop %j" in error.message


def test_a_buffer_is_allocated_before_its_first_use_in_the_loop() -> None:
    def transform(s: Schedule) -> None:
        copy = s.cache_write(s.get_block("C"), "C", "local")
        (j,) = s.get_loops(copy)
        s.prefetch("C_local", j, 1)
        s.compute_at(s.get_block("C"), j, index=1)

    check_compiled(chain(5), transform)


# reverse_compute_at


@pytest.mark.parametrize(("n", "m"), [(4, 6), (5, 7), (1, 1)])
def test_reverse_compute_at_of_an_epilogue(n: int, m: int) -> None:
    def transform(s: Schedule) -> None:
        i, j, k = s.get_loops(s.get_block("C"))
        io, jo, ii, ji = s.tile(i, j, 2, 3)
        s.reverse_compute_at(s.get_block("E"), jo)
        s.parallel(io)
        assert len(s.get_loops(s.get_block("E"))) >= 2

    check_compiled(matmul(n, m, 3), transform)


@pytest.mark.parametrize(("n", "d", "m"), [(2, 3, 4), (5, 1, 3)])
def test_reverse_compute_at_symbolic(n: int, d: int, m: int) -> None:
    def transform(s: Schedule) -> None:
        i, j, _ = s.get_loops(s.get_block("C"))
        io, *_ = s.tile(i, j, 2, 4)
        s.reverse_compute_at(s.get_block("E"), io)

    check_compiled(symbolic_matmul(), transform, {"A": (n, d), "B": (d, m), "E": (n, m)})


@pytest.mark.parametrize(("n", "factor"), [(1, 1), (4, 3), (7, 1), (7, 3)])
def test_reverse_compute_at_of_a_stencil_waits_for_its_last_row(n: int, factor: int) -> None:
    def transform(s: Schedule) -> None:
        y, _ = s.get_loops(s.get_block("P"))
        yo, _ = s.split(y, factor=factor)
        s.reverse_compute_at(s.get_block("D"), yo)

    check_compiled(padded_stencil(n, 3), transform)


def test_reverse_compute_at_of_a_reduction() -> None:
    """The rows of C = sum over windows of P run as soon as the last row of each window is there."""

    def transform(s: Schedule) -> None:
        c, h, w, *_ = s.get_loops(s.get_block("C"))
        s.reverse_compute_at(s.get_block("E"), h)
        y = s.get_loops(s.get_block("P"))[1]
        x = s.get_loops(s.get_block("P"))[0]
        s.reorder(y, x)

    check_compiled(conv(2, 5, 3, 3, 1, 1), transform)


def test_reverse_compute_at_of_a_strided_convolution() -> None:
    def transform(s: Schedule) -> None:
        channel, row, _ = s.get_loops(s.get_block("P"))
        s.reorder(row, channel)
        s.reverse_compute_at(s.get_block("C"), row)

    for size, kernel, stride, pad in ((6, 2, 2, 0), (5, 3, 1, 1), (6, 2, 2, 1)):
        check_compiled(conv(2, size, 2, kernel, stride, pad), transform)


def joined(distance: int) -> str:
    """Return rows of three, which a second block stores in columns, `distance` elements from one another."""
    return f"""func.func @k(%A: memref<4x3xf64>, %C: memref<12xf64> {{tw.output}}) {{
  %B = loop.alloc : memref<4x3xf64>
  loop.for %i = 0 to 4 {{
    loop.for %j = 0 to 3 {{
      loop.block "B" (%vi = spatial(%i) in 4, %vj = spatial(%j) in 3) {{
        %a = loop.load %A[%vi, %vj] : memref<4x3xf64>
        loop.store %a, %B[%vi, %vj] : memref<4x3xf64>
      }}
    }}
  }}
  loop.for %x = 0 to 4 {{
    loop.for %y = 0 to 3 {{
      loop.block "C" (%vx = spatial(%x) in 4, %vy = spatial(%y) in 3) {{
        %b = loop.load %B[%vx, %vy] : memref<4x3xf64>
        loop.store %b, %C[%vy * {distance} + %vx] : memref<12xf64>
      }}
    }}
  }}
  func.return
}}"""


def test_reverse_compute_at_of_a_dimension_put_together_from_two_axes() -> None:
    check_compiled(joined(4), lambda s: s.reverse_compute_at(s.get_block("C"), s.get_loop("i")))


def test_reverse_compute_at_refuses_what_stores_an_element_twice() -> None:
    error = refusal(joined(3), "B", lambda s, at: s.reverse_compute_at(s.get_block("C"), at[0]))
    assert error.code == "TW0406"
    assert "is not certain to store each element once, at [%vy * 3 + %vx]" in error.message


def test_reverse_compute_at_refusals() -> None:
    error = refusal(matmul(4, 4, 4), "C", lambda s, at: s.reverse_compute_at(s.get_block("E"), at[2]))
    assert error.code == "TW0401"
    assert "at loop %k, block 'E' would read %C[" in error.message
    assert "before (" in error.message
    error = refusal(matmul(4, 4, 4), "E", lambda s, at: s.reverse_compute_at(s.get_block("C"), at[0]))
    assert error.code == "TW0406"
    assert "should come after loop %x" in error.message
    error = refusal(matmul(4, 4, 4), "E", lambda s, at: s.reverse_compute_at(s.get_block("E"), at[0]))
    assert error.code == "TW0403"


def test_reverse_compute_at_refuses_what_a_parallel_loop_would_share() -> None:
    def attempt(s: Schedule, at: Any) -> None:
        s.parallel(at[0])
        s.reverse_compute_at(s.get_block("D"), at[0])

    schedule = Schedule(parse(padded_stencil(4, 3)))
    with pytest.raises(TilewrightError) as error:
        attempt(schedule, schedule.get_loops(schedule.get_block("P")))
    assert error.value.code == "TW0401"
    assert "with loop %y parallel" in error.value.message


def test_a_mirrored_reader_cannot_move() -> None:
    text = chain(8, "7 - %vj")
    error = refusal(text, "B", lambda s, at: s.reverse_compute_at(s.get_block("C"), at[0]))
    assert error.code == "TW0401"


# reverse_compute_inline


@pytest.mark.parametrize("n", [1, 5, 8])
def test_reverse_compute_inline(n: int) -> None:
    def transform(s: Schedule) -> None:
        (i,) = s.get_loops(s.get_block("B"))
        s.parallel(s.split(i, factor=3)[0])
        s.reverse_compute_inline(s.get_block("C"))

    schedule = check_compiled(chain(n), transform)
    assert order(schedule) == ["B"]
    assert not [op for op in schedule.func.walk() if isinstance(op, loop.AllocOp)]


def test_reverse_compute_inline_runs_what_is_needed() -> None:
    """B has an element more than C reads."""
    text = chain(5).replace("memref<5xf64>", "memref<6xf64>", 1)
    text = """
func.func @k(%A: memref<6xf64>, %C: memref<4xf64> {tw.output}) {
  %B = loop.alloc : memref<6xf64>
  loop.for %i = 0 to 6 { loop.block "B" (%vi = spatial(%i) in 6) {
    %a = loop.load %A[%vi] : memref<6xf64>
    %b = arith.addf %a, %a : f64
    loop.store %b, %B[%vi] : memref<6xf64>
  } }
  %two = arith.constant 2.0 : f64
  loop.for %j = 0 to 4 { loop.block "C" (%vj = spatial(%j) in 4) {
    %b = loop.load %B[%vj + 1] : memref<6xf64>
    %c = arith.mulf %b, %two : f64
    loop.store %c, %C[%vj] : memref<4xf64>
  } }
  func.return
}"""
    schedule = check_compiled(text, lambda s: s.reverse_compute_inline(s.get_block("C")))
    assert len(blocks(schedule)[0].conditions) == 2


def test_reverse_compute_inline_refusals() -> None:
    for text, label, message in [
        (matmul(4, 4, 4), "E", "is computed from a reduction, 'C'"),
        (matmul(4, 4, 4), "C", "reads no buffer"),
        (padded_stencil(4, 3), "D", "should read one element of %P"),
        (chain(6, "%vj floordiv 2"), "C", "reads at [(%vj floordiv 2)]"),
        (two_results(4), "E", "reads several buffers"),
    ]:
        error = refusal(text, label, lambda s, at, label=label: s.reverse_compute_inline(s.get_block(label)))
        assert error.code == "TW0406", error
        assert message in error.message


# compute_root


@pytest.mark.parametrize("n", [1, 4, 7])
def test_compute_root_undoes_compute_at(n: int) -> None:
    def transform(s: Schedule) -> None:
        p = s.get_block("P")
        i, _ = s.get_loops(s.get_block("D"))
        io, _ = s.split(i, factor=3)
        s.compute_at(p, io)
        s.compute_root(p)
        assert [s.loop(h).constant_trip_count for h in s.get_loops(p)][-1] == 5

    check_compiled(padded_stencil(n, 5), transform)


def test_compute_root_of_a_reduction() -> None:
    def transform(s: Schedule) -> None:
        c = s.get_block("C")
        x, _ = s.get_loops(s.get_block("E"))
        s.compute_at(c, x)
        s.compute_root(c)
        s.compute_root(c)

    check_compiled(matmul(4, 5, 3), transform)
    check_compiled(symbolic_matmul(), transform, {"A": (3, 2), "B": (2, 4), "E": (3, 4)})


def test_compute_root_refuses_what_reads_a_neighbour() -> None:
    schedule = Schedule(parse(conv(2, 5, 2, 3, 1, 1)))
    p, c = schedule.get_block("P"), schedule.get_block("C")
    h = schedule.get_loops(schedule.get_block("E"))[1]
    schedule.compute_at(c, h)
    schedule.compute_at(p, h)
    with pytest.raises(TilewrightError, match="uses %P, which is not known outside of the loops") as error:
        schedule.compute_root(c)
    assert error.value.code == "TW0406"
    schedule.compute_root(p)
    schedule.compute_root(c)


def test_a_consumer_of_what_stands_before_the_loop() -> None:
    """The loop and the other producer share no loop: which of them comes first is a matter of the text."""
    text = """
func.func @k(%A: memref<4xf64>, %C: memref<4xf64> {tw.output}) {
  %B = loop.alloc : memref<4xf64>
  %D = loop.alloc : memref<4xf64>
  loop.block "D" () {
    %d = loop.load %A[0] : memref<4xf64>
    loop.store %d, %D[0] : memref<4xf64>
  }
  loop.for %i = 0 to 4 {
    loop.block "B" (%vi = spatial(%i) in 4) {
      %a = loop.load %A[%vi] : memref<4xf64>
      loop.store %a, %B[%vi] : memref<4xf64>
    }
  }
  loop.for %j = 0 to 4 {
    loop.block "C" (%vj = spatial(%j) in 4) {
      %b = loop.load %B[%vj] : memref<4xf64>
      %e = loop.load %D[0] : memref<4xf64>
      %s = arith.addf %b, %e : f64
      loop.store %s, %C[%vj] : memref<4xf64>
    }
  }
  func.return
}"""
    check_compiled(text, lambda s: s.reverse_compute_at(s.get_block("C"), s.get_loop("i")))


def image_sums(k: int, m: int) -> str:
    """Return S[i] = sum over k and m of A[i, k, m], and the differences D of its rows."""
    a = f"memref<7x{k}x{m}xf64>"
    return f"""
func.func @k(%A: {a}, %D: memref<6xf64> {{tw.output}}) {{
  %zero = arith.constant 0.0 : f64
  %S = loop.alloc : memref<7xf64>
  loop.for %i = 0 to 7 {{ loop.for %k = 0 to {k} {{ loop.for %m = 0 to {m} {{
    loop.block "S" (%vi = spatial(%i) in 7, %vk = reduce(%k) in {k}, %vm = reduce(%m) in {m}) {{
      loop.init {{ loop.store %zero, %S[%vi] : memref<7xf64> }}
      %a = loop.load %A[%vi, %vk, %vm] : {a}
      %s = loop.load %S[%vi] : memref<7xf64>
      %t = arith.addf %s, %a : f64
      loop.store %t, %S[%vi] : memref<7xf64>
    }} }} }} }}
  loop.for %x = 0 to 6 {{
    loop.block "D" (%vx = spatial(%x) in 6) {{
      %u = loop.load %S[%vx] : memref<7xf64>
      %v = loop.load %S[%vx + 1] : memref<7xf64>
      %d = arith.subf %v, %u : f64
      loop.store %d, %D[%vx] : memref<6xf64>
    }} }}
  func.return
}}"""


def _turn(s: Schedule, block: str) -> None:
    *_, k, m = s.get_loops(s.get_block(block))
    s.reorder(m, k)


MOVES: dict[str, Callable[[Schedule], None]] = {
    "compute_at": lambda s: s.compute_at(s.get_block("S"), s.get_loops(s.get_block("D"))[0]),
    "rolling_buffer": lambda s: s.rolling_buffer(s.get_block("S"), "S"),
    "compute_root": lambda s: s.compute_root(s.get_block("S")),
}


@pytest.mark.parametrize("move", MOVES)
@pytest.mark.parametrize("turned", [True, False])
def test_moved_terms_take_the_order_of_their_variables(move: str, turned: bool) -> None:
    """The loops of the new nest may add terms in another order than the old ones did: each call is proved."""

    def transform(s: Schedule) -> None:
        if move != "compute_at":
            MOVES["compute_at"](s)
        if turned:
            _turn(s, "S")
        s.algebra = EXACT  # of the move alone
        MOVES[move](s)
        assert s.reassociates == turned

    check_compiled(image_sums(2, 3), transform)
    transform(Schedule(parse(image_sums(2, 3)), validate="symbolic"))


@pytest.mark.parametrize("turned", [True, False])
def test_terms_moved_to_their_producer_take_the_order_of_their_variables(turned: bool) -> None:
    def transform(s: Schedule) -> None:
        s.cache_read(s.get_block("S"), "A", "global")
        if turned:
            _turn(s, "S")
        s.algebra = EXACT
        s.reverse_compute_at(s.get_block("S"), s.get_loops(s.get_block("A_read"))[0])
        assert s.reassociates == turned

    check_compiled(image_sums(2, 3), transform)
    transform(Schedule(parse(image_sums(2, 3)), validate="symbolic"))


@pytest.mark.parametrize("is_fused", [False, True])
@pytest.mark.parametrize(("n", "m"), [(5, 6), (1, 1), (0, 3)])
def test_compute_root_of_guarded_instances(n: int, m: int, is_fused: bool) -> None:
    """Without its padding a block may run for the inner elements alone: a guard says so where sizes are symbolic."""
    rows, columns = te.var("n"), te.var("m")
    a = te.placeholder((rows, columns), name="A")

    def padded(i: te.Var, j: te.Var) -> te.Expr:
        inside = te.all(i >= 1, i < rows + 1, j >= 1, j < columns + 1)
        return te.if_then_else(inside, a[i - 1, j - 1], 0.0)

    p = te.compute((rows + 2, columns + 2), padded, name="P")
    c = te.compute((rows, columns), lambda i, j: p[i, j + 1] + p[i + 2, j + 1] - p[i + 1, j], name="C")
    module = tilewright.IRModule({"main": te.create_prim_func([a, c])}).op
    s = Schedule(module, validate="symbolic")
    s.decompose_padding(s.get_block("P"), s.get_loops(s.get_block("P"))[0])
    if is_fused:
        s.fuse(*s.get_loops(s.get_block("P")))
    s.reverse_compute_at(s.get_block("C"), s.get_loops(s.get_block("P"))[-1])
    s.cache_write(s.get_block("P"), "P", "local")
    s.compute_root(s.get_block("P"))
    assert [op for op in module.walk() if isinstance(op, loop.BlockOp) and op.label == "P"][0].conditions
    x = np.random.default_rng(0).integers(-9, 9, (n, m)).astype(np.float32)
    whole = np.pad(x, 1)
    expected = whole[:n, 1 : m + 1] + whole[2:, 1 : m + 1] - whole[1 : n + 1, :m]
    (result,) = Program(module).evaluate("main", x)
    np.testing.assert_array_equal(result, expected)
