"""Calls on schedules and stages that programs of the classic te make: groups, threads, loops of none or one axis."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te
from tilewright.diagnostics import TilewrightError


def refused(code: str, match: str) -> Any:
    return pytest.raises(TilewrightError, match=rf"(?s)error\[{code}\].*{match}")


def chain() -> tuple[Any, ...]:
    m, n = te.var("m"), te.var("n")
    X = te.placeholder((m, n), name="X")
    first = te.compute((m, n), lambda i, j: X[i, j] * 3, name="first")
    second = te.compute((m, n), lambda i, j: first[i, j] + 1, name="second")
    third = te.compute((m, n), lambda i, j: second[i, j] + 2, name="third")
    return te.create_schedule(third.op), X, first, second, third


def check(s: Any, X: Any, third: Any) -> None:
    x = np.random.default_rng(0).random((5, 7), np.float32)
    np.testing.assert_allclose(tvm.build(s, [X, third])(x), x * 3 + 3, rtol=1e-6)


def test_the_stages_of_a_group_move_together() -> None:
    s, X, first, second, third = chain()
    group = s.create_group(outputs=second, inputs=first, include_inputs=True)
    assert s[first].group is s[second].group is group
    group.compute_at(s[third], third.op.axis[1])
    assert group.attach_stage is s[third]
    assert s[first].attach_stage is s[third]
    assert group.num_child_stages == 2
    check(s, X, third)
    group.compute_root()
    assert s[first].attach_stage is group.attach_stage is None
    check(s, X, third)


def test_what_is_computed_inside_of_a_group_stays_there() -> None:
    s, X, first, second, third = chain()
    s[first].compute_at(s[second], second.op.axis[1])
    group = s.create_group(outputs=second, inputs=X)
    assert set(group.stages) == {s[first], s[second]}
    group.compute_at(s[third], third.op.axis[0])
    assert s[first].attach_stage is s[second]
    check(s, X, third)
    with refused("TW0488", "outside of the group"):
        group.compute_at(s[second], second.op.axis[0])


def test_groups_nest() -> None:
    s, _, first, second, third = chain()
    inner = s.create_group(outputs=second, inputs=first)
    outer = s.create_group(outputs=second, inputs=first, include_inputs=True)
    assert set(s.groups) == {inner, outer}
    assert (s[first].group, s[second].group, inner.group) == (outer, inner, outer)
    assert (inner.num_child_stages, outer.num_child_stages) == (1, 2)
    with refused("TW0488", "'first' would leave a group"):
        s.create_group(outputs=third, inputs=first)
    with refused("TW0488", "there are none"):
        s.create_group(outputs=first, inputs=first)


def test_a_scan_makes_a_group_of_its_steps() -> None:
    m, n = te.var("m"), te.var("n")
    X = te.placeholder((m, n), name="X")
    state = te.placeholder((m, n), name="state")
    init = te.compute((1, n), lambda _, i: X[0, i], name="init")
    a = te.compute((m, n), lambda t, i: state[t - 1, i] + X[t, i], name="a")
    b = te.compute((m, n), lambda t, i: a[t, i] + 1, name="b")
    c = te.compute((m, n), lambda t, i: b[t, i] + 1, name="c")
    result = te.scan(init, c, state, inputs=[X])
    s = te.create_schedule(result.op)
    assert s[a].group is s[b].group is not None
    group = s.create_group(outputs=b, inputs=[state, X])
    assert s[a].group is s[b].group is group
    assert group.group is s[c].group
    group.compute_at(s[c], c.op.axis[1])
    x = np.random.default_rng(1).random((4, 3), np.float32)
    expected = np.cumsum(x, 0) + 2 * np.arange(4)[:, None]
    np.testing.assert_allclose(tvm.build(s, [X, result])(x), expected, rtol=1e-5)


def test_loops_of_no_axis_and_of_one() -> None:
    A = te.placeholder((), name="A")
    B = te.compute((), lambda: A() + 1, name="B")
    s = te.create_schedule(B.op)
    unit = s[B].fuse()
    assert s[B].leaf_iter_vars == (unit,)
    s[B].parallel(unit)
    assert tvm.build(s, [A, B])(np.float32(3)) == 4
    s = te.create_schedule(B.op)
    s[B].bind(s[B].fuse(), te.thread_axis("blockIdx.x"))
    assert "blockIdx.x" in tvm.build(s, [A, B], "cuda").get_source()
    s, X, _, _, third = chain()
    i, j = third.op.axis
    assert s[third].fuse(i) is s[third].leaf_iter_vars[0]
    unit = s[third].fuse()
    assert s[third].leaf_iter_vars[2] is unit
    s[third].fuse(s[third].leaf_iter_vars[1], unit)
    check(s, X, third)
    with refused("TW0480", "'j' of stage 'third' has already been fused"):
        s[third].vectorize(j)


def test_of_several_kinds_the_last_is_taken() -> None:
    s, X, _, _, third = chain()
    outer, inner = s[third].split(third.op.axis[1], factor=4)
    s[third].vectorize(inner)
    s[third].vectorize(inner)
    s[third].unroll(outer)
    s[third].parallel(outer)
    text = str(tvm.lower(s, [X, third], simple_mode=True))
    assert text.count("kind vectorized") == text.count("kind parallel") == 1
    assert "unrolled" not in text
    check(s, X, third)


def test_one_thread_stores() -> None:
    A = te.placeholder((4, 64), name="A")
    k = te.reduce_axis((0, 64), "k")
    B = te.compute((4,), lambda i: te.sum(A[i, k], axis=k), name="B")
    s = te.create_schedule(B.op)
    _, inner = s[B].split(k, factor=8)
    factored = s.rfactor(B, inner)
    thread = te.thread_axis((0, 8), "threadIdx.x")
    s[B].bind(B.op.axis[0], te.thread_axis("blockIdx.x"))
    s[B].bind(s[B].op.reduce_axis[0], thread)
    s[factored].compute_at(s[B], s[B].op.reduce_axis[0])
    s[B].set_store_predicate(thread.var.equal(0))
    source = tvm.build(s, [A, B], "cuda").get_source()
    (store,) = [line for line in source.splitlines() if line.strip().startswith("B[")]
    assert "if " in source.splitlines()[source.splitlines().index(store) - 1]
    other = te.thread_axis("threadIdx.y")
    s[B].set_store_predicate(te.all(thread.equal(0), other.equal(0)))
    for wrong in (thread.equal(3), thread < 1, te.any(thread.equal(0), other.equal(0))):
        with refused("TW0498", "the first thread"):
            s[B].set_store_predicate(wrong)


def test_threads_of_a_scan() -> None:
    X = te.placeholder((4, 8), name="X")
    state = te.placeholder((4, 8), name="state")
    init = te.compute((1, 8), lambda _, i: X[0, i], name="init")
    step = te.compute((4, 8), lambda t, i: state[t - 1, i] + X[t, i], name="step")
    result = te.scan(init, step, state, inputs=[X])
    s = te.create_schedule(result.op)
    block, thread = te.thread_axis("blockIdx.x"), te.thread_axis("threadIdx.x")
    s[result].env_threads([block, thread])
    assert s[result].threads == (block, thread)
    x = np.random.default_rng(2).random((4, 8), np.float32)
    np.testing.assert_allclose(tvm.build(s, [X, result])(x), np.cumsum(x, 0), rtol=1e-5)
    with refused("TW0493", "expected thread axes"):
        s[result].env_threads(["threadIdx.w"])
