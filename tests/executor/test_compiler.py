"""`compiler.build` of 2018: parameters become constants, and come back as the code reads them."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright as tvm
from tilewright import relay
from tilewright.contrib import graph_executor


def test_parameters_of_a_function_become_those_of_the_graph() -> None:
    rng = np.random.default_rng(0)
    x, w = relay.var("x", shape=(2, 6), dtype="float32"), relay.var("w", shape=(4, 6), dtype="float32")
    function, weights = relay.Function([x, w], relay.nn.relu(relay.nn.dense(x, w))), rng.random((4, 6), np.float32)
    data = rng.random((2, 6), np.float32)
    for target in ("llvm", "c", tvm.target.Target("llvm")):
        graph, lib, params = tvm.compiler.build(function, target, {"w": weights})
        module = graph_executor.create(graph, lib, tvm.cpu())
        module.set_input(**params)
        module.run(x=data)
        np.testing.assert_allclose(module.get_output(0), np.maximum(data @ weights.T, 0), rtol=1e-5)
        assert module.get_input_info()[0] == {"x": (2, 6)}
    for name in ("shape", "dtype", "layout"):
        with pytest.raises(tvm.TilewrightError, match=f"TW0209.*no argument '{name}'"):
            tvm.compiler.build(function, "llvm", {}, **{name: {"x": (2, 6)}})
    with pytest.raises(tvm.TilewrightError, match="TW0702.*none named 'v'"):
        tvm.compiler.build(function, "llvm", {"v": weights})
