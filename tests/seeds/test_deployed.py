"""Programs that compile a model in one place and run it in another: by `tvmc`, or from a graph and parameters."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
import tilewright as t
import tilewright.runtime as tr
from onnx import numpy_helper, save
from small_network import network
from tilewright.classic.tvmc import autotuner
from tilewright.frontends.onnx.light_models import light_model
from tilewright.schedule.records import read_records
from tilewright.tune.tasks import extract_tasks

SIZE = 224


def named_data(model: onnx.ModelProto) -> onnx.ModelProto:
    """Return the model, changed in place, whose input is called "data" and takes images of 224 x 224."""
    old = model.graph.input[0].name
    for node in model.graph.node:
        node.input[:] = ["data" if name == old else name for name in node.input]
    model.graph.input[0].name = "data"
    sizes = model.graph.input[0].type.tensor_type.shape.dim
    for size in sizes[2:]:
        size.dim_value = SIZE
    return model


def largest_difference(found: np.ndarray[Any, Any], path: Path, data: np.ndarray[Any, Any]) -> float:
    """Return the largest difference from onnxruntime's result, in terms of its spread."""
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    wanted = session.run(None, {session.get_inputs()[0].name: data})[0]
    assert found.shape == wanted.shape
    return float(np.abs(found - wanted).max() / np.ptp(wanted))


@pytest.mark.parametrize("name", ["small", pytest.param("resnet50", marks=pytest.mark.full)])
def test_a_network_loaded_compiled_and_run_by_tvmc(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save(named_data(network() if name == "small" else light_model(name)), "resnet50-v2-7.onnx")

    from tilewright.driver import tvmc

    model = tvmc.load("resnet50-v2-7.onnx", shape_dict={"data": [1, 3, 224, 224]})
    package = tvmc.compile(model, target="llvm")
    result = tvmc.run(package, device="cpu")
    text = str(result)

    assert "Execution time summary" in text and "['output_0']" in text and "'random': ['data']" in text
    data = np.random.default_rng(2).random((1, 3, SIZE, SIZE), np.float32)
    result = tvmc.run(package, device="cpu", inputs={"data": data})
    assert largest_difference(result.get_output("output_0"), tmp_path / "resnet50-v2-7.onnx", data) < 1e-4


@pytest.mark.parametrize("name", ["small", pytest.param("resnet50", marks=pytest.mark.full)])
def test_a_network_tuned_in_between(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save(named_data(network() if name == "small" else light_model(name)), "resnet50-v2-7.onnx")
    monkeypatch.setattr(autotuner, "TRIALS", 2)  # of each kernel; the default takes minutes

    from tilewright.driver import tvmc

    model = tvmc.load("resnet50-v2-7.onnx", shape_dict={"data": [1, 3, 224, 224]})
    tuning_records = tvmc.tune(model, target="llvm")
    package = tvmc.compile(model, target="llvm", tuning_records=tuning_records)
    result = tvmc.run(package, device="cpu")
    text = str(result)

    assert "Execution time summary" in text and "['output_0']" in text
    records = read_records(tuning_records).records
    tasks = extract_tasks("resnet50-v2-7.onnx", shapes={"data": [1, 3, 224, 224]})
    assert len([each for each in records if each.role == "trial"]) == 2 * len(tasks)
    assert {each.task for each in records} == {each.key for each in tasks}
    data = np.random.default_rng(2).random((1, 3, SIZE, SIZE), np.float32)
    result = tvmc.run(package, device="cpu", inputs={"data": data})
    assert largest_difference(result.get_output("output_0"), tmp_path / "resnet50-v2-7.onnx", data) < 1e-4


def test_a_graph_a_library_and_parameters_of_2018(tmp_path: Path) -> None:
    model = network()
    save(model, tmp_path / "model.onnx")
    keras_model = SimpleNamespace(export=lambda path, **form: save(model, path))  # Keras, an extra, exports itself
    data_array = np.random.default_rng(2).random((1, 3, 16, 16), np.float32)
    out_shape = (1, 5)

    graph, params = t.frontend.from_keras(keras_model)
    target = t.target.Target("llvm")
    graph, lib, params = t.compiler.build(graph, target, params)
    module = tr.create(graph, lib, tr.cpu(0))
    module.set_input(**params)
    module.run(data=data_array)
    output = t.nd.empty(out_shape, ctx=tr.cpu(0))
    module.get_output(0, output)

    assert largest_difference(output.numpy(), tmp_path / "model.onnx", data_array) < 1e-4
    module.set_input(**{name: t.nd.array(2 * value) for name, value in params.items() if value.shape == (5,)})
    module.run()
    bias = next(numpy_helper.to_array(w) for w in model.graph.initializer if w.name == "b2")
    np.testing.assert_allclose(module.get_output(0).numpy(), output.numpy() + bias, rtol=1e-5, atol=1e-6)
