"""Networks of relay.testing beside onnxruntime, which gets them as models of ONNX."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnxruntime
import pytest
import tilewright as tvm
from relay_as_onnx import as_onnx
from tilewright import relay
from tilewright.relay import testing

NETWORKS: dict[str, Any] = {
    "mlp": lambda: testing.mlp.get_workload(3),
    "resnet of 8 layers for small images": lambda: testing.resnet.get_workload(
        num_layers=8, image_shape=(3, 32, 32), num_classes=10
    ),
    "resnet of 18 layers": lambda: testing.resnet.get_workload(2, image_shape=(3, 64, 64)),
    "resnet of 50 layers": lambda: testing.resnet.get_workload(num_layers=50, image_shape=(3, 64, 64)),
    "mobilenet": lambda: testing.mobilenet.get_workload(image_shape=(3, 64, 64)),
    "mobilenet NHWC": lambda: testing.mobilenet.get_workload(image_shape=(64, 64, 3), layout="NHWC"),
    "resnet of 18 layers NHWC": lambda: testing.resnet.get_workload(image_shape=(48, 48, 3), layout="NHWC"),
}
_QUICK = ("mlp", "resnet of 8 layers for small images", "mobilenet NHWC")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in _QUICK else pytest.mark.full) for name in NETWORKS]
)
def test_a_network_computes_as_onnxruntime(name: str) -> None:
    mod, params = NETWORKS[name]()
    lib = relay.build(mod, target="llvm", params=params)
    data = mod["main"].params[0]
    assert data.name_hint == "data"
    x = np.random.default_rng(5).standard_normal(data.checked_type.concrete_shape).astype(np.float32)
    executor = lib["default"](tvm.cpu(0))
    executor.set_input("data", x)
    executor.run()
    model = as_onnx(mod["main"], params)
    wanted = onnxruntime.InferenceSession(model.SerializeToString()).run(None, {"data": x})[0]
    assert wanted.std() > 0
    np.testing.assert_allclose(executor.get_output(0), wanted, rtol=1e-3, atol=1e-5)


def test_networks_have_the_parameters_of_their_layers() -> None:
    """Weights by the names of the layers, of their sizes; equal seeds give equal numbers."""
    net = testing.resnet.get_net(1, 1000, 18, (3, 224, 224))
    mod, params = testing.create_workload(net)
    sizes = {name: value.shape for name, value in params.items()}
    assert sizes["conv0_weight"] == (64, 3, 7, 7) and sizes["stage4_unit1_sc_weight"] == (512, 256, 1, 1)
    assert sizes["fc1_weight"] == (1000, 512) and sizes["stage2_unit2_bn2_moving_var"] == (128,)
    again = testing.create_workload(net)[1]
    assert all(np.array_equal(value, again[name]) for name, value in params.items())
    assert relay.analysis.count_layers(mod["main"], ["nn.conv2d"]) == 17
    assert relay.analysis.list_op_freqs(mod)["nn.conv2d"] == 21
    with pytest.raises(tvm.TilewrightError, match="TW0320.*expected 18, 34, 50"):
        testing.resnet.get_net(1, 1000, 17)
    with pytest.raises(tvm.TilewrightError, match="TW0320.*expected 6 n . 2"):
        testing.resnet.get_net(1, 10, 9, (3, 32, 32))


def test_arrays_are_filled_by_the_ends_of_their_names() -> None:
    fill = testing.init.Constant(3.0)
    for name, wanted in {"fc_bias": 0, "bn_gamma": 1, "bn_moving_mean": 0, "bn_moving_var": 1, "weight": 3}.items():
        given = np.full(4, 7.0, "float32")
        fill(name, given)
        assert np.all(given == wanted), name
    weights = np.zeros((64, 32, 3, 3), "float32")
    for kind in ("uniform", "gaussian"):
        testing.init.Xavier(kind, "in", 2)("weight", weights)
        assert abs(weights.std() - np.sqrt((2 / 3 if kind == "uniform" else 2) / 288)) < 2e-3
