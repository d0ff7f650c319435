"""Foreign code: sources of functions that were not compiled from the IR, which functions that call them bring along."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

FOREIGN = "tw.foreign"
"""The attribute of a function that lists the foreign code its calls need."""
LANGUAGES = ("llvm", "c")


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
