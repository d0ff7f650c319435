"""
Operators: each is declared once, in a file of this package, and all that the compiler needs is derived from that.

A declaration (`register_operator`) is a class of operations of the graph dialect, a reference on numpy arrays, a
lowering to tensor expressions, and a fusion kind. Every module of this package is imported when the graph dialect or an
operator is first used, so a new operator is a new file or a few lines of one, without an entry in any list.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..lazy import load, unknown_name
from ..semantics.registry import register_provider
from .record import get_operator, load_operators

if TYPE_CHECKING:
    from ..semantics.registry import Reference
    from .declaration import register_operator as register_operator
    from .declaration import unregister_operator as unregister_operator
    from .description import describe as describe
    from .description import describe_all as describe_all
    from .record import Accumulator as Accumulator
    from .record import FusionKind as FusionKind
    from .record import Operator as Operator

    OPERATORS: dict[str, Operator]


def _reference(op_name: str) -> Reference | None:
    record = load_operators().get(op_name.removeprefix("graph."))
    return record.evaluate if record is not None else None


register_provider("graph", _reference)

_EXPORTS = {
    "Accumulator": "record:Accumulator",
    "FusionKind": "record:FusionKind",
    "Operator": "record:Operator",
    "describe": "description:describe",
    "describe_all": "description:describe_all",
    "register_operator": "declaration:register_operator",
    "unregister_operator": "declaration:unregister_operator",
}

__all__ = [
    "OPERATORS",
    "Accumulator",
    "FusionKind",
    "Operator",
    "describe",
    "describe_all",
    "get_operator",
    "load_operators",
    "register_operator",
    "unregister_operator",
]


def __getattr__(name: str) -> Any:
    if name == "OPERATORS":
        return load_operators()
    if name not in _EXPORTS:
        raise unknown_name(__name__, name, __all__)
    return load(_EXPORTS[name], __name__)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
