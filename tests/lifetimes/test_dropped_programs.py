"""Programs that nobody holds: their code, mappings and memory go."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tilewright
from tilewright import te
from tilewright.backends.cpu import jit
from tilewright.runtime import Module

X = np.arange(6, dtype=np.float32)


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", "")


def scaled(factor: float, target: str = "cpu", parallel: bool = False) -> Module:
    a = te.placeholder((6,), name="A")
    b = te.compute((6,), lambda i: a[i] * factor, name="B")
    schedule = te.create_schedule(b.op)
    if parallel:
        schedule[b].parallel(b.op.axis[0])
    return tilewright.build(schedule, [a, b], target=target, threads=2)


def mappings() -> int:
    return Path("/proc/self/maps").read_text().count("\n")


def loaded(factor: float, folder: Path) -> Module:
    path = folder / f"{factor}.so"
    scaled(factor).save(path)
    return tilewright.load_module(path)


MAKERS: dict[str, Callable[[float, Path], Module]] = {
    "cpu": lambda factor, folder: scaled(factor),
    "parallel": lambda factor, folder: scaled(factor, parallel=True),
    "c": lambda factor, folder: scaled(factor, "c"),
    "saved": loaded,
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("kind", MAKERS)
def test_mappings_do_not_grow(kind: str, tmp_path: Path) -> None:
    make = MAKERS[kind]

    def use(factor: float) -> None:
        np.testing.assert_array_equal(make(factor, tmp_path)(X), X * np.float32(factor))

    count = 12
    for k in range(4):
        use(k)
    gc.collect()
    before = mappings()
    for k in range(count):
        use(100 + k)
    gc.collect()
    assert mappings() - before < count, "each program has at least one mapping of its own"


def test_an_engine_goes_with_its_last_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "_PROGRAMS", 2)
    monkeypatch.setattr(jit, "_linkers", list[Any]())
    first = scaled(2.0)
    engine = weakref.ref(jit._linkers[0])
    second, third = scaled(3.0), scaled(4.0)
    assert jit._linkers[0] is not engine(), "the first one is full"
    del first
    gc.collect()
    assert engine() is not None
    np.testing.assert_array_equal(second(X), X * 3)
    del second
    gc.collect()
    assert engine() is None
    np.testing.assert_array_equal(third(X), X * 4)


def test_functions_keep_the_code_that_they_call() -> None:
    module = scaled(2.0)
    function, bound = module["main"], module["main"].call
    del module
    gc.collect()
    np.testing.assert_array_equal(function(X), X * 2)
    del function
    gc.collect()
    np.testing.assert_array_equal(bound(X), X * 2)


def test_constants_of_a_saved_program_keep_its_library(tmp_path: Path) -> None:
    text = (
        "func.func @main(%x: tensor<6xf32>) -> tensor<6xf32> {\n"
        "  %w = graph.constant dense<[0.5, 1.5, 2.5, 3.5, 4.5, 5.5]> : tensor<6xf32>\n"
        "  %y = graph.mul %x, %w : tensor<6xf32>\n  func.return %y : tensor<6xf32>\n}\n"
    )
    (tmp_path / "m.mlir").write_text(text)
    tilewright.compile(tmp_path / "m.mlir").save(tmp_path / "p.so")
    program = tilewright.load_module(tmp_path / "p.so")
    (constant,) = program["main"].executable.constants
    del program
    gc.collect()
    np.testing.assert_array_equal(constant.ravel(), np.arange(6) + 0.5)


@pytest.mark.full
def test_threads_drop_and_link_at_once() -> None:
    problems: list[BaseException] = []

    def work(start: int) -> None:
        try:
            for k in range(start, start + 8):
                np.testing.assert_array_equal(scaled(k, parallel=True)(X), X * k)
        except BaseException as error:
            problems.append(error)

    threads = [threading.Thread(target=work, args=(100 * n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    gc.collect()
    assert problems == [] and not jit._dropped
