"""Models of functions, run at small sizes against the interpreter, and their flow against who wrote last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from tilewright.analysis.integer_set.calculus import Calculus, Undecided
from tilewright.analysis.polyhedral import Flow, Model, Refusal, model_of
from tilewright.analysis.polyhedral import expression_trees as tree
from tilewright.analysis.polyhedral.guard_systems import fails, holds
from tilewright.analysis.polyhedral.inside import violations
from tilewright.analysis.polyhedral.sizes import parameter_symbol
from tilewright.dialects import context
from tilewright.dialects.index_expr import Index, Symbol
from tilewright.semantics import run
from tilewright.semantics.values import dtype_of
from xdsl.dialects.builtin import MemRefType, ModuleOp, f32
from xdsl.dialects.func import FuncOp
from xdsl.parser import Parser

from .execute import Run, check_last_writers, execute, sizes_of
from .functions import CASES, Argument, Case

CALLS = [pytest.param(case, call, id=f"{case.name} {call}") for case in CASES for call in case.calls]


def parsed(text: str) -> tuple[ModuleOp, FuncOp]:
    module = Parser(context(), f"builtin.module {{ {text} }}").parse_module()
    module.verify()
    (function,) = module.body.block.ops
    assert isinstance(function, FuncOp)
    return module, function


def drawn_arguments(function: FuncOp, call: Sequence[Argument]) -> list[Any]:
    """Return arrays of the shapes of a call, and its numbers."""
    rng = np.random.default_rng(0)
    values: list[Any] = []
    for argument, given in zip(function.body.block.args, call, strict=True):
        if isinstance(argument.type, MemRefType):
            assert isinstance(given, tuple)
            values.append((rng.standard_normal(given) * 100).astype(dtype_of(argument.type)))
        else:
            values.append(given if isinstance(given, int) else dtype_of(argument.type).type(given))
    return values


def run_both(module: ModuleOp, model: Model, arguments: list[Any]) -> Run:
    """Run a model, and check that its arguments hold at the end the values that the interpreter computes, bit for bit.

    Elements that are undefined are not compared, nor is memory that was lent.
    """
    expected = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
    run(module, "main", *expected)
    done = execute(model, arguments)
    for cell, element in done.undefined:
        assert cell.argument is not None
        expected[cell.argument][element] = done.arguments[cell.argument][element]
    for position in model.arguments:
        want, got = expected[position], done.arguments[position]
        if isinstance(want, np.ndarray):
            assert want.tobytes() == got.tobytes()
    return done


@pytest.mark.each(("case", "call"), CALLS)
def test_models_compute_what_functions_do(case: Case, call: tuple[Argument, ...]) -> None:
    module, function = parsed(case.text)
    model = model_of(function)
    assert isinstance(model, Model), model
    done = run_both(module, model, drawn_arguments(function, call))
    assert done.undefined == []
    check_last_writers(done)


REFUSED = {
    "an index is data: %i of arith.index_cast": """
  %k = loop.load %I[0] : memref<?xi64>
  %i = arith.index_cast %k : i64 to index
  %x = loop.load %A[%i] : memref<?xf32>
  loop.store %x, %A[0] : memref<?xf32>""",
    "operation loop.call_extern is not modelled": """
  loop.call_extern "f"()""",
    "operation func.call is not modelled": """
  func.call @main(%A, %I, %S) : (memref<?xf32>, memref<?xi64>, memref<4xi64>) -> ()""",
    "a loop over a product of sizes is split before it is delinearized": """
  %m = loop.dim %I, 0 : memref<?xi64>
  loop.for %f = 0 to %n {
    %i, %j = loop.delinearize %f into (%n, %m)
    loop.store %c, %A[%i] : memref<?xf32>
  }""",
    "a loop's bound is no affine expression: %nm of arith.muli": """
  %m = loop.dim %I, 0 : memref<?xi64>
  %nm = arith.muli %n, %m : index
  loop.for %f = 0 to %nm {
    loop.store %c, %A[0] : memref<?xf32>
  }""",
    "a loop's bound is no affine expression: %other of arith.muli": """
  %m = loop.dim %I, 0 : memref<?xi64>
  %other = arith.muli %n, %n : index
  loop.for %f = 0 to %other {
    %i, %j = loop.delinearize %f into (%n, %m)
    loop.store %c, %A[%i] : memref<?xf32>
  }""",
    "a loop's bound is no affine expression: %twice of arith.muli": """
  %m = loop.dim %I, 0 : memref<?xi64>
  %n2 = loop.apply (%n * 2) : index
  %twice = arith.muli %n2, %m : index
  loop.for %f = 0 to %twice {
    %i, %j = loop.delinearize %f into (%n, %m)
    loop.store %c, %A[%i] : memref<?xf32>
  }""",
    "a fused loop runs over a product of sizes that may be negative": """
  %m = loop.dim %I, 0 : memref<?xi64>
  %n5 = loop.apply (%n - 5) : index
  %m5 = loop.apply (%m - 5) : index
  %nm = arith.muli %n5, %m5 : index
  loop.for %f = 0 to %nm {
    %i, %j = loop.delinearize %f into (%n - 5, %m - 5)
    loop.store %c, %A[%i] : memref<?xf32>
  }""",
    "a buffer's size is no affine expression of sizes": """
  %m = loop.dim %I, 0 : memref<?xi64>
  %nm = arith.muli %n, %m : index
  %t = loop.alloc (%nm) : memref<?xf32>
  loop.store %c, %t[0] : memref<?xf32>""",
    "a view begins within an element of another one": """
  %t = loop.alloc : memref<64xi8>
  %u = loop.view %t[0] : memref<64xi8> to memref<8xf32>
  %v = loop.view %t[6] : memref<64xi8> to memref<8xf32>
  loop.store %c, %u[0] : memref<8xf32>""",
    "a part of a stretch of bytes has no constant position": """
  %t = loop.alloc : memref<64xi8>
  %u = loop.view %t[%n] : memref<64xi8> to memref<8xf32>
  loop.store %c, %u[0] : memref<8xf32>""",
    "memory is used both as bytes and through views": """
  %t = loop.alloc : memref<64xi8>
  %u = loop.view %t[0] : memref<64xi8> to memref<8xf32>
  %b = arith.constant 1 : i8
  loop.store %b, %t[0] : memref<64xi8>""",
    "a view takes elements of i64 for f32": """
  %u = loop.view %S[8] : memref<4xi64> to memref<2xf32>
  loop.store %c, %u[0] : memref<2xf32>""",
    "a view lies within bytes whose number is symbolic": """
  %u = loop.view %A[4] : memref<?xf32> to memref<1xf32>
  loop.store %c, %u[0] : memref<1xf32>""",
    "a constant vector has different elements": """
  %v = arith.constant dense<[1.0, 2.0]> : vector<2xf32>
  loop.store %v, %A[lane] : vector<2xf32>, memref<?xf32>""",
    "where there is nothing to reduce": """
  %t = loop.alloc : memref<1xf32>
  loop.for %k = 0 to %n {
    %x = loop.load %A[%k] : memref<?xf32>
    loop.block "B" (%vk = reduce(%k) in %n) {
      loop.init { loop.store %x, %t[0] : memref<1xf32> }
      loop.store %c, %t[0] : memref<1xf32>
    }
  }""",
}


@pytest.mark.parametrize(("reason", "body"), REFUSED.items(), ids=REFUSED)
def test_refusals_state_the_reason(reason: str, body: str) -> None:
    _, function = parsed(f"""
func.func @main(%A: memref<?xf32>, %I: memref<?xi64>, %S: memref<4xi64>) {{
  %n = loop.dim %A, 0 : memref<?xf32>
  %c = arith.constant 1.0 : f32
  {body}
  func.return
}}""")
    model = model_of(function)
    assert isinstance(model, Refusal)
    assert reason in model.reason
    assert model.op is not function


def test_bytes_that_are_read_as_another_type_are_undecided() -> None:
    """Elements of 4 bytes at the place of elements of 8: what a read finds there is no element of its type."""
    _, function = parsed("""
func.func @main(%A: memref<4xi64>, %B: memref<8xf32> {tw.output}) {
  %arena = loop.alloc : memref<32xi8>
  %t = loop.view %arena[0] : memref<32xi8> to memref<4xi64>
  %u = loop.view %arena[8] : memref<32xi8> to memref<6xf32>
  %c = arith.constant 1.0 : f32
  loop.for %i = 0 to 4 {
    %a = loop.load %A[%i] : memref<4xi64>
    loop.store %a, %t[%i] : memref<4xi64>
  }
  loop.store %c, %u[3] : memref<6xf32>
  %x = loop.load %u[3] : memref<6xf32>
  loop.store %x, %B[0] : memref<8xf32>
  %y = loop.load %u[2] : memref<6xf32>
  loop.store %y, %B[1] : memref<8xf32>
  loop.for %i = 0 to 2 {
    %z = loop.load %t[%i * 3] : memref<4xi64>
    %f = arith.sitofp %z : i64 to f32
    loop.store %f, %B[%i + 2] : memref<8xf32>
  }
  loop.for %i = 2 to 3 {
    %z = loop.load %t[%i] : memref<4xi64>
    %f = arith.sitofp %z : i64 to f32
    loop.store %f, %B[%i + 2] : memref<8xf32>
  }
  func.return
}""")
    model = model_of(function)
    assert isinstance(model, Model)
    flow = Flow(model, Calculus())
    known, other, disjoint, overwritten = (r for r in model.reads if r.cell.kind == "allocation")
    assert [len(flow.sources(read).writers) for read in (known, disjoint)] == [1, 1]
    for read in (other, overwritten):
        with pytest.raises(Undecided, match="are read as elements of another type"):
            flow.sources(read)


SPLIT = """
func.func @main(%A: memref<?x?xf32>, %B: memref<?x?xf32> {tw.output}) {
  %n = loop.dim %A, 0 : memref<?x?xf32>
  %m = loop.dim %A, 1 : memref<?x?xf32>
  loop.bind %A shape [%n, %m] strides [%m, 1] : memref<?x?xf32>
  loop.bind %B shape [%n, %m] strides [%m, 1] : memref<?x?xf32>
  %nm = arith.muli %n, %m : index
  loop.for %fo = 0 to ((%nm + 3) floordiv 4) {
    loop.for %fi = 0 to 4 {
      %f = loop.apply (%fo * 4 + %fi) : index
      loop.if (%fo * 4 + %fi < %nm) {
        %i, %j = loop.delinearize %f into (%n, %m)
        %x = loop.load %A[%i, %j] : memref<?x?xf32>
        loop.store %x, %B[%i, %j] : memref<?x?xf32>
      }
    }
  }
  func.return
}"""


def test_a_split_product_of_sizes_has_models_for_fixed_sizes_only() -> None:
    _, function = parsed(SPLIT)
    assert isinstance(model_of(function), Refusal)


@pytest.mark.parametrize("m", [0, 1, 3])
def test_models_for_fixed_sizes(m: int) -> None:
    module, function = parsed(SPLIT)
    model = model_of(function, fixed={parameter_symbol(0, 1): m})
    assert isinstance(model, Model), model
    assert violations(model) == []
    for n in (0, 1, 5):
        done = run_both(module, model, drawn_arguments(function, ((n, m), (n, m))))
        assert done.undefined == []
        check_last_writers(done)
    other = drawn_arguments(function, ((2, m + 1), (2, m + 1)))
    assert not model.context.contains(sizes_of(model, other)), "the model is for another size"


def test_subscripts_of_a_shape_that_an_argument_had() -> None:
    """A flat argument seen as a matrix: rows where terms tell them, else a quotient and a remainder."""
    module, function = parsed("""
func.func @main(%A: memref<24xf32>, %B: memref<24xf32> {tw.output}) {
  loop.for %i = 0 to 4 {
    loop.for %j = 0 to 6 {
      %x = loop.load %A[%i * 6 + %j] : memref<24xf32>
      loop.store %x, %B[%i * -6 + %j + 18] : memref<24xf32>
    }
  }
  loop.for %k = 0 to 11 {
    %x = loop.load %A[%k * 2 + 1] : memref<24xf32>
    loop.store %x, %B[%k + 12] : memref<24xf32>
  }
  func.return
}""")
    model = model_of(function, shapes={0: (4, 6), 1: (2, 2, 6)})
    assert isinstance(model, Model)
    assert [c.shape for c in model.cells] == [tuple(map(Index.of, s)) for s in ((4, 6), (2, 2, 6))]
    row, flat = (r.element for r in model.reads)
    assert all(e.is_linear for e in row)
    assert not any(e.is_linear for e in flat)
    done = run_both(module, model, drawn_arguments(function, ((24,), (24,))))
    check_last_writers(done)


@pytest.mark.parametrize("index", ["0", "%i"])
def test_the_only_element_of_a_buffer_without_dimensions_through_a_view(index: str) -> None:
    module, function = parsed(f"""
func.func @main(%A: memref<4xf32>, %B: memref<4xf32> {{tw.output}}) {{
  %t = loop.alloc : memref<f32>
  %u = loop.view %t[0] : memref<f32> to memref<1xf32>
  loop.for %i = 0 to 4 {{
    %x = loop.load %A[%i] : memref<4xf32>
    loop.store %x, %u[{index}] where (%i == 0) : memref<1xf32>
    %y = loop.load %u[0] : memref<1xf32>
    loop.store %y, %B[%i] : memref<4xf32>
  }}
  func.return
}}""")
    model = model_of(function)
    if index == "0":
        assert isinstance(model, Model)
        check_last_writers(run_both(module, model, drawn_arguments(function, ((4,), (4,)))))
    else:
        assert isinstance(model, Refusal) and "its only element" in model.reason


def test_a_loop_in_one_iteration_finds_nothing_of_another_one() -> None:
    """Memory that is allocated in a loop begins undefined in each iteration."""
    _, function = parsed("""
func.func @main(%A: memref<?xf32>, %B: memref<?xf32> {tw.output}) {
  %n = loop.dim %A, 0 : memref<?xf32>
  loop.bind %B shape [%n] strides [1] : memref<?xf32>
  loop.for %i = 0 to %n {
    %t = loop.alloc : memref<2xf32>
    %x = loop.load %A[%i] : memref<?xf32>
    loop.store %x, %t[%i mod 2] : memref<2xf32>
    %y = loop.load %t[0] : memref<2xf32>
    loop.store %y, %B[%i] : memref<?xf32>
  }
  func.return
}""")
    model = model_of(function)
    assert isinstance(model, Model)
    done = execute(model, drawn_arguments(function, ((5,), (5,))))
    assert [element for _, element in done.undefined] == [(1,), (3,)]
    check_last_writers(done)


def test_parameters_are_named_by_position_and_equal_ones_are_one() -> None:
    _, function = parsed(SPLIT)
    model = model_of(function, fixed={parameter_symbol(0, 1): 3})
    assert isinstance(model, Model)
    assert [(p.argument, p.dimension) for p in model.parameters] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    used = {v for s in model.statements for part in s.domain for v in part.variables} & {*model.symbols}
    assert used == {parameter_symbol(0, 0)}


def test_equal_trees_are_one_object() -> None:
    i = Index.of(Symbol("i"))
    a, b = (tree.apply("arith.addf", [], f32, [tree.read_value(0, f32), tree.constant(f32, 0)]) for _ in range(2))
    assert a is b
    assert a is not tree.apply("arith.addf", [], f32, [tree.constant(f32, 0), tree.read_value(0, f32)])
    assert tree.index_value(i + 1, f32) is tree.index_value(1 + i, f32)
    here, there = holds([i]), fails([i])
    assert tree.choice([(here, a), (there, b)], f32) is a
    assert tree.choice([(here, a), (there, tree.undefined(f32))], f32) is not a
    chosen = tree.walk(tree.choice([(here, a), (there, tree.read_value(3, f32))], f32))
    assert {e.read for e in chosen if isinstance(e, tree.ReadValue)} == {0, 3}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_functions_stay_as_they_are(case: Case) -> None:
    """No operation that the model was made with stays a user of the function's values, or stands in the model."""
    module, function = parsed(case.text)
    text = str(module)
    model = model_of(function)
    assert isinstance(model, Model)
    assert str(module) == text
    module.verify()
    inside = {*function.walk()}
    values = [v for op in inside for v in (*op.results, *(a for r in op.regions for b in r.blocks for a in b.args))]
    assert {use.operation for value in values for use in value.uses} <= inside
    named = (*model.statements, *model.reads, *model.obligations, *model.assertions)
    assert {x.op for x in named} <= inside
