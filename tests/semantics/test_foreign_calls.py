"""Foreign calls in the interpreter and on the CPU: what is passed, what comes back, what is refused."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright
from tilewright import TilewrightError
from tilewright.semantics import evaluate, register_extern
from xdsl.dialects.builtin import ModuleOp

from .running import parse

PASSED = (
    """
func.func @main(%x: memref<4x?xf32>, %y: memref<2x3xf64> {tw.output}, %n: memref<1xi32> {tw.output})
    attributes {tw.foreign = [#loop.foreign<"c", "
  int mix(double *y, const float *x, long long xs, int k, signed char b, float f) {
    for (int i = 0; i < 2; ++i) for (int j = 0; j < 3; ++j) y[3 * i + j] = x[i * xs + j] * f + k + b;
    return (int)xs;
  }">]} {
  %m = loop.dim %x, 1 : memref<4x?xf32>
  loop.bind %x shape [4, %m] strides [%m, 1] : memref<4x?xf32>
  %f = arith.constant 0.5 : f32
  loop.for %i = 0 to 1 {
    %r = loop.call_extern "mix"(write %y[0, 0] box [2, 3] : memref<2x3xf64>,
        read %x[%i + 1, 2] box [2, 3] : memref<4x?xf32>, stride %x 0 of memref<4x?xf32> : i64,
        index %i + 7 : i32, index %i - 3 : i8, %f : f32) -> i32
    loop.store %r, %n[0] : memref<1xi32>
  }
  func.return
}
""".replace("\n  int", r"\0A  int")
    .replace("\n    for", r"\0A    for")
    .replace("\n    return", r"\0A    return")
)
PASSED = PASSED.replace('\n  }">', r'\0A  }">')


def outputs(module: ModuleOp, *arrays: np.ndarray) -> list[list[np.ndarray]]:
    native = tilewright.compile(module)(*arrays)
    return [[np.asarray(a) for a in native], [np.asarray(a) for a in evaluate(module, *arrays)]]


def test_every_kind_of_argument() -> None:
    x = np.arange(36, dtype=np.float32).reshape(4, 9)
    for y, n in outputs(parse(PASSED), x):
        np.testing.assert_array_equal(y, x[1:3, 2:5] * 0.5 + 7 - 3)
        assert n.tolist() == [9]


def call(argument: str, name: str = "foreign_of_a_test") -> ModuleOp:
    return parse(f"""
    func.func @main(%x: memref<4x8xf32>, %y: memref<4x8xf32> {{tw.output}}) {{
      loop.for %i = 0 to 4 {{
        loop.call_extern "{name}"(write %y[%i, 0] box [1, 8] : memref<4x8xf32>, {argument})
      }}
      func.return
    }}
    """)


def test_a_reference_replaces_code() -> None:
    def reference(y: np.ndarray, x: np.ndarray) -> None:
        assert y.shape == (8,)
        assert x.shape == (2, 3)
        y[:] = x.sum()

    register_extern("foreign_of_a_test", reference)
    module = call("read %x[%i floordiv 2, 2] box [2, 3] : memref<4x8xf32>")
    x = np.arange(32, dtype=np.float32).reshape(4, 8)
    (y,) = evaluate(module, x)
    np.testing.assert_array_equal(y[:, 0], [x[i // 2 : i // 2 + 2, 2:5].sum() for i in range(4)])


def test_a_box_outside_of_its_buffer() -> None:
    register_extern("foreign_of_a_test", lambda y, x: None)
    module = call("read %x[%i, 2] box [2, 3] : memref<4x8xf32>")
    with pytest.raises(TilewrightError, match=r"expected an index within \[4, 8\]") as raised:
        evaluate(module, np.zeros((4, 8), np.float32))
    assert raised.value.code == "TW0721"


def test_a_function_that_is_nowhere() -> None:
    module = call("read %x[0, 0] box [1, 8] : memref<4x8xf32>", "function_that_is_nowhere")
    with pytest.raises(TilewrightError) as raised:
        evaluate(module, np.zeros((4, 8), np.float32))
    assert raised.value.code == "TW0432"
    with pytest.raises(TilewrightError) as raised:
        tilewright.compile(module)
    assert raised.value.code == "TW0432"
    assert "in the code that @main brings or in this process, but it is in neither" in str(raised.value)


def test_functions_of_the_process() -> None:
    module = parse("""
    func.func @main(%y: memref<2xf64> {tw.output}) {
      %x = arith.constant 9.0 : f64
      %r = loop.call_extern "sqrt"(%x : f64) -> f64
      loop.store %r, %y[0] : memref<2xf64>
      loop.store %r, %y[1] : memref<2xf64>
      func.return
    }
    """)
    for y in (np.asarray(tilewright.compile(module)()), evaluate(module)[0]):
        assert y.tolist() == [3.0, 3.0]


def test_register_buffers_cannot_be_passed() -> None:
    module = parse("""
    func.func @main(%y: memref<8xf32> {tw.output}) {
      %t = loop.alloc : memref<8xf32, "register">
      loop.call_extern "f"(write %t[0] box [8] : memref<8xf32, "register">)
      loop.for %i = 0 to 8 kind unrolled {
        %v = loop.load %t[%i] : memref<8xf32, "register">
        loop.store %v, %y[%i] : memref<8xf32>
      }
      func.return
    }
    """)
    with pytest.raises(
        TilewrightError, match="expected a register buffer to be used by loads and stores only"
    ) as raised:
        tilewright.compile(module)
    assert raised.value.code == "TW0601"
