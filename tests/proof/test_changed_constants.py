"""A changed constant is refuted with sizes and an element, also where the first sizes with other expressions hide it.

At a size of 0 a sum has no terms, and what scales it changes nothing: 0 * 3 is 0 * 4.
"""

from __future__ import annotations

import pytest
import tilewright
from proof_answers import Prover, refuted_at
from tilewright import te
from tilewright.analysis import equivalence
from tilewright.analysis.equivalence import EXACT, Algebra, Refuted
from tilewright.semantics import confirmation, proving
from tilewright.semantics.confirmation import Confirmation
from tilewright.semantics.proving import Judgement, prove
from xdsl.dialects.func import FuncOp

from .planted import module_of

REASSOCIATES = Algebra(reassociates=True)

PRODUCT = """\
func.func @f(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32> {tw.output}) {
  %n = loop.dim %a, 0 : memref<?x?xf32>
  %l = loop.dim %a, 1 : memref<?x?xf32>
  %m = loop.dim %b, 1 : memref<?x?xf32>
  loop.bind %a shape [%n, %l] strides [%l, 1] : memref<?x?xf32>
  loop.bind %b shape [%l, %m] strides [%m, 1] : memref<?x?xf32>
  loop.bind %c shape [%n, %m] strides [%m, 1] : memref<?x?xf32>
  %init = arith.constant 0.0 : f32
  %inside = arith.constant 2.0 : f32
  %scale = arith.constant 3.0 : f32
  %offset = arith.constant 4.0 : f32
  loop.for %i = 0 to %n {
    loop.for %j = 0 to %m {
      loop.store %init, %c[%i, %j] : memref<?x?xf32>
      loop.for %k = 0 to %l {
        %0 = loop.load %a[%i, %k] : memref<?x?xf32>
        %1 = loop.load %b[%k, %j] : memref<?x?xf32>
        %2 = arith.mulf %0, %1 : f32
        %3 = arith.mulf %2, %inside : f32
        %4 = loop.load %c[%i, %j] : memref<?x?xf32>
        %5 = arith.addf %4, %3 : f32
        loop.store %5, %c[%i, %j] : memref<?x?xf32>
      }
      %6 = loop.load %c[%i, %j] : memref<?x?xf32>
      %7 = arith.mulf %6, %scale : f32
      loop.if (%j - %i < 7) {
        %8 = arith.addf %7, %offset : f32
        loop.store %8, %c[%i, %j] : memref<?x?xf32>
      } else {
        loop.store %7, %c[%i, %j] : memref<?x?xf32>
      }
    }
  }
  func.return
}
"""

ROWS = """\
func.func @f(%a: memref<?x?x?xf32>, %c: memref<?x?xf32> {tw.output}) {
  %n = loop.dim %a, 0 : memref<?x?x?xf32>
  %m = loop.dim %a, 1 : memref<?x?x?xf32>
  %l = loop.dim %a, 2 : memref<?x?x?xf32>
  loop.bind %c shape [%n, %m] strides [%m, 1] : memref<?x?xf32>
  %least = arith.constant -4.0 : f32
  %inside = arith.constant 0.5 : f32
  %most = arith.constant 60.0 : f32
  loop.for %i = 0 to %n {
    loop.for %j = 0 to %m {
      loop.store %least, %c[%i, %j] : memref<?x?xf32>
      loop.for %k = 0 to (%l + 7) floordiv 8 {
        loop.for %u = 0 to 8 {
          loop.if (%k * 8 + %u < %l) {
            %0 = loop.load %a[%i, %j, %k * 8 + %u] : memref<?x?x?xf32>
            %1 = arith.mulf %0, %inside : f32
            %2 = loop.load %c[%i, %j] : memref<?x?xf32>
            %3 = arith.maximumf %2, %1 : f32
            loop.store %3, %c[%i, %j] : memref<?x?xf32>
          }
        }
      }
      %4 = loop.load %c[%i, %j] : memref<?x?xf32>
      %5 = arith.minimumf %4, %most : f32
      loop.store %5, %c[%i, %j] : memref<?x?xf32>
    }
  }
  func.return
}
"""
COPY = """\
func.func @f(%a: memref<?xf32>, %b: memref<?xf32> {tw.output}) {
  %n = loop.dim %a, 0 : memref<?xf32>
  loop.bind %b shape [%n] strides [1] : memref<?xf32>
  loop.for %i = 0 to %n {
    %0 = loop.load %a[%i] : memref<?xf32>
    loop.store %0, %b[%i] : memref<?xf32>
  }
  func.return
}
"""
LATE = """\
func.func @f(%a: memref<?xi32>, %c: memref<1xi32> {tw.output}) {
  %n = loop.dim %a, 0 : memref<?xi32>
  loop.bind %a shape [%n] strides [1] : memref<?xi32>
  %init = arith.constant 0 : i32
  %inside = arith.constant 3 : i32
  %limit = arith.constant 1000 : i32
  %scale = arith.constant 5 : i32
  loop.store %init, %c[0] : memref<1xi32>
  loop.for %i = 12 to %n {
    %0 = loop.load %a[%i] : memref<?xi32>
    %1 = arith.muli %0, %inside : i32
    %2 = arith.minsi %1, %limit : i32
    %3 = loop.load %c[0] : memref<1xi32>
    %4 = arith.addi %3, %2 : i32
    loop.store %4, %c[0] : memref<1xi32>
  }
  %5 = loop.load %c[0] : memref<1xi32>
  %6 = arith.muli %5, %scale : i32
  loop.store %6, %c[0] : memref<1xi32>
  func.return
}
"""
CHANGES = {
    "product": (
        PRODUCT,
        {
            "init": ("%init = arith.constant 0.0", "%init = arith.constant 0.5"),
            "term": ("constant 2.0", "constant 2.5"),
            "scale of the sum": ("constant 3.0", "constant 4.0"),
            "offset under a guard": ("constant 4.0", "constant 5.0"),
            "guard": ("%i < 7", "%i < 8"),
            "first term": ("%k = 0 to %l", "%k = 1 to %l"),
        },
    ),
    "maximum of rows in tiles": (
        ROWS,
        {
            "init": ("constant -4.0", "constant -5.0"),
            "term": ("constant 0.5", "constant 0.75"),
            "bound of the maximum": ("constant 60.0", "constant 64.0"),
            "guard": ("%u < %l)", "%u < %l - 1)"),
        },
    ),
    "sum of what stands behind the twelfth": (
        LATE,
        {
            "init": ("constant 0 :", "constant 1 :"),
            "term": ("constant 3 :", "constant 2 :"),
            "bound of a term": ("constant 1000 :", "constant 1001 :"),
            "scale of the sum": ("constant 5 :", "constant 7 :"),
        },
    ),
}


def fused() -> str:
    """Return a scaled product whose rows and columns are one loop in parts of 8: it has a model for fixed columns
    only."""
    n, m, inner = te.var("n"), te.var("m"), te.var("l")
    a, b = te.placeholder((n, inner), name="A"), te.placeholder((inner, m), name="B")
    k = te.reduce_axis((0, inner), "k")
    c = te.compute((n, m), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="C")
    d = te.compute((n, m), lambda i, j: c[i, j] * 3.0, name="D")
    s = tilewright.Schedule(tilewright.IRModule({"main": te.create_prim_func([a, b, d])}))
    rows, columns, _ = s.get_loops(s.get_block("C"))
    s.split(s.fuse(rows, columns), [None, 8])
    return str(s.func)


def judged(before: str, after: str, algebra: Algebra) -> Judgement:
    functions = [next(op for op in module_of(text).ops if isinstance(op, FuncOp)) for text in (before, after)]
    return prove(functions[0], functions[1], algebra)


def test_each_changed_constant_is_refuted() -> None:
    missed: dict[str, str] = {}
    scale = {"scale of the sum": ("constant 3.000000e+00", "constant 4.0")}
    for program, (text, changes) in {**CHANGES, "product in parts of a fused loop": (fused(), scale)}.items():
        for what, (old, new) in changes.items():
            for algebra in (EXACT, REASSOCIATES):
                assert text.count(old) == 1, what
                found = judged(text, text.replace(old, new), algebra)
                at = found.verdict
                shown = found.evidence.startswith("the interpreter finds ")
                if not (isinstance(at, Refuted) and at.sizes and at.element and shown):
                    missed[f"{program}: {what} {algebra}"] = f"{found.word} {found.reason} {found.evidence}"
    assert missed == {}


def test_an_axiom_is_missing_where_several_sizes_with_terms_show_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    """x * 2 is x + x, of which no algebra knows."""
    asked: list[dict[str, int]] = []

    def confirm(before: FuncOp, after: FuncOp, refuted: Refuted, algebra: Algebra) -> Confirmation:
        asked.append(dict(refuted.sizes))
        return confirmation.confirm(before, after, refuted, algebra)

    monkeypatch.setattr(proving, "confirm", confirm)
    for text, old in (
        (PRODUCT, "mulf %2, %inside"),
        (LATE.replace("constant 3 :", "constant 2 :"), "muli %0, %inside"),
    ):
        asked.clear()
        operand = old.split()[1].removesuffix(",")
        found = judged(text, text.replace(old, f"add{old[3]} {operand}, {operand}"), EXACT)
        assert found.lacks_axiom and found.reason.startswith("an axiom is missing: expressions differ at ")
        assert sum(min(sizes.values()) > (0 if text == PRODUCT else 12) for sizes in asked) >= 3
        assert len({tuple(sizes.items()) for sizes in asked}) == len(asked)


OTHER_SIZES = {
    "equal numbers at one size": (3, 0, "numbers do not differ there, and too few other sizes could be run", False),
    "equal numbers at three": (3, 2, "an axiom is missing: expressions differ at ", True),
    "no numbers at the first": (1 << 40, 0, "and the numbers there are not known: ", False),
}


@pytest.mark.parametrize("case", OTHER_SIZES)
def test_what_is_said_of_equal_numbers(monkeypatch: pytest.MonkeyPatch, case: str) -> None:
    extent, further, reason, lacks_axiom = OTHER_SIZES[case]
    answer = refuted_at((0,), 1, "loop.store", extent, further)
    monkeypatch.setattr(equivalence, "equivalent", Prover(answer), raising=False)
    found = judged(COPY, COPY, EXACT)
    assert (found.word, found.lacks_axiom) == ("unknown", lacks_axiom) and reason in found.reason
