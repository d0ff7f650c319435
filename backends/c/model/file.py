"""Emission of a model from executable loop IR: C source, header, and a file of weights where they are large."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from ....diagnostics import fail
from ....diagnostics.files import fail_writing, write_file, written_whole
from ....dialects.loop.memory_spaces import ARENA_BYTES, bytes_of
from ....runtime.arguments import Signature
from ....runtime.buffers import rounded
from ...checks import check_messages
from ...signature import signature_of
from ...written.c_declarations import SIZE_FUNCTIONS
from ...written.c_names import RESERVED
from ...written.fresh_names import Names, Reserved, name_text, whole_name
from ..mathematics import LIBRARY_FUNCTIONS
from ..program import CProgram, definitions, has_arena, includes, read_program
from .arena import SizeWriter, bytes_function
from .function import FIRST_CHECK, NAMES, ModelWriter, needs_of_models
from .interface import (
    BAD_ARGUMENT,
    BAD_WEIGHTS,
    Entry,
    message,
    message_function,
    weights_check,
    weights_functions,
)
from .types import alias_definitions
from .weights import Weights, weights_of

WEIGHTS_LIMIT = 8 << 20
"""The bytes of weights up to which they are arrays in the C file."""


@dataclass(frozen=True)
class ModelSizes:
    """The bytes of a model that was written to C files."""

    code: int
    """Of the C source without its arrays of weights."""
    constants: int
    """Of the elements of weights, in arrays or in the file of weights."""
    arena: int | None
    """Of the arena that a call needs; None where that follows from the sizes of inputs."""
    weights: Path | None
    """The file of weights, where there is one."""

    def __str__(self) -> str:
        arena = "by the sizes of inputs" if self.arena is None else f"{self.arena:,} bytes"
        where = "" if self.weights is None else f" in {self.weights.name}"
        return f"code {self.code:,} bytes, constants {self.constants:,} bytes{where}, arena {arena}"


@dataclass(frozen=True)
class ModelFiles:
    """The content of the files of a model."""

    source: str
    header: str
    weights: Weights
    sizes: tuple[int, int | None]
    """The bytes of the source without its arrays, and of the arena."""


def write_model(
    module: ModuleOp, path: str | Path, *, name: str | None = None, weights_limit: int = WEIGHTS_LIMIT
) -> ModelSizes:
    """Write executable loop IR for the target "c" as a C99 file, with a header `.h` beside it, and with the weights in
    a file `.weights` where they have more than `weights_limit` bytes.

    The names of functions, structs and macros begin with `name`, else with the name of the file. Raises TW0675 for a
    buffer whose size the inputs' shapes do not determine, TW0676 for an output whose shape the program finds, TW0677
    for operations that need an operating system, TW0601 and TW0620 for operations that cannot be written in C, TW0204
    where a file cannot be written.
    """
    path = Path(path)
    files = model_files(module, name or path.stem, path.with_suffix(".h").name, weights_limit)
    write_file(path, files.source.encode())
    write_file(path.with_suffix(".h"), files.header.encode())
    beside = path.with_suffix(".weights") if files.weights.in_file else None
    if beside is not None:
        _write_weights(beside, files.weights)
    return ModelSizes(files.sizes[0], files.weights.bytes, files.sizes[1], beside)


def _write_weights(path: Path, weights: Weights) -> None:
    """Write the file of weights, piece by piece: they may be all of a model."""
    try:
        with written_whole(path) as temporary, temporary.open("wb") as file:
            file.writelines(weights.pieces())
    except OSError as error:
        fail_writing(path, error)


def model_files(module: ModuleOp, name: str, header: str, weights_limit: int = WEIGHTS_LIMIT) -> ModelFiles:
    """Return the files of a model whose header has that name. Raises the errors of `write_model`."""
    prefix = whole_name(name)
    reserved = Reserved(RESERVED.words.union(NAMES), (*RESERVED.prefixes, f"{prefix}_", f"{prefix.upper()}_"))
    program = read_program(module, needs_of_models, reserved)
    weights = weights_of(list(program.constants), weights_limit)
    if not weights.in_file:
        program = _without_weights(program)
    functions_of_callers = [f for f in program.functions if program.is_entry(f)]
    names = Names(Reserved(frozenset()))
    prefixes = [names.fresh(f"{prefix}_{f.sym_name.data}") for f in functions_of_callers]
    prefixes = prefixes if len(prefixes) > 1 else [prefix]
    entries = [_entry(program, f, name) for f, name in zip(functions_of_callers, prefixes, strict=True)]
    functions = [text for _, text in program.write(partial(ModelWriter, weights))]
    functions += _size_functions(program)
    interface = [text for entry in entries for text in entry.definitions()]
    if weights.in_file:
        interface = [*weights_functions(prefix, weights), *interface]
    interface.append(message_function(prefix, check_messages(program.checks)))
    body = "\n\n".join([*functions, *interface])
    arrays = weights.definitions()
    prelude = _prelude(program, body, arrays, header)
    code = "\n\n".join([*prelude, body]) + "\n"
    source = "\n\n".join([*prelude, *arrays, body]) + "\n"
    arena = None if any(e.counts_bytes for e in entries) else max(e.fixed_bytes for e in entries)
    return ModelFiles(source, _header(prefix, header, entries, weights), weights, (len(code.encode()), arena))


def _without_weights(program: CProgram) -> CProgram:
    """Return the program with its constants at addresses that its functions know."""
    known = {
        name: replace(interface, extra=tuple(e for e in interface.extra if e != "weights"))
        for name, interface in program.interfaces.items()
    }
    return replace(program, interfaces=known)


def _entry(program: CProgram, function: func.FuncOp, prefix: str) -> Entry:
    name = function.sym_name.data
    interface, signature = program.interfaces[name], signature_of(function)
    _check_outputs(function, signature)
    return Entry(
        prefix,
        signature,
        interface.name,
        interface.extra,
        rounded(bytes_of(function, ARENA_BYTES)),
        has_arena(function),
        bytes_function(interface.name) if "top" in interface.extra else None,
        interface.can_fail,
    )


def _check_outputs(function: func.FuncOp, signature: Signature) -> None:
    """Raise TW0676 for an output whose shape the program finds while it runs."""
    for output in signature.outputs:
        if output.shape_of is not None:
            fail(
                "TW0676",
                f"expected outputs of shapes that those of the inputs determine, but '{output.shape_of}' has as many "
                "elements as data says",
                op=function,
                help="save the model as .so, whose outputs may have any shape",
            )


def _size_functions(program: CProgram) -> list[str]:
    """Return the functions that count the bytes of buffers of open sizes, callees first."""
    needing = [f for f in program.functions if "top" in program.interfaces[f.sym_name.data].extra]
    return [SizeWriter(program).write_function(function) for function in needing]


_HEADERS = {
    "math.h": re.compile(rf"\b(?:NAN|INFINITY|(?:{'|'.join(LIBRARY_FUNCTIONS)})f?\()"),
    "string.h": re.compile(r"\bmem(?:cpy|cmp|move|set)\("),
    "stdbool.h": re.compile(r"\b(?:bool|true|false)\b"),
}
"""Headers in addition to those that the model's header includes, and patterns of their uses."""


def _prelude(program: CProgram, body: str, arrays: Sequence[str], header: str) -> list[str]:
    """Return the source before the functions and the arrays of weights."""
    parts = [*definitions(program.functions, body)]
    if "tw_size_" in body:
        parts.append(SIZE_FUNCTIONS.rstrip())
    text = "\n".join([*parts, body])
    aliases = alias_definitions("\n".join([text, *(array[:80] for array in arrays)]))
    looked_at = "\n".join([aliases, text, *(a for a in arrays if "NAN" in a or "INFINITY" in a)])
    needed = [name for name, used in _HEADERS.items() if used.search(looked_at)]
    return [f'#include "{header}"\n\n{includes(needed, "")}'.rstrip(), aliases, *parts]


def _header(prefix: str, header: str, entries: Sequence[Entry], weights: Weights) -> str:
    guard = f"TILEWRIGHT_{name_text(header).upper()}"
    macro = prefix.upper()
    lines = [
        f"#ifndef {guard}",
        f"#define {guard}",
        "#include <stddef.h>",
        "#include <stdint.h>",
        "",
        "/* Arrays are dense, in row-major order, aligned to their elements; outputs overlap nothing. A call uses the",
        "   arena for itself alone, and any memory will do: it need not be aligned. Calls with different arenas may",
        "   run at once. The result is 0, or a status that the function of messages explains. */",
        f"#define {macro}_BAD_ARGUMENT {BAD_ARGUMENT}",
        f"#define {macro}_BAD_WEIGHTS {BAD_WEIGHTS}",
        f"#define {macro}_CHECK_FAILED {FIRST_CHECK}  /* and above: an index that is data is out of bounds */",
        "#ifdef __cplusplus",
        'extern "C" {',
        "#endif",
        f"{message(prefix)};",
    ]
    if weights.in_file:
        lines += [
            "/* The weights are the content of a file, at an address that is a multiple of 64. Each call looks at the",
            "   header of the file; this function looks at all of it. */",
            f"#define {macro}_WEIGHTS_BYTES {weights.offsets[-1]}",
            f"{weights_check(prefix)};",
        ]
    lines += [line for entry in entries for line in entry.declarations()]
    return "\n".join([*lines, "#ifdef __cplusplus", "}", "#endif", "#endif", ""])
