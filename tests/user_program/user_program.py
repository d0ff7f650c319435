"""A program of a user's that touches every public module. It runs, and checkers of types find nothing in it."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import tilewright
from tilewright import (
    analysis,
    driver,
    instrument,
    ir,
    nd,
    operators,
    passes,
    runtime,
    script,
    target,
    te,
    testing,
    tir,
    topi,
    transform,
    tune,
)
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context, loop
from tilewright.frontends.onnx import import_model
from tilewright.passes import Level, may_rewrite
from tilewright.schedule import BlockRV, LoopRV, Trace
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Dialect

DOUBLE = """
from tilewright.script import tir as T

@T.prim_func
def double(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    for i in T.serial(8):
        with T.block("B"):
            v = T.axis.spatial(8, i)
            B[v] = A[v] * T.float32(2)
"""


def product() -> tuple[te.Tensor, te.Tensor, te.Tensor]:
    a = te.placeholder((16, 8), name="A")
    b = te.placeholder((8, 16), name="B")
    k = te.reduce_axis((0, 8), "k")
    c: te.Tensor = te.compute((16, 16), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="C")
    return a, b, c


def several() -> tuple[te.Tensor, ...]:
    x = te.placeholder((4,), name="x")
    return te.compute((4,), lambda i: (te.exp(x[i]), tir.abs(x[i])), name="both")


@tilewright.register_pass(phase=1, levels=[Level.LOOP])
def unroll_short(module: ModuleOp, *, most: int = 4) -> None:
    """Unroll loops of few iterations that do not depend on one another."""
    for op in module.walk():
        if not isinstance(op, loop.ForOp) or (op.constant_trip_count or most + 1) > most:
            continue
        if analysis.carried(op) is None and may_rewrite("unroll", op):
            op.properties["kind"] = loop.UNROLLED


@tilewright.register_schedule_rule("cpu")
def leave_it(schedule: tilewright.Schedule, block: BlockRV, plan: object) -> bool | None:
    """Schedule nothing."""
    loops: tuple[LoopRV, ...] = schedule.get_loops(block)
    return True if len(loops) > 9 else None


@tilewright.register_lowering("user_twice", target="cpu", level=20)
def lower_twice(op: te.Expr) -> te.Expr:
    return op.operands[0] + op.operands[0]


def load_names(names: list[str]) -> ModuleOp:
    """Load a model that is a list of operators."""
    lines = [f"%{k + 1} = graph.{name} %{k} : tensor<4xf32>" for k, name in enumerate(names)]
    head = "func.func @main(%0: tensor<4xf32>) -> tensor<4xf32> {"
    return parse(context(), "\n".join([head, *lines, f"func.return %{len(names)} : tensor<4xf32>", "}"]), "names")


def main() -> None:
    a, b, c = product()
    function = te.create_prim_func([a, b, c])
    module: tilewright.IRModule = tilewright.IRModule({"main": function})
    schedule = tir.Schedule(module)
    block = schedule.get_block("C")
    i, j, _ = schedule.get_loops(block)
    outer, _ = schedule.split(i, factors=[None, 4])
    schedule.parallel(outer)
    trace: Trace = schedule.trace
    assert "split" in trace.as_python()

    left = np.arange(128, dtype=np.float32).reshape(16, 8)
    right = np.ones((8, 16), np.float32)
    timing = instrument.PassTimingInstrument()
    with transform.PassContext(opt_level=3, instruments=[timing], add_lower_pass=[(1, unroll_short)]):
        program: runtime.Module = tilewright.build(schedule.mod, target=target.Target("cpu"))
    result = nd.empty((16, 16), "float32", tilewright.cpu())
    program(left, right, result)
    testing.assert_allclose(result.numpy(), left @ right)
    assert timing.render()

    relu: te.Tensor = topi.nn.relu(topi.add(c, 1.0))
    lowered: tilewright.IRModule = tilewright.lower([a, b, relu])
    assert isinstance(lowered, ir.IRModule) and lowered.script()
    assert len(several()) == 2
    assert "relu" in operators.describe("relu")

    tilewright.register_intrinsic("user_twice", reference=lambda x: x + x)
    tilewright.register_frontend(lambda model: isinstance(model, list) and isinstance(model[0], str), load_names)
    tilewright.register_dialect(Dialect("user_own", []), level=Level.LOOP)
    chain: runtime.Module = tilewright.compile(["neg", "relu"])
    assert np.array_equal(np.asarray(chain(np.array([-1, 2, -3, 4], np.float32))), [1, 0, 3, 0])
    twice = te.compute((4,), lambda n: tir.call_intrin("float32", "tir.user_twice", a[n, 0]), name="twice")
    assert isinstance(twice, te.Tensor)

    (task,) = tune.extract_tasks([a, b, relu])
    assert isinstance(task, tune.Task) and task.occurrences == 1

    read = driver.build(script.from_source(DOUBLE))
    doubled = np.empty(8, np.float32)
    read(np.ones(8, np.float32), doubled)
    assert doubled.tolist() == [2] * 8 and "fuse" in passes.pass_names()

    for path in map(Path, sys.argv[1:]):
        imported: ModuleOp = import_model(path)
        assert isinstance(imported, ModuleOp)
    try:
        schedule.split(j, factors=[None, 0])
    except tilewright.TilewrightError as error:
        assert error.code.startswith("TW")
    print("done")


if __name__ == "__main__":
    main()
