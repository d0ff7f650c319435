"""TVMScript: loop IR written in Python's syntax, read from Python's own syntax tree, and printed.

- `syntax` says how each operation is spelt; the parser and the printer read that table.
- The parser: `source` finds the text and what its free names mean; `functions`, `header`, `blocks` and `statements`
  read what stands at the left margin; `expressions`, `calls` and `rows` read what is within; `values` and `arithmetic`
  say what expressions are. What a script calls beside the language is a helper, whose body is read in its place.
- The printer: `printer` prints functions and statements, `spelling` operations, `names` gives names.

It is a face of the loop dialect: a script is the text of a module, as MLIR's text is, and `from_source(text(module))`
is structurally equal to the module.
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
