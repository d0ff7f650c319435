"""Refusals of stages: code, message and the user's line."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tilewright import te
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.locations import source_position
from tilewright.schedule.stages import LazySchedule, create_schedule
from tilewright.te.tensor import Tensor

from .programs import lower


def line() -> int:
    """Return the line of the caller."""
    return sys._getframe(1).f_lineno


def refused(code: str, call: Callable[[], Any], *parts: str, at: int | None = None) -> TilewrightError:
    with pytest.raises(TilewrightError) as caught:
        call()
    error = caught.value
    assert error.code == code, str(error)
    for part in parts:
        assert part in " ".join([error.message, error.help or "", *error.notes]), str(error)
    position = source_position(error.location)
    assert position is not None and Path(position.file).parent == Path(__file__).parent
    if at is not None:
        assert position.line == at
    return error


def product() -> tuple[LazySchedule, Tensor, Tensor, Tensor]:
    A = te.placeholder((16, 16), name="A")
    B = te.placeholder((16, 16), name="B")
    k = te.reduce_axis((0, 16), "k")
    C = te.compute((16, 16), lambda i, j: te.sum(A[i, k] * B[k, j], axis=k), name="C")
    return create_schedule(C.op), A, B, C


def chain() -> tuple[LazySchedule, Tensor, Tensor, Tensor]:
    A = te.placeholder((16, 16), name="A")
    B = te.compute((16, 16), lambda i, j: A[i, j] + 1, name="B")
    C = te.compute((16, 16), lambda i, j: B[i, j] * 2, name="C")
    return create_schedule(C.op), A, B, C


# Axes


def test_an_axis_that_was_split_is_used_again():
    s, _, _, C = product()
    _, ji = s[C].split(C.op.axis[1], factor=8)
    s[C].split(ji, factor=4)
    error = refused(
        "TW0480",
        lambda: s[C].reorder(C.op.axis[0], ji),
        "axis 'ji' of stage 'C' has already been split into 'jio' and 'jii'",
        "the loops of stage 'C' are 'i', 'jo', 'jio', 'jii' and 'k'",
    )
    assert "test_errors.py:" in error.message
    refused("TW0480", lambda: s[C].vectorize(C.op.axis[1]), "axis 'j' of stage 'C' has already been split")


def test_an_axis_that_was_fused_is_used_again():
    s, _, _, C = product()
    s[C].fuse(*C.op.axis)
    refused("TW0480", lambda: s[C].unroll(C.op.axis[0]), "axis 'i' of stage 'C' has already been fused into 'i_j'")


def test_axes_that_a_cache_took():
    s, _, _, C = product()
    io, _ = s[C].split(C.op.axis[0], factor=4)
    CC = s.cache_write(C, "local")
    refused("TW0480", lambda: s[C].unroll(io), "axis 'io' of stage 'C' went to stage 'C.local' with cache_write")
    s[CC].unroll(CC.op.axis[0])
    refused("TW0481", lambda: s[C].unroll(CC.op.reduce_axis[0]), "axis 'k' belongs to stage 'C.local'")


def test_an_axis_of_another_stage():
    s, _, B, C = chain()
    refused("TW0481", lambda: s[B].split(C.op.axis[0], factor=2), "axis 'i' belongs to stage 'C', not to stage 'B'")
    xo, _ = s[B].split(B.op.axis[0], factor=2)
    refused("TW0481", lambda: s[C].tensorize(xo, None), "tensorize: axis 'io' belongs to stage 'B'")
    stray = te.reduce_axis((0, 4), "r")
    refused("TW0481", lambda: s[C].unroll(stray), "axis 'r' is an axis of no stage of this schedule")


def test_lists_of_axes():
    s, _, _, C = product()
    i, j = C.op.axis
    refused("TW0486", lambda: s[C].reorder(i, j, i), "reorder: axis 'i' of stage 'C' is listed twice")
    refused("TW0486", lambda: s[C].reorder(), "reorder: expected axes of stage 'C', but got none")
    refused("TW0485", lambda: s[C].fuse(i, C.op.reduce_axis[0]), "axes 'i' and 'k' of stage 'C' are not neighbours")


def test_objects_that_are_no_axes():
    s, A, _, C = product()
    refused("TW0488", lambda: s[C].vectorize(1), "vectorize: expected an axis of stage 'C', but got int")
    refused("TW0488", lambda: s[C].vectorize(C), "vectorize: expected an axis of stage 'C', but got Tensor")
    refused("TW0495", lambda: s[A].split(C.op.axis[0], factor=2), "split: 'A' is a placeholder, which has no loops")


# Loops


def test_factors():
    s, _, _, C = product()
    i = C.op.axis[0]
    refused("TW0491", lambda: s[C].split(i), "either factor or nparts for axis 'i', but got neither")
    refused("TW0491", lambda: s[C].split(i, factor=2, nparts=8), "but got both")
    refused("TW0491", lambda: s[C].split(i, factor=0), "a positive factor of axis 'i', but got 0")
    refused("TW0491", lambda: s[C].split(i, nparts=-2), "a positive nparts of axis 'i', but got -2")
    refused("TW0491", lambda: s[C].split(i, factor=2.5), "an integer as factor of axis 'i', but got 2.5")


def test_kinds_of_reduction_axes():
    s, _, _, C = product()
    (k,) = C.op.reduce_axis
    refused("TW0487", lambda: s[C].vectorize(k), "'k' is a reduction axis of stage 'C', which cannot be vectorized")
    refused("TW0487", lambda: s[C].parallel(k), "cannot be run in parallel", "s.rfactor(tensor, axis)")
    refused("TW0487", lambda: s.rfactor(C, C.op.axis[0]), "rfactor: expected a reduction axis of stage 'C'", "'k'")


def test_two_kinds_for_one_axis():
    s, _, _, C = product()
    i, j = C.op.axis
    s[C].bind(i, "threadIdx.x")
    refused("TW0492", lambda: s[C].bind(i, "threadIdx.y"), "axis 'i' of stage 'C' is bound to a thread axis already")
    refused("TW0492", lambda: s[C].unroll(i), "unroll: axis 'i' of stage 'C' is bound to a thread axis already")
    s[C].unroll(j)
    s[C].vectorize(j)
    refused("TW0492", lambda: s[C].split(j, factor=4), "vectorize was called for axis 'j'", "would be lost")


def test_thread_axes():
    s, _, _, C = product()
    refused("TW0493", lambda: s[C].bind(C.op.axis[0], "threadIdx.w"), "expected one of blockIdx.x", "'threadIdx.w'")
    refused("TW0493", lambda: s[C].bind(C.op.axis[0], 3), "but got int")


# Places


def test_inlining_what_must_be_stored():
    s, _, _, C = product()
    refused("TW0489", lambda: s[C].compute_inline(), "'C' is an output of the schedule")
    D = te.compute((16, 16), lambda i, j: C[i, j] + 1, name="D")
    s = create_schedule(D.op)
    refused("TW0489", lambda: s[C].compute_inline(), "'C' is a reduction", "s[C].compute_at(...)")


def test_circles():
    s, _, B, C = chain()
    refused("TW0494", lambda: s[B].compute_at(s[B], B.op.axis[0]), "stage 'B' cannot be computed inside itself")
    s[B].compute_at(s[C], C.op.axis[0])
    refused("TW0494", lambda: s[C].compute_at(s[B], B.op.axis[0]), "inside 'B', which is computed inside 'C'")


def test_compute_at_takes_a_stage():
    s, _, B, C = chain()
    refused("TW0488", lambda: s[B].compute_at(C, C.op.axis[0]), "but got Tensor", "with s[C] and not C")


def test_compute_at_an_axis_of_another_stage():
    s, _, B, C = chain()
    refused(
        "TW0482",
        lambda: s[B].compute_at(s[C], B.op.axis[0]),
        "expected a loop of stage 'C' to compute 'B' in, but axis 'i' is an axis of stage 'B'",
    )
    s[C].split(C.op.axis[0], factor=4)
    refused("TW0482", lambda: s[B].compute_at(s[C], C.op.axis[0]), "axis 'i' has already been split", "'io', 'ii'")


def test_compute_at_a_stage_that_does_not_read():
    s, A, B, C = chain()
    D = te.compute((16, 16), lambda i, j: B[i, j] - C[i, j], name="D")
    s = create_schedule(D.op)
    here = line() + 1
    s[B].compute_at(s[D], D.op.axis[0])
    refused(
        "TW0483",
        lambda: lower(s, [A, D]),
        "'C' reads 'B', but does not run inside loop 'i' of stage 'D'",
        at=here,
    )


def test_compute_at_a_stage_without_loops():
    s, A, B, C = chain()
    D = te.compute((16, 16), lambda i, j: C[i, j] - 3, name="D")
    s = create_schedule(D.op)
    here = line() + 1
    s[B].compute_at(s[C], C.op.axis[0])
    s[C].compute_inline()
    refused("TW0483", lambda: lower(s, [A, D]), "is computed inline and has no loops", at=here)


def test_threads_and_iterations_differ():
    s, A, _, C = chain()
    here = line() + 1
    s[C].bind(C.op.axis[0], te.thread_axis((0, 32), "threadIdx.x"))
    refused(
        "TW0493", lambda: lower(s, [A, C]), "axis 'i' of stage 'C' has 16 iterations", "split the axis by 32", at=here
    )


def test_a_split_that_would_need_a_guard():
    s, A, _, C = chain()
    here = line() + 1
    s[C].split(C.op.axis[0], factor=5, disable_predication=True)
    refused("TW0410", lambda: lower(s, [A, C]), "the factors [None, 5] divide the extent 16 of loop %i", at=here)


# Stages that calls make


def test_cache_write_after_splitting_the_reduction():
    s, _, _, C = product()
    s[C].split(C.op.reduce_axis[0], factor=4)
    refused(
        "TW0484",
        lambda: s.cache_write(C, "local"),
        "axis 'ko' of stage 'C' comes from splitting or fusing a reduction axis",
        "call cache_write first",
    )


def test_cache_write_under_what_rests_on_splits():
    s, _, _, C = product()
    io, _ = s[C].split(C.op.axis[0], factor=4)
    s[C].parallel(io)
    refused("TW0484", lambda: s.cache_write(C, "local"), "parallel was called for axis 'io' of stage 'C'")
    s, _, B, C = chain()
    io, _ = s[C].split(C.op.axis[0], factor=4)
    s[B].compute_at(s[C], io)
    refused("TW0484", lambda: s.cache_write(C, "local"), "stage 'B' is computed at axis 'io' of stage 'C'")


def test_rfactor_of_an_axis_that_is_part_data_parallel():
    s, _, _, C = product()
    fused = s[C].fuse(C.op.axis[1], C.op.reduce_axis[0])
    refused("TW0484", lambda: s.rfactor(C, fused), "axis 'j_k' of stage 'C' was fused with 'j'")


def test_caches_of_what_is_not_read():
    s, A, B, C = chain()
    refused("TW0496", lambda: s.cache_read(A, "local", [C]), "stage 'C' does not read 'A'", "it reads 'B'")
    refused("TW0496", lambda: s.cache_read(A, "local", []), "expected stages that read 'A', but got none")
    refused("TW0496", lambda: s.cache_write([B, C], "local"), "expected outputs of one compute")
    s, _, _, C = product()
    refused("TW0496", lambda: s.rfactor(C, C.op.reduce_axis[0], 3), "factor_axis from -3 to 2 for stage 'C'")


def test_a_cache_of_a_cache_that_took_splits_over():
    s, _, _, C = product()
    s[C].reorder(*reversed(C.op.axis))
    CC = s.cache_write(C, "local")
    refused("TW0496", lambda: s.cache_write(CC, "global"), "cache_write: stage 'C.local' took over loops")
    refused("TW0496", lambda: s.cache_read(CC, "local", [C]), "cache_read: stage 'C.local' took over loops")
    refused("TW0496", lambda: s.rfactor(CC, CC.op.reduce_axis[0]), "rfactor: stage 'C.local' took over loops")


def test_details():
    s, _, B, C = chain()
    refused("TW0498", lambda: s.cache_write(C, ""), "cache_write: expected the name of a scope, but got ''")
    refused("TW0498", lambda: s[B].set_scope(3), "set_scope: expected the name of a scope, but got 3")
    refused("TW0498", lambda: s[B].pragma(B.op.axis[0], ""), "pragma: expected a key")
    io, _ = s[B].split(B.op.axis[0], factor=2)
    refused("TW0498", lambda: s[B].storage_align(io, 8, 1), "expected one of the axes 'i' and 'j' of tensor 'B'")


# Schedules


def test_tensors_of_no_stage():
    s, _, _, C = product()
    D = te.compute((16, 16), lambda i, j: C[i, j] + 1, name="D")
    refused("TW0490", lambda: s[D], "expected a tensor of this schedule, but got 'D'", "'A', 'B' and 'C'")
    refused("TW0488", lambda: s["C"], "expected a tensor or its operation to index a schedule, but got str")
    refused("TW0488", lambda: create_schedule(3), "expected operations such as C.op, but got int")
    refused("TW0488", lambda: create_schedule([]), "expected one operation or more, but got none")


def test_arguments_that_the_schedule_does_not_know():
    s, A, B, C = product()
    D = te.compute((16, 16), lambda i, j: C[i, j] + 1, name="D")
    refused("TW0497", lambda: lower(s, [A, B, D]), "it has no stage for 'D'", "te.create_schedule([C.op, D.op])")


def test_the_trace_before_lowering():
    s, A, _, C = chain()
    refused("TW0499", s.lowered_trace, "it was not lowered yet")
    lower(s, [A, C])
    assert "get_block" in s.lowered_trace().as_python()


def test_what_the_engine_refuses_points_at_the_call():
    n = te.var("n")
    A = te.placeholder((n,), name="A")
    B = te.compute((n,), lambda i: A[i] + 1, name="B")
    s = create_schedule(B.op)
    here = line() + 1
    s[B].vectorize(B.op.axis[0])
    refused("TW0403", lambda: lower(s, [A, B]), "vectorize", "%i is symbolic", at=here)
