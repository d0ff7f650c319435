"""Strings as constants of the importer: numpy arrays of `TEXT`, which a program cannot contain.

Operators that move, select or compare elements are applied to these arrays directly; operators on characters have
separate converters (`converters.strings`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...diagnostics import fail
from ...dialects.graph import GraphOp
from ...operators import get_operator

TEXT = np.dtypes.StringDType()

_APPLIED = {
    "broadcast_to",
    "concat",
    "equal",
    "flatten",
    "gather",
    "gather_elements",
    "gather_nd",
    "identity",
    "reshape",
    "slice",
    "split",
    "squeeze",
    "tile",
    "transpose",
    "unsqueeze",
    "where",
}


def is_text(value: object) -> bool:
    """Return whether a value is an array of strings."""
    return isinstance(value, np.ndarray) and value.dtype.kind == "T"


def as_text(value: Any) -> np.ndarray:
    """Return strings, in an array or not, as a value."""
    return np.asarray(value, object).astype(TEXT)


def apply(op: type[GraphOp], arrays: Sequence[np.ndarray], properties: dict[str, Any]) -> list[np.ndarray]:
    """Return the results of an operator on strings. Raises TW0305 for one that needs numbers."""
    name = op.name.removeprefix("graph.")
    if name not in _APPLIED:
        fail("TW0305", f"expected numbers for '{name}', but got strings")
    results = get_operator(name).reference(*arrays, **with_defaults(op, properties))
    return [np.asarray(each) for each in (results if isinstance(results, (list, tuple)) else [results])]


def with_defaults(op: type[GraphOp], properties: dict[str, Any]) -> dict[str, Any]:
    """Return properties of an operator, and the defaults of those that are left out."""
    defaults = {
        key: op.codec(key).to_python(definition.default_value)
        for key, definition in op.get_irdl_definition().properties.items()
        if definition.default_value is not None
    }
    return defaults | properties
