"""The arguments that a trace may hold, and their forms: recorded, as Python source, and as JSON.

These are handles, None, booleans, numbers, strings, and lists of these. Other arguments are recorded by an
identification: a buffer by its name, a thread axis by its tag, an index map or its function by the text of the map, a
tensor intrinsic by its name, a range as a list, a numpy scalar as a Python number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, NoReturn, TypeAlias

from xdsl.ir import SSAValue

from ..diagnostics import fail
from ..te.expr import Const
from .handles import BlockRV, LoopRV, ValueRV
from .tensor_intrinsics import TensorIntrin, known_name

Handle: TypeAlias = "BlockRV | LoopRV | ValueRV"


def plain(given: Any) -> Any:
    """Return the argument with lists for ranges and Python's numbers for those of numpy and te, which no primitive
    knows."""
    if isinstance(given, range):
        return list(given)
    if type(given) in (list, tuple):
        return type(given)(map(plain, given))
    if isinstance(given, Const):
        return given.value
    return given.item() if type(given).__module__ == "numpy" and not given.shape else given


def without_names(given: Any) -> Any:
    """Return the argument with plain numbers for values that a schedule has drawn."""
    if isinstance(given, ValueRV):
        return int(given)
    if type(given) in (list, tuple):
        return type(given)(map(without_names, given))
    return given


def recordable(given: Any) -> Any:
    """Return the form in which the trace records an argument that the user gave."""
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
    return given


def kind_of_argument(given: Any) -> str:
    """Return the kind of an argument, a key of `dialects.schedule.argument_values.DESCRIPTIONS`."""
    match given:
        case BlockRV():
            return "block"
        case LoopRV():
            return "loop"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "float"
        case None:
            return "nothing"
        case list() | tuple():
            return "list"
        case str() | SSAValue() | TensorIntrin():
            return "string"
        case _:
            return "string" if callable(given) or hasattr(given, "thread_tag") else "attribute"


def map_handles(value: Any, f: Callable[[Handle], Any]) -> Any:
    """Return the argument with each handle in it replaced."""
    if isinstance(value, (BlockRV, LoopRV, ValueRV)):
        return f(value)
    if isinstance(value, list):
        return [map_handles(element, f) for element in value]  # pyright: ignore[reportUnknownVariableType]
    return value


def to_python(value: Any) -> str:
    """Return the argument as a Python expression of handles' names and literals."""
    match value:
        case BlockRV() | LoopRV() | ValueRV():
            return value.name
        case list():
            return f"[{', '.join(map(to_python, value))}]"  # pyright: ignore[reportUnknownArgumentType]
        case float() if not isfinite(value):
            return f"float('{value}')"
        case None | bool() | int() | float() | str():
            return repr(value)
        case _:
            no_form(value)


def to_json(value: Any) -> Any:
    match value:
        case BlockRV() | LoopRV() | ValueRV():
            return {"handle": value.name}
        case list():
            return [to_json(element) for element in value]  # pyright: ignore[reportUnknownVariableType]
        case None | bool() | int() | float() | str():
            return value
        case _:
            no_form(value)


def no_form(value: Any) -> NoReturn:
    """Refuse an argument that no text of a trace can hold."""
    fail("TW0436", f"a trace has no form for an argument of type {type(value).__name__}: {value!r}")


def from_json(value: Any) -> Any:
    """Return the argument; of a handle only the name, which is all that a replay asks for."""
    if isinstance(value, Mapping):
        return LoopRV(value["handle"], "")
    if isinstance(value, list):
        return [from_json(element) for element in value]  # pyright: ignore[reportUnknownVariableType]
    return value
