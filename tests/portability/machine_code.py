"""A program's assembly: its instructions, the symbols it needs, and verdicts of assemblers.

GNU's assembler refuses instructions outside of the sets that it is told of, which is a check by somebody else.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

_SETS = (
    *("sse3", "ssse3", "sse4.1", "sse4.2", "popcnt", "movbe", "lzcnt", "bmi", "bmi2", "avx", "avx2", "f16c", "fma"),
    *("avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"),
)
"""Instruction sets that GNU's assembler and LLVM call by the same name; what every x86-64 has goes without saying."""

LIBC = {"aligned_alloc", "free", "memcpy", "memmove", "memset"}
LIBM = {
    f"{name}{suffix}"
    for name in ("acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cosh", "expm1", "log1p", "sinh", "tan")
    for suffix in ("", "f")
} | {"fmodf", "fmod"}
THREADS = {"tilewright_share"}


def units(assembly: str) -> list[str]:
    """Return the assembly of each function: each is a module with labels of its own."""
    return [part for part in re.split(r"^# function .*\n", assembly, flags=re.MULTILINE) if part]


def instructions(assembly: str) -> Iterator[str]:
    """Yield the instructions, one by one, directives and labels left out."""
    for line in assembly.splitlines():
        if re.match(r"\t[a-z]", line):
            yield line.strip()


def called(assembly: str) -> set[str]:
    """Return the undefined symbols that a program calls or jumps to."""
    calls = re.findall(r"^\t(?:callq|jmp|bl|b)\t([A-Za-z_][\w.]*)(?:@PLT)?", assembly, re.MULTILINE)
    return set(calls) - set(re.findall(r"^([\w.]+):", assembly, re.MULTILINE))


def refused_by_gnu(assembly: str, features: Sequence[str], folder: Path) -> str:
    """Return the errors of GNU's assembler for x86-64 assembly with these instruction sets; empty if there are none."""
    march = "+".join(["generic64", *(name for name in _SETS if name in features)])
    for unit in units(assembly):
        command = ["as", "--64", f"-march={march}", "-o", str(folder / "unit.o"), "-"]
        run = subprocess.run(command, input=unit, capture_output=True, text=True, check=False)
        if run.returncode != 0:
            return run.stderr
    return ""
