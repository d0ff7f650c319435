"""Writes what the tools make of one module of each level, as JSON: what has to be the same whatever Python's hash seed.

Run as a program; `test_hash_seeds.py` compares runs.
"""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

TARGET = '#target.cpu<features ["avx2", "fma"], vector_bits 256, caches [32768, 524288, 0], threads 2>'

CNN = """
func.func @main(%x: tensor<1x3x8x8xf32>) -> tensor<1x8xf32> {
  %w = graph.constant dense<0.5> : tensor<8x3x3x3xf32>
  %b = graph.constant dense<0.25> : tensor<8x1x1xf32>
  %d = graph.constant dense<0.125> : tensor<128x8xf32>
  %c = graph.conv2d %x, %w padding [1, 1, 1, 1] : tensor<1x8x8x8xf32>
  %s = graph.add %c, %b : tensor<1x8x8x8xf32>
  %r = graph.relu %s : tensor<1x8x8x8xf32>
  %p = graph.max_pool2d %r kernel [2, 2] strides [2, 2] : tensor<1x8x4x4xf32>
  %f = graph.flatten %p : tensor<1x128xf32>
  %m = graph.matmul %f, %d : tensor<1x8xf32>
  func.return %m : tensor<1x8xf32>
}
"""
TE = """
func.func @main(%A: tensor<?x?xf32, #graph.dims<n, k>>, %B: tensor<?x12xf32, #graph.dims<k, _>>) -> tensor<?x12xf32> {
  %n = te.dim %A, 0 : tensor<?x?xf32, #graph.dims<n, k>>
  %k = te.dim %A, 1 : tensor<?x?xf32, #graph.dims<n, k>>
  %C = te.compute "C" [%i to %n, %j to 12] reduce [%l to %k] -> tensor<?x12xf32> {
    %a = te.read %A[%i, %l] : tensor<?x?xf32, #graph.dims<n, k>>
    %b = te.read %B[%l, %j] : tensor<?x12xf32, #graph.dims<k, _>>
    %p = arith.mulf %a, %b : f32
    te.reduce <add> %p : f32
  }
  func.return %C : tensor<?x12xf32>
}
"""
LOOPS = """
func.func @main(%A: memref<30x50xf32>, %B: memref<50x40xf32>, %C: memref<30x40xf32> {tw.output}) {
  %zero = arith.constant 0.0 : f32
  %acc = loop.alloc : memref<30x40xf32>
  loop.for %i = 0 to 30 kind parallel {
    loop.for %j = 0 to 40 { loop.store %zero, %acc[%i, %j] : memref<30x40xf32> }
    loop.for %k = 0 to 50 {
      loop.for %jo = 0 to 5 { loop.for %ji = 0 to 8 kind vectorized {
        %a = loop.load %A[%i, %k] : memref<30x50xf32>
        %b = loop.load %B[%k, %jo * 8 + %ji] : memref<50x40xf32>
        %c = loop.load %acc[%i, %jo * 8 + %ji] : memref<30x40xf32>
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %c, %p : f32
        loop.store %s, %acc[%i, %jo * 8 + %ji] : memref<30x40xf32>
      } }
    }
    loop.for %v = 0 to 2 kind vthread { loop.for %j = 0 to 20 {
      %c = loop.load %acc[%i, %v * 20 + %j] : memref<30x40xf32>
      loop.store %c, %C[%i, %v * 20 + %j] : memref<30x40xf32>
    } }
  }
  func.return
}
"""
GRID = """
func.func @main(%A: memref<1024xf32>, %B: memref<1024xf32> {tw.output}) {
  loop.for %b = 0 to 16 kind thread<"blockIdx.x"> {
    loop.for %t = 0 to 64 kind thread<"threadIdx.x"> {
      %a = loop.load %A[%b * 64 + %t] : memref<1024xf32>
      %e = math.exp %a : f32
      loop.store %e, %B[%b * 64 + %t] : memref<1024xf32>
    }
  }
  func.return
}
"""

MODULES = {"cnn": (CNN, ("llvm", "c", "schedule")), "te": (TE, ()), "loops": (LOOPS, ("llvm", "c"))}
"""Modules with what is emitted of them besides the IR."""


def stages() -> str:
    """Return a program scheduled in stages, with caches and a factored reduction, and its trace."""
    import tilewright
    from tilewright import te

    A = te.placeholder((64, 64), name="A")
    k = te.reduce_axis((0, 64), name="k")
    B = te.compute((64,), lambda i: te.sum(te.exp(A[i, k]), axis=k), name="B")
    C = te.compute((64,), lambda i: B[i] * 2, name="C")
    s = te.create_schedule(C.op)
    outer, _ = s[B].split(B.op.reduce_axis[0], factor=8)
    s.cache_read(A, "local", [B])
    s.rfactor(B, outer)
    _, inner = s[C].split(C.op.axis[0], factor=8)
    s[C].vectorize(inner)
    return str(tilewright.lower(s, [A, C]))


def run(path: Path, text: str, *args: str) -> tuple[str, str]:
    """Return opt-tool's standard output and standard error for a module that is verified at the end."""
    from tilewright.passes.framework.context import PassContext
    from tilewright.tools.opt import main

    path.write_text(text)
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err), PassContext(config={"verify_each": False}):
        status = main([*args, str(path)])
    assert status == 0, err.getvalue()
    return out.getvalue(), err.getvalue().replace(str(path.parent), "")


def main() -> None:
    outputs: dict[str, str] = {"stages": stages()}
    with TemporaryDirectory() as folder:
        path = Path(folder, "module.mlir")
        for name, (functions, kinds) in MODULES.items():
            text = f"builtin.module attributes {{tw.target = {TARGET}}} {{{functions}}}\n"
            lowered, said = run(path, text, "--phase", "3", "--remarks", "--print-pipeline")
            outputs |= {name: lowered, f"{name}: remarks": said}
            for kind in kinds:  # code of the lowered module, schedules of the given one
                outputs[f"{name}: {kind}"], _ = run(path, text if kind == "schedule" else lowered, "--emit", kind)
        outputs["grid: opencl"], _ = run(path, GRID, "--phase", "3", "--emit", "opencl")
    json.dump(outputs, sys.stdout)


if __name__ == "__main__":
    main()
