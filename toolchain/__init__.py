"""Compilation of foreign code, which users attach to a program: LLVM text by LLVM's parser, C by the system's compiler.

This package imports neither dialects nor backends, since both use it: declarations check foreign code, the interpreter
calls it, and the CPU backend links it.
"""

from __future__ import annotations

from .c_compiler import c_as_llvm, compile_c, cross_compilers
from .llvm_text import check_llvm, definitions, parse_llvm
from .process import load_functions

__all__ = ["c_as_llvm", "check_llvm", "compile_c", "cross_compilers", "definitions", "load_functions", "parse_llvm"]
