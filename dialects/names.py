"""Names of models and of users as names of SSA values, which hold letters, digits, `_`, `$`, `.` and `-` of ASCII."""

from __future__ import annotations

import re

from xdsl.ir import SSAValue

NAME_ATTRIBUTE = "tw.name"
"""What a user calls an argument, a result or a size, where the SSA value cannot have that name."""
ORDER_ATTRIBUTE = "tw.arguments"
"""The names of a function's arguments, and of sizes among them, in the order in which a user lists them."""
STRIDES_ATTRIBUTE = "tw.strides"
"""The strides of an argument in elements; a dynamic one is passed by callers, as an index before all arguments."""
VALUE_ATTRIBUTE = "tw.value"
"""The one value of an input that a function was made for: what its result depends on stands in it as constants."""
SHAPE_OF_ATTRIBUTE = "tw.shape_of"
"""The name of the result whose shape this result holds; the buffer of that one has room for the largest shape."""
DEFAULTS_ATTRIBUTE = "tw.defaults"
"""Inputs of a model that a function does not take, because it is for their defaults: the name, the type, and a digest
of the value."""
ASSUMED_ATTRIBUTE = "tw.assumes"
"""Pairs of sizes that a function of a model takes to be equal though the model allows others: a call where they differ
ends with an error. A third text says which others: "stretched", where one of them is 1, or "any"."""

_FOREIGN = re.compile(r"[^A-Za-z0-9_$.-]")


def value_name(text: str) -> str | None:
    """`text` as a name hint: what no name can hold becomes `_`, a number at the end is dropped. None for no text."""
    if not text:
        return None
    name = _FOREIGN.sub("_", text)
    return SSAValue.extract_valid_name(name if name[0].isalpha() or name[0] == "_" else f"v{name}") or "v"
