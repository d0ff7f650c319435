"""Control flow of upstream MLIR: interpreted and compiled, as several versions print it, and proved equal to itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import tilewright
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.passes.base import Level, level_of
from xdsl.dialects.builtin import ModuleOp

from .control_references import GIVEN, REFERENCES, RETURNING, SIZES, WRITTEN
from .running import assert_close, draw, outputs_of

FILES = Path(__file__).parent / "control"


def read(path: Path) -> ModuleOp:
    module = parse(context(), path.read_text(encoding="utf-8"), str(path))
    module.verify()
    assert level_of(module) is Level.UPSTREAM
    return module


def check(module: ModuleOp, name: str, target: str = "interpreter") -> None:
    program = tilewright.compile(module, target=target)
    written = () if name in RETURNING else WRITTEN.get(name, (1,))
    for given in GIVEN.get(name, ({},)):
        inputs = draw(program, SIZES.get(name, {}))
        for position, number in given.items():
            inputs[position] = np.full_like(inputs[position], number)
        assert_close(outputs_of(program, inputs, written), REFERENCES[name](*inputs))


def test_every_file_has_a_reference() -> None:
    assert {path.stem for path in FILES.glob("*.mlir")} == set(REFERENCES)
    assert len(REFERENCES) >= 58


@pytest.mark.each("name", REFERENCES)
def test_interpreted(name: str) -> None:
    check(read(FILES / f"{name}.mlir"), name)


@pytest.mark.each("name", REFERENCES)
def test_compiled(name: str) -> None:
    check(read(FILES / f"{name}.mlir"), name, "cpu")
