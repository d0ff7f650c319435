"""Calls from parallel loops of a compiled library to the OpenMP runtime of this process.

GCC turns a statically scheduled parallel loop into calls of three functions. The library defines these functions, which
pass the calls on, so that a process never holds two runtimes. Clang calls other functions, and gets an option that
links the runtime of the process.
"""

from __future__ import annotations

USE_OPENMP = "tw_use_openmp"
"""The library's function that takes the addresses of the runtime's functions, in the order of `openmp.SYMBOLS`."""

OPENMP_SOURCE = f"""
static void *tw_openmp[3];

void {USE_OPENMP}(void *const *functions) {{
  for (int i = 0; i < 3; ++i) tw_openmp[i] = functions[i];
}}

#define TW_HIDDEN __attribute__((visibility("hidden")))
static __thread int tw_alone;
TW_HIDDEN void GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags) {{
  if (threads != 1) {{
    ((void (*)(void (*)(void *), void *, unsigned, unsigned))tw_openmp[0])(body, data, threads, flags);
    return;
  }}
  ++tw_alone;
  body(data);
  --tw_alone;
}}
TW_HIDDEN int omp_get_thread_num(void) {{ return tw_alone ? 0 : ((int (*)(void))tw_openmp[1])(); }}
TW_HIDDEN int omp_get_num_threads(void) {{ return tw_alone ? 1 : ((int (*)(void))tw_openmp[2])(); }}
"""
