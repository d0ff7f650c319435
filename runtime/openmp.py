"""The OpenMP runtime that parallel loops of saved libraries and of programs in C run on.

The first that is found is used: a runtime of LLVM's kind that is in the process already (a second one would abort the
process), libiomp5 of the intel-openmp wheel by its absolute path, or libgomp. All of them offer GCC's interface:
`GOMP_parallel`, `omp_get_thread_num`, `omp_get_num_threads`. If none is found, parallel loops run serially, and a
remark reports it once.

libgomp's pool does not survive a fork: in a child of a process that used it, parallel loops run serially.

Threads of a pool that wait for the next parallel loop spin for a while and then sleep. By default, a runtime of LLVM's
kind spins for 200 ms and libgomp for 300,000 iterations, which take milliseconds: on a busy machine a thread has used
up its time slice by the time there is work for it. A runtime that is loaded here spins for `SPIN_MS`, libgomp for
`SPIN_COUNT` iterations, which is longer than the pauses between the kernels of a call, unless the environment sets
another limit (KMP_BLOCKTIME, KMP_LIBRARY, GOMP_SPINCOUNT, OMP_WAIT_POLICY). A runtime that was in the process already
keeps its settings.
"""

from __future__ import annotations

import ctypes
import logging
import os
import re
import site
import sys
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

_log = logging.getLogger("tilewright.openmp")

SYMBOLS = ("GOMP_parallel", "omp_get_thread_num", "omp_get_num_threads")
"""The functions that generated code calls."""


@dataclass(frozen=True)
class OpenMP:
    """A loaded OpenMP runtime. If `library` is None there is none, and no address may be called."""

    library: str | None
    addresses: Mapping[str, int]

    @cached_property
    def survives_fork(self) -> bool:
        return self.library is not None and not _is_gnu(self.library)

    @cached_property
    def limit(self) -> ctypes.c_int32:
        """The most threads that a parallel region may have in this process, kept where native code can read it."""
        return ctypes.c_int32(1 if self.library is None else _MANY)

    def note_fork(self) -> None:
        """Note that this process is a forked child of the process that loaded the runtime."""
        if not self.survives_fork:
            self.limit.value = 1


SPIN_MS = 1
"""Milliseconds for which a thread of OpenMP that waits spins before it sleeps."""
SPIN_COUNT = 10_000
"""The number of spin iterations of a waiting thread of libgomp before it sleeps. One takes 10 to 50 ns, the time of the
spin-wait hint instruction."""
QUIET_MICROSECONDS, CROWDED_MICROSECONDS = 1000, 3
"""The same in microseconds for the pool of this process (`backends.cpu.thread_pool`), on a quiet machine and on a
crowded one."""
_WAITING = ("KMP_BLOCKTIME", "KMP_LIBRARY", "OMP_WAIT_POLICY")
"""The environment variables that set the waiting of threads in runtimes of LLVM's kind."""
_COUNT = "GOMP_SPINCOUNT"
"""The environment variable with the number of spin iterations after which a waiting thread of libgomp sleeps."""

_MANY = 2**31 - 1
_RUNTIME = re.compile(r"lib(iomp5|omp|gomp)\b")
_kept: dict[str, ctypes.CDLL] = {}
"""The runtimes that are never unmapped."""


@cache
def openmp() -> OpenMP:
    """Return the process's OpenMP runtime, loaded on the first call."""
    mapped = _mapped_libraries()
    for path in _candidates(mapped):
        try:
            library = ctypes.CDLL(path) if path in mapped else load_bounded(path, os.environ)
            addresses = {name: _address(library, name) for name in SYMBOLS}
        except (OSError, AttributeError):
            continue
        found = OpenMP(path, addresses)
        os.register_at_fork(after_in_child=found.note_fork)
        return found
    _log.warning("no OpenMP runtime found: parallel loops run serially; install intel-openmp or libgomp")
    # Linking wants an address for every symbol; code that runs with one thread calls none of them.
    abort = _address(ctypes.CDLL(None), "abort")
    return OpenMP(None, dict.fromkeys(SYMBOLS, abort))


def load_bounded(path: str, environment: MutableMapping[str, str]) -> ctypes.CDLL:
    """Load a runtime with a limit on the spinning of waiting threads, unless the environment sets one.

    libgomp reads its settings while it is loaded, so the environment has the count during the load.
    """
    if not _is_gnu(path):
        library = ctypes.CDLL(path)
        bound_spinning(library, environment)
        return library
    if _COUNT in environment or "OMP_WAIT_POLICY" in environment:
        return ctypes.CDLL(path)
    environment[_COUNT] = str(SPIN_COUNT)
    try:
        return ctypes.CDLL(path)
    finally:
        del environment[_COUNT]


def bound_spinning(library: ctypes.CDLL, environment: Mapping[str, str]) -> bool:
    """Set the spin limit `SPIN_MS` in a runtime of LLVM's kind that has no threads yet, unless the environment sets
    one. Return whether it was set."""
    if any(name in environment for name in _WAITING) or not hasattr(library, "kmp_set_defaults"):
        return False
    library.kmp_set_defaults(f"KMP_BLOCKTIME={SPIN_MS}".encode())
    return True


def spin_microseconds(environment: Mapping[str, str]) -> tuple[float, float]:
    """Return the microseconds for which waiting threads spin before they sleep, on a quiet machine and on a crowded
    one.

    The environment may set the times.
    """
    blocked, policy = environment.get("KMP_BLOCKTIME", ""), environment.get("OMP_WAIT_POLICY", "").lower()
    if blocked.isdigit():
        return 1e3 * int(blocked), 1e3 * int(blocked)
    stated = 1e6 if blocked.lower() == "infinite" else {"active": 1e6, "passive": 0.0}.get(policy)
    return (QUIET_MICROSECONDS, CROWDED_MICROSECONDS) if stated is None else (stated, stated)


def available_threads() -> int:
    """Return the default number of threads of a program: OMP_NUM_THREADS, else this process's CPUs."""
    first = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    if first.isdigit() and int(first) > 0:
        return int(first)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def keep_runtimes() -> None:
    """Keep all OpenMP runtimes of this process loaded, whichever library brought them."""
    for path in _mapped_libraries():
        if path not in _kept and _RUNTIME.match(Path(path).name):
            with suppress(OSError):  # the file has gone since
                _kept[path] = ctypes.CDLL(path)


def _is_gnu(path: str) -> bool:
    return "gomp" in Path(path).name


def _address(library: ctypes.CDLL, name: str) -> int:
    address = ctypes.cast(getattr(library, name), ctypes.c_void_p).value
    assert address is not None
    return address


def _candidates(mapped: Sequence[str]) -> Iterator[str]:
    """Yield paths to try, best first; `mapped` are the files in this process."""
    yield from (p for p in mapped if re.match(r"lib(iomp5|omp)\b", Path(p).name))
    for prefix in dict.fromkeys((sys.prefix, site.getuserbase(), sys.base_prefix)):
        path = Path(prefix) / "lib" / "libiomp5.so"
        if path.exists():
            yield str(path)
    yield from (p for p in mapped if re.match(r"libgomp\b", Path(p).name))
    yield "libgomp.so.1"


def _mapped_libraries() -> list[str]:
    """Return the files mapped into this process; empty where the system does not report them."""
    try:
        lines = Path("/proc/self/maps").read_text().splitlines()
    except OSError:
        return []
    return sorted({line[line.index("/") :] for line in lines if "/" in line})
