"""Parallel loops, and programs called from several threads at once."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hangs import HANG
from tilewright.backends.cpu import thread_pool
from tilewright.runtime.openmp import OpenMP, bound_spinning, spin_microseconds

TEAM = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
SHARED = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_int32)

NO_ROOM = """
import ctypes, resource
from tilewright.backends.cpu import thread_pool
ran = []
team = ctypes.CFUNCTYPE(None, ctypes.c_void_p, *[ctypes.c_int64] * 3)(lambda _, *range_of: ran.append(range_of))
share = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_int32)
share = share(thread_pool.addresses()["tilewright_share"])
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, ((pages << 12) + (4 << 20),) * 2)  # less than the stack of a thread
share(ctypes.cast(team, ctypes.c_void_p), None, 0, 16, 3)
assert {member for *_, member in ran} == {0}, ran
assert sorted(i for begin, end, _ in ran for i in range(begin, end)) == [*range(16)], ran
"""
"""A parallel loop by three threads in a process that has no memory for another thread."""

KEPT_OFF = """
import ctypes, os, time
from tilewright.backends.cpu import thread_pool
allowed = {*sorted(os.sched_getaffinity(0))[:2]}
os.sched_setaffinity(0, allowed)
team = ctypes.CFUNCTYPE(None, ctypes.c_void_p, *[ctypes.c_int64] * 3)(lambda *_: None)
share = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_int32)
share = share(thread_pool.addresses()["tilewright_share"])
for _ in range(500):
    share(ctypes.cast(team, ctypes.c_void_p), None, 0, 16, 2)
    members = [os.sched_getaffinity(int(task)) for task in os.listdir("/proc/self/task") if int(task) != os.getpid()]
    if any(len(each) == 1 and each < allowed for each in members):
        break
    time.sleep(0.01)  # until the member sleeps
else:
    raise SystemExit(f"members may run on {members}")
"""
"""A parallel loop whose member sleeps between the calls of a caller that may use two processors."""

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


def test_where_no_thread_can_be_made_the_caller_runs_the_loop() -> None:
    run = subprocess.run([sys.executable, "-c", NO_ROOM], capture_output=True, text=True, timeout=HANG, check=False)
    assert run.returncode == 0, run.stderr


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
def test_the_runtime_that_is_loaded_spins_for_the_time_that_is_set(given: str | None, expected: str) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("KMP_", "OMP_"))}
    environment |= {} if given is None else {"KMP_BLOCKTIME": given}
    run = subprocess.run([sys.executable, "-c", SPINS], env=environment, capture_output=True, text=True, check=True)
    assert run.stdout.strip() in (expected, "none")


GNU = """
import os
from tilewright.runtime import openmp
openmp._candidates = lambda mapped: iter(["libgomp.so.1"])
print(openmp.openmp().library, os.environ.get("GOMP_SPINCOUNT"))
"""


@pytest.mark.needs("gcc")
@pytest.mark.parametrize(("given", "after", "count"), [(None, "None", "10000"), ("7", "7", "7")])
def test_libgomp_is_loaded_with_a_bounded_count_of_looks(given: str | None, after: str, count: str) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("GOMP_", "OMP_"))}
    environment |= {"OMP_DISPLAY_ENV": "verbose"} | ({} if given is None else {"GOMP_SPINCOUNT": given})
    run = subprocess.run([sys.executable, "-c", GNU], env=environment, capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["libgomp.so.1", after]
    assert f"GOMP_SPINCOUNT = '{count}'" in run.stderr


def test_one_iteration_starts_no_team(main, monkeypatch) -> None:
    started: list[int] = []
    share = SHARED(lambda team, context, begin, end, threads: started.append(threads))
    addresses = {"tilewright_share": ctypes.cast(share, ctypes.c_void_p).value}
    monkeypatch.setattr("tilewright.backends.cpu.module.thread_pool.addresses", lambda: addresses)
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


def shared(run: Callable[[int, int, int], None], count: int, threads: int) -> None:
    """Call `run(begin, end, member)` on ranges of so many iterations by the pool."""
    team = TEAM(lambda context, begin, end, member: run(begin, end, member))
    share = ctypes.cast(thread_pool.addresses()["tilewright_share"], SHARED)
    share(ctypes.cast(team, ctypes.c_void_p), None, 0, count, threads)


def test_members_go_on_with_the_shares_of_others() -> None:
    """A member that is held up in its first range leaves the other ranges of its share to the caller."""
    first, others = threading.Event(), threading.Event()
    ran: list[tuple[int, int, int]] = []

    def run(begin: int, end: int, member: int) -> None:
        if member == 1 and not first.is_set():
            first.set()
            assert others.wait(HANG)
        elif member == 0:
            assert first.wait(HANG)
        ran.append((begin, end, member))
        if sum(last - start for start, last, by in ran if by == 0) == 8 + 6:
            others.set()

    shared(run, 16, 2)
    assert sorted(i for begin, end, _ in ran for i in range(begin, end)) == list(range(16))
    assert {member: sum(end - begin for begin, end, by in ran if by == member) for member in (0, 1)} == {0: 14, 1: 2}


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
def test_shares_of_several_callers(threads: int) -> None:
    """Callers at once have teams of their own, and no two threads that run at once are the same member."""
    problems: list[str] = []

    def call(count: int) -> None:
        counts, running, lock = [0] * count, set[int](), threading.Lock()

        def run(begin: int, end: int, member: int) -> None:
            with lock:
                if member in running or not 0 <= member < threads:
                    problems.append(f"member {member} of {threads}")
                running.add(member)
            for i in range(begin, end):
                counts[i] += 1
            with lock:
                running.remove(member)

        for _ in range(20):
            shared(run, count, threads)
        if counts != [20] * count:
            problems.append(f"{count} iterations: {counts}")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(call, [1, 2, 3, 7, 64, 65]))
    assert not problems


def test_waiting_threads_of_the_pool_spin_as_the_user_says() -> None:
    quiet, crowded = spin_microseconds({})
    assert quiet > crowded > 0
    assert spin_microseconds({"KMP_BLOCKTIME": "2"}) == (2000, 2000)
    assert spin_microseconds({"OMP_WAIT_POLICY": "PASSIVE"}) == (0, 0)
    assert min(spin_microseconds({"OMP_WAIT_POLICY": "active"})) > quiet
    assert min(spin_microseconds({"KMP_BLOCKTIME": "infinite"})) > quiet


@pytest.mark.skipif(sys.platform != "linux" or len(os.sched_getaffinity(0)) < 2, reason="one processor alone")
def test_a_member_that_is_woken_keeps_off_the_processor_of_its_caller() -> None:
    environment = {**os.environ, "OMP_WAIT_POLICY": "passive"}
    done = subprocess.run(
        [sys.executable, "-c", KEPT_OFF], env=environment, capture_output=True, text=True, timeout=HANG
    )
    assert done.returncode == 0, done.stderr
