"""Lines that programs print, by `printf`: one call a line, so that lines of several threads stay whole."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from xdsl.ir import Operation

from ...dialects.loop import PrintOp
from ..printing import format_of
from ..written.text import UNARY
from .storage import condition_text

if TYPE_CHECKING:
    from .function import FunctionWriter


def write_print(writer: FunctionWriter, op: Operation) -> None:
    assert isinstance(op, PrintOp)
    holds = writer.index.holds(op.conditions)
    if holds is False:
        return
    writer.materialize_reads()
    arguments = [f"(long long){writer.index.expression(e).at(UNARY)}" for e in op.index]
    value = writer.operand(op.value)
    arguments.append(f"tw_printed({value})" if op.digits else f"({_integer(op)}){value.at(UNARY)}")
    if holds is not True:
        writer.lines.open(f"if ({condition_text(holds)})")
    writer.lines.line(f"printf({', '.join([json.dumps(format_of(op, 'lld'), ensure_ascii=False), *arguments])});")
    writer.lines.line("fflush(stdout);")
    if holds is not True:
        writer.lines.close()


def _integer(op: PrintOp) -> str:
    return "unsigned long long" if op.is_unsigned else "long long"
