"""C source to machine code, by the compiler of the system.

The compiler is the command in the environment variable CC, else the first of clang, cc and gcc. Source that contains
`extern "C"` is compiled as C++. Objects are cached for the life of the process; the key is the command, the source and
the flags.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NoReturn

from ..diagnostics import TilewrightError, fail
from ..diagnostics.locations import file_location
from ..diagnostics.rendering import register_source
from .llvm_text import check_llvm

NO_COMPILER, REJECTED = "TW0428", "TW0429"

_ERROR = re.compile(r"^(?P<file>[^\s:][^:]*):(?P<line>\d+):(?P<column>\d+): (?:fatal )?error: (?P<text>.*)$", re.M)
_VECTOR_SETS = (
    *("sse4.2", "avx", "avx2", "fma", "f16c", "avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512vnni"),
    "simd128",
)
"""Instruction sets for numerical code whose names in LLVM and in C compilers are equal."""


def compile_c(source: str, features: Sequence[str] = (), triple: str = "") -> bytes:
    """Compile C source to an object file, optimised and position independent.

    `features` are LLVM's names of the instruction sets that may be used, `triple` names another kind of machine than
    this one. Raises TilewrightError TW0428 where there is no compiler, TW0429 at the line that it rejects.
    """
    return _compile(_compiler(triple), source, (*_flags(features), "-c"))


def compile_library(source: str, openmp: str | None = None) -> bytes:
    """Compile C99 source to a shared library, optimised for this machine, its parallel loops for OpenMP.

    `openmp` is the path of the OpenMP runtime in this process, which the code of a clang is linked with where it can
    be: a second one of LLVM's kind would abort the process. A clang that finds no runtime is passed over for the next
    compiler. Raises as `compile_c` does, and TW0428 where no compiler has OpenMP.
    """
    command = _openmp_compiler(openmp)
    flags = [
        "-std=gnu99",
        "-march=native",
        "-fno-strict-aliasing",
        "-shared",
        "-Wl,--build-id=sha1",
        *_openmp_flags(command, openmp),
    ]
    if not _is_clang(command):
        # Source for GCC defines the OpenMP functions that it calls, so libgomp is not linked unless something else
        # needs it.
        flags += ["-Wl,--no-as-needed", "-lm", "-Wl,--as-needed"]
    return _compile(command, source, tuple(flags))


def c_as_llvm(source: str, features: Sequence[str] = (), triple: str = "") -> str | None:
    """Return C source as LLVM text, which can be linked before optimisation so that calls are inlined.

    None where the compiler is not clang, or its LLVM is one whose text ours does not read. Arguments and errors are
    those of `compile_c`.
    """
    command = _compiler(triple)
    if not _is_clang(command):
        return None
    text = _compile(command, source, (*_flags(features), "-S", "-emit-llvm")).decode()
    try:
        check_llvm(text)
    except TilewrightError:
        return None
    return text


def _flags(features: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"-m{name}" for name in _VECTOR_SETS if name in features)


@cache
def _is_clang(command: tuple[str, ...]) -> bool:
    run = subprocess.run([*command, "--version"], capture_output=True, text=True, check=False)
    return "clang" in run.stdout


def cross_compilers(triple: str) -> list[list[str]]:
    """Return commands that may compile C for another kind of machine, best first: the compiler of CC, else GCC or clang
    for it.

    Modules of WebAssembly are compiled by clang with the headers of wasi-libc: by the clang that CC names, if it does.
    """
    configured = os.environ.get("CC", "").split()
    architecture = triple.partition("-")[0]
    if architecture == "wasm32":
        names_clang = configured and "clang" in Path(configured[0]).name
        return [[*(configured if names_clang else ["clang"]), "--target=wasm32-wasi"]]
    if configured:
        return [configured]
    return [[f"{architecture}-linux-gnu-gcc"], ["clang", f"--target={triple}"]]


def _openmp_compiler(openmp: str | None) -> tuple[str, ...]:
    found = _compilers()
    for command in found:
        if _links(command, _openmp_flags(command, openmp)):
            return command
    if not found:
        return _compiler()
    fail(
        NO_COMPILER,
        f"expected a C compiler with OpenMP, but {' and '.join(command[0] for command in found)} cannot link it",
        help="install gcc, or clang's OpenMP runtime (libomp-dev on Debian), or name a compiler that has OpenMP in CC",
    )


def _openmp_flags(command: tuple[str, ...], openmp: str | None) -> tuple[str, ...]:
    """Return the flags by which a compiler takes a runtime of LLVM's kind; the code of others never calls such a
    one."""
    name = re.match(r"lib(iomp5|omp)\b", Path(openmp or "").name)
    if name is None or not _is_clang(command):
        return ("-fopenmp",)
    folder = Path(openmp or "").parent
    return (f"-fopenmp=lib{name[1]}", f"-L{folder}", f"-Wl,-rpath,{folder}")


@cache
def _links(command: tuple[str, ...], flags: tuple[str, ...]) -> bool:
    source = "int f(int n) {\n#pragma omp parallel\n  { n++; }\n  return n;\n}\n"
    try:
        _compile(command, source, ("-shared", *flags))
    except TilewrightError:
        return False
    return True


def _compilers(triple: str = "") -> list[tuple[str, ...]]:
    configured = os.environ.get("CC", "").split()
    here = [configured] if configured else [["clang"], ["cc"], ["gcc"]]
    paths = [(shutil.which(command[0]), command) for command in (cross_compilers(triple) if triple else here)]
    return [(path, *command[1:]) for path, command in paths if path is not None]


def _compiler(triple: str = "") -> tuple[str, ...]:
    found = _compilers(triple)
    if found:
        return found[0]
    configured = os.environ.get("CC", "").split()
    wanted = (
        f"'{configured[0]}', which CC names," if configured else f"one for {triple}" if triple else "clang, cc or gcc"
    )
    fail(
        NO_COMPILER,
        f"expected a C compiler for C source, but {wanted} cannot be found",
        help="install a C compiler, name one in the environment variable CC, or give LLVM text instead of C",
    )


@cache
def _compile(command: tuple[str, ...], source: str, flags: tuple[str, ...]) -> bytes:
    language = "c++" if re.search(r'extern\s+"C"', source) else "c"
    options = ["-O3", "-fPIC", "-ffp-contract=off", "-fno-exceptions", *flags]
    with tempfile.TemporaryDirectory(prefix="tilewright") as folder:
        written, result = Path(folder) / "source", Path(folder) / "result"
        written.write_text(source, encoding="utf-8")
        run = subprocess.run(
            [*command, "-x", language, *options, str(written), "-o", str(result)],
            capture_output=True,
            text=True,
            check=False,
        )
        if run.returncode == 0:
            return result.read_bytes()
        _reject(command[0], source, run.stderr, str(written))


def _reject(compiler: str, source: str, message: str, written: str) -> NoReturn:
    errors = list(_ERROR.finditer(message))
    direct = [e for e in errors if e["file"] == written]
    if not direct:
        first = errors[0]["text"] if errors else message.strip()
        fail(REJECTED, f"{compiler} cannot compile C source: {first}")
    name = "<C source>"
    register_source(name, source)
    fail(
        REJECTED,
        f"C source does not compile: {direct[0]['text']}",
        location=file_location(name, int(direct[0]["line"]), int(direct[0]["column"])),
        notes=[f"line {e['line']}: {e['text']}" for e in direct[1:4]],
    )
