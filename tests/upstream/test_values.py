"""Values of upstream MLIR files: interpreted, compiled, in generic form and reparsed, against numpy."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import numpy as np
import pytest
import tilewright
from tilewright.backends.upstream.writer import upstream_text
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.passes.framework.base import Level, level_of
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.pipeline import conversion
from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer

from .references import REFERENCES, SIZES, WRITTEN
from .running import assert_close, draw, outputs_of

FILES = Path(__file__).resolve().parents[2] / "lit" / "upstream"
GENERIC = Path(__file__).parent / "generic"
"""The same programs as mlir-opt prints them with --mlir-print-op-generic."""


def read(path: Path) -> ModuleOp:
    module = parse(context(), path.read_text(encoding="utf-8"), str(path))
    module.verify()
    assert level_of(module) is Level.UPSTREAM
    return module


def check(module: ModuleOp, name: str, target: str = "interpreter") -> None:
    program = tilewright.compile(module, target=target)
    inputs = draw(program, SIZES.get(name, {}))
    assert_close(outputs_of(program, inputs, WRITTEN.get(name, ())), REFERENCES[name](*inputs))


def test_every_file_has_a_reference() -> None:
    assert {path.stem for path in FILES.glob("*.mlir")} == set(REFERENCES)
    assert len(REFERENCES) >= 30


@pytest.mark.each("name", REFERENCES)
def test_interpreted(name: str) -> None:
    check(read(FILES / f"{name}.mlir"), name)


@pytest.mark.sampled(2)
@pytest.mark.each("name", REFERENCES, shards=2)
def test_compiled(name: str) -> None:
    check(read(FILES / f"{name}.mlir"), name, "cpu")


@pytest.mark.each("path", sorted(GENERIC.glob("*.mlir")), ids=lambda path: path.stem)
def test_generic_form(path: Path) -> None:
    check(read(path), path.stem)


@pytest.mark.each("name", REFERENCES)
def test_text_reads_back(name: str) -> None:
    """The custom and the generic form that are printed are read again as the same module."""
    module = read(FILES / f"{name}.mlir")
    for generic in (False, True):
        stream = StringIO()
        Printer(stream=stream, print_generic_format=generic).print_op(module)
        again = parse(context(), stream.getvalue(), "<again>")
        again.verify()
        assert str(again) == str(module)


@pytest.mark.each("name", REFERENCES)
def test_emitted_and_read_back(name: str) -> None:
    """The output of `--emit mlir-upstream` computes the same."""
    module = read(FILES / f"{name}.mlir")
    PassManager(conversion(level_of(module), Level.LOOP)).run(context(), module)
    inputs = draw(tilewright.compile(module, target="interpreter"), SIZES.get(name, {}))
    expected = REFERENCES[name](*inputs)
    again = parse(context(), upstream_text(module), "<emitted>")
    again.verify()
    assert level_of(again) is Level.UPSTREAM
    count = len(expected) - len(WRITTEN.get(name, ()))
    outputs = [np.zeros(np.shape(array), np.asarray(array).dtype) for array in expected[:count]]
    arrays = [*(array.copy() for array in inputs), *outputs]
    tilewright.compile(again, target="interpreter")(*arrays)
    assert_close([*outputs, *(arrays[number] for number in WRITTEN.get(name, ()))], expected)
