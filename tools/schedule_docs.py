"""docs/schedules.md: every method of a schedule, out of the docstrings of primitives and the text of their refusals.

    python -m tilewright.tools.schedule_docs > docs/schedules.md

A docstring holds examples: the program `before:`, a call, and the program `after` it. The tests run them.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, NamedTuple

from ..schedule import Schedule, primitives
from ..schedule.refusal import ILLEGAL, UNPROVED, UNSUITABLE
from ..schedule.trace import METHODS

_HEADING = """\
# Schedules

Generated from the docstrings of `schedule/` by `python -m tilewright.tools.schedule_docs > docs/schedules.md`.

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

In the examples loops go by the names of their variables and blocks by their labels. `…` in a refusal stands for names
and numbers of the program. Every primitive that cannot decide whether it is legal refuses; where it takes
`assert_legal=True`, the caller answers for it.
"""

_PARAGRAPH = "\n\n"
_FENCED = re.compile(r"(?:^|\n)(before|after `(?P<call>[^`\n]*)`):\n+```mlir\n(?P<text>.*?)\n```", re.DOTALL)


class Example(NamedTuple):
    """A call of a method, and the program before and after it."""

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


@cache
def primitive_functions() -> dict[str, Callable[..., Any]]:
    """The primitives by name: the documented functions of `schedule/primitives/`."""
    found: dict[str, Callable[..., Any]] = {}
    for entry in iter_modules(primitives.__path__):
        module = import_module(f"{primitives.__name__}.{entry.name}")
        for name, value in vars(module).items():
            if (
                inspect.isfunction(value)
                and value.__module__ == module.__name__
                and examples(inspect.getdoc(value) or "")
            ):
                found[name] = value
    return found


def documentation(name: str) -> str:
    """What there is to say of a method: its docstring where that has examples, else also that of its primitive."""
    own = inspect.getdoc(METHODS[name]) or ""
    primitive = primitive_functions().get(name)
    if primitive is None or examples(own):
        return own
    return f"{own.partition(_PARAGRAPH)[0]}{_PARAGRAPH}{inspect.getdoc(primitive)}"


def all_examples() -> list[Example]:
    """The examples of all methods."""
    return [e for name in METHODS for e in examples(documentation(name))]


# Refusals


def refusals(primitive: str) -> list[Refusal]:
    """What a primitive refuses, read off its source."""
    module = import_module(primitive_functions()[primitive].__module__)
    others = {name for name, f in primitive_functions().items() if f.__module__ == module.__name__} - {primitive}
    found = [r for node in ast.walk(_parsed(module)) if isinstance(node, ast.Call) for r in _refusals(node, module)]
    own = [r for r in found if r.message.partition(":")[0] not in others]
    return sorted({r._replace(message=re.sub("^…:", f"{primitive}:", r.message)) for r in own})


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


def markdown() -> str:
    """docs/schedules.md."""
    sections, last = [_HEADING], ""
    for title, name in methods():
        if title != last:
            sections.append(f"## {title}\n")
        last = title
        sections.append(f"### {name}\n\n{section(name)}\n")
    return "\n".join(sections)


def methods() -> Iterator[tuple[str, str]]:
    """(subject, name) of every recorded method, by subject."""
    for base in Schedule.__mro__:
        title = (inspect.getdoc(base) or "").partition("\n")[0].rstrip(".")
        yield from ((title, name) for name in vars(base) if name in METHODS)


def section(name: str) -> str:
    """What is said about a method, without its heading."""
    parts = [f"`{name}({_parameters(METHODS[name])})`", _fenced_apart(documentation(name))]
    if name in primitive_functions():
        parts += _refusal_table(refusals(name))
    elif (other := _shown_by(name)) is not None:
        parts.append(f"See [{other}](#{other}).")
    return _PARAGRAPH.join(parts)


def _parameters(method: Callable[..., Any]) -> str:
    signature = inspect.signature(method)
    parameters = [p.replace(annotation=p.empty) for p in signature.parameters.values() if p.name != "self"]
    return str(signature.replace(parameters=parameters, return_annotation=signature.empty))[1:-1]


def _fenced_apart(documentation: str) -> str:
    """The docstring with an empty line before each fence, as Markdown wants it."""
    return re.sub(r":\n```mlir", ":\n\n```mlir", re.sub(r"\n```\n(?=\S)", "\n```\n\n", documentation))


def _refusal_table(found: list[Refusal]) -> list[str]:
    rows = [f"| {r.code} | {r.message.replace('|', chr(92) + '|')} |" for r in found]
    return ["\n".join(["| refused with | message |", "|---|---|", *rows])] if rows else []


def _shown_by(name: str) -> str | None:
    """The other method in whose examples a method is called."""
    for other in METHODS:
        if other != name and any(e.call.startswith(f"{name}(") for e in examples(documentation(other))):
            return other
    return None


if __name__ == "__main__":
    print(markdown(), end="")
