"""`build`: calls of compiled modules, targets, several functions in one module."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te
from tilewright.driver.targets import Target

RANDOM = np.random.default_rng(0)


def refused(code: str, message: str):
    return pytest.raises(tvm.TilewrightError, match=rf"(?s){code}.*{message}")


def elementwise(combine, name="C"):
    m, n = te.var("m"), te.var("n")
    A, B = te.placeholder((m, n), name="A"), te.placeholder((m, n), name="B")
    return [A, B, te.compute((m, n), lambda i, j: combine(A[i, j], B[i, j]), name=name)]


@pytest.fixture(scope="module")
def multiply():
    args = elementwise(lambda x, y: x * y)
    return tvm.build(te.create_schedule(args[2].op), args, target=Target(target="llvm", host="llvm"), name="multiply")


def arrays(*shape):
    return RANDOM.random((2, *shape), dtype=np.float32)


def test_one_function_serves_every_size(multiply):
    for shape in ((1, 1), (5, 7), (64, 3), (0, 4), (33, 129)):
        a, b = arrays(*shape)
        c = np.full(shape, np.nan, np.float32)
        assert multiply(a, b, c) is None
        np.testing.assert_array_equal(c, a * b)
        np.testing.assert_array_equal(multiply(a, b), a * b)
        np.testing.assert_array_equal(multiply(B=b, A=a), a * b)


def test_arguments_that_do_not_fit_are_named(multiply):
    a, b = arrays(5, 7)
    with refused("TW0704", "size m of argument 'B' to be 5 as in argument 'A', but got 4"):
        multiply(a, b[:4], np.zeros_like(a))
    with refused("TW0704", "size n of argument 'C' to be 7 as in argument 'A', but got 6"):
        multiply(a, b, np.zeros((5, 6), np.float32))
    with refused("TW0703", "'B' to have dtype float32, but got float64"):
        multiply(a, b.astype(float), np.zeros_like(a))
    with refused("TW0701", "2 inputs .*but got 4.*help: outputs .*'C'.* come after all inputs"):
        multiply(a, b, a, b)
    frozen = np.zeros_like(a)
    frozen.flags.writeable = False
    with refused("TW0707", "'C' .*writable False"):
        multiply(a, b, frozen)
    with refused("TW0707", "'C' .*strides"):
        multiply(a, b, np.zeros((5, 14), np.float32)[:, ::2])


def test_outputs_that_share_memory_with_inputs(multiply):
    a, b = arrays(5, 7)
    expected = a * b
    multiply(a, b, a)
    np.testing.assert_array_equal(a, expected)


def test_arguments_in_the_order_of_args():
    A, B, C = elementwise(lambda x, y: x - y)
    m, n = A.shape
    difference = tvm.build([C, n, A, m, B])
    a, b = arrays(5, 7)
    c = np.zeros_like(a)
    assert difference(c, 7, a, 5, b) is None
    np.testing.assert_array_equal(c, a - b)
    np.testing.assert_array_equal(difference(7, a, 5, b), a - b)
    with refused("TW0704", "m to be 5 as in argument 'A', but got 6"):
        difference(7, a, 6, b)
    with refused("TW0701", r"5 arguments \('C', 'n', 'A', 'm', 'B'\), but got 3"):
        difference(a, b, c)


@pytest.mark.parametrize("scheduled", [False, True])
def test_a_function_of_tensors_is_called_in_the_order_of_its_tensors(scheduled):
    A, B, C = elementwise(lambda x, y: x - y)
    m, n = A.shape
    function = te.create_prim_func([C, B, n, A])
    if scheduled:
        schedule = tvm.tir.Schedule(tvm.IRModule({"main": function}))
        schedule.parallel(schedule.get_loops(schedule.get_block("C"))[0])
        function = schedule.mod
    difference = tvm.build(function)
    a, b = arrays(5, 7)
    c = np.zeros_like(a)
    assert difference(c, b, 7, a) is None
    np.testing.assert_array_equal(c, a - b)
    np.testing.assert_array_equal(difference(b, 7, a), a - b)
    with refused("TW0701", r"4 arguments \('C', 'B', 'n', 'A'\), but got 2"):
        difference(a, b)


def test_sizes_of_one_name_are_distinct():
    n, n1, other = te.var("n"), te.var("n1"), te.var("n")
    A, B = te.placeholder((n, n1), name="A"), te.placeholder((other,), name="B")
    C = te.compute((n, n1, other), lambda i, j, k: A[i, j] * B[k], name="C")
    outer = tvm.build([n1, n, other, A, B, C])
    a, b = RANDOM.random((2, 3), np.float32), RANDOM.random(5, np.float32)
    c = np.zeros((2, 3, 5), np.float32)
    outer(3, 2, 5, a, b, c)
    np.testing.assert_array_equal(c, a[:, :, None] * b)
    for sizes, name in (((2, 2, 5), "n1 to be 3"), ((3, 3, 5), "n to be 2"), ((3, 2, 4), "n_1 to be 5")):
        with refused("TW0704", name):
            outer(*sizes, a, b, c)


@pytest.mark.parametrize("scheduled", [False, True])
def test_sizes_that_only_outputs_have(scheduled):
    m, n = te.var("m"), te.var("n")
    A = te.placeholder((m,), name="A")
    B = te.compute((n, m), lambda i, j: A[j] + i.astype("float32"), name="B")
    C = te.compute((n,), lambda i: i * 2, name="C")
    args = [n, A, B, C]
    program = tvm.build(te.create_schedule([B.op, C.op]), args) if scheduled else tvm.build(args)
    a = RANDOM.random(3, np.float32)
    b, c = np.zeros((5, 3), np.float32), np.zeros(5, np.int64)
    program(5, a, b, c)
    np.testing.assert_array_equal(b, a + np.arange(5, dtype=np.float32)[:, None])
    np.testing.assert_array_equal(c, np.arange(5) * 2)
    with refused("TW0704", "size n of argument 'C' to be 5 as in argument 'B', but got 4"):
        program(5, a, b, c[:4])
    with refused("TW0704", "n to be 5 as in argument 'B', but got 6"):
        program(6, a, b, c)
    with refused("TW0712", "output 'B' as an argument: no input has size n"):
        program(5, a)


def test_several_outputs():
    A = te.placeholder((6, 4), name="A")
    B = te.compute((6, 4), lambda i, j: A[i, j] + 1.0, name="B")
    C = te.compute((6, 4), lambda i, j: B[i, j] * 2.0, name="C")
    both = tvm.build(te.create_schedule(C.op), [A, B, C])
    a, _ = arrays(6, 4)
    b, c = np.zeros_like(a), np.zeros_like(a)
    both(a, b, c)
    np.testing.assert_array_equal(b, a + 1)
    np.testing.assert_array_equal(c, (a + 1) * 2)


def test_modules_of_several_functions():
    add, sub = elementwise(lambda x, y: x + y), elementwise(lambda x, y: x - y)
    schedule = te.create_schedule(sub[2].op)
    schedule[sub[2]].vectorize(schedule[sub[2]].split(sub[2].op.axis[1], factor=4)[1])
    module = tvm.build({"add": tvm.lower(add), "sub": tvm.lower(schedule, sub, simple_mode=True)})
    a, b = arrays(9, 5)
    np.testing.assert_array_equal(module["add"](a, b), a + b)
    np.testing.assert_array_equal(module["sub"](a, b), a - b)
    np.testing.assert_array_equal(module(a, b), a + b)
    assert "add" in module and "mul" not in module and repr(module) == "<tilewright module of add, sub>"
    with refused("TW0713", "'ad'; did you mean 'add'"):
        module["ad"]


def test_programs_for_different_targets_do_not_merge():
    one, other = tvm.lower(elementwise(lambda x, y: x + y)), tvm.lower(elementwise(lambda x, y: x - y))
    other.op.attributes["tw.target"] = Target("llvm -num-cores=77").attribute()
    with refused("TW0611", "one tw.target for all programs, but 'b' has another"):
        tvm.build({"a": one, "b": other})


def test_lowered_modules_and_functions_build():
    args = elementwise(lambda x, y: x / y)
    a, b = arrays(5, 20)
    for program in (tvm.lower(args), tvm.lower(args).op, tvm.lower(args)["main"], tvm.lower(args, simple_mode=True)):
        np.testing.assert_array_equal(tvm.build(program)(a, b), a / b)


def test_interactive_schedules_build():
    A, B, C = elementwise(lambda x, y: x + y)
    module = tvm.IRModule({"main": te.create_prim_func([A, B, C])})
    sch = tvm.tir.Schedule(module)
    i, _ = sch.get_loops(sch.get_block("C"))
    sch.split(i, factors=[None, 4])
    a, b = arrays(5, 20)
    np.testing.assert_array_equal(tvm.build(sch)(a, b), a + b)
    np.testing.assert_array_equal(tvm.build(module)(a, b), a + b)
    assert "mod 4" in tvm.lower(sch, simple_mode=True).script() or "* 4" in tvm.lower(sch, simple_mode=True).script()


def test_the_interpreter_is_a_target():
    args = elementwise(lambda x, y: x + y)
    a, b = arrays(3, 4)
    np.testing.assert_array_equal(tvm.build(args, target="interpreter", name="add")["add"](a, b), a + b)


def test_sources(multiply):
    assert "define internal i32 @tw.multiply(" in multiply.get_source()
    assert "tw_entry.multiply:" in multiply.get_source("asm")
    assert "func.func @multiply" in multiply.get_source("mlir")
    with refused("TW0209", "mlir, llvm or asm, but got 'c'"):
        multiply.get_source("c")


def test_time_evaluator(multiply):
    a, b = arrays(8, 8)
    timing = multiply.time_evaluator("multiply", tvm.cpu(0), number=3, repeat=4)(a, b, np.zeros_like(a))
    assert len(timing.results) == 4
    assert 0 < timing.min <= timing.median <= timing.max < 1
    assert timing.mean == pytest.approx(sum(timing.results) / 4)
    with refused("TW0208", "number to be at least 1, but got 0"):
        multiply.time_evaluator(number=0)
    with refused("TW0725", r"'dev' to be cpu, but got cuda\(0\)"):
        multiply.time_evaluator(dev=tvm.cuda(0))
    with refused("TW0713", "'multiplied'"):
        multiply.time_evaluator("multiplied")


def test_classic_keywords_of_time_evaluator(multiply):
    a, b = arrays(8, 8)
    keywords = {"limit_zero_time_iterations": 10, "cooldown_interval_ms": 1, "repeats_to_cooldown": 2}
    evaluator = multiply.time_evaluator(
        func_name="multiply", dev=tvm.cpu(0), number=2, repeat=3, **keywords, cache_flush_bytes=1 << 16, f_preproc=""
    )
    assert len(evaluator(a, b, np.zeros_like(a)).results) == 3
    with refused("TW0208", "repeats_to_cooldown to be at least 1"):
        multiply.time_evaluator(repeats_to_cooldown=0)
    with refused("TW0208", "cache_flush_bytes to be at least 0"):
        multiply.time_evaluator(cache_flush_bytes=-1)
    with refused("TW0251", "f_preproc=cache_flush"):
        multiply.time_evaluator(f_preproc="cache_flush")


def test_threads():
    args = elementwise(lambda x, y: x + y)
    schedule = te.create_schedule(args[2].op)
    schedule[args[2]].parallel(args[2].op.axis[0])
    module = tvm.build(schedule, args, threads=2)
    a, b = arrays(40, 50)
    assert module.threads == 2
    np.testing.assert_array_equal(module(a, b), a + b)


def test_arrays_of_a_device(multiply):
    device = tvm.cpu(0)
    a, b = (tvm.nd.array(x, device) for x in arrays(5, 7))
    c = tvm.nd.empty((5, 7), "float32", device)
    multiply(a, b, c)
    tvm.testing.assert_allclose(c.numpy(), a.asnumpy() * b.asnumpy())
    assert type(c.numpy()) is np.ndarray and c.device == device.kind and str(device) == "cpu(0)"


@pytest.mark.parametrize(
    ("target", "code", "message"),
    [
        ("lvm", "TW0602", "unknown target 'lvm'; did you mean 'llvm'"),
        ("rocm", "TW0602", "unknown target 'rocm'"),
        ("llvm -mcpu=skylark", "TW0612", "-mcpu=native, a level .*got '-mcpu=skylark'"),
        ("llvm -mattr=avx2", "TW0612", "marked"),
        ("llvm -num-cores=0", "TW0612", "a number from 1 to 4096"),
        ("llvm -fast", "TW0612", "-mcpu=, -mattr=, -vector-width=, -caches= or -threads="),
        ("llvm -mattr=+amx-avx512", "TW0612", "has no amx-avx512"),
    ],
)
def test_bad_targets(target, code, message):
    with refused(code, message):
        tvm.build(elementwise(lambda x, y: x + y), target=target)


def test_devices():
    assert tvm.device("llvm", 0) == tvm.device("cpu") == tvm.cpu(0)
    assert str(tvm.device("cuda", 1)) == str(tvm.cuda(1)) == "cuda(1)"
    with refused("TW0602", "a device of a known kind .cpu, cuda, simulator., but got 'abacus'"):
        tvm.device("abacus", 0)
    assert not tvm.device("rocm", 0).exist and not tvm.device("opencl").exist


def test_hosts_are_cpus():
    assert Target("llvm", host="llvm -mcpu=x86-64-v2").attribute().kind == "cpu"
    with refused("TW0612", "a CPU as host"):
        Target("llvm", host="interpreter")


def test_target_options_reach_the_code():
    args = elementwise(lambda x, y: x * y + 1.0)
    schedule = te.create_schedule(args[2].op)
    a, b = arrays(4, 37)
    for target, bits in (("llvm -mcpu=x86-64", 128), ("llvm -mcpu=x86-64-v3 -mattr=-fma", 256)):
        assert Target(target).attribute().vector_bits == bits
        np.testing.assert_allclose(tvm.build(schedule, args, target)(a, b), a * b + 1, rtol=1e-6)
    assert not Target("llvm -mcpu=x86-64-v3 -mattr=-fma").attribute().has("fma")


@pytest.mark.parametrize("target", ["interpreter", "opencl", "cuda"])
def test_threads_are_refused_where_the_host_runs_no_loops(target: str) -> None:
    x = te.placeholder((8,), name="x")
    y = te.compute((8,), lambda i: x[i] + 1.0, name="y")
    schedule = te.create_schedule(y.op)
    if target != "interpreter":
        schedule[y].bind(y.op.axis[0], te.thread_axis("threadIdx.x"))
    where = {"device": "simulator"} if target == "cuda" else {}
    with refused("TW0725", "no argument 'threads'"):
        tvm.build(schedule, [x, y], target=target, threads=2, **where)
    program = tvm.build(schedule, [x, y], target=target, threads=1, **where)
    with refused("TW0725", "no argument 'threads'"):
        program(np.zeros(8, np.float32), threads=2)
    kinds = {"interpreter": ("cpu",), "opencl": (), "cuda": ("cpu", "cuda", "simulator")}[target]
    assert program.entry.device_kinds == kinds


def test_repetitions_last_as_long_as_is_asked(multiply):
    from tilewright.runtime.module import BenchmarkResult

    a, b = arrays(8, 8)
    timing = multiply.time_evaluator("multiply", number=1, repeat=2, min_repeat_ms=5)(a, b, np.zeros_like(a))
    assert isinstance(timing, BenchmarkResult)
    assert len(timing.results) == 2
    assert BenchmarkResult([1, 2, 2, 5]).std == 1.5
