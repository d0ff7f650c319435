"""docs/schedules.md: every primitive of a schedule, out of its docstring and the text of its refusals.

    python -m tilewright.tools.schedule_docs > docs/schedules.md

A docstring holds examples: the statements that a call changes, `before:` it and `after` it. The tests run the calls on
whole programs.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import NamedTuple

from ..schedule.primitive_declaration import SUBJECTS, Primitive, primitives
from ..schedule.refusal import ILLEGAL, UNPROVED, UNSUITABLE
from .schedule_methods import built_in

_HEADING = """\
# Schedules

Generated from `schedule/primitives/` by `python -m tilewright.tools.schedule_docs > docs/schedules.md`.

A schedule rearranges the loops of one function. Each call is checked at once: what would change the result is refused,
and the error names the primitive, the blocks and loops, and the line of the call.

```python
sch = tilewright.Schedule(module)  # copies an IRModule; transforms an operation in place
C = sch.get_block("C")
i, j, k = sch.get_loops(C)
io, ii = sch.split(i, factors=[None, 32])
sch.reorder(io, j, k, ii)
sch.parallel(io)
print(sch.mod.script())
```

`sch.trace` records the calls. It is replayed with `trace.apply_to(other)` and written as Python (`as_python`), as JSON
(`as_json`, `from_json`) and as MLIR (`as_mlir`, `from_mlir`), which `opt-tool --schedule FILE` applies to a module:

```mlir
schedule.sequence @main {
  %C = schedule.get_block "C"
  %i, %j, %k = schedule.get_loops %C
  %io, %ii = schedule.split %i factors [?, 32]
  schedule.reorder %io, %j, %k, %ii
  schedule.parallel %io
}
```

The examples show the statements that a call changes; `…` stands for statements that stay the same. Loops go by the
names of their variables and blocks by their labels. In a refusal, `…` stands for names and numbers of the program. A
primitive that cannot decide whether it is legal refuses. Where it takes `assert_legal=True`, the caller answers for
legality.
"""

_PARAGRAPH = "\n\n"
_FENCED = re.compile(r"(?:^|\n)(before|after `(?P<call>[^`\n]*)`):\n+```mlir\n(?P<text>.*?)\n```", re.DOTALL)


class Example(NamedTuple):
    """A call of a primitive, and the statements that it changes, before it and after it."""

    before: str
    call: str
    after: str


class Refusal(NamedTuple):
    """A code and a message with `…` for what varies."""

    code: str
    message: str


def examples(documentation: str) -> list[Example]:
    """The examples of a docstring. Several calls may start from one program."""
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
    """What a primitive refuses, read off the source of its module."""
    module = import_module(primitive.function.__module__)
    others = {p.name for p in primitives().values() if p.function.__module__ == module.__name__} - {primitive.name}
    found = [r for node in ast.walk(_parsed(module)) if isinstance(node, ast.Call) for r in _refusals(node, module)]
    own = [r for r in found if r.message.partition(":")[0] not in others]
    return sorted({r._replace(message=re.sub("^…:", f"{primitive.name}:", r.message)) for r in own})


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
    """A string expression with `…` for what is not literal."""
    match node:
        case ast.Constant(str() as text):
            return text
        case ast.JoinedStr(values):
            return re.sub("…(…)+", "…", "".join(_template(value) for value in values))
        case ast.BinOp(left, ast.Add(), right):
            return _template(left) + _template(right)
        case _:
            return "…"


# The page


def markdown(described: Iterable[Primitive] | None = None) -> str:
    """docs/schedules.md: a page on the built-in primitives, or on those given."""
    found = built_in() if described is None else list(described)
    sections = [_HEADING]
    for subject in SUBJECTS:
        of_subject = [primitive for primitive in found if primitive.subject == subject]
        if of_subject:
            sections += [f"## {subject}\n", *(f"### {each.name}\n\n{section(each)}\n" for each in of_subject)]
    return "\n".join(sections)


def section(primitive: Primitive) -> str:
    """What is said about a primitive, without its heading."""
    documentation = primitive.documentation
    parts = [f"`{primitive.name}({_parameters(primitive)})`", _fenced_apart(documentation)]
    if examples(documentation):
        parts += _refusal_table(refusals(primitive))
    return _PARAGRAPH.join(parts)


def _parameters(primitive: Primitive) -> str:
    parameters = [p.replace(annotation=p.empty) for p in primitive.parameters.parameters.values()]
    return str(primitive.parameters.replace(parameters=parameters, return_annotation=inspect.Signature.empty))[1:-1]


def _fenced_apart(documentation: str) -> str:
    """The docstring with an empty line before each fence, as Markdown wants it."""
    return re.sub(r":\n```mlir", ":\n\n```mlir", re.sub(r"\n```\n(?=\S)", "\n```\n\n", documentation))


def _refusal_table(found: list[Refusal]) -> list[str]:
    rows = [f"| {r.code} | {r.message.replace('|', chr(92) + '|')} |" for r in found]
    return ["\n".join(["| refused with | message |", "|---|---|", *rows])] if rows else []


if __name__ == "__main__":
    print(markdown(), end="")
