"""Emission of assertions: a branch whose cold side records the values and returns from the function."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.ir import Operation

from ....dialects.loop import AssertOp
from .index import IndexWriter
from .module_text import ModuleText

if TYPE_CHECKING:
    from .function import FunctionEmitter

Step = Callable[["FunctionEmitter"], None]


class _WrappingWriter(IndexWriter):
    """Index arithmetic without `nsw`: an assertion is evaluated on values of any size, whose overflow must not be
    poison."""

    def add(self, a: str, b: str) -> str:
        return self.code.pure(f"add i64 {a}, {b}", (a, b))

    def multiply(self, a: str, b: int | str) -> str:
        return a if b == 1 else self.code.pure(f"mul i64 {a}, {b}", (a, str(b)))


def prepare_assert(op: Operation) -> Step:
    assert isinstance(op, AssertOp)
    conditions, stated = op.conditions, op.message_values

    def run(emitter: FunctionEmitter) -> None:
        code = emitter.code
        writer = _WrappingWriter(code, emitter.lookup, emitter.ranges)
        holds = writer.holds(conditions)
        if holds is True:
            return
        values = [str(writer.operand(e)) for e in stated]
        record, number = emitter.record(), emitter.layout.checks[op]
        held, violated = code.label("held"), code.label("violated")
        code.line(f"br i1 {str(holds).lower() if isinstance(holds, bool) else holds}, label %{held}, label %{violated}")
        code.start_block(violated)
        arguments = ", ".join([f"ptr {record}", f"i64 {number}", *(f"i64 {v}" for v in values)])
        code.line(f"call void {_helper(emitter.module, len(values))}({arguments})")
        emitter.heap.fail()
        code.start_block(held)

    return run


def _helper(module: ModuleText, count: int) -> str:
    """Return the function that fills the record, unless another thread has."""
    name = f"@tw.violated.{count}"
    parameters = ", ".join(["ptr %record", "i64 %number", *(f"i64 %v{k}" for k in range(count))])
    lines = [
        f"define internal void {name}({parameters}) cold noinline #0 {{",
        "  %pair = cmpxchg ptr %record, i64 0, i64 %number monotonic monotonic, align 8",
        "  %is_first = extractvalue { i64, i1 } %pair, 1",
        "  br i1 %is_first, label %tell, label %done",
        "tell:",
    ]
    for k in range(count):
        lines.append(f"  %p{k} = getelementptr i64, ptr %record, i64 {k + 1}")
        lines.append(f"  store i64 %v{k}, ptr %p{k}, align 8")
    module.add_helper("\n".join([*lines, "  br label %done", "done:", "  ret void", "}"]))
    return name
