"""Describe, schedule, compile, save, load: the shortest road through the compiler.

python examples/vector_sum.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import tilewright as tvm
from tilewright import te


def main() -> None:
    # Describe: C[i] = A[i] + B[i], for a length that each call chooses.
    n = te.var("n")
    a, b = te.placeholder((n,), name="A"), te.placeholder((n,), name="B")
    c = te.compute((n,), lambda i: a[i] + b[i], name="C")

    # Schedule: pieces of 64 elements, shared out among the cores; a piece is a few vectors.
    s = te.create_schedule(c.op)
    outer, inner = s[c].split(c.op.axis[0], factor=64)
    s[c].parallel(outer)
    s[c].vectorize(inner)
    print(tvm.lower(s, [a, b, c], simple_mode=True))

    # Compile, and call with numpy arrays; the output comes last and is written in place.
    add = tvm.build(s, [a, b, c], target="llvm", name="add")
    for length in (1, 64, 1000):
        check(add, length)

    # Save as a library, and load it again: that needs no compiler.
    with tempfile.TemporaryDirectory() as folder:
        library = str(Path(folder) / "add.so")
        add.save(library)
        check(tvm.runtime.load_module(library), 4321)

    x, y, out = arrays(1 << 20)
    seconds = add.time_evaluator(number=10, repeat=3)(x, y, out).mean
    print(f"2^20 elements: {seconds * 1e3:.2f} ms")


def arrays(length: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(length)
    x, y = (rng.standard_normal(length, dtype=np.float32) for _ in range(2))
    return x, y, np.empty_like(x)


def check(program: tvm.runtime.Module, length: int) -> None:
    x, y, out = arrays(length)
    program(x, y, out)
    np.testing.assert_array_equal(out, x + y)
    print(f"{length} elements: as numpy")


if __name__ == "__main__":
    main()
