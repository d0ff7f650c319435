"""Programs of the list on functions of relay: models from files, networks, passes and instruments."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
import tilewright as tvm
from small_network import network
from tilewright import relay, te, tir
from tilewright.contrib import graph_executor
from tilewright.relay import testing


def test_a_model_from_a_file_as_source_of_c(tmp_path: Path) -> None:
    """The last cell of a notebook: a model with its weights inside, built for C, its source printed; and run."""
    onnx.save(network(), tmp_path / "test-delegate-one-input.onnx")
    onnxmodel = onnx.load(tmp_path / "test-delegate-one-input.onnx")
    mod, params = relay.frontend.from_onnx(onnxmodel, freeze_params=True, dtype="float32")
    assert not params

    with tvm.transform.PassContext(opt_level=3), pytest.warns(DeprecationWarning, match="a factory gives its parts"):
        graph, lib, params = relay.build(mod["main"], target="c")

    source = lib.get_source()
    assert "#include <math.h>" in source and "static void main_1(" in source
    data = np.random.default_rng(1).standard_normal((1, 3, 16, 16), np.float32)
    module = graph_executor.create(graph, lib, tvm.cpu(0))
    module.load_params(tvm.runtime.save_param_dict(params))
    module.run(data=data)
    wanted = onnxruntime.InferenceSession(onnxmodel.SerializeToString()).run(None, {"data": data})[0]
    np.testing.assert_allclose(module.get_output(0), wanted, rtol=1e-4, atol=1e-5)


def test_square_roots_of_expressions_tensors_and_functions() -> None:
    x = np.float32([1, 4, 9])
    tensor = te.placeholder((3,), name="x")
    for sqrt in (te.sqrt, tir.sqrt):
        program = tvm.build([tensor, te.compute((3,), lambda i, f=sqrt: f(tensor[i]), name="y")], target="llvm")
        assert program(x).tolist() == [1, 2, 3]
    data = relay.var("data", shape=(3,))
    root = relay.sqrt(data)
    assert isinstance(root, relay.RelayExpr) and isinstance(root, tvm.ir.RelayExpr)
    assert relay.create_executor("graph").evaluate(relay.Function([data], root))(x).tolist() == [1, 2, 3]


def test_a_network_with_random_parameters_built_and_run(tmp_path: Path) -> None:
    """The quick start: a residual network, its text, a library that is exported and loaded, one image."""
    batch_size, num_class, image_shape = 1, 10, (3, 32, 32)
    mod, params = testing.resnet.get_workload(
        num_layers=8, batch_size=batch_size, image_shape=image_shape, num_classes=num_class
    )
    assert "graph.conv2d" in mod.astext(show_meta_data=False)
    with tvm.transform.PassContext(opt_level=3):
        lib = relay.build(mod, target="llvm", params=params)
    data = np.random.default_rng(3).uniform(-1, 1, size=(batch_size, *image_shape)).astype("float32")
    dev = tvm.cpu()
    module = graph_executor.GraphModule(lib["default"](dev))
    module.set_input("data", data)
    module.run()
    out = module.get_output(0, tvm.nd.empty((batch_size, num_class))).numpy()
    assert out.shape == (1, 10) and abs(out.sum() - 1) < 1e-5

    lib.export_library(str(tmp_path / "deploy_lib.so"))
    loaded = graph_executor.GraphModule(tvm.runtime.load_module(str(tmp_path / "deploy_lib.so"))["default"](dev))
    loaded.run(data=tvm.nd.array(data))
    np.testing.assert_array_equal(loaded.get_output(0).numpy(), out)


def branches() -> Any:
    """Return a convolution with constants added on two ways that are equal."""
    weight, x = relay.var("weight", shape=(8, 4, 3, 3)), relay.var("x", relay.TensorType((1, 4, 10, 10), "float32"))
    c = relay.const(np.random.default_rng(0).random((1, 8, 8, 8), np.float32))
    y = relay.add(relay.nn.conv2d(x, weight), relay.multiply(relay.add(c, c), relay.const(2, "float32")))
    return relay.Function([x, weight], relay.add(relay.add(y, c), relay.add(y, c)))


def test_passes_one_by_one_in_sequence_and_of_the_program() -> None:
    """A guide to passes: what each does to a function, levels of optimization, a pass that is written for it."""
    mod = tvm.IRModule.from_expr(branches())
    rng = np.random.default_rng(1)
    given = rng.random((1, 4, 10, 10), np.float32), rng.random((8, 4, 3, 3), np.float32)
    wanted = relay.create_executor("debug", mod).evaluate()(*given)

    folded = relay.transform.FoldConstant()(mod)
    assert relay.analysis.list_op_freqs(folded) == {"nn.conv2d": 1, "add": 4}
    once = relay.transform.EliminateCommonSubexpr()(folded)
    assert relay.analysis.list_op_freqs(once) == {"nn.conv2d": 1, "add": 3}
    seq = tvm.transform.Sequential(
        [
            relay.transform.FoldConstant(),
            relay.transform.EliminateCommonSubexpr(),
            relay.transform.FuseOps(fuse_opt_level=2),
        ]
    )
    with tvm.transform.PassContext(opt_level=3, disabled_pass=["EliminateCommonSubexpr"]):
        kept = seq(mod)
    assert str(kept).count("graph.add") == 4 and str(seq(mod)).count("graph.add") == 3

    @relay.transform.function_pass(opt_level=1)
    class ScaledConstants:
        """Multiply each constant."""

        def __init__(self, factor: Any) -> None:
            self.factor = factor

        def transform_function(self, func: Any, mod: Any, ctx: Any) -> Any:
            factor = self.factor

            class Scaling(relay.ExprMutator):
                def visit_constant(self, const: Any) -> Any:
                    return relay.multiply(factor, const)

            return Scaling().visit(func)

    tripled = ScaledConstants(factor=relay.const(3, "float32"))(mod)
    assert relay.analysis.list_op_freqs(tripled)["multiply"] == 1 + 2
    for module in (folded, once, kept, seq(mod)):
        np.testing.assert_allclose(tvm.compile(module)(*given), wanted, rtol=1e-5)


def test_an_instrument_counts_the_operators_that_passes_leave() -> None:
    """A guide to instruments: one that visits a function before and after each pass."""
    found: list[tuple[str, Counter[str]]] = []

    @tvm.instrument.pass_instrument
    class CallDifference:
        def __init__(self) -> None:
            self.before: list[Counter[str]] = []

        def run_before_pass(self, mod: Any, info: Any) -> None:
            self.before.append(self.count(mod))

        def run_after_pass(self, mod: Any, info: Any) -> None:
            found.append((info.name, self.before.pop() - self.count(mod)))

        def count(self, mod: Any) -> Counter[str]:
            return Counter(relay.analysis.list_op_freqs(tvm.IRModule(mod) if not hasattr(mod, "functions") else mod))

    passes = [relay.transform.FoldConstant(), relay.transform.EliminateCommonSubexpr()]
    with tvm.transform.PassContext(opt_level=3, instruments=[CallDifference()]):
        tvm.transform.Sequential(passes)(tvm.IRModule.from_expr(branches()))
    seen = dict(found)
    assert seen["fold-constant"] == {"add": 1, "multiply": 1}
    assert seen["eliminate-common-subexpressions"] == {"add": 1}
