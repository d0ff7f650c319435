"""Every form of access: contiguous, strided, reversed, broadcast, gathered; plain and guarded; scalar and vector."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

pytestmark = pytest.mark.hosts

DTYPES = {
    "f32": np.float32,
    "f64": np.float64,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "i1": np.bool_,
}
N = 64
# name -> (index of the read, the same over numpy integers)
FORMS = {
    "contiguous": ("%i * 8 + lane + 3", lambda i, lane: i * 8 + lane + 3),
    "stride_2": ("%i * 3 + lane * 2", lambda i, lane: i * 3 + lane * 2),
    "stride_3": ("%i + lane * 3", lambda i, lane: i + lane * 3),
    "reversed": ("%i * 8 - lane + 7", lambda i, lane: i * 8 - lane + 7),
    "broadcast": ("%i * 2 + 1", lambda i, lane: i * 2 + 1 + 0 * lane),
    "divided": ("(%i * 8 + lane) floordiv 3", lambda i, lane: (i * 8 + lane) // 3),
    "wrapped": ("(%i * 5 + lane) mod 7", lambda i, lane: (i * 5 + lane) % 7),
    "negative": ("(lane - %i - 9) floordiv 3 + 8", lambda i, lane: (lane - i - 9) // 3 + 8),
    "negative_mod": ("(lane * 3 - %i * 5) mod 8", lambda i, lane: (lane * 3 - i * 5) % 8),
}


def data(dtype: str) -> np.ndarray:
    rng = np.random.default_rng(0)
    return rng.integers(0, 2 if dtype == "i1" else 100, N).astype(DTYPES[dtype])


def positions(form: str) -> np.ndarray:
    i, lane = np.meshgrid(np.arange(5), np.arange(8), indexing="ij")
    return FORMS[form][1](i, lane)


@pytest.mark.parametrize("dtype", DTYPES)
def test_vector_load(main, dtype):
    loops = [
        f"""
        loop.for %i = 0 to 5 {{
          %v = loop.load %x[{text}] : memref<{N}x{dtype}>, vector<8x{dtype}>
          loop.store %v, %y[{k}, %i, lane] : vector<8x{dtype}>, memref<{len(FORMS)}x5x8x{dtype}>
        }}"""
        for k, (text, _) in enumerate(FORMS.values())
    ]
    arguments = f"%x: memref<{N}x{dtype}>, %y: memref<{len(FORMS)}x5x8x{dtype}> {{tw.output}}"
    x = data(dtype)
    result = main(arguments, "\n".join(loops))(x)
    for k, form in enumerate(FORMS):
        np.testing.assert_array_equal(result[k], x[positions(form)], err_msg=form)


# guard -> (its text, the same over numpy integers)
GUARDS = {
    "none_lane": ("%i >= 2", lambda i, lane: i + 0 * lane >= 2),
    "tail": ("%i * 8 + lane < 35", lambda i, lane: i * 8 + lane < 35),
    "head": ("%i * 8 + lane >= 13", lambda i, lane: i * 8 + lane >= 13),
    "both": ("%i < 4, lane * 3 - %i >= 4", lambda i, lane: (i < 4) & (lane * 3 - i >= 4)),
    "irregular": ("(%i * 8 + lane) mod 3 >= 1", lambda i, lane: (i * 8 + lane) % 3 >= 1),
    "lane_only": ("lane < 5", lambda i, lane: lane + 0 * i < 5),
    "always": ("lane >= 0", lambda i, lane: lane + 0 * i >= 0),
    "never": ("lane >= 8", lambda i, lane: lane + 0 * i >= 8),
}


@pytest.mark.each("guard", GUARDS)
@pytest.mark.parametrize("dtype", ["f32", "i8", "i1", "f64"])
def test_guarded_vector_load(main, dtype, guard):
    literal = {"i1": "true", "i8": "-3 : i8"}.get(dtype, f"-3.0 : {dtype}")
    loops = [
        f"""
        loop.for %i = 0 to 5 {{
          %v = loop.load %x[{text}] where ({GUARDS[guard][0]}) else %pad : memref<{N}x{dtype}>, vector<8x{dtype}>
          loop.store %v, %y[{k}, %i, lane] : vector<8x{dtype}>, memref<{len(FORMS)}x5x8x{dtype}>
        }}"""
        for k, (text, _) in enumerate(FORMS.values())
    ]
    arguments = f"%x: memref<{N}x{dtype}>, %y: memref<{len(FORMS)}x5x8x{dtype}> {{tw.output}}"
    x = data(dtype)
    result = main(arguments, "\n".join([f"%pad = arith.constant {literal}", *loops]))(x)
    i, lane = np.meshgrid(np.arange(5), np.arange(8), indexing="ij")
    pad = np.array(True if dtype == "i1" else -3, x.dtype)
    for k, form in enumerate(FORMS):
        expected = np.where(GUARDS[guard][1](i, lane), x[positions(form)], pad)
        np.testing.assert_array_equal(result[k], expected, err_msg=form)


@pytest.mark.parametrize("guard", [None, *GUARDS])
@pytest.mark.parametrize("dtype", ["f32", "i1"])
def test_vector_store(main, dtype, guard):
    where = "" if guard is None else f"where ({GUARDS[guard][0]})"
    count = len(FORMS)
    loops = [
        f"""
        loop.for %i = 0 to {N} {{
          %v = loop.load %o[%i] : memref<{N}x{dtype}>
          loop.store %v, %y[{k}, %i] : memref<{count}x{N}x{dtype}>
        }}
        loop.for %i = 0 to 5 {{
          %v = loop.load %x[%i, lane] : memref<5x8x{dtype}>, vector<8x{dtype}>
          loop.store %v, %y[{k}, {text}] {where} : vector<8x{dtype}>, memref<{count}x{N}x{dtype}>
        }}"""
        for k, (text, _) in enumerate(FORMS.values())
    ]
    arguments = f"%x: memref<5x8x{dtype}>, %o: memref<{N}x{dtype}>, %y: memref<{count}x{N}x{dtype}> {{tw.output}}"
    old = data(dtype)
    x = np.random.default_rng(1).integers(0, 100, (5, 8)).astype(old.dtype)
    result = main(arguments, "\n".join(loops))(x, old)
    for k, form in enumerate(FORMS):
        expected = old.copy()
        for i in range(5):
            for lane in range(8):
                if guard is None or GUARDS[guard][1](np.int64(i), np.int64(lane)):
                    expected[FORMS[form][1](i, lane)] = x[i, lane]
        np.testing.assert_array_equal(result[k], expected, err_msg=form)


@pytest.mark.parametrize("dtype", DTYPES)
def test_guarded_scalars(main, dtype):
    literal = {"i1": "true"}.get(dtype, f"7{'.0' if 'f' in dtype else ''} : {dtype}")
    module = main(
        f"%x: memref<10x{dtype}>, %o: memref<14x{dtype}>, %y: memref<14x{dtype}> {{tw.output}}",
        f"""
        %pad = arith.constant {literal}
        loop.for %i = 0 to 14 {{
          %o0 = loop.load %o[%i] : memref<14x{dtype}>
          loop.store %o0, %y[%i] : memref<14x{dtype}>
          %v = loop.load %x[%i - 2] where (%i >= 2, %i < 12) else %pad : memref<10x{dtype}>
          loop.store %v, %y[%i] where (%i < 13) : memref<14x{dtype}>
        }}""",
    )
    rng = np.random.default_rng(3)
    x, o = (rng.integers(0, 2, n).astype(DTYPES[dtype]) for n in (10, 14))
    expected = np.pad(x, 2, constant_values=np.array(7).astype(x.dtype))
    expected[13] = o[13]
    np.testing.assert_array_equal(module(x, o), expected)


def test_guarded_load_never_touches_memory(main):
    """The guarded address lies a gigabyte below the buffer."""
    module = main(
        "%x: memref<8xf32>, %y: memref<2x8xf32> {tw.output}",
        """
        %z = arith.constant 0.0 : f32
        loop.for %i = 0 to 2 {
          %a = loop.load %x[%i * 268435456 - 268435456] where (%i >= 1) else %z : memref<8xf32>
          %b = loop.load %x[%i * 268435456 - 268435456 + lane] where (%i >= 1) else %z
               : memref<8xf32>, vector<8xf32>
          %c = vector.broadcast %a : f32 to vector<8xf32>
          %d = arith.addf %b, %c : vector<8xf32>
          loop.store %d, %y[%i, lane] : vector<8xf32>, memref<2x8xf32>
        }""",
    )
    x = np.arange(8, dtype=np.float32)
    np.testing.assert_array_equal(module(x), [np.zeros(8), x + x[0]])


def test_stride_2_reads_nothing_beyond_its_last_lane(main):
    """The last element lies at the end of a page that is followed by one that cannot be read."""
    import ctypes
    import mmap

    page = mmap.PAGESIZE
    memory = mmap.mmap(-1, 2 * page)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.mprotect(ctypes.c_void_p(address + page), ctypes.c_size_t(page), 0) == 0
    x = np.frombuffer(memory, np.float32, 15, page - 60)
    x[:] = np.arange(15)
    module = main(
        "%x: memref<15xf32>, %y: memref<8xf32> {tw.output}",
        """
        %v = loop.load %x[lane * 2] : memref<15xf32>, vector<8xf32>
        loop.store %v, %y[lane] : vector<8xf32>, memref<8xf32>""",
    )
    np.testing.assert_array_equal(module(x), np.arange(0, 16, 2))
    libc.mprotect(ctypes.c_void_p(address + page), ctypes.c_size_t(page), 3)


@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (7, 13)])
def test_dynamic_extents(main, shape):
    module = main(
        "%x: memref<?x?xf32>, %y: memref<?x?xf32> {tw.output}",
        """
        %n = loop.dim %x, 0 : memref<?x?xf32>
        %m = loop.dim %x, 1 : memref<?x?xf32>
        loop.bind %x shape [%n, %m] strides [%m, 1] : memref<?x?xf32>
        loop.bind %y shape [%m, %n] strides [%n, 1] : memref<?x?xf32>
        loop.for %i = 0 to %n {
          loop.for %j = 0 to %m {
            %v = loop.load %x[%i, %j] : memref<?x?xf32>
            loop.store %v, %y[%j, %i] : memref<?x?xf32>
          }
        }""",
    )
    x = np.random.default_rng(0).random(shape, np.float32)
    np.testing.assert_array_equal(module(x), x.T)


def test_dynamic_vectors_with_tail(main):
    module = main(
        "%x: memref<?x?xf32>, %y: memref<?x?xf32> {tw.output}",
        """
        %z = arith.constant 0.0 : f32
        %n = loop.dim %x, 0 : memref<?x?xf32>
        %m = loop.dim %x, 1 : memref<?x?xf32>
        loop.bind %x shape [%n, %m] strides [%m, 1] : memref<?x?xf32>
        loop.bind %y shape [%n, %m] strides [%m, 1] : memref<?x?xf32>
        loop.for %i = 0 to %n {
          loop.for %j = 0 to (%m + 7) floordiv 8 {
            %v = loop.load %x[%i, %m - 1 - %j * 8 - lane] where (%j * 8 + lane < %m) else %z
                 : memref<?x?xf32>, vector<8xf32>
            loop.store %v, %y[%i, %j * 8 + lane] where (%j * 8 + lane < %m) : vector<8xf32>, memref<?x?xf32>
          }
        }""",
    )
    for m in (1, 7, 8, 9, 20):
        x = np.random.default_rng(m).random((3, m), np.float32)
        np.testing.assert_array_equal(module(x), x[:, ::-1])
