"""Models of other frameworks as functions of relay."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import onnxruntime
import pytest
import tilewright as tvm
from onnx import TensorProto, helper, save
from small_network import network
from tilewright import relay

IMAGE = np.random.default_rng(1).standard_normal((1, 3, 16, 16), np.float32)


def expected(model: Any, **given: np.ndarray) -> np.ndarray:
    return onnxruntime.InferenceSession(model.SerializeToString()).run(None, given)[0]


@pytest.mark.parametrize("freeze_params", [True, False])
def test_a_model_of_onnx_with_its_weights_inside_or_as_parameters(freeze_params: bool) -> None:
    mod, params = relay.frontend.from_onnx(network(), freeze_params=freeze_params, dtype="float32")
    names = [param.name_hint for param in mod["main"].params]
    assert names == ["data", *params] and bool(params) is not freeze_params
    if params:
        assert all(params[name].shape == mod["main"].params[k].checked_type.shape for k, name in enumerate(params, 1))
        assert {"w0", "w1"} <= params.keys(), "weights have their names in the model"
    lib = relay.build(mod, target="llvm", params=params)
    executor = lib["default"](tvm.cpu(0))
    executor.run(data=IMAGE)
    np.testing.assert_allclose(executor.get_output(0), expected(network(), data=IMAGE), rtol=1e-4, atol=1e-5)


def test_shapes_and_files(tmp_path: Path) -> None:
    a = helper.make_tensor_value_info("a", TensorProto.FLOAT, ["n", 4])
    b = helper.make_tensor_value_info("b", TensorProto.FLOAT, ["n", 4])
    model = helper.make_model(
        helper.make_graph([helper.make_node("Relu", ["a"], ["b"])], "g", [a], [b]),
        opset_imports=[helper.make_opsetid("", 17)],
    )
    save(model, tmp_path / "model.onnx")
    for given in (model, str(tmp_path / "model.onnx"), tmp_path / "model.onnx", model.SerializeToString()):
        mod, _ = relay.frontend.from_onnx(given, {"a": (3, 4)}, opset=17)
        assert mod["main"].ret_type == relay.TensorType((3, 4))
    open_, _ = relay.frontend.from_onnx(model)
    assert open_["main"].ret_type == relay.TensorType(("n", 4))
    with pytest.raises(tvm.TilewrightError, match="(?s)TW0306.*expected opset 17.*but got 13.*version_converter"):
        relay.frontend.from_onnx(model, opset=13)


def test_an_imported_function_goes_on_as_an_expression() -> None:
    mod, _ = relay.frontend.from_onnx(network())
    main = mod["main"]
    function = relay.Function(main.params, relay.nn.softmax(relay.nn.batch_flatten(main.body)))
    result = expected(network(), data=IMAGE).reshape(1, -1)
    e = np.exp(result - result.max())
    found = relay.create_executor("graph").evaluate(function)(IMAGE)
    np.testing.assert_allclose(found, e / e.sum(), rtol=1e-4, atol=1e-6)


class _Exported:
    """A model of Keras 3 as far as it is read here: a method that writes it as ONNX."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error

    def export(self, path: str, format: str, verbose: bool) -> None:
        assert format == "onnx" and not verbose
        if self.error is not None:
            raise self.error
        save(network(), path)


def test_a_model_of_keras_is_read_as_it_exports_itself() -> None:
    """docs/relay.md names the releases of Keras and TensorFlow with which models were compared."""
    for reader in (relay.frontend.from_keras, tvm.frontend.from_keras):
        mod, params = reader(_Exported())
        assert not params
        found = relay.create_executor("graph", mod).evaluate()(IMAGE)
        np.testing.assert_allclose(found, expected(network(), data=IMAGE), rtol=1e-4, atol=1e-5)
    with pytest.raises(tvm.TilewrightError, match="(?s)TW0301.*never called.*call the model once"):
        relay.frontend.from_keras(_Exported(ValueError("The model was never called.")))
    with pytest.raises(tvm.TilewrightError, match="TW0725.*expected a model of Keras 3, but got int"):
        relay.frontend.from_keras(3)
    with pytest.raises(tvm.TilewrightError, match="TW0209.*expected layout"):
        relay.frontend.from_keras(_Exported(), layout="CHWN")


def test_where_the_extra_is_missing_the_two_lines_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = r"(?s)TW0251.*needs tf2onnx, which is not installed.*{}.*from_onnx\(.model.onnx.\).*tilewright\[keras\]"
    with pytest.raises(tvm.TilewrightError, match=lines.format(r"model.export\(.model.onnx., format=.onnx.\)")):
        relay.frontend.from_keras(_Exported(ImportError("no tf2onnx")))
    monkeypatch.setitem(sys.modules, "tf2onnx", None)
    with pytest.raises(tvm.TilewrightError, match=lines.format("python -m tf2onnx.convert")):
        relay.frontend.from_tensorflow(object(), shape={"x": (1, 3)}, outputs=["y"])


def test_a_graph_of_tensorflow_is_read_as_tf2onnx_writes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def from_graph_def(graph: object, input_names: list[str], output_names: list[str]) -> tuple[Any, None]:
        assert (graph, input_names, output_names) == ("graph", ["data:0"], ["y:0"])
        model = network()
        model.graph.input[0].name = model.graph.node[0].input[0] = "data:0"
        return model, None

    converter = SimpleNamespace(convert=SimpleNamespace(from_graph_def=from_graph_def))
    monkeypatch.setitem(sys.modules, "tf2onnx", converter)
    mod, _ = relay.frontend.from_tensorflow("graph", shape={"data": (1, 3, 16, 16)}, outputs=["y"])
    found = relay.create_executor("graph", mod).evaluate()(IMAGE)
    np.testing.assert_allclose(found, expected(network(), data=IMAGE), rtol=1e-4, atol=1e-5)
    with pytest.raises(tvm.TilewrightError, match="(?s)TW0209.*shapes of the inputs and the names of the outputs"):
        relay.frontend.from_tensorflow("graph")


def test_other_frameworks_go_through_onnx() -> None:
    for name in ("from_pytorch", "from_mxnet", "from_tflite", "from_caffe"):
        with pytest.raises(tvm.TilewrightError, match=f"(?s)TW0251.*'relay.frontend.{name}'.*relay.frontend.from_onnx"):
            getattr(relay.frontend, name)
