"""`driver.tvmc`: models loaded, compiled, packaged and run, and what is refused."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from onnx import TensorProto, helper, save
from small_network import network
from tilewright import relay
from tilewright.driver import tvmc
from tilewright.driver.tvmc.model import TVMCModel, TVMCPackage, TVMCResult

DATA = np.random.default_rng(4).random((1, 3, 16, 16), np.float32)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("model") / "network.onnx"
    save(network(), file)
    return file


@pytest.fixture(scope="module")
def package(path: Path) -> TVMCPackage:
    return tvmc.compile(tvmc.load(path), "llvm")


def refused(code: str, message: str):
    return pytest.raises(tvm.TilewrightError, match=rf"(?s){code}.*{message}")


def of_open_size(tmp_path: Path) -> str:
    node = helper.make_node("Relu", ["x"], ["y"])
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", 3]) for name in "xy"]
    graph = helper.make_graph([node], "g", values[:1], values[1:])
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), tmp_path / "open.onnx")
    return str(tmp_path / "open.onnx")


def test_a_package_gives_what_the_program_gives(path: Path, package: TVMCPackage) -> None:
    result = tvmc.run(package, device="cpu", inputs={"data": DATA})
    assert isinstance(result, TVMCResult) and [*result.outputs] == ["output_0"]
    np.testing.assert_array_equal(result.get_output("output_0"), tvm.compile(str(path))(DATA))
    with refused("TW0702", "expected one of the outputs output_0, but got 'output_1'"):
        result.get_output("output_1")
    executor = tvm.contrib.graph_executor.GraphModule(package.module["default"](tvm.cpu()))
    executor.run(data=DATA, **package.params)
    np.testing.assert_array_equal(executor.get_output(0), result.get_output("output_0"))
    assert '"tvmgen_default_main"' in package.graph and package.executor_type == "graph"


@pytest.mark.parametrize("ending", ["tar", "so"])
def test_packages_are_files(path: Path, package: TVMCPackage, tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"module.{ending}"
    written = tvmc.compile(tvmc.load(str(path)), target="llvm", package_path=str(file))
    assert written.package_path == str(file)
    loaded = TVMCPackage(package_path=file)
    for each in (written, loaded):
        outputs = tvmc.run(each, "cpu", inputs={"data": DATA}).outputs
        np.testing.assert_array_equal(outputs["output_0"], package.module(DATA))
    with refused("TW0209", "package_path to end in .tar or .so"):
        tvmc.compile(tvmc.load(path), "llvm", package_path=tmp_path / "module.zip")
    with refused("TW0204", "none.tar"):
        TVMCPackage(tmp_path / "none.tar")


def test_texts_beside_a_package(path: Path, tmp_path: Path) -> None:
    tvmc.compile(tvmc.load(path), "llvm", package_path=tmp_path / "m.so", dump_code="asm,ll, tir,relay")
    texts = {kind: (tmp_path / f"m.so.{kind}").read_text() for kind in ("asm", "ll", "tir", "relay")}
    for kind, words in {"asm": ".text", "ll": "define", "tir": "loop.for", "relay": "graph.conv2d"}.items():
        assert words in texts[kind], kind
    with refused("TW0209", "package_path beside dump_code"):
        tvmc.compile(tvmc.load(path), "llvm", dump_code="asm")
    with refused("TW0209", "dump_code to list asm, ll, .*, but got 'wasm'"):
        tvmc.compile(tvmc.load(path), "llvm", package_path=tmp_path / "m.so", dump_code=["wasm"])


def test_inputs_that_nobody_gives_are_drawn(package: TVMCPackage) -> None:
    known = {"zeros": np.zeros_like(DATA), "ones": np.ones_like(DATA)}
    for mode, data in known.items():
        result = tvmc.run(package, "cpu", fill_mode=mode)
        np.testing.assert_array_equal(result.get_output("output_0"), package.module(data))
        assert f"Inputs filled by '{mode}': ['data']" in str(result)
    first, second = (tvmc.run(package, "cpu").get_output("output_0") for _ in range(2))
    np.testing.assert_array_equal(first, second)
    assert not any(np.array_equal(first, package.module(data)) for data in known.values())
    assert "filled" not in str(tvmc.run(package, "cpu", inputs={"data": DATA}))
    with refused("TW0209", "fill_mode to be random, zeros, ones, but got 'zero'; did you mean 'zeros'"):
        tvmc.run(package, "cpu", fill_mode="zero")
    with refused("TW0702", "expected inputs of data, but got 'date'; did you mean 'data'"):
        tvmc.run(package, "cpu", inputs={"date": DATA})
    with refused("TW0703", "float32, but got float64"):
        tvmc.run(package, "cpu", inputs={"data": DATA.astype(np.float64)})


def test_times_and_profiles(package: TVMCPackage, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    result = tvmc.run(package, "cpu", print_time=True, repeat=3, number=2)
    printed = capsys.readouterr().out
    assert len(result.times.results) == 3 and printed == f"{result.format_times()}\n"
    assert printed.splitlines()[1].split()[::2] == ["mean", "median", "max", "min", "std"]
    assert [float(figure) >= 0 for figure in printed.splitlines()[2].split()] == [True] * 5
    result = tvmc.run(package, "cpu", profile=True)
    assert not capsys.readouterr().out and "conv2d" in str(result)
    result.save(tmp_path / "out.npz")
    with np.load(tmp_path / "out.npz") as saved:
        np.testing.assert_array_equal(saved["output_0"], result.get_output("output_0"))


def test_kernels_in_the_simulator(tmp_path: Path) -> None:
    model = tvmc.load(of_open_size(tmp_path), shape_dict={"x": [4, 3]})
    package = tvmc.compile(model, "cuda", device="simulator")
    x = np.linspace(-1, 1, 12, dtype=np.float32).reshape(4, 3)
    np.testing.assert_array_equal(tvmc.run(package, "cuda", inputs={"x": x}).get_output("output_0"), np.maximum(x, 0))


def test_open_sizes_need_their_inputs(tmp_path: Path) -> None:
    path = of_open_size(tmp_path)
    package, x = tvmc.compile(tvmc.load(path), "llvm"), np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3)
    np.testing.assert_array_equal(tvmc.run(package, "cpu", inputs={"x": x}).get_output("output_0"), np.maximum(x, 0))
    with refused("TW0209", "whose size is open, among the inputs"):
        tvmc.run(package, "cpu")
    with refused("TW0781", "open size"):
        _ = package.graph
    fixed = tvmc.load(path, shape_dict={"x": [4, 3]})
    assert tvmc.run(tvmc.compile(fixed, "llvm"), "cpu").get_output("output_0").shape == (4, 3)


def test_models_are_modules_too(path: Path, package: TVMCPackage, tmp_path: Path) -> None:
    model = tvmc.load(path)
    text = io.StringIO()
    model.summary(text)
    assert "graph.conv2d" in text.getvalue() and model.params == {} and model.name == "default"
    model.save(tmp_path / "saved.mlir")
    for again in (
        tvmc.load(tmp_path / "saved.mlir", model_format="mlir"),
        TVMCModel(model.mod),
        TVMCModel(model.mod.op),
    ):
        found = tvmc.run(tvmc.compile(again, "llvm"), "cpu", inputs={"data": DATA})
        np.testing.assert_array_equal(found.get_output("output_0"), package.module(DATA))
    with refused("TW0209", "ends in .mlir"):
        model.save(tmp_path / "saved.tar")
    with refused("TW0725", "'mod'"):
        TVMCModel("network.onnx")


def test_settings_reach_the_passes(path: Path, tmp_path: Path) -> None:
    model = tvmc.load(path)
    tvmc.compile(
        model, "llvm", opt_level=1, package_path=tmp_path / "m.so", dump_code="ll",
        pass_context_configs=["tir.disable_vectorize=true"], disabled_pass=["fuse"], mod_name="mine",
    )  # fmt: skip
    assert " x float>" not in (tmp_path / "m.so.ll").read_text()
    assert '"tvmgen_mine_main"' in tvmc.compile(model, "llvm", mod_name="mine").graph
    for settings in (["vectorize"], {"tir.vectorize": 1}):
        with refused("TW020[79]", "vectorize"):
            tvmc.compile(model, "llvm", pass_context_configs=settings)


def test_files_that_are_no_models(path: Path, tmp_path: Path) -> None:
    for code, message, given, options in (
        ("TW0301", "none.onnx", tmp_path / "none.onnx", {}),
        ("TW0209", "ONNX or MLIR, but got the format 'keras'", "model.h5", {"model_format": "keras"}),
        ("TW0209", "unknown format 'onx'; did you mean 'onnx'", path, {"model_format": "onx"}),
        ("TW0209", "ends in .mlir", path, {"model_format": "mlir"}),
        ("TW0209", "no option 'freeze'", path, {"freeze": True}),
        ("TW0725", "'path'", 3, {}),
    ):
        with refused(code, message):
            tvmc.load(given, **options)  # type: ignore[arg-type]


def test_what_this_package_lacks(path: Path, package: TVMCPackage) -> None:
    model = tvmc.load(path)
    for name in ("hostname", "rpc_key"):
        with refused("TW0251", "runs on other machines"):
            tvmc.tune(model, target="llvm", **{name: "board"})
    with refused("TW0209", "expected the tuner xgb, ga, random, gridsearch, but got 'grid'"):
        tvmc.tune(model, target="llvm", tuner="grid")
    with refused("TW0209", "expected compile_timeout to be at least 1 second, but got 0"):
        tvmc.tune(model, target="llvm", compile_timeout=0)
    choices: dict[str, Any] = {
        "executor": "aot", "runtime": "other", "output_format": "mlf", "use_vm": True,
        "cross": "gcc", "desired_layout": "NHWC", "workspace_pools": [], "additional_target_options": {"llvm": {}},
    }  # fmt: skip
    for name, value in choices.items():
        with refused("TW0251", f"'{name}.*is not part of this package"):
            tvmc.compile(model, "llvm", **{name: value})
    for name in ("hostname", "rpc_key"):
        with refused("TW0251", "runs on other machines"):
            tvmc.run(package, "cpu", **{name: "board"})
    with refused("TW0209", "no option 'x'"):
        tvmc.run(package, "cpu", options={"x": 1})
    with refused("TW0725", "'device' to be cpu, but got cuda"):
        tvmc.run(package, "cuda")
    with refused("TW0725", "'tvmc_package'"):
        tvmc.run(model, "cpu")  # type: ignore[arg-type]
    with refused("TW0725", "'tvmc_model'"):
        tvmc.compile(package, "llvm")  # type: ignore[arg-type]
    with refused("TW0225", "has no attribute 'runn'; did you mean 'run'"):
        _ = tvmc.runn  # type: ignore[attr-defined]


def test_models_of_relay_with_their_parameters(package: TVMCPackage) -> None:
    mod, params = relay.frontend.from_onnx(network(), freeze_params=False)
    assert {"w0", "w1"} <= params.keys()
    model = TVMCModel(mod, params, name="mine")
    found = tvmc.run(tvmc.compile(model, "llvm", mod_name=None), "cpu", inputs={"data": DATA})
    np.testing.assert_array_equal(found.get_output("output_0"), package.module(DATA))
    text = io.StringIO()
    model.summary(text)
    assert f"params: {[*params]}" in text.getvalue()
