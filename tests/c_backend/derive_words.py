"""Derives `backends/written/c_library_words.py` from the headers of this machine's compilers.

    python tests/c_backend/derive_words.py > backends/written/c_library_words.py

C: the identifiers and macros that gcc and clang see in the headers that written programs include, with and without the
extensions of GNU. OpenCL C: those of clang's `opencl-c.h` and `opencl-c-base.h`, and the macros that it predefines.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
import textwrap
from pathlib import Path

from tilewright.backends.c.program import HEADERS, HEADERS_OF_CALLS
from tilewright.backends.written.c_names import OPENCL_FAMILIES

_IDENTIFIER = re.compile(r"\b[A-Za-z][A-Za-z0-9_]*")
_MACRO = re.compile(r"^#define ([A-Za-z][A-Za-z0-9_]*)", re.M)
_DECLARED = re.compile(r"\b([A-Za-z][A-Za-z0-9_]*) *\(|^#define ([A-Za-z][A-Za-z0-9_]*)", re.M)
_TYPES = re.compile(r"\b(?:typedef|enum)\b[^;]*;")
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
_NEW_IN_C23 = (
    "acospi asinpi atan2pi atanpi compoundn cospi exp10m1 exp2m1 log10p1 log2p1 logp1 pown powr rootn rsqrt sinpi tanpi"
)
"""Functions of math.h that older headers lack, by their names for `double`."""


def preprocessed(*command: str, source: str, suffix: str) -> str:
    """Return the output of a compiler's preprocessor."""
    with tempfile.NamedTemporaryFile("w", suffix=suffix) as file:
        file.write(source)
        file.flush()
        return subprocess.run([*command, "-E", file.name], capture_output=True, text=True, check=True).stdout


def c_words() -> set[str]:
    """Return the identifiers of the C library's headers."""
    source = "".join(f"#include <{name}>\n" for name in (*HEADERS, *HEADERS_OF_CALLS.values()))
    words = {f"{name}{suffix}" for name in _NEW_IN_C23.split() for suffix in ("", "f", "l")}
    for compiler in ("gcc", "clang"):
        for flags in ((), ("-std=c99",), ("-D_GNU_SOURCE",)):
            words |= set(_IDENTIFIER.findall(preprocessed(compiler, *flags, "-P", source=source, suffix=".c")))
            words |= set(_MACRO.findall(preprocessed(compiler, *flags, "-dM", source=source, suffix=".c")))
    return words


def opencl_words() -> set[str]:
    """Return the identifiers of OpenCL C, but for those that a family's prefix covers."""
    folder = subprocess.run(["clang", "-print-resource-dir"], capture_output=True, text=True, check=True).stdout.strip()
    words: set[str] = set()
    for name in ("opencl-c.h", "opencl-c-base.h"):
        text = _COMMENT.sub("", (Path(folder) / "include" / name).read_text())
        words |= {function or macro for function, macro in _DECLARED.findall(text)}
        words |= {word for types in _TYPES.findall(text) for word in _IDENTIFIER.findall(types)}
    for standard in ("CL1.2", "CL2.0", "CL3.0"):
        options = ["-target", "spir64", "-Xclang", "-finclude-default-header"]
        command = ("clang", "-x", "cl", f"-cl-std={standard}", *options)
        words |= set(_MACRO.findall(preprocessed(*command, "-dM", source="\n", suffix=".cl")))
    return {word for word in words if not word.startswith(OPENCL_FAMILIES)}


def table(name: str, words: set[str], about: str) -> str:
    """Return the text of a constant of the module."""
    rows = textwrap.wrap(" ".join(sorted(words)), 118, break_long_words=False)
    return f'_{name} = """\n' + "\n".join(rows) + f'\n"""\n{name} = frozenset(_{name}.split())\n"""{about}"""\n'


def main() -> None:
    c, opencl = c_words(), opencl_words()
    print('"""Identifiers of the libraries of C and OpenCL C, written by tests/c_backend/derive_words.py."""\n')
    print("from __future__ import annotations\n")
    print(table("C_WORDS", c, "Identifiers and macros of the headers that written programs include."))
    print(table("OPENCL_WORDS", opencl - c, "Types, functions and macros of OpenCL C that C_WORDS lacks."), end="")


if __name__ == "__main__":
    main()
