"""Errors of calls of te, topi and schedules point at the call, not at the beginning of its line."""

from __future__ import annotations

from pathlib import Path

import tilewright
from tilewright import TilewrightError, te, tir, topi

_A = te.placeholder((64, 32), name="A")
_B = te.compute((64, 32), lambda i, j: _A[i, j] * 2, name="B")
_C = te.compute((64, 32), lambda i, j: _B[i, j] + 1, name="C")
CALLS = (
    "te.const(1e60, 'float16')",
    "te.placeholder((2,), 'float33')",
    "te.compute((4,), lambda i: _A[i])",
    "topi.reshape(_A, (7, 7))",
    "topi.nn.conv2d_nchw(_A, _A, 1, 0, 1)",
    "te.sum(_A[0, 0], axis=3)",
    "tir.decl_buffer((4,), strides=[1, 2])",
    "te.decl_tensor_intrin(_A.op, None)",
    "s[_B].split(_B.op.axis[0], factor=0)",
    "s[_B].vectorize(_C.op.axis[0])",
    "s[_B].compute_at(s[_B], _B.op.axis[0])",
    "s[_B].storage_align(_B.op.axis[0], 0, 1)",
    "s[_C].compute_inline()",
    "s[_C].reorder(_C.op.axis[0], _C.op.axis[0])",
    "s[_C].bind(_C.op.axis[0], te.thread_axis('threadIdx.w'))",
)
"""Mistakes, found when they are made or when the schedule is lowered."""
_AT = {"s[_C].bind(_C.op.axis[0], te.thread_axis('threadIdx.w'))": "te.thread_axis"}
"""The expression in a call that is the mistake, where it is not the call."""


def test_columns_are_those_of_calls(tmp_path: Path) -> None:
    file = tmp_path / "mistake.py"
    wrong = []
    for call in CALLS:
        line = f"kept = [len('before'), {call}]"
        file.write_text(f"{line}\n")
        names = {"te": te, "tir": tir, "topi": topi, "s": te.create_schedule(_C.op), "_A": _A, "_B": _B, "_C": _C}
        try:
            exec(compile(file.read_text(), str(file), "exec"), names)
            tilewright.lower(names["s"], [_A, _C])
            wrong.append((call, "accepted"))
        except TilewrightError as error:
            expected = f"{file}:1:{line.index(_AT.get(call, call)) + 1}:"
            wrong += [] if str(error).startswith(expected) else [(call, str(error).splitlines()[0])]
    assert wrong == []
