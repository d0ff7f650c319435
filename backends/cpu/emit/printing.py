"""Emission of prints by C's `printf`: one call for each line, so that lines of several threads are not interleaved."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from zlib import crc32

from xdsl.dialects.builtin import Float64Type
from xdsl.ir import Operation

from ....dialects.loop import PrintOp
from ...printing import format_of
from .module_text import ModuleText
from .types import value_type

if TYPE_CHECKING:
    from .function import FunctionEmitter

Step = Callable[["FunctionEmitter"], None]
_NAN = "0x7FF8000000000000"


def prepare_print(op: Operation) -> Step:
    assert isinstance(op, PrintOp)

    def run(emitter: FunctionEmitter) -> None:
        code = emitter.code
        holds = emitter.writer.holds(op.conditions)
        if holds is False:
            return
        # All operands are computed before the branch, because code after it may reuse them.
        values = [f"i64 {emitter.writer.operand(e)}" for e in op.index]
        arguments = ", ".join([f"ptr {_text(emitter.module, op)}", *values, _value(emitter, op)])
        printing, done = code.label("printing"), code.label("done")
        if holds is not True:
            code.line(f"br i1 {holds}, label %{printing}, label %{done}")
            code.start_block(printing)
        printf, fflush = emitter.module.declare("i32 @printf(ptr, ...)"), emitter.module.declare("i32 @fflush(ptr)")
        code.define(f"call i32 (ptr, ...) {printf}({arguments})")
        code.define(f"call i32 {fflush}(ptr null)")
        if holds is not True:
            code.line(f"br label %{done}")
            code.start_block(done)

    return run


def _value(emitter: FunctionEmitter, op: PrintOp) -> str:
    """Return the value as C passes it to a function of any arguments. A NaN is printed without its sign."""
    value, kind, code = emitter.value(op.value), value_type(op.value.type), emitter.code
    if op.digits is None:
        wide = value if kind == "i64" else code.define(f"{'zext' if op.is_unsigned else 'sext'} {kind} {value} to i64")
        return f"i64 {wide}"
    if not isinstance(op.value.type, Float64Type):
        value = code.define(f"fpext {kind} {value} to double")
    unordered = code.define(f"fcmp uno double {value}, 0.0")
    return f"double {code.define(f'select i1 {unordered}, double {_NAN}, double {value}')}"


def _text(module: ModuleText, op: PrintOp) -> str:
    """Return a constant that holds the format."""
    data = format_of(op, "lld").encode() + b"\0"
    name = f"@tw.line.{crc32(data):08x}"
    text = "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\{b:02X}" for b in data)
    module.add_helper(f'{name} = private unnamed_addr constant [{len(data)} x i8] c"{text}"')
    return name
