"""The tools for code that users bring: LLVM's assembler for its text, the system's C compiler for C.

It stands below everything that needs such code: declarations check it, the interpreter calls it, the CPU backend
links it.
"""

from __future__ import annotations

from .c_compiler import c_as_llvm, compile_c, cross_compilers
from .llvm_text import check_llvm, definitions, parse_llvm
from .process import load_functions

__all__ = ["c_as_llvm", "check_llvm", "compile_c", "cross_compilers", "definitions", "load_functions", "parse_llvm"]
