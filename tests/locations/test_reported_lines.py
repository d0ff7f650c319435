"""A fault at a known line is reported at that line, whatever finds it: parser, verifier, te, schedule, pass or backend.

The line with the fault says so in a comment.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
import tilewright
from onnx import TensorProto, helper
from tilewright import TilewrightError, te
from tilewright.diagnostics.locations import source_position
from tilewright.semantics.intrinsics import find_intrinsic, register_intrinsic
from xdsl.context import Context
from xdsl.dialects import test
from xdsl.dialects.builtin import ModuleOp
from xdsl.rewriter import InsertPoint, Rewriter

N = 64


def matmul() -> tuple[te.Tensor, te.Tensor, te.Tensor, te.Axis]:
    a, b = te.placeholder((N, N), name="A"), te.placeholder((N, N), name="B")
    k = te.reduce_axis((0, N), "k")
    return a, b, te.compute((N, N), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="C"), k


def intrinsic_without_rule() -> None:
    if find_intrinsic("ruleless") is None:
        register_intrinsic("ruleless", arity=1)
    x = te.placeholder((N,), name="X")
    y = te.compute(
        (N,),
        lambda i: (
            te.exp(x[i]) + te.call_intrin("float32", "ruleless", x[i])  # fault
        ),
        name="Y",
    )
    tilewright.build([x, y], [x, y])


def foreign_function_that_is_nowhere() -> None:
    x = te.placeholder((N,), name="X")

    def element(i: te.Axis) -> te.Expr:
        scaled = x[i] * 2.0
        return scaled + te.call_pure_extern("float32", "no_such_function", scaled)  # fault

    y = te.compute((N,), element, name="Y")
    tilewright.build([x, y], [x, y])


def foreign_statement_that_is_nowhere() -> None:
    x = te.placeholder((N,), name="X")

    def statement(ins: list[te.Buffer], outs: list[te.Buffer]) -> te.Call:
        return te.call_extern("int32", "no_such_statement", outs[0].access_ptr("w"), ins[0].access_ptr("r"))  # fault

    y = te.extern((N,), [x], statement, name="Y")
    tilewright.build([x, y], [x, y])


def wrong_operand() -> None:
    x = te.placeholder((N,), name="X")
    te.compute(
        (N,),
        lambda i: te.exp(
            x[i] & x[i]  # fault
        ),
        name="Y",
    )


def split_twice() -> None:
    _, _, c, _ = matmul()
    s = te.create_schedule(c.op)
    s[c].split(c.op.axis[0], factor=8)
    s[c].split(c.op.axis[0], factor=4)  # fault


def reduction_in_parallel() -> None:
    a, b, c, k = matmul()
    d = te.compute((N, N), lambda i, j: c[i, j] + c[j, i], name="D")
    s = te.create_schedule(d.op)
    s[c].reorder(k, *c.op.axis)
    s[c].parallel(k)  # fault
    tilewright.build(s, [a, b, c])


def primitive_that_is_illegal() -> None:
    a, b, c, _ = matmul()
    schedule = tilewright.Schedule(te.create_prim_func([a, b, c]))
    _, _, k = schedule.get_loops(schedule.get_block("C"))
    schedule.parallel(k)  # fault


def unrolled_without_a_trip_count() -> None:
    n = te.var("n")
    x = te.placeholder((n,), name="X")
    y = te.compute((n,), lambda i: x[i] * 2.0, name="Y")
    s = te.create_schedule(y.op)
    s[y].unroll(y.op.axis[0])  # fault
    tilewright.build(s, [x, y])


def loop_bound_to_a_gpu() -> None:
    x = te.placeholder((N,), name="X")
    y = te.compute((N,), lambda i: x[i] * 2.0, name="Y")  # fault
    s = te.create_schedule(y.op)
    s[y].bind(y.op.axis[0], te.thread_axis("threadIdx.x"))
    tilewright.build(s, [x, y])


def pass_that_leaves_what_no_backend_runs() -> None:
    def plant(ctx: Context, module: ModuleOp) -> None:
        store = next(op for op in module.walk() if op.name == "loop.store")
        Rewriter.insert_op(test.TestOp(operands=store.operands[:1]), InsertPoint.before(store))

    x = te.placeholder((N,), name="X")
    y = te.compute((N,), lambda i: x[i] * 2.0, name="Y")
    z = te.compute((N,), lambda i: y[i] + x[N - 1 - i], name="Z")  # fault
    s = te.create_schedule(z.op)
    with tilewright.PassContext(add_lower_pass=[(3, plant)]):
        s[y].compute_inline()
        tilewright.build(s, [x, z])


@pytest.mark.parametrize(
    ("faulty", "code"),
    [
        (wrong_operand, "TW0451"),
        (split_twice, "TW0480"),
        (reduction_in_parallel, "TW0487"),
        (primitive_that_is_illegal, "TW0401"),
        (unrolled_without_a_trip_count, "TW0403"),
        (loop_bound_to_a_gpu, "TW0601"),
        (intrinsic_without_rule, "TW0533"),
        (foreign_function_that_is_nowhere, "TW0432"),
        (foreign_statement_that_is_nowhere, "TW0432"),
        (pass_that_leaves_what_no_backend_runs, "TW0601"),
    ],
)
def test_python(faulty: Callable[[], None], code: str) -> None:
    lines, first = inspect.getsourcelines(faulty)
    with pytest.raises(TilewrightError) as caught:
        faulty()
    assert caught.value.code == code, caught.value
    position = source_position(caught.value.location)
    assert position is not None
    assert (position.file, position.line) == (__file__, first + _marked(lines)), caught.value


STRICT = {"phase 2": [(1, "vectorize{strict=true}")]}
"""Passes that are added for a fault to be one: loops that cannot be vectorized run serially otherwise."""

FILES: dict[str, tuple[str, str]] = {
    "parser": (
        "TW0101",
        """\
        loop.for %i = 0 to 64 {
          %v = loop.load %x[%i] : memref<64xf32>
          loop.store %v, %y[%i : f32, memref<64xf32>  // fault
        }""",
    ),
    "verifier": (
        "TW0103",
        """\
        loop.for %i = 0 to 64 {
          %v = loop.load %x[%i] : memref<64xf32>
          %w = "arith.addf"(%v, %v) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f64  // fault
          loop.store %v, %y[%i] : f32, memref<64xf32>
        }""",
    ),
    "phase 1": (
        "TW0501",
        """\
        %n = loop.dim %z, 0 : memref<?xf32>
        loop.for %i = 0 to %n kind vthread {  // fault
          %v = loop.load %x[%i] where (-%i + 63 >= 0) else %c : memref<64xf32>
          loop.store %v, %y[%i] where (-%i + 63 >= 0) : f32, memref<64xf32>
        }""",
    ),
    "phase 2": (
        "TW0510",
        """\
        loop.for %j = 0 to 8 {
          loop.for %i = 0 to 8 kind vectorized {  // fault
            %v = loop.load %x[%i] : memref<64xf32>
            loop.call_extern "sink"(%v : f32)
          }
        }""",
    ),
    "phase 3": (
        "TW0432",
        """\
        loop.for %i = 0 to 64 kind vectorized {
          %v = loop.load %x[%i] : memref<64xf32>
          %w = loop.call_pure_extern "no_such_function"(%v) : (f32) -> f32  // fault
          loop.store %w, %y[%i] : f32, memref<64xf32>
        }""",
    ),
    "backend": (
        "TW0601",
        """\
        loop.for %i = 0 to 64 {
          %v = loop.load %x[%i] : memref<64xf32>
          %u = loop.load %z[%i] where (-%i + 63 >= 0) else %c : memref<?xf32>
          %d = arith.extf %v : f32 to f80  // fault
          %e = arith.mulf %d, %d : f80
          %f = arith.truncf %e : f80 to f32
          loop.store %f, %y[%i] : f32, memref<64xf32>
        }""",
    ),
}


@pytest.mark.parametrize("found_by", FILES)
def test_file(found_by: str, tmp_path: Path) -> None:
    code, body = FILES[found_by]
    head = "func.func @main(%x: memref<64xf32>, %z: memref<?xf32>, %y: memref<64xf32> {tw.output}) {"
    text = f"{head}\n  %c = arith.constant 0.0 : f32\n{body}\n  func.return\n}}\n"
    path = tmp_path / "faulty.mlir"
    path.write_text(text)
    with tilewright.PassContext(add_lower_pass=STRICT.get(found_by, ())), pytest.raises(TilewrightError) as caught:
        tilewright.compile(path, allow_foreign=True)
    assert caught.value.code == code, caught.value
    position = source_position(caught.value.location)
    assert position is not None
    assert (position.file, position.line) == (str(path), 1 + _marked(text.splitlines())), caught.value
    assert f"{path}:{position.line}:" in str(caught.value).splitlines()[0]


def test_model(tmp_path: Path) -> None:
    """A model has no lines: its nodes have names."""
    nodes = [helper.make_node("Exp", ["x"], ["e"], "first"), helper.make_node("Relu", ["e"], ["y"], "second")]
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [4]) for name in "xy")
    path = tmp_path / "small.onnx"
    onnx.save(helper.make_model(helper.make_graph(nodes, "g", [x], [y])), path)

    def plant(ctx: Context, module: ModuleOp) -> None:
        exp = next(op for op in module.walk() if op.name == "math.exp")
        Rewriter.insert_op(test.TestOp(operands=exp.results), InsertPoint.after(exp))

    with tilewright.PassContext(add_lower_pass=[(1, plant)]), pytest.raises(TilewrightError) as caught:
        tilewright.compile(path)(np.zeros(4, np.float32))
    assert str(caught.value).startswith(f"{path}:first: error[")


def _marked(lines: list[str]) -> int:
    (found,) = (number for number, line in enumerate(lines) if line.rstrip().endswith((" # fault", "// fault")))
    return found
