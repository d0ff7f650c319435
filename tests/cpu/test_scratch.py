"""Memory of parallel loops: apart for the members of a team, in the arena, large enough for any team."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import tilewright
from tilewright.runtime.executable import CtypesCall

N, M = 20000, 12
LARGE = f"memref<{N}xf32>"


def doubled(into: str, source: str, target_type: str, source_type: str) -> str:
    """Return a loop that writes twice the source."""
    return f"""
      loop.for %j = 0 to {N} {{
        %v = loop.load {source} : {source_type}
        %w = arith.addf %v, %v : f32
        loop.store %w, {into} : {target_type}
      }}"""


ROWS = f"memref<{M}x{N}xf32>"
BODY = (
    f'%t = loop.alloc : {LARGE}\n%u = loop.alloc : {LARGE[:-1]}, "local">\n'
    + doubled("%t[%j]", "%x[%i, %j]", LARGE, ROWS)
    + doubled("%u[%j]", "%t[%j]", f'{LARGE[:-1]}, "local">', LARGE)
    + doubled("%y[%i, %j]", "%u[%j]", ROWS, f'{LARGE[:-1]}, "local">')
)
SIGNATURE = f"%x: {ROWS}, %y: {ROWS} {{tw.output}}"
X = np.random.default_rng(0).random((M, N), np.float32)


def sizes(module: tilewright.Module) -> tuple[int, int]:
    executable = module.entry.executable
    return executable.arena_size, executable.thread_arena_size


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_members_of_a_team_have_disjoint_scratch(main: Callable[..., tilewright.Module], threads: int) -> None:
    module = main(SIGNATURE, f"loop.for %i = 0 to {M} kind parallel {{ {BODY} }}", threads)
    assert sizes(module) == (0, 2 * 4 * N) and "aligned_alloc" not in module.get_source("llvm")
    for _ in range(5):
        np.testing.assert_array_equal(module(X), 8 * X)
    for other in (1, 2, 5):  # more than the arena was made for, too
        np.testing.assert_array_equal(module(X, threads=other), 8 * X)
    call = module.entry._call
    assert isinstance(call, CtypesCall) and [block.nbytes for block in call.arenas.free] == [threads * 2 * 4 * N]


def test_nested_loops(main: Callable[..., tilewright.Module]) -> None:
    """The inner loop runs serially, in the outer one's memory."""
    body = f"loop.for %o = 0 to 3 kind parallel {{ loop.for %p = 0 to {M // 3} kind parallel {{ {BODY} }} }}"
    module = main(SIGNATURE, body.replace("%i", "%o * 4 + %p"), 2)
    assert sizes(module) == (0, 2 * 4 * N)
    np.testing.assert_array_equal(module(X), 8 * X)


@pytest.mark.parametrize("members", [1, 2])  # both write the same values; one iteration is no loop
def test_called_functions(compiled: Callable[..., tilewright.Module], members: int) -> None:
    """Of several kernels the hungriest counts; one that is called in a parallel loop has a place in the caller's."""
    calling = f"""
      func.func private @rows(%x: {ROWS}, %y: {ROWS} {{tw.output}}) {{
        loop.for %i = 0 to {M} kind parallel {{ {BODY} }}
        func.return
      }}"""
    module = compiled(
        f"""builtin.module {{ {calling}
      func.func @main(%x: {ROWS}, %y: {ROWS} {{tw.output}}) {{
        %t = loop.alloc : {ROWS}
        func.call @rows(%x, %t) : ({ROWS}, {ROWS}) -> ()
        func.call @rows(%t, %y) : ({ROWS}, {ROWS}) -> ()
        func.return
      }}
      func.func @twice(%x: {ROWS}, %y: {ROWS} {{tw.output}}) {{
        loop.for %k = 0 to {members} kind parallel {{
          %t = loop.alloc : {ROWS}
          func.call @rows(%x, %t) : ({ROWS}, {ROWS}) -> ()
          func.call @rows(%t, %y) : ({ROWS}, {ROWS}) -> ()
        }}
        func.return
      }} }}""",
        threads=2,
    )
    assert sizes(module) == (4 * N * M, 2 * 4 * N)
    np.testing.assert_array_equal(module(X), 64 * X)
    twice = module["twice"].executable
    if members == 1:
        assert (twice.arena_size, twice.thread_arena_size) == (4 * N * M, 2 * 4 * N)
    else:
        assert (twice.arena_size, twice.thread_arena_size) == (0, 4 * N * M + 2 * 2 * 4 * N)
    np.testing.assert_array_equal(module["twice"](X), 64 * X)


def test_symbolic_sizes_come_from_the_heap(main: Callable[..., tilewright.Module]) -> None:
    module = main(
        "%x: memref<?xf32>, %y: memref<4x?xf32> {tw.output}",
        """
        %n = loop.dim %x, 0 : memref<?xf32>
        loop.bind %x shape [%n] strides [1] : memref<?xf32>
        loop.bind %y shape [4, %n] strides [%n, 1] : memref<4x?xf32>
        loop.for %i = 0 to 4 kind parallel {
          %t = loop.alloc(%n) : memref<?xf32>
          loop.bind %t shape [%n] strides [1] : memref<?xf32>
          loop.for %j = 0 to %n {
            %v = loop.load %x[%j] : memref<?xf32>
            loop.store %v, %t[%j] : memref<?xf32>
          }
          loop.for %j = 0 to %n {
            %v = loop.load %t[%j] : memref<?xf32>
            loop.store %v, %y[%i, %j] : memref<4x?xf32>
          }
        }""",
        threads=2,
    )
    assert sizes(module) == (0, 0)
    np.testing.assert_array_equal(module(X[0]), np.stack([X[0]] * 4))


PROGRAM = f"""
#include <stdio.h>
#include <stdlib.h>
#include "rows.h"
int main(void) {{
  float *x = malloc(4 * {N * M}), *y = malloc(4 * {N * M});
  for (int i = 0; i < {N * M}; ++i) x[i] = i;
  if (tw_main(x, y, 3)) return 1;
  for (int i = 0; i < {N * M}; ++i) if (y[i] != 8 * x[i]) return 2;
  return 0;
}}
"""


def test_saved_programs(main: Callable[..., tilewright.Module], tmp_path: Path) -> None:
    module = main(SIGNATURE, f"loop.for %i = 0 to {M} kind parallel {{ {BODY} }}", 2)
    module.save(tmp_path / "rows.so")
    loaded = tilewright.load_module(tmp_path / "rows.so")
    assert loaded.entry.is_native and sizes(loaded) == (0, 2 * 4 * N)
    np.testing.assert_array_equal(loaded(X), 8 * X)
    (tmp_path / "program.c").write_text(PROGRAM)
    command = ["cc", "-o", "program", "program.c", "./rows.so", "-lm"]
    subprocess.run(command, cwd=tmp_path, check=True)
    subprocess.run([tmp_path / "program"], cwd=tmp_path, check=True)


COUNTER = """
#include <stddef.h>
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
static long count;
long allocations(void) { return __atomic_load_n(&count, __ATOMIC_SEQ_CST); }
#define COUNT __atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST)
void *malloc(size_t size) { COUNT; return __libc_malloc(size); }
void *calloc(size_t n, size_t size) { COUNT; return __libc_calloc(n, size); }
void *realloc(void *old, size_t size) { COUNT; return __libc_realloc(old, size); }
void *memalign(size_t alignment, size_t size) { COUNT; return __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { COUNT; return __libc_memalign(alignment, size); }
int posix_memalign(void **result, size_t alignment, size_t size) {
  COUNT;
  *result = __libc_memalign(alignment, size);
  return *result ? 0 : 12;
}
"""

COUNTED = """
import ctypes, sys, tracemalloc
import numpy as np
import tilewright
module = tilewright.load_module(sys.argv[1])
counted = ctypes.CDLL(None).allocations
counted.restype = ctypes.c_long
x = np.ones((12, 20000), np.float32)
y = np.empty_like(x)
for _ in range(5):
    module(x, y)
before = counted()
for _ in range(50):
    module(x, y)
print(counted() - before)
before = counted()
module(x)
print(counted() - before > 0)
tracemalloc.start()
before, _ = tracemalloc.get_traced_memory()
tracemalloc.reset_peak()
for _ in range(50):
    module(x, y)
print(tracemalloc.get_traced_memory()[1] - before < 512)  # the loop's own iterator and numbers
"""


def test_a_steady_state_allocates_nothing(main: Callable[..., tilewright.Module], tmp_path: Path) -> None:
    """Neither in C, nor in Python: 50 calls of a program with an arena, on two threads, in a process without others."""
    body = f"%a = loop.alloc : {ROWS}\n" + "".join(
        f"loop.for %i = 0 to {M} kind parallel {{ {BODY.replace('%x', source).replace('%y', into)} }}\n"
        for source, into in (("%x", "%a"), ("%a", "%y"))
    )
    module = main(SIGNATURE, body, 2)
    assert sizes(module) == (4 * N * M, 2 * 4 * N)
    np.testing.assert_array_equal(module(X), 64 * X)
    module.save(tmp_path / "rows.so")
    (tmp_path / "counter.c").write_text(COUNTER)
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", "counter.so", "counter.c"], cwd=tmp_path, check=True)
    environment = {**os.environ, "LD_PRELOAD": str(tmp_path / "counter.so")}
    command = [sys.executable, "-c", COUNTED, str(tmp_path / "rows.so")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", "True", "True"]
