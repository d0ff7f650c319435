"""Recurrences: running sums, several steps back, several states, cells of recurrent networks; and mistakes."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
import tilewright
from tilewright import TilewrightError, te
from tilewright.diagnostics.locations import source_position
from tilewright.dialects import context
from xdsl.parser import Parser

from .running import expect


def data(*shape: int) -> np.ndarray:
    return np.random.default_rng(5).integers(-4, 5, shape).astype(np.float32)


def running_sum():
    m, n = te.var("m"), te.var("n")
    x, state = te.placeholder((m, n), name="X"), te.placeholder((m, n), name="state")
    init = te.compute((1, n), lambda _, i: x[0, i], name="init")
    update = te.compute((m, n), lambda t, i: state[t - 1, i] + x[t, i], name="update")
    return x, te.scan(init, update, state, inputs=[x])


@pytest.mark.parametrize("steps", [1, 2, 7])
def test_running_sums(steps: int) -> None:
    x, sums = running_sum()
    values = data(steps, 5)
    expect([x, sums], [values], values.cumsum(0))
    np.testing.assert_array_equal(tilewright.compile(te.to_module([x, sums]))(values), values.cumsum(0))


def test_running_sums_print_and_read_back() -> None:
    x, sums = running_sum()
    assert str(sums.op) == "scan = scan(init=init, update=update, over Axis(t in [1, m), spatial))"
    assert list(te.block_labels([sums]).values()) == ["init", "update", "scan"]
    text = str(te.to_module([x, sums]))
    assert str(Parser(context(), text).parse_module()) == text


def test_two_steps_back() -> None:
    state = te.placeholder((10,), "int32", name="state")
    x = te.placeholder((2,), "int32", name="x")
    init = te.compute((2,), lambda t: x[t], name="first")
    update = te.compute((10,), lambda t: state[t - 1] + state[t - 2], name="next")
    fibonacci = te.scan(init, update, state, name="fibonacci")
    expected = [0, 1, 1, 2, 3, 5, 8, 13, 21, 34]
    expect([x, fibonacci], [np.array([0, 1], np.int32)], np.array(expected, np.int32))


def test_several_states_of_one_compute() -> None:
    n = te.var("n")
    x = te.placeholder((n,), name="x")
    totals, peaks = te.placeholder((n,), name="totals"), te.placeholder((n,), name="peaks")
    init = te.compute((1,), lambda t: (x[t], x[t]), name="init")
    update = te.compute((n,), lambda t: (totals[t - 1] + x[t], te.max(peaks[t - 1], x[t])), name="update")
    total, peak = te.scan(init, update, [totals, peaks], inputs=[x])
    values = data(9)
    expect([x, total, peak], [values], values.cumsum(), np.maximum.accumulate(values))


def recurrent_cell(hidden, inputs):
    """Compute h[t] = tanh(W h[t-1] + U x[t] + b), with the products of W as a compute of its own; c counts in h's
    sign."""
    t = te.var("steps")
    x = te.placeholder((t, inputs), name="x")
    w, u = te.placeholder((hidden, hidden), name="W"), te.placeholder((hidden, inputs), name="U")
    h, c = te.placeholder((t, hidden), name="h"), te.placeholder((t, hidden), name="c")
    k, l = te.reduce_axis((0, hidden), "k"), te.reduce_axis((0, inputs), "l")  # noqa: E741
    driven = te.compute((t, hidden), lambda s, i: te.sum(u[i, l] * x[s, l], axis=l), name="driven")
    zero_h = te.compute((1, hidden), lambda s, i: te.tanh(driven[0, i]), name="h0")
    zero_c = te.compute((1, hidden), lambda s, i: te.const(0.0), name="c0")
    recurrent = te.compute((t, hidden), lambda s, i: te.sum(w[i, k] * h[s - 1, k], axis=k), name="recurrent")
    new_h = te.compute((t, hidden), lambda s, i: te.tanh(recurrent[s, i] + driven[s, i]), name="new_h")
    new_c = te.compute((t, hidden), lambda s, i: c[s - 1, i] + te.Select(new_h[s, i] > 0, 1.0, -1.0), name="new_c")
    return [x, w, u], te.scan([zero_h, zero_c], [new_h, new_c], [h, c], inputs=[x], name="cell")


@pytest.mark.parametrize("steps", [1, 6])
def test_a_recurrent_cell(steps: int) -> None:
    args, (h, c) = recurrent_cell(4, 3)
    rng = np.random.default_rng(0)
    x, w, u = (rng.standard_normal(s).astype(np.float32) for s in ((steps, 3), (4, 4), (4, 3)))
    hidden, counts = [np.tanh(u @ x[0])], [np.zeros(4, np.float32)]
    for step in x[1:]:
        hidden.append(np.tanh(w @ hidden[-1] + u @ step))
        counts.append(counts[-1] + np.where(hidden[-1] > 0, np.float32(1), np.float32(-1)))
    expected = [np.stack(hidden), np.stack(counts)]
    expect([*args, h, c], [x, w, u], *expected, rtol=1e-5)
    for found, want in zip(tilewright.compile(te.to_module([*args, h, c]))(x, w, u), expected, strict=True):
        np.testing.assert_allclose(found, want, rtol=1e-5, atol=1e-5)


def test_a_scan_is_read_by_other_computes() -> None:
    x, sums = running_sum()
    k = te.reduce_axis((0, sums.shape[0]), "k")
    total = te.compute((sums.shape[1],), lambda i: te.sum(sums[k, i] * 2, axis=k), name="total")
    values = data(6, 3)
    expect([x, total], [values], 2 * values.cumsum(0).sum(0))


def test_steps_are_not_made_parallel() -> None:
    x, sums = running_sum()
    s = tilewright.Schedule(te.create_prim_func([x, sums]))
    t, i = s.get_loops(s.get_block("update"))
    with pytest.raises(TilewrightError):
        s.parallel(t)
    s.parallel(i)


S = te.placeholder((8, 4), name="S")
INIT = te.compute((1, 4), lambda t, i: 0.0, name="init")
UPDATE = te.compute((8, 4), lambda t, i: S[t - 1, i] + 1, name="update")
OTHER = te.compute((8, 4), lambda t, i: S[t - 1, i] * 2, name="other")

MISTAKES = {
    "counts": (lambda: te.scan([INIT, INIT], UPDATE, S), "expected as many inits and updates as states in scan 'scan'"),
    "state": (lambda: te.scan(INIT, UPDATE, UPDATE), "a placeholder as state of scan 'scan', but got 'update'"),
    "update": (lambda: te.scan(INIT, S, S), "a compute with a time axis as update of scan 'scan', but got 'S'"),
    "shape": (lambda: te.scan(INIT, UPDATE, te.placeholder((8, 5))), "of one shape, but got (8, 4) and (8, 5)"),
    "init shape": (
        lambda: te.scan(te.compute((1, 5), lambda t, i: 0.0), UPDATE, S), "differ in the first size only"
    ),
    "init steps": (lambda: te.scan(te.compute((9, 4), lambda t, i: 0.0), UPDATE, S), "between 1 and 8 first steps"),
    "type": (
        lambda: te.scan(te.compute((1, 4), lambda t, i: te.const(0)), UPDATE, S), "but got int32, float32 and float32"
    ),
    "same update": (lambda: te.scan([INIT, INIT], [UPDATE, UPDATE], [S, S]), "a different state and update"),
    "reads this step": (
        lambda: te.scan(INIT, te.compute((8, 4), lambda t, i: S[t, i]), S), "at most 1 back, but got `S[t, i]`"
    ),
    "reads too far back": (
        lambda: te.scan(INIT, te.compute((8, 4), lambda t, i: S[t - 2, i]), S), "at most 1 back, but got `S[t - 2, i]`"
    ),
    "other steps between": (
        lambda: te.scan(INIT, te.compute((8, 4), lambda t, i: OTHER[t - 1, i]), S), "read at t, but got `other[t - 1"
    ),
    "other length between": (
        lambda: te.scan(
            INIT, te.compute((8, 4), lambda t, i: te.compute((4,), lambda j: S[0, j], name="row")[i]), S
        ), "expected compute 'row' of scan 'scan' to run over all 8 steps first",
    ),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake(mistake: str) -> None:
    build, words = MISTAKES[mistake]
    with pytest.raises(TilewrightError) as caught:
        build()
    assert caught.value.code == "TW0465"
    assert words in caught.value.message
    position = source_position(caught.value.location)
    assert position is not None
    assert position.file == __file__
    assert inspect.getsourcelines(build)[1] <= position.line <= inspect.getsourcelines(build)[1] + 3


def test_inputs_are_read() -> None:
    x, state, other = (te.placeholder((4, 3), name=name) for name in ("X", "state", "other"))
    init = te.compute((1, 3), lambda _, i: x[0, i], name="init")
    update = te.compute((4, 3), lambda t, i: state[t - 1, i] + x[t, i], name="update")
    te.scan(init, update, state, inputs=[x])
    with pytest.raises(TilewrightError, match="TW0465.*to read its input 'other'"):
        te.scan(init, update, state, inputs=[x, other])


def lstm(steps: int, batch: int, width: int, hidden: int) -> tuple[list[te.Tensor], list[te.Tensor], list[te.Tensor]]:
    """Return a cell with four gates, whose products of the inputs are computed at each step: the first one has none."""
    x = te.placeholder((steps - 1, batch, width), name="x")
    w = te.placeholder((4, hidden, width), name="W"), te.placeholder((4, hidden, hidden), name="U")
    h, c = (te.placeholder((steps, batch, hidden), name=name) for name in "hc")
    inits = [te.compute((1, batch, hidden), lambda *i: 0.0, name=f"{name}0") for name in "hc"]
    k, l = te.reduce_axis((0, width), "k"), te.reduce_axis((0, hidden), "l")  # noqa: E741
    shape = (steps, 4, batch, hidden)
    driven = te.compute(shape, lambda t, g, b, i: te.sum(x[t - 1, b, k] * w[0][g, i, k], axis=k), name="driven")
    fed = te.compute(shape, lambda t, g, b, i: te.sum(h[t - 1, b, l] * w[1][g, i, l], axis=l), name="fed")
    gates = te.compute(shape, lambda *i: driven(*i) + fed(*i), name="gates")
    kept = (steps, batch, hidden)
    kinds = (te.sigmoid, te.tanh, te.sigmoid, te.sigmoid)
    enter, value, keep, leave = (
        te.compute(kept, lambda t, b, i, f=f, g=g: f(gates[t, g, b, i]), name=f"gate{g}") for g, f in enumerate(kinds)
    )
    next_c = te.compute(
        kept, lambda t, b, i: keep[t, b, i] * c[t - 1, b, i] + enter[t, b, i] * value[t, b, i], name="n"
    )
    next_h = te.compute(kept, lambda t, b, i: leave[t, b, i] * te.tanh(next_c[t, b, i]), name="next_h")
    updates = [te.compute(kept, lambda *i, n=n: n(*i), name="update") for n in (next_h, next_c)]
    return [x, *w], te.scan(inits, updates, [h, c], inputs=[x], name="lstm"), [gates, enter, value, keep, leave]


def test_inputs_that_the_first_step_does_not_have() -> None:
    inputs, (hidden, cell), inlined = lstm(4, 2, 3, 5)
    assert [op.name for op in hidden.op.body][:2] == ["driven", "fed"]
    s = te.create_schedule(hidden.op)
    for stage in inlined:
        s[stage].compute_inline()
    x, w, u = (np.random.default_rng(n).standard_normal(t.shape).astype("float32") for n, t in enumerate(inputs))
    h, c = np.zeros((4, 2, 5), np.float32), np.zeros((4, 2, 5), np.float32)
    tilewright.build(s, [*inputs, hidden, cell], "llvm")(x, w, u, h, c)

    def sigmoid(values: np.ndarray) -> np.ndarray:
        return 1 / (1 + np.exp(-values))

    state, memory = np.zeros((2, 5)), np.zeros((2, 5))
    for t in range(1, 4):
        gates = np.einsum("bk,gik->gbi", x[t - 1], w) + np.einsum("bl,gil->gbi", state, u)
        memory = sigmoid(gates[2]) * memory + sigmoid(gates[0]) * np.tanh(gates[1])
        state = sigmoid(gates[3]) * np.tanh(memory)
        np.testing.assert_allclose(h[t], state, rtol=1e-4, atol=1e-6)
        np.testing.assert_allclose(c[t], memory, rtol=1e-4, atol=1e-6)
    assert not h[0].any() and not c[0].any()


@pytest.mark.parametrize("where", ["output", "init", "after"])
def test_what_belongs_to_the_steps_is_read_there_only(where: str) -> None:
    x, state = te.placeholder((4, 3), name="x"), te.placeholder((5, 3), name="state")
    doubled = te.compute((5, 3), lambda t, i: x[t - 1, i] * 2, name="doubled")
    init = te.compute((1, 3), (lambda t, i: doubled[t + 1, i]) if where == "init" else lambda t, i: 0.0, name="init")
    update = te.compute((5, 3), lambda t, i: state[t - 1, i] + doubled[t, i], name="update")
    sums = te.scan(init, update, state, inputs=[x])
    after = te.compute((5, 3), lambda t, i: sums[t, i] + doubled[t, i], name="after")
    outputs = {"output": [doubled, sums], "init": [sums], "after": [after]}[where]
    with pytest.raises(TilewrightError, match="TW0465.*'doubled', which scan 'scan' computes at its steps"):
        te.to_module([x, *outputs])
