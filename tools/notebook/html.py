"""Modules, schedules and traces as HTML for notebooks: `_repr_html_` of their classes.

Colours are inline styles of the elements, because the page of a notebook does not load a style sheet of this project.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers.python import PythonLexer
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ...traversal import operations
from .lexer import MlirLexer

if TYPE_CHECKING:
    from ...schedule.engine import Engine
    from ...schedule.trace import Trace

_LINES_OPEN = 40
"""Texts of more lines are folded."""


def module_html(module: ModuleOp) -> str:
    """Return a module as HTML: a part for each function, which folds."""
    return "\n".join(_part(_title(op), str(op), MlirLexer()) for op in module.ops)


def schedule_html(schedule: Engine) -> str:
    """Return a schedule as HTML: the function as it is, and the calls that made it so."""
    return "\n".join([_part(_title(schedule.func), str(schedule.func), MlirLexer()), trace_html(schedule.trace)])


def trace_html(trace: Trace) -> str:
    """Return the calls of a schedule as HTML, in Python."""
    count = len(trace.instructions)
    return _part(f"{count} call{'' if count == 1 else 's'}", trace.as_python(), PythonLexer())


def _title(op: Operation) -> str:
    name = f"@{op.sym_name.data}" if isinstance(op, FuncOp) else op.name
    count = len(operations(op)) - 1
    return f"{name}: {count} operation{'' if count == 1 else 's'}"


def _part(title: str, text: str, lexer: Lexer) -> str:
    is_open = " open" if text.count("\n") <= _LINES_OPEN else ""
    body = highlight(text, lexer, HtmlFormatter(noclasses=True, nowrap=True, style="friendly"))
    return f"<details{is_open}><summary>{escape(title)}</summary><pre>{body}</pre></details>"
