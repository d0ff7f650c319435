"""Tensors, their definitions, expressions and lazy schedules as JSON, and back.

The text lists objects by their classes, each with its attributes, which refer to other objects by number; so shared
objects stay shared, and chains of any length need no recursion. Only classes of the language and of schedules are
allowed, so reading a text runs no code. Source lines of the program are kept, calls of Python functions are not.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from typing import Any, cast

from xdsl.dialects.builtin import FileLineColLoc, LocationAttr, UnknownLoc

from ...diagnostics import fail
from ...diagnostics.locations import file_location
from ...te.shapes import Attributes, Extent, Text
from .schedule import LazySchedule

UNREADABLE = "TW0258"
_MODULES = (
    *(f"te.{name}" for name in ("calls", "combiners", "expr", "external", "foreign", "ranges", "recurrence", "tensor")),
    *(f"te.{name}" for name in ("thread_axes", "tiles", "vectors")),
    *(f"schedule.stages.{name}" for name in ("axes", "groups", "log", "schedule", "stage")),
)
"""The modules that define the classes of saved objects."""
_ROOT = __name__.removesuffix("schedule.stages.saved")
_NOT_SAVED = ("origin", "trace")
"""Attributes that another process lacks: the origin of an expression, and the trace of the engine."""
_TEXTS: dict[str, Callable[[Any], Any]] = {"extent": Extent, "text": Text}


def write_nodes(node: Any) -> str:
    """Return the JSON text of a tensor, a definition, an expression or a schedule, or of a list or a dictionary of
    such.

    Raises TilewrightError TW0258 for objects that hold functions of Python or programs.
    """
    writer = _Writer()
    root = writer.value(node)
    while writer.waiting:
        writer.write(writer.waiting.pop())
    return json.dumps({"tilewright": 1, "root": root, "nodes": writer.nodes}, indent=1)


def read_nodes(text: str) -> Any:
    """Return the nodes of a text of `write_nodes`. Raises TilewrightError TW0258 for another text."""
    try:
        data = json.loads(text)
        return _Reader(data["nodes"]).read(data["root"])
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError) as error:
        fail(UNREADABLE, f"expected a text of save_json, but it cannot be read: {error!r}")


def _class_name(kind: type) -> str | None:
    module = kind.__module__.removeprefix(_ROOT)
    return f"{module}:{kind.__qualname__}" if module in _MODULES else None


def _class_of(name: str) -> type:
    module, _, within = name.partition(":")
    kind = vars(import_module(_ROOT + module)).get(within) if module in _MODULES else None
    if not isinstance(kind, type) or _class_name(kind) != name:
        raise ValueError(f"no class {name!r}")
    return kind


class _Writer:
    """Numbers objects, and writes each once."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.waiting: list[tuple[int, Any]] = []
        self._numbers: dict[int, int] = {}
        self._kept: list[Any] = []
        """Written objects, kept alive so that no two of them have one identity."""

    def value(self, given: Any) -> Any:
        """Return a number, a text, a tuple, or a reference to an object."""
        match given:
            case None | bool():
                return given
            case Extent():
                return {"extent": int(given)}
            case Text():
                return {"text": str(given)}
            case int() | float() | str() if type(given) in (int, float, str):
                return given
            case tuple():
                return {"tuple": [self.value(item) for item in cast("tuple[Any, ...]", given)]}
            case _ if isinstance(given, LocationAttr):
                return {"line": _line(given)}
            case _:
                return {"node": self._number(given)}

    def _number(self, given: Any) -> int:
        if id(given) not in self._numbers:
            self._numbers[id(given)] = len(self.nodes)
            self.waiting.append((len(self.nodes), given))
            self._kept.append(given)
            self.nodes.append(None)
        return self._numbers[id(given)]

    def write(self, waiting: tuple[int, Any]) -> None:
        number, given = waiting
        self.nodes[number] = self._node(given)

    def _node(self, given: Any) -> Any:
        kind = type(given)
        if kind is list:
            return {"list": [self.value(item) for item in given]}
        if kind is set:
            return {"set": [self.value(item) for item in given]}
        if isinstance(given, dict):
            pairs = cast("dict[Any, Any]", given).items()
            key_of = "attributes" if isinstance(given, Attributes) else "dict"
            return {key_of: [[self.value(key), self.value(item)] for key, item in pairs]}
        if kind is object:
            return {"object": None}
        name = _class_name(kind)
        if isinstance(given, str) and name is not None:
            return {"class": name, "word": str(given)}
        if name is None:
            fail(
                UNREADABLE,
                f"expected tensors, expressions and schedules to save, but they hold {kind.__name__} {given!r:.80}",
                help="save the text of a lowered module: str(tilewright.lower(schedule, args))",
            )
        fields = {key: item for key, item in vars(given).items() if key not in _NOT_SAVED}
        return {"class": name, "fields": {key: self.value(item) for key, item in fields.items()}}


def _line(location: LocationAttr) -> list[Any]:
    if not isinstance(location, FileLineColLoc):
        return []
    return [location.filename.data, location.line.data, location.column.data]


class _Reader:
    """Makes the objects of a text: first all of them, then their attributes, then containers that are keyed by
    value."""

    def __init__(self, nodes: list[dict[str, Any]]) -> None:
        self._nodes = nodes
        self._objects = [self._shell(node) for node in nodes]

    def read(self, root: Any) -> Any:
        found = self._value(root)
        by_value: list[tuple[Any, dict[str, Any]]] = []
        for made, node in zip(self._objects, self._nodes, strict=True):
            if "fields" in node:
                fields = {key: self._value(item) for key, item in node["fields"].items()}
                vars(made).update(fields)
                if isinstance(made, LazySchedule):
                    made.trace = None
            elif "list" in node:
                made.extend(map(self._value, node["list"]))
            else:
                by_value.append((made, node))
        for made, node in by_value:
            if isinstance(made, dict):
                pairs = node["attributes" if "attributes" in node else "dict"]
                made.update({self._value(key): self._value(item) for key, item in pairs})
            elif "set" in node:
                made.update(map(self._value, node["set"]))
        return found

    def _shell(self, node: dict[str, Any]) -> Any:
        if "class" not in node:
            (name,) = node
            return _CONTAINERS[name]()
        kind: Any = _class_of(node["class"])
        return kind(node["word"]) if "word" in node and issubclass(kind, str) else object.__new__(kind)

    def _value(self, given: Any) -> Any:
        if not isinstance(given, dict):
            if isinstance(given, list):
                raise ValueError("a list that is no node")
            return given
        ((kind, item),) = cast("dict[str, Any]", given).items()
        match kind:
            case "tuple":
                return tuple(map(self._value, item))
            case "line":
                return file_location(*item) if item else UnknownLoc()
            case "node":
                return self._objects[item]
            case _:
                return _TEXTS[kind](item)


_CONTAINERS: dict[str, Callable[[], Any]] = {
    "list": list,
    "set": set,
    "dict": dict,
    "attributes": Attributes,
    "object": object,
}
