"""The kernels of matrix products: their text against what they are declared to compute, on emulated instructions."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest
from tilewright.backends.cpu.tensor_intrinsics import KERNELS
from tilewright.dialects import loop
from tilewright.schedule.product_kernels import ProductKernel
from tilewright.schedule.tensor_intrinsics import TensorIntrin
from tilewright.semantics.foreign import extern_reference
from tilewright.te.dtypes import dtype_info
from tilewright.toolchain import load_functions

from .emulation import emulated, native_kernel
from .programs import drawn, numpy_dtype

TILES, CHUNKS, SPARE = 2, 3, 5


def text_of(intrin: TensorIntrin) -> str:
    assert intrin.body is not None
    (code,) = loop.foreign_code(intrin.body)
    assert code.language.data == "llvm"
    return code.code.data


@pytest.mark.each("kernel", KERNELS, ids=lambda kernel: kernel.name)
@pytest.mark.parametrize("goes_on", [0, 1])
@pytest.mark.parametrize("missing", [0, 1, 3])
def test_text_computes_what_is_declared(kernel: ProductKernel, goes_on: int, missing: int) -> None:
    """Also where the last tile lacks rows: what follows the results stays as it is."""
    if missing and not kernel.partial_rows:
        pytest.skip("its tiles have all their rows")
    rng = np.random.default_rng(0)
    depth, height = CHUNKS * kernel.chunk, TILES * kernel.rows - missing
    a = drawn(rng, kernel.left, (TILES, CHUNKS, kernel.rows, kernel.chunk))
    b = drawn(rng, kernel.right, (depth // kernel.group, kernel.columns, kernel.group))
    whole = drawn(rng, kernel.result, (TILES * kernel.rows, kernel.columns + SPARE))
    expected = whole.copy()
    intrin = kernel.declare(kernel, height, depth)
    reference = extern_reference(kernel.name)
    assert reference is not None
    numbers = whole.shape[1], CHUNKS, goes_on, height, a[0].size
    reference(expected[:height, : kernel.columns], a, b, *numbers)
    native_kernel(kernel, text_of(intrin))(whole, a, b, *numbers)
    if kernel.result == "int32":
        np.testing.assert_array_equal(whole, expected)
    else:
        np.testing.assert_allclose(whole, expected, rtol=1e-5, atol=1e-4)


DESCRIBED = [kernel for kernel in KERNELS if kernel.rows * kernel.columns <= 128 or kernel.name == "tdpbsud_amx"]
"""Descriptions are run one multiply-add at a time; those of a family differ in types and extents only."""


@pytest.mark.parametrize("kernel", DESCRIBED, ids=lambda kernel: kernel.name)
def test_reference_computes_the_description(kernel: ProductKernel) -> None:
    kernel.declare(kernel, kernel.rows, kernel.chunk).check()
    assert kernel.interleave is not None
    kernel.interleave(kernel, kernel.operands[0][1]).check()


@pytest.mark.each("kernel", KERNELS, ids=lambda kernel: kernel.name)
def test_packing_text_packs(kernel: ProductKernel) -> None:
    rng = np.random.default_rng(1)
    # Code for any x86-64 calls a library to convert float16: the programs of test_rule.py do so with instructions.
    for source in {right for _, right in kernel.operands} - {"float16"}:
        assert kernel.interleave is not None
        intrin = kernel.interleave(kernel, source)
        x = drawn(rng, source, (kernel.group, kernel.columns + SPARE))
        y = np.zeros((kernel.columns, kernel.group), numpy_dtype(kernel.right))
        name = intrin.name
        address = load_functions((("llvm", emulated(text_of(intrin))),), (name,))[name]
        ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)(address)(
            y.ctypes.data, x.ctypes.data, x.shape[1]
        )
        np.testing.assert_array_equal(y, x[:, : kernel.columns].T.astype(y.dtype))


def test_extreme_values_are_exact() -> None:
    """No product of bytes, and no sum of a group of them, saturates."""
    for kernel in KERNELS:
        if kernel.result != "int32":
            continue
        types = [numpy_dtype(t) for t in (kernel.left, kernel.right)]
        for left, right in ((0, 0), (0, 1), (1, 0), (1, 1)):
            low = [
                np.iinfo(t).min if which == 0 else np.iinfo(t).max
                for t, which in zip(types, (left, right), strict=True)
            ]
            a = np.full((1, kernel.rows, kernel.chunk), low[0], types[0])
            b = np.full((kernel.chunk // kernel.group, kernel.columns, kernel.group), low[1], types[1])
            c = np.zeros((kernel.rows, kernel.columns), np.int32)
            text = text_of(kernel.declare(kernel, kernel.rows, kernel.chunk))
            native_kernel(kernel, text)(c, a, b, kernel.columns, 1, 0, kernel.rows, 0)
            want = ((int(low[0]) - kernel.left_offset) * int(low[1]) * kernel.chunk + 2**31) % 2**32 - 2**31
            np.testing.assert_array_equal(c, want)


def test_packed_elements_fill_chunks_and_groups() -> None:
    for kernel in KERNELS:
        assert kernel.chunk * dtype_info(kernel.left).bits == 512
        assert kernel.group * dtype_info(kernel.right).bits == 32
        assert kernel.chunk % kernel.group == 0


def test_offsets_are_half_of_an_unsigned_range() -> None:
    """Such a kernel subtracts the offset that `make_unsigned` adds."""
    found = {(kernel.left, kernel.left_offset) for kernel in KERNELS if kernel.left_offset}
    assert found == {("uint8", 128)}
    assert all(kernel.operands == (("int8", "int8"),) for kernel in KERNELS if kernel.left_offset)


@pytest.mark.parametrize("kernel", [k for k in KERNELS if k.left_offset], ids=lambda kernel: kernel.name)
@pytest.mark.parametrize("goes_on", [0, 1])
def test_sums_of_signed_bytes_wrap_around(kernel: ProductKernel, goes_on: int) -> None:
    """(-128) * (-128) in every term, of so many that what the offset adds passes 32 bits on the way."""
    chunks = 1 << 10
    a = np.zeros((1, chunks, kernel.rows, kernel.chunk), np.uint8)
    b = np.full((chunks * kernel.chunk // kernel.group, kernel.columns, kernel.group), -128, np.int8)
    c = np.full((kernel.rows, kernel.columns), 2**31 - 1, np.int32)
    text = text_of(kernel.declare(kernel, kernel.rows, kernel.chunk))
    native_kernel(kernel, text)(c, a, b, kernel.columns, chunks, goes_on, kernel.rows, 0)
    want = (128 * 128 * chunks * kernel.chunk + goes_on * (2**31 - 1) + 2**31) % 2**32 - 2**31
    np.testing.assert_array_equal(c, want)
