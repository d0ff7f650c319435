"""Helpers for tests of schedules: the replay of a trace makes the same program again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from xdsl.dialects.func import FuncOp

from ...dialects.ir_module import Function
from ...schedule import Schedule, Trace
from ..structural import assert_structural_equal

__all__ = ["assert_structural_equal_ignore_global_symbol", "verify_trace_roundtrip"]


def verify_trace_roundtrip(
    sch: Schedule,
    mod: Function | FuncOp | Mapping[str, Any],
    *,
    debug_mask: str | int = "all",
    text_format: str | Sequence[str] = ("python", "json"),
) -> Schedule:
    """Replay the trace of a schedule, as it is written in the formats, on `mod`; returns the last new schedule.

    Raises AssertionError where the new module or its trace is another one.
    """
    again = Schedule(mod)
    for form in (text_format,) if isinstance(text_format, str) else text_format:
        again = Schedule(mod)
        if form == "json":
            Trace.from_json(sch.trace.as_json(), allow_foreign=True).apply_to(again)
        else:
            exec(sch.trace.as_python(), {"sch": again})
        assert_structural_equal(again.mod, sch.mod)
        assert again.trace.as_python() == sch.trace.as_python()
    return again


def assert_structural_equal_ignore_global_symbol(func1: Any, func2: Any, *arguments: Any, **keywords: Any) -> None:
    """Raise AssertionError where two functions differ in more than their names."""
    assert_structural_equal(func1, func2, *arguments, **keywords)
