"""A program made from cached objects is the program that was compiled: same LLVM text, same objects, same results."""

from __future__ import annotations

import runpy
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
import tilewright
from tilewright.backends.cpu import jit
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context

_MODULES = runpy.run_path(str(Path(__file__).with_name("outputs.py")))
CNN, LOOPS = _MODULES["CNN"], _MODULES["LOOPS"]
INPUTS: dict[str, Mapping[str, tuple[int, ...]]] = {
    CNN: {"x": (1, 3, 8, 8)},
    LOOPS: {"A": (30, 50), "B": (50, 40)},
}


def built(text: str) -> tuple[str, list[np.ndarray]]:
    """Return the LLVM text of a program, and what it computes."""
    module = tilewright.build(parse(context(), text, "<text>"))
    values = np.random.default_rng(0)
    inputs = [values.standard_normal(shape, dtype=np.float32) for shape in INPUTS[text].values()]
    results = module(*inputs)
    return module.get_source("ll"), results if isinstance(results, list) else [results]


HEAD = 64
"""Bytes before an object in its file: they hold a digest with the folder's own secret."""


def objects(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes()[HEAD:] for path in folder.rglob("*.o")}


@pytest.mark.parametrize("text", [CNN, LOOPS], ids=["cnn", "loops"])
def test_cached_against_fresh(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path / "first"))
    source, results = built(text)
    fresh = objects(tmp_path / "first")
    assert fresh

    def compile_nothing(*args: object) -> bytes:
        raise AssertionError("expected every object to come from the cache")

    with monkeypatch.context() as patch:
        patch.setattr(jit, "emit_object", compile_nothing)
        cached_source, cached_results = built(text)
    assert cached_source == source
    for result, cached in zip(results, cached_results, strict=True):
        np.testing.assert_array_equal(cached, result)

    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path / "second"))
    again_source, again_results = built(text)
    assert again_source == source
    second = objects(tmp_path / "second")
    assert second and second.items() <= fresh.items(), "what calls go through is compiled once a process"
    for result, again in zip(results, again_results, strict=True):
        np.testing.assert_array_equal(again, result)
