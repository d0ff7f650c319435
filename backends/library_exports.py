"""The description of a saved library as C declarations, which `tilewright.h` reads, and the position of its constants.

`include/tilewright.h` defines the form of the description; libraries are compiled with that part of the header.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from ..runtime.arguments import Argument
from ..runtime.buffers import ALIGNMENT
from ..runtime.cpu_features import KERNEL_NAMES
from ..runtime.description import DISTANCE_AT, SYMBOL, USE_OPENMP, USE_WEIGHTS, Encoded, Entry
from ..runtime.tensor_files import aligned_arrays, pieces_of
from .library_file import BLOCK_SECTION, CONSTANTS_SECTION
from .written.c_declarations import size_names, size_text, stride_names, string_text

INCLUDE = Path(__file__).parents[1] / "include"
"""The folder of `tilewright.h` and of its implementation, for C compilers."""
_INTERFACE = re.compile(r"#define TILEWRIGHT_INTERFACE.*?(?=\n#ifdef __cplusplus)", re.S)
"""The part of the header that libraries are made with."""
BLOCK = "tw_block"
"""The block of bytes that describes the program: its file, and its name within the C source."""


def block_source(file: str, binding: Literal["weak", "globl"]) -> str:
    """Return the head of the block of a program, from that file, and the section of its constants."""
    return f"""
__asm__(
  ".pushsection {BLOCK_SECTION},\\"a\\"\\n.{binding} {SYMBOL}\\n.balign {ALIGNMENT}\\n"
  "{SYMBOL}:\\n{BLOCK}:\\n.incbin \\"{file}\\"\\n.popsection\\n"
  ".pushsection {CONSTANTS_SECTION}\\n.byte 0\\n.popsection\\n");
"""


def constants_source(*, weak: bool) -> str:
    """Return the function that finds the constants: behind the head, or at the address that the caller set."""
    exported = f'{"WEAK " if weak else ""}__attribute__((visibility("default")))'
    return f"""
extern __attribute__((visibility("hidden"))) const unsigned char {BLOCK}[];
static const unsigned char *tw_beside;
{exported} void {USE_WEIGHTS}(const void *weights) {{ tw_beside = weights; }}
static inline const unsigned char *tw_constants(void) {{
  int64_t distance;
  memcpy(&distance, {BLOCK} + {DISTANCE_AT}, sizeof distance);
  return distance ? {BLOCK} + distance : tw_beside;
}}
"""


def get_include() -> str:
    """Return the folder of `tilewright.h` and `tilewright.c`, for the options of a C compiler."""
    return str(INCLUDE)


def exports_source(entries: Sequence[Entry], block: Encoded, features: Sequence[str]) -> str:
    """Return the description of a library for `tilewright.h`, and all functions that it points to but for the
    entries'."""
    interface = _INTERFACE.search((INCLUDE / "tilewright.h").read_text())
    assert interface is not None
    weights, header = (string_text(block.weights), _header_digest(block)) if block.weights else ("0", 0)
    kernel_names = [KERNEL_NAMES[feature] for feature in features if feature in KERNEL_NAMES]
    parts = [interface[0], *(_function_parts(entry, number, block.offsets) for number, entry in enumerate(entries))]
    functions = ",\n".join(f"  {_function_value(entry, number)}" for number, entry in enumerate(entries))
    return f"""
{"".join(parts)}
static const struct tilewright_function tw_functions[] = {{
{functions}
}};
static const char *const tw_features[] = {{{", ".join([*map(string_text, kernel_names), "0"])}}};
__attribute__((weak, visibility("default"))) const struct tilewright_exports tilewright_exports = {{
  TILEWRIGHT_INTERFACE, {len(entries)}, tw_functions, tw_features, {weights}, UINT64_C({header}), {block.size},
  tw_constants, {USE_OPENMP}
}};
"""


def _header_digest(block: Encoded) -> int:
    """Return the digest of the header of the file of weights: FNV-1a (Fowler, Noll, Vo), of 64 bits."""
    digest = 0xCBF29CE484222325
    for byte in next(pieces_of(aligned_arrays(block.constants))):
        digest = (digest ^ byte) * 0x100000001B3 % (1 << 64)
    return digest


def _function_parts(entry: Entry, number: int, offsets: Mapping[int, int]) -> str:
    """Return the tables of an entry, and the function that computes the dimensions of its arguments."""
    signature, checks = entry.signature, entry.checks
    sizes = [*size_names(signature), *stride_names(signature)]
    extents = [d for a in signature.arguments for d in a.shape]
    constants = [str(offsets[id(c)]) for c in entry.constants]
    for position in () if checks is None else checks.positions:
        constants.insert(position, "-1")
    variables = {name: f"sizes[{position}]" for position, name in enumerate(sizes)}
    lines = [f"  extents[{n}] = {size_text(d, variables)};" for n, d in enumerate(extents)]
    shapes = "".join(_shape_table(a, f"tw_shape{number}_{n}") for n, a in enumerate(signature.arguments))
    arguments = ",\n".join(f"  {_argument_value(entry, number, n)}" for n in range(len(signature.arguments)))
    messages = [] if checks is None else [string_text(check.message) for check in checks.checks]
    return f"""
static void tw_extents{number}(const int64_t *sizes, int64_t *extents) {{
  (void)sizes, (void)extents;
{chr(10).join(lines)}
}}
{shapes}static const struct tilewright_argument tw_arguments{number}[] = {{
{arguments}
}};
static const char *const tw_names{number}[] = {{{", ".join([*map(string_text, sizes), "0"])}}};
static const int64_t tw_constants{number}[] = {{{", ".join([*constants, "0"])}}};
static const char *const tw_checks{number}[] = {{{", ".join([*messages, "0"])}}};
"""


def _shape_table(argument: Argument, name: str) -> str:
    shape = ", ".join(str(d) if isinstance(d, int) else "-1" for d in argument.shape) or "0"
    table = f"static const int64_t {name}[] = {{{shape}}};\n"
    if argument.value is not None:
        table += f"static const unsigned char {name}_value[] = {{{', '.join(map(str, argument.value)) or '0'}}};\n"
    return table


def _argument_value(entry: Entry, number: int, position: int) -> str:
    argument = entry.signature.arguments[position]
    names = [a.name for a in entry.signature.arguments]
    table = f"tw_shape{number}_{position}"
    shape_of = -1 if argument.shape_of is None else names.index(argument.shape_of, len(entry.signature.inputs))
    fields = [
        string_text(argument.name),
        string_text(argument.dtype.name),
        table,
        "0" if argument.value is None else f"{table}_value",
        *map(str, (len(argument.shape), argument.dtype.itemsize, shape_of)),
    ]
    return f"{{{', '.join(fields)}}}"


def _function_value(entry: Entry, number: int) -> str:
    signature, checks = entry.signature, entry.checks
    constants = len(entry.constants) + (0 if checks is None else len(checks.positions))
    counts = [len(signature.inputs), len(signature.outputs), len(size_names(signature)), len(stride_names(signature))]
    counts += [constants, 0, 0] if checks is None else [constants, len(checks.checks), checks.record_size]
    tables = [f"tw_{table}{number}" for table in ("entry", "extents", "arguments", "names", "constants", "checks")]
    numbers = map(str, (entry.arena_size, entry.thread_arena_size, *counts))
    return f"{{{', '.join([string_text(entry.name), *tables, *numbers])}}}"


def entry_declarations(entries: Sequence[Entry]) -> str:
    """Return declarations of the native entries."""
    type_ = "(void *const *, const int64_t *, void *const *, void *, int32_t)"
    named = enumerate(entry.symbol for entry in entries)
    return "".join(f'extern int32_t tw_entry{n}{type_} __asm__("{symbol}");\n' for n, symbol in named)
