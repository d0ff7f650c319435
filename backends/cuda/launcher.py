"""Many launches in one call: a machine code loop over records with the arguments of cuLaunchKernel.

A ctypes call that converts eleven arguments takes several times as long as the driver's launch. LLVM compiles the loop
at the first launch of a process; in a process without a compiler, the runtime loops in Python.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

from ...runtime.kernels.launcher import RECORD

_TYPES = ["ptr", *["i32"] * 7, "ptr", "ptr"]
_LOADS = "\n".join(
    f"  %at{k} = getelementptr i64, ptr %record, i64 {k}\n  %word{k} = load {type_}, ptr %at{k}"
    for k, type_ in enumerate(_TYPES)
)
_ARGUMENTS = ", ".join(f"{type_} %word{k}" for k, type_ in enumerate(_TYPES))
_TEXT = f"""
define i64 @launch(ptr %function, ptr %records, i64 %count) {{
entry:
  br label %head
head:
  %n = phi i64 [ 0, %entry ], [ %next, %launched ]
  %more = icmp ult i64 %n, %count
  br i1 %more, label %body, label %done
body:
  %first = mul i64 %n, {RECORD}
  %record = getelementptr i64, ptr %records, i64 %first
{_LOADS}
  %status = call i32 %function({_ARGUMENTS}, ptr null)
  %refused = icmp ne i32 %status, 0
  br i1 %refused, label %done, label %launched
launched:
  %next = add i64 %n, 1
  br label %head
done:
  %code = phi i32 [ 0, %head ], [ %status, %body ]
  %low = zext i32 %code to i64
  %high = shl i64 %n, 32
  %result = or i64 %high, %low
  ret i64 %result
}}
"""


@cache
def launcher() -> Callable[[Any, Any, Any], int]:
    """Return the function of `runtime.kernels.launcher` as machine code."""
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    compiler = binding.create_lljit_compiler()
    library = binding.JITLibraryBuilder().add_ir(_TEXT).export_symbol("launch").link(compiler, "tilewright_launch")
    function = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)(library["launch"])
    _kept.append((compiler, library))
    return function


_kept: list[Any] = []
