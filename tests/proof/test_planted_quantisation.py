"""`opt-tool --validate` names integer-products where a fault is planted in its arithmetic, and says nothing without."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
import pytest
from tilewright.tools.opt import main

from ..mutation.faults import FAULTS, Fault

IN_PASSES = [
    fault
    for fault in FAULTS["quantized"]
    if fault.file.startswith("passes/") and "tests/fuzz/test_quantized_models.py" in fault.tests
]
_rng = np.random.default_rng(4)


def constant(name: str, array: Any, type: str) -> str:
    """Return a constant's line of IR."""
    array = np.asarray(array)
    sizes = "".join(f"{size}x" for size in array.shape)
    return f"  %{name} = graph.constant dense<{array.tolist()}> : tensor<{sizes}{type}>\n"


def convolution(scale: float, zero: int) -> str:
    """Return an asymmetric image by asymmetric weights with a scale for each channel, padded. It is as wide as the
    result has channels, so that scales along another axis are no invalid IR."""
    weights = _rng.integers(-9, 9, (3, 2, 2, 3))
    return f"""\
func.func @convolution(%x: tensor<1x2x4x3xui8>) -> tensor<1x3x5x3xui8> {{
{constant("s", 0.5, "f32")}{constant("z", 3, "ui8")}{constant("w", weights, "i8")}\
{constant("t", [0.25, 0.5, 1.0], "f32")}{constant("v", [-3, 0, 4], "i8")}\
{constant("b", [40, -60, 20], "i32")}{constant("u", [0.125, 0.25, 0.5], "f32")}\
{constant("o", scale, "f32")}{constant("p", zero, "ui8")}\
  %0 = graph.dequantize %x, %s, %z to f32 : tensor<1x2x4x3xf32>
  %1 = graph.dequantize %w, %t, %v axis 0 to f32 : tensor<3x2x2x3xf32>
  %2 = graph.dequantize %b, %u axis 0 to f32 : tensor<3xf32>
  %3 = graph.conv2d %0, %1, %2 padding [1, 1, 1, 1] : tensor<1x3x5x3xf32>
  %4 = graph.quantize %3, %o, %p to ui8 : tensor<1x3x5x3xui8>
  func.return %4 : tensor<1x3x5x3xui8>
}}
"""


def product(zero_of_rows: int, zero_of_columns: int) -> str:
    """Return activations by square weights that are transposed after they were quantised by rows, and two
    activations."""
    return f"""\
func.func @product(%a: tensor<4x6xi8>, %b: tensor<6x6xi8>) -> (tensor<4x6xi8>, tensor<4x6xf32>) {{
{constant("s", 0.5, "f32")}{constant("z", zero_of_rows, "i8")}{constant("w", _rng.integers(-9, 9, (6, 6)), "i8")}\
{constant("t", [0.25, 0.5, 1.0, 0.125, 2.0, 4.0], "f32")}{constant("y", zero_of_columns, "i8")}\
{constant("o", 8.0, "f32")}\
  %0 = graph.dequantize %a, %s, %z to f32 : tensor<4x6xf32>
  %1 = graph.dequantize %w, %t axis 0 to f32 : tensor<6x6xf32>
  %2 = graph.transpose %1 permutation [1, 0] : tensor<6x6xf32>
  %3 = graph.matmul %0, %2 : tensor<4x6xf32>
  %4 = graph.quantize %3, %o, %y to i8 : tensor<4x6xi8>
  %5 = graph.dequantize %b, %s, %y to f32 : tensor<6x6xf32>
  %6 = graph.matmul %0, %5 : tensor<4x6xf32>
  func.return %4, %6 : tensor<4x6xi8>, tensor<4x6xf32>
}}
"""


MODULES = (convolution(0.5, 128), convolution(0.0625, 10), convolution(0.0625, 255), product(-7, 2), product(5, -3))
"""Results within the type, results that saturate at either end, and products with zero points on both sides."""


def planted(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the functions of a module the code that they have with the fault."""
    module = import_module(f"tilewright.{fault.file.removesuffix('.py').replace('/', '.')}")
    assert module.__file__ is not None
    changed = ModuleType(module.__name__)
    changed.__package__ = module.__package__
    source = Path(module.__file__).read_text()
    assert source.count(fault.mended) == 1
    exec(compile(source.replace(fault.mended, fault.planted), module.__file__, "exec"), vars(changed))
    wrong = dict(_functions(changed, module.__file__))
    for name, function in _functions(module, module.__file__):
        monkeypatch.setattr(function, "__code__", wrong[name].__code__)


def _functions(module: ModuleType, file: str) -> Iterator[tuple[str, FunctionType]]:
    """Yield the functions that the text of a module defines, its classes' among them."""
    classes = [value for value in vars(module).values() if isinstance(value, type)]
    for scope in (module, *classes):
        for value in vars(scope).values():
            value = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
            if isinstance(value, FunctionType) and value.__code__.co_filename == file:
                yield value.__qualname__, value


def validated(file: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return the messages of `opt-tool --validate` on each module."""
    messages: list[str] = []
    for text in MODULES:
        file.write_text(text)
        status = main(["--validate=4", "--pass", "integer-products,dead-code", str(file)])
        _, error = capsys.readouterr()
        assert (status != 0) == ("TW0550" in error)
        messages += [error] if status else []
    return messages


def test_nothing_is_found_without_a_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert validated(tmp_path / "quantised.mlir", capsys) == []


@pytest.mark.parametrize("fault", IN_PASSES, ids=lambda fault: fault.name)
def test_validation_names_the_pass(
    fault: Fault, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    planted(fault, monkeypatch)
    found = validated(tmp_path / "quantised.mlir", capsys)
    assert found and all("pass 'integer-products' changed what @" in message for message in found)
