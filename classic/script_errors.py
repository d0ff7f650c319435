"""`ir.diagnostics`: errors of scripts are passed to a user-defined renderer before they are raised.

    override_renderer(lambda context: print([d.message for d in context.diagnostics]))

A rejected script has one diagnostic, which is the error: its line is `diagnostic.span.line`.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import NamedTuple

from ..diagnostics import TilewrightError
from ..diagnostics.locations import source_position
from ..frontends.tvmscript.functions import set_observer

__all__ = ["Diagnostic", "DiagnosticContext", "DiagnosticLevel", "Span", "get_renderer", "override_renderer"]


class DiagnosticLevel(IntEnum):
    """The severity of a diagnostic. A rejected script is an error."""

    BUG = 10
    ERROR = 20
    WARNING = 30
    NOTE = 40
    HELP = 50


class Span(NamedTuple):
    """A source location in a script, with lines and columns counted from 1; 0 where unknown."""

    source_name: str
    line: int
    column: int


class Diagnostic(NamedTuple):
    """One error of a script: severity, message and source location."""

    level: DiagnosticLevel
    span: Span
    message: str


class DiagnosticContext(NamedTuple):
    """The argument of a renderer."""

    diagnostics: list[Diagnostic]


Renderer = Callable[[DiagnosticContext], object]
_renderer: Renderer | None = None


def override_renderer(render_func: Renderer | None) -> None:
    """Register the function that is called with the errors of each rejected script; None for no function."""
    global _renderer
    _renderer = render_func
    set_observer(None if render_func is None else lambda error: render_func(_context(error)))


def get_renderer() -> Renderer | None:
    """Return the function that `override_renderer` was given."""
    return _renderer


def _context(error: TilewrightError) -> DiagnosticContext:
    position = source_position(error.location)
    span = Span("", 0, 0) if position is None else Span(position.file, position.line, position.column)
    return DiagnosticContext([Diagnostic(DiagnosticLevel.ERROR, span, error.message)])
