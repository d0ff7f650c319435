"""Tensors and lazy schedules as JSON, and back."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te, tir


def reread(node: Any) -> Any:
    return tvm.ir.load_json(tvm.ir.save_json(node))


def product() -> tuple[Any, Any, Any]:
    n = te.size_var("n")
    A, B = te.placeholder((n, 8), name="A"), te.placeholder((8, 6), name="B")
    k = te.reduce_axis((0, 8), "k")
    C = te.compute((n, 6), lambda i, j: te.sum(A[i, k] * B[k, j], axis=k), name="C")
    D = te.compute((n, 6), lambda i, j: te.Select(C[i, j] > 0.5, C[i, j], te.exp(C[i, j])), name="D")
    return A, B, D


def test_a_schedule_that_is_read_does_what_was_saved() -> None:
    A, B, D = product()
    s = te.create_schedule(D.op)
    (C,) = D.op.inputs
    outer, inner = s[D].split(D.op.axis[0], factor=4)
    s[C].compute_at(s[D], outer)
    cache = s.cache_write(C, "local")
    s[D].vectorize(D.op.axis[1])
    s[D].pragma(inner, "auto_unroll_max_step", 4)
    for made in (reread(s), pickle.loads(pickle.dumps(s))):
        op = made.outputs[0]
        assert op is not D.op
        assert (str(op), [stage.name for stage in made.stages]) == (str(D.op), [stage.name for stage in s.stages])
        (C2,) = op.inputs
        a, b = made[C2].op.inputs[0].op.inputs
        x, y = np.linspace(-1, 1, 40, dtype=np.float32).reshape(5, 8), np.ones((8, 6), np.float32)
        found = tvm.build(made, [a, b, op.output(0)])(x, y)
        np.testing.assert_array_equal(found, tvm.build(s, [A, B, D])(x, y))
        expected = tvm.lower(s, [A, B, D])
        assert tvm.ir.structural_equal(tvm.lower(made, [a, b, op.output(0)]), expected)
    assert cache.op in s
    assert [stage.name for stage in copy.deepcopy(s).stages] == [stage.name for stage in s.stages]


def test_what_is_shared_stays_shared() -> None:
    A, _, D = product()
    first, second, names = reread([A, D, {"a": A}])
    assert names["a"] == first
    assert first.shape[0] is second.shape[0]
    assert second.op.inputs[0].op.inputs[0] == first
    x = te.placeholder((4,), name="x")
    both = te.compute((4,), lambda i: (x[i] + 1.0, x[i] * 2.0), name="both")
    one, other = reread(list(both))
    assert one.op is other.op
    argmax = te.comm_reducer(
        lambda a, b: (te.Select(a[1] >= b[1], a[0], b[0]), te.Select(a[1] >= b[1], a[1], b[1])),
        lambda t0, t1: (te.const(-1, t0), te.min_value(t1)),
    )
    k = te.reduce_axis((0, 4), "k")
    index, value = te.compute((1,), lambda i: argmax((k, x[k]), axis=k), name="best")
    op = reread(index).op
    (x2,) = op.inputs
    program = tvm.build(te.create_schedule(op), [x2, *op.outputs])
    assert [int(r[0]) for r in program(np.array([1, 5, 3, 2], np.float32))] == [1, 5]
    assert value.op is index.op


def test_scans_externs_and_attributes() -> None:
    x = te.placeholder((5, 3), name="x")
    state = te.placeholder((5, 3), name="state")
    scan = te.scan(
        te.compute((1, 3), lambda _, i: x[0, i], name="first"),
        te.compute((5, 3), lambda t, i: state[t - 1, i] + x[t, i], name="next"),
        state,
        name="sums",
    )
    made = reread(scan.op)
    assert isinstance(made, te.Scan)
    values = np.arange(15, dtype=np.float32).reshape(5, 3)
    (read,) = dict.fromkeys(t for each in made.inputs for t in (each.op.inputs or (each,)))
    found = tvm.build(te.create_schedule(made), [read, made.output(0)])(values)
    np.testing.assert_array_equal(found, values.cumsum(0))
    call = te.extern((3,), [x], lambda ins, outs: tir.call_extern("int32", "f", outs[0], ins[0]), name="E")
    assert str(reread(call.op)) == str(call.op)
    B = te.compute((3,), lambda i: x[0, i], name="B", attrs={"count": 1, "sizes": [2, 3], "layout": "NC"})
    attrs = reread(B).op.attrs
    assert (attrs["count"].value, attrs["sizes"][1].value, attrs["layout"].value) == (1, 3, "NC")
    assert json.loads(str(attrs)) == {"count": 1, "sizes": [2, 3], "layout": "NC"}


@pytest.mark.full
def test_long_chains_are_saved() -> None:
    x = te.placeholder((4,), name="x")
    total: Any = x[0]
    for _ in range(3000):
        total = total + 1.0
    B = te.compute((4,), lambda i: total, name="B")
    made = reread(B)
    found = tvm.build(te.create_schedule(made.op), [made.op.inputs[0], made])(np.zeros(4, np.float32))
    np.testing.assert_array_equal(found, np.full(4, 3000, np.float32))


def test_what_is_not_saved_is_refused() -> None:
    x = te.placeholder((4,), name="x")
    by_function = te.extern((4,), [x], lambda ins, outs: lambda builder, *buffers: None, name="E")
    for node in (by_function, lambda: 0, tvm.lower(te.create_schedule(by_function.op), [x, by_function])):
        with pytest.raises(ValueError, match="TW0258.*to save, but they hold"):
            tvm.ir.save_json(node)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"root": {"node": 0}, "nodes": []}',
        '{"root": {"node": 0}, "nodes": [{"class": "os:system", "fields": {}}]}',
        '{"root": {"node": 0}, "nodes": [{"class": "te.expr:annotations", "fields": {}}]}',
        '{"root": {"other": 0}, "nodes": []}',
        '{"root": [1], "nodes": [{"nothing": 1}]}',
    ],
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="TW0258.*cannot be read"):
        tvm.ir.load_json(text)
