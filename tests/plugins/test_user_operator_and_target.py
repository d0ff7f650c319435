"""The examples user_operator and user_target, installed by pip beside user_dialect; converters of users."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import tilewright
from onnx import TensorProto, helper
from tilewright.diagnostics import TilewrightError
from tilewright.dialects import graph
from tilewright.frontends import user_converters
from tilewright.frontends.onnx import import_model

from .installed import Site

CAPPED = """\
import sys
import numpy as np
import tilewright

x = np.linspace(-6, 6, 8, dtype=np.float32)
for target in ("interpreter", "llvm", "c"):
    y = tilewright.compile("model.onnx", target=target)(x)
    np.testing.assert_allclose(y, np.maximum(2 * np.tanh(x / 2), 0), rtol=1e-5)
print("soft_cap everywhere")
"""
COUNTED = """\
import numpy as np
import tilewright
from tilewright import te

A = te.placeholder((8,), name="A")
B = te.compute((8,), lambda i: te.exp(A[i]), name="B")
x = np.linspace(-2, 2, 8, dtype=np.float32)
y = tilewright.build([A, B], target="abacus -lanes=1")(x)
np.testing.assert_allclose(y, np.exp(x), rtol=1e-3)
want = 1 + x / 1024 + (x / 1024) ** 2 / 2
for _ in range(10):
    want = want * want
np.testing.assert_allclose(y, want, rtol=1e-5)
print("counted")
"""
FUSED = """\
func.func @main(%x: memref<4xf32>, %y: memref<4xf32> {tw.output}) {
  loop.for %i = 0 to 4 {
    %a = loop.load %x[%i] : memref<4xf32>
    %b = math.fma %a, %a, %a : f32
    loop.store %b, %y[%i] : memref<4xf32>
  }
  func.return
}
"""


def model(domain: str = "com.example", **attributes: Any) -> onnx.ModelProto:
    """Return SoftCap and Relu, on eight elements."""
    nodes = [
        helper.make_node("SoftCap", ["x"], ["a"], name="cap", domain=domain, **attributes),
        helper.make_node("Relu", ["a"], ["y"]),
    ]
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [8]) for name in ("x", "y")]
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(domain, 1)]
    return helper.make_model(helper.make_graph(nodes, "g", values[:1], values[1:]), opset_imports=opsets)


def test_the_operator_is_imported_compiled_and_fused(examples_site: Site, tmp_path: Path) -> None:
    onnx.save(model(limit=2.0), tmp_path / "model.onnx")
    done = examples_site.run("-c", CAPPED, cwd=tmp_path)
    assert done.stdout == "soft_cap everywhere\n", done.stderr
    text = """\
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = graph.soft_cap %x cap 2.0 : tensor<8xf32>
  %y = graph.relu %a : tensor<8xf32>
  func.return %y : tensor<8xf32>
}
"""
    done = examples_site.run("-m", "tilewright.tools.opt", "--pass", "fuse", stdin=text)
    assert 'fused "soft_cap_relu"' in done.stdout, done.stderr


def test_the_target_has_its_rules_legalization_and_text(examples_site: Site) -> None:
    done = examples_site.run("-c", COUNTED)
    assert done.stdout == "counted\n", done.stderr
    opt = ("-m", "tilewright.tools.opt", "--target", "abacus -lanes=4")
    done = examples_site.run(*opt, "--emit", "abacus", stdin=FUSED)
    counts = {name: int(count) for count, name in map(str.split, done.stdout.splitlines())}
    assert counts["arith.mulf"] == counts["arith.addf"] == 1 and "math.fma" not in counts, done.stderr
    done = examples_site.run(*opt, "--phase", "3", "--print-pipeline", stdin=FUSED)
    assert done.stderr.rstrip().endswith("expand-operations,split-fma,note-aliases"), done.stderr
    done = examples_site.run(*opt[:-1], "abacus -lanes=3", "--emit", "abacus", stdin=FUSED)
    assert done.returncode == 1 and "TW0612" in done.stderr and "-lanes= with 1, 2, 4 or 8" in done.stderr


@pytest.fixture
def forgotten(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(user_converters, "_converters", {})
    yield


def soft_cap(node: Any) -> Any:
    return node.emit(graph.OPERATIONS["tanh"], node.input(0))


@pytest.mark.usefixtures("forgotten")
def test_converters_of_another_domain() -> None:
    with pytest.raises(TilewrightError, match=r"TW0302.*com\.example\.SoftCap \(1×, first at node 'cap'\)"):
        import_model(model())
    assert tilewright.register_onnx_converter("SoftCap", domain="com.example")(soft_cap) is soft_cap
    x = np.linspace(-1, 1, 8, dtype=np.float32)
    got = tilewright.compile(model(), target="interpreter")(x)
    np.testing.assert_allclose(got, np.maximum(np.tanh(x), 0), rtol=1e-6)
    with pytest.raises(TilewrightError, match=r"TW0306.*'cap' \(com\.example\.SoftCap, .*'limit' with value 2\.0"):
        import_model(model(limit=2.0))
    with pytest.raises(TilewrightError, match=r"TW0302.*org\.other\.SoftCap"):
        import_model(model("org.other"))
    tilewright.unregister_onnx_converter("SoftCap", domain="com.example")
    with pytest.raises(TilewrightError, match="TW0302"):
        import_model(model())


@pytest.mark.usefixtures("forgotten")
def test_what_is_no_converter() -> None:
    register = tilewright.register_onnx_converter
    register("SoftCap", domain="com.example")(soft_cap)
    register("SoftCap", domain="com.example")(soft_cap)  # again, as when a module is reloaded
    cases = [
        (lambda: register("Relu", domain=""), "expected a user domain for ONNX operator Relu, but got ''"),
        (lambda: register("Relu", domain="a.b")(1), "expected the converter of a.b.Relu to be a function, but got 1"),  # pyright: ignore[reportArgumentType]
        (lambda: register("SoftCap", domain="com.example")(len), "of com.example.SoftCap is registered already, by"),  # pyright: ignore[reportArgumentType]
        (
            lambda: tilewright.unregister_onnx_converter("Relu", domain="a.b"),
            "expected an operator with a registered converter, but a.b.Relu has none",
        ),
    ]
    for attempt, message in cases:
        with pytest.raises(TilewrightError, match="TW0238") as error:
            attempt()
        assert message in str(error.value)
