"""The C interface of a saved program: functions that C programs call, their header, and libraries with both.

Each entry becomes a C function of pointers and sizes, which fills the tables of the native calling convention. Arenas
are kept and reused, one for each concurrent call, so that later calls allocate no memory. Parallel loops call their
runtime through pointers that the loader of the program sets; if these are null, the loops run serially.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ...diagnostics.files import write_file
from ...dialects.target import CpuTargetAttr
from ...dialects.target_text import stated
from ...runtime.buffers import ALIGNMENT
from ...runtime.description import USE_OPENMP, USE_WEIGHTS, Encoded, Entry, encode
from ..library_exports import BLOCK, block_source, constants_source, entry_declarations, exports_source
from ..linking import Kind, link, write_linked
from ..written.c_declarations import (
    SIZE_FUNCTIONS,
    argument_names,
    comment_text,
    element_type,
    identifier,
    size_text,
    stride_names,
)
from .emit.parallel import SHARE
from .host import foreign_triple

OPENMP_SOURCE = f"""\
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define WEAK __attribute__((weak))
typedef void (*tw_parallel)(void (*)(void *), void *, unsigned, unsigned);
typedef void (*tw_team)(void *, int64_t, int64_t, int64_t);
static void *tw_openmp[3];

WEAK __attribute__((visibility("default"))) void {USE_OPENMP}(void *const *functions) {{
  for (int i = 0; i < 3; ++i) tw_openmp[i] = functions[i];
}}

struct tw_shared {{ tw_team team; void *context; int64_t begin, end; }};

static void tw_member(void *data) {{
  const struct tw_shared *shared = data;
  int64_t member = ((int (*)(void))tw_openmp[1])(), members = ((int (*)(void))tw_openmp[2])();
  int64_t share = (shared->end - shared->begin) / members, rest = (shared->end - shared->begin) % members;
  int64_t begin = shared->begin + member * share + (member < rest ? member : rest);
  int64_t end = begin + share + (member < rest);
  if (begin < end) shared->team(shared->context, begin, end, member);
}}

WEAK void {SHARE}(tw_team team, void *context, int64_t begin, int64_t end, int32_t threads) {{
  struct tw_shared shared = {{team, context, begin, end}};
  if (tw_openmp[0]) ((tw_parallel)tw_openmp[0])(tw_member, &shared, threads, 0);
  else team(context, begin, end, 0);
}}
"""
"""Weak, so that several saved object files can be linked into one program."""


_KEPT = 16
"""Arenas that are kept."""

_ARENAS_SOURCE = f"""
static void *tw_kept[{_KEPT}];

static void *tw_take_arena(size_t size) {{
  for (int i = 0; i < {_KEPT}; ++i) {{
    size_t *kept = __atomic_exchange_n(&tw_kept[i], (void *)0, __ATOMIC_ACQ_REL);
    if (kept && *kept >= size) return (char *)kept + {ALIGNMENT};
    free(kept);
  }}
  size_t *made = aligned_alloc({ALIGNMENT}, (size / {ALIGNMENT} + 2) * {ALIGNMENT});
  if (!made) return 0;
  *made = size;
  return (char *)made + {ALIGNMENT};
}}

static void tw_leave_arena(void *arena) {{
  void *block = (char *)arena - {ALIGNMENT};
  for (int i = 0; i < {_KEPT}; ++i) {{
    void *none = 0;
    if (__atomic_compare_exchange_n(&tw_kept[i], &none, block, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return;
  }}
  free(block);
}}

#ifndef __wasm__
__attribute__((destructor)) static void tw_free_arenas(void) {{
  for (int i = 0; i < {_KEPT}; ++i) free(__atomic_exchange_n(&tw_kept[i], (void *)0, __ATOMIC_ACQ_REL));
}}
#endif
"""
"""Blocks of memory with their size in the line before the arena. They belong to all functions of a file, and are freed
when the library is closed."""


def write_library(
    path: Path, entries: Sequence[Entry], objects: Sequence[bytes], target: CpuTargetAttr, kind: Kind, weights: str = ""
) -> Encoded:
    """Write the shared library or object file of a program and return its encoded block.

    If `weights` names a file, the description refers to that file beside the library for the constants. Raises TW0613
    where the C compiler for the target is missing or fails, TW0204 where the file cannot be written.
    """
    features = [f.data for f in target.features]
    block = encode(entries, features, weights=weights, made_for=stated(target) or str(target))
    linked = link(c_source(entries, block, features), objects, kind, block, foreign_triple(target))
    write_linked(path, linked, kind, block)
    return block


def write_header(path: Path, entries: Sequence[Entry]) -> None:
    """Write the C header of a program."""
    guard = "TILEWRIGHT_" + "".join(c if c.isalnum() and c.isascii() else "_" for c in path.stem.upper()) + "_H"
    write_file(path, c_header(entries, guard).encode())


def c_source(entries: Sequence[Entry], block: Encoded, features: Sequence[str] = (), definition: str = "") -> str:
    """Return the C functions, and the description for `tilewright.h`; `block` has the position of the constants,
    `features` are the instruction sets that the code uses.

    `definition` is the C source that defines the block of bytes on machines without ELF, whose programs no
    `tilewright.h` loads.
    """
    named = enumerate(zip(entries, _functions(entries), strict=True))
    functions = [_definition(entry, function, number, block.offsets) for number, (entry, function) in named]
    parts = [OPENMP_SOURCE, definition or block_source(BLOCK, "weak"), constants_source(weak=True), SIZE_FUNCTIONS]
    if any(entry.arena_size or entry.thread_arena_size for entry in entries):
        parts.append(_ARENAS_SOURCE)
    exports = "" if definition else exports_source(entries, block, features)
    return "".join([*parts, entry_declarations(entries), *functions, exports])


def c_header(entries: Sequence[Entry], guard: str) -> str:
    """Return the header that declares the C functions."""
    lines = [
        f"#ifndef {guard}",
        f"#define {guard}",
        "#include <stdint.h>",
        "",
        "/* Arrays are dense, in row-major order, aligned to their elements; outputs overlap nothing. `threads` is",
        "   how many threads parallel loops use, which run serially until tilewright_use_openmp has been given the",
        "   addresses of GOMP_parallel, omp_get_thread_num and omp_get_num_threads. Constants in a file beside the",
        "   library begin at the address that tilewright_use_weights is given. Memory for intermediate values is",
        f"   kept for later calls, of {_KEPT} calls at once. The result is 0, or 1 where memory ran out or an index",
        "   was found out of bounds, or 2 where no such address was given. */",
        "#ifdef __cplusplus",
        'extern "C" {',
        "#endif",
        f"void {USE_OPENMP}(void *const *functions);",
        f"void {USE_WEIGHTS}(const void *weights);",
    ]
    for entry, declaration in zip(entries, c_declarations(entries), strict=True):
        lines += ["", f"/* {comment_text(str(entry.signature))} */", f"{declaration};"]
    return "\n".join([*lines, "#ifdef __cplusplus", "}", "#endif", "#endif", ""])


def c_declarations(entries: Sequence[Entry]) -> list[str]:
    """Return the declarations of the C functions of entries."""
    return [_declaration(entry, function) for entry, function in zip(entries, _functions(entries), strict=True)]


def _definition(entry: Entry, function: str, number: int, offsets: Mapping[int, int]) -> str:
    arguments = entry.signature.arguments
    names, sizes = argument_names(entry.signature)
    strides = [f"(void *)(intptr_t){sizes[stride]}" for stride in stride_names(entry.signature)]
    pointers = ", ".join([*strides, *(f"(void *){names[a.name]}" for a in arguments)])
    symbolic = [size_text(d, sizes) for a in arguments for d in a.shape if not isinstance(d, int)]
    constants = [f"(void *)(weights + {offsets[id(c)]})" for c in entry.constants]
    weights = "\n  const unsigned char *weights = tw_constants();\n  if (!weights) return 2;" if constants else ""
    record = ""
    if entry.checks is not None:
        record = f"\n  int64_t record[{entry.checks.record_size}] = {{0}};"
        for position in entry.checks.positions:
            constants.insert(position, "record")
    size = str(-(-entry.arena_size // ALIGNMENT) * ALIGNMENT)
    if entry.thread_arena_size:
        size += f" + (size_t)(threads < 1 ? 1 : threads) * {entry.thread_arena_size}"
    taken, left = "void *arena = 0;", ""
    if size != "0":
        taken = f"void *arena = tw_take_arena({size});\n  if (!arena) return 1;"
        left = "\n  tw_leave_arena(arena);"
    return f"""
__attribute__((visibility("default"))) {_declaration(entry, function)} {{
  void *arguments[] = {{{pointers}}};{weights}
  int64_t sizes[] = {{{", ".join(symbolic) or "0"}}};{record}
  void *constants[] = {{{", ".join(constants) or "0"}}};
  {taken}
  int32_t status = tw_entry{number}(arguments, sizes, constants, arena, threads < 1 ? 1 : threads);{left}
  return status;
}}
"""


def _declaration(entry: Entry, function: str) -> str:
    arguments, sizes = argument_names(entry.signature)
    parameters = [f"const {element_type(a.dtype)} *{arguments[a.name]}" for a in entry.signature.inputs]
    parameters += [f"{element_type(a.dtype)} *{arguments[a.name]}" for a in entry.signature.outputs]
    parameters += [f"int64_t {name}" for name in sizes.values()]
    return f"int32_t {function}({', '.join([*parameters, 'int32_t threads'])})"


def _functions(entries: Sequence[Entry]) -> list[str]:
    """Return C identifiers of the entries, all different."""
    taken: set[str] = set()
    return [identifier(entry.name, taken) for entry in entries]
