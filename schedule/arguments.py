"""What a trace may hold as an argument, and its forms: as it is recorded, as Python source, and as JSON.

Handles, None, booleans, numbers, strings, and lists of these. What users pass beside them is recorded as
what it stands for: a buffer as its name, a thread axis as its tag, an index map or its function as the text of the map,
a tensor intrinsic as its name, a number of numpy's as Python's.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, TypeAlias

from xdsl.ir import SSAValue

from .handles import BlockRV, LoopRV
from .tensor_intrinsics import TensorIntrin, known_name

Handle: TypeAlias = "BlockRV | LoopRV"


def recordable(given: Any) -> Any:
    """What enters the trace for an argument that the user gave."""
    if isinstance(given, SSAValue):
        return given.name_hint
    if isinstance(given, (list, tuple)):
        return [recordable(element) for element in given]  # pyright: ignore[reportUnknownVariableType]
    if hasattr(given, "thread_tag"):
        return given.thread_tag
    if isinstance(given, TensorIntrin):
        return known_name(given)
    if callable(given):
        from .index_map import IndexMap

        return str(IndexMap.of(given))
    return given.item() if type(given).__module__ == "numpy" else given


def map_handles(value: Any, f: Callable[[Handle], Any]) -> Any:
    """The argument with each handle in it replaced."""
    if isinstance(value, (BlockRV, LoopRV)):
        return f(value)
    if isinstance(value, list):
        return [map_handles(element, f) for element in value]  # pyright: ignore[reportUnknownVariableType]
    return value


def to_python(value: Any) -> str:
    """The argument as a Python expression of handles' names and literals."""
    match value:
        case BlockRV() | LoopRV():
            return value.name
        case list():
            return f"[{', '.join(map(to_python, value))}]"  # pyright: ignore[reportUnknownArgumentType]
        case float() if not isfinite(value):
            return f"float('{value}')"
        case _:
            return repr(value)


def to_json(value: Any) -> Any:
    match value:
        case BlockRV() | LoopRV():
            return {"handle": value.name}
        case list():
            return [to_json(element) for element in value]  # pyright: ignore[reportUnknownVariableType]
        case _:
            json.dumps(value)
            return value


def from_json(value: Any) -> Any:
    """The argument; of a handle only the name, which is all that a replay asks for."""
    if isinstance(value, Mapping):
        return LoopRV(value["handle"], "")
    if isinstance(value, list):
        return [from_json(element) for element in value]  # pyright: ignore[reportUnknownVariableType]
    return value
