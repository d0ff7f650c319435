"""Mistakes with graphics cards that users of tensor compilers report, as whole programs: the code, the words, the line.

Each program is a file of its own; the line that the error points at is marked with `# here`.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tilewright import TilewrightError
from tilewright.diagnostics.locations import source_position

MATMUL = """\
import numpy as np
import tilewright as tvm
from tilewright import te

n = 64
A = te.placeholder((n, n), name="A")
B = te.placeholder((n, n), name="B")
k = te.reduce_axis((0, n), "k")
C = te.compute((n, n), lambda i, j: te.sum(A[i, k] * B[k, j], axis=k), name="C")
s = te.create_schedule(C.op)
i, j = C.op.axis
"""
BOUND = MATMUL + 's[C].bind(i, te.thread_axis("blockIdx.x"))\ns[C].bind(j, te.thread_axis("threadIdx.x"))\n'


def refused(tmp_path: Path, program: str, code: str, *parts: str) -> None:
    """Run a program that fails: the error has the code and the parts, and points at the marked line if there is one."""
    path = tmp_path / "program.py"
    path.write_text(program)
    with pytest.raises(TilewrightError) as caught:
        exec(compile(program, str(path), "exec"), {"__name__": "__main__"})
    text = str(caught.value)
    assert caught.value.code == code, text
    for part in parts:
        assert part in text, text
    marked = [number for number, line in enumerate(program.splitlines(), 1) if line.endswith("# here")]
    position = source_position(caught.value.location)
    assert marked == ([] if position is None else [position.line]), text


def test_one_thread_axis_with_two_extents(tmp_path: Path) -> None:
    """Seed 004's first: "domain already inferred, cannot prove their extents are the same 1024 vs 4"."""
    program = """\
s[C].bind(i, te.thread_axis((0, 4), "blockIdx.y"))  # here
tvm.build(s, [A, B, C], "cuda")
"""
    refused(tmp_path, MATMUL + program, "TW0493", "axis 'i' of stage 'C' has 64 iterations", "extent 4", "split the ax")


def test_one_thread_axis_bound_twice(tmp_path: Path) -> None:
    """The same mistake with a stage inside of another: one of them would have 16 blocks and the other 4."""
    program = """\
CC = s.cache_write(C, "local")
io, ii = s[C].split(s[C].op.axis[0], factor=4)
s[C].bind(io, te.thread_axis("blockIdx.y"))  # here
s[CC].compute_at(s[C], io)
s[CC].bind(s[CC].op.axis[0], te.thread_axis("blockIdx.y"))
tvm.build(s, [A, B, C], "cuda")
"""
    refused(tmp_path, MATMUL + program, "TW0412", "blockIdx.y", "bind one of them to another axis")


def test_arrays_of_the_host(tmp_path: Path, driver) -> None:
    """Seed 004's third: "Argument mmult.A.device_type has an unsatisfied constraint"."""
    call = "x = np.ones((n, n), np.float32)\ntvm.build(s, [A, B, C], 'cuda')(x, x)\n"
    refused(tmp_path, BOUND + call, "TW0633", "argument 'A' to be an array of the GPU", "to_device", "copy=True")


def test_too_much_shared_memory(tmp_path: Path) -> None:
    """Seed 004's fourth: "uses too much shared data (0x10000 bytes, 0xc000 max)"."""
    program = """\
import tilewright as tvm
from tilewright import te

A = te.placeholder((2048, 2048), name="A")
B = te.compute((2048, 2048), lambda i, j: A[j, i], name="B")  # here
s = te.create_schedule(B.op)
AA = s.cache_read(A, "shared", [B])
io, jo, ii, ji = s[B].tile(*B.op.axis, 128, 128)
s[B].bind(io, te.thread_axis("blockIdx.y"))
s[B].bind(jo, te.thread_axis("blockIdx.x"))
s[B].bind(ii, te.thread_axis("threadIdx.x"))
s[AA].compute_at(s[B], jo)
s[AA].bind(s[AA].op.axis[0], te.thread_axis("threadIdx.x"))
tvm.build(s, [A, B], "cuda")
"""
    refused(tmp_path, program, "TW0637", "at most 49152 bytes", "take 65536", "A_shared: 65536", "-shared=")


def test_no_card(tmp_path: Path, monkeypatch) -> None:
    """Seed 004's fifth: "not implemented", and what was meant is that there is no card. The program can be built."""
    from tilewright.runtime.kernels import driver

    def nothing(name: str) -> None:
        raise OSError(f"{name}: cannot open shared object file")

    monkeypatch.setattr(driver.ctypes, "CDLL", nothing)
    monkeypatch.setattr("tilewright.runtime.kernels.device_program.cuda_driver", driver.cuda_driver.__wrapped__)
    program = """\
x = np.ones((n, n), np.float32)
print(tvm.lower(s, [A, B, C], simple_mode=True))
tvm.build(s, [A, B, C], "cuda")(x, x)
"""
    refused(tmp_path, BOUND + program, "TW0634", "no driver of NVIDIA", "tilewright[cuda]", "simulator")


BOUND_ACROSS = """\
import tilewright as tvm
from tilewright import te

A, B = (te.placeholder((64, 64), "float32", n) for n in "AB")
k = te.reduce_axis((0, 64), "k")
C = te.compute((64, 64), lambda i, j: te.sum(A[i, k] * B[k, j], axis=k), name="C")  # here
s = te.create_schedule(C.op)
by, ty = s[C].split(C.op.axis[0], 16)
bx, tx = s[C].split(C.op.axis[1], 16)
_, ki = s[C].split(k, {threads})
for axis, tag in ((by, "blockIdx.y"), (bx, "blockIdx.x"), (ty, "threadIdx.y"), (tx, "threadIdx.x")):
    s[C].bind(axis, te.thread_axis(tag))
s[C].bind(ki, te.thread_axis("threadIdx.z"))
tvm.build(s, [A, B, C], "cuda")
"""


def test_more_than_1024_threads(tmp_path: Path) -> None:
    """Seed 004's sixth: "CUDA_ERROR_INVALID_VALUE grid=(2048,1,1), block=(2048,1,1)"."""
    program = """\
import tilewright as tvm
from tilewright import te

A = te.placeholder((2048 * 2048,), name="A")
B = te.compute(A.shape, lambda i: A[i] + 1.0, name="B")  # here
s = te.create_schedule(B.op)
bx, tx = s[B].split(B.op.axis[0], factor=2048)
s[B].bind(bx, te.thread_axis("blockIdx.x"))
s[B].bind(tx, te.thread_axis("threadIdx.x"))
tvm.build(s, [A, B], "cuda")
"""
    refused(tmp_path, program, "TW0636", "at most 1024 threads", "but got 2048", "split the loop")


def test_threads_are_counted_before_memory(tmp_path: Path) -> None:
    """A reduction across 64 of 16 x 16 x 64 threads keeps 64 KiB in shared memory: the threads are the mistake."""
    program = BOUND_ACROSS.format(threads=64)
    refused(tmp_path, program, "TW0636", "at most 1024 threads", "but got 16384")
    program = BOUND_ACROSS.format(threads=4).replace('"cuda"', '"cuda -shared=2048"')
    refused(tmp_path, program, "TW0637", "at most 2048 bytes", "C_shared: 4096, of stage 'C' in line 6")


def test_a_loop_that_no_thread_runs(tmp_path: Path) -> None:
    """It is not run on the host in silence."""
    program = MATMUL.replace('name="C")\n', 'name="C")  # here\n')
    program += 's[C].bind(j, te.thread_axis("threadIdx.x"))\ntvm.build(s, [A, B, C], "cuda")\n'
    refused(tmp_path, program, "TW0630", "loop %i", "bind it", "the host runs no loops")


def test_a_barrier_in_divergent_flow(tmp_path: Path) -> None:
    """The compiler puts barriers where all threads come by; IR that says otherwise is refused where it is read."""
    text = """
func.func @main(%x: memref<8xf32>, %y: memref<8xf32> {tw.output}) attributes {tw.scheduled} {
  loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
    loop.if (%t < 4) { loop.barrier <"shared"> }
    %a = loop.load %x[%t] : memref<8xf32>
    loop.store %a, %y[%t] : memref<8xf32>
  }
  func.return
}
"""
    path = tmp_path / "divergent.mlir"
    path.write_text(text)
    program = f'import tilewright as tvm\ntvm.compile({str(path)!r}, "cuda")\n'
    with pytest.raises(TilewrightError) as caught:
        exec(program, {})
    assert "the same for all threads" in caught.value.message
    position = source_position(caught.value.location)
    assert position is not None and position.line == 4
