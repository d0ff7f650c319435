"""An entry that reads the clock around each call of a kernel.

The LLVM text of the entry's module is compiled once more with clock readings inserted; the kernels are the objects that
the program runs. Readings are stored in an array of the host, four 64-bit words for each call:

    seconds and nanoseconds of the monotonic clock at the start of the call
    nanoseconds spent in the call so far
    the number of calls
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import func

from ...runtime.buffers import ALIGNMENT
from ...runtime.function import Function
from . import kept_blocks, thread_pool
from .code import CpuCode
from .emit.module_text import foreign_symbol, symbol
from .emit.program import emit_program, entry_symbol
from .foreign import linked_text
from .jit import load_objects
from .llvm import emit_object
from .module import code_options, target_of

_SYMBOL = "tw_timed_entry"
_READINGS = "tw_readings"
_CALL = re.compile(r'^  (?P<result>%\S+) = call i32 (?P<callee>@(?:"[^"]*"|[^\s(]+))\(', re.MULTILINE)
_MONOTONIC = 1  # Linux's CLOCK_MONOTONIC
_CLOCK = f"""
@{_READINGS} = external global i64, align {ALIGNMENT}
declare i32 @clock_gettime(i32, ptr)

define internal void @tw.clock.start(i64 %call) noinline {{
  %first = mul i64 %call, 4
  %reading = getelementptr i64, ptr @{_READINGS}, i64 %first
  %status = call i32 @clock_gettime(i32 {_MONOTONIC}, ptr %reading)
  ret void
}}

define internal void @tw.clock.stop(i64 %call) noinline {{
  %time = alloca [2 x i64], align 16
  %status = call i32 @clock_gettime(i32 {_MONOTONIC}, ptr %time)
  %second = load i64, ptr %time, align 8
  %time.rest = getelementptr i64, ptr %time, i64 1
  %nanosecond = load i64, ptr %time.rest, align 8
  %first = mul i64 %call, 4
  %reading = getelementptr i64, ptr @{_READINGS}, i64 %first
  %began.second = load i64, ptr %reading, align 8
  %reading.rest = getelementptr i64, ptr %reading, i64 1
  %began.nanosecond = load i64, ptr %reading.rest, align 8
  %spent = getelementptr i64, ptr %reading, i64 2
  %spent.before = load i64, ptr %spent, align 8
  %made = getelementptr i64, ptr %reading, i64 3
  %made.before = load i64, ptr %made, align 8
  %seconds = sub i64 %second, %began.second
  %nanoseconds = sub i64 %nanosecond, %began.nanosecond
  %whole = mul i64 %seconds, 1000000000
  %part = add i64 %whole, %nanoseconds
  %spent.after = add i64 %spent.before, %part
  store i64 %spent.after, ptr %spent, align 8
  %made.after = add i64 %made.before, 1
  store i64 %made.after, ptr %made, align 8
  ret void
}}
"""


@dataclass(frozen=True)
class TimedFunction:
    """A function that records the time of each kernel that it calls."""

    function: Function
    kernels: Sequence[str]
    """The kernel that each call calls, in the order of the readings; the last is the entry itself."""
    readings: NDArray[np.int64]
    """Of the shape (calls, 4); the module's docstring describes the words."""


def timed(code: CpuCode, name: str, function: Function) -> TimedFunction:
    """Return the entry `name` of a compiled module with readings of the clock; `function` is the entry without
    readings."""
    target = target_of(code.module)
    program = emit_program(code.module, target, name)
    *_, (_, text) = program.texts
    names = {symbol(f.sym_name.data): f.sym_name.data for f in code.module.ops if isinstance(f, func.FuncOp)}
    text, kernels = _with_readings(text, names)
    text = text.replace(f"define i32 {foreign_symbol(entry_symbol(name))}(", f"define i32 @{_SYMBOL}(")
    readings = np.zeros((max(1, len(kernels)), 4), np.int64)
    options = code_options(text, target, linked_text(code.module, target).get(name, ()))
    symbols = {**thread_pool.addresses(), **kept_blocks.addresses(), _READINGS: readings.ctypes.data}
    loaded = load_objects([emit_object(text, options), *code.objects], symbols, [_SYMBOL])
    kept = (readings, loaded)
    limit = thread_pool.LIMIT
    executable = replace(function.executable, address=loaded[_SYMBOL], keep_alive=kept, thread_limit=limit)
    return TimedFunction(Function.of(executable, function.threads), kernels, readings)


def _with_readings(text: str, names: dict[str, str]) -> tuple[str, list[str]]:
    """Return LLVM text with readings around each call of a function among `names`, and the names of the calls in
    order."""
    called: list[str] = []
    lines: list[str] = []
    for line in text.splitlines():
        match = _CALL.match(line)
        if match is None or match["callee"] not in names:
            lines.append(line)
            continue
        number = len(called)
        called.append(names[match["callee"]])
        lines += [f"  call void @tw.clock.start(i64 {number})", line, f"  call void @tw.clock.stop(i64 {number})"]
    return "\n".join([*lines, _CLOCK]), called
