"""Faults that random modules found, as reduced programs."""

from __future__ import annotations

import numpy as np
import pytest
from tilewright import dialects
from tilewright.diagnostics.parsing import parse
from tilewright.dialects.loop import AllocOp
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.semantics import evaluate
from tilewright.semantics.drawn_inputs import random_inputs
from xdsl.dialects.builtin import ModuleOp

from .trial import stray_user


def _module(text: str) -> ModuleOp:
    return parse(dialects.context(), text, "found.mlir")


def _check(text: str, pipeline: str) -> ModuleOp:
    """Assert that passes keep what @main computes, bit for bit."""
    module = _module(text)
    after = module.clone()
    PassManager(parse_pipeline(pipeline)).run(dialects.context(), after)
    inputs = random_inputs(module)
    for expected, got in zip(evaluate(module, *inputs), evaluate(after, *inputs), strict=True):
        np.testing.assert_array_equal(got, expected)
    return after


def test_a_guard_that_never_holds() -> None:
    """The interpreter gives the `else` value in the shape that it has."""
    text = """
    func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {
      %c = te.compute "c" [%i to 3] -> tensor<3xf32> {
        %x = te.read %a[%i] : tensor<3xf32>
        %y = te.read %a[7] where (0 >= 1) else %x : tensor<3xf32>
        te.yield %y : f32
      }
      func.return %c : tensor<3xf32>
    }
    """
    _check(text, "lower-te")


def test_inputs_have_the_bound_sizes() -> None:
    text = """
    func.func @main(%a: tensor<?xf32, #graph.dims<n>>, %b: tensor<?x2xf32>) {
      %n = te.dim %a, 0 : tensor<?xf32, #graph.dims<n>>
      te.bind %b shape [%n * 2 + 1, 2] : tensor<?x2xf32>
      func.return
    }
    """
    a, b = random_inputs(_module(text), sizes={"n": 3})
    assert (a.shape, b.shape) == ((3,), (7, 2))


@pytest.mark.parametrize("name", ["v2", "v", "vi", "w"])
def test_iteration_variables_of_any_name(name: str) -> None:
    """Loops that a schedule makes are named after iteration variables, whose names may end in numbers."""
    from tilewright.schedule import Schedule

    module = _module(f"""
    func.func @main(%a: memref<4xf32>, %c: memref<4xf32> {{tw.output}}) {{
      loop.for %i = 0 to 4 {{
        loop.block "C" (%{name} = spatial(%i) in 4) {{
          %x = loop.load %a[%{name}] : memref<4xf32>
          loop.store %x, %c[%{name}] : memref<4xf32>
        }}
      }}
      func.return
    }}
    """)
    function = module.body.block.first_op
    schedule = Schedule(function)  # pyright: ignore[reportArgumentType]
    schedule.cache_write(schedule.get_block("C"), "c", "local")
    _check(str(module), "lower-blocks")


def test_an_index_is_split_only_where_it_is_below_the_extents() -> None:
    """Operations that are undefined for some operands are not speculated."""
    text = """
    func.func @main(%n: index, %c: memref<12xf32>, %x: f32) {
      loop.for %i = 0 to 4 {
        loop.if (%n < 1) {
          %a, %b = loop.delinearize %n into (1, 1)
          loop.store %x, %c[%i + %a] : memref<12xf32>
        }
      }
      func.return
    }
    """
    _check(text, "hoist")


@pytest.mark.parametrize("op", ["arith.ceildivui", "arith.ceildivsi", "arith.divui"])
def test_guards_of_divisions_stay(op: str) -> None:
    text = f"""
    func.func private @k(%d: memref<8xi32>, %c: memref<8xi32>) {{
      %t = loop.alloc : memref<8xi32>
      loop.for %i = 0 to 8 {{
        loop.if (%i < 6) {{
          %x = loop.load %d[%i] : memref<8xi32>
          %q = {op} %x, %x : i32
          loop.store %q, %t[%i] : memref<8xi32>
        }}
      }}
      loop.for %j = 0 to 6 {{
        %y = loop.load %t[%j] : memref<8xi32>
        loop.store %y, %c[%j] : memref<8xi32>
      }}
      func.return
    }}
    """
    module = _module(text)
    PassManager(parse_pipeline("relax-guards")).run(dialects.context(), module)
    assert "loop.if" in str(module)


def test_the_least_integer_is_not_divided_where_the_program_does_not() -> None:
    """Division by -1 overflows for it."""
    text = """
    func.func private @k(%x: i32, %c: memref<8xi32>, %n: index) {
      %m = arith.constant -1 : i32
      loop.for %i = 0 to %n {
        %q = arith.divsi %x, %m : i32
        loop.store %q, %c[%i] where (%i < 8) : memref<8xi32>
      }
      func.return
    }
    """
    module = _module(text)
    PassManager(parse_pipeline("hoist")).run(dialects.context(), module)
    lines = [line.strip() for line in str(module).splitlines()]
    assert lines.index("loop.for %i = 0 to %n {") < next(k for k, line in enumerate(lines) if "divsi" in line)


@pytest.mark.parametrize("name", ["div", "memcpy", "rand"])
def test_functions_named_like_those_of_the_c_library(name: str) -> None:
    import tilewright

    module = _module(f"""
    func.func private @{name}(%x: memref<3xf32>, %y: memref<3xf32> {{tw.output}}) {{
      loop.for %i = 0 to 3 {{
        %a = loop.load %x[%i] : memref<3xf32>
        loop.store %a, %y[%i] : memref<3xf32>
      }}
      func.return
    }}
    func.func @main(%x: memref<3xf32>, %y: memref<3xf32> {{tw.output}}) {{
      func.call @{name}(%x, %y) : (memref<3xf32>, memref<3xf32>) -> ()
      func.return
    }}
    """)
    x = np.arange(3, dtype=np.float32)
    for target in ("cpu", "c"):
        np.testing.assert_array_equal(tilewright.compile(module.clone(), target=target)(x), x)


def test_parts_of_loops_that_would_be_empty_use_nothing() -> None:
    """A copy that partition-loops had no use for went on using the buffers around it."""
    text = """
    func.func @main(%a: memref<8xf32>, %b: memref<8xf32> {tw.output}) {
      %t = loop.alloc : memref<8xf32>
      loop.for %i = 0 to 8 {
        loop.if (%i >= 0, %i < 6) {
          %x = loop.load %a[%i] : memref<8xf32>
          loop.store %x, %t[%i] : memref<8xf32>
        } else {
          %y = loop.load %a[0] : memref<8xf32>
          loop.store %y, %t[%i] : memref<8xf32>
        }
      }
      loop.for %j = 0 to 8 {
        %z = loop.load %t[%j] : memref<8xf32>
        %w = loop.load %t[%j + 1] where (%j >= 0, %j < 7) else %z : memref<8xf32>
        loop.store %w, %b[%j] : memref<8xf32>
      }
      func.return
    }
    """
    after = _check(text, "partition-loops")
    (buffer,) = (op for op in after.walk() if isinstance(op, AllocOp))
    assert all(after.is_ancestor(use.operation) for use in buffer.res.uses)
    _check(text, "partition-loops,plan-arena")


def test_loops_of_scans_use_nothing_twice() -> None:
    """lower-te made the loops that stand around a scan's computes once more, and left them using its sizes."""
    text = """
    func.func @main(%x: tensor<2x2xi16>, %m: index) -> tensor<?x2xi16> {
      %s = te.scan "s" (%state = %x : tensor<2x2xi16>) -> tensor<?x2xi16> {
        %u = te.compute "u" [%i to %m + 2, %j to 2] -> tensor<?x2xi16> {
          %zero = arith.constant 0 : i16
          te.yield %zero : i16
        }
        te.yield %u : tensor<?x2xi16>
      }
      func.return %s : tensor<?x2xi16>
    }
    """
    assert stray_user(_check(text, "lower-te")) is None
