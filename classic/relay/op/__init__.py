"""Operators of relay by name, and operators as values: `relay.op.get("nn.relu")`."""

from __future__ import annotations

from typing import Any

from ....lazy import be_face, found_elsewhere, unknown_name
from ....operators import load_operators
from ..building import declared
from ..names import Op as Op
from ..names import get as get
from . import algorithm, image, nn, reduce, tensor, transform, vision

PLAIN = (tensor, reduce, transform, algorithm)
"""The modules whose operators are names of relay itself."""

for _module in (*PLAIN, image, nn, vision):
    be_face(_module)

op = tensor
"""TVM registers elementwise operators under this module name."""


def operator_named(name: str) -> Any:
    """Return the function of an operator; those that have no classic name have that of their record. Raises
    KeyError."""
    for module in PLAIN:
        if name in module.__all__:
            return getattr(module, name)
    record = load_operators()[name]
    if record.operation is None:
        raise KeyError(name)
    return declared(name)


def __getattr__(name: str) -> Any:
    try:
        return found_elsewhere(__name__, name)
    except KeyError:
        pass
    try:
        return operator_named(name)
    except KeyError:
        raise unknown_name(__name__, name, __dir__()) from None


def __dir__() -> list[str]:
    return sorted({*globals(), *(name for module in PLAIN for name in module.__all__)})
