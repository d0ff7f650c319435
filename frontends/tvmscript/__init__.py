"""TVMScript: loop IR written in Python's syntax, parsed from Python's syntax tree, and printed.

- `syntax` is the table of the syntax of each operation; the parser and the printer both read it.
- The parser: `source` finds the text of a script and the values of its free names; `functions`, `header`, `blocks` and
  `statements` read statements; `expressions`, `calls` and `rows` read expressions; `script_values` and `arithmetic`
  define the values of expressions. A function that a script calls and that is not part of the language is a helper: the
  parser inlines its body.
- The printer: `printer` prints functions and statements, `spelling` prints operations.

TVMScript is a second textual syntax of the loop dialect, beside MLIR's: `from_source(text(module))` is structurally
equal to the module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...lazy import exports as _exports

if TYPE_CHECKING:
    from .functions import from_source as from_source
    from .functions import read_function as read_function
    from .functions import read_module as read_module
    from .printer import script as script

__all__ = ["from_source", "read_function", "read_module", "script"]

__getattr__, __dir__ = _exports(
    __name__,
    {
        "from_source": "functions:from_source",
        "read_function": "functions:read_function",
        "read_module": "functions:read_module",
        "script": "printer:script",
    },
)
