"""`loop.print`: the same text from the interpreter, machine code, C and the simulator of CUDA."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import tilewright as tvm
from tilewright import script, te, tir
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.remarks import collect_remarks

TARGETS = ["interpreter", "llvm", "c"]
Printed = Callable[[], list[str]]

NUMBERS = """
func.func @main(%A: memref<2x2xf32>, %B: memref<2xf64>, %C: memref<2xi8>, %D: memref<2xui8>, %E: memref<2xi1>) {
  loop.for %i = 0 to 2 {
    loop.for %j = 0 to 2 {
      %a = loop.load %A[%i, %j] : memref<2x2xf32>
      loop.print "A[{}, {}] = {}, 100% \\"told\\"" (%i, %j * 2 + 1) %a : f32
    }
    %b = loop.load %B[%i] : memref<2xf64>
    loop.print "{}" () %b : f64
    %c = loop.load %C[%i] : memref<2xi8>
    loop.print "{}: {}" (%i) %c where (%i >= 1) : i8
    %d = loop.load %D[%i] : memref<2xui8>
    loop.print "{}" () %d : ui8
    %e = loop.load %E[%i] : memref<2xi1>
    loop.print "{}" () %e : i1
    loop.print "i = {}" () %i : index
  }
  return
}
"""
LINES = """
A[0, 1] = 0.100000001, 100% "told"
A[0, 3] = -inf, 100% "told"
0.10000000000000001
200
1
i = 0
A[1, 1] = nan, 100% "told"
A[1, 3] = 1.00000002e+30, 100% "told"
-0
1: -7
255
0
i = 1
""".strip().splitlines()


@pytest.fixture
def printed(capfd: pytest.CaptureFixture[str]) -> Printed:
    """Return a function that returns the lines that programs have printed since its last call."""
    capfd.readouterr()
    return lambda: capfd.readouterr().out.splitlines()


@pytest.mark.parametrize("target", TARGETS)
def test_numbers(target: str, printed: Printed) -> None:
    program = tvm.build(script.from_source(NUMBERS), target=target)
    a = np.array([[0.1, -np.inf], [-np.nan, 1e30]], "float32")
    program(a, np.array([0.1, -0.0]), np.array([3, -7], "int8"), np.array([200, 255], "uint8"), np.array([True, False]))
    assert printed() == LINES


A = te.placeholder((3, 2), name="A")
X = np.arange(6, dtype="float32").reshape(3, 2)


def line_of(function: Callable[..., object]) -> str:
    return f"test_print.py:{function.__code__.co_firstlineno + 1}"


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("scheduled", [True, False])
def test_a_value_in_a_compute(target: str, scheduled: bool, printed: Printed) -> None:
    def body(i: te.Expr, j: te.Expr) -> te.Expr:
        return tir.print(A[i, j] * 2, "twice") + 1

    B = te.compute((3, 2), body, name="B")
    C = te.compute((3, 2), lambda i, j: B[i, j] * 3, name="C")
    given = te.create_schedule(C.op) if scheduled else [A, C]
    program = tvm.build(*((given, [A, C]) if scheduled else (te.to_module([A, C]),)), target=target)
    result = np.zeros((3, 2), "float32")
    program(X, result)
    np.testing.assert_array_equal(result, (X * 2 + 1) * 3)
    assert printed() == [
        f"{line_of(body)}: twice: i = {i}, j = {j}: {2 * X[i, j]:g}" for i in range(3) for j in range(2)
    ]


@pytest.mark.parametrize("target", TARGETS)
def test_what_is_computed_alone_is_printed(target: str, printed: Printed) -> None:
    def body(i: te.Expr, j: te.Expr) -> te.Expr:
        return te.if_then_else(i > j, tir.print(A[i, j].astype("float16") / 4), 0.0)

    B = te.compute((3, 2), body, name="B")
    k = te.reduce_axis((0, 2), "k")
    C = te.compute((3,), lambda i: te.sum(B[i, k], axis=k), name="C")
    program = tvm.build(te.create_schedule(C.op), [A, C], target=target)
    program(X, np.zeros(3, "float16"))
    line = line_of(body)
    assert printed() == [f"{line}: i = 1, j = 0: 0.5", f"{line}: i = 2, j = 0: 1", f"{line}: i = 2, j = 1: 1.25"]


@pytest.mark.parametrize("target", TARGETS)
def test_terms_of_a_sum(target: str, printed: Printed) -> None:
    def body(i: te.Expr) -> te.Expr:
        return te.sum(tir.print(A[i, k]), axis=k)

    k = te.reduce_axis((0, 2), "k")
    B = te.compute((3,), body, name="B")
    tvm.build(te.create_schedule(B.op), [A, B], target=target)(X, np.zeros(3, "float32"))
    assert printed() == [f"{line_of(body)}: i = {i}, k = {n}: {2 * i + n}" for i in range(3) for n in range(2)]


@pytest.mark.parametrize("target", TARGETS)
def test_a_statement_of_a_builder(target: str, printed: Printed) -> None:
    def body(ins: list[tir.Buffer], outs: list[tir.Buffer]) -> object:
        ib = tir.ir_builder.create()
        a, b = ib.buffer_ptr(ins[0]), ib.buffer_ptr(outs[0])
        with ib.for_range(0, 3, "i") as i:
            with ib.if_scope(i < 2):
                ib.emit(tir.print(a[i, 0] + 1, "with {}"))
            b[i] = tir.print(a[i, 1])
        return ib.get()

    B = te.extern((3,), [A], body, name="B", dtype="float32")
    tvm.build(te.create_schedule(B.op), [A, B], target=target)(X, np.zeros(3, "float32"))
    first = body.__code__.co_firstlineno
    emitted, stored = f"test_print.py:{first + 5}", f"test_print.py:{first + 6}"
    assert printed() == [
        f"{emitted}: with {{ }}: i = 0: 1",
        f"{stored}: i = 0: 1",
        f"{emitted}: with {{ }}: i = 1: 3",
        f"{stored}: i = 1: 3",
        f"{stored}: i = 2: 5",
    ]


def many() -> tuple[te.Tensor, te.Tensor]:
    D = te.placeholder((64, 64), name="D")
    return D, te.compute((64, 64), lambda i, j: tir.print(D[i, j], "x") + 1, name="E")


def test_lines_of_parallel_loops_are_whole(printed: Printed) -> None:
    D, E = many()
    s = te.create_schedule(E.op)
    s[E].parallel(s[E].op.axis[0])
    data = np.arange(64 * 64, dtype="float32").reshape(64, 64)
    tvm.build(s, [D, E], target="llvm")(data, np.zeros_like(data))
    lines = [line.partition(": ")[2] for line in printed()]
    assert sorted(lines) == sorted(f"x: i = {i}, j = {j}: {64 * i + j}" for i in range(64) for j in range(64))


def test_a_loop_that_prints_is_not_vectorized(printed: Printed) -> None:
    D, E = many()
    s = te.create_schedule(E.op)
    s[E].vectorize(s[E].op.axis[1])
    with collect_remarks() as remarks:
        program = tvm.build(s, [D, E], target="llvm")
    assert any("it prints a line for each iteration" in remark.message for remark in remarks)
    data = np.arange(64 * 64, dtype="float32").reshape(64, 64)
    program(data, np.zeros_like(data))
    lines = [line.partition(": ")[2] for line in printed()]
    assert lines == [f"x: i = {i}, j = {j}: {64 * i + j}" for i in range(64) for j in range(64)]


def test_kernels_print_in_the_simulator_and_not_on_a_gpu(printed: Printed) -> None:
    B = te.compute((3, 2), lambda i, j: te.if_then_else(i < 2, tir.print(A[i, j] / 3), 0.0), name="B")
    s = te.create_schedule(B.op)
    s[B].bind(s[B].op.axis[0], te.thread_axis("blockIdx.x"))
    s[B].bind(s[B].op.axis[1], te.thread_axis("threadIdx.x"))
    tvm.build(s, [A, B], target="cuda", device="simulator")(X, np.zeros((3, 2), "float32"))
    lines = [line.partition(": ")[2] for line in printed()]
    values = ["0", "0.333333343", "0.666666687", "1"]
    assert sorted(lines) == [f"i = {n // 2}, j = {n % 2}: {value}" for n, value in enumerate(values)]
    with pytest.raises(TilewrightError, match="TW0690.*expected a kernel that prints nothing"):
        tvm.build(s, [A, B], target="cuda").get_source("ptx")
    text = tvm.build(s, [A, B], target="opencl").imported_modules[0].get_source()
    assert 'i = %ld, j = %ld: %.9g\\n", (long)i, (long)j, tw_printed(' in text
    assert "fflush" not in text


def test_a_block_that_prints_is_not_inlined() -> None:
    B = te.compute((3, 2), lambda i, j: tir.print(A[i, j]), name="B")
    C = te.compute((3, 2), lambda i, j: B[i, j] + 1, name="C")
    sch = tir.Schedule(te.create_prim_func([A, C]))
    with pytest.raises(TilewrightError, match="block 'B' prints a line for each instance"):
        sch.compute_inline("B")
    with pytest.raises(TilewrightError, match="block 'B' prints a line for each instance"):
        sch.reverse_compute_inline("C")


def test_the_gradient_of_a_printed_value_is_unchanged() -> None:
    B = te.compute((3, 2), lambda i, j: tir.print(A[i, j]) * A[i, j], name="B")
    (grad,) = te.gradient(B, [A], te.compute((3, 2), lambda i, j: te.const(1.0, "float32"), name="head"))
    result = np.zeros((3, 2), "float32")
    tvm.build(te.create_schedule(grad.op), [A, grad], target="interpreter")(X, result)
    np.testing.assert_array_equal(result, 2 * X)


@pytest.mark.parametrize("target", TARGETS)
def test_a_block_prints_what_it_stores(target: str, printed: Printed) -> None:
    k = te.reduce_axis((0, 2), "k")
    B = te.compute((3, 2), lambda i, j: (A[i, j] * 2).astype("float16"), name="B")
    C = te.compute((3,), lambda i: te.sum(B[i, k], axis=k), name="C")
    sch = tir.Schedule(te.create_prim_func([A, C]))
    outer, _ = sch.get_loops("C")
    sch.reverse_compute_at("C", sch.get_loops("B")[0])
    sch.probe("B")
    sch.probe(sch.get_block("C"))
    del outer
    tvm.build(sch.mod, target=target)(X, np.zeros(3, "float16"))
    first = test_a_block_prints_what_it_stores.__code__.co_firstlineno + 3
    lines: list[str] = []
    for i in range(3):
        lines += [f"test_print.py:{first}: B[{i}, {j}] = {2 * X[i, j]:g}" for j in range(2)]
        lines += [f"test_print.py:{first + 1}: C[{i}] = {total:g}" for total in (2 * X[i, 0], 2 * X[i].sum())]
    assert printed() == lines


def test_probe_replays_and_is_refused_where_nothing_is_stored() -> None:
    B = te.compute((3, 2), lambda i, j: A[i, j] * 2, name="B")
    func = te.create_prim_func([A, B])
    sch = tir.Schedule(func)
    sch.probe("B")
    again = tir.Schedule(func)
    sch.trace.apply_to(again)
    assert str(again.mod) == str(sch.mod)
    assert str(sch.mod).count("loop.print") == 1
    text = str(sch.mod).replace("loop.store", "// loop.store")
    with pytest.raises(TilewrightError, match="TW0406.*probe: block 'B' should store numbers one by one"):
        tir.Schedule(script.from_source(text)).probe("B")


def test_the_pass_probes_every_block(printed: Printed) -> None:
    B = te.compute((2,), lambda i: A[i, 0] * 2, name="B")
    C = te.compute((2,), lambda i: B[i] + 1, name="C")
    module = tvm.transform.Sequential(["probe"])(tvm.IRModule({"main": te.create_prim_func([A, C])}))
    tvm.build(module, target="interpreter")(X, np.zeros(2, "float32"))
    assert [line.partition(": ")[2] for line in printed()] == ["B[0] = 0", "B[1] = 4", "C[0] = 1", "C[1] = 5"]


def test_tvmscript_prints_and_reads_it(printed: Printed) -> None:
    module = script.from_source(NUMBERS)
    text = module.script("tvmscript")
    assert 'T.tw.print("{}: {}", (i,), C[i], where=[i >= 1])' in text
    again = script.from_source(text)
    assert tvm.ir.structural_equal(again, module)


def test_saved_programs_print(tmp_path: Path, printed: Printed) -> None:
    B = te.compute((3, 2), lambda i, j: tir.print(A[i, j], "saved"), name="B")
    program = tvm.build(te.create_schedule(B.op), [A, B], target="llvm")
    program.save(tmp_path / "p.so")
    tvm.load_module(tmp_path / "p.so")(X, np.zeros((3, 2), "float32"))
    lines = [line.partition(": ")[2] for line in printed()]
    assert lines == [f"saved: i = {i}, j = {j}: {X[i, j]:g}" for i in range(3) for j in range(2)]


SCRIPT = """
@T.prim_func
def main(A: T.Buffer((3, 2), "float32"), B: T.Buffer((3,), "float16")):
    for i in range(3):
        with T.block("B"):
            vi = T.axis.spatial(3, i)
            T.print(vi, "row")
            B[vi] = T.cast(A[vi, 1], "float16")
            T.print(B[vi])
"""


@pytest.mark.parametrize("target", TARGETS)
def test_a_script_prints(target: str, printed: Printed) -> None:
    module = script.from_source(SCRIPT, name="t.py")
    tvm.build(module, target=target)(X, np.zeros(3, "float16"))
    lines = [[f"t.py:7: row: vi = {i}: {i}", f"t.py:9: vi = {i}: {2 * i + 1}"] for i in range(3)]
    assert printed() == [line for pair in lines for line in pair]
    with pytest.raises(TilewrightError, match=r"TW0313.*expected a text as label, but got"):
        script.from_source(SCRIPT.replace('"row"', "3"))
