"""Parallel loops, and programs called from several threads at once."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hangs import HANG
from tilewright.runtime.openmp import OpenMP, bound_spinning, openmp

ROWS = """
        loop.for %i = 0 to {n} kind parallel {{
          loop.for %j = 0 to 8 kind parallel {{
            %v = loop.load %x[%i, %j] : memref<{n}x8xf32>
            %w = arith.mulf %v, %v : f32
            loop.store %w, %y[%i, %j] : memref<{n}x8xf32>
          }}
        }}"""


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
@pytest.mark.parametrize("n", [1, 2, 5, 64])
def test_every_iteration_runs_once(main, n, threads):
    module = main(
        f"%y: memref<{n}xi32> {{tw.output}}",
        f"""
        %z = arith.constant 0 : i32
        %one = arith.constant 1 : i32
        loop.for %i = 0 to {n} {{ loop.store %z, %y[%i] : memref<{n}xi32> }}
        loop.for %i = 0 to {n} kind parallel {{
          %v = loop.load %y[%i] : memref<{n}xi32>
          %w = arith.addi %v, %one : i32
          loop.store %w, %y[%i] : memref<{n}xi32>
        }}""",
    )
    np.testing.assert_array_equal(module(threads=threads), np.ones(n))


def test_nested_parallel_loops_and_captures(main):
    module = main(
        "%x: memref<6x8xf32>, %y: memref<6x8xf32> {tw.output}",
        """
        %c = arith.constant 2.0 : f32
        loop.for %o = 0 to 3 {
          %f = loop.load %x[0, %o] : memref<6x8xf32>
          %s = arith.addf %f, %c : f32
          loop.for %u = 0 to 2 kind unrolled {
            loop.for %i = %o to %o + 1 {
              loop.for %j = 0 to 8 kind parallel {
                %v = loop.load %x[%i * 2 + %u, %j] : memref<6x8xf32>
                %w = arith.mulf %v, %s : f32
                loop.store %w, %y[%i * 2 + %u, %j] : memref<6x8xf32>
              }
            }
          }
        }""",
    )
    x = np.random.default_rng(0).random((6, 8), np.float32)
    expected = x * np.repeat(x[0, :3] + np.float32(2), 2)[:, None]
    for threads in (1, 2):
        np.testing.assert_array_equal(module(x, threads=threads), expected)


def test_symbolic_and_empty_ranges(main):
    module = main(
        "%x: memref<?x8xf32>, %y: memref<?x8xf32> {tw.output}",
        """
        %n = loop.dim %x, 0 : memref<?x8xf32>
        loop.bind %x shape [%n, 8] strides [8, 1] : memref<?x8xf32>
        loop.bind %y shape [%n, 8] strides [8, 1] : memref<?x8xf32>
        loop.for %i = 0 to %n kind parallel {
          %v = loop.load %x[%i, lane] : memref<?x8xf32>, vector<8xf32>
          loop.store %v, %y[%n - 1 - %i, lane] : vector<8xf32>, memref<?x8xf32>
        }""",
        threads=2,
    )
    for n in (0, 1, 2, 33):
        x = np.random.default_rng(n).random((n, 8), np.float32)
        np.testing.assert_array_equal(module(x), x[::-1])


def test_calls_from_several_threads(main):
    """Each call has its own arena and its own team."""
    n = 4096
    module = main(
        f"%x: memref<{n}x8xf32>, %y: memref<{n}x8xf32> {{tw.output}}",
        f"%t = loop.alloc : memref<{n}x8xf32>\n" + ROWS.format(n=n).replace("%y[", "%t[")
        + ROWS.format(n=n).replace("%x[", "%t["),
        threads=2,
    )  # fmt: skip

    def call(seed: int) -> bool:
        x = np.random.default_rng(seed).random((n, 8), np.float32)
        return all(np.array_equal(module(x), (x * x) * (x * x)) for _ in range(5))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(call, range(8)))


def test_without_an_openmp_runtime_loops_run_serially(main, monkeypatch):
    addresses = openmp().addresses
    monkeypatch.setattr("tilewright.runtime.executable.openmp", lambda: OpenMP(None, addresses))
    module = main("%x: memref<5x8xf32>, %y: memref<5x8xf32> {tw.output}", ROWS.format(n=5), threads=2)
    x = np.random.default_rng(0).random((5, 8), np.float32)
    np.testing.assert_array_equal(module(x), x * x)


def _call_in_child(module, x) -> None:
    np.testing.assert_array_equal(module(x), x * x)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_child_can_call(main):
    module = main("%x: memref<64x8xf32>, %y: memref<64x8xf32> {tw.output}", ROWS.format(n=64), threads=2)
    x = np.random.default_rng(0).random((64, 8), np.float32)
    np.testing.assert_array_equal(module(x), x * x)
    context = multiprocessing.get_context("fork")
    child = context.Process(target=_call_in_child, args=(module, x))
    child.start()
    child.join(HANG)
    child.kill()
    assert child.exitcode == 0
    assert not OpenMP("/lib/libgomp.so.1", {}).survives_fork


class _Library:
    """A runtime that notes its defaults."""

    def __init__(self) -> None:
        self.defaults: list[bytes] = []

    def kmp_set_defaults(self, text: bytes) -> None:
        self.defaults.append(text)


def test_waiting_threads_sleep_after_a_bounded_spin_unless_the_user_says_how_they_wait() -> None:
    library = _Library()
    assert bound_spinning(library, {"OMP_NUM_THREADS": "2"}) and library.defaults == [b"KMP_BLOCKTIME=1"]
    for name in ("KMP_BLOCKTIME", "KMP_LIBRARY", "OMP_WAIT_POLICY"):
        assert not bound_spinning(library, {name: "200"})
    assert len(library.defaults) == 1
    assert not bound_spinning(object(), {}), "libgomp has no such function"


SPINS = """
import ctypes
from tilewright.runtime.openmp import openmp
library = ctypes.CDLL(openmp().library)
print(library.kmp_get_blocktime() if hasattr(library, "kmp_get_blocktime") else "none")
"""


@pytest.mark.parametrize(("given", "expected"), [(None, "1"), ("7", "7")])
def test_the_runtime_that_is_loaded_spins_as_long_as_it_is_told(given: str | None, expected: str) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("KMP_", "OMP_"))}
    environment |= {} if given is None else {"KMP_BLOCKTIME": given}
    run = subprocess.run([sys.executable, "-c", SPINS], env=environment, capture_output=True, text=True, check=True)
    assert run.stdout.strip() in (expected, "none")


def test_one_iteration_starts_no_team(main, monkeypatch) -> None:
    started: list[int] = []
    start = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint, ctypes.c_uint)(
        lambda function, data, threads, flags: started.append(threads)
    )
    addresses = {**openmp().addresses, "GOMP_parallel": ctypes.cast(start, ctypes.c_void_p).value}
    monkeypatch.setattr("tilewright.backends.cpu.module.openmp", lambda: OpenMP("libomp.so", addresses))
    module = main(
        "%x: memref<?xf32>, %y: memref<?xf32> {tw.output}",
        """
        %n = loop.dim %x, 0 : memref<?xf32>
        loop.bind %x shape [%n] strides [1] : memref<?xf32>
        loop.bind %y shape [%n] strides [1] : memref<?xf32>
        loop.for %i = 0 to %n kind parallel {
          %v = loop.load %x[%i] : memref<?xf32>
          loop.store %v, %y[%i] : memref<?xf32>
        }""",
        threads=2,
    )
    for n, teams in ((0, []), (1, []), (2, [2])):
        x, y = np.arange(1, n + 1, dtype=np.float32), np.zeros(n, np.float32)
        module(x, y)
        assert started == teams
        assert teams or np.array_equal(x, y)
