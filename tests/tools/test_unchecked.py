"""`tilewright run` checks indices that come with the inputs; `--unchecked` leaves that to whoever calls it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tilewright.tools.cli import main

MODEL = """
func.func @main(%x: tensor<4x3xf32> {tw.name = "x"}, %i: tensor<5xi64> {tw.name = "i"}) -> tensor<5x3xf32> {
  %y = graph.gather %x, %i axis 0 : tensor<5x3xf32>
  func.return %y : tensor<5x3xf32>
}
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "gather.mlir"
    path.write_text(MODEL)
    return path


@pytest.mark.parametrize("options", [[], ["--backend", "interpreter"]])
def test_an_index_of_a_file_is_checked(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    x = np.arange(12, dtype=np.float32).reshape(4, 3)
    given, result = tmp_path / "given.npz", tmp_path / "result.npz"
    command = ["run", str(model), "--input", str(given), "--output", str(result), *options]
    for wrong in (4, -5, 1 << 40):
        np.savez(given, x=x, i=np.array([0, -1, 2, wrong, 1]))
        assert main(command) == 1 and not result.exists()
        shown = capsys.readouterr().err
        assert "gather.mlir:3:" in shown and "TW0730" in shown
    numbers = np.array([0, -1, 2, -4, 1])
    np.savez(given, x=x, i=numbers)
    assert main(command) == 0
    (computed,) = np.load(result).values()
    np.testing.assert_array_equal(computed, x[numbers])


def test_unchecked_programs_have_no_checks(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile", str(model), "--emit", "mlir"]) == 0
    assert "loop.assert" in capsys.readouterr().out
    assert main(["compile", str(model), "--emit", "mlir", "--unchecked"]) == 0
    assert "loop.assert" not in capsys.readouterr().out
