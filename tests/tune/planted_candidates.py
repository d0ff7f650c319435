"""Programs that add one to four numbers, right or in one of the ways in which a candidate fails."""

from __future__ import annotations

from functools import cache

import tilewright
from tilewright import te
from tilewright.tune.measure.building import packed
from tilewright.tune.measure.protocol import Argument, CompiledProgram, Workload

HEAD = """
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
static void *volatile kept;
static void right(float *out, const float *in) { for (int i = 0; i < 4; i++) out[i] = in[i] + 1; }
"""
BODIES = {
    "right": "right(out, in);",
    "crash": "right(out, in); raise(SIGSEGV);",
    "abort": 'right(out, in); fputs("heap is corrupt\\n", stderr); abort();',
    "exit": "right(out, in); _exit(3);",
    "hang": "right(out, in); for (;;) pause();",
    "wrong": "right(out, in); out[2] += 1;",
    "silent": "out[0] = in[0] + 1;",
    "sometimes": "static int runs; right(out, in); if (runs++) out[3] = 7;",
    "writes inputs": "right(out, in); *(float *)in = 0;",
    "leak": "right(out, in); kept = malloc(1 << 20);",
    "alone": "cpu_set_t s; sched_getaffinity(0, sizeof s, &s); right(out, in); if (CPU_COUNT(&s) != 1) out[0] = 0;",
    "cpu": "right(out, in); out[0] = 1000 + sched_getcpu();",
    "large": "right(out, in); if (!(kept = malloc(1L << 40))) out[0] = 0;",
}
"""Programs on `float *out` and `const float *in`."""


@cache
def planted(name: str, threads: int | None = None) -> CompiledProgram:
    """Return the program of that name, whose parallel loops, if it had some, would use so many threads."""
    source = f"{HEAD}int f(float *out, const float *in) {{ {BODIES[name]} return 0; }}"
    a = te.placeholder((4,), name="A")
    b = te.extern((4,), [a], lambda i, o: te.call_extern("int32", "f", o[0], i[0]), name="B", c_source=source)
    return packed(tilewright.compile(te.to_module([a, b]), threads=threads))


def workload(reference: str = "right") -> Workload:
    """Return the arguments, and one of the programs as reference."""
    return Workload((Argument((4,), "float32"), Argument((4,), "float32", is_output=True)), planted(reference))
