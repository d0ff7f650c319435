"""Executors of compiled models: arrays kept between calls, parameters that take effect, and what is refused."""

from __future__ import annotations

import tarfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import onnx
import pytest
import tilewright as tvm
from onnx import TensorProto, helper, numpy_helper
from small_network import network
from tilewright import te
from tilewright.classic.executor.factory import factory_of
from tilewright.contrib import graph_executor
from tilewright.runtime.buffers import aligned_empty

RNG = np.random.default_rng(3)
W = RNG.random((6, 4), np.float32)


def product(weights: np.ndarray[Any, Any] = W, rows: int | str = 2) -> onnx.ModelProto:
    """Return a model of x @ weights and its sum."""
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [rows, 6])
    results = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ("y", "total")]
    nodes = [helper.make_node("MatMul", ["x", "w"], ["y"]), helper.make_node("ReduceSum", ["y"], ["total"], keepdims=0)]
    graph = helper.make_graph(nodes, "g", [x], results, [numpy_helper.from_array(weights, "w")])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


@pytest.fixture(scope="module")
def program() -> Any:
    return tvm.compile(product())


def executor_of(program: Any) -> graph_executor.GraphModule:
    return graph_executor.GraphModule(program["default"](tvm.cpu()))


def refused(code: str, message: str):
    return pytest.raises(tvm.TilewrightError, match=rf"(?s){code}.*{message}")


def drawn(*shape: int) -> np.ndarray[Any, Any]:
    return RNG.random(shape, np.float32)


@pytest.mark.parametrize("target", ["llvm", "c", "interpreter"])
def test_a_network_gives_what_the_program_gives(target: str) -> None:
    program = tvm.compile(network(), target)
    executor = executor_of(program)
    for _ in range(2):
        data = drawn(1, 3, 16, 16)
        executor.set_input("data", data)
        executor.run()
        np.testing.assert_array_equal(executor.get_output(0).numpy(), program(data))
    shapes, dtypes = executor.get_input_info()
    assert shapes == {"data": (1, 3, 16, 16)} and dtypes == {"data": "float32"}
    count = executor.get_num_inputs()
    assert (count > 1) == (target != "interpreter") and executor.get_num_outputs() == 1


def test_kernels_in_the_simulator() -> None:
    program = tvm.compile(product(), "cuda", device="simulator")
    x = drawn(2, 6)
    for device in (tvm.cuda(0), tvm.device("simulator"), tvm.cpu()):
        executor = graph_executor.create(factory_of(program).get_graph_json(), program, device)
        executor.run(x=x)
        np.testing.assert_allclose(executor.get_output(0), x @ W, rtol=1e-5)


def test_constants_of_c_are_parameters_where_they_do_not_stand_in_the_source() -> None:
    program = tvm.compile(product(), "c")
    executor, x = executor_of(program), drawn(2, 6)
    executor.run(x=x, p0=2 * factory_of(program).get_params()["p0"])
    np.testing.assert_array_equal(executor.get_output(0), 2 * program(x)[0])
    assert executor_of(tvm.compile(product(W[:, :1]), "c")).get_num_inputs() == 1  # six elements are text


def test_a_parameter_that_is_replaced_takes_effect() -> None:
    program = tvm.compile(network())
    factory = factory_of(program)
    data, params = drawn(1, 3, 16, 16), factory.get_params()
    known = program(data)
    assert len(params) > 2
    executor, other = factory["default"](tvm.cpu()), factory["default"](tvm.cpu())
    executor.set_input(**{name: np.zeros_like(value) for name, value in params.items()})
    for each in (executor, other):
        each.run(data=data)
    assert not executor.get_output(0).any()
    np.testing.assert_array_equal(other.get_output(0), known)
    executor.load_params(tvm.runtime.save_param_dict(params))
    executor.run()
    np.testing.assert_array_equal(executor.get_output(0), known)
    np.testing.assert_array_equal(program(data), known)


def test_every_way_to_replace_a_parameter(program: Any) -> None:
    factory, x = factory_of(program), drawn(2, 6)
    ((name, weights),) = factory.get_params().items()
    executor = executor_of(program)

    def result() -> Any:
        executor.run(x=x)
        return executor.get_output(0).numpy().copy()

    known = result()
    executor.set_input(name, 2 * weights)
    np.testing.assert_array_equal(result(), 2 * known)
    executor.set_input(name, 4 * weights)  # the copy goes to the same memory
    np.testing.assert_array_equal(result(), 4 * known)
    mine = aligned_empty(weights.shape, weights.dtype)
    mine[...] = 8 * weights
    executor.set_input_zero_copy(name, mine)
    np.testing.assert_array_equal(result(), 8 * known)
    mine *= 0
    np.testing.assert_array_equal(result(), 0 * known)
    executor.get_input(name)[...] = weights  # which is the caller's array
    np.testing.assert_array_equal(mine, weights)
    executor.set_input(name, 2 * weights)
    np.testing.assert_array_equal(result(), 2 * known)
    np.testing.assert_array_equal(mine, weights)
    fresh = executor_of(program)
    with pytest.raises(ValueError, match="read-only"):
        fresh.get_input(name)[...] = 0


def test_two_executors_share_parameters(program: Any) -> None:
    factory, x = factory_of(program), drawn(2, 6)
    params = factory.get_params()
    first, second = executor_of(program), executor_of(program)
    first.set_input(**{name: 2 * value for name, value in params.items()})
    second.share_params(first, tvm.runtime.save_param_dict(params))
    for name in params:
        assert np.shares_memory(first.get_input(name), second.get_input(name))
    for scale in (2, 4):
        second.set_input(**{name: scale * value for name, value in params.items()})  # is the other one's too
        for each in (first, second):
            each.run(x=x)
            np.testing.assert_allclose(each.get_output(0), scale * x @ W, rtol=1e-5)
    with refused("TW0702", "'y'"):
        second.share_params(first, tvm.runtime.save_param_dict({"y": x}))
    wider = executor_of(tvm.compile(product(drawn(6, 8))))
    with refused("TW0704", "expected parameter 'p0' to be"):
        wider.share_params(first, tvm.runtime.save_param_dict(params))
    with refused("TW0725", "'other'"):
        second.share_params(program, b"")  # type: ignore[arg-type]


def test_a_library_that_was_saved(program: Any, tmp_path: Path) -> None:
    factory, x = factory_of(program), drawn(2, 6)
    factory.export_library(str(tmp_path / "lib.so"))
    library = tvm.runtime.load_module(str(tmp_path / "lib.so"))
    first = graph_executor.create(factory.get_graph_json(), library, tvm.cpu(0))
    first.load_params(bytes(tvm.runtime.save_param_dict(factory.get_params())))
    second = graph_executor.GraphModule(library["default"](tvm.cpu(0)))
    for executor in (first, second):
        executor.run(x=x)
        np.testing.assert_array_equal(executor.get_output(0), program(x)[0])
    assert first.get_input_info() == second.get_input_info() == ({"x": (2, 6)}, {"x": "float32"})


def test_inputs_are_copied_in_their_type(program: Any) -> None:
    executor, x = executor_of(program), drawn(2, 6)
    given = x.copy()
    executor.set_input("x", given)
    given[...] = 0
    executor.run()
    np.testing.assert_array_equal(executor.get_output(0), program(x)[0])
    assert not np.shares_memory(executor.get_input(0), given)
    for value in (
        x.astype(np.float64),
        x.tolist(),
        np.asfortranarray(x),
        tvm.nd.array(x),
        x.astype(ml_dtypes.bfloat16),
    ):
        executor.run(x=value)
        wanted = np.asarray(value).astype(np.float32)
        np.testing.assert_array_equal(executor.get_output(0), program(wanted)[0])
    executor.set_input(0, np.arange(12).reshape(2, 6))
    np.testing.assert_array_equal(executor.get_input("x"), np.arange(12).reshape(2, 6))
    for code, message, value in (
        ("TW0703", "float32, but got complex64", x.astype(np.complex64)),
        ("TW0703", "float32, but got <U1", np.full((2, 6), "a")),
        ("TW0703", "float32, but got object", None),
        ("TW0704", "shape \\[2, 6\\], but got \\[6, 2\\]", x.T),
        ("TW0704", "but got \\[\\]", 3.0),
        ("TW0707", "numpy says", [[1.0], [2.0, 3.0]]),
    ):
        with refused(code, message):
            executor.set_input("x", value)


def test_integers_stay_what_they_are() -> None:
    A = te.placeholder((3,), "int32", name="A")
    executor = executor_of(tvm.build([A, te.compute((3,), lambda i: A[i] + 1, name="B")]))
    for value in (np.arange(3), np.array([True, False, True]), np.arange(3, dtype=np.uint8), [5, -5, 1 << 30]):
        executor.run(A=value)
        np.testing.assert_array_equal(executor.get_output(0), np.asarray(value).astype(np.int64) + 1)
    for value in (np.array([1 << 40, 0, 0]), np.array([0.0, 1.0, 2.0])):
        with refused("TW0703", "expected input 'A' to have dtype int32"):
            executor.set_input("A", value)


def test_nothing_is_set_where_one_input_does_not_fit(program: Any) -> None:
    executor, x = executor_of(program), drawn(2, 6)
    executor.set_input("x", x)
    for given in ({"x": 0 * x, "y": x}, {"x": 0 * x, "p0": x}):
        with refused("TW070[24]", "input"):
            executor.set_input(**given)
        with refused("TW070[234]", "input"):
            executor.set_input_zero_copy(**given)
    np.testing.assert_array_equal(executor.get_input("x"), x)
    with refused("TW0702", "'y'"):
        executor.load_params(tvm.runtime.save_param_dict({"x": 0 * x, "y": x}))
    np.testing.assert_array_equal(executor.get_input("x"), x)


def test_unknown_inputs_and_outputs(program: Any) -> None:
    executor = executor_of(program)
    for use in (
        lambda: executor.set_input("data", 0),
        lambda: executor.set_input(datum=0),
        lambda: executor.set_input(9, 0),
        lambda: executor.set_input(-1, 0),
        lambda: executor.run(data=0),
        lambda: executor.get_input("data"),
        lambda: executor.get_input(2),
        lambda: executor.set_input_zero_copy("data", 0),
        lambda: executor.get_output(2),
        lambda: executor.get_output(-1),
    ):
        with refused("TW0702", "expected"):
            use()
    assert executor.get_input_index("data") == -1 and executor.get_input_index("x") == 0
    with refused("TW0725", "'key'"):
        executor.set_input(1.5, 0)  # type: ignore[arg-type]
    with refused("TW0725", "'index'"):
        executor.get_output("y")  # type: ignore[arg-type]
    with refused("TW0713", "a function of the executor, but got 'runn'; did you mean 'run'"):
        executor["runn"]
    with refused("TW0782", "there are none for 'x'"):
        executor.run()
    executor.get_input("x")[...] = 1  # values may be written to the executor's array
    executor.run()
    np.testing.assert_allclose(executor.get_output(0), np.ones((2, 6)) @ W, rtol=1e-5)


def test_arrays_of_the_caller_are_read_where_they_lie(program: Any) -> None:
    executor, x = executor_of(program), drawn(2, 6)
    executor.set_input_zero_copy("x", x)
    assert executor.get_input(0).base is x or np.shares_memory(executor.get_input(0), x)
    executor.run()
    np.testing.assert_array_equal(executor.get_output(0), program(x)[0])
    x *= 2
    executor.run()
    np.testing.assert_array_equal(executor.get_output(0), program(x)[0])
    executor.set_input("x", 0 * x)
    assert x.any() and not np.shares_memory(executor.get_input(0), x)
    bytes_ = np.zeros(4 * 12 + 1, np.uint8)
    weights = executor.get_input("p0")
    shifted = aligned_empty((weights.size + 1,), weights.dtype)[1:].reshape(weights.shape)
    for code, message, name, value in (
        ("TW0707", "C-contiguous", "x", np.asfortranarray(x)),
        ("TW0707", "aligned to 4 bytes", "x", bytes_[1:].view(np.float32).reshape(2, 6)),
        ("TW0707", "aligned to 64 bytes", "p0", shifted),
        ("TW0707", "but got list", "x", x.tolist()),
        ("TW0703", "but got float64", "x", x.astype(np.float64)),
        ("TW0704", "but got \\[6, 2\\]", "x", x.reshape(6, 2)),
    ):
        with refused(code, message):
            executor.set_input_zero_copy(name, value)


def test_results_are_the_executors_array_or_a_copy(program: Any) -> None:
    executor, x = executor_of(program), drawn(2, 6)
    executor.run(x=x)
    view, known = executor.get_output(0), program(x)[0]
    assert isinstance(view, tvm.nd.NDArray)
    out, given = np.empty((2, 4), np.float32), tvm.nd.empty((2, 4))
    assert executor.get_output(0, out) is out and executor.get_output(0, given) is given
    executor.run(x=0 * x)
    assert not view.any()
    np.testing.assert_array_equal(out, known)
    np.testing.assert_array_equal(given.numpy(), known)
    assert executor.get_output(1).shape == ()
    read_only = np.empty((2, 4), np.float32)
    read_only.flags.writeable = False
    for code, value in (
        ("TW0704", np.empty((4, 2), np.float32)),
        ("TW0703", np.empty((2, 4))),
        ("TW0703", [0.0]),
        ("TW0707", read_only),
    ):
        with refused(code, "output 0"):
            executor.get_output(0, value)
    wide = np.empty((2, 8), np.float32)[:, ::2]
    executor.run(x=x)
    np.testing.assert_array_equal(executor.get_output(0, wide), known)


def test_executors_of_one_library_run_at_the_same_time(program: Any) -> None:
    def work(seed: int) -> bool:
        rng, executor = np.random.default_rng(seed), executor_of(program)
        scale = np.float32(1 + seed % 2)
        executor.set_input("p0", scale * factory_of(program).get_params()["p0"])
        for _ in range(50):
            x = rng.random((2, 6), np.float32)
            executor.run(x=x)
            if not np.array_equal(executor.get_output(0), scale * program(x)[0]):
                return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(16)))


def test_threads_that_share_an_executor_wait_for_one_another(program: Any) -> None:
    executor, values = executor_of(program), [np.full((2, 6), k, np.float32) for k in range(8)]
    known = {program(value)[0].tobytes() for value in values}

    def work(number: int) -> bool:
        executor.run(x=values[number])
        return executor.get_output(0, np.empty((2, 4), np.float32)).tobytes() in known

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, [k % 8 for k in range(200)]))


def test_functions_by_name_and_times(program: Any) -> None:
    executor, x = executor_of(program), drawn(2, 6)
    executor.module["set_input"]("x", x)
    executor["run"]()
    np.testing.assert_array_equal(executor.module.get_function("get_output")(0), program(x)[0])
    timing = executor.module.time_evaluator("run", tvm.cpu(0), number=2, repeat=3)()
    assert len(timing.results) == 3 and timing.mean > 0
    for options in ({}, {"end_to_end": True, "x": x}, {"x": x, "min_repeat_ms": 1, "cooldown_interval_ms": 1}):
        timing = executor.benchmark(tvm.cpu(), repeat=2, number=3, **options)
        assert len(timing.results) == 2 and timing.min > 0
    with refused("TW0725", "expected argument 'device' to be cpu\\(0\\), but got cuda\\(0\\)"):
        executor.benchmark(tvm.cuda())
    with refused("TW0209", "for 'run' alone"):
        executor.benchmark(tvm.cpu(), "get_output", end_to_end=True)
    with refused("TW0208", "repeat to be at least 1"):
        executor.benchmark(tvm.cpu(), repeat=0)


def test_devices(program: Any) -> None:
    for device in (tvm.cpu(0), [tvm.cpu(0)], "cpu", "llvm"):
        program["default"](device)
    assert program["default"]().execution.device == tvm.cpu(0)
    for device, message in (
        (tvm.cuda(0), "a device of the kind cpu for the program, but got cuda\\(0\\)"),
        ([tvm.cpu(), tvm.cpu()], "one device, but got 2"),
        ([], "one device, but got 0"),
        (tvm.cpu(1), "a device that exists"),
        (3, "'device'"),
    ):
        with refused("TW0725", message):
            program["default"](device)


def test_a_function_that_is_called_default_goes_first() -> None:
    A = te.placeholder((3,), name="A")
    args = [A, te.compute((3,), lambda i: A[i] * 2.0, name="B")]
    named = tvm.build(args, name="default")
    np.testing.assert_array_equal(named["default"](np.ones(3, np.float32)), [2, 2, 2])
    assert "default" in named and "default" not in tvm.build(args)
    executor = executor_of(tvm.build(args, name="other"))
    executor.run(A=np.ones(3))
    np.testing.assert_array_equal(executor.get_output(0), [2, 2, 2])


def test_arguments_in_another_order() -> None:
    A, B = te.placeholder((3,), name="A"), te.placeholder((3,), name="B")
    C = te.compute((3,), lambda i: A[i] - B[i], name="C")
    program = tvm.build([C, B, A])
    executor = executor_of(program)
    executor.run(A=[3, 3, 3], B=[1, 2, 3])
    np.testing.assert_array_equal(executor.get_output(0), [2, 1, 0])


def test_programs_that_no_graph_states() -> None:
    n = te.var("n")
    A = te.placeholder((n,), name="A")
    open_ = tvm.build([A, te.compute((n,), lambda i: A[i] + 1.0, name="B")])
    node = helper.make_node("NonZero", ["x"], ["y"])
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [4])
    y = helper.make_tensor_value_info("y", TensorProto.INT64, None)
    found = tvm.compile(
        helper.make_model(helper.make_graph([node], "g", [x], [y]), opset_imports=[helper.make_opsetid("", 17)])
    )
    for program, message in (
        (open_, "has an open size"),
        (tvm.compile(product(rows="n")), "has an open size"),
        (found, "the shape of a result is found while the program runs"),
    ):
        with refused("TW0781", message):
            program["default"](tvm.cpu())
        with refused("TW0781", message):
            factory_of(program).get_graph_json()


def test_a_factory_has_the_three_parts(program: Any) -> None:
    factory, x = factory_of(program, "mine"), drawn(2, 6)
    with pytest.warns(DeprecationWarning, match="get_graph_json"):
        graph, lib, params = factory
    assert graph == factory.get_graph_json() == factory.graph_json_str and '"tvmgen_mine_main"' in graph
    assert lib is factory.get_lib() and params.keys() == factory.get_params().keys() == {"p0"}
    assert all(isinstance(each, tvm.nd.NDArray) and not each.flags.writeable for each in params.values())
    module = tvm.runtime.create(graph, lib, tvm.cpu(0))  # as programs of 2018
    module.set_input(**params)
    module.run(x=x)
    output = tvm.nd.empty((2, 4), ctx=tvm.cpu(0))
    module.get_output(0, output)
    np.testing.assert_array_equal(output.numpy(), program(x)[0])
    for name in ("mine", "default"):
        executor = factory[name](tvm.cpu(0))
        executor.run(x=x)
        np.testing.assert_array_equal(executor.get_output(0), program(x)[0])
    assert factory["main"] is program["main"] and factory.get_devices() == [tvm.cpu(0)]
    with refused("TW0713", "'mein'"):
        factory["mein"]
    with refused("TW0209", "a factory of executors"):
        factory(x)


def test_an_input_that_is_called_like_a_parameter() -> None:
    model = product()
    for node in model.graph.node:
        for names in (node.input, node.output):
            names[:] = ["p0" if name == "x" else name for name in names]
    model.graph.input[0].name = "p0"
    factory, x = factory_of(tvm.compile(model)), drawn(2, 6)
    executor = factory["default"](tvm.cpu())
    assert [*factory.get_params()] == ["p1"] and executor.get_num_inputs() == 2
    executor.run(p0=x)
    np.testing.assert_allclose(executor.get_output(0), x @ W, rtol=1e-5)


def test_graph_and_parameters_of_a_package(tmp_path: Path) -> None:
    model = product()
    model.graph.input[0].name = model.graph.node[0].input[0] = "p0"
    program, x = tvm.compile(model), drawn(2, 6)
    program.export_library(tmp_path / "lib.tar")
    with tarfile.open(tmp_path / "lib.tar") as tar:
        graph, params = (tar.extractfile(f"mod.{each}").read() for each in ("json", "params"))  # type: ignore[union-attr]
    assert graph.decode() == factory_of(program).get_graph_json()
    library = tvm.runtime.load_module(tmp_path / "lib.tar")
    executor = graph_executor.create(graph.decode(), library, tvm.cpu())
    executor.load_params(params)
    executor.run(p0=x)
    np.testing.assert_array_equal(executor.get_output(0), program(x)[0])
    assert tvm.runtime.load_param_dict(params).keys() == factory_of(library).get_params().keys() == {"p1"}
    with refused("TW0781", "open size"):
        tvm.compile(product(rows="n"))["default"]()
    tvm.compile(product(rows="n")).save(tmp_path / "open.tar")
    with tarfile.open(tmp_path / "open.tar") as tar:
        assert "mod.json" not in tar.getnames()


def test_replaced_indices_are_checked_as_those_of_the_program_are() -> None:
    nodes = [helper.make_node("Gather", ["x", "at"], ["y"], axis=0)]
    x, y = (
        helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in (("x", [5, 3]), ("y", None))
    )
    at = np.array([*range(5), *range(5)], np.int64)
    graph = helper.make_graph(nodes, "g", [x], [y], [numpy_helper.from_array(at, "at")])
    program = tvm.compile(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8))
    executor, data = executor_of(program), drawn(5, 3)
    executor.run(x=data, p0=at[::-1])
    np.testing.assert_array_equal(executor.get_output(0), data[at[::-1]])
    with refused("TW0730", "an index within"):
        executor.run(p0=at + 1)
    np.testing.assert_array_equal(program(data), data[at])
