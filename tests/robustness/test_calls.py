"""Calls from Python: arguments that do not fit, many threads on one program, numbers that are none."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import onnx
import onnxruntime
import pytest
import tilewright
from onnx import TensorProto, helper, numpy_helper
from tilewright import TilewrightError
from tilewright.frontends.onnx import import_model
from tilewright.runtime import Module

FLOAT = np.float32
_rng = np.random.default_rng(11)


def network() -> onnx.ModelProto:
    """Return a small classifier on images of any number: convolution, pooling, depthwise convolution, mean, linear
    layer."""
    weights = {
        "k0": _rng.standard_normal((8, 3, 3, 3)) * 0.3,
        "k1": _rng.standard_normal((8, 1, 3, 3)) * 0.3,
        "w": _rng.standard_normal((5, 8)),
        "b": _rng.standard_normal(5),
    }
    nodes = [
        helper.make_node("Conv", ["x", "k0"], ["c0"], pads=[1, 1, 1, 1], strides=[2, 2]),
        helper.make_node("Relu", ["c0"], ["r0"]),
        helper.make_node("MaxPool", ["r0"], ["p0"], kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1]),
        helper.make_node("Conv", ["p0", "k1"], ["c1"], pads=[1, 1, 1, 1], group=8),
        helper.make_node("Clip", ["c1", "low", "high"], ["r1"]),
        helper.make_node("ReduceMean", ["r1", "axes"], ["m"], keepdims=0),
        helper.make_node("Gemm", ["m", "w", "b"], ["y"], transB=1),
    ]
    constants = [numpy_helper.from_array(array.astype(FLOAT), name) for name, array in weights.items()]
    constants.append(numpy_helper.from_array(np.array([2, 3]), "axes"))
    constants += [numpy_helper.from_array(np.array(value, FLOAT), name) for name, value in (("low", 0), ("high", 6))]
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 3, 20, 20])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 5])],
        constants,
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)


MODEL = network()


@pytest.fixture(scope="module")
def program() -> Module:
    return tilewright.compile(import_model(MODEL))


def images(count: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((count, 3, 20, 20)).astype(FLOAT)


WRONG: dict[str, tuple[Callable[[Module], object], str, str]] = {
    "nothing": (lambda p: p(), "TW0701", r"expected 1 inputs \('x'\), but got 0"),
    "three": (lambda p: p(*[images(1)] * 3), "TW0701", r"expected 1 inputs \('x'\), but got 3"),
    "name": (lambda p: p(image=images(1)), "TW0702", "expected inputs 'x', but got one named 'image'"),
    "both": (lambda p: p(images(1), x=images(1)), "TW0702", "expected input 'x' once"),
    "dtype": (lambda p: p(images(1).astype("f8")), "TW0703", "'x' to have dtype float32, but got float64"),
    "shape": (lambda p: p(images(1)[:, :2]), "TW0704", r"'x' to have shape \[n, 3, 20, 20\], but got \[1, 2, 20, 20\]"),
    "rank": (lambda p: p(images(1)[0]), "TW0704", r"'x' to have shape \[n, 3, 20, 20\], but got \[3, 20, 20\]"),
    "list": (lambda p: p([1.0, 2.0]), "TW0707", "'x' to be a numpy array, but got list"),
    "none": (lambda p: p(None), "TW0707", "'x' to be a numpy array, but got NoneType"),
    "objects": (lambda p: p(np.array([[None]], object)), "TW0703", "'x' to have dtype float32, but got object"),
    "output": (
        lambda p: p(images(2), out=np.empty((3, 5), FLOAT)),
        "TW0704",
        "size n of argument 'y' to be 2 as in argument 'x', but got 3",
    ),
    "frozen": (
        lambda p: p(images(1), out=np.broadcast_to(FLOAT(0), (1, 5))),
        "TW0707",
        "output 'y' to be a writable, C-contiguous, aligned array",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_arguments_that_do_not_fit(name: str, program: Module) -> None:
    call, code, message = WRONG[name]
    with pytest.raises(TilewrightError, match=message) as caught:
        call(program)
    assert caught.value.code == code


def test_outputs_larger_than_memory() -> None:
    axes = numpy_helper.from_array(np.array([1]), "axes")
    nodes = [helper.make_node("Unsqueeze", ["x", "axes"], ["column"]), helper.make_node("Add", ["x", "column"], ["y"])]
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes, "g", [value("x", TensorProto.FLOAT, ["n"])], [value("y", TensorProto.FLOAT, None)], [axes]
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    table = tilewright.compile(import_model(model))
    np.testing.assert_array_equal(table(np.array([1, 2], FLOAT)), [[2, 3], [3, 4]])
    with pytest.raises(TilewrightError, match=r"TW0708.*memory for output 'y'.*shape \[10000000, 10000000\]"):
        table(np.zeros(10_000_000, FLOAT))


def test_no_images(program: Module) -> None:
    assert np.asarray(program(images(0))).shape == (0, 5)


@pytest.mark.parametrize("threads", [1, 2])
def test_many_threads_call_one_program(threads: int, program: Module) -> None:
    batches = [images(1 + seed % 3, seed) for seed in range(24)]
    expected = [np.array(program(x, threads=1)) for x in batches]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(5):
            found = list(pool.map(lambda x: program(x, threads=threads), batches))
            for actual, result in zip(found, expected, strict=True):
                np.testing.assert_array_equal(actual, result)


def test_threads_with_arguments_that_do_not_fit_harm_no_others(program: Module) -> None:
    x = images(2)
    expected = np.array(program(x))

    def call(index: int) -> None:
        if index % 2:
            with pytest.raises(TilewrightError, match="TW0704"):
                program(x[:, :1])
        else:
            np.testing.assert_array_equal(program(x), expected)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(call, range(64)))


@pytest.mark.full
def test_compiling_in_many_threads() -> None:
    x = images(2)
    expected = np.asarray(tilewright.compile(import_model(MODEL))(x))
    with ThreadPoolExecutor(4) as pool:
        for actual in pool.map(lambda _: tilewright.compile(import_model(MODEL))(x), range(4)):
            np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_none_spoil_only_their_image(value: float, program: Module) -> None:
    x = images(3)
    clean = np.array(program(x))
    x[1] = value
    actual = np.asarray(program(x))
    np.testing.assert_array_equal(actual[[0, 2]], clean[[0, 2]])
    assert actual.shape == (3, 5)


UNARY = ("Relu", "Sigmoid", "Tanh", "Exp", "Neg", "Sqrt", "Erf", "LeakyRelu")
OPERANDS = {
    **{operator: ["x"] for operator in UNARY},
    **{operator: ["x", "low"] for operator in ("Max", "Min", "Add", "Mul")},
    "Clip": ["x", "low", "high"],
}


@pytest.mark.parametrize("operator", OPERANDS)
def test_operators_keep_what_is_no_number(operator: str) -> None:
    """A comparison that forgets NaN would hide a fault upstream."""
    constants = {"low": np.array(0, FLOAT), "high": np.array(6, FLOAT)}
    graph = helper.make_graph(
        [helper.make_node(operator, OPERANDS[operator], ["y"])],
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [3])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [3])],
        [numpy_helper.from_array(constants[name], name) for name in OPERANDS[operator] if name in constants],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    x = np.array([np.nan, 1.0, -1.0], FLOAT)
    expected = session.run(None, {"x": x})[0]
    for target in ("cpu", "interpreter"):
        actual = np.asarray(tilewright.compile(import_model(model), target=target)(x))
        assert np.isnan(actual[0])
        np.testing.assert_allclose(actual[1:], expected[1:], rtol=1e-5)
