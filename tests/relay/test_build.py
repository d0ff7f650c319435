"""Compilation of functions of relay: factories, executors, parameters, targets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from tilewright import relay
from tilewright.contrib import graph_executor
from tilewright.relay.backend import Executor, Runtime

RNG = np.random.default_rng(3)
ROWS, WEIGHTS, BIAS = (RNG.standard_normal(shape).astype("float32") for shape in ((4, 12), (8, 12), (8,)))
WANTED = np.maximum(ROWS @ WEIGHTS.T + BIAS, 0)


def layer() -> Any:
    x, w, b = relay.var("x", shape=(4, 12)), relay.var("w"), relay.var("b")
    return relay.Function([x, w, b], relay.nn.relu(relay.nn.bias_add(relay.nn.dense(x, w, units=8), b)))


def params() -> dict[str, Any]:
    return {"w": tvm.nd.array(WEIGHTS), "b": BIAS}


def test_a_factory_gives_executors_and_the_parts_of_a_model() -> None:
    with tvm.transform.PassContext(opt_level=3):
        lib = relay.build(tvm.IRModule.from_expr(layer()), target="llvm", params=params(), mod_name="layer")
    for make in (lib["default"], lib["layer"]):
        module = graph_executor.GraphModule(make(tvm.cpu(0)))
        module.run(x=ROWS)
        np.testing.assert_allclose(module.get_output(0), WANTED, rtol=1e-5, atol=1e-6)
    graph = json.loads(lib.get_graph_json())
    assert graph["nodes"][0]["name"] == "x" and len(graph["arg_nodes"]) == 1 + len(lib.get_params())
    with pytest.warns(DeprecationWarning, match="get_graph_json"):
        text, library, values = lib
    executor = graph_executor.create(text, library, tvm.cpu(0))
    executor.set_input(**values)
    executor.set_input("x", ROWS)
    executor.run()
    np.testing.assert_allclose(executor.get_output(0), WANTED, rtol=1e-5, atol=1e-6)


def test_parameters_may_stay_arguments() -> None:
    lib = relay.build(tvm.IRModule.from_expr(layer()), "llvm")
    assert not lib.get_params()
    module = lib["default"](tvm.cpu(0))
    module.set_input("x", ROWS, **params())
    module.run()
    np.testing.assert_allclose(module.get_output(0), WANTED, rtol=1e-5, atol=1e-6)


def test_what_is_built() -> None:
    """Modules, functions of relay and of modules, expressions; targets and their hosts in each classic form."""
    module = tvm.IRModule.from_expr(layer())
    for given in (module, module["main"], layer(), layer().body):
        program = relay.build(given, "llvm", params=params()).get_lib()
        np.testing.assert_allclose(program(ROWS), WANTED, rtol=1e-5, atol=1e-6)
    for target in (tvm.target.Target("llvm"), {"cpu": "llvm"}, ["llvm"], {"kind": "llvm"}):
        program = relay.build(module, target, target_host="llvm", params=params()).get_lib()
        np.testing.assert_allclose(program(ROWS), WANTED, rtol=1e-5, atol=1e-6)
    with pytest.raises(tvm.TilewrightError, match="TW0612.*expected one target"):
        relay.build(module, {"cpu": "llvm", "cuda": "cuda"})


def test_the_library_of_a_model_as_source_of_c() -> None:
    lib = relay.build(layer(), target="c", executor=Executor("graph"), runtime=Runtime("cpp"), params=params())
    source = lib.get_lib().get_source()
    assert "static void main_1(" in source or "void main(" in source
    np.testing.assert_allclose(lib.get_lib()(ROWS), WANTED, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", ["layer.so", "layer.tar"])
def test_a_model_is_exported_and_loaded(name: str, tmp_path: Path) -> None:
    lib = relay.build(layer(), target="llvm", params=params())
    lib.export_library(tmp_path / name)
    module = tvm.runtime.load_module(tmp_path / name)["default"](tvm.cpu(0))
    module.run(x=ROWS)
    np.testing.assert_allclose(module.get_output(0), WANTED, rtol=1e-5, atol=1e-6)


def test_parameters_fit_the_arguments() -> None:
    module = tvm.IRModule.from_expr(layer())
    with pytest.raises(tvm.TilewrightError, match="TW0702.*none named 'weight'"):
        relay.build(module, "llvm", params={"weight": WEIGHTS})
    with pytest.raises(
        tvm.TilewrightError, match="TW0321.*expected a value of type .*float32. for 'w', but got .*float64"
    ):
        relay.build(module, "llvm", params={"w": WEIGHTS.astype("float64")})
    bound = relay.build_module.bind_params_by_name(module["main"], params())
    assert [param.name_hint for param in bound.params] == ["x"]
    with pytest.raises(tvm.TilewrightError, match="TW0257.*expected a function named 'main'"):
        relay.build(tvm.IRModule({"first": layer().op, "second": layer().op}), params=params())


@pytest.mark.parametrize("given", [{"executor": Executor("aot")}, {"executor": "vm"}, {"runtime": Runtime("crt")}])
def test_executors_and_runtimes_that_are_missing(given: dict[str, Any]) -> None:
    with pytest.raises(tvm.TilewrightError, match="(?s)TW0251.*is not part of this package.*-o x.c"):
        relay.build(layer(), "llvm", **given)


def test_pools_of_memory_are_refused() -> None:
    with pytest.raises(tvm.TilewrightError, match="(?s)TW0251.*pools of memory.*plan-arena"):
        relay.build(layer(), "llvm", workspace_memory_pools=object())  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["graph", "debug"])
def test_executors_evaluate_functions(kind: str) -> None:
    module = tvm.IRModule.from_expr(layer())
    executor = relay.create_executor(kind, mod=module, device=tvm.cpu(0), target="llvm", params=params())
    np.testing.assert_allclose(executor.evaluate()(ROWS).numpy(), WANTED, rtol=1e-5, atol=1e-6)
    function = relay.create_executor(kind, mod=module).evaluate()
    np.testing.assert_allclose(function(ROWS, b=BIAS, w=WEIGHTS).numpy(), WANTED, rtol=1e-5, atol=1e-6)
    x = relay.var("x", shape=(3,))
    pair = relay.create_executor(kind).evaluate(relay.Function([x], relay.Tuple([x + 1.0, relay.exp(x)])))
    found = pair(np.zeros(3, "float32"))
    assert isinstance(found, list) and [each.numpy().tolist() for each in found] == [[1, 1, 1], [1, 1, 1]]
    value = relay.create_executor(kind).evaluate(relay.const(2.0) * relay.const(3.0))
    assert value.numpy() == 6
    bound = relay.create_executor(kind).evaluate(x * 2.0, binds={x: np.float32([1, 2, 3])})
    assert bound.numpy().tolist() == [2, 4, 6]
    with pytest.raises(tvm.TilewrightError, match="TW070"):
        function(ROWS)


def test_executors_that_do_not_exist() -> None:
    for kind in ("vm", "aot"):
        with pytest.raises(tvm.TilewrightError, match=f"(?s)TW0251.*executor '{kind}' is not part.*tilewright compile"):
            relay.create_executor(kind)


def test_a_model_for_a_gpu_in_the_simulator() -> None:
    compiled = tvm.compile(tvm.IRModule.from_expr(layer()), "cuda", device="simulator", copy=True)
    np.testing.assert_allclose(compiled(ROWS, WEIGHTS, BIAS), WANTED, rtol=1e-5, atol=1e-6)


def test_sizes_may_be_known_when_a_program_is_called() -> None:
    x, w = relay.var("x", shape=("n", 12)), relay.var("w", shape=(8, 12))
    function = relay.Function([x, w], relay.nn.softmax(relay.nn.dense(x, w) + 1.0))
    program = relay.create_executor("graph").evaluate(function)
    for count in (1, 4):
        e = np.exp(ROWS[:count] @ WEIGHTS.T + 1)
        np.testing.assert_allclose(program(ROWS[:count], WEIGHTS), e / e.sum(1, keepdims=True), rtol=1e-5)
    with pytest.raises(tvm.TilewrightError, match="TW0781"):
        relay.build(function, "llvm").get_graph_json()


def test_passes_of_the_graph_level_alone() -> None:
    module, left = relay.optimize(tvm.IRModule.from_expr(layer()), "llvm -mcpu=x86-64-v3", params())
    assert not left and "tw.target" in str(module.op.attributes)
    text = module.script()
    assert "graph.add" not in text and "func.call" not in text, "the bias is an operand of the dense layer"
    np.testing.assert_allclose(tvm.compile(module)(ROWS), WANTED, rtol=1e-5, atol=1e-6)


def test_parameters_are_saved_as_by_the_runtime() -> None:
    data = relay.save_param_dict(params())
    assert data == tvm.runtime.save_param_dict(params())
    assert sorted(relay.load_param_dict(data)) == ["b", "w"]
