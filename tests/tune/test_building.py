"""Programs and workloads of functions, and compiling candidates in other processes."""

from __future__ import annotations

import ctypes
import os
import pickle
import time

import numpy as np
import pytest
from tilewright import TilewrightError, te
from tilewright.backends.cpu.host import host_target
from tilewright.dialects import context
from tilewright.dialects.target import TARGET_ATTRIBUTE
from tilewright.driver.programs import as_module
from tilewright.driver.targets import Target
from tilewright.tune.measure.building import attempted, program_of, workload_of
from tilewright.tune.measure.compiling import CompilePool
from tilewright.tune.measure.protocol import CompiledProgram, Failure, Measured
from tilewright.tune.space import Built, RuleSpace
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from .product_candidates import COLUMNS, ROWS, TERMS, plain_loops, product_loops, tiled

GRAPH = """
func.func @main(%x: tensor<?x16xf32, #graph.dims<n, _>>, %i: tensor<8xi64>, %m: tensor<5x3xi32>)
    -> (tensor<8x16xf32>, tensor<?x16xf32, #graph.dims<n, _>>) {
  %w = graph.constant dense<2.0> : tensor<24x16xf32>
  %g = graph.gather %w, %i axis 0 : tensor<8x16xf32>
  %s = graph.softmax %x axis 1 : tensor<?x16xf32, #graph.dims<n, _>>
  func.return %g, %s : tensor<8x16xf32>, tensor<?x16xf32, #graph.dims<n, _>>
}
"""


def test_a_program_computes_and_has_the_name_of_its_code() -> None:
    first, same, other = (program_of(built) for built in (tiled(4, 16), tiled(4, 16), tiled(2, 16)))
    assert first.name == same.name != other.name
    a = np.random.default_rng(0).random((ROWS, TERMS), np.float32)
    b = np.random.default_rng(1).random((TERMS, COLUMNS), np.float32)
    for program in (first, other):
        np.testing.assert_allclose(pickle.loads(program.code)(a, b), a @ b, rtol=1e-5)


def test_schedules_of_equal_code_have_one_name() -> None:
    """The order of two outer loops is none where one of them has one iteration."""
    rows, columns = tiled(ROWS, 16), tiled(ROWS, 16, "columns")
    assert rows.trace.as_json() != columns.trace.as_json()
    assert program_of(rows).name == program_of(columns).name


def test_the_reference_is_no_default_schedule() -> None:
    workload = workload_of(product_loops(), host_target())
    assert [(a.shape, a.dtype, a.is_output) for a in workload.arguments] == [
        ((ROWS, TERMS), "float32", False),
        ((TERMS, COLUMNS), "float32", False),
        ((ROWS, COLUMNS), "float32", True),
    ]
    a, b = (np.random.default_rng(k).random(x.shape, np.float32) for k, x in enumerate(workload.arguments[:2]))
    expected = np.zeros((ROWS, COLUMNS), np.float32)
    for k in range(TERMS):  # term by term, each rounded or fused
        expected += a[:, k, None] * b[k]
    np.testing.assert_allclose(pickle.loads(workload.reference.code)(a, b), expected, rtol=1e-6)
    assert workload.reference.name != program_of(RuleSpace(product_loops(), host_target()).build({})).name


def test_indices_sizes_and_constants_of_kernels() -> None:
    functions = plain_loops(Parser(context(), GRAPH).parse_module())
    gather = workload_of(functions["gather"], host_target(), constants=(0,))
    assert [(a.shape, a.low, a.high, a.is_constant) for a in gather.arguments if a.dtype == "int64"] == [
        ((8,), 0, 24, False)
    ]
    assert [a.is_constant for a in gather.arguments] == [True, False, False]
    drawn = workload_of(functions["softmax"], host_target(), seed=3)
    ((name, size),) = drawn.sizes
    assert name == "n" and 97 <= size < 192
    assert drawn.sizes == workload_of(functions["softmax"], host_target(), seed=3).sizes
    assert drawn.sizes != workload_of(functions["softmax"], host_target(), seed=4).sizes
    given = workload_of(functions["softmax"], host_target(), sizes={"n": 7})
    assert [a.shape for a in given.arguments] == [(7, 16), (7, 16)] and given.sizes == (("n", 7),)


def test_several_results_and_integers() -> None:
    a, b = te.placeholder((6,), "int32", "A"), te.placeholder((6,), "uint8", "B")
    twice = te.compute((6,), lambda i: a[i] * 2, name="twice")
    more = te.compute((6,), lambda i: b[i] + te.const(1, "uint8"), name="more")
    function = plain_loops(as_module([a, b, twice, more], None, "main"))["main"]
    workload = workload_of(function, host_target())
    assert [(a.dtype, a.low, a.high, a.is_output) for a in workload.arguments][:2] == [
        ("int32", -8, 8, False),
        ("uint8", 0, 8, False),
    ]
    assert [(a.dtype, a.is_output) for a in workload.arguments][2:] == [("int32", True), ("uint8", True)]


def test_functions_that_no_runner_can_call() -> None:
    with pytest.raises(TilewrightError, match=r"an open size of the function \(none\), but got 'n'") as refusal:
        workload_of(product_loops(), host_target(), sizes={"n": 3})
    assert refusal.value.code == "TW0811"
    text = """func.func @f(%x: memref<4xf32>) {
      loop.for %i = 0 to 4 {
        loop.block "x" (%v = spatial(%i) in 4) {
          %c = arith.constant 1.0 : f32
          loop.store %c, %x[%v] : memref<4xf32>
        }
      }
      func.return
    }"""
    function = next(iter(Parser(context(), text).parse_module().ops))
    with pytest.raises(TilewrightError, match="@main has an input that it writes") as refusal:
        workload_of(function, host_target())
    assert refusal.value.code == "TW0811"
    alone = tiled(1, 8).function
    alone.detach()
    with pytest.raises(TilewrightError, match="TW0811.*in a module with a target"):
        program_of(Built(alone, tiled(1, 8).trace, ()))


def test_plans_for_cuda_take_a_card(monkeypatch: pytest.MonkeyPatch) -> None:
    from tilewright.runtime.kernels import driver

    monkeypatch.setattr(driver, "cuda_driver", lambda: driver.no_cuda("its driver finds no device"))
    target = Target("cuda").attribute()
    with pytest.raises(TilewrightError, match="expected a GPU with CUDA") as refusal:
        workload_of(product_loops(), target)
    assert refusal.value.code == "TW0634"
    built = RuleSpace(product_loops(), target).build({})
    with pytest.raises(TilewrightError, match="TW0634"):
        program_of(built)
    failed = attempted(built)
    assert isinstance(failed, Measured) and failed.failure is Failure.REFUSED and "TW0634" in failed.detail


def test_a_refused_candidate_is_an_outcome() -> None:
    built = tiled(1, 8)
    built.function.parent_op().attributes.pop(TARGET_ATTRIBUTE)  # pyright: ignore
    failed = attempted(built)
    assert isinstance(failed, Measured)
    assert failed.failure is Failure.REFUSED and failed.detail.startswith("TW0811: ")


def _made(number: object) -> CompiledProgram | Measured:
    match number:
        case "crash":
            ctypes.string_at(0)  # a fault: a handler of wasmtime, if one stands, swallows a signal that is only sent
        case "leave":
            os._exit(3)
        case "raise":
            raise AssertionError("a fault of the compiler")
        case "spin":
            while True:
                pass
        case int():
            time.sleep(0.02 * (5 - number))  # the later, the faster
    return CompiledProgram(f"{number}", b"")


def test_outcomes_keep_their_order_and_faults_are_outcomes() -> None:
    with CompilePool(3, 1, make=_made) as pool:  # pyright: ignore
        given = [0, 1, "crash", 2, "leave", 3, "spin", "raise", 4]
        found = list(pool.compiled(given))  # pyright: ignore
    names = [each.name if isinstance(each, CompiledProgram) else (each.failure, each.detail) for each in found]
    assert names == [
        "0",
        "1",
        (Failure.COMPILE, "in the compiler: SIGSEGV"),
        "2",
        (Failure.COMPILE, "in the compiler: the process ends with status 3"),
        "3",
        (Failure.COMPILE_TIME, "compiling takes more than 1 s of processor time"),
        (Failure.COMPILE, "in the compiler: the process ends with status 1"),
        "4",
    ]


def test_compilations_end_with_the_pool() -> None:
    """Also those that are paused."""
    pool = CompilePool(2, make=_made)  # pyright: ignore
    outcomes = pool.compiled([0, "spin", "spin"])  # pyright: ignore
    assert isinstance(next(outcomes), CompiledProgram)
    processes = [job.process.pid for job in pool._jobs]
    pool.pause()
    pool.close()
    assert processes
    for process in processes:
        assert process is not None
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


def test_a_fault_of_the_compiler_is_an_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    from tilewright.tune.measure import building

    def broken(module: ModuleOp) -> None:
        raise AssertionError("registers\nand more")

    monkeypatch.setattr(building, "lower_module", broken)
    failed = attempted(tiled(1, 8))
    assert isinstance(failed, Measured)
    assert (failed.failure, failed.detail) == (Failure.COMPILE, "AssertionError: registers")
