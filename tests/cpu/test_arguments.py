"""Arguments that a compiled program accepts and refuses, and its results."""

from __future__ import annotations

import numpy as np
import pytest
from tilewright import TilewrightError
from tilewright.runtime import Argument, Extent, Signature


def refused(code: str, *parts: str):
    """Expect an error with that code whose message has all parts."""
    pattern = "".join(f"(?=.*{part})" for part in parts)
    return pytest.raises(TilewrightError, match=rf"(?s){code}.*?{pattern}")


@pytest.fixture
def add(main):
    return main(
        '%a: memref<3x4xf32> {tw.name = "a"}, %b: memref<3x4xf32> {tw.name = "b"}, '
        '%y: memref<3x4xf32> {tw.name = "y", tw.output}',
        """
        loop.for %i = 0 to 3 {
          loop.for %j = 0 to 4 {
            %u = loop.load %a[%i, %j] : memref<3x4xf32>
            %v = loop.load %b[2 - %i, 3 - %j] : memref<3x4xf32>
            %w = arith.addf %u, %v : f32
            loop.store %w, %y[%i, %j] : memref<3x4xf32>
          }
        }""",
    )


@pytest.fixture
def symbolic(main):
    return main(
        '%a: memref<?x?xf32> {tw.name = "a"}, %b: memref<?xf32> {tw.name = "b"}, '
        '%y: memref<?xf32> {tw.name = "y", tw.output}',
        """
        %n = loop.dim %a, 0 : memref<?x?xf32>
        %m = loop.dim %a, 1 : memref<?x?xf32>
        loop.bind %a shape [%n, %m] strides [%m, 1] : memref<?x?xf32>
        loop.bind %b shape [%m * 2 + 1] strides [1] : memref<?xf32>
        loop.bind %y shape [(%n + 1) floordiv 2 + %m - 3] strides [1] : memref<?xf32>
        %v = loop.load %b[%m * 2] : memref<?xf32>
        loop.for %i = 0 to (%n + 1) floordiv 2 + %m - 3 { loop.store %v, %y[%i] : memref<?xf32> }""",
    )


A = np.arange(12, dtype=np.float32).reshape(3, 4)
B = A * 10
SUM = A + B[::-1, ::-1]


def test_positions_names_and_mappings(add):
    np.testing.assert_array_equal(add(A, B), SUM)
    np.testing.assert_array_equal(add(b=B, a=A), SUM)
    np.testing.assert_array_equal(add(A, b=B), SUM)
    results = add.run({"b": B, "a": A})
    assert [*results] == ["y"]
    np.testing.assert_array_equal(results["y"], SUM)
    assert repr(add) == "<tilewright module (a: float32[3, 4], b: float32[3, 4]) -> (y: float32[3, 4])>"


def test_fresh_outputs_are_fresh(add):
    first, second = add(A, B), add(B, A)
    np.testing.assert_array_equal(first, SUM)
    assert not np.may_share_memory(first, second)
    assert first.ctypes.data % 64 == 0


def test_wrong_count_and_names(add):
    with refused("TW0701", "expected 2 inputs", "'a', 'b'", "got 1", "missing: 'b'"):
        add(A)
    with refused("TW0701", "expected 2 inputs", "got 4"):
        add(A, B, A, B)
    with refused("TW0702", "'a', 'b'", "'c'"):
        add(A, c=B)
    with refused("TW0702", "'a' once"):
        add(A, a=B)


def test_wrong_types(add):
    with refused("TW0703", "'b'", "float32", "float64"):
        add(A, B.astype(np.float64))
    with refused("TW0703", "'b'", "float32", ">f4"):
        add(A, B.astype(">f4"))
    with refused("TW0707", "'b'", "numpy array", "list"):
        add(A, B.tolist())


def test_wrong_shapes(add):
    with refused("TW0704", "'b'", r"\[3, 4\]", r"\[4, 3\]"):
        add(A, B.T.copy())
    with refused("TW0704", "'a'", r"\[3, 4\]", r"\[12\]"):
        add(A.ravel(), B)


def test_inputs_in_any_memory_order(add):
    strided = np.repeat(A, 2, axis=1)[:, ::2]
    unaligned = np.frombuffer(b"\0" + B.tobytes(), np.uint8)[1:].view(np.float32).reshape(3, 4)
    assert not strided.flags.c_contiguous and not unaligned.flags.aligned
    np.testing.assert_array_equal(add(strided, unaligned), SUM)
    np.testing.assert_array_equal(add(np.asfortranarray(A), B[::-1][::-1]), SUM)


def test_dlpack_inputs(add):
    class Tensor:
        def __dlpack__(self, **keywords):
            return A.__dlpack__(**keywords)

        def __dlpack_device__(self):
            return A.__dlpack_device__()

    np.testing.assert_array_equal(add(Tensor(), B), SUM)


def test_given_outputs(add):
    for given in (lambda y: y, lambda y: [y], lambda y: {"y": y}):
        y = np.empty((3, 4), np.float32)
        assert add(A, B, out=given(y)) is y
        np.testing.assert_array_equal(y, SUM)


def test_all_arguments_by_position(add):
    y = np.empty((3, 4), np.float32)
    assert add(A, B, y) is None
    np.testing.assert_array_equal(y, SUM)


def test_bad_outputs(add):
    y = np.empty((3, 4), np.float32)
    with refused("TW0707", "'y'", "C-contiguous", "strides"):
        add(A, B, out=np.empty((3, 8), np.float32)[:, ::2])
    with refused("TW0703", "'y'", "float32", "int32"):
        add(A, B, out=y.astype(np.int32))
    with refused("TW0704", "'y'", r"\[3, 4\]", r"\[4, 3\]"):
        add(A, B, out=np.empty((4, 3), np.float32))
    with refused("TW0701", "expected 1 outputs", "'y'", "got 2"):
        add(A, B, out=[y, y])
    with refused("TW0702", "'y'", "'z'"):
        add(A, B, out={"z": y})
    y.flags.writeable = False
    with refused("TW0707", "'y'", "writable False"):
        add(A, B, out=y)


def test_output_that_overlaps_an_input(add):
    """The input is copied, so the result is as if they were apart."""
    buffer = np.zeros(20, np.float32)
    a, y = buffer[:12].reshape(3, 4), buffer[4:16].reshape(3, 4)
    a[:] = A
    np.testing.assert_array_equal(add(a, B, out=y), SUM)
    same = A.copy()
    np.testing.assert_array_equal(add(same, B, out=same), SUM)
    np.testing.assert_array_equal(add(B, (b := A.copy()), out=b), B + A[::-1, ::-1])


def test_outputs_that_overlap(main):
    module = main(
        "%y: memref<4xi32> {tw.output}, %z: memref<4xi32> {tw.output}",
        """
        %c = arith.constant 1 : i32
        loop.for %i = 0 to 4 {
          loop.store %c, %y[%i] : memref<4xi32>
          loop.store %c, %z[%i] : memref<4xi32>
        }""",
    )
    buffer = np.empty(6, np.int32)
    with refused("TW0706", "'y'", "'z'"):
        module(out=[buffer[:4], buffer[2:]])
    y, z = module(out=[buffer[:4], np.empty(4, np.int32)])
    np.testing.assert_array_equal([y, z], np.ones((2, 4)))


def test_symbolic_sizes(symbolic):
    a, b = np.zeros((5, 4), np.float32), np.arange(9, dtype=np.float32)
    np.testing.assert_array_equal(symbolic(a, b), np.full(4, 8))
    assert repr(symbolic) == (
        "<tilewright module (a: float32[n, m], b: float32[m * 2 + 1]) -> (y: float32[((n + 1) floordiv 2) + m - 3])>"
    )
    with refused("TW0704", r"m \* 2 \+ 1", "'b'", "to be 9", "got 8"):
        symbolic(a, b[:8])
    with refused("TW0704", "'y'", "no negative size", r"\[-1\]", "n = 1", "m = 1"):
        symbolic(np.zeros((1, 1), np.float32), b[:3])


def test_disagreeing_sizes(main):
    module = main(
        '%a: memref<?xf32> {tw.name = "a"}, %b: memref<?xf32> {tw.name = "b"}, '
        '%y: memref<?xf32> {tw.name = "y", tw.output}',
        """
        %n = loop.dim %a, 0 : memref<?xf32>
        loop.bind %a shape [%n] strides [1] : memref<?xf32>
        loop.bind %b shape [%n] strides [1] : memref<?xf32>
        loop.bind %y shape [%n] strides [1] : memref<?xf32>
        loop.for %i = 0 to %n {
          %v = loop.load %b[%i] : memref<?xf32>
          loop.store %v, %y[%i] : memref<?xf32>
        }""",
    )
    x = np.arange(5, dtype=np.float32)
    np.testing.assert_array_equal(module(x, x), x)
    with refused("TW0704", "size n of argument 'b'", "5 as in argument 'a'", "got 4"):
        module(x, x[:4])
    with refused("TW0704", "'b'", r"\[n\]", r"\[1, 5\]"):
        module(x, x[None])


def test_sizes_that_outputs_determine(main):
    fill = main(
        '%x: memref<f32> {tw.name = "x"}, %y: memref<?xf32> {tw.name = "y", tw.output}, '
        '%z: memref<?xf32> {tw.name = "z", tw.output}',
        """
        %n = loop.dim %y, 0 : memref<?xf32>
        loop.bind %y shape [%n] strides [1] : memref<?xf32>
        loop.bind %z shape [%n * 2] strides [1] : memref<?xf32>
        %v = loop.load %x[] : memref<f32>
        loop.for %i = 0 to %n {
          loop.store %v, %y[%i] : memref<?xf32>
          loop.store %v, %z[%i * 2 + 1] : memref<?xf32>
        }""",
    )
    y, z = np.zeros(3, np.float32), np.zeros(6, np.float32)
    fill(np.float32(5), y, z)
    np.testing.assert_array_equal(y, [5] * 3)
    np.testing.assert_array_equal(z, [0, 5] * 3)
    with refused("TW0704", r"size n \* 2 of argument 'z' to be 6", "got 5"):
        fill(np.float32(5), y, z[:5])
    with refused("TW0712", "'y'", "size n", "pass all arguments"):
        fill(np.float32(5))


def test_scalars_and_empty_arrays(main):
    module = main(
        "%a: memref<f32>, %e: memref<0xf32>, %y: memref<f32> {tw.output}, %z: memref<0x3xf32> {tw.output}",
        """
        %v = loop.load %a[] : memref<f32>
        %w = arith.addf %v, %v : f32
        loop.store %w, %y[] : memref<f32>""",
    )
    y, z = module(np.float32(3), np.empty(0, np.float32))
    assert y.shape == () and y == 6 and z.shape == (0, 3)


def test_outputs_need_known_extents(main):
    with refused("TW0601", "loop.bind", "'y'"):
        main('%x: memref<?xf32>, %y: memref<?xf32> {tw.name = "y", tw.output}', "")
    with pytest.raises(ValueError, match="size n of argument 'y'"):
        Signature((), (Argument("y", np.dtype(np.float32), (Extent(1, (("n", 1),)),)),))
