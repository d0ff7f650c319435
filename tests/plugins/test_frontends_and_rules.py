"""Frontends and schedule rules of users, and what tilewright.compile takes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import tilewright
from tilewright import te
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.driver import emit
from tilewright.driver.compiler_state import is_as_shipped
from tilewright.frontends import registry as frontends
from tilewright.schedule.rules import registered
from tilewright.tools.cli import main
from xdsl.dialects.builtin import ModuleOp

RELU = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.relu %x : tensor<4xf32>
  func.return %y : tensor<4xf32>
}
"""
X = np.array([-1, 2, -3, 4], np.float32)


@pytest.fixture(autouse=True)
def forgotten(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(frontends, "_frontends", {})
    monkeypatch.setattr(registered, "_rules", {"cpu": {}, "cuda": {}})
    yield


def module_of(text: str) -> ModuleOp:
    return parse(context(), text, "model.mlir")


def load_chain(model: Any, shapes: Any = None) -> ModuleOp:
    """Load a list of operators in JSON, applied to a vector of four elements, or of the length that `shapes` gives."""
    operators = json.loads(Path(model).read_text())
    tensor = f"tensor<{shapes['x'][0] if shapes else 4}xf32>"
    lines = [f"  %{k + 1} = graph.{name} %{k} : {tensor}" for k, name in enumerate(operators)]
    text = "\n".join([f"func.func @main(%0: {tensor}) -> {tensor} {{", *lines])
    return module_of(f"{text}\n  func.return %{len(operators)} : {tensor}\n}}\n")


def reads_chain(model: object) -> bool:
    return str(model).endswith(".chain")


@pytest.fixture
def chain(tmp_path: Path) -> Path:
    path = tmp_path / "model.chain"
    path.write_text('["neg", "relu"]')
    return path


def test_a_frontend_reads_files_for_compile_and_the_command_line(
    chain: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tilewright.register_frontend(reads_chain, load_chain)
    np.testing.assert_array_equal(tilewright.compile(chain)(X), np.maximum(-X, 0))
    longer = tilewright.compile(str(chain), shapes={"x": (6,)})
    np.testing.assert_array_equal(longer(np.arange(-3, 3, dtype=np.float32)), [3, 2, 1, 0, 0, 0])
    assert main(["compile", str(chain), "--emit", "mlir"]) == 0
    assert "memref<4xf32>" in capsys.readouterr().out
    tilewright.unregister_frontend("load_chain")
    with pytest.raises(TilewrightError, match="TW0101"):  # the text of IR, where nobody else reads it
        tilewright.compile(chain)


def test_the_last_frontend_is_asked_first_and_objects_are_models() -> None:
    tilewright.register_frontend(lambda model: model == {"op": "relu"}, lambda model: module_of(RELU), name="first")
    np.testing.assert_array_equal(tilewright.compile({"op": "relu"})(X), np.maximum(X, 0))
    other = tilewright.IRModule(module_of(RELU.replace("relu", "neg")))
    tilewright.register_frontend(lambda model: isinstance(model, dict), lambda model: other, name="second")
    np.testing.assert_array_equal(tilewright.compile({"op": "relu"})(X), -X)


def test_frontends_that_cannot_be_used() -> None:
    tilewright.register_frontend(reads_chain, load_chain)
    tilewright.register_frontend(reads_chain, load_chain)  # again, as when a module is reloaded
    cases = [
        (lambda: tilewright.register_frontend(reads_chain, len, name="load_chain"), "is registered already, by"),  # pyright: ignore[reportArgumentType]
        (lambda: tilewright.register_frontend(1, load_chain, name="x"), "expected predicate of frontend 'x' to be a"),  # pyright: ignore[reportArgumentType]
        (lambda: tilewright.unregister_frontend("none"), "'none' is not registered"),
    ]
    for attempt, message in cases:
        with pytest.raises(TilewrightError, match=rf"TW0236.*{message}"):
            attempt()
    tilewright.register_frontend(lambda model: model == 3, lambda model: "text", name="wrong")  # pyright: ignore[reportArgumentType]
    with pytest.raises(TilewrightError, match=r"TW0236.*expected frontend 'wrong' to give a ModuleOp .*, but got str"):
        tilewright.compile(3)


def test_what_compile_takes(tmp_path: Path) -> None:
    node = onnx.helper.make_node("Relu", ["x"], ["y"])
    value = onnx.helper.make_tensor_value_info
    made = onnx.helper.make_graph(
        [node], "g", [value("x", onnx.TensorProto.FLOAT, ["n"])], [value("y", onnx.TensorProto.FLOAT, ["n"])]
    )
    proto = onnx.helper.make_model(made, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8)
    (tmp_path / "m.onnx").write_bytes(proto.SerializeToString())
    (tmp_path / "m.mlir").write_text(RELU)
    A = te.placeholder((4,), name="A")
    B = te.compute((4,), lambda i: te.if_then_else(A[i] > 0.0, A[i], 0.0), name="B")
    sized = {"shapes": {"x": (4,)}}
    models = [
        (tmp_path / "m.onnx", sized),
        (str(tmp_path / "m.onnx"), {"sizes": {"n": 4}}),
        (proto, sized),
        (proto.SerializeToString(), sized),
        (tmp_path / "m.mlir", {}),
        (RELU.encode(), {}),
        (module_of(RELU), {}),
        (tilewright.IRModule(module_of(RELU)), {}),
        ([A, B], {}),
    ]
    for model, options in models:
        np.testing.assert_array_equal(tilewright.compile(model, **options)(X), np.maximum(X, 0))


@pytest.mark.parametrize(
    ("model", "options", "message"),
    [
        (3, {}, r"TW0725.*expected argument 'model' to be of type .* but got int"),
        (b"\xff\xfe", {}, r"TW0261.*text in UTF-16"),
        (b"\xff\xff", {}, r"TW0301.*expected an ONNX model or the text of IR, but the bytes are neither"),
        (b"\x08\x08\xff", {}, r"TW0301.*the model is not an ONNX model, or it is truncated"),
        (RELU.encode(), {"sizes": {"n": 4}}, r"TW0209.*expected an ONNX model where .* given, but got bytes"),
        (b"func.func @main(%x: i32) { return2 }", {}, r"<bytes>:1:28: error\[TW0101\]"),
    ],
)
def test_what_compile_refuses(model: Any, options: Any, message: str) -> None:
    with pytest.raises(TilewrightError, match=message):
        tilewright.compile(model, **options)


def rows(schedule: Any, block: Any, target: Any) -> Any:
    """Split the first of two loops by three, and nothing else."""
    loops = schedule.get_loops(block)
    if len(loops) != 2:
        return None
    schedule.split(loops[0], factors=[None, 3])
    return True


NEST = """\
func.func @f(%A: memref<6x8xf32>, %B: memref<6x8xf32> {tw.output}) {
  loop.for %i = 0 to 6 { loop.for %j = 0 to 8 {
    loop.block "B" (%vi = spatial(%i) in 6, %vj = spatial(%j) in 8) {
      %a = loop.load %A[%vi, %vj] : memref<6x8xf32>
      %b = arith.addf %a, %a : f32
      loop.store %b, %B[%vi, %vj] : memref<6x8xf32>
    }
  } }
  func.return
}
"""


def lowered() -> str:
    return str(tilewright.lower(module_of(NEST)))


def test_a_rule_comes_before_those_of_the_compiler() -> None:
    plain = lowered()
    assert not registered.has_registered_rules()
    tilewright.register_schedule_rule("llvm")(rows)
    assert (
        registered.has_registered_rules() and not is_as_shipped()
    )  # no cached program stands for one that the rule plans
    text = lowered()
    assert re.search(r"0 to 2 \{\n\s+loop\.for %\w+ = 0 to 3 \{", text) and text != plain
    x = np.arange(48, dtype=np.float32).reshape(6, 8)
    np.testing.assert_array_equal(tilewright.build(module_of(NEST))(x), 2 * x)
    tilewright.unregister_schedule_rule("rows", "cpu")
    assert lowered() == plain


def test_a_rule_that_does_not_fit_leaves_the_block_to_others() -> None:
    plain = lowered()
    tilewright.register_schedule_rule()(lambda schedule, block, target: None)
    assert lowered() == plain


def test_a_refused_rule_is_left_out() -> None:
    plain = lowered()

    @tilewright.register_schedule_rule("cpu")
    def too_much(schedule: Any, block: Any, target: Any) -> bool:
        loops = schedule.get_loops(block)
        schedule.split(loops[0], factors=[2, 2])  # of 6 iterations
        return True

    assert lowered() == plain


def test_rules_for_a_gpu() -> None:
    def bound(schedule: Any, block: Any, target: Any) -> list[Any]:
        outer, inner = schedule.get_loops(block)
        schedule.bind(outer, "blockIdx.x")
        schedule.bind(inner, "threadIdx.x")
        return [block]

    tilewright.register_schedule_rule("cuda")(bound)
    text = emit(module_of(NEST), "mlir", "cuda")
    assert re.search(r'0 to 6 kind thread<"blockIdx.x">', text) and re.search(
        r'0 to 8 kind thread<"threadIdx.x">', text
    )


def test_rules_that_cannot_be_used() -> None:
    tilewright.register_schedule_rule()(rows)
    tilewright.register_schedule_rule()(rows)  # again, as when a module is reloaded
    cases = [
        (lambda: tilewright.register_schedule_rule("tpu"), "expected target 'cpu' or 'cuda' for a rule, but got 'tpu'"),
        (lambda: tilewright.register_schedule_rule(name="rows")(len), "a rule named 'rows' is registered already, by"),
        (lambda: tilewright.unregister_schedule_rule("rows", "cuda"), "'rows' is not registered"),
    ]
    for attempt, message in cases:
        with pytest.raises(TilewrightError, match=rf"TW0237.*{message}"):
            attempt()
    tilewright.unregister_schedule_rule("rows")
    tilewright.register_schedule_rule(name="odd")(lambda schedule, block, target: 7)
    with pytest.raises(TilewrightError, match="TW0237.*expected rule 'odd' to give True, blocks or None, but got 7"):
        lowered()
