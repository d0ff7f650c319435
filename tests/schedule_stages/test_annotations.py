"""Scopes, layouts and remarks on stages."""

from __future__ import annotations

import numpy as np
import pytest
from tilewright import TilewrightError, te
from tilewright.diagnostics.locations import source_position
from tilewright.schedule.stages import LazySchedule, create_schedule
from tilewright.te.tensor import Tensor

from .programs import lower, run
from .test_programs import loops


def stencil() -> tuple[LazySchedule, Tensor, Tensor, Tensor]:
    A = te.placeholder((18, 12), name="A")
    B = te.compute((18, 12), lambda i, j: A[i, j] + 1, name="B")
    C = te.compute((16, 12), lambda i, j: B[i, j] * B[i + 2, j], name="C")
    return create_schedule(C.op), A, B, C


def expected(a: np.ndarray) -> np.ndarray:
    return (a[:16] + 1) * (a[2:] + 1)


def test_scope_of_a_stage_inside_threads():
    for at, scope in ((0, '"shared"'), (1, '"local"')):
        s, A, B, C = stencil()
        parts = s[C].split(C.op.axis[0], factor=4)
        s[C].bind(parts[0], te.thread_axis("blockIdx.x"))
        s[C].bind(parts[1], te.thread_axis((0, 4), "threadIdx.x"))
        s[B].compute_at(s[C], parts[at])
        text = str(lower(s, [A, C]))
        assert f"%B = loop.alloc : memref<18x12xf32, {scope}>" in text


def test_scope_that_was_asked_for():
    s, A, B, C = stencil()
    bx, _ = s[C].split(C.op.axis[0], factor=4)
    s[C].bind(bx, "blockIdx.x")
    s[B].compute_at(s[C], bx)
    s[B].set_scope("global")
    assert "%B = loop.alloc : memref<18x12xf32>" in str(lower(s, [A, C]))
    s[B].set_scope("local")
    assert '%B = loop.alloc : memref<18x12xf32, "local">' in str(lower(s, [A, C]))


def test_storage_align():
    s, A, B, C = stencil()
    io, _ = s[C].split(C.op.axis[0], factor=4)
    s[B].compute_at(s[C], io)
    s[B].storage_align(B.op.axis[0], 8, 4)
    assert "storage_align" in str(lower(s, [A, C]))
    a, c = run(s, [A, C])
    np.testing.assert_array_equal(c, expected(a))


def test_storage_swizzle():
    s, A, B, C = stencil()
    s[B].storage_swizzle()
    assert "tw.storage_swizzle" in str(lower(s, [A, C]))
    a, c = run(s, [A, C])
    np.testing.assert_array_equal(c, expected(a))


def test_double_buffer():
    s, A, B, C = stencil()
    io, _ = s[C].split(C.op.axis[0], factor=4)
    s[B].compute_at(s[C], io)
    s[B].double_buffer()
    a, c = run(s, [A, C])
    np.testing.assert_array_equal(c, expected(a))


def test_rolling_buffer_with_loops_of_the_stage():
    s, A, B, C = stencil()
    s[B].compute_at(s[C], C.op.axis[0])
    s[B].rolling_buffer()
    i, j = B.op.axis
    _, ji = s[B].split(j, factor=4)
    s[B].vectorize(ji)
    s[B].unroll(i)
    text = str(lower(s, [A, C]))
    assert "memref<3x12xf32>" in text and "mod 3" in text
    assert loops(text)[-4:] == ["u unrolled", "jo", "ji vectorized", "j_1"]
    a, c = run(s, [A, C])
    np.testing.assert_array_equal(c, expected(a))


def test_pragma():
    s, A, B, C = stencil()
    s[C].pragma(C.op.axis[0], "auto_unroll_max_step", 16)
    assert "pragma.auto_unroll_max_step = 16" in str(lower(s, [A, C]))
    a, c = run(s, [A, C])
    np.testing.assert_array_equal(c, expected(a))


def test_prefetch():
    s, A, B, C = stencil()
    s[B].prefetch(A, B.op.axis[0], 2)
    s[B].vectorize(B.op.axis[1])
    assert "loop.prefetch_ahead %A, 2" in str(lower(s, [A, C]))
    a, c = run(s, [A, C])
    np.testing.assert_array_equal(c, expected(a))


def test_prefetch_of_what_is_inlined_is_refused_at_the_call():
    A = te.placeholder((16,), name="A")
    B = te.compute((16,), lambda i: A[i] + 1, name="B")
    C = te.compute((16,), lambda i: B[i] * 2, name="C")
    s = create_schedule(C.op)
    s[C].prefetch(B, C.op.axis[0], 2)
    s[B].compute_inline()
    with pytest.raises(TilewrightError, match="'B' among the lowered stages, but it has no buffer there") as error:
        lower(s, [A, C])
    position = source_position(error.value.location)
    assert error.value.code == "TW0497" and position is not None and position.file == __file__
