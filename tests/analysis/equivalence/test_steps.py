"""One kind of step a test: right ones are proved, wrong ones refuted at the element that differs."""

from __future__ import annotations

from tilewright.analysis.equivalence import Fault, Proved, Refuted, Unknown, equivalent

from .pairs import CONTRACTS, REASSOCIATES, decide, function, point

DOUBLE = """
loop.for %i = 0 to %n {
  %a = loop.load %A[%i] : @A
  %b = arith.addf %a, %a : f32
  loop.store %b, %B[%i] : @B
}
"""


def double(upper: str = "%n", op: str = "addf") -> str:
    return DOUBLE.replace("= 0 to %n", f"= 0 to {upper}").replace("arith.addf", f"arith.{op}")


def test_copies_and_temporaries_disappear() -> None:
    after = """
    %t = loop.alloc (%n) : memref<?xf32>
    loop.for %i = 0 to %n {
      %a = loop.load %A[%i] : @A
      loop.store %a, %t[%n - 1 - %i] : memref<?xf32>
    }
    loop.for %i = 0 to %n {
      %t1 = loop.load %t[%n - 1 - %i] : memref<?xf32>
      %b = arith.addf %t1, %t1 : f32
      loop.store %b, %B[%i] : @B
    }
    """
    assert isinstance(decide("A: ?, B: ?", double(), after), Proved)
    wrong = after.replace("%t1 = loop.load %t[%n - 1 - %i]", "%t1 = loop.load %t[%i]")
    sizes, output, _ = point(decide("A: ?, B: ?", double(), wrong))
    assert output == 1 and max(sizes) >= 2  # a reversed copy of one element is a copy


def test_another_element_is_refuted_where_it_is() -> None:
    assert isinstance(decide("A: 8, B: 8", double(upper="8"), double(upper="8")), Proved)
    wrong = """
    loop.for %i = 0 to 8 {
      %a = loop.load %A[%i] : @A
      loop.if (%i == 5) {
        %c = loop.load %A[%i - 1] : @A
        %d = arith.addf %c, %a : f32
        loop.store %d, %B[%i] : @B
      } else {
        %b = arith.addf %a, %a : f32
        loop.store %b, %B[%i] : @B
      }
    }
    """
    verdict = decide("A: 8, B: 8", double(upper="8"), wrong)
    assert point(verdict) == (set(), 1, (5,))
    assert isinstance(verdict, Refuted)
    assert verdict.before.text == "A[5]" and verdict.after.text == "A[4]"


def test_an_operation_of_another_name_is_refuted() -> None:
    assert isinstance(decide("A: ?, B: ?", double(), double(op="mulf")), Refuted)


def test_operands_are_exchanged_where_they_commute() -> None:
    body = """
    loop.for %i = 0 to 8 {
      %a = loop.load %A[%i] : @A
      %b = loop.load %B[%i] : @B
      %c = arith.OP FIRST : f32
      loop.store %c, %C[%i] : @C
    }
    """
    for op, proved in (("addf", True), ("mulf", True), ("maximumf", True), ("subf", False), ("divf", False)):
        before, after = (body.replace("OP", op).replace("FIRST", order) for order in ("%a, %b", "%b, %a"))
        verdict = decide("A: 8, B: 8, C: 8", before, after)
        assert isinstance(verdict, Proved if proved else Refuted), (op, verdict)
    mixed = body.replace("OP", "addf").replace("FIRST", "%a, %a")
    assert isinstance(decide("A: 8, B: 8, C: 8", mixed, body.replace("OP", "addf").replace("FIRST", "%b, %a")), Refuted)


def test_guards_off_by_one_are_refuted_at_the_edge() -> None:
    guarded = """
    loop.for %i = 0 to 16 {
      loop.if (%i < LIMIT) {
        %a = loop.load %A[%i] : @A
        loop.store %a, %B[%i] : @B
      }
    }
    """
    before = guarded.replace("LIMIT", "11")
    assert isinstance(decide("A: 16, B: 16", before, before), Proved)
    assert point(decide("A: 16, B: 16", before, guarded.replace("LIMIT", "10"))) == (set(), 1, (10,))
    assert point(decide("A: 16, B: 16", before, guarded.replace("LIMIT", "12"))) == (set(), 1, (11,))


def test_tiles_with_a_tail() -> None:
    after = """
    loop.for %o = 0 to (%n + 3) floordiv 4 {
      loop.for %k = 0 to 4 {
        loop.if (GUARD) {
          %a = loop.load %A[%o * 4 + %k] : @A
          %b = arith.addf %a, %a : f32
          loop.store %b, %B[%o * 4 + %k] : @B
        }
      }
    }
    """
    right = after.replace("GUARD", "%o * 4 + %k < %n")
    assert isinstance(decide("A: ?, B: ?", double(), right), Proved)
    (n,), output, (element,) = point(decide("A: ?, B: ?", double(), after.replace("GUARD", "%o * 4 + %k < %n - 1")))
    assert output == 1 and element == n - 1
    # wrong in the tail alone: sizes that 4 divides are right
    (n,), output, (element,) = point(
        decide("A: ?, B: ?", double(), right.replace("(%n + 3) floordiv 4", "%n floordiv 4"))
    )
    assert output == 1 and n % 4 != 0 and element >= n // 4 * 4


def test_wrong_at_one_size_alone() -> None:
    after = """
    loop.if (%n >= 2) {
      loop.for %i = 0 to %n {
        %a = loop.load %A[%i] : @A
        %b = arith.addf %a, %a : f32
        loop.store %b, %B[%i] : @B
      }
    }
    """
    assert point(decide("A: ?, B: ?", double(), after)) == ({1}, 1, (0,))


def test_loops_change_order_where_they_are_independent() -> None:
    before = """
    loop.for %i = 0 to %n {
      loop.for %j = 0 to 8 {
        %a = loop.load %A[%i, %j] : @A
        %b = math.exp %a : f32
        loop.store %b, %B[%j, %i] : @B
      }
    }
    """
    after = before.replace("%i = 0 to %n", "%X = 0 to 8").replace("%j = 0 to 8", "%i = 0 to %n").replace("%X", "%j")
    assert isinstance(decide("A: ?x8, B: 8x?", before, after), Proved)


def test_loops_are_fused_where_nothing_is_read_too_early() -> None:
    before = """
    loop.for %i = 0 to %n {
      %a = loop.load %A[%i] : @A
      %b = arith.mulf %a, %a : f32
      loop.store %b, %B[%i] : @B
    }
    loop.for %i = 0 to %n - 1 {
      %b = loop.load %B[%i AND] : @B
      loop.store %b, %C[%i] : @C
    }
    """
    after = """
    loop.for %i = 0 to %n {
      %a = loop.load %A[%i] : @A
      %b = arith.mulf %a, %a : f32
      loop.store %b, %B[%i] : @B
      loop.if (%i < %n - 1) {
        %c = loop.load %B[%i AND] : @B
        loop.store %c, %C[%i] : @C
      }
    }
    """
    assert isinstance(decide("A: ?, B: ?, C: ?", before.replace("AND", ""), after.replace("AND", "")), Proved)
    # an element that is written later
    _, output, _ = point(decide("A: ?, B: ?, C: ?", before.replace("AND", "+ 1"), after.replace("AND", "+ 1")))
    assert output == 2


RECURRENCE = """
loop.for %i = 1 to %n {
  %before = loop.load %B[%i - 1] : @B
  %a = loop.load %A[%i] : @A
  %c = arith.mulf %a, %before : f32
  %d = arith.addf %c, %a : f32
  loop.store %d, %B[%i] : @B
}
"""


def test_recurrences_are_proved_by_widening_and_not_reversed() -> None:
    tiled = """
    loop.for %o = 0 to (%n + 2) floordiv 4 {
      loop.for %k = 0 to 4 {
        loop.if (%o * 4 + %k + 1 < %n) {
          %before = loop.load %B[%o * 4 + %k] : @B
          %a = loop.load %A[%o * 4 + %k + 1] : @A
          %c = arith.mulf %before, %a : f32
          %d = arith.addf %a, %c : f32
          loop.store %d, %B[%o * 4 + %k + 1] : @B
        }
      }
    }
    """
    assert isinstance(decide("A: ?, B: ?", RECURRENCE, tiled), Proved)
    carried = """
    %first = loop.load %B[0] : @B
    %last = loop.for %i = 1 to %n iter_args(%y = %first) -> (f32) {
      %a = loop.load %A[%i] : @A
      %c = arith.mulf %a, %y : f32
      %d = arith.addf %c, %a : f32
      loop.store %d, %B[%i] : @B
      loop.yield %d : f32
    }
    """
    guarded = f"loop.if (%n >= 1) {{ {carried} }}"
    assert isinstance(decide("A: ?, B: ?", RECURRENCE, guarded), Proved)
    reversed_ = RECURRENCE.replace("%i - 1]", "%n - %i - 1]").replace("[%i]", "[%n - %i]")
    assert isinstance(decide("A: ?, B: ?", RECURRENCE, reversed_), Refuted)


SUM = """
%zero = arith.constant 0.0 : f32
loop.for %i = 0 to 8 {
  loop.store %zero, %B[%i] : @B
  loop.for %k = 0 to %n {
    %a = loop.load %A[%k, %i] : @A
    %s = loop.load %B[%i] : @B
    %t = arith.addf %s, %a : f32
    loop.store %t, %B[%i] : @B
  }
}
"""
TILED_SUM = """
loop.for %i = 0 to 8 {
  %zero = arith.constant 0.0 : f32
  %last = loop.for %o = 0 to (%n + 3) floordiv 4 iter_args(%x = %zero) -> (f32) {
    %y = loop.for %k = 0 to min(4, %n - %o * 4) iter_args(%s = %x) -> (f32) {
      %a = loop.load %A[%o * 4 + %k, %i] : @A
      %t = arith.addf %s, %a : f32
      loop.yield %t : f32
    }
    loop.yield %y : f32
  }
  loop.store %last, %B[%i] : @B
}
"""


def test_sums_in_order_are_proved_by_widening() -> None:
    assert isinstance(decide("A: ?x8, B: 8", SUM, TILED_SUM), Proved)
    late = TILED_SUM.replace("%zero = arith.constant 0.0", "%zero = arith.constant 1.0")
    _, output, _ = point(decide("A: ?x8, B: 8", SUM, late))
    assert output == 1
    short = TILED_SUM.replace("min(4, %n - %o * 4)", "min(4, %n - %o * 4 - 1)")
    sizes, output, _ = point(decide("A: ?x8, B: 8", SUM, short))
    assert output == 1 and max(sizes) >= 1


def test_a_recurrence_that_begins_elsewhere_is_refuted() -> None:
    started = RECURRENCE.replace("%i = 1 to", "%i = 2 to")
    sizes, output, element = point(decide("A: ?, B: ?", RECURRENCE, started))
    assert output == 1 and max(sizes) >= 2 and element >= (1,)


def test_in_place_updates() -> None:
    shifted = """
    loop.for %i = 0 to %n - 1 {
      %a = loop.load %A[INDEX + 1] : @A
      loop.store %a, %A[INDEX] : @A
    }
    """
    forwards, backwards = shifted.replace("INDEX", "%i"), shifted.replace("INDEX", "%n - 2 - %i")
    assert isinstance(decide("A: ?", forwards, forwards), Proved)
    sizes, output, _ = point(decide("A: ?", forwards, backwards))
    assert output == 0 and max(sizes) >= 3


def test_exchanged_outputs_are_refuted() -> None:
    body = """
    loop.for %i = 0 to 8 {
      %a = loop.load %A[%i] : @A
      %b = math.exp %a : f32
      loop.store %a, %FIRST[%i] : @B
      loop.store %b, %SECOND[%i] : @B
    }
    """
    before, after = (body.replace("FIRST", one).replace("SECOND", other) for one, other in (("B", "C"), ("C", "B")))
    assert point(decide("A: 8, B: 8, C: 8", before, after)) == (set(), 1, (0,))


def test_an_output_that_is_not_written_any_more_is_refuted() -> None:
    body = DOUBLE.replace("%n", "8")
    assert point(decide("A: 8, B: 8", body, "")) == (set(), 1, (0,))
    assert point(decide("A: 8, B: 8", "", body)) == (set(), 1, (0,))


def test_undefined_elements_may_become_anything_and_are_counted() -> None:
    before = """
    %t = loop.alloc : memref<8xf32>
    loop.for %i = 0 to 5 {
      %a = loop.load %A[%i] : @A
      loop.store %a, %t[%i] : memref<8xf32>
    }
    loop.for %i = 0 to 8 {
      %a = loop.load %t[%i] : memref<8xf32>
      loop.store %a, %B[%i] : @B
    }
    """
    after = """
    loop.for %i = 0 to 8 {
      %a = loop.load %A[%i] : @A
      loop.store %a, %B[%i] : @B
    }
    """
    verdict = decide("A: 8, B: 8", before, after)
    assert isinstance(verdict, Proved)
    assert [(u.output, u.count) for u in verdict.undefined] == [(1, 3)] and verdict.undefined_count == 3
    assert point(decide("A: 8, B: 8", after, before)) == (set(), 1, (5,))  # what was defined stays so


def test_what_is_computed_from_undefined_elements_is_counted() -> None:
    before = """
    %t = loop.alloc : memref<8xf32>
    loop.for %i = 0 to 8 {
      %t1 = loop.load %t[%i] : memref<8xf32>
      %a = loop.load %A[%i] : @A
      %b = arith.addf %a, %t1 : f32
      loop.store %b, %B[%i] : @B
    }
    """
    verdict = decide("A: 8, B: 8", before, DOUBLE.replace("%n", "8"))
    assert isinstance(verdict, Proved) and verdict.undefined_count == 8


def test_every_access_stays_inside() -> None:
    verdict = decide("A: ?, B: ?", double(), double(upper="%n + 1"))
    assert isinstance(verdict, Refuted) and verdict.output is None
    assert list(verdict.element) == [max(verdict.sizes.values())]
    assert verdict.after.op is not None
    beyond = """
    loop.for %i = 0 to %n {
      %a = loop.load %A[%i] : @A
      %unused = loop.load %A[%i + 1] : @A
      %b = arith.addf %a, %a : f32
      loop.store %b, %B[%i] : @B
    }
    """
    verdict = decide("A: ?, B: ?", double(), beyond)
    assert isinstance(verdict, Refuted) and verdict.output is None
    # a program that leaves a buffer has no meaning to keep
    assert isinstance(decide("A: ?, B: ?", double(upper="%n + 1"), double()), Unknown)


def test_contraction_keeps_the_order_of_sums() -> None:
    body = """
    loop.for %i = 0 to 8 {
      %a = loop.load %A[%i] : @A
      %b = loop.load %B[%i] : @B
      %c = loop.load %C[%i] : @C
      WHAT
      loop.store %y, %D[%i] : @D
    }
    """
    before = body.replace("WHAT", "%p = arith.mulf %a, %b : f32\n%y = arith.addf %p, %c : f32")
    fused = body.replace("WHAT", "%y = math.fma %a, %b, %c : f32")
    arguments = "A: 8, B: 8, C: 8, D: 8"
    assert isinstance(decide(arguments, before, fused, CONTRACTS), Proved)
    assert isinstance(decide(arguments, fused, before, CONTRACTS), Proved)
    assert isinstance(decide(arguments, before, fused), Refuted)
    assert isinstance(decide(arguments, before, fused, REASSOCIATES), Refuted)
    other = body.replace("WHAT", "%y = math.fma %a, %c, %b : f32")
    assert isinstance(decide(arguments, before, other, CONTRACTS), Refuted)


def test_differences_of_products_are_contracted() -> None:
    body = """
    loop.for %i = 0 to 8 {
      %a = loop.load %A[%i] : @A
      %b = loop.load %B[%i] : @B
      %c = loop.load %C[%i] : @C
      WHAT
      loop.store %y, %D[%i] : @D
    }
    """
    arguments = "A: 8, B: 8, C: 8, D: 8"
    product = "%p = arith.mulf %a, %b : f32\n"
    less_product = body.replace("WHAT", product + "%y = arith.subf %c, %p : f32")
    less_addend = body.replace("WHAT", product + "%y = arith.subf %p, %c : f32")
    negated_factor = body.replace("WHAT", "%m = arith.negf %a : f32\n%y = math.fma %m, %b, %c : f32")
    negated_addend = body.replace("WHAT", "%m = arith.negf %c : f32\n%y = math.fma %a, %b, %m : f32")
    for before, after in ((less_product, negated_factor), (less_addend, negated_addend)):
        assert isinstance(decide(arguments, before, after, CONTRACTS), Proved)
        assert isinstance(decide(arguments, before, after), Refuted)
    assert isinstance(decide(arguments, less_product, negated_addend, CONTRACTS), Refuted)
    assert isinstance(decide(arguments, less_addend, negated_factor, CONTRACTS), Refuted)
    summed = body.replace("WHAT", "%m = arith.negf %c : f32\n" + product + "%y = arith.addf %m, %p : f32")
    assert isinstance(decide(arguments, summed, negated_addend, CONTRACTS), Proved)
    both = body.replace("WHAT", "%m = arith.negf %a : f32\n%o = arith.negf %b : f32\n%y = math.fma %m, %o, %c : f32")
    assert isinstance(
        decide(arguments, body.replace("WHAT", product + "%y = arith.addf %p, %c : f32"), both, CONTRACTS), Proved
    )


def test_other_arguments_are_unknown() -> None:
    verdict = equivalent(function("A: 8, B: 8", ""), function("A: 8, B: 9", ""))
    assert isinstance(verdict, Unknown) and "argument 1" in verdict.reason


def test_constants_have_bits() -> None:
    body = "%c = arith.constant VALUE : f32\nloop.for %i = 0 to 8 { loop.store %c, %A[%i] : @A }"
    zero = body.replace("VALUE", "0.0")
    assert isinstance(decide("A: 8", zero, zero), Proved)
    assert isinstance(decide("A: 8", zero, body.replace("VALUE", "-0.0")), Refuted)
    assert isinstance(decide("A: 8", zero, body.replace("VALUE", "1.0")), Refuted)


def test_iterations_of_a_parallel_loop_do_not_meet() -> None:
    right = double().replace("to %n {", "to %n kind parallel {")
    assert isinstance(decide("A: ?, B: ?", double(), right), Proved)
    # Run in order, each iteration stores its own element after the one before has touched it.
    wrong = """
    %zero = arith.constant 0.0 : f32
    loop.for %i = 0 to %n kind parallel {
      loop.store %zero, %B[%i + 1] where (%i + 1 < %n) : @B
      %a = loop.load %A[%i] : @A
      %b = arith.addf %a, %a : f32
      loop.store %b, %B[%i] : @B
    }
    """
    assert isinstance(decide("A: ?, B: ?", double(), wrong.replace("kind parallel ", "")), Proved)
    verdict = decide("A: ?, B: ?", double(), wrong)
    assert isinstance(verdict, Refuted) and verdict.fault is Fault.RACE and verdict.output is None
    assert max(verdict.sizes.values()) >= 2 and "of a parallel loop touch B[" in verdict.after.text
    before = decide("A: ?, B: ?", wrong, double())
    assert isinstance(before, Unknown) and before.reason.startswith("before, iterations ")
    # At sizes that the program before refuses nothing is asked.
    one = 'loop.assert (1 - %n >= 0), "at most one" ()\n'
    assert isinstance(decide("A: ?, B: ?", one + double(), one + wrong), Proved)
