"""IR files that are damaged, invalid or without their weights: one error with its place, from both tools."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from .command import error, output, run

MODULE = """builtin.module attributes {tw.weights = "m.safetensors"} {
  func.func @main(%x: tensor<2x3xf32> {tw.name = "x"}) -> (tensor<2x4xf32> {tw.name = "y"}) {
    %w = graph.constant resource<"w"> : tensor<3x4xf32>
    %y = graph.matmul %x, %w : tensor<2x4xf32>
    func.return %y : tensor<2x4xf32>
  }
}
"""
WEIGHT = np.arange(12, dtype=np.float32).reshape(3, 4)


def nested(depth: int, dialect: str) -> str:
    head = "func.func @main() {\n  %z = arith.constant 0 : index\n  %n = arith.constant 1 : index\n"
    loops = {"loop": "loop.for %i{} = 0 to 1 {{\n", "scf": "scf.for %i{} = %z to %n step %n {{\n"}[dialect]
    return head + "".join(map(loops.format, range(depth))) + "}\n" * depth + "  func.return\n}\n"


def main(*lines: str) -> str:
    body = "\n".join(f"  {line}" for line in lines)
    return f"func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{\n{body}\n}}\n"


RETURN = "func.return %y : tensor<4xf32>"

FILES: dict[str, tuple[str, list[str]]] = {
    "empty": ("", ["m.mlir:1:1: error[TW0106]: expected an operation, but the input is empty"]),
    "truncated": (MODULE[:230], ["m.mlir:4:21: error[TW0101]: Expected ':'", "\n                    ^"]),
    "unknown operation": (
        main("%y = graph.rleu %x : tensor<4xf32>", RETURN),
        ["m.mlir:2:8: error[TW0101]: unknown operation 'graph.rleu'; did you mean 'graph.relu'", "\n       ^"],
    ),
    "cycle": (
        main("%a = graph.add %x, %y : tensor<4xf32>", "%y = graph.relu %a : tensor<4xf32>", RETURN),
        ["m.mlir:2:22: error[TW0101]: expected a value that is defined before, but got %y"],
    ),
    "cycle in generic form": (
        main(
            '%a = "graph.add"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>',
            '%y = "graph.relu"(%a) : (tensor<4xf32>) -> tensor<4xf32>',
            RETURN,
        ),
        ["m.mlir:2:8: error[TW0104]", "%y"],
    ),
    "value used with two types": (
        main("%y = graph.relu %x : tensor<5xf32>", RETURN),
        ["m.mlir:3:15: error[TW0101]", "tensor<4xf32>", "tensor<5xf32>"],
    ),
    "result of another type": (
        main("%a = graph.relu %x : tensor<5xf32>", RETURN.replace("%y", "%x")),
        ["m.mlir:2:8: error[TW0103]", "tensor<4xf32>", "tensor<5xf32>"],
    ),
    "300 nested loops": (
        nested(300, "loop"),
        ["error[TW0105]: expected regions nested at most 64 deep, but this goes deeper"],
    ),
    "300 nested loops of scf": (
        nested(300, "scf"),
        ["error[TW0105]: expected regions nested at most 64 deep, but this goes deeper"],
    ),
}


@pytest.mark.parametrize("tool", ["tilewright", "opt-tool"])
@pytest.mark.parametrize("name", FILES)
def test_modules_that_cannot_be_used(name: str, tool: str, tmp_path: Path) -> None:
    text, words = FILES[name]
    (tmp_path / "m.mlir").write_text(text)
    command = ("run", "m.mlir") if tool == "tilewright" else ("--phase", "3", "m.mlir")
    message = error(tmp_path, tool, *command)
    for word in words:
        assert word in message


def test_loops_nested_as_deep_as_can_be_read_are_compiled(tmp_path: Path) -> None:
    (tmp_path / "m.mlir").write_text(nested(60, "loop"))
    assert output(tmp_path, "tilewright", "run", "m.mlir") == ""


def test_no_main_function(tmp_path: Path) -> None:
    (tmp_path / "m.mlir").write_text("builtin.module {}\n")
    assert "error[TW0601]: expected a function @main" in error(tmp_path, "tilewright", "run", "m.mlir")


def test_a_function_that_calls_itself(tmp_path: Path) -> None:
    (tmp_path / "m.mlir").write_text(
        main("%y = func.call @main(%x) : (tensor<4xf32>) -> tensor<4xf32>", RETURN),
    )
    assert "error[TW0601]: expected functions without recursion" in error(tmp_path, "tilewright", "run", "m.mlir")


def test_not_text(tmp_path: Path) -> None:
    (tmp_path / "m.mlir").write_bytes(b"func.func @main(\xff\xfe")
    assert error(tmp_path, "tilewright", "run", "m.mlir").startswith("error[TW0204]: expected UTF-8 text")


def write_weights(folder: Path, **arrays: np.ndarray) -> None:
    (folder / "m.mlir").write_text(MODULE)
    save_file(arrays, folder / "m.safetensors")


def test_weights_in_the_text(tmp_path: Path) -> None:
    write_weights(tmp_path, w=WEIGHT)
    assert output(tmp_path, "tilewright", "run", "m.mlir").startswith("y: float32[2, 4] min ")


@pytest.mark.parametrize("command", [("run",), ("compile",), ("run", "--backend", "interpreter")])
def test_weights_file_missing(command: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "m.mlir").write_text(MODULE)
    message = error(tmp_path, "tilewright", *command, "m.mlir")
    assert message.startswith("error[TW0705]: weights file 'm.safetensors' does not exist")
    assert "\nhelp: keep it beside the .mlir file that names it" in message


def test_opt_tool_says_that_weights_are_missing_and_goes_on(tmp_path: Path) -> None:
    """Passes that need no values work without them; printing what was read needs none at all."""
    (tmp_path / "m.mlir").write_text(MODULE)
    result = run(tmp_path, "opt-tool", "--target", "none", "--pass", "fuse,tile", "m.mlir")
    assert result.status == 0 and "loop.block" in result.out
    assert result.err == ("note: weights file 'm.safetensors' does not exist; passes see constants without values\n")
    assert output(tmp_path, "opt-tool", "m.mlir") == MODULE


@pytest.mark.parametrize("keep", [0, 4, 40, 100])
def test_weights_file_truncated(keep: int, tmp_path: Path) -> None:
    write_weights(tmp_path, w=WEIGHT)
    path = tmp_path / "m.safetensors"
    path.write_bytes(path.read_bytes()[:keep])
    message = error(tmp_path, "tilewright", "run", "m.mlir")
    assert message.startswith("error[TW0705]: weights file 'm.safetensors' is not a readable safetensors file: ")


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"v": WEIGHT}, "m.mlir:3:10: error[TW0705]: weights file 'm.safetensors' has no tensor 'w'"),
        (
            {"w": WEIGHT.astype("f8")},
            "m.mlir:3:10: error[TW0710]: expected resource 'w' to hold float32[3, 4], but got float64[3, 4]",
        ),
        (
            {"w": WEIGHT.T.copy()},
            "m.mlir:3:10: error[TW0710]: expected resource 'w' to hold float32[3, 4], but got float32[4, 3]",
        ),
    ],
    ids=["name", "dtype", "shape"],
)
def test_weights_that_do_not_fit(arrays: dict[str, np.ndarray], message: str, tmp_path: Path) -> None:
    write_weights(tmp_path, **arrays)
    assert error(tmp_path, "tilewright", "run", "m.mlir").startswith(message)
