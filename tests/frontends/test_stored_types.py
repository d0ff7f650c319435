"""ONNX's types that are only stored: casts by their attributes, and moves, against the reference evaluator."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from tilewright import TilewrightError
from tilewright.frontends.onnx import backend, import_model

EIGHT = ("FLOAT8E4M3FN", "FLOAT8E4M3FNUZ", "FLOAT8E5M2", "FLOAT8E5M2FNUZ")
EVERY = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
BOUNDS = np.array(
    [448, 448.1, 464, 464.1, 480, 240, 248, 57344, 61439, 61440, 65536, 1e38, 2.0**-127, 1.5 * 2.0**127, 2.0**127],
    np.float32,
)
SINGLE = np.concatenate([BOUNDS, -BOUNDS, np.array([0, -0.0, np.inf, -np.inf, np.nan, 1e-10, 3.0], np.float32)])

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
"""numpy tells of NaN and infinity."""


def model_of(nodes: list[onnx.NodeProto], types: dict[str, int], shape: list[int], result: int) -> onnx.ModelProto:
    inputs = [helper.make_tensor_value_info(name, type_, shape) for name, type_ in types.items()]
    output = helper.make_tensor_value_info("y", result, None)
    graph = helper.make_graph(nodes, "g", inputs, [output])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 25)], ir_version=11)


def assert_as_reference(model: onnx.ModelProto, *inputs: np.ndarray) -> np.ndarray:
    names = [value.name for value in model.graph.input]
    (expected,) = ReferenceEvaluator(model).run(None, dict(zip(names, inputs, strict=True)))
    (result,) = backend.prepare(model).run(list(inputs))
    assert (result.dtype, result.shape) == (expected.dtype, expected.shape)
    same = (result == expected) | ((result != result) & (expected != expected))
    assert same.all(), [(n, result[n], expected[n]) for n in zip(*np.nonzero(~same), strict=True)][:5]
    return result


@pytest.mark.parametrize("saturate", (0, 1))
@pytest.mark.parametrize("to", EIGHT)
def test_what_is_too_large_saturates_or_not(to: str, saturate: int) -> None:
    node = helper.make_node("Cast", ["x"], ["y"], to=TensorProto.DataType.Value(to), saturate=saturate)
    for values in (EVERY, SINGLE):
        source = helper.np_dtype_to_tensor_dtype(values.dtype)
        model = model_of([node], {"x": source}, [values.size], TensorProto.DataType.Value(to))
        result = assert_as_reference(model, values)
        finite = np.isfinite(result.astype(np.float32))
        if saturate:
            assert (finite | np.isnan(values.astype(np.float32))).all()


@pytest.mark.parametrize("saturate", (0, 1))
@pytest.mark.parametrize("mode", ("up", "down", "nearest"))
def test_powers_of_two_round_as_stated(mode: str, saturate: int) -> None:
    node = helper.make_node("Cast", ["x"], ["y"], to=TensorProto.FLOAT8E8M0, saturate=saturate, round_mode=mode)
    for values in (EVERY, SINGLE[np.abs(SINGLE) != np.float32(2.0**-127)]):
        source = helper.np_dtype_to_tensor_dtype(values.dtype)
        assert_as_reference(model_of([node], {"x": source}, [values.size], TensorProto.FLOAT8E8M0), values)


def test_a_power_of_two_that_is_no_normal_number_is_itself() -> None:
    """The reference evaluator rounds it up."""
    values = np.array([2.0**-127], np.float32)
    for mode in ("up", "down", "nearest"):
        node = helper.make_node("Cast", ["x"], ["y"], to=TensorProto.FLOAT8E8M0, round_mode=mode)
        model = model_of([node], {"x": TensorProto.FLOAT}, [1], TensorProto.FLOAT8E8M0)
        (result,) = backend.prepare(model).run([values])
        assert result.view(np.uint8)[0] == 0


def test_a_rounding_that_there_is_not_is_refused() -> None:
    node = helper.make_node("Cast", ["x"], ["y"], to=TensorProto.FLOAT8E8M0, round_mode="odd")
    with pytest.raises(TilewrightError, match="round_mode up, down or nearest") as raised:
        import_model(model_of([node], {"x": TensorProto.FLOAT}, [1], TensorProto.FLOAT8E8M0))
    assert raised.value.code == "TW0306"


@pytest.mark.parametrize("name", (*EIGHT, "FLOAT8E8M0", "FLOAT4E2M1", "INT4", "UINT4", "INT2", "UINT2"), ids=str.lower)
def test_elements_are_moved(name: str) -> None:
    """A weight and an input are joined, transposed, reshaped, cut and gathered, and only then become numbers."""
    type_ = TensorProto.DataType.Value(name)
    dtype = helper.tensor_dtype_to_np_dtype(type_)
    values = np.arange(3, 15, dtype=np.uint8) % (4 if name.endswith("2") and "INT" in name else 16)
    given = values.view(dtype).reshape(3, 4)
    weight = numpy_helper.from_array(given[::-1].copy(), "w")
    nodes = [
        helper.make_node("Concat", ["x", "w"], ["c"], axis=0),
        helper.make_node("Transpose", ["c"], ["t"], perm=[1, 0]),
        helper.make_node("Identity", ["t"], ["i"]),
        helper.make_node("Slice", ["i", "starts", "ends", "axes", "steps"], ["s"]),
        helper.make_node("Reshape", ["s", "shape"], ["r"]),
        helper.make_node("Gather", ["r", "places"], ["g"], axis=1),
        helper.make_node("Cast", ["g"], ["y"], to=TensorProto.FLOAT),
    ]
    model = model_of(nodes, {"x": type_}, [3, 4], TensorProto.FLOAT)
    constants = {"starts": [3], "ends": [-9], "axes": [0], "steps": [-1], "shape": [3, 8], "places": [7, 0, 3, 3]}
    model.graph.initializer.append(weight)
    for key, numbers in constants.items():
        model.graph.initializer.append(numpy_helper.from_array(np.array(numbers, np.int64), key))
    (result,) = backend.prepare(model).run([given])
    joined = np.concatenate([given, given[::-1]]).T[::-1].reshape(3, 8)[:, [7, 0, 3, 3]]
    np.testing.assert_array_equal(result, joined.astype(np.float32))


def test_arithmetic_is_refused_where_it_stands() -> None:
    node = helper.make_node("Add", ["x", "x"], ["y"], name="sum")
    with pytest.raises(TilewrightError, match="expected integer or floating-point elements, but got f8E5M2") as raised:
        import_model(model_of([node], {"x": TensorProto.FLOAT8E5M2}, [2], TensorProto.FLOAT8E5M2))
    assert raised.value.code == "TW0303"


def test_arrays_of_the_wrong_type_are_refused() -> None:
    node = helper.make_node("Cast", ["x"], ["y"], to=TensorProto.FLOAT)
    program = backend.prepare(model_of([node], {"x": TensorProto.FLOAT8E5M2}, [2], TensorProto.FLOAT))
    with pytest.raises(TilewrightError, match="float8_e5m2") as raised:
        program.run([np.zeros(2, ml_dtypes.float8_e4m3fn)])
    assert raised.value.code == "TW0703"
