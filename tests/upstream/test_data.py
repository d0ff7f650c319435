"""Vectors, views and tensors of upstream MLIR: what files compute, against numpy.

`data/` holds programs as mlir-opt of LLVM 22 prints them, `data/generic/` the same in the generic form, that of LLVM 24
where it has all of their operations.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import tilewright
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.passes.framework.base import Level, level_of
from xdsl.dialects.builtin import ModuleOp

from .data_references import DATA, DATA_SIZES, DATA_WRITTEN
from .running import assert_close, draw, outputs_of

FILES = Path(__file__).parent / "data"


def read(path: Path) -> ModuleOp:
    module = parse(context(), path.read_text(encoding="utf-8"), str(path))
    module.verify()
    assert level_of(module) is Level.UPSTREAM
    return module


def check(path: Path, target: str) -> None:
    name = path.stem
    program = tilewright.compile(read(path), target=target)
    for sizes in DATA_SIZES.get(name, ({},)):
        inputs = draw(program, sizes)
        assert_close(outputs_of(program, inputs, DATA_WRITTEN.get(name, ())), DATA[name](*inputs))


def test_every_file_has_a_reference() -> None:
    assert {path.stem for path in FILES.glob("*.mlir")} == set(DATA)
    assert {path.stem for path in (FILES / "generic").glob("*.mlir")} == set(DATA)


@pytest.mark.each("name", DATA)
def test_interpreted(name: str) -> None:
    check(FILES / f"{name}.mlir", "interpreter")


@pytest.mark.sampled(2)
@pytest.mark.each("name", DATA, shards=2)
def test_compiled(name: str) -> None:
    check(FILES / "generic" / f"{name}.mlir", "cpu")


@pytest.mark.each("name", DATA)
def test_text_reads_back(name: str) -> None:
    """The custom form that is printed of either form is read again as the same module."""
    for folder in (FILES, FILES / "generic"):
        module = read(folder / f"{name}.mlir")
        again = parse(context(), str(module), "<again>")
        again.verify()
        assert str(again) == str(module)
