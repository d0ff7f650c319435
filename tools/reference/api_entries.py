"""Public names: functions, classes and their methods, with signatures and docstrings."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from xdsl.ir import Attribute, Dialect, Operation

from ...dialects import factory
from ...dialects.graph import GraphOp
from .entry import Entry, Kind, documentation, first_sentence, joined

MODULES = (
    "tilewright",
    "tilewright.te",
    "tilewright.topi",
    "tilewright.topi.nn",
    "tilewright.tir",
    "tilewright.runtime",
    "tilewright.passes",
    "tilewright.ir",
    "tilewright.ir.editor",
    "tilewright.analysis",
    "tilewright.schedule",
    "tilewright.dialects.graph",
    "tilewright.dialects.te",
    "tilewright.dialects.loop",
)
"""The modules whose names are public: `__all__`, or all names of `dir` where there is none."""

_DIALECTS = "tilewright.dialects."
_COLUMNS = 88


def api_entries() -> Iterator[Entry]:
    """Yield every public function and class, once, by the first of the modules that have it."""
    for name, (module, item) in _public().items():
        yield _entry(module, name.removeprefix(f"{module}."), item)


@cache
def aliases() -> dict[str, str]:
    """Return the names under which further modules have a public object, and the name of its entry."""
    entry_of = {id(item): name for name, (_, item) in _public().items()}
    faces = {module: module for module in MODULES}
    faces |= {
        f"{module}.{name}": item.__name__
        for module in MODULES
        for name, item in _items(module)
        if isinstance(item, ModuleType) and item.__name__ in MODULES
    }
    names = {f"{face}.{name}": id(item) for face, module in faces.items() for name, item in _names(module)}
    return {name: entry_of[item] for name, item in names.items() if entry_of[item] != name}


@cache
def _public() -> dict[str, tuple[str, Any]]:
    """Return each public object by its full name, with the first module that has it."""
    found: dict[str, tuple[str, Any]] = {}
    seen = set[int]()
    for module in MODULES:
        for name, item in _names(module):
            if id(item) not in seen:
                seen.add(id(item))
                found[f"{module}.{name}"] = module, item
    return found


def _names(path: str) -> Iterator[tuple[str, Any]]:
    """Yield the public functions, classes and values of a module."""
    return ((name, item) for name, item in _items(path) if not isinstance(item, ModuleType))


def _items(path: str) -> Iterator[tuple[str, Any]]:
    """Yield the public names of a module: `__all__`, or the names that it loads on first use; of a dialect, its
    operations too."""
    module = import_module(path)
    stated = getattr(module, "__all__", None)
    names = {*stated} if stated else {*dir(module)} - {*vars(module)} or {*dir(module)}
    if path.startswith(_DIALECTS):
        names |= {operation.__name__ for operation in factory(path.removeprefix(_DIALECTS))().operations}
    for name in sorted(names):
        if not name.startswith("_"):
            yield name, getattr(module, name)


def _entry(module: str, name: str, item: Any) -> Entry:
    is_documented = isinstance(item, type) or inspect.isroutine(item)
    text = _documentation(item) if is_documented else _shown(item)
    parts = [signature_of(name, item), text]
    if isinstance(item, type):
        if issubclass(item, Operation) and (operation := getattr(item, "name", "")):
            parts.append(f"The operation `{operation}`.")
        parts += [f"**`{signature}`**\n\n{about}" for signature, about in _members(item)]
    return Entry(Kind.NAME, f"{module}.{name}", module, first_sentence(text), joined(parts))


def _shown(item: Any) -> str:
    """Return a value in Python's text; of a dialect or a table its kind, name and size."""
    if isinstance(item, Dialect):
        return f"The dialect `{item.name}`, as xDSL registers it."
    return f"A table of {len(item)} entries." if isinstance(item, dict) else f"`{item!r}`"


def _documentation(item: Any) -> str:
    """Return the docstring; of an IR class without one that of its base, and else its name in IR."""
    if not isinstance(item, type) or not issubclass(item, (Operation, Attribute)):
        return documentation(item)
    text = next((text for cls in item.__mro__ if _is_ours(cls) and (text := documentation(cls))), "")
    return text or f"The class of `{getattr(item, 'name', item.__name__)}`."


def signature_of(name: str, item: Any) -> str:
    """Return a call as a fenced block; empty where Python knows of no arguments."""
    if not callable(item):
        return ""
    if isinstance(item, type) and issubclass(item, GraphOp) and hasattr(item, "name"):
        return _fenced(f"{name}.of", _graph_parameters(item))
    if isinstance(item, type) and issubclass(item, (Operation, Attribute)) and not _has_constructor(item):
        return ""
    try:
        signature = _signature(item)
    except (TypeError, ValueError):
        return ""
    returned = signature.return_annotation
    result = "" if returned is signature.empty else f" -> {inspect.formatannotation(returned)}"
    return _fenced(name, _parameters(signature), result)


class _Annotation(str):
    """An annotation whose `repr` is its source text, without quotation marks."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _signature(item: Any) -> inspect.Signature:
    """Return the signature of a callable, its annotations as they are written."""
    signature = inspect.signature(item)
    parameters = [p.replace(annotation=_written(p.annotation)) for p in signature.parameters.values()]
    return signature.replace(parameters=parameters, return_annotation=_written(signature.return_annotation))


def _written(annotation: Any) -> Any:
    return _Annotation(annotation.strip("'\"")) if isinstance(annotation, str) else annotation


def _fenced(name: str, parameters: list[str], result: str = "") -> str:
    """Return a call in lines: one for all parameters, or one for each where it would be too long."""
    line = f"{name}({', '.join(parameters)}){result}"
    if len(line) > _COLUMNS and parameters:
        lines = "".join(f"    {parameter},\n" for parameter in parameters)
        line = f"{name}(\n{lines}){result}"
    return f"```python\n{line}\n```"


def _parameters(signature: inspect.Signature) -> list[str]:
    """Return the parameters as Python writes them, with the marks `/` and `*`."""
    written = [str(parameter) for parameter in signature.parameters.values()]
    kinds = [parameter.kind for parameter in signature.parameters.values()]
    keywords = kinds.index(inspect.Parameter.KEYWORD_ONLY) if inspect.Parameter.KEYWORD_ONLY in kinds else None
    if keywords is not None and inspect.Parameter.VAR_POSITIONAL not in kinds:
        written.insert(keywords, "*")
    positional = kinds.count(inspect.Parameter.POSITIONAL_ONLY)
    if positional:
        written.insert(positional, "/")
    return written


def _graph_parameters(operator: type[GraphOp]) -> list[str]:
    """Return the operands and properties that `of` takes; `...` for those that a call may leave out."""
    definition = operator.get_irdl_definition()
    operands = [name for name, _ in definition.operands]
    optional = [name for name, part in definition.properties.items() if _is_optional(part)]
    required = [name for name in definition.properties if name not in optional]
    properties = [*required, *(f"{name}=..." for name in optional)]
    return [*operands, "*", *properties] if properties else operands


def _is_optional(part: Any) -> bool:
    return getattr(part, "default_value", None) is not None or type(part).__name__.startswith("Opt")


def _has_constructor(cls: type[Any]) -> bool:
    """Return whether a class of this package, not of xDSL, states how an IR class is made."""
    return any(_is_ours(base) and "__init__" in vars(base) for base in cls.__mro__)


def _is_ours(cls: type[Any]) -> bool:
    return cls.__module__.partition(".")[0] == "tilewright"


def _members(cls: type[Any]) -> Iterator[tuple[str, str]]:
    """Yield the methods and properties that have a docstring; of IR classes those that xDSL does not bring."""
    is_ir = issubclass(cls, (Operation, Attribute))
    for name in dir(cls):
        owner = next((base for base in cls.__mro__ if name in vars(base)), None)
        if name.startswith("_") or owner is None or (is_ir and (not _is_ours(owner) or name in ("parse", "print"))):
            continue
        member = inspect.getattr_static(cls, name)
        if isinstance(member, property) and (about := inspect.getdoc(member)):
            yield name, about
        member = member.__func__ if isinstance(member, (classmethod, staticmethod)) else member
        if inspect.isfunction(member) and (about := inspect.getdoc(member)):
            parameters = str(_signature(member)).replace("(self, ", "(").replace("(self)", "()")
            yield f"{name}{parameters.replace('(cls, ', '(').replace('(cls)', '()')}", about
