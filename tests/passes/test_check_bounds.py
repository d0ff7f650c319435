"""`check-bounds`: an index outside of its buffer ends the call with an error that names it, in every backend."""

from __future__ import annotations

import ctypes
import inspect
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tilewright import TilewrightError, dialects, te, topi
from tilewright.backends import backend_for_kind
from tilewright.diagnostics.locations import source_position
from tilewright.diagnostics.parsing import parse
from tilewright.diagnostics.remarks import collect_remarks
from tilewright.driver import build, lower
from tilewright.passes.framework.context import PassContext
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.runtime import Module, load_module
from tilewright.semantics import run

from .loop_programs import Generator, check_passes

TARGETS = ("cpu", "c")
CHECKED = {"check_bounds": True}
LARGE = (1 << 62, -(1 << 63), 1 << 32)


def checked(tensors: list[te.Tensor], target: str = "cpu", threads: int = 1) -> Module:
    with PassContext(config=CHECKED):
        return build(tensors, target=target, threads=threads)


def take_rows(rows: int = 8, count: int = 6) -> tuple[list[te.Tensor], int]:
    """Return rows of a table by number, and the line that says so."""
    table, numbers = te.placeholder((rows, 4), name="A"), te.placeholder((count,), name="I", dtype="int64")
    frame = inspect.currentframe()
    assert frame is not None
    line = frame.f_lineno + 1
    return [table, numbers, topi.take(table, numbers, axis=0, mode="fast")], line


def shifted(size: int, by: int) -> list[te.Tensor]:
    """Return elements of a vector from `by` on, as many as it has."""
    a = te.placeholder((size,), name="A")
    return [a, te.compute((size,), lambda i: a[i + by], name="B")]


@pytest.mark.parametrize("target", TARGETS)
def test_a_wrong_index_is_named(target: str) -> None:
    tensors, line = take_rows()
    take = checked(tensors, target)
    x, numbers = np.arange(32, dtype=np.float32).reshape(8, 4), np.array([0, 7, 3, 2, 1, 1])
    np.testing.assert_array_equal(take(x, numbers), x[numbers])
    for wrong in (8, -1, *LARGE):
        numbers[3] = wrong
        with pytest.raises(TilewrightError) as caught:
            take(x, numbers)
        assert caught.value.code == "TW0730"
        assert caught.value.message == f"expected an index within [8, 4], but A[{wrong}, 0] is read"
        position = source_position(caught.value.location)
        assert position is not None and (position.file, position.line) == (__file__, line)
    numbers[3] = 2  # a call that failed leaves nothing behind
    np.testing.assert_array_equal(take(x, numbers), x[numbers])


def test_the_interpreter_reports_the_same() -> None:
    tensors, line = take_rows()
    with PassContext(config=CHECKED):
        module = lower(tensors).op
    numbers, out = np.array([0, 7, 9, 2, 1, 1]), np.zeros((6, 4), np.float32)
    with pytest.raises(TilewrightError, match=r"A\[9, 0\] is read") as caught:
        run(module, "main", np.ones((8, 4), np.float32), numbers, out)
    position = source_position(caught.value.location)
    assert caught.value.code == "TW0730" and position is not None and position.line == line


@pytest.mark.parametrize("target", TARGETS)
def test_symbolic_sizes_and_several_buffers(target: str) -> None:
    n = te.var("n")
    b, j = te.placeholder((n,), name="B"), te.placeholder((6,), name="J", dtype="int32")
    d = te.compute((6,), lambda i: b[j[i]] * 2.0, name="D")
    module = checked([b, j, d], target)
    values, indices = np.arange(5, dtype=np.float32), np.array([0, 4, 2, 1, 3, 0], np.int32)
    np.testing.assert_array_equal(module(values, indices), values[indices] * 2)
    with pytest.raises(TilewrightError, match=r"expected an index within \[4\], but B\[4\] is read"):
        module(values[:4].copy(), indices)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("threads", [1, 4])
def test_one_thread_of_several_reports(target: str, threads: int) -> None:
    tensors, _ = take_rows(16, 512)
    schedule = te.create_schedule(tensors[2].op)
    schedule[tensors[2]].parallel(tensors[2].op.axis[0])
    with PassContext(config=CHECKED):
        module = build(schedule, tensors, target=target, threads=threads)
    rng = np.random.default_rng(0)
    x, numbers = rng.standard_normal((16, 4)).astype(np.float32), rng.integers(0, 16, 512)
    np.testing.assert_array_equal(module(x, numbers), x[numbers])
    numbers[::5] = 100 + np.arange(512)[::5]
    out = np.zeros((512, 4), np.float32)
    for _ in range(20):
        with pytest.raises(TilewrightError) as caught:
            module(x, numbers, out)
        wrong = int(caught.value.message.split("A[")[1].split(",")[0])
        assert wrong in numbers[::5]


def test_concurrent_calls_have_separate_records() -> None:
    module = checked(take_rows()[0])
    x = np.arange(32, dtype=np.float32).reshape(8, 4)

    def call(number: int) -> int | None:
        try:
            module(x, np.full(6, number))
        except TilewrightError as error:
            return int(error.message.split("A[")[1].split(",")[0])
        return None

    numbers = [n % 24 for n in range(200)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(call, numbers)) == [None if n < 8 else n for n in numbers]


def test_a_saved_program_checks_too(tmp_path: Path) -> None:
    path = tmp_path / "take.so"
    checked(take_rows()[0]).save(path)
    loaded = load_module(path)
    x, numbers = np.arange(32, dtype=np.float32).reshape(8, 4), np.array([0, 7, 3, 2, 1, 12])
    with pytest.raises(TilewrightError, match=r"A\[12, 0\] is read"):
        loaded(x, numbers)
    native, out = ctypes.CDLL(str(path)).tw_main, np.zeros((6, 4), np.float32)
    pointers = [a.ctypes.data_as(ctypes.c_void_p) for a in (x, numbers, out)]
    assert native(*pointers, 1) == 1
    numbers[5] = 0
    assert native(*pointers, 1) == 0
    np.testing.assert_array_equal(out, x[numbers])


def test_who_answers_for_indices_has_no_checks() -> None:
    def text(**settings: Any) -> str:
        with PassContext(**settings):
            return build(take_rows()[0]).get_source("mlir")

    assert "loop.assert" in text()
    assert "loop.assert" not in text(config={"unchecked": True})
    assert "loop.assert" in text(config={"unchecked": True, "check_bounds": True})
    with PassContext(config={"unchecked": True}), pytest.raises(TilewrightError, match="TW0560"):
        build(shifted(8, 4))


def test_what_is_proved_is_not_checked() -> None:
    a, b = te.placeholder((33, 47), name="A"), te.placeholder((47, 29), name="B")
    k = te.reduce_axis((0, 47), name="k")
    c = te.compute((33, 29), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="C")
    padded = te.compute(
        (35, 31), lambda i, j: te.if_then_else(te.all(i >= 1, i < 34, j >= 1, j < 30), c[i - 1, j - 1], 0.0), name="P"
    )
    with collect_remarks() as remarks, PassContext(config=CHECKED):
        assert "loop.assert" not in str(lower([a, b, padded]))
    (remark,) = (r for r in remarks if r.code == "TW0546")
    assert remark.kind == "analysis" and remark.message.endswith("0 are checked")


def test_checked_rows_are_copied_by_vectors() -> None:
    """The row is known before its elements are read: one check for all of them."""
    with PassContext(config=CHECKED):
        text = str(lower(take_rows()[0]))
    assert text.count("loop.assert") == 1 and "vector<4xf32>" in text and '" (%1, 0)' in text


@pytest.mark.parametrize("mode", ["clip", "fast"])
def test_clipped_indices_are_known(mode: str) -> None:
    table, numbers = te.placeholder((8, 4), name="A"), te.placeholder((6,), name="I", dtype="int64")
    with PassContext(config=CHECKED):
        text = str(lower([table, numbers, topi.take(table, numbers, axis=0, mode=mode)]))
    assert ("loop.assert" in text) == (mode == "fast")


STORES = {
    "store": "loop.store %one, %C[%k] : memref<8xf32>",
    "guarded": "loop.store %one, %C[%k] where (%k >= 0) : memref<8xf32>",
    "sum": "loop.store %one, %C[%k * 4 + 3] : memref<8xf32>",
    "vector": "loop.store %ones, %C[%k + lane] : vector<4xf32>, memref<8xf32>",
    "strided": "loop.store %ones, %C[%k - lane * 2] : vector<4xf32>, memref<8xf32>",
    "masked": "loop.store %ones, %C[%k + lane] where (%k + lane < 9) : vector<4xf32>, memref<8xf32>",
}


@pytest.mark.parametrize("access", STORES)
@pytest.mark.parametrize("target", [*TARGETS, "interpreter"])
def test_accesses_of_every_form(access: str, target: str) -> None:
    text = f"""
      func.func @main(%K: memref<1xi64> {{tw.name = "K"}}, %C: memref<8xf32> {{tw.name = "C", tw.output}}) {{
        %one = arith.constant 1.0 : f32
        %ones = vector.broadcast %one : f32 to vector<4xf32>
        %0 = loop.load %K[0] : memref<1xi64>
        %k = arith.index_cast %0 : i64 to index
        {STORES[access]}
        func.return
      }}"""
    module = parse(dialects.context(), text, "outside.mlir")
    PassManager(parse_pipeline("check-bounds")).run(dialects.context(), module)
    function: Callable[..., np.ndarray] = backend_for_kind(target).make(module, 1)
    inside = {"sum": 1, "strided": 7}.get(access, 2)
    function(np.array([inside]))
    for k in (8, 7, 6, -1, -5, 1 << 40, -(1 << 40)):
        plain = parse(dialects.context(), text, "outside.mlir")
        try:
            run(plain, "main", np.array([k]), np.zeros(8, np.float32))
        except TilewrightError as error:
            assert error.code == "TW0721"
            with pytest.raises(TilewrightError, match=r"TW0730.*expected an index within \[8\], but C\["):
                function(np.array([k]))
        else:
            function(np.array([k]))


INDICES_OF_INDICES = {
    "checked in front of it": "%1 = loop.load %I[%k] : memref<6xi64>",
    "checked for an equal one": """
        %w = loop.load %I[%k] : memref<6xi64>
        %1 = loop.load %I[%k] : memref<6xi64>""",
    "asserted": """
        loop.assert (%k >= 0, %k < 6), "I[{}] is asked for" (%k)
        %1 = loop.load %I[%k] : memref<6xi64>""",
    "asserted from below": """
        loop.assert (%k >= 0), "I[{}] is asked for" (%k)
        %1 = loop.load %I[%k] : memref<6xi64>""",
    "divided": """
        loop.assert (%k >= 1), "I[{}] is asked for" (%k)
        %three = arith.constant 3 : i64
        %1 = arith.divsi %three, %0 : i64""",
}


@pytest.mark.parametrize("kind", ["", "kind parallel"])
@pytest.mark.parametrize("inner", INDICES_OF_INDICES)
def test_no_check_looks_at_an_index_before_that_is_known_to_be_right(inner: str, kind: str) -> None:
    text = f"""
      func.func @main(%A: memref<9xf32> {{tw.name = "A"}}, %I: memref<6xi64> {{tw.name = "I"}}, %J: memref<5xi64>,
                      %C: memref<8x5x4xf32> {{tw.output}}) {{
        loop.for %o = 0 to 8 {{ loop.for %i = 0 to 5 {kind} {{
          %0 = loop.load %J[%i] : memref<5xi64>
          %k = arith.index_cast %0 : i64 to index
          {INDICES_OF_INDICES[inner]}
          %m = arith.index_cast %1 : i64 to index
          loop.for %j = 0 to 4 {{
            %a = loop.load %A[%m + %j] : memref<9xf32>
            loop.store %a, %C[%o, %i, %j] : memref<8x5x4xf32>
          }}
        }} }}
        func.return
      }}"""
    module = parse(dialects.context(), text, "indices.mlir")
    PassManager(parse_pipeline("check-bounds")).run(dialects.context(), module)
    values, starts, numbers = np.arange(9, dtype=np.float32), np.array([5, 0, 4, 3, 1, 2]), np.array([1, 5, 3, 2, 4])
    out = np.zeros((8, 5, 4), np.float32)
    run(module, "main", values, starts, numbers, out)
    selected = 3 // numbers if inner == "divided" else starts[numbers]
    np.testing.assert_array_equal(out, np.broadcast_to(values[selected[:, None] + np.arange(4)], out.shape))
    for wrong in (-1,) if inner == "divided" else (6, -1):
        with pytest.raises(TilewrightError, match=rf"I\[{wrong}\]") as caught:
            run(module, "main", values, starts, np.array([1, wrong, 3, 2, 0]), out)
        assert caught.value.code == "TW0730"


def test_random_programs_compute_the_same() -> None:
    for seed in range(70, 75):
        check_passes(Generator(seed).program(), "check-bounds,simplify", seed)


def test_the_process_goes_on() -> None:
    """Wild indices end calls, not the process, with several threads too."""
    program = inspect.cleandoc("""
        import numpy as np, tilewright
        from tilewright import te, topi
        a, i = te.placeholder((64,), name="A"), te.placeholder((4096,), name="I", dtype="int64")
        c = te.compute((4096,), lambda k: a[i[k]] + 1.0, name="C")
        s = te.create_schedule(c.op)
        s[c].parallel(c.op.axis[0])
        with tilewright.PassContext(config={"check_bounds": True}):
            f = tilewright.build(s, [a, i, c], threads=4)
        wild = np.random.default_rng(0).integers(-(1 << 62), 1 << 62, 4096)
        for _ in range(50):
            try:
                f(np.ones(64, np.float32), wild)
            except tilewright.TilewrightError as error:
                assert error.code == "TW0730"
        print("done")
    """)
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout == "done\n"


def test_kernels_of_opencl_have_no_checks() -> None:
    tensors, _ = take_rows()
    schedule = te.create_schedule(tensors[2].op)
    schedule[tensors[2]].bind(tensors[2].op.axis[0], te.thread_axis("blockIdx.x"))
    with collect_remarks() as remarks:
        program = build(schedule, tensors, target="opencl")
    assert "__kernel" in program.imported_modules[0].get_source()
    (remark,) = (r for r in remarks if r.code == "TW0561")
    assert remark.message.startswith("1 accesses of kernels in @main are not checked")
