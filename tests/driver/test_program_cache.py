"""Models from the cache of programs: the same as compiled ones, and only where nothing else may happen."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any

import numpy as np
import pytest
import safetensors.numpy
import tilewright
from hangs import HANG
from tilewright import PassContext
from tilewright.backends.cpu import program_file
from tilewright.diagnostics import fail
from tilewright.diagnostics.parsing import parse
from tilewright.diagnostics.remarks import collect_remarks
from tilewright.dialects import context
from tilewright.dialects.constant_data import resource_attr
from tilewright.dialects.resource import walk_resources
from tilewright.driver import building, compiler_state, program_cache
from tilewright.driver.packaged_ir import GraphRecorder, PackagedIR
from tilewright.passes.framework import intrinsics
from tilewright.runtime.buffers import aligned
from xdsl.dialects.builtin import ModuleOp

MODEL = """
func.func @main(%x: tensor<1x3x8x8xf32> {tw.name = "x"}) -> (tensor<1x4x8x8xf32> {tw.name = "r"}) {
  %w = graph.constant resource<"w"> : tensor<4x3x3x3xf32>
  %b = graph.constant dense<[1.0, -1.0, 0.5, 0.0]> : tensor<4xf32>
  %c = graph.conv2d %x, %w, %b padding [1, 1, 1, 1] : tensor<1x4x8x8xf32>
  %r = graph.relu %c : tensor<1x4x8x8xf32>
  func.return %r : tensor<1x4x8x8xf32>
}
"""
RANDOM = np.random.default_rng(0)
WEIGHTS = RANDOM.standard_normal((4, 3, 3, 3), np.float32)
X = RANDOM.standard_normal((1, 3, 8, 8), np.float32)


def model(text: str = MODEL, weights: np.ndarray = WEIGHTS) -> ModuleOp:
    module = parse(context(), text, "<text>")
    for op, key, _ in walk_resources(module):
        op.properties[key] = resource_attr("w", weights)
    return module


@pytest.fixture(autouse=True)
def as_shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the rules that other tests of this process registered: with those, nothing is cached."""
    builtin: dict[tuple[str, str], dict[int, Any]] = {}
    for key, levels in intrinsics._rules.items():
        builtin[key] = {n: tuple(e for e in entries if isinstance(e.rule, str)) for n, entries in levels.items()}
    monkeypatch.setattr(intrinsics, "_rules", builtin)
    assert compiler_state.is_as_shipped()


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("TILEWRIGHT_PROGRAM_CACHE", "1")
    # Whether sources are edited while the tests run is not what these tests are about.
    monkeypatch.setattr(program_cache, "compiler_fingerprint", lambda: "these sources")
    yield tmp_path / "programs"


@pytest.fixture
def lowered(monkeypatch: pytest.MonkeyPatch) -> list[ModuleOp]:
    """Note the modules that go through the passes."""
    seen: list[ModuleOp] = []
    lower = building.lower_module

    def noted(module: ModuleOp, *arguments: Any, **keywords: Any) -> ModuleOp:
        seen.append(module)
        return lower(module, *arguments, **keywords)

    for user in (building, program_cache):
        monkeypatch.setattr(user, "lower_module", noted)
    return seen


def files(cache: Path) -> list[Path]:
    program_cache.finish_writing()
    return sorted(cache.rglob("*.program"))


def test_cached_against_fresh(cache: Path, lowered: list[ModuleOp]) -> None:
    fresh = tilewright.compile(model(), threads=1)
    assert len(lowered) == 1 and len(files(cache)) == 1
    cached = tilewright.compile(model(), threads=1)
    assert len(lowered) == 1, "expected the second program to come from the cache"
    np.testing.assert_array_equal(cached(X), fresh(X))
    assert repr(cached) == repr(fresh) and cached.threads == 1
    assert cached.code is not None and fresh.code is not None
    assert cached.code.objects == fresh.code.objects
    for one, other in zip(cached.code.entries, fresh.code.entries, strict=True):
        assert (one.name, one.symbol, one.signature, one.arena_size) == (
            other.name, other.symbol, other.signature, other.arena_size)  # fmt: skip
        for a, b in zip(one.constants, other.constants, strict=True):
            np.testing.assert_array_equal(a, b, strict=True)
            assert a.ctypes.data % 64 == 0
    assert len(lowered) == 1
    for kind in ("mlir", "llvm", "asm"):  # which lowers it, once
        assert cached.get_source(kind) == fresh.get_source(kind)
    assert len(lowered) == 2


def test_profiles_and_files_of_cached_programs(tmp_path: Path, lowered: list[ModuleOp]) -> None:
    fresh = tilewright.compile(model(), threads=1)
    cached = tilewright.compile(model(), threads=1)
    cached.save(tmp_path / "cached.so")
    assert len(lowered) == 1
    np.testing.assert_array_equal(tilewright.load_module(tmp_path / "cached.so")(X), fresh(X))
    kernels = [[(k.name, k.operators, k.flops, k.bytes) for k in p.profile([X], 1).kernels] for p in (fresh, cached)]
    assert sorted(kernels[0]) == sorted(kernels[1]) and kernels[0][0][1]


def test_packages_of_cached_programs_are_saved_without_a_pass(tmp_path: Path, lowered: list[ModuleOp]) -> None:
    wide = RANDOM.standard_normal((64, 3, 3, 3), np.float32)  # large enough to be read in a mapped package
    models: list[Callable[[], ModuleOp]] = [
        model,
        lambda: model(MODEL.replace("%x, %w, %b", "%x, %w").replace("<4x3x", "<64x3x").replace("x4x", "x64x"), wide),
        lambda: model(MODEL.replace("relu", "tanh")),
    ]
    for number, make in enumerate(models):
        fresh, cached = (tilewright.compile(make(), threads=1) for _ in range(2))
        for program, name in ((fresh, "fresh.tar"), (cached, "cached.tar"), (cached, "again.tar")):
            program.save(tmp_path / name)
        assert len(lowered) == number + 1, "expected packages of a cached program to be written without lowering it"
        whole = (tmp_path / "fresh.tar").read_bytes()
        assert (tmp_path / "cached.tar").read_bytes() == (tmp_path / "again.tar").read_bytes() == whole
        np.testing.assert_array_equal(tilewright.load_module(tmp_path / "cached.tar")(X), fresh(X))
        with PassContext(config={"program_cache": False}):
            rebuilt = tilewright.compile(tmp_path / "cached.tar", threads=1)
        lowered.pop()
        np.testing.assert_array_equal(rebuilt(X), fresh(X))


def test_ir_is_kept_with_weights_that_the_program_does_not_read() -> None:
    recorder = GraphRecorder()
    recorder.module = model()
    ir = recorder.packaged({})
    assert ir is not None and ir.values is not None and not ir.names
    pieces = program_file.encode_program(tilewright.compile(model()).code.entries, [b"object"], ir.files())  # type: ignore[union-attr]
    data = aligned(np.frombuffer(b"".join(pieces), np.uint8))
    found = program_file.decode_program(data)
    assert found is not None
    (_, objects), files = found
    assert objects == [b"object"]
    kept = PackagedIR.of(files)
    assert (kept.text, kept.names, kept.values) == (ir.text, ir.names, ir.values)
    np.testing.assert_array_equal(safetensors.numpy.load(bytes(ir.values))["w"], WEIGHTS)
    named = GraphRecorder()
    named.module = model()
    other = named.packaged({"p0": WEIGHTS.copy()})
    assert other is not None and other.names == {"w": "p0"} and other.values is None
    assert PackagedIR.of([memoryview(each) for each in other.files()]) == other


def test_a_program_whose_ir_is_gone_is_not_kept(
    cache: Path, lowered: list[ModuleOp], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def gone(*_: Any) -> None:
        fail("TW0705", "the model's file was replaced")

    with monkeypatch.context() as patch, caplog.at_level(logging.WARNING):
        patch.setattr(GraphRecorder, "packaged", gone)
        expected = tilewright.compile(model())(X)
        assert not files(cache)
    assert "is not cached: the model's file was replaced" in caplog.text
    np.testing.assert_array_equal(tilewright.compile(model())(X), expected)
    assert len(lowered) == 2 and len(files(cache)) == 1


def different_models() -> list[ModuleOp]:
    other = WEIGHTS.copy()
    other[0, 0, 0, 0] += 1
    return [
        model(weights=other),
        model(MODEL.replace("dense<[1.0", "dense<[2.0")),
        model(MODEL.replace('"x"', '"y"')),
        model(MODEL.replace("relu", "tanh")),
    ]


def test_everything_that_decides_is_in_the_key(
    cache: Path, lowered: list[ModuleOp], monkeypatch: pytest.MonkeyPatch
) -> None:
    tilewright.compile(model())
    for count, other in enumerate(different_models(), 2):
        tilewright.compile(other)
        assert len(lowered) == count
    contexts = [
        PassContext(opt_level=1),
        PassContext(disabled_pass=["unroll"]),
        PassContext(required_pass=["unroll"]),
        PassContext(config={"verify_each": False}),
    ]
    for watched in contexts:
        before = len(lowered)
        with watched:
            tilewright.compile(model())
            assert len(lowered) == before + 1
            tilewright.compile(model())
            assert len(lowered) == before + 1
    before = len(lowered)
    tilewright.compile(model(), target="cpu -mattr=+sse2")
    monkeypatch.setattr(program_cache, "compiler_fingerprint", lambda: "other sources")
    tilewright.compile(model())
    assert len(lowered) == before + 2
    tilewright.compile(model())
    assert len(lowered) == before + 2


class Watching:
    def run_before_pass(self, module: Any, info: Any) -> None: ...


def test_who_watches_or_changes_sees_a_compilation(lowered: list[ModuleOp], monkeypatch: pytest.MonkeyPatch) -> None:
    tilewright.compile(model())

    def compiles() -> bool:
        before = len(lowered)
        tilewright.compile(model())
        return len(lowered) == before + 1

    assert not compiles()
    contexts = [
        PassContext(instruments=[Watching()]),
        PassContext(add_lower_pass=[(3, "simplify")]),
        PassContext(config={"check_bounds": True}),
        PassContext(config={"program_cache": False}),
    ]
    for watched in contexts:
        with watched:
            assert compiles()
    with collect_remarks():
        assert compiles()
    with monkeypatch.context() as patch:
        patch.setattr(program_cache, "compiler_fingerprint", lambda: None)
        assert compiles()
    with monkeypatch.context() as patch:
        patch.setattr(compiler_state, "entry_points", lambda group: ["a plugin"])
        assert compiles()
    with monkeypatch.context() as patch:
        patch.setenv("TILEWRIGHT_CACHE_DIR", "")
        assert compiles()
    tilewright.register_lowering("math.tanh", target="cpu", level=99)(lambda op, rewriter: False)
    try:
        assert compiles()
    finally:
        from tilewright.passes.framework.intrinsics import unregister_lowering

        unregister_lowering("math.tanh", "cpu", 99)
    assert not compiles()


@pytest.mark.parametrize("damage", ["flipped", "cut", "empty", "foreign"])
def test_damaged_files_are_replaced(
    damage: str, cache: Path, lowered: list[ModuleOp], caplog: pytest.LogCaptureFixture
) -> None:
    expected = tilewright.compile(model())(X)
    (path,) = files(cache)
    whole = path.read_bytes()
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 1
    path.write_bytes(
        {"flipped": bytes(flipped), "cut": whole[:-5], "empty": b"", "foreign": b"TILECACX" + whole[8:]}[damage]
    )
    with caplog.at_level(logging.WARNING):
        np.testing.assert_array_equal(tilewright.compile(model())(X), expected)
    assert "damaged" in caplog.text and len(lowered) == 2
    program_cache.finish_writing()
    assert path.read_bytes() == whole
    tilewright.compile(model())
    assert len(lowered) == 2


def test_a_program_is_written_while_its_caller_goes_on(
    cache: Path, lowered: list[ModuleOp], monkeypatch: pytest.MonkeyPatch
) -> None:
    may_write, encode = Event(), program_file.encode_program

    def held(*arguments: Any) -> Any:
        assert may_write.wait(HANG)
        return encode(*arguments)

    monkeypatch.setattr(program_file, "encode_program", held)
    expected = tilewright.compile(model())(X)
    assert not [*cache.rglob("*.program")], "it is not there yet"
    may_write.set()
    np.testing.assert_array_equal(tilewright.compile(model())(X), expected)
    assert len(lowered) == 1, "the second compilation waits for the first one's file"


def test_a_process_that_can_start_no_thread_writes_itself(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tilewright.compile(different_models()[0])  # what starts threads of its own has done so

    class Refusing(Thread):
        def start(self) -> None:
            raise RuntimeError("can't create new thread at interpreter shutdown")

    monkeypatch.setattr(program_cache, "Thread", Refusing)
    count = len(files(cache))
    tilewright.compile(model())
    assert len([*cache.rglob("*.program")]) == count + 1


def test_a_process_that_ends_has_written(tmp_path: Path) -> None:
    """Also where a thread compiled that the process does not wait for."""
    code = (
        "import sys, threading, tilewright\n"
        "from tilewright.driver import program_cache\n"
        "program_cache.compiler_fingerprint = lambda: 'these sources'\n"
        "compiling = threading.Thread(target=tilewright.compile, args=(sys.argv[1],), daemon=True)\n"
        "compiling.start(); compiling.join()\n"
    )
    (tmp_path / "model.mlir").write_text(
        "func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {\n"
        "  %r = graph.relu %x : tensor<4x8xf32>\n  func.return %r : tensor<4x8xf32>\n}\n"
    )
    environment = {**os.environ, "TILEWRIGHT_CACHE_DIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code, tmp_path / "model.mlir"], check=True, env=environment)
    assert len([*tmp_path.rglob("*.program")]) == 1


def test_the_source_may_change_after_its_compilation(lowered: list[ModuleOp]) -> None:
    fresh = tilewright.compile(model())
    source = model()
    cached = tilewright.compile(source)
    assert len(lowered) == 1
    for op in list(source.ops):
        op.detach()
    assert cached.get_source("mlir") == fresh.get_source("mlir")


def test_changed_sources_have_no_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler_state, "_STARTED", 2**62)
    fingerprint = compiler_state.compiler_fingerprint()
    assert fingerprint is not None and fingerprint == compiler_state.compiler_fingerprint()
    monkeypatch.setattr(compiler_state, "_STARTED", 0)
    assert compiler_state.compiler_fingerprint() is None


def test_programs_below_the_graph_are_not_kept(cache: Path) -> None:
    te = tilewright.te
    a = te.placeholder((4,), name="a")
    tilewright.build([a, te.compute((4,), lambda i: a[i] + 1, name="b")])
    assert not files(cache)
