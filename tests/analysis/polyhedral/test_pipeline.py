"""Every pass of the default CPU pipeline leaves a function that has a model, and the model computes what it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te, topi
from tilewright.analysis.polyhedral import Model, model_of
from tilewright.analysis.polyhedral.inside import violations
from tilewright.dialects import context
from tilewright.dialects.target import TARGET_ATTRIBUTE
from tilewright.passes.framework.base import Level
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.passes.pipeline import default_pipeline
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.parser import Parser

from .execute import check_last_writers
from .test_model import run_both

TARGET = "llvm -mcpu=x86-64-v3"
RUN = ("auto-schedule", "vectorize")
"""The passes after which all calls are run; after the others it is the first two, which are small."""


@dataclass(frozen=True)
class Program:
    """A program over sizes, with sizes to run it at, the last ones those of its static form."""

    make: Callable[..., list[Any]]
    shapes: Callable[..., list[tuple[int, ...]]]
    sizes: tuple[tuple[int, ...], ...]


def _dense_relu(n: Any, m: Any, k: Any) -> list[Any]:
    a, b, bias = te.placeholder((n, k), name="A"), te.placeholder((k, m), name="B"), te.placeholder((m,), name="D")
    r = te.reduce_axis((0, k), "r")
    c = te.compute((n, m), lambda i, j: te.sum(a[i, r] * b[r, j], axis=r), name="C")
    d = te.compute((n, m), lambda i, j: c[i, j] + bias[j], name="D")
    return [a, b, bias, topi.nn.relu(d)]


def _convolution(n: Any) -> list[Any]:
    x, w = te.placeholder((n, n), name="X"), te.placeholder((3, 3), name="W")

    def padded(i: Any, j: Any) -> Any:
        return te.if_then_else(te.all(i >= 1, i < n + 1, j >= 1, j < n + 1), x[i - 1, j - 1], 0.0)

    p = te.compute((n + 2, n + 2), padded, name="P")
    u, v = te.reduce_axis((0, 3), "u"), te.reduce_axis((0, 3), "v")
    return [x, w, te.compute((n, n), lambda i, j: te.sum(p[i + u, j + v] * w[u, v], axis=[u, v]), name="C")]


def _softmax(n: Any, m: Any) -> list[Any]:
    x = te.placeholder((n, m), name="X")
    return [x, topi.nn.softmax(x)]


def _stencil(n: Any) -> list[Any]:
    x = te.placeholder((n,), name="X")
    return [x, te.compute((n,), lambda i: te.if_then_else(i % 4 < 2, x[i], x[i] * 2.0) + x[i], name="Y")]


def _transposition(n: Any, m: Any) -> list[Any]:
    x = te.placeholder((n, m), name="X")
    return [x, te.compute((m, n), lambda i, j: x[j, i], name="Y")]


PROGRAMS = {
    "dense relu": Program(
        _dense_relu,
        lambda n, m, k: [(n, k), (k, m), (m,), (n, m)],
        ((0, 1, 1), (2, 1, 0), (1, 1, 1), (4, 33, 2), (5, 7, 3)),
    ),
    "convolution": Program(_convolution, lambda n: [(n, n), (3, 3), (n, n)], ((0,), (1,), (8,), (5,))),
    "softmax": Program(_softmax, lambda n, m: [(n, m), (n, m)], ((0, 1), (1, 1), (1, 33), (2, 9))),
    "stencil": Program(_stencil, lambda n: [(n,), (n,)], ((0,), (1,), (40,), (19,))),
    "transposition": Program(_transposition, lambda n, m: [(n, m), (m, n)], ((0, 1), (1, 1), (17, 9))),
}

RECURRENCE = """
func.func @main(%A: memref<?xf32>, %B: memref<?xf32> {tw.output}) {
  %n = loop.dim %A, 0 : memref<?xf32>
  loop.bind %B shape [%n] strides [1] : memref<?xf32>
  %zero = arith.constant 0.0 : f32
  loop.for %i = 0 to %n {
    loop.block "B" (%v = spatial(%i) in %n) {
      %p = loop.load %B[%v - 1] where (%v >= 1) else %zero : memref<?xf32>
      %a = loop.load %A[%v] : memref<?xf32>
      %q = arith.mulf %p, %a : f32
      %r = arith.addf %q, %a : f32
      loop.store %r, %B[%v] : memref<?xf32>
    }
  }
  func.return
}"""


def module_of(text: str) -> ModuleOp:
    module = Parser(context(), text).parse_module()
    module.attributes[TARGET_ATTRIBUTE] = tvm.Target(TARGET).attribute()
    return module


def lowered(module: ModuleOp) -> Iterator[tuple[str, FuncOp]]:
    """Yield the function of a module at block level, and after each pass that changes it."""
    before = ""
    passes = default_pipeline(Level.BLOCK)
    for pass_ in [None, *parse_pipeline("auto-schedule"), *(p for p in passes if p.name != "auto-schedule")]:
        if pass_ is not None:
            PassManager([pass_]).run(context(), module)
        (function,) = module.body.block.ops
        assert isinstance(function, FuncOp)
        if str(module) != before:
            yield "none" if pass_ is None else pass_.name, function
        before = str(module)


def check(module: ModuleOp, calls: list[list[tuple[int, ...]]]) -> list[str]:
    """Compare the function with its model after each pass, and return the names of these passes."""
    seen: list[str] = []
    for name, function in lowered(module):
        model = model_of(function)
        assert isinstance(model, Model), (name, model)
        assert violations(model) == [], name
        for shapes in calls if name in RUN else calls[:2]:
            rng = np.random.default_rng(len(seen))
            done = run_both(module, model, [rng.standard_normal(s).astype(np.float32) for s in shapes])
            assert done.undefined == [], name
        if name in RUN:
            check_last_writers(done)
        seen.append(name)
    return seen


@pytest.mark.sampled(2)
@pytest.mark.parametrize("is_symbolic", [False, True], ids=["static", "symbolic"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_models_after_each_pass(name: str, is_symbolic: bool) -> None:
    program = PROGRAMS[name]
    static = program.sizes[-1]
    sizes = [te.var(f"n{k}") for k in range(len(static))] if is_symbolic else static
    module = module_of(str(tvm.IRModule({"main": te.create_prim_func(program.make(*sizes))})))
    seen = check(module, [program.shapes(*s) for s in (program.sizes if is_symbolic else [static])])
    assert {"auto-schedule", "lower-blocks", "vectorize"} <= {*seen}


def test_models_of_a_recurrence_after_each_pass() -> None:
    seen = check(module_of(RECURRENCE), [[(n,), (n,)] for n in (0, 1, 5)])
    assert {"lower-blocks", "partition-loops", "contract-fma"} <= {*seen}
