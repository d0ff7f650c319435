"""Six programs, each of constant and of symbolic sizes: what the prover's shares are counted on."""

from __future__ import annotations

from collections.abc import Callable

import tilewright
from tilewright import te
from xdsl.dialects.builtin import ModuleOp

from ..programs import parse

Size = "int | te.Var"


def _module(*args: te.Tensor) -> ModuleOp:
    module = tilewright.IRModule({"main": te.create_prim_func(list(args))}).op
    assert isinstance(module, ModuleOp)
    return module


def matmul(n: Size, m: Size, k: Size) -> ModuleOp:
    """Return max(A B + bias, 0)."""
    a, b, bias = (te.placeholder(shape, name=name) for name, shape in (("A", (n, k)), ("B", (k, m)), ("bias", (m,))))
    r = te.reduce_axis((0, k), "k")
    c = te.compute((n, m), lambda i, j: te.sum(a[i, r] * b[r, j], axis=r), name="C")
    d = te.compute((n, m), lambda i, j: te.max(c[i, j] + bias[j], 0.0), name="D")
    return _module(a, b, bias, d)


def convolution(n: Size) -> ModuleOp:
    """Return a convolution by 3 x 3 windows of a padded image of 4 channels, 8 filters."""
    x, f = te.placeholder((4, n, n), name="X"), te.placeholder((8, 4, 3, 3), name="F")

    def padded(c: te.Var, i: te.Var, j: te.Var) -> te.Expr:
        inside = te.all(i >= 1, i < n + 1, j >= 1, j < n + 1)
        return te.if_then_else(inside, x[c, i - 1, j - 1], 0.0)

    p = te.compute((4, n + 2, n + 2), padded, name="P")
    c, y, z = (te.reduce_axis((0, extent), name) for extent, name in ((4, "c"), (3, "y"), (3, "z")))
    out = te.compute((8, n, n), lambda o, i, j: te.sum(p[c, i + y, j + z] * f[o, c, y, z], axis=[c, y, z]), name="C")
    return _module(x, f, out)


def softmax(n: Size, m: Size) -> ModuleOp:
    """Return the chain of rows: greatest, exponentials, sum, quotients."""
    a = te.placeholder((n, m), name="A")
    k, l = te.reduce_axis((0, m), "k"), te.reduce_axis((0, m), "l")  # noqa: E741
    greatest = te.compute((n,), lambda i: te.max(a[i, k], axis=k), name="G")
    exponentials = te.compute((n, m), lambda i, j: te.exp(a[i, j] - greatest[i]), name="E")
    total = te.compute((n,), lambda i: te.sum(exponentials[i, l], axis=l), name="S")
    return _module(a, te.compute((n, m), lambda i, j: exponentials[i, j] / total[i], name="Q"))


def stencil(n: Size, m: Size) -> ModuleOp:
    """Return neighbours in a row, every other row shifted, over the result of another stage."""
    a = te.placeholder((n, m), name="A")
    b = te.compute((n, m + 2), lambda i, j: te.if_then_else(te.all(j >= 1, j < m + 1), a[i, j - 1], 0.0), name="B")
    return _module(a, te.compute((n, m), lambda i, j: b[i, j + i % 2] + b[i, j + 1] * 2.0 - b[i, j + 2], name="C"))


def transposition(n: Size, m: Size) -> ModuleOp:
    """Return the transposed matrix of the double."""
    a = te.placeholder((n, m), name="A")
    b = te.compute((n, m), lambda i, j: a[i, j] * 2.0, name="B")
    return _module(a, te.compute((m, n), lambda j, i: b[i, j], name="T"))


def recurrence(n: int | None) -> ModuleOp:
    """Return x[i + 1] = a[i] x[i] + b[i], and its copy."""
    size, extent = (str(n), str(n)) if n is not None else ("?", "%n")
    v = f"memref<{size}xf32>"
    alloc = "memref<?xf32>" if n is None else f"memref<{n + 1}xf32>"
    first = "" if n is not None else f"  %n = loop.dim %A, 0 : {v}\n"
    for name in "ABC" if n is None else "":
        first += f"  loop.bind %{name} shape [%n] strides [1] : {v}\n"
    return parse(f"""func.func @main(%A: {v}, %B: {v}, %C: {v} {{tw.output}}) {{
{first}  %one = arith.constant 1.0 : f32
  %X = loop.alloc {"(%n + 1) " if n is None else ""}: {alloc}
  loop.for %z = 0 to 1 {{ loop.block "Z" (%vz = spatial(%z) in 1) {{ loop.store %one, %X[%vz] : {alloc} }} }}
  loop.for %i = 0 to {extent} {{
    loop.block "X" (%vi = spatial(%i) in {extent}) {{
      %a = loop.load %A[%vi] : {v}
      %b = loop.load %B[%vi] : {v}
      %x = loop.load %X[%vi] : {alloc}
      %p = arith.mulf %a, %x : f32
      %s = arith.addf %p, %b : f32
      loop.store %s, %X[%vi + 1] : {alloc}
    }}
  }}
  loop.for %j = 0 to {extent} {{
    loop.block "C" (%vj = spatial(%j) in {extent}) {{
      %x = loop.load %X[%vj + 1] : {alloc}
      loop.store %x, %C[%vj] : {v}
    }}
  }}
  func.return
}}""")


PROGRAMS: dict[str, Callable[[], ModuleOp]] = {
    "matmul": lambda: matmul(64, 64, 64),
    "matmul, symbolic": lambda: matmul(te.var("n"), te.var("m"), te.var("k")),
    "convolution": lambda: convolution(16),
    "convolution, symbolic": lambda: convolution(te.var("n")),
    "softmax": lambda: softmax(64, 64),
    "softmax, symbolic": lambda: softmax(te.var("n"), te.var("m")),
    "stencil": lambda: stencil(32, 40),
    "stencil, symbolic": lambda: stencil(te.var("n"), te.var("m")),
    "transposition": lambda: transposition(64, 48),
    "transposition, symbolic": lambda: transposition(te.var("n"), te.var("m")),
    "recurrence": lambda: recurrence(40),
    "recurrence, symbolic": lambda: recurrence(None),
}
"""The programs by name, as modules of one function of blocks."""
