"""Prefetches and non-temporal stores of the default schedules."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
import tilewright
from tilewright import te
from tilewright.dialects import context, loop
from tilewright.dialects.loop.pragmas import STREAMING_STORES, pragma_of
from tilewright.dialects.target import CpuTargetAttr
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.schedule.rules import streaming_stores as streaming
from tilewright.schedule.rules.coefficients import STORE_SHARE
from tilewright.schedule.rules.read_ahead import AHEAD, MOST_LINES
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp

SECOND = 256 << 10
CACHES = (32 << 10, SECOND, 64 << 20)
LINE = 64


def scheduled(*tensors: te.Tensor, caches: tuple[int, int, int] = CACHES, threads: int = 1) -> ModuleOp:
    module = te.to_module(tensors)
    module.attributes["tw.target"] = CpuTargetAttr.get(["avx2", "fma"], 256, caches, threads)
    PassManager(parse_pipeline("lower-te,auto-schedule")).run(context(), module)
    return module


def requests(module: ModuleOp) -> Iterator[tuple[str, int, loop.ForOp]]:
    """Yield the buffers that are fetched ahead, how many iterations, and of which loop."""
    for op in module.walk():
        if isinstance(op, loop.PrefetchAheadOp):
            around = op.parent_op()
            assert isinstance(around, loop.ForOp)
            yield op.buffer.name_hint or "", op.ahead.value.data, around


def doubled(*shape: int | te.Var) -> tuple[te.Tensor, te.Tensor]:
    a = te.placeholder(shape, name="A")
    return a, te.compute(shape, lambda *i: a(*i) + a(*i), name="B")


def softmax(rows: int, columns: int) -> tuple[te.Tensor, te.Tensor]:
    a = te.placeholder((rows, columns), name="A")
    return a, tilewright.topi.nn.softmax(a)


def test_a_stream_is_fetched_a_page_ahead() -> None:
    ((buffer, ahead, around),) = requests(scheduled(*doubled(256, 1024)))
    vectors, lanes = 4, 8
    assert (buffer, ahead) == ("A", AHEAD // (vectors * lanes * 4))
    assert around.constant_trip_count == 1024 // (vectors * lanes)


def test_what_moves_on_by_less_than_half_a_line_is_not_fetched() -> None:
    assert not [*requests(scheduled(*doubled(1 << 16, 4)))]
    ((_, ahead, _),) = requests(scheduled(*doubled(1 << 13, 32)))
    assert ahead == AHEAD // 32


def test_what_the_second_cache_holds_is_not_fetched() -> None:
    assert not [*requests(scheduled(*doubled(SECOND // 4096, 1024)))]
    assert [*requests(scheduled(*doubled(SECOND // 4096 + 1, 1024)))]
    assert not [*requests(scheduled(*doubled(256, 1024), caches=(0, 0, 0)))]


def test_what_has_a_size_that_only_the_call_knows_is_not_fetched() -> None:
    n = te.var("n")
    assert not [*requests(scheduled(*doubled(n, 4096)))]
    a = te.placeholder((n, 4096), name="A")
    assert not [*requests(scheduled(a, tilewright.topi.nn.softmax(a)))]


def test_of_several_operands_the_large_ones_are_fetched() -> None:
    a, b = te.placeholder((256, 1024), name="A"), te.placeholder((1024,), name="W")
    c = te.compute((256, 1024), lambda i, j: a[i, j] * b[j], name="C")
    assert [buffer for buffer, _, _ in requests(scheduled(a, b, c))] == ["A"]


def test_what_is_read_at_many_offsets_at_once_is_no_stream() -> None:
    stride = MOST_LINES * LINE // 4
    a = te.placeholder((256, 64 * stride), name="A")
    assert not [*requests(scheduled(a, te.compute((256, 64), lambda i, j: a[i, j * stride] + 1.0, name="B")))]


def test_sums_of_rows_are_fetched_a_page_ahead() -> None:
    a, k = te.placeholder((256, 1024), name="A"), te.reduce_axis((0, 1024), "k")
    ((buffer, ahead, around),) = requests(scheduled(a, te.compute((256,), lambda i: te.sum(a[i, k], axis=k), name="S")))
    trips = around.constant_trip_count
    assert trips is not None
    assert (buffer, ahead * (1024 // trips) * 4) == ("A", AHEAD)


def test_a_chain_fetches_the_next_row_where_it_reads_this_one_last() -> None:
    columns = 2048
    module = scheduled(*softmax(256, columns))
    ((buffer, ahead, around),) = requests(module)
    assert (buffer, ahead) == ("A", around.constant_trip_count)
    readers = [op.label for op in around.walk() if isinstance(op, loop.BlockOp)]
    assert "powers" in readers and "greatest" not in " ".join(readers)


def test_a_chain_over_rows_that_no_cache_holds_fetches_none() -> None:
    columns = SECOND // 4
    assert not [*requests(scheduled(*softmax(8, columns)))]


@pytest.mark.parametrize("threads", [1, 4])
def test_results_stream_that_are_larger_than_the_share_of_all_threads(threads: int) -> None:
    held = STORE_SHARE * SECOND * threads
    fits, exceeds = doubled(held // 4096, 1024), doubled(held // 4096 + 1, 1024)
    assert not streaming_loops(scheduled(*fits, threads=threads))
    assert streaming_loops(scheduled(*exceeds, threads=threads))
    assert not streaming_loops(scheduled(*exceeds, caches=(32 << 10, 0, 64 << 20), threads=threads))


def test_kernels_of_models_do_not_stream_results_of_symbolic_size() -> None:
    """The next kernel reads them; what users call is taken to be called with long arrays."""
    for visibility, count in (("public", 1), ("private", 0)):
        module = te.to_module(doubled(te.var("n"), 1 << 20))
        module.attributes["tw.target"] = CpuTargetAttr.get(["avx2", "fma"], 256, CACHES, 1)
        (function,) = (op for op in module.ops if isinstance(op, FuncOp))
        function.properties["sym_visibility"] = StringAttr(visibility)
        PassManager(parse_pipeline("lower-te,auto-schedule")).run(context(), module)
        assert len(streaming_loops(module)) == count, visibility


def streaming_loops(module: ModuleOp) -> list[loop.ForOp]:
    return [op for op in module.walk() if isinstance(op, loop.ForOp) and pragma_of(op, STREAMING_STORES)]


@pytest.mark.parametrize("threads", [1, 2])
def test_streams_are_waited_for_once_in_each_thread(threads: int) -> None:
    module = scheduled(*softmax(4096, 1024), caches=(32 << 10, SECOND, SECOND), threads=threads)
    (around,) = streaming_loops(module)
    assert around.kind == (loop.PARALLEL if threads > 1 else loop.SERIAL)
    assert not [*loop.enclosing(around, loop.ForOp)]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("shape", [(700, 1100), (700, 1024)])  # rows that begin anywhere in a cache line, and at one
@pytest.mark.parametrize("offset", [0, 1, 4])  # elements that the result begins after a cache line's begin
def test_programs_that_fetch_and_stream_compute_what_others_do(
    monkeypatch: pytest.MonkeyPatch, threads: int, offset: int, shape: tuple[int, int]
) -> None:
    monkeypatch.setattr(streaming, "STORE_SHARE", 0)
    a, y = softmax(*shape)
    program = tilewright.build([a, y], [a, y], threads=threads)
    assert "nontemporal" in program.get_source("llvm")
    x = np.random.default_rng(0).standard_normal(shape, np.float32)
    memory = np.zeros(x.nbytes + LINE + 4 * offset, np.uint8)
    begin = -memory.ctypes.data % LINE + 4 * offset
    out = memory[begin : begin + x.nbytes].view(np.float32).reshape(shape)
    program(x, out)
    powers = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    np.testing.assert_allclose(out, powers / powers.sum(axis=1, keepdims=True), rtol=1e-5)
