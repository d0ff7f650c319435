"""The nine real networks that ship in the onnx package, ready to be compared with another runtime.

They are the graphs of well-known classifiers without their weights (`onnx/backend/test/data/light`, opset 9). As
shipped, every output is one repeated value; random weights make the outputs sensitive to a wrong layer.
"""

from __future__ import annotations

from pathlib import Path

import onnx

from .random_weights import with_random_weights

LIGHT_MODELS: tuple[str, ...] = (
    "bvlc_alexnet",
    "densenet121",
    "inception_v1",
    "inception_v2",
    "resnet50",
    "shufflenet",
    "squeezenet",
    "vgg19",
    "zfnet512",
)


def light_model_path(name: str) -> Path:
    """Return the file of one of `LIGHT_MODELS`."""
    return Path(onnx.__file__).parent / "backend" / "test" / "data" / "light" / f"light_{name}.onnx"


def light_model(name: str, seed: int | None = 0) -> onnx.ModelProto:
    """Return one of `LIGHT_MODELS` with seeded random weights and without its final softmax; as shipped for seed None.

    A softmax maps its input to numbers that add up to 1, and hides earlier errors: models are compared before it.
    """
    return prepared(onnx.load(light_model_path(name)), seed)


def prepared(model: onnx.ModelProto, seed: int | None) -> onnx.ModelProto:
    """Return a light model of a file with seeded random weights and without its final softmax; as it is for seed
    None."""
    return model if seed is None else before_softmax(without_constant_inputs(with_random_weights(model, seed)))


def without_constant_inputs(model: onnx.ModelProto) -> onnx.ModelProto:
    """Change `model` in place and return it: its initializers become constants rather than inputs with a default.

    Old files list every weight as an input too. A runtime must then expect another value in each call, and can neither
    fold nor repack it. Initializers that no node reads are dropped.
    """
    graph = model.graph
    constants = {tensor.name for tensor in graph.initializer}
    read = {name for node in graph.node for name in node.input}
    kept = [tensor for tensor in graph.initializer if tensor.name in read]
    del graph.initializer[:]
    graph.initializer.extend(kept)
    inputs = [value for value in graph.input if value.name not in constants]
    del graph.input[:]
    graph.input.extend(inputs)
    return model


def before_softmax(model: onnx.ModelProto) -> onnx.ModelProto:
    """Change `model` in place and return it: the input of a final softmax becomes its output."""
    graph = model.graph
    last = graph.node[-1]
    if last.op_type == "Softmax" and last.output[0] == graph.output[0].name:
        logits = last.input[0]
        del graph.node[-1]
        del graph.output[:]
        graph.output.append(onnx.helper.make_empty_tensor_value_info(logits))
        inferred = onnx.shape_inference.infer_shapes(model).graph
        known = [value for value in (*inferred.value_info, *inferred.output) if value.name == logits]
        graph.output[0].CopyFrom(next(v for v in known if v.type.tensor_type.HasField("elem_type")))
    return model
