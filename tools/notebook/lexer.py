"""Lexer of `.mlir` files for Pygments, by which notebooks, Sphinx and `pygmentize` highlight text.

The package's entry point `pygments.lexers` registers it as `tilewright`.
"""

from __future__ import annotations

from typing import Any, ClassVar

from pygments.lexer import RegexLexer, bygroups
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text

_SUFFIX = r"[\w.$\-]+"
_TYPES = (
    r"(?:memref|tensor|vector|index|none|complex|tuple|(?:si|ui|i)\d+|bf16|tf32|f\d+(?:E\d+M\d+\w*)?)(?![\w.])"
    # The element type behind the dimensions: `4x?xf32`.
)


class MlirLexer(RegexLexer):
    """MLIR with the dialects of tilewright, and any other."""

    name = "MLIR (tilewright)"
    aliases = ("tilewright", "mlir")
    filenames = ("*.mlir",)
    url = "https://mlir.llvm.org/docs/LangRef/"

    tokens: ClassVar[dict[str, list[Any]]] = {
        "root": [
            (r"\s+", Text),
            (r"//.*?$", Comment.Single),
            (r'"(?:\\.|[^"\\])*"', String.Double),
            (rf"%{_SUFFIX}(?:#\d+)?", Name.Variable),
            (rf'@(?:{_SUFFIX}|"[^"]*")', Name.Function),
            (rf"\^{_SUFFIX}", Name.Label),
            (rf"#{_SUFFIX}", Name.Decorator),
            (rf"!{_SUFFIX}", Keyword.Type),
            (r"(\d+|\?|\*)(x)", bygroups(Number.Integer, Punctuation)),
            (_TYPES, Keyword.Type),
            (r"[a-z_]\w*(?:\.\w+)+", Keyword),
            (r"0x[0-9a-fA-F]+", Number.Hex),
            (r"\d+\.\d*(?:[eE][+-]?\d+)?", Number.Float),
            (r"\d+", Number.Integer),
            (r"(?:true|false|unit)\b", Keyword.Constant),
            (r"[A-Za-z_]\w*", Name),
            (r"->|::|==|[<>=+\-*/&|]", Operator),
            (r"[^\w\s]", Punctuation),
        ]
    }
