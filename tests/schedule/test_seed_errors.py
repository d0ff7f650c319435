"""Mistakes that users of tensor compilers report, as whole programs: the code, the message, the line, and the way out.

Each program is a file of its own; the line that the error must point at is marked with `# here`.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tilewright import TilewrightError
from tilewright.diagnostics.locations import source_position

PRELUDE = """\
import tilewright as tvm
from tilewright import te, topi, tir

"""

MATMUL = (
    PRELUDE
    + """\
n = 64
A = te.placeholder((n, n), name="A")
B = te.placeholder((n, n), name="B")
k = te.reduce_axis((0, n), "k")
C = te.compute((n, n), lambda i, j: te.sum(A[i, k] * B[k, j], axis=k), name="C")
s = te.create_schedule(C.op)
"""
)


def refused(tmp_path: Path, program: str, code: str, *parts: str) -> str:
    """Run a program that fails: the error has the code and the parts, and shows the marked line with a caret."""
    path = tmp_path / "program.py"
    path.write_text(program)
    with pytest.raises(TilewrightError) as caught:
        exec(compile(program, str(path), "exec"), {"__name__": "__main__"})
    text = str(caught.value)
    assert caught.value.code == code, text
    for part in parts:
        assert part in text, text
    lines = program.splitlines()
    (marked,) = [number for number, line in enumerate(lines, 1) if line.endswith("# here")]
    position = source_position(caught.value.location)
    assert position is not None and position.file == str(path), text
    assert position.line == marked, text
    assert text.splitlines()[0].startswith(f"{path}:{marked}:")
    assert text.splitlines()[1] == lines[marked - 1]
    assert text.splitlines()[2].strip() == "^"
    return text


def test_a_cache_after_a_reduction_was_split(tmp_path: Path) -> None:
    """Only data-parallel axes can be carried over to a cache."""
    refused(
        tmp_path,
        MATMUL
        + """\
i, j = C.op.axis
ko, ki = s[C].split(k, factor=8)
s[C].reorder(i, ko, j, ki)
CC = s.cache_write(C, "local")  # here
""",
        "TW0484",
        "cache_write",
        "axis 'ko' of stage 'C' comes from splitting or fusing a reduction axis",
        "help: call cache_write first",
    )


def test_a_producer_inside_a_loop_that_its_consumer_is_outside_of(tmp_path: Path) -> None:
    """The copy to shared memory is made inside a loop; the copy to registers, which reads it, runs before that loop."""
    refused(
        tmp_path,
        MATMUL
        + """\
AS = s.cache_read(A, "shared", [C])
AL = s.cache_read(AS, "local", [C])
ko, ki = s[C].split(k, factor=8)
s[AL].compute_at(s[C], C.op.axis[0])
s[AS].compute_at(s[C], ko)  # here
tvm.lower(s, [A, B, C])
""",
        "TW0483",
        "'A.shared.local' reads 'A.shared', but does not run inside loop 'ko' of stage 'C'",
        "help: compute the stages that read 'A.shared' inside that loop as well, or choose a loop around them",
    )


def test_an_attachment_to_a_loop_of_another_stage(tmp_path: Path) -> None:
    """C has the loop, its cache has not."""
    refused(
        tmp_path,
        MATMUL
        + """\
CC = s.cache_write(C, "local")
AL = s.cache_read(A, "local", [CC])
ty, yi = s[C].split(C.op.axis[1], nparts=4)
s[AL].compute_at(s[CC], ty)  # here
""",
        "TW0482",
        "expected a loop of stage 'C.local' to compute 'A.local' in, but axis 'jo' is an axis of stage 'C'",
        "help: the loops of stage 'C.local' are 'i', 'j' and 'k'",
    )


def test_tensorize_at_an_axis_of_another_stage(tmp_path: Path) -> None:
    refused(
        tmp_path,
        MATMUL
        + """\
CC = s.cache_write(C, "local")
ty, yi = s[C].split(C.op.axis[1], nparts=4)
s[CC].tensorize(ty, "mma")  # here
""",
        "TW0481",
        "tensorize: axis 'jo' belongs to stage 'C', not to stage 'C.local'",
        "help: the loops of stage 'C.local' are 'i', 'j' and 'k'",
    )


def test_an_axis_that_is_split_already(tmp_path: Path) -> None:
    refused(
        tmp_path,
        MATMUL
        + """\
mo, mi = s[C].split(C.op.axis[0], factor=16)
no, ni = s[C].split(C.op.axis[1], factor=16)
nio, nii = s[C].split(ni, factor=4)
s[C].reorder(mo, no, mi, ni)  # here
""",
        "TW0480",
        "reorder",
        "'ji' of stage 'C' has already been split into 'jio' and 'jii'",
        "program.py:12",
        "help: ",
    )


def test_results_of_one_compute_that_reduce_differently(tmp_path: Path) -> None:
    refused(
        tmp_path,
        PRELUDE
        + """\
A = te.placeholder((8, 8), name="A")
k = te.reduce_axis((0, 8), "k")
l = te.reduce_axis((0, 8), "l")
S, M = te.compute((8,), lambda i: (te.sum(A[i, k], axis=k), te.max(A[i, l], axis=l)), name="S")  # here
""",
        "TW0462",
        "help: ",
    )


def test_one_reduce_axis_in_two_computes(tmp_path: Path) -> None:
    refused(
        tmp_path,
        PRELUDE
        + """\
A = te.placeholder((8, 8), name="A")
k = te.reduce_axis((0, 8), "k")
S = te.compute((8,), lambda i: te.sum(A[i, k], axis=k), name="S")
M = te.compute((8,), lambda i: te.max(A[i, k] + S[i], axis=k), name="M")
s = te.create_schedule(M.op)
tvm.lower(s, [A, M])  # here
""",
        "TW0464",
        "'k' is one of 'S' and of 'M'",
        "program.py:6:5: compute 'S'",
        "program.py:7:5: compute 'M'",
        "help: make a reduce_axis for each",
    )


def test_a_compute_whose_function_takes_another_number_of_axes(tmp_path: Path) -> None:
    refused(
        tmp_path,
        PRELUDE
        + """\
A = te.placeholder((8, 8), name="A")
B = te.compute((8, 8), lambda i: A[i, i], name="B")  # here
""",
        "TW0453",
        "'B'",
        "2",
    )


def test_an_interactive_schedule_names_the_call(tmp_path: Path) -> None:
    refused(
        tmp_path,
        PRELUDE
        + """\
A = te.placeholder((8,), name="A")
B = te.compute((8,), lambda i: A[i] + 1.0, name="B")
sch = tir.Schedule(tvm.IRModule({"main": te.create_prim_func([A, B])}))
(i,) = sch.get_loops(sch.get_block("B"))
parts = sch.split(i, factors=[2, 2])  # here
""",
        "TW0403",
        "split: the factors [2, 2] give 4 iterations, too few for the 8 of loop %i",
        "note: ",
        "loop.for %i = 0 to 8 {",
    )


def test_microkernel_that_does_not_parse(tmp_path: Path) -> None:
    """The error points into the kernel's own text; a note names the line that passed it."""
    program = (
        PRELUDE
        + """\
A = te.placeholder((8,), name="A")
B = te.compute((8,), lambda i: A[i] + 1.0, name="B")
sch = tir.Schedule(tvm.IRModule({"main": te.create_prim_func([A, B])}))
sch.import_foreign("llvm", '''
define i32 @update(ptr %0, ptr %1) {
  %3 = load floot, ptr %0
  ret i32 0
}
''')
"""
    )
    path = tmp_path / "program.py"
    path.write_text(program)
    with pytest.raises(TilewrightError) as caught:
        exec(compile(program, str(path), "exec"), {})
    error = caught.value
    assert error.code == "TW0427"
    assert "expected type" in error.message
    assert str(error).splitlines()[1] == "  %3 = load floot, ptr %0"
    assert str(error).splitlines()[2] == " " * 12 + "^"
    assert error.notes == [f"{path}:7: passed here"]
    assert error.help is not None
