"""The reference entry of a schedule primitive, generated from its docstring and its error messages.

A docstring contains examples: a call, and the statements that it changes, `before:` and `after`. The tests run the
calls on whole programs.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import NamedTuple

from ..schedule.primitive_declaration import Primitive, primitives
from ..schedule.refusal import ILLEGAL, UNPROVED, UNSUITABLE

_PARAGRAPH = "\n\n"
_FENCED = re.compile(r"(?:^|\n)(before|after `(?P<call>[^`\n]*)`):\n+```mlir\n(?P<text>.*?)\n```", re.DOTALL)


class Example(NamedTuple):
    """A call of a primitive, and the statements that it changes, before it and after it."""

    before: str
    call: str
    after: str


class Refusal(NamedTuple):
    """An error code, and its message with `…` for the variable parts."""

    code: str
    message: str


def examples(documentation: str) -> list[Example]:
    """Return the examples of a docstring. Several calls may start from one program."""
    found: list[Example] = []
    before = ""
    for match in _FENCED.finditer(documentation):
        if match["call"] is None:
            before = match["text"]
        else:
            found.append(Example(before, match["call"], match["text"]))
    return found


# Refusals


def refusals(primitive: Primitive) -> list[Refusal]:
    """Return the refusals of a primitive, found in the source of its module."""
    module = import_module(primitive.function.__module__)
    others = {p.name for p in primitives().values() if p.function.__module__ == module.__name__} - {primitive.name}
    found = [r for node in ast.walk(_parsed(module)) if isinstance(node, ast.Call) for r in _refusals(node, module)]
    refused = [r for r in found if r.message.partition(":")[0] not in others]
    return sorted({r._replace(message=re.sub("^…:", f"{primitive.name}:", r.message)) for r in refused})


@cache
def _parsed(module: ModuleType) -> ast.Module:
    return ast.parse(inspect.getsource(module))


def _refusals(call: ast.Call, module: ModuleType) -> Iterator[Refusal]:
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    arguments = call.args
    match name:
        case "fail" if len(arguments) > 1:
            code = _code(arguments[0], module)
            if code is not None:
                yield Refusal(code, _template(arguments[1]))
        case "unsuitable" if len(arguments) > 2:
            yield Refusal(UNSUITABLE, f"{_template(arguments[0])}: block … {_template(arguments[2])}")
        case "refuse_conflict":
            claim = f"{_template(arguments[0])}: {_template(arguments[1])}"
            yield Refusal(ILLEGAL, f"{claim} of block … is illegal: … must run before …")
            yield Refusal(UNPROVED, f"{_template(arguments[0])}: cannot prove that … keeps accesses to … in order")
        case _:
            return


def _code(node: ast.expr, module: ModuleType) -> str | None:
    match node:
        case ast.Constant(str() as code):
            return code
        case ast.Name(name):
            return getattr(module, name, None)
        case _:
            return None


def _template(node: ast.expr) -> str:
    """Return a string expression with `…` for parts that are not literal."""
    match node:
        case ast.Constant(str() as text):
            return text
        case ast.JoinedStr(values):
            return re.sub("…(…)+", "…", "".join(_template(value) for value in values))
        case ast.BinOp(left, ast.Add(), right):
            return _template(left) + _template(right)
        case _:
            return "…"


# The entry


def section(primitive: Primitive) -> str:
    """Return the section of the reference about a primitive."""
    documentation = primitive.documentation
    parts = [f"`{primitive.name}({_parameters(primitive)})`", _with_spaced_fences(documentation)]
    if examples(documentation):
        parts += _refusal_table(refusals(primitive))
    return _PARAGRAPH.join(parts)


def _parameters(primitive: Primitive) -> str:
    parameters = [p.replace(annotation=p.empty) for p in primitive.parameters.parameters.values()]
    return str(primitive.parameters.replace(parameters=parameters, return_annotation=inspect.Signature.empty))[1:-1]


def _with_spaced_fences(documentation: str) -> str:
    """Return the docstring with an empty line before each fence, as Markdown wants it."""
    return re.sub(r":\n```mlir", ":\n\n```mlir", re.sub(r"\n```\n(?=\S)", "\n```\n\n", documentation))


def _refusal_table(found: list[Refusal]) -> list[str]:
    rows = [f"| {r.code} | {r.message.replace('|', chr(92) + '|')} |" for r in found]
    return ["\n".join(["| refused with | message |", "|---|---|", *rows])] if rows else []
