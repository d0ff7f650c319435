"""Arguments, results and refusals of `run` and `evaluate`."""

from __future__ import annotations

import numpy as np
import pytest
from tilewright.diagnostics import TilewrightError
from tilewright.dialects import context
from tilewright.semantics import evaluate, random_inputs, run
from tilewright.semantics.program import Program
from xdsl.parser import Parser

from .running import assert_identical, main, parse

COPY = main(
    '%x: memref<4x2xf32> {tw.name = "image"}, %y: memref<4x2xf32> {tw.output}',
    """
    loop.for %i = 0 to 4 { loop.for %j = 0 to 2 {
      %v = loop.load %x[%i, %j] : memref<4x2xf32>
      loop.store %v, %y[%i, %j] : memref<4x2xf32>
    } }""",
)
X = np.arange(8, dtype=np.float32).reshape(4, 2)

REFUSED = {
    "TW0701": (X,),
    "TW0703": (X.astype(np.float64), X),
    "TW0704": (X.T.copy(), X),
    "TW0707": (X.tolist(), X),
}


@pytest.mark.parametrize("code", REFUSED)
def test_arguments_must_fit(code: str) -> None:
    with pytest.raises(TilewrightError) as caught:
        run(COPY, "main", *REFUSED[code])
    assert caught.value.code == code
    assert "image" in caught.value.message


def test_buffers_must_be_contiguous() -> None:
    with pytest.raises(TilewrightError, match="expected argument 'image' to be C-contiguous"):
        run(COPY, "main", np.asfortranarray(X), X.copy())
    assert_identical(evaluate(COPY, np.asfortranarray(X))[0], X)


CANNOT_RUN = {
    "func.func @other() { func.return }": "expected a function @main with a body, but there is none",
    "func.func private @main(memref<4xf32>) -> ()": "expected a function @main with a body, but there is none",
    "func.func @main() { func.call @main() : () -> ()\n func.return }": (
        "expected calls that come to an end, but @main calls itself"
    ),
    "func.func @main() { func.call @f() : () -> ()\n func.return }": (
        "expected a function @f with a body, but there is none"
    ),
    "func.func @main(%y: memref<?xf32> {tw.output}) { func.return }": (
        "expected a loop.bind that states the extents of output 'y'"
    ),
    """func.func @main(%y: memref<?xf32> {tw.output}) {
      %n = loop.dim %y, 0 : memref<?xf32>
      loop.bind %y shape [%n] strides [1] : memref<?xf32>
      func.return
    }""": "expected extents of outputs to be made of sizes of the inputs",
}


@pytest.mark.parametrize("text", CANNOT_RUN)
def test_functions_that_cannot_be_run(text: str) -> None:
    module = Parser(context(), f"builtin.module {{ {text} }}").parse_module()
    with pytest.raises(TilewrightError) as caught:
        evaluate(module)
    assert (caught.value.code, caught.value.message) == ("TW0723", CANNOT_RUN[text])


def test_a_program_runs_many_times() -> None:
    program = Program(COPY)
    for factor in (1, 2):
        assert_identical(program.evaluate("main", X * np.float32(factor))[0], X * np.float32(factor))


def test_inputs_may_follow_outputs() -> None:
    module = main(
        "%y: memref<1xf32> {tw.output}, %a: f32, %z: memref<1xf32> {tw.output}, %n: index",
        """
        loop.store %a, %y[0] : memref<1xf32>
        %b = arith.negf %a : f32
        loop.for %i = 1 to %n { loop.store %b, %z[0] : memref<1xf32> }""",
    )
    y, z = evaluate(module, 2, 3)
    assert_identical(y, np.array([2], np.float32))
    assert_identical(z, np.array([-2], np.float32))


def test_random_inputs_are_the_same_for_a_seed() -> None:
    module = parse("""builtin.module {
        func.func @main(%a: tensor<3x4xf16>, %b: tensor<100xi8>, %c: tensor<9xi1>, %d: f64, %n: index) {
          func.return
        } }""")
    first, second = (random_inputs(module, seed=7) for _ in range(2))
    for a, b in zip(first, second, strict=True):
        assert_identical(a, b)
    assert [np.asarray(a).dtype.name for a in first] == ["float16", "int8", "bool", "float64", "int64"]
    assert [np.shape(a) for a in first] == [(3, 4), (100,), (9,), (), ()]
    assert -8 <= first[1].min() < 0 < first[1].max() < 8
    assert np.abs(first[0].astype(float)).max() <= 1
    assert not np.array_equal(first[1], random_inputs(module, seed=8)[1])


def test_random_inputs_of_named_sizes() -> None:
    module = parse("""builtin.module {
        func.func @main(%a: tensor<?x?xf32, #graph.dims<n, m>>, %b: tensor<?xf32, #graph.dims<m>>, %c: tensor<?xf32>) {
          func.return
        } }""")
    assert [a.shape for a in random_inputs(module)] == [(5, 5), (5,), (5,)]
    assert [a.shape for a in random_inputs(module, sizes={"m": 3, "n": 2})] == [(2, 3), (3,), (5,)]


def test_random_inputs_of_bound_sizes() -> None:
    module = main(
        "%x: memref<?x?xf32>, %w: memref<?xf32>, %y: memref<?xf32> {tw.output}, %z: memref<2x?xf32>",
        """
        %n = loop.dim %x, 0 : memref<?x?xf32>
        %m = loop.dim %x, 1 : memref<?x?xf32>
        %h = loop.apply (%m + 1) : index
        loop.bind %x shape [%n, %m] strides [%m, 1] : memref<?x?xf32>
        loop.bind %w shape [%m * 2] strides [1] : memref<?xf32>
        loop.bind %y shape [%n] strides [1] : memref<?xf32>
        loop.bind %z shape [2, %h] strides [%h, 1] : memref<2x?xf32>""",
    )
    inputs = random_inputs(module, sizes={"n": 3, "m": 4})
    assert [a.shape for a in inputs] == [(3, 4), (8,), (2, 5)]
    (y,) = evaluate(module, *inputs)
    assert y.shape == (3,)
    assert np.isnan(y).all()


def test_arguments_at_the_level_of_values() -> None:
    module = main("%a: i8, %c: i1, %y: memref<1xi8> {tw.output}", "loop.store %a, %y[0] : memref<1xi8>")
    assert_identical(evaluate(module, 200, True)[0], np.array([-56], np.int8))


def test_extended_arithmetic() -> None:
    numbers = np.array([0, 1, -1, 127, -128, 77], np.int8)
    a, b = np.repeat(numbers, 6), np.tile(numbers, 6)
    module = main(
        "%a: memref<36xi8>, %b: memref<36xi8>, %y: memref<5x36xi8> {tw.output}, %z: memref<36xi1> {tw.output}",
        """
        loop.for %i = 0 to 36 {
          %x = loop.load %a[%i] : memref<36xi8>
          %w = loop.load %b[%i] : memref<36xi8>
          %sum, %carry = arith.addui_extended %x, %w : i8, i1
          %sl, %sh = arith.mulsi_extended %x, %w : i8
          %ul, %uh = arith.mului_extended %x, %w : i8
          loop.store %sum, %y[0, %i] : memref<5x36xi8>
          loop.store %sl, %y[1, %i] : memref<5x36xi8>
          loop.store %sh, %y[2, %i] : memref<5x36xi8>
          loop.store %ul, %y[3, %i] : memref<5x36xi8>
          loop.store %uh, %y[4, %i] : memref<5x36xi8>
          loop.store %carry, %z[%i] : memref<36xi1>
        }""",
    )
    y, z = evaluate(module, a, b)
    signed = a.astype(np.int64) * b
    ua, ub = a.view(np.uint8).astype(np.int64), b.view(np.uint8).astype(np.int64)
    expected = [ua + ub, signed, signed >> 8, ua * ub, (ua * ub) >> 8]
    assert_identical(y, np.stack(expected).astype(np.int8))
    assert_identical(z, ua + ub > 255)
