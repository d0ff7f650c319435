"""Foreign code: sources of functions that are not compiled from the IR, as attributes of the functions that call them.

Foreign code in IR that was read from a file runs only if the user allows it. A Python program of the user may call any
function. But a text may come from anywhere, and its foreign code, or a function of the process that it calls by name
(such as `system`), has all rights of the user.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from xdsl.dialects.builtin import ArrayAttr, LocationAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ...diagnostics import fail
from .extern import CallExternOp
from .scalar_calls import CallPureExternOp

FOREIGN = "tw.foreign"
"""The attribute of a function that lists the foreign code its calls need."""
LANGUAGES = ("llvm", "c")
FORBIDDEN = "TW0670"


@irdl_attr_definition
class ForeignAttr(ParametrizedAttribute):
    """Source of foreign functions: `#loop.foreign<"c", "int f(float *x) { … }">`, or "llvm" and a module's text."""

    name = "loop.foreign"

    language: StringAttr = param_def()
    code: StringAttr = param_def()

    @staticmethod
    def of(language: str, code: str) -> ForeignAttr:
        return ForeignAttr(StringAttr(language), StringAttr(code))

    def verify(self) -> None:
        if self.language.data not in LANGUAGES:
            raise VerifyException(f"expected a language of {', '.join(LANGUAGES)}, but got {self.language.data!r}")

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string_literal(self.language.data)
            printer.print_string(", ")
            printer.print_string_literal(self.code.data)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            language = parser.parse_str_literal()
            parser.parse_punctuation(",")
            return StringAttr(language), StringAttr(parser.parse_str_literal())


def foreign_code(function: FuncOp) -> tuple[ForeignAttr, ...]:
    """Return the foreign code that a function brings."""
    listed = function.attributes.get(FOREIGN)
    return tuple(a for a in listed if isinstance(a, ForeignAttr)) if isinstance(listed, ArrayAttr) else ()


def add_foreign_code(function: FuncOp, code: ForeignAttr) -> None:
    """Let a function bring foreign code, unless it does already."""
    known = foreign_code(function)
    if code not in known:
        function.attributes[FOREIGN] = ArrayAttr([*known, code])


def check_foreign(module: ModuleOp) -> None:
    """Raise TilewrightError TW0670 for the first function that brings foreign code, or operation that calls it."""
    for op in module.walk():
        what = _foreign_of(op)
        if what is not None:
            forbid(what, op=op)


def forbid(what: str, *, op: Operation | None = None, location: LocationAttr | None = None) -> NoReturn:
    """Raise TilewrightError TW0670."""
    fail(
        FORBIDDEN,
        f"expected no foreign code in a file, but {what}",
        op=op,
        location=location,
        help="foreign code can do anything that you can do; for a file that you trust give --allow-foreign, "
        "allow_foreign=True, or the setting allow_foreign (TILEWRIGHT_ALLOW_FOREIGN=1)",
    )


def _foreign_of(op: Operation) -> str | None:
    match op:
        case CallExternOp():
            return f"this calls '{op.callee}'"
        case CallPureExternOp():
            return f"this calls '{op.symbol}'"
        case _ if FOREIGN in op.attributes:
            return "this contains foreign code"
        case _:
            return None
