"""Inputs of definitions, positions of stages, and fixed axes of scans."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te


def scan_of(step: Any, rows: int = 4, columns: int = 4) -> Any:
    """Return a scan over a matrix whose step reads its state by `step(state, t, i, j)`."""
    state = te.placeholder((6, rows, columns), name="state")
    x = te.placeholder((1, rows, columns), name="x")
    first = te.compute((1, rows, columns), lambda _, i, j: x[0, i, j], name="first")
    update = te.compute((6, rows, columns), lambda t, i, j: step(state, t, i, j), name="update")
    return te.scan(first, update, state)


def fixed(scan: Any) -> list[int]:
    found = te.schedule.ScanFixPointAnalysis(scan.op)
    return [found[axis].value for axis in scan.op.spatial_axis_]


def test_what_is_read_and_in_which_order() -> None:
    n = te.var("n")
    A = te.placeholder((n,), name="A")
    B = te.compute((n,), lambda i: A[i] + 1.0, name="B")
    C = te.compute((n,), lambda i: A[i] * B[i], name="C")
    graph = te.schedule.CreateReadGraph([C.op])
    assert (graph[C.op], graph[B.op], graph[A.op]) == ([A, B], [A], [])
    assert te.schedule.PostDFSOrder([C.op], graph) == [A.op, B.op, C.op]


def test_steps_of_a_scan() -> None:
    scan = scan_of(lambda s, t, i, j: s[t - 1, i, j] + 1.0)
    (update,) = scan.op.update
    assert te.schedule.ScanGetBody(scan.op) == [update.op, scan.op]
    graph = te.schedule.CreateReadGraph([scan.op])
    assert update in graph[scan.op]
    order = te.schedule.PostDFSOrder([scan.op], graph)
    assert order.index(update.op) < order.index(scan.op)
    with pytest.raises(tvm.TilewrightError, match="Scan"):
        te.schedule.ScanGetBody(update.op)


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (lambda s, t, i, j: s[t - 1, i, j] + 1.0, [1, 1]),
        (lambda s, t, i, j: s[t - 1, j, i] + 1.0, [0, 0]),
        (lambda s, t, i, j: s[t - 1, i, 2] + 1.0, [1, 0]),
        (lambda s, t, i, j: s[t - 1, i, (j + 1) % 4] + s[t - 1, i, j], [1, 0]),
        (lambda s, t, i, j: s[t - 1, j, j] + 1.0, [0, 0]),
    ],
    ids=["still", "transposed", "one column", "next column", "diagonal"],
)
def test_axes_along_which_a_scan_keeps_still(step: Any, expected: list[int]) -> None:
    assert fixed(scan_of(step)) == expected


def test_axes_through_another_compute_of_a_step() -> None:
    def step(s: Any, t: Any, i: Any, j: Any) -> Any:
        turned = te.compute((6, 4, 4), lambda u, a, b: s[u - 1, b, a] * 2.0, name="turned")
        return turned[t, j, i]

    assert fixed(scan_of(step)) == [1, 1]


def test_loops_around_stages() -> None:
    A = te.placeholder((8, 8), name="A")
    B = te.compute((8, 8), lambda i, j: A[i, j] + 1.0, name="B")
    C = te.compute((8, 8), lambda i, j: B[i, j] * 2.0, name="C")
    s = te.create_schedule(C.op)
    outer, inner = s[C].split(C.op.axis[1], factor=4)
    s[B].compute_at(s[C], outer)
    path = te.schedule.CreateAttachPath(s)
    assert path[C.op] == []
    assert len(path[B.op]) == 2
    assert path[B.op][0] is outer
    assert path[B.op][1] is C.op.axis[0]
    assert inner not in path[B.op][:1]
    scan = scan_of(lambda state, t, i, j: state[t - 1, i, j] + 1.0)
    paths = te.schedule.CreateAttachPath(te.create_schedule(scan.op))
    assert paths[scan.op.update[0].op] == [scan.op.scan_axis]


def test_splits_by_more_than_there_is() -> None:
    A = te.placeholder((8,), name="A")
    B = te.compute((8,), lambda i: A[i] + 1.0, name="B")
    for arguments, which in (({"factor": 32}, 1), ({"nparts": 32}, 0)):
        s = te.create_schedule(B.op)
        parts = s[B].split(B.op.axis[0], **arguments)
        halves = s[B].split(parts[which], factor=16)
        bounds = te.schedule.InferBound(s)
        assert bounds[halves[1]].extent.value == 8
        x = np.arange(8, dtype=np.float32)
        np.testing.assert_array_equal(tvm.build(s, [A, B])(x), x + 1)


def test_elements_by_producer_load() -> None:
    A = te.placeholder((3,), name="A")
    B = te.compute((), lambda: 2, name="B")
    C = te.compute((3,), lambda i: A[i] + tvm.tir.ProducerLoad(B, []), name="C")
    x = np.arange(3, dtype=np.float32)
    np.testing.assert_array_equal(tvm.build(te.create_schedule(C.op), [A, C])(x), x + 2)
    with pytest.raises(tvm.TilewrightError, match="producer"):
        tvm.tir.ProducerLoad(2, [])


def test_calls_with_variables_in_functions() -> None:
    seen: list[Any] = []
    tvm.register_func("test.graphs.note", lambda *values: seen.append(values), override=True)
    try:
        n, v = te.size_var("n"), te.var("v", "float32")
        A = tvm.tir.decl_buffer((n,), "float32")
        body = tvm.tir.Evaluate(tvm.tir.call_packed("test.graphs.note", A.shape[0], v * 2.0))
        tvm.build(tvm.tir.PrimFunc([A, v], body))(np.zeros(7, np.float32), 1.25)
        assert seen == [(7, 2.5)]
    finally:
        tvm._ffi.remove_global_func("test.graphs.note")
