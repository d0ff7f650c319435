"""Names of users that the languages of the backends, their libraries or the written text have already."""

from __future__ import annotations

import ast
import builtins
import keyword
import random
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from legal import legal
from needed_tools import skip_without, those_there
from tilewright.backends import backend_for_kind
from tilewright.backends.c.module import build, c_text
from tilewright.backends.c.opencl import opencl_text
from tilewright.backends.c.program import HEADERS
from tilewright.backends.cpu.c_interface import c_header, c_source
from tilewright.backends.signature import signature_of
from tilewright.backends.written.c_library_words import C_WORDS, OPENCL_WORDS
from tilewright.backends.written.c_names import (
    CPLUSPLUS_KEYWORDS,
    HEADER_RESERVED,
    KEYWORDS,
    OPENCL_KEYWORDS,
    OPENCL_RESERVED,
    RESERVED,
)
from tilewright.backends.written.fresh_names import Names, Reserved
from tilewright.dialects import context
from tilewright.runtime.description import Entry, encode
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

OTHER_WORDS = (
    *("aligned_alloc", "GOMP_parallel", "omp_get_thread_num", "llvm", "entry", "body", "a", "t", "i", "lane", "heap"),
    *(
        "heap_1",
        "heap_2",
        "loop_failed",
        "next",
        "done_1",
        "failed_1",
        "buffer",
        "i_end",
        "I",
        "complex",
        "convert_int4",
    ),
    *("vload4", "as_float", "atomic_add", "native_exp", "half_exp", "intel_x", "image2d_t", "CLK_X", "TW_PREFETCH"),
    *("tw_floordiv", "tw_entry_main", "tw_violated", "numba", "np", "self", "barrier", "get_group_id", "bid", "tid"),
)
"""Words that no table has to hold, and some of each family."""
ROLES = ("NAME", "SOURCE", "RESULT", "SIZE", "LOOP", "SCRATCH", "VALUE")
FUNCTION = """
func.func private @NAME(%SOURCE: memref<?xf32>, %RESULT: memref<?xf32>) {
  %SIZE = loop.dim %SOURCE, 0 : memref<?xf32>
  loop.bind %RESULT shape [%SIZE] strides [1] : memref<?xf32>
  loop.for %LOOP = 0 to %SIZE kind parallel {
    %SCRATCH = loop.alloc (%SIZE) : memref<?xf32>
    %VALUE = loop.load %SOURCE[%LOOP] : memref<?xf32>
    %w = math.exp %VALUE : f32
    loop.store %w, %SCRATCH[%LOOP] : memref<?xf32>
    %r = loop.load %SCRATCH[%LOOP] : memref<?xf32>
    %f = math.floor %r : f32
    %g = arith.maximumf %f, %VALUE : f32
    %h = math.absf %g : f32
    %p = loop.load %RESULT[%LOOP] : memref<?xf32>
    %q = arith.addf %p, %h : f32
    loop.store %q, %RESULT[%LOOP] : memref<?xf32>
  }
  func.return
}
"""
MAIN = """
func.func @main(%x: memref<?xf32>, %y: memref<?xf32> {{tw.output}}) {{
  %n = loop.dim %x, 0 : memref<?xf32>
  loop.bind %y shape [%n] strides [1] : memref<?xf32>
  %zero = arith.constant 0.0 : f32
  loop.for %j = 0 to %n {{
    loop.store %zero, %y[%j] : memref<?xf32>
  }}
  {calls}
  func.return
}}
"""
KERNEL = """
func.func @NAME(%SOURCE: memref<?xf32>, %RESULT: memref<?xf32> {tw.output}) {
  %SIZE = loop.dim %SOURCE, 0 : memref<?xf32>
  loop.bind %RESULT shape [%SIZE] strides [1] : memref<?xf32>
  loop.for %LOOP = 0 to %SIZE floordiv 3 kind thread<"blockIdx.x"> {
    %SCRATCH = loop.alloc : memref<3xf32, "shared">
    loop.for %threads_of_x = 0 to 3 kind thread<"threadIdx.x"> {
      %VALUE = loop.load %SOURCE[%LOOP * 3 + %threads_of_x] : memref<?xf32>
      %w = math.exp %VALUE : f32
      loop.store %w, %SCRATCH[%threads_of_x] : memref<3xf32, "shared">
      loop.barrier <"shared">
      %r = loop.load %SCRATCH[2 - %threads_of_x] : memref<3xf32, "shared">
      %f = math.floor %r : f32
      %g = arith.maximumf %f, %VALUE : f32
      %h = math.absf %g : f32
      loop.store %h, %RESULT[%LOOP * 3 + %threads_of_x] : memref<?xf32>
    }
  }
  func.return
}
"""
"""A kernel whose threads, 3 in a group, read what others of the group wrote."""
FIXED = ("main", "w", "r", "f", "g", "h", "p", "q", "threads_of_x")
"""Names that the templates have."""
X = np.linspace(-2, 3, 9, dtype=np.float32)


def parsed(text: str) -> ModuleOp:
    module = Parser(context(), f"builtin.module {{{text}}}").parse_module()
    module.verify()
    return module


def filled(template: str, names: Sequence[str]) -> str:
    """Return the template with a name for each role."""
    roles = dict(zip(ROLES, names, strict=True))
    return re.sub("|".join(ROLES), lambda match: roles[match[0]], template)


def batches(words: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the words in groups of one for each role, the last group filled up with the first words."""
    count = len(ROLES)
    shuffled = list(dict.fromkeys(w for w in words if w not in FIXED))
    random.Random(0).shuffle(shuffled)
    shuffled += shuffled[: -len(shuffled) % count]
    return [tuple(shuffled[n : n + count]) for n in range(0, len(shuffled), count)]


def turned(words: Sequence[str]) -> list[tuple[str, ...]]:
    """Return groups in which each word has each role once."""
    return [(*names[turn:], *names[:turn]) for names in batches(words) for turn in range(len(ROLES))]


def program(groups: Sequence[tuple[str, ...]]) -> str:
    """Return functions with such names, called one after another."""
    type_ = "(memref<?xf32>, memref<?xf32>) -> ()"
    calls = "\n  ".join(f"func.call @{names[0]}(%x, %y) : {type_}" for names in groups)
    return "".join(filled(FUNCTION, names) for names in groups) + MAIN.format(calls=calls)


def kernels(groups: Sequence[tuple[str, ...]]) -> str:
    """Return kernels with such names, one of each."""
    return "".join({names[0]: filled(KERNEL, names) for names in groups}.values())


def compiles(command: Sequence[str], **options: Any) -> None:
    """Assert that a compiler has nothing to say."""
    run = subprocess.run(command, capture_output=True, text=True, **options)
    assert run.returncode == 0, run.stderr


def expected_of_kernels() -> np.ndarray:
    turned_around = X.reshape(3, 3)[:, ::-1].reshape(-1)
    return np.abs(np.maximum(np.floor(np.exp(turned_around)), X))


def expected(count: int) -> np.ndarray:
    return np.float32(count) * np.abs(np.maximum(np.floor(np.exp(X)), X))


def identifiers(text: str) -> list[str]:
    return sorted(set(re.findall(r"\b[A-Za-z]\w*", text)))


def test_names_in_c() -> None:
    """Every word of C in one role, and each identifier of a written program in all roles."""
    written = identifiers(c_text(legal(parsed(program(batches(OTHER_WORDS))), "c")))
    words = [*sorted(KEYWORDS | C_WORDS), *OTHER_WORDS, *written]
    text = c_text(legal(parsed(program(batches(words))), "c"))
    flags = ["-std=gnu99", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-Wno-unused-parameter"]
    for compiler in those_there("gcc", "clang"):
        compiles([compiler, *flags, "-fsyntax-only", "-xc", "-"], input=text)
    groups = turned([*written, *OTHER_WORDS])
    for target in ("c", "cpu"):
        y = backend_for_kind(target).make(legal(parsed(program(groups)), target))(X)
        np.testing.assert_allclose(y, expected(len(groups)), rtol=1e-5, err_msg=target)


def test_names_in_headers(tmp_path: Path) -> None:
    """C and C++ read the header of a saved program, whatever its functions, arguments and sizes are called."""
    words = [*sorted(KEYWORDS | CPLUSPLUS_KEYWORDS | C_WORDS), *OTHER_WORDS]
    functions = [op for op in parsed(kernels(batches(words))).ops if isinstance(op, func.FuncOp)]
    entries = [Entry(f.sym_name.data, f"symbol{n}", signature_of(f), (), 64) for n, f in enumerate(functions)]
    (tmp_path / "program.h").write_text(c_header(entries, "PROGRAM_H"))
    (tmp_path / "interface.c").write_text(c_source(entries, encode(entries, [])))
    includes = "".join(f"#include <{name}>\n" for name in (*HEADERS, "stdio.h"))
    for suffix in ("c", "cpp"):
        (tmp_path / f"user.{suffix}").write_text(f'{includes}#include "program.h"\n')
    for compiler in those_there("gcc", "g++", "clang", "clang++"):
        file = "user.cpp" if compiler.endswith("++") else "user.c"
        files = [file] if file == "user.cpp" else [file, "interface.c"]
        compiles([compiler, "-fsyntax-only", "-Wall", "-Werror", "-Wno-unused-function", *files], cwd=tmp_path)


def test_names_in_opencl() -> None:
    """Words of OpenCL C in one role each; identifiers of written kernels in all roles. Some run where they can."""
    written = identifiers(opencl_text(legal(parsed(kernels(batches(OTHER_WORDS))), "opencl")))
    words = sorted(KEYWORDS | C_WORDS | OPENCL_WORDS | OPENCL_KEYWORDS)
    groups = turned([*written, *OTHER_WORDS])
    if those_there("clang"):
        options = "-xcl -cl-std=CL1.2 -Xclang -finclude-default-header -target spir64 -Wall -Werror"
        text = opencl_text(legal(parsed(kernels([*batches(words), *groups])), "opencl"))
        compiles(["clang", *options.split(), "-fsyntax-only", "-"], input=text)
    skip_without("opencl-device")
    groups = batches([*written, *OTHER_WORDS])
    built = backend_for_kind("opencl").make(legal(parsed(kernels(groups)), "opencl"))
    for names in groups:
        np.testing.assert_allclose(built[names[0]](X), expected_of_kernels(), rtol=1e-5, err_msg=f"{names}")


def test_names_in_kernels_of_python() -> None:
    """Words of Python, and identifiers of written kernels, each in one role."""
    python = [*keyword.kwlist, *keyword.softkwlist, *(name for name in dir(builtins) if name.isidentifier())]
    module = legal(parsed(kernels(batches(OTHER_WORDS))), "cuda")
    built = backend_for_kind("cuda").make(module, device="simulator")
    tree = ast.parse(built.imported_modules[0].get_source())
    written = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    groups = batches(sorted({*python, *written, *OTHER_WORDS} - {"__debug__"}))
    built = backend_for_kind("cuda").make(legal(parsed(kernels(groups)), "cuda"), device="simulator")
    for names in groups:
        np.testing.assert_allclose(built[names[0]](X), expected_of_kernels(), rtol=1e-5, err_msg=f"{names}")


SIBLINGS = """
func.func @"scale.by"(%heap_0: memref<?xf32>, %out: memref<?xf32> {tw.output}) {
  %n = loop.dim %heap_0, 0 : memref<?xf32>
  loop.bind %out shape [%n] strides [1] : memref<?xf32>
  loop.for %i = 0 to %n kind parallel {
    %loop_failed = loop.load %heap_0[%i] : memref<?xf32>
    %heap = loop.alloc (%n) : memref<?xf32>
    loop.store %loop_failed, %heap[%n - 1 - %i] : memref<?xf32>
    %v = loop.load %heap[%n - 1 - %i] : memref<?xf32>
    %s = arith.addf %v, %loop_failed : f32
    loop.store %s, %out[%i] : memref<?xf32>
  }
  func.return
}
func.func @scale_by(%failed: memref<9xf32>, %out: memref<9xf32> {tw.output}) attributes {
  tw.foreign = [#loop.foreign<"c", "void triple(float *y, const float *x) { *y = 3 * *x; }">]
} {
  loop.for %triple = 0 to 9 {
    loop.call_extern "triple"(write %out[%triple] box [1] : memref<9xf32>,
                              read %failed[%triple] box [1] : memref<9xf32>)
  }
  func.return
}
"""


def test_names_of_entries_and_foreign_code() -> None:
    """Entries whose names are the same in C, and foreign code whose macros and functions users' names equal."""
    built = build(legal(parsed(SIBLINGS), "c"))
    np.testing.assert_array_equal(built["scale.by"](X), 2 * X)
    np.testing.assert_array_equal(built["scale_by"](X), 3 * X)


def test_tables_hold_no_name_that_is_free() -> None:
    """Names keep their text where nothing has it, and differ where something has."""
    free = ["x", "weight", "conv2d", "stride", "token", "out", "memory", "is_first", "n", "K", "y_new"]
    assert [name for name in free if name in RESERVED or name in OPENCL_RESERVED or name in HEADER_RESERVED] == []
    taken = ["expf", "float4", "int32_t", "M_PI", "tw_mod", "omp_get_thread_num", "asm", "signbit", "strlen"]
    assert [name for name in taken if name not in OPENCL_RESERVED] == []


def test_a_name_whose_numbered_forms_are_all_reserved() -> None:
    names = Names(Reserved(frozenset(), ("omp_",)))
    assert [names.fresh(hint) for hint in ("omp", "omp", "omp_1")] == ["omp", "v_omp_1", "v_omp_1_1"]
