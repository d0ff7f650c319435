"""Scans whose steps are bound to blocks and threads: the loop over steps is part of the kernel."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright as tvm
from tilewright import TilewrightError, te

RNG = np.random.default_rng(3)


def bind(s: te.Schedule, stage: te.Tensor, axis: object, threads: int) -> None:
    block, thread = s[stage].split(axis, factor=threads)
    s[stage].bind(block, te.thread_axis("blockIdx.x"))
    s[stage].bind(thread, te.thread_axis("threadIdx.x"))


def run(s: te.Schedule, args: list[te.Tensor], x: np.ndarray, *outputs: np.ndarray) -> None:
    tvm.build(s, args, "cuda", device="simulator")(x, *outputs)


@pytest.mark.parametrize("sizes", [None, (6, 40)])
@pytest.mark.parametrize("first", [1, 2])
def test_columns_of_a_running_sum(sizes: tuple[int, int] | None, first: int) -> None:
    m, n = sizes or (te.var("m"), te.var("n"))
    X, state = te.placeholder((m, n), name="X"), te.placeholder((m, n), name="state")
    init = te.compute((first, n), lambda t, i: X[t, i], name="init")
    update = te.compute((m, n), lambda t, i: state[t - first, i] + X[t, i], name="update")
    sums = te.scan(init, update, state, inputs=[X])
    out = te.compute((m, n), lambda t, i: sums[t, i] * 2, name="out")
    s = te.create_schedule(out.op)
    for stage in (init, update, out):
        bind(s, stage, stage.op.axis[1], 16)
    x = RNG.integers(0, 9, (6, 40)).astype(np.float32)
    expected = np.zeros_like(x)
    for k in range(first):
        expected[k::first] = np.cumsum(x[k::first], axis=0) * 2
    given = np.zeros_like(x)
    run(s, [X, out], x, given)
    np.testing.assert_array_equal(given, expected)
    assert "for t in range(" in tvm.build(s, [X, out], "cuda", device="simulator").get_source()


def two_stages(n: object) -> tuple[te.Tensor, te.Tensor, te.Tensor, te.Tensor, te.Tensor]:
    """Return a scan whose step doubles the state and adds what its left neighbour doubled."""
    m = te.var("m")
    X, state = te.placeholder((m, n), name="X"), te.placeholder((m, n), name="state")
    init = te.compute((1, n), lambda _, i: X[0, i], name="init")
    doubled = te.compute((m, n), lambda t, i: state[t - 1, i] * 2, name="doubled")
    update = te.compute((m, n), lambda t, i: doubled[t, te.max(i - 1, 0)] + X[t, i], name="update")
    return X, init, doubled, update, te.scan(init, update, state, inputs=[X])


def neighbours(x: np.ndarray) -> np.ndarray:
    expected = x.copy()
    for t in range(1, len(x)):
        doubled = expected[t - 1] * 2
        expected[t] = doubled[np.maximum(np.arange(x.shape[1]) - 1, 0)] + x[t]
    return expected


def test_threads_of_one_block_read_what_others_computed() -> None:
    X, init, doubled, update, sums = two_stages(32)
    s = te.create_schedule(sums.op)
    for stage in (init, doubled, update):
        s[stage].bind(stage.op.axis[1], te.thread_axis("threadIdx.x"))
    x = RNG.integers(0, 4, (5, 32)).astype(np.float32)
    given = np.zeros_like(x)
    run(s, [X, sums], x, given)
    np.testing.assert_array_equal(given, neighbours(x))
    source = tvm.build(s, [X, sums], "cuda", device="simulator").get_source()
    assert source.count("cuda.syncthreads()") == 2


def test_blocks_that_read_what_others_computed_are_refused() -> None:
    X, init, doubled, update, sums = two_stages(te.var("n"))
    s = te.create_schedule(sums.op)
    for stage in (init, doubled, update):
        bind(s, stage, stage.op.axis[1], 16)
    with pytest.raises(TilewrightError, match=r"TW0630.*loop %t of @main") as caught:
        tvm.build(s, [X, sums], "cuda", device="simulator")
    assert "one block" in str(caught.value)
    x = RNG.integers(0, 4, (5, 40)).astype(np.float32)
    np.testing.assert_array_equal(tvm.build(s, [X, sums], "interpreter")(x), neighbours(x))


def test_stages_of_a_step_share_their_blocks() -> None:
    m, n = te.var("m"), te.var("n")
    X, state = te.placeholder((m, 3, n), name="X"), te.placeholder((m, 3, n), name="state")
    init = te.compute((1, 3, n), lambda _, j, i: X[0, j, i], name="init")
    doubled = te.compute((m, 3, n), lambda t, j, i: state[t - 1, j, i] * 2, name="doubled")
    update = te.compute((m, 3, n), lambda t, j, i: doubled[t, 2 - j, i] + X[t, j, i], name="update")
    sums = te.scan(init, update, state, inputs=[X])
    s = te.create_schedule(sums.op)
    for stage in (init, doubled, update):
        bind(s, stage, stage.op.axis[2], 8)
    x = RNG.integers(0, 4, (4, 3, 19)).astype(np.float32)
    expected = x.copy()
    for t in range(1, 4):
        expected[t] = expected[t - 1, ::-1] * 2 + x[t]
    given = np.zeros_like(x)
    run(s, [X, sums], x, given)
    np.testing.assert_array_equal(given, expected)


def test_two_states_in_one_kernel() -> None:
    m, n = te.var("m"), te.var("n")
    X = te.placeholder((m, n), name="X")
    states = te.placeholder((m, n), name="s0"), te.placeholder((m, n), name="s1")
    inits = te.compute((1, n), lambda _, i: X[0, i], name="i0"), te.compute((1, n), lambda _, i: 1.0, name="i1")
    updates = (
        te.compute((m, n), lambda t, i: states[0][t - 1, i] + X[t, i], name="u0"),
        te.compute((m, n), lambda t, i: states[1][t - 1, i] * states[0][t - 1, i], name="u1"),
    )
    sums, products = te.scan([*inits], [*updates], [*states], inputs=[X])
    s = te.create_schedule(sums.op)
    for stage in (*inits, *updates):
        bind(s, stage, stage.op.axis[1], 8)
    x = RNG.integers(1, 3, (4, 21)).astype(np.float32)
    a, b = np.zeros_like(x), np.zeros_like(x)
    run(s, [X, sums, products], x, a, b)
    running = np.cumsum(x, axis=0)
    np.testing.assert_array_equal(a, running)
    np.testing.assert_array_equal(b, np.concatenate([np.ones((1, 21)), np.cumprod(running[:-1], axis=0)]))


def test_a_state_of_one_number_for_each_step_has_no_threads() -> None:
    x, state = te.placeholder((8,), name="x"), te.placeholder((8,), name="state")
    init = te.compute((1,), lambda t: x[t], name="init")
    sums = te.scan(init, te.compute((8,), lambda t: state[t - 1] + x[t], name="next"), state, inputs=[x])
    s = te.create_schedule(sums.op)
    s[init].bind(init.op.axis[0], te.thread_axis("threadIdx.x"))
    with pytest.raises(TilewrightError, match="TW0630"):
        tvm.build(s, [x, sums], "cuda", device="simulator")
