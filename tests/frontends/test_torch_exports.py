"""ResNet-50 v1.5 and MobileNetV2 in the form that torch exports them, batch fixed and open."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import onnx
import pytest
from tilewright.dialects import context, graph
from tilewright.frontends.onnx import import_model
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline

from .models import onnxruntime_results, reference_results
from .torch_exports import mobilenet, resnet

CHAIN = ("shape", "gather", "concat", "unsqueeze", "cast")


@pytest.mark.parametrize("network", [resnet, mobilenet])
@pytest.mark.parametrize("batch", [1, 3, "batch_size"])
@pytest.mark.parametrize("opset", [13, 17, 22])
def test_agrees_with_onnxruntime(network: Callable[..., onnx.ModelProto], batch: int | str, opset: int) -> None:
    model = network(batch, opset)
    module = import_model(model)
    module.verify()
    names = {op.name.removeprefix("graph.") for op in module.walk() if isinstance(op, graph.GraphOp)}
    assert not names & set(CHAIN)
    x = np.random.default_rng(2).standard_normal((batch if isinstance(batch, int) else 2, 3, 32, 32)).astype(np.float32)
    (actual,), (expected,) = reference_results(module, x), onnxruntime_results(model, x)
    np.testing.assert_allclose(actual, expected, rtol=1e-4, atol=1e-4)
    results = [op for op in module.walk() if op.name == "func.return"][0].operand_types
    assert graph.shape_of(results[0]) == (batch, 10)


@pytest.mark.parametrize(
    ("network", "groups"),
    [
        (resnet, {"conv2d_relu": 9, "conv2d_add_relu": 4}),
        (mobilenet, {"conv2d_clip": 7, "conv2d_add": 2}),
    ],
)
def test_convolutions_take_their_epilogues(network: Callable[..., onnx.ModelProto], groups: dict[str, int]) -> None:
    module = import_model(network())
    PassManager(parse_pipeline("infer-types,simplify-inference,fold-constant,dead-code,fuse")).run(context(), module)
    names = [op.group.data for op in module.walk() if isinstance(op, graph.FusedOp)]
    assert {name: names.count(name) for name in names} == groups
