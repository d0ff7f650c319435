"""Functions of tensor expressions: right steps are proved, planted faults refuted at an element that differs."""

from __future__ import annotations

import pytest
import tilewright.operators  # noqa: F401  (operators by name)
from tilewright.analysis.equivalence import EXACT, Algebra, Budget, Proved, Refuted, Unknown, equivalent
from tilewright.analysis.equivalence.copies import Copied, copied_by
from tilewright.analysis.equivalence.verdict import Fault
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.semantics.proving import account, prove
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from .pairs import REASSOCIATES

PRODUCT = """
func.func @f(%A: tensor<?x8xf32, #graph.dims<n, _>>, %B: tensor<8x?xf32, #graph.dims<_, m>>)
    -> tensor<?x?xf32, #graph.dims<n, m>> {
  %n = te.dim %A, 0 : tensor<?x8xf32, #graph.dims<n, _>>
  %m = te.dim %B, 1 : tensor<8x?xf32, #graph.dims<_, m>>
  %r = te.compute "relu" [%i to %n, %j to 8] -> tensor<?x8xf32, #graph.dims<n, _>> {
    %0 = te.read %A[%i, %j] : tensor<?x8xf32, #graph.dims<n, _>>
    %z = arith.constant 0.0 : f32
    %1 = arith.maximumf %0, %z : f32
    te.yield %1 : f32
  }
  %s = te.compute "product" [%i to %n, %j to %m] reduce [%k to 8] -> tensor<?x?xf32, #graph.dims<n, m>> {
    %a = te.read %r[%i, %k] : tensor<?x8xf32, #graph.dims<n, _>>
    %b = te.read %B[%k, %j] : tensor<8x?xf32, #graph.dims<_, m>>
    %p = arith.mulf %a, %b : f32
    te.reduce <add> %p : f32
  }
  func.return %s : tensor<?x?xf32, #graph.dims<n, m>>
}
"""
WINDOW = """
func.func @f(%x: tensor<3x7xf32>, %w: tensor<3xf32>) -> tensor<3x7xf32> {
  %p = te.compute "pad" [%i to 3, %j to 9] -> tensor<3x9xf32> {
    %z = arith.constant 0.0 : f32
    %0 = te.read %x[%i, %j - 1] where (%j >= 1, %j < 8) else %z : tensor<3x7xf32>
    te.yield %0 : f32
  }
  %c = te.compute "conv" [%i to 3, %j to 7] reduce [%k to 3] -> tensor<3x7xf32> {
    %0 = te.read %p[%i, %j + %k] : tensor<3x9xf32>
    %1 = te.read %w[%k] : tensor<3xf32>
    %2 = arith.mulf %0, %1 : f32
    te.reduce <add> %2 : f32
  }
  func.return %c : tensor<3x7xf32>
}
"""
ARGMAX = """
func.func @f(%x: tensor<4x6xf32>) -> (tensor<4xi32>, tensor<4xf32>) {
  %i, %v = te.compute "argmax" [%r to 4] reduce [%k to 6] -> tensor<4xi32>, tensor<4xf32> {
    %0 = te.read %x[%r, %k] : tensor<4x6xf32>
    %1 = te.apply (%k) : index
    %2 = arith.index_cast %1 : index to i32
    te.reduce %2, %0 : i32, f32 identity [-1 : i32, 0xff800000 : f32] by (%ai, %av), (%bi, %bv) {
      %c = arith.cmpf oge, %av, %bv : f32
      %3 = arith.select %c, %ai, %bi : i32
      %4 = arith.select %c, %av, %bv : f32
      te.yield %3, %4 : i32, f32
    }
  }
  func.return %i, %v : tensor<4xi32>, tensor<4xf32>
}
"""
RESHAPED = """
func.func @f(%x: tensor<4x6xui8>) -> (tensor<24xui8>, tensor<8x3xui8>) {
  %m = te.compute "max" [%i to 4, %j to 6] reduce [%k to 2] -> tensor<4x6xui8> {
    %0 = te.read %x[%i, (%j + %k) mod 6] : tensor<4x6xui8>
    te.reduce <max> %0 : ui8
  }
  %f = te.reshape %m : tensor<4x6xui8> to tensor<24xui8>
  %g = te.reshape %x : tensor<4x6xui8> to tensor<8x3xui8>
  func.return %f, %g : tensor<24xui8>, tensor<8x3xui8>
}
"""
PROGRAMS = {"product": PRODUCT, "window": WINDOW, "argmax": ARGMAX, "reshaped": RESHAPED}


def module_of(text: str) -> ModuleOp:
    return parse(context(), text, "test.mlir")


def function_of(module: ModuleOp) -> FuncOp:
    return next(op for op in module.ops if isinstance(op, FuncOp))


def lowered(text: str, passes: str) -> FuncOp:
    module = module_of(text)
    PassManager(parse_pipeline(passes)).run(context(), module)
    return function_of(module)


@pytest.mark.parametrize("name", PROGRAMS)
def test_te_passes_and_the_loops_below_are_proved(name: str) -> None:
    before = function_of(module_of(PROGRAMS[name]))
    for passes in ("fuse", "fuse,collapse-dimensions", "lower-te", "fuse,collapse-dimensions,lower-te"):
        verdict = equivalent(before, lowered(PROGRAMS[name], passes))
        assert isinstance(verdict, Proved) and not verdict.undefined, (passes, verdict)
    blocks = lowered(PROGRAMS[name], "fuse,lower-te,lower-blocks,simplify")
    assert isinstance(equivalent(before, blocks), Proved)


FAULTS = [
    ("product", "%r[%i, %k]", "%r[%i, 7 - %k]", "another order of one factor"),
    ("product", "%r[%i, %k]", "%A[%i, %k]", "the producer is left out"),
    ("product", "reduce [%k to 8]", "reduce [%k to 7]", "a term is dropped"),
    ("product", "te.reduce <add>", "te.reduce <max>", "another combiner"),
    ("product", "arith.mulf %a, %b", "arith.mulf %a, %a", "a factor twice"),
    ("window", "%p[%i, %j + %k]", "%p[%i, %j + 2 - %k]", "a window read backwards"),
    ("window", "%p[%i, %j + %k]", "%p[%k, %j + 1]", "the wrong axis"),
    ("window", "else %z", "else %o", "another value beyond the edge"),
    ("window", "%x[%i, %j - 1] where (%j >= 1", "%x[%i, %j - 1] where (%j >= 2", "a guard that begins late"),
    ("argmax", "oge", "ole", "an argmin"),
    ("argmax", "0xff800000", "0x3f800000", "another identity"),
    ("argmax", "(%k) : index", "(%k + 1) : index", "an index one too large"),
    ("reshaped", "(%j + %k) mod 6", "(%j + %k + %k) mod 6", "another element"),
    ("reshaped", "te.reshape %x", "te.reshape %m", "another tensor"),
]


@pytest.mark.each("name, old, new, what", FAULTS)
def test_planted_faults_are_refuted(name: str, old: str, new: str, what: str) -> None:
    """Each in the program after, both at te level and taken down to loops."""
    text = PROGRAMS[name]
    assert text.count(old) >= 1
    wrong = text.replace(old, new)
    if "%o" in new:
        wrong = wrong.replace(
            "%z = arith.constant 0.0 : f32", "%z = arith.constant 0.0 : f32\n%o = arith.constant 1.0 : f32"
        )
    before = function_of(module_of(text))
    for passes in ("fuse", "fuse,collapse-dimensions,lower-te"):
        judgement = prove(before, lowered(wrong, passes))
        assert judgement.word == "refuted" and judgement.evidence, (what, passes, judgement)


def test_a_refutation_names_the_result_and_the_element() -> None:
    before = function_of(module_of(WINDOW))
    wrong = function_of(module_of(WINDOW.replace("%j < 8) else", "%j < 7) else")))
    verdict = prove(before, wrong).verdict
    assert isinstance(verdict, Refuted) and verdict.output == 2 and verdict.element == (0, 5)
    assert account(verdict, before) == "output 2[0, 5] differs"


def test_a_read_outside_of_a_tensor_is_refuted() -> None:
    before = function_of(module_of(WINDOW))
    verdict = equivalent(before, function_of(module_of(WINDOW.replace("%j < 8) else", "%j < 9) else"))))
    assert isinstance(verdict, Refuted) and verdict.fault is Fault.OUTSIDE


def test_the_order_of_a_reduction_counts_unless_a_step_declares_otherwise() -> None:
    other = PRODUCT.replace("%r[%i, %k]", "%r[%i, 7 - %k]").replace("%B[%k, %j]", "%B[7 - %k, %j]")
    before, after = (function_of(module_of(text)) for text in (PRODUCT, other))
    expected: list[tuple[Algebra, type]] = [(EXACT, Refuted), (REASSOCIATES, Proved)]
    for algebra, kind in expected:
        assert isinstance(equivalent(before, after, algebra), kind)


def test_operations_without_a_model_are_named() -> None:
    scan = """
    func.func @f(%x: tensor<6xf32>) -> tensor<6xf32> {
      %r = graph.cumsum %x axis 0 : tensor<6xf32>
      func.return %r : tensor<6xf32>
    }
    """
    gather = """
    func.func @f(%x: tensor<6xf32>, %i: tensor<4xi64>) -> tensor<4xf32> {
      %r = graph.gather %x, %i : tensor<4xf32>
      func.return %r : tensor<4xf32>
    }
    """
    for text, reason in ((scan, "operation te.scan is not modelled"), (gather, "an index is data")):
        function = lowered(text, "infer-types,lower-graph")
        verdict = equivalent(function, function)
        assert isinstance(verdict, Unknown) and reason in verdict.reason and verdict.op is not None, verdict


CALLER = """
func.func @main(%x: tensor<4x6xf32>) -> tensor<8x6xf32> {
  %a = func.call @relu(%x) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %b = func.call @tanh(%a) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %c = func.call @concat(%a, %b) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  func.return %c : tensor<8x6xf32>
}
func.func private @relu(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %r = te.compute "relu" [%i to 4, %j to 6] -> tensor<4x6xf32> {
    %0 = te.read %x[%i, %j] : tensor<4x6xf32>
    %z = arith.constant 0.0 : f32
    %1 = arith.maximumf %0, %z : f32
    te.yield %1 : f32
  }
  func.return %r : tensor<4x6xf32>
}
func.func private @tanh(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %r = te.compute "tanh" [%i to 4, %j to 6] -> tensor<4x6xf32> {
    %0 = te.read %x[%i, %j] : tensor<4x6xf32>
    %1 = math.tanh %0 : f32
    te.yield %1 : f32
  }
  func.return %r : tensor<4x6xf32>
}
func.func private @concat(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>) -> tensor<8x6xf32> {
  %r = te.compute "concat" [%i to 8, %j to 6] -> tensor<8x6xf32> {
    %z = arith.constant 0.0 : f32
    %0 = te.read %y[%i - 4, %j] where (%i >= 4) else %z : tensor<4x6xf32>
    %1 = te.read %x[%i, %j] where (%i < 4) else %0 : tensor<4x6xf32>
    te.yield %1 : f32
  }
  func.return %r : tensor<8x6xf32>
}
"""
PLANNED = """
func.func @main(%x: memref<4x6xf32>, %c: memref<8x6xf32> {tw.output}) {
  %a = loop.view %c[0] : memref<8x6xf32> to memref<24xf32>
  %b = loop.view %c[96] : memref<8x6xf32> to memref<24xf32>
  %v = loop.view %x[0] : memref<4x6xf32> to memref<24xf32>
  func.call @relu(%v, %a) : (memref<24xf32>, memref<24xf32>) -> ()
  func.call @tanh(%a, %b) : (memref<24xf32>, memref<24xf32>) -> ()
  func.return
}
func.func private @relu(%x: memref<24xf32>, %y: memref<24xf32> {tw.output}) {
  func.return
}
func.func private @tanh(%x: memref<24xf32>, %y: memref<24xf32> {tw.output}) {
  func.return
}
"""


def test_callers_are_compared_by_what_they_pass() -> None:
    """A concatenation whose operands are computed into its halves is seen through; kernels are compared elsewhere."""
    before = function_of(module_of(CALLER))
    verdict = equivalent(before, function_of(module_of(PLANNED)))
    assert isinstance(verdict, Proved) and verdict.assumptions == ("kernels of one name compute the same",)
    assert isinstance(equivalent(before, lowered(CALLER, "collapse-dimensions,lower-te")), Proved)
    wrong = {
        "@relu(%v, %a)": "@relu(%v, %b)",  # another half
        "@tanh(%a, %b)": "@relu(%a, %b)",  # another kernel
        "%c[96]": "%c[92]",  # halves that overlap
    }
    for old, new in wrong.items():
        assert isinstance(equivalent(before, function_of(module_of(PLANNED.replace(old, new)))), Unknown)


def test_a_callee_is_compared_by_its_name_when_the_budget_does_not_allow_to_read_its_copies() -> None:
    before, planned = function_of(module_of(CALLER)), function_of(module_of(PLANNED))
    few = Budget(operations=1)
    assert isinstance(equivalent(before, planned, budget=few), Unknown)
    assert isinstance(equivalent(before, function_of(module_of(CALLER)), budget=few), Proved)


def test_what_a_function_copies_is_known() -> None:
    kernels = {f.sym_name.data: f for f in module_of(CALLER).ops if isinstance(f, FuncOp)}
    assert copied_by(kernels["concat"]) == [(Copied(0, 0, 96), Copied(1, 0, 96))]
    assert copied_by(kernels["relu"]) is None
    assert copied_by(kernels["concat"], limit=1) is None
    columns = """
    func.func @f(%x: tensor<2x3xf64>, %y: tensor<2x1xf64>) -> tensor<2x4xf64> {
      %r = te.compute "concat" [%i to 2, %j to 4] -> tensor<2x4xf64> {
        %z = arith.constant 0.0 : f64
        %0 = te.read %y[%i, %j - 3] where (%j >= 3) else %z : tensor<2x1xf64>
        %1 = te.read %x[%i, %j] where (%j < 3) else %0 : tensor<2x3xf64>
        te.yield %1 : f64
      }
      func.return %r : tensor<2x4xf64>
    }
    """
    expected = [(Copied(0, 0, 24), Copied(1, 0, 8), Copied(0, 24, 48), Copied(1, 8, 16))]
    assert copied_by(function_of(module_of(columns))) == expected
    filled = columns.replace("%y[%i, %j - 3] where (%j >= 3)", "%y[%i, %j - 3] where (%j >= 4)")
    assert copied_by(function_of(module_of(filled))) is None


GRAPH = """
func.func @main(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %a = graph.relu %x : tensor<4x6xf32>
  %b = graph.tanh %a : tensor<4x6xf32>
  %c = graph.tanh %a : tensor<4x6xf32>
  %d = graph.add %b, %c : tensor<4x6xf32>
  func.return %d : tensor<4x6xf32>
}
"""


def test_operators_are_functions_of_which_the_name_is_known() -> None:
    before = function_of(module_of(GRAPH))
    for passes in ("eliminate-common-subexpressions,dead-code", "fuse", "fuse,outline", "outline"):
        assert isinstance(equivalent(before, lowered(GRAPH, passes)), Proved), passes
    verdict = equivalent(before, function_of(module_of(GRAPH.replace("graph.add %b, %c", "graph.add %b, %a"))))
    assert isinstance(verdict, Unknown)
    assert verdict.reason == ("in output 0 it passes operator(graph.tanh) before and operator(graph.relu) after")


LOOP = """
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<i1>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r, %s = graph.loop %k to 3 carry (%p = %a : tensor<4xf32>, %q = %b : tensor<4xf32>)
      -> (tensor<4xf32>, tensor<4xf32>) {
    %0 = graph.relu %p : tensor<4xf32>
    graph.yield %q, %0
  }
  %y = graph.if %c -> (tensor<4xf32>) {
    %0 = graph.tanh %r : tensor<4xf32>
    graph.yield %0
  } else {
    graph.yield %r
  }
  func.return %y, %s : tensor<4xf32>, tensor<4xf32>
}
"""


def test_branches_and_loops_are_what_their_regions_pass_on() -> None:
    before = function_of(module_of(LOOP))
    for passes in ("materialize-region-results", "fuse,materialize-region-results,outline"):
        assert isinstance(equivalent(before, lowered(LOOP, passes)), Proved), passes
    for old, new in (("%q, %0", "%p, %0"), ("graph.tanh", "graph.relu"), ("to 3", "to 4")):
        other = equivalent(before, function_of(module_of(LOOP.replace(old, new))))
        assert isinstance(other, Unknown), new
