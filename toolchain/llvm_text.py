"""Parsing of LLVM text that a user wrote; a syntax error is reported at its line in that text."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any, NoReturn

from ..diagnostics import fail
from ..diagnostics.locations import file_location
from ..diagnostics.rendering import register_source
from ..forks import held_off

MALFORMED = "TW0427"

_ERROR = re.compile(r"<string>:(\d+):(\d+): error: (.*)")


def parse_llvm(text: str, context: Any) -> Any:
    """Return a verified module of an llvmlite context, without a target.

    The target triple and the data layout that the text states are dropped: those of another LLVM release may be spelled
    differently, and the caller sets its target's. Raises TilewrightError TW0427 at the line that LLVM rejects.
    """
    from llvmlite import binding

    try:
        module = binding.parse_assembly(text, context)
    except RuntimeError as error:
        _reject(text, str(error))
    try:
        module.verify()
    except RuntimeError as error:
        module.close()  # it must not outlive its context, as it would in the exception's traceback
        _reject(text, str(error))
    module.triple = module.data_layout = ""
    return module


def check_llvm(text: str) -> Mapping[str, tuple[str, ...]]:
    """Return the functions that LLVM text defines. Raises TilewrightError TW0427 at the line that LLVM rejects."""
    from llvmlite import binding

    with held_off(), ExitStack() as owned:
        context = owned.enter_context(binding.create_context())
        return definitions(owned.enter_context(parse_llvm(text, context)))


def definitions(module: Any) -> dict[str, tuple[str, ...]]:
    """Return the functions that an llvmlite module defines, with the types of their parameters."""
    return {f.name: tuple(str(a.type) for a in f.arguments) for f in module.functions if not f.is_declaration}


def _reject(text: str, message: str) -> NoReturn:
    found = _ERROR.search(message)
    if found is None:
        fail(MALFORMED, f"LLVM text cannot be used: {message.strip()}")
    name = f"<llvm {hashlib.sha256(text.encode()).hexdigest()[:8]}>"
    register_source(name, text)
    line, column = int(found[1]), int(found[2])
    fail(
        MALFORMED,
        f"LLVM text does not parse: {found[3]}",
        location=file_location(name, line, column),
        help="the text is in the syntax of the LLVM that this process has loaded; "
        "older and newer compilers may write another one",
    )
