"""The source of kernels: what its reader sees, and the file that it lies in."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright
from tilewright import te
from tilewright.backends.cuda.source import program_text, source_file
from tilewright.diagnostics import TilewrightError

VECTOR_ADD = '''\
"""Kernels of 'add'."""

from numba import cuda, float32, int64, uint64


def add_kernel0(A, B, n):
    io = int64(cuda.blockIdx.x)
    ii = int64(cuda.threadIdx.x)
    if io * 64 + ii < n:
        B[uint64(io * 64 + ii)] = A[uint64(io * 64 + ii)] + float32(1.0)
'''


def bound(function=lambda v: v + 1.0, extent=None, name: str = "add", dtype: str = "float32", **options):
    """Build an elementwise program in blocks of 64 threads."""
    a = te.placeholder((extent if extent is not None else te.var("n"),), name="A", dtype=dtype)
    b = te.compute(a.shape, lambda i: function(a[i]), name="B")
    schedule = te.create_schedule(b.op)
    block, thread = schedule[b].split(b.op.axis[0], factor=64)
    schedule[b].bind(block, te.thread_axis("blockIdx.x"))
    schedule[b].bind(thread, te.thread_axis("threadIdx.x"))
    return tilewright.build(schedule, [a, b], "cuda", name=name, device="simulator", **options)


def without_remarks(text: str) -> str:
    return "\n".join(line.split("  #")[0] for line in text.splitlines()) + "\n"


def test_a_kernel_keeps_its_guard_and_takes_sizes() -> None:
    module = bound()
    source = module.imported_modules[0].get_source()
    assert without_remarks(source) == VECTOR_ADD
    assert module.get_source() == module.get_source("cuda-python") == source
    assert "thread" in module.get_source("mlir")
    x = np.random.default_rng(0).normal(size=100).astype(np.float32)
    np.testing.assert_array_equal(module(x), x + np.float32(1))


def test_comparisons_of_constant_extents_have_32_bits() -> None:
    assert "if uint32(io * 64 + ii) < 100:" in bound(extent=100).get_source()


def test_functions_keep_the_type_of_their_operand() -> None:
    assert "float32(math.exp(A[uint64(io * 64 + ii)]))" in bound(te.exp, 128).get_source()


def test_narrow_floats_are_computed_in_float32() -> None:
    text = bound(lambda v: v * v + v, 128, dtype="float16").get_source()
    assert "t = device.load_f16(A, uint64(io * 64 + ii))" in text
    assert "device.store_f16(B, uint64(io * 64 + ii), device.f16_value(device.f16_bits(" in text


@pytest.mark.parametrize("lanes", [2, 4])
def test_vectors_are_loaded_and_stored_at_once(lanes: int) -> None:
    n = 256
    a = te.placeholder((n,), name="A")
    b = te.compute((n,), lambda i: a[i] * 2.0, name="B")
    schedule = te.create_schedule(b.op)
    outer, vector = schedule[b].split(b.op.axis[0], factor=lanes)
    block, thread = schedule[b].split(outer, factor=16)
    schedule[b].bind(block, te.thread_axis("blockIdx.x"))
    schedule[b].bind(thread, te.thread_axis("threadIdx.x"))
    schedule[b].vectorize(vector)
    module = tilewright.build(schedule, [a, b], "cuda", device="simulator")
    text = module.get_source()
    assert f"device.load{lanes}(A, uint64(" in text
    assert f"device.store{lanes}(B, uint64(" in text
    storage = np.random.default_rng(0).normal(size=2 * n + 1).astype(np.float32)
    x, y = storage[1 : n + 1], storage[n + 1 :]  # neither lies at a multiple of 16 bytes
    expected = x * np.float32(2)
    module(x, y)
    np.testing.assert_array_equal(y, expected)


def test_a_copy_of_vectors_is_one_statement() -> None:
    n = 64
    a = te.placeholder((n,), name="A")
    b = te.compute((n,), lambda i: a[i], name="B")
    schedule = te.create_schedule(b.op)
    thread, vector = schedule[b].split(b.op.axis[0], factor=4)
    schedule[b].bind(thread, te.thread_axis("threadIdx.x"))
    schedule[b].vectorize(vector)
    module = tilewright.build(schedule, [a, b], "cuda", device="simulator")
    assert "device.store4(B, uint64(io * 4), device.load4(A, uint64(io * 4)))" in module.get_source()
    x = np.arange(n, dtype=np.float32)
    np.testing.assert_array_equal(module(x), x)


def test_the_file_is_named_by_its_content_and_written_once(cache_folder) -> None:
    text = program_text("'f'", ["def f(A):\n    A[0] = float32(1.0)"])
    path = source_file(text)
    assert path.parent == cache_folder
    assert path.read_text() == text
    before = path.stat().st_mtime_ns
    assert source_file(text) == path
    assert path.stat().st_mtime_ns == before
    assert source_file(text + "# more\n") != path
    path.write_text("damaged")
    assert source_file(text).read_text() == text
    assert [p.suffix for p in cache_folder.iterdir()] == [".py", ".py"]


def test_without_a_cache_kernels_are_in_a_folder_of_the_process(tmp_path, monkeypatch) -> None:
    (tmp_path / "file").write_text("")
    for configured in (str(tmp_path / "file"), ""):
        monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", configured)
        path = source_file("text")
        assert path.read_text() == "text" and path.parent.stat().st_mode & 0o777 == 0o700
        assert tmp_path not in path.parents


def test_equal_kernels_are_one_function() -> None:
    a = te.placeholder((32,), name="A")
    b = te.compute((32,), lambda i: a[i] + 1.0, name="B")
    c = te.compute((32,), lambda i: b[31 - i] * 2.0, name="C")
    schedule = te.create_schedule(c.op)
    for stage in (b, c):
        schedule[stage].bind(stage.op.axis[0], te.thread_axis("threadIdx.x"))
    module = tilewright.build(schedule, [a, c], "cuda", device="simulator")
    assert module.get_source().count("\ndef ") == 2
    x = np.arange(32, dtype=np.float32)
    np.testing.assert_array_equal(module(x), (x[::-1] + 1) * 2)


def test_texts_that_there_are_none_of(tmp_path) -> None:
    module = bound(extent=128)
    for act, code in (
        (lambda: module.get_source("asm"), "TW0209"),
        (lambda: module.imported_modules[0].get_source("cl"), "TW0209"),
        (lambda: module.save(tmp_path / "x.ll"), "TW0614"),
        (lambda: module.save(tmp_path / "none" / "x.py"), "TW0204"),
    ):
        with pytest.raises(TilewrightError, match=code):
            act()
    module.save(tmp_path / "x.py")
    assert (tmp_path / "x.py").read_text() == module.get_source()
