"""The C side of a saved program: functions that C programs call, and the header that declares them.

Each entry becomes a C function of pointers and sizes, which makes the tables that the native entry takes. Parallel
loops reach their runtime through pointers that whoever loads the program sets; unset, they run serially.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...runtime.arguments import Argument
from ...runtime.buffers import ALIGNMENT
from ...runtime.description import DISTANCE_AT, SYMBOL, USE_OPENMP, USE_WEIGHTS, Entry
from ...runtime.extent import Combination, Dimension, Division, Extent
from ..library_file import BLOCK_SECTION, CONSTANTS_SECTION
from ..written.c_names import HEADER_RESERVED
from ..written.names import name_text

BLOCK = "tw_block"
"""The block of bytes that describes the program: its file, and its name within the C source."""
_TYPES = {
    "bool": "uint8_t",
    "float16": "uint16_t",
    "float32": "float",
    "float64": "double",
}

OPENMP_SOURCE = f"""\
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define WEAK __attribute__((weak))
typedef void (*tw_parallel)(void (*)(void *), void *, unsigned, unsigned);
static void *tw_openmp[3];

WEAK __attribute__((visibility("default"))) void {USE_OPENMP}(void *const *functions) {{
  for (int i = 0; i < 3; ++i) tw_openmp[i] = functions[i];
}}

WEAK void GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags) {{
  if (tw_openmp[0]) ((tw_parallel)tw_openmp[0])(body, data, threads, flags);
  else body(data);
}}

WEAK int omp_get_thread_num(void) {{ return tw_openmp[1] ? ((int (*)(void))tw_openmp[1])() : 0; }}
WEAK int omp_get_num_threads(void) {{ return tw_openmp[2] ? ((int (*)(void))tw_openmp[2])() : 1; }}
"""
"""Weak, so that several saved object files can be linked into one program."""

_ELF_BLOCK = f"""
__asm__(
  ".pushsection {BLOCK_SECTION},\\"a\\"\\n.weak {SYMBOL}\\n.balign {ALIGNMENT}\\n"
  "{SYMBOL}:\\n{BLOCK}:\\n.incbin \\"{BLOCK}\\"\\n.popsection\\n"
  ".pushsection {CONSTANTS_SECTION}\\n.byte 0\\n.popsection\\n");
"""
"""The head of the block in an object file of ELF."""

_HELPERS = f"""
extern __attribute__((visibility("hidden"))) const unsigned char {BLOCK}[];
static const unsigned char *tw_beside;
WEAK __attribute__((visibility("default"))) void {USE_WEIGHTS}(const void *weights) {{ tw_beside = weights; }}
static inline const unsigned char *tw_constants(void) {{
  int64_t distance;
  memcpy(&distance, {BLOCK} + {DISTANCE_AT}, sizeof distance);
  return distance ? {BLOCK} + distance : tw_beside;
}}
static inline int64_t tw_floordiv(int64_t a, int64_t b) {{
  return b == 0 ? 0 : a / b - (a % b != 0 && (a < 0) != (b < 0));
}}
static inline int64_t tw_min(int64_t a, int64_t b) {{ return a < b ? a : b; }}
static inline int64_t tw_max(int64_t a, int64_t b) {{ return a > b ? a : b; }}
static inline int64_t tw_mod(int64_t a, int64_t b) {{ return a - b * tw_floordiv(a, b); }}
"""


def c_source(entries: Sequence[Entry], offsets: Mapping[int, int], block: str = _ELF_BLOCK) -> str:
    """The C functions; `offsets` are those of the constants from the first one, by identity.

    `block` is the C source that defines the block of the description.
    """
    named = enumerate(zip(entries, _functions(entries), strict=True))
    functions = (_definition(entry, function, number, offsets) for number, (entry, function) in named)
    return OPENMP_SOURCE + block + _HELPERS + "".join(functions)


def c_header(entries: Sequence[Entry], guard: str) -> str:
    """The header that declares the C functions."""
    lines = [
        f"#ifndef {guard}",
        f"#define {guard}",
        "#include <stdint.h>",
        "",
        "/* Arrays are dense, in row-major order, aligned to their elements; outputs overlap nothing. `threads` is",
        "   how many threads parallel loops use, which run serially until tilewright_use_openmp has been given the",
        "   addresses of GOMP_parallel, omp_get_thread_num and omp_get_num_threads. Constants in a file beside the",
        "   library begin at the address that tilewright_use_weights is given. The result is 0, or 1 where memory ran",
        "   out or an index was found out of bounds, or 2 where no such address was given. */",
        "#ifdef __cplusplus",
        'extern "C" {',
        "#endif",
        f"void {USE_OPENMP}(void *const *functions);",
        f"void {USE_WEIGHTS}(const void *weights);",
    ]
    for entry, declaration in zip(entries, c_declarations(entries), strict=True):
        lines += ["", f"/* {entry.signature} */", f"{declaration};"]
    return "\n".join([*lines, "#ifdef __cplusplus", "}", "#endif", "#endif", ""])


def c_declarations(entries: Sequence[Entry]) -> list[str]:
    """The declarations of the C functions of entries."""
    return [_declaration(entry, function) for entry, function in zip(entries, _functions(entries), strict=True)]


def _definition(entry: Entry, function: str, number: int, offsets: Mapping[int, int]) -> str:
    arguments = entry.signature.arguments
    names, sizes = _names(entry)
    strides = [f"(void *)(intptr_t){sizes[stride]}" for stride in _strides(entry)]
    pointers = ", ".join([*strides, *(f"(void *){names[a.name]}" for a in arguments)])
    symbolic = [_expression(d, sizes) for a in arguments for d in a.shape if not isinstance(d, int)]
    constants = [f"(void *)(weights + {offsets[id(c)]})" for c in entry.constants]
    weights = "\n  const unsigned char *weights = tw_constants();\n  if (!weights) return 2;" if constants else ""
    record = ""
    if entry.checks is not None:
        record = f"\n  int64_t record[{entry.checks.record_size}] = {{0}};"
        for place in entry.checks.places:
            constants.insert(place, "record")
    size = str(-(-entry.arena_size // ALIGNMENT) * ALIGNMENT)
    if entry.thread_arena_size:
        size += f" + (size_t)(threads < 1 ? 1 : threads) * {entry.thread_arena_size}"
    arena = (
        f"void *arena = aligned_alloc({ALIGNMENT}, {size});\n  if (!arena) return 1;"
        if size != "0"
        else "void *arena = 0;"
    )
    return f"""
extern int32_t tw_entry{number}(void *const *, const int64_t *, void *const *, void *, int32_t)
    __asm__("{entry.symbol}");
__attribute__((visibility("default"))) {_declaration(entry, function)} {{
  void *arguments[] = {{{pointers}}};{weights}
  int64_t sizes[] = {{{", ".join(symbolic) or "0"}}};{record}
  void *constants[] = {{{", ".join(constants) or "0"}}};
  {arena}
  int32_t status = tw_entry{number}(arguments, sizes, constants, arena, threads < 1 ? 1 : threads);
  free(arena);
  return status;
}}
"""


def _declaration(entry: Entry, function: str) -> str:
    arguments, sizes = _names(entry)
    parameters = [f"const {_type(a)} *{arguments[a.name]}" for a in entry.signature.inputs]
    parameters += [f"{_type(a)} *{arguments[a.name]}" for a in entry.signature.outputs]
    parameters += [f"int64_t {name}" for name in sizes.values()]
    return f"int32_t {function}({', '.join([*parameters, 'int32_t threads'])})"


def _functions(entries: Sequence[Entry]) -> list[str]:
    """C identifiers of the entries, all different."""
    taken: set[str] = set()
    return [_identifier(entry.name, taken) for entry in entries]


def _names(entry: Entry) -> tuple[dict[str, str], dict[str, str]]:
    """C identifiers of the arguments, and of the sizes and strides, all different."""
    taken: set[str] = set()
    arguments = {a.name: _identifier(a.name, taken) for a in entry.signature.arguments}
    return arguments, {name: _identifier(name, taken) for name in (*_sizes(entry), *_strides(entry))}


def _sizes(entry: Entry) -> list[str]:
    """The symbolic sizes in the order in which shapes name them."""
    dims = (d for a in entry.signature.arguments for d in a.shape if isinstance(d, Extent))
    return list(dict.fromkeys(d.name for d in dims if d.name is not None))


def _strides(entry: Entry) -> list[str]:
    """Names of the strides in elements that callers pass."""
    given = ((a.name, d, s) for a in entry.signature.arguments for d, s in enumerate(a.strides or ()))
    return [f"{name}_stride{d}" for name, d, stride in given if stride is None]


def _expression(dimension: Dimension, names: Mapping[str, str]) -> str:
    if isinstance(dimension, int):
        return str(dimension)
    parts = [str(dimension.constant)]
    for atom, coefficient in dimension.terms:
        match atom:
            case str():
                value = names[atom]
            case Division():
                value = f"tw_{atom.kind}({_expression(atom.numerator, names)}, {atom.divisor})"
            case Combination():
                lhs, rhs = _expression(atom.lhs, names), _expression(atom.rhs, names)
                value = f"(({lhs}) * ({rhs}))" if atom.kind == "*" else f"tw_{atom.kind}({lhs}, {rhs})"
        parts.append(f"{coefficient} * {value}")
    return " + ".join(parts)


def _identifier(name: str, taken: set[str]) -> str:
    """A C identifier like a name that none of `taken` is, which it enters there."""
    text = name_text(name)
    if text in HEADER_RESERVED or not text or text[0].isdigit() or text[0] == "_":
        text = f"tw_{text}"
    while text in taken:
        text += "_"
    taken.add(text)
    return text


def _type(argument: Argument) -> str:
    """Elements that C has no type for are passed as their bits."""
    if argument.dtype.isbuiltin == 2:
        return f"uint{8 * argument.dtype.itemsize}_t"
    return _TYPES.get(argument.dtype.name) or f"{argument.dtype.name}_t"
