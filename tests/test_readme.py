"""README.md is true: its commands and programs run here, in order and in one folder, on small files of the names that
it uses; what it names exists."""

from __future__ import annotations

import os
import re
import stat
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tilewright
from onnx import TensorProto, helper, numpy_helper, save
from tilewright.passes.framework import registry
from tilewright.tools.lit_kit import shell

from .docs.pages import blocks, run

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "README.md"
TEXT = PAGE.read_text(encoding="utf-8")
LONGEST = 120
"""The number of lines that README may have."""
_COMMENT = re.compile(r"\s+#.*$")


MATMUL = """\
func.func @main(%a: tensor<64x48xf32>, %b: tensor<48x32xf32>) -> tensor<64x32xf32> {
  %c = graph.matmul %a, %b : tensor<64x32xf32>
  %r = graph.relu %c : tensor<64x32xf32>
  func.return %r : tensor<64x32xf32>
}
"""
SMALL = """\
func.func @main(%a: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %n = graph.neg %a : tensor<4x6xf32>
  %r = graph.relu %n : tensor<4x6xf32>
  func.return %r : tensor<4x6xf32>
}
"""
WRONG_PASS = """\
import tilewright
from tilewright.dialects import graph
from xdsl.pattern_rewriter import RewritePattern, op_type_rewrite_pattern


class Forget(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: graph.NegOp, rewriter):
        rewriter.replace_op(op, [], [op.operands[0]])


tilewright.register_pass(phase=0, name="my-pass")(Forget())
"""
LOOPS = """\
func.func @main(%a: memref<?xf32>, %b: memref<?xf32> {tw.output}) {
  %n = loop.dim %a, 0 : memref<?xf32>
  loop.bind %b shape [%n] strides [1] : memref<?xf32>
  loop.for %i = 0 to %n {
    loop.block "b" (%v = spatial(%i) in %n) {
      %0 = loop.load %a[%v] : memref<?xf32>
      loop.store %0, %b[%v] : memref<?xf32>
    }
  }
  func.return
}
"""
STILL_FAILS = """\
#!/bin/sh
grep -q graph.neg "$1"
"""

BISECTION = "opt-tool --bisect --load my_passes.py --pass my-pass model.mlir"

NOT_RUN = ("make ", "pip install", "tilewright prove --opt")
"""Commands that set up an environment, whose targets are looked up instead, and one that needs a foreign tool."""


def commands() -> list[str]:
    """Return the commands of README's shell blocks."""
    text = "".join(block.text for block in blocks(PAGE) if block.language == "sh")
    lines = (_COMMENT.sub("", line).strip() for line in text.splitlines())
    return [line for line in lines if line]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield the current folder, which holds small files under the names that README uses."""
    rng = np.random.default_rng(0)
    weight = numpy_helper.from_array(rng.standard_normal((4, 3, 3, 3), np.float32), "w")
    graph = helper.make_graph(
        [helper.make_node("Conv", ["x", "w"], ["c"], pads=[1] * 4), helper.make_node("Relu", ["c"], ["y"])],
        "small",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 8, 8])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 4, 8, 8])],
        [weight],
    )
    save(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), tmp_path / "resnet50.onnx"
    )
    np.savez(tmp_path / "x.npz", x=rng.standard_normal((1, 3, 8, 8), np.float32))
    files = {"matmul.mlir": MATMUL, "model.mlir": SMALL, "failing.mlir": SMALL, "my_passes.py": WRONG_PASS}
    files |= dict.fromkeys(("loops.mlir", "before.mlir", "after.mlir"), LOOPS)
    for name, text in {**files, "still-fails.sh": STILL_FAILS}.items():
        (tmp_path / name).write_text(text)
    script = tmp_path / "still-fails.sh"
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"])
    monkeypatch.setattr(registry, "_user", {})
    yield tmp_path


def test_commands_run(folder: Path) -> None:
    results: dict[str, Any] = {}
    for command in commands():
        if command.startswith(NOT_RUN):
            continue
        result = results[command] = shell.run(command)
        found_a_fault = command == BISECTION and result.status == 1
        assert result.status == 0 or found_a_fault, f"{command}\n{result.out}\n{result.err}"
        assert "Traceback" not in result.err
    assert len(results) > 10
    _check_claims(folder, results)


def _check_claims(folder: Path, results: dict[str, Any]) -> None:
    """Assert what README says beside its commands."""
    assert (folder / "resnet50.safetensors").exists() and (folder / "resnet50.mlir").exists()
    assert [np.load(folder / "y.npz")[name].shape for name in np.load(folder / "y.npz")] == [(1, 4, 8, 8)]
    assert (folder / "DIR" / "index.html").exists()
    printed = {command: result.out + result.err for command, result in results.items()}
    assert "'my-pass'" in printed[BISECTION] and "graph.neg (model.mlir:2:8)" in printed[BISECTION]
    (remarks,) = (text for command, text in printed.items() if "--remarks=missed" in command)
    assert "total" in remarks and " ms " in remarks
    assert "complex-out-fusable" in printed["tilewright explain graph.conv2d"]
    (proofs,) = (text for command, text in printed.items() if "--validate=symbolic" in command)
    assert "proved 1, bounded 0, unknown 0, refuted 0" in proofs
    assert printed["tilewright prove before.mlir after.mlir"].startswith("@main: proved")


def test_programs_run(folder: Path) -> None:
    assert run(PAGE) > 0
    again = tilewright.load_module(folder / "squares.so")
    x = np.random.default_rng(0).random((70, 64), np.float32)
    np.testing.assert_allclose(again(x), (x * x).sum(1), rtol=1e-5)


def test_the_page_is_short() -> None:
    assert len(TEXT.splitlines()) < LONGEST


def test_what_is_named_exists() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"(?:^|`)make ([a-z-]+)", TEXT, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for extra in re.findall(r"pip install (?:\.|tilewright)\[(\w+)\]", TEXT):
        assert extra in extras
    for link in re.findall(r"\]\((?!https?:)([\w./-]+)\)", TEXT):
        assert (ROOT / link).exists(), link
    for row in re.findall(r"^\| (`.*`) \|", TEXT, re.MULTILINE):
        for name in re.findall(r"`([\w/]+)/`", row):
            assert (ROOT / name).is_dir(), name
