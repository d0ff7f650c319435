"""Places where a proof could be had too cheaply."""

from __future__ import annotations

import pytest
from tilewright.analysis.equivalence import EXACT, Budget, Proved, Refuted, Unknown, equivalent
from tilewright.analysis.integer_set import System
from tilewright.analysis.polyhedral.flow import Flow, Source, Sources
from tilewright.analysis.polyhedral.model import Read
from tilewright.dialects.index_expr import Index, Symbol

from .pairs import REASSOCIATES, decide, function, point


def test_what_a_failed_alternative_claimed_is_forgotten() -> None:
    """The sum is right with its operands exchanged, so T and T are asked to be equal, and are not."""
    body = """
    %t = loop.alloc : memref<8xf32>
    %u = loop.alloc : memref<8xf32>
    loop.for %i = 0 to 8 {
      %a = loop.load %A[%i] : @A
      %b = math.FIRST %a : f32
      loop.store %b, %t[%i] : memref<8xf32>
      %c = math.SECOND %a : f32
      loop.store %c, %u[%i] : memref<8xf32>
    }
    loop.for %i = 0 to 8 {
      %b = loop.load %t[%i] : memref<8xf32>
      %c = loop.load %u[%i] : memref<8xf32>
      %d = arith.addf %b, %c : f32
      loop.store %d, %B[%i] : @B
      loop.store %b, %B[%i + 8] : @B
    }
    """
    before, after = (
        body.replace("FIRST", one).replace("SECOND", other) for one, other in (("exp", "tanh"), ("tanh", "exp"))
    )
    assert isinstance(decide("A: 8, B: 16", before, before), Proved)
    assert point(decide("A: 8, B: 16", before, after)) == (set(), 1, (8,))


def test_properties_belong_to_operations() -> None:
    body = """
    loop.for %i = 0 to 8 {
      %a = loop.load %A[%i] : @A
      %b = loop.load %B[%i] : @B
      %c = arith.cmpf PREDICATE, %a, %b : f32
      %d = arith.select %c, %a, %b : f32
      loop.store %d, %C[%i] : @C
    }
    """
    less, not_greater = body.replace("PREDICATE", "olt"), body.replace("PREDICATE", "ole")
    assert isinstance(decide("A: 8, B: 8, C: 8", less, less), Proved)
    assert isinstance(decide("A: 8, B: 8, C: 8", less, not_greater), Refuted)


COPY = "loop.for %i = 0 to %n {\n%a = loop.load %A[%i] : @A\nloop.store %a, %B[%i] : @B\n}\n"
THROUGH = """
%t = loop.alloc (%n) : memref<?xf32>
loop.for %i = 0 to %n {
  %a = loop.load %A[%i] : @A
  loop.store %a, %t[%i] : memref<?xf32>
}
loop.for %i = 0 to %n {
  %a = loop.load %t[%i] : memref<?xf32>
  loop.store %a, %B[%i] : @B
}
"""


def test_an_instance_without_a_value_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(decide("A: ?, B: ?", COPY, THROUGH), Proved)
    found = Flow.sources

    def forgetful(flow: Flow, read: Read) -> Sources:
        sources = found(flow, read)
        i = Symbol("i")
        positive = flow.calculus.set([i], [System((Index.of(i) - 1,))])
        writers = (Source(w.statement, w.instances.on(positive)) for w in sources.writers)
        return Sources(tuple(writers), sources.initial)

    monkeypatch.setattr(Flow, "sources", forgetful)
    verdict = decide("A: ?, B: ?", COPY, THROUGH)
    assert isinstance(verdict, Unknown) and "instance" in verdict.reason


def test_a_read_beyond_the_domain_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Flow.sources

    def narrow(flow: Flow, read: Read) -> Sources:
        sources = found(flow, read)
        some = flow.calculus.universe(1) - flow.calculus.universe(1)
        return Sources(sources.writers, sources.initial.on(some))

    monkeypatch.setattr(Flow, "sources", narrow)
    assert isinstance(decide("A: ?, B: ?", COPY, COPY), Unknown)


def test_sizes_that_are_refused_are_not_compared() -> None:
    wrong = "loop.if (%n >= 2) {\n" + COPY + "}\n"
    assert point(decide("A: ?, B: ?", COPY, wrong)) == ({1}, 1, (0,))
    asserted = 'loop.assert (%n >= 2), "two at least" ()\n'
    assert isinstance(decide("A: ?, B: ?", asserted + COPY, wrong), Proved)
    verdict = decide("A: ?, B: ?", COPY, asserted + COPY)
    assert isinstance(verdict, Unknown) and "refuses sizes" in verdict.reason


@pytest.mark.parametrize(
    ("first", "last", "asserted"),
    [
        ("%n floordiv 4", "(%n + 3) floordiv 4", ""),
        ("%n - 2", "%n", 'loop.assert (%n >= 2), "two at least" ()'),
    ],
)
def test_a_widened_claim_keeps_to_sizes_that_there_are(first: str, last: str, asserted: str) -> None:
    """The claim about the last loop does not mention the size, without which its sum begins elsewhere."""
    body = """
    ASSERTED
    %zero = arith.constant 0.0 : f32
    %p = loop.alloc : memref<4xf32>
    loop.for %k = 0 to 4 {
      loop.store %zero, %p[%k] : memref<4xf32>
    }
    loop.for %o = FIRST to LAST {
      loop.for %k = 0 to 4 {
        loop.if (%o * 4 + %k < %n) {
          %a = loop.load %A[%o * 4 + %k] : @A
          %b = loop.load %p[%k] : memref<4xf32>
          %c = arith.addf %b, %a : f32
          loop.store %c, %p[%k] : memref<4xf32>
        }
      }
    }
    loop.store %zero, %S[0] : @S
    loop.for %k = 0 to 4 {
      %a = loop.load %p[%k] : memref<4xf32>
      %b = loop.load %S[0] : @S
      %c = arith.addf %b, %a : f32
      loop.store %c, %S[0] : @S
    }
    """
    body = body.replace("LAST", last).replace("ASSERTED", asserted)
    cut, plain = body.replace("FIRST", f"max({first}, 0)"), body.replace("FIRST", first)
    verdict = decide("A: ?, S: 1", cut, plain)
    assert isinstance(verdict, Proved), verdict


TWICE = """
%zero = arith.constant 0.0 : f32
loop.store %zero, %S[0] : @S
loop.for %i = 0 to %n {
  %a = loop.load %A[%i] : @A
  %s = loop.load %S[0] : @S
  %t = arith.addf %s, %a : f32
  loop.store %t, %S[0] : @S
}
AGAIN
loop.for %i = 0 to %n {
  %a = loop.load %B[INDEX] : @B
  %s = loop.load %S[0] : @S
  %t = arith.addf %s, %a : f32
  loop.store %t, %S[0] : @S
}
"""


def test_terms_before_another_write_do_not_count() -> None:
    again = TWICE.replace("AGAIN", "loop.store %zero, %S[0] : @S").replace("INDEX", "%i")
    backwards = (
        "%zero = arith.constant 0.0 : f32\nloop.store %zero, %S[0] : @S\n"
        + TWICE.replace("INDEX", "%n - 1 - %i")[TWICE.index("AGAIN") + 6 :]
    )
    assert isinstance(decide("A: ?, B: ?, S: 1", again, backwards, REASSOCIATES), Proved)
    on = TWICE.replace("AGAIN", "").replace("INDEX", "%i")
    assert isinstance(decide("A: ?, B: ?, S: 1", on, backwards, REASSOCIATES), Refuted)
    assert isinstance(decide("A: ?, B: ?, S: 1", on, again, REASSOCIATES), Refuted)


def test_a_partial_sum_that_is_added_four_times_has_its_terms_four_times() -> None:
    body = """
    %zero = arith.constant 0.0 : f32
    %p = loop.alloc : memref<1xf32>
    loop.store %zero, %p[0] : memref<1xf32>
    loop.for %i = 0 to %n {
      %a = loop.load %A[%i] : @A
      %b = loop.load %p[0] : memref<1xf32>
      %c = arith.addf %b, %a : f32
      loop.store %c, %p[0] : memref<1xf32>
    }
    loop.store %zero, %S[0] : @S
    loop.for %k = 0 to TIMES {
      %a = loop.load %p[0] : memref<1xf32>
      %b = loop.load %S[0] : @S
      %c = arith.addf ORDER : f32
      loop.store %c, %S[0] : @S
    }
    """
    four = body.replace("TIMES", "4").replace("ORDER", "%b, %a")
    assert isinstance(decide("A: ?, S: 1", four, four.replace("%b, %a", "%a, %b"), REASSOCIATES), Proved)
    once = body.replace("TIMES", "1").replace("ORDER", "%b, %a")
    for pair in ((four, once), (once, four)):
        assert isinstance(decide("A: ?, S: 1", *pair, REASSOCIATES), Refuted)


def test_identities_belong_to_operations() -> None:
    def product(init: str, index: str) -> str:
        return f"""
        %init = arith.constant {init} : f32
        loop.store %init, %S[0] : @S
        loop.for %i = 0 to %n {{
          %a = loop.load %A[{index}] : @A
          %s = loop.load %S[0] : @S
          %t = arith.mulf %s, %a : f32
          loop.store %t, %S[0] : @S
        }}
        """

    one = product("1.0", "%i")
    assert isinstance(decide("A: ?, S: 1", one, product("1.0", "%n - 1 - %i"), REASSOCIATES), Proved)
    assert isinstance(decide("A: ?, S: 1", one, product("0.0", "%n - 1 - %i"), REASSOCIATES), Refuted)
    assert isinstance(decide("A: ?, S: 1", one, one.replace("mulf", "addf"), REASSOCIATES), Refuted)
    first = (
        product("1.0", "%i")
        .replace("= 0 to", "= 1 to")
        .replace("loop.store %init", "%f = loop.load %A[0] : @A\nloop.store %f", 1)
    )
    some = 'loop.assert (%n >= 1), "a term" ()\n'
    assert isinstance(decide("A: ?, S: 1", some + one, some + first, REASSOCIATES), Proved)
    assert isinstance(decide("A: ?, S: 1", some + product("0.0", "%i"), some + first, REASSOCIATES), Refuted)


def test_an_index_that_is_data_has_a_value() -> None:
    body = """
    loop.for %i = 0 to 8 {
      %k = loop.apply (VALUE) : index
      %w = arith.index_cast %k : index to i32
      loop.store %w, %A[%i] : @A
    }
    """
    before = body.replace("VALUE", "%i * 2 - 3")
    same = body.replace("VALUE", "%i * 2 - 4 + 1")
    assert isinstance(decide("A: 8", before, same, EXACT, "i32"), Proved)
    assert point(decide("A: 8", before, body.replace("VALUE", "%i * 2 - 2"), EXACT, "i32")) == (set(), 0, (0,))
    constant = body.replace("%k = loop.apply (VALUE) : index", "%k = arith.constant -3 : index").replace(
        "= 0 to 8", "= 0 to 1"
    )
    assert isinstance(decide("A: 8", before.replace("= 0 to 8", "= 0 to 1"), constant, EXACT, "i32"), Proved)


def test_a_budget_that_is_spent_proves_nothing() -> None:
    functions = function("A: ?, B: ?", COPY), function("A: ?, B: ?", THROUGH)
    few = equivalent(*functions, EXACT, Budget(operations=10))
    assert isinstance(few, Unknown) and "budget of 10 operations" in few.reason
    late = equivalent(*functions, EXACT, Budget(seconds=0.0))
    assert isinstance(late, Unknown) and "time" in late.reason
    assert isinstance(equivalent(*functions), Proved)


def test_what_has_no_model_is_unknown_with_the_operation() -> None:
    scattered = """
    %x = loop.load %A[0] : @A
    %i = arith.fptosi %x : f32 to i32
    %j = arith.index_cast %i : i32 to index
    loop.store %x, %B[%j] : @B
    """
    called = function("A: ?, B: ?", scattered)
    verdict = equivalent(called, called)
    assert isinstance(verdict, Unknown) and verdict.op is not None and verdict.reason
