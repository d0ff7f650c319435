"""Conversion of names of models and users to names of SSA values, which consist of ASCII letters, digits, `_`, `$`, `.`
and `-`."""

from __future__ import annotations

import re

from xdsl.ir import Operation, SSAValue

NAME_ATTRIBUTE = "tw.name"
"""The user's name of an argument, a result or a size, where the SSA value cannot have that name."""
ORDER_ATTRIBUTE = "tw.arguments"
"""The names of a function's arguments, and of sizes among them, in the order in which a user lists them."""
STRIDES_ATTRIBUTE = "tw.strides"
"""The strides of an argument in elements; a dynamic one is passed by callers, as an index before all arguments."""
VALUE_ATTRIBUTE = "tw.value"
"""The only value of an input for which a function was made, which is a constant inside."""
SHAPE_OF_ATTRIBUTE = "tw.shape_of"
"""The name of the result whose shape this result holds; the buffer of that one has room for the largest shape."""
DEFAULTS_ATTRIBUTE = "tw.defaults"
"""Inputs of a model that a function does not take, because it is for their defaults: the name, the type, and a digest
of the value."""
ASSUMED_ATTRIBUTE = "tw.assumes"
"""Pairs of sizes that a function of a model takes to be equal though the model allows others: a call where they differ
ends with an error. A third text says which others: "stretched", where one of them is 1, or "any"."""

_FOREIGN = re.compile(r"[^A-Za-z0-9_$.-]")


_IS_NUMBERED = re.compile(r"\.\d+$")
_COUNTED = re.compile(r"_(\d+)$")


def script_name(name: str) -> str:
    """Return an identifier of a program as a name hint: `i_2` becomes `i.2`.

    xDSL writes equal hints as `i`, `i_1`, `i_2` and drops such a number from every hint that it is given.
    `diagnostics.locations.written_name` turns the hint back.
    """
    return _COUNTED.sub(r".\1", name)


def numbered_names(root: Operation) -> frozenset[str]:
    """Return the identifiers that end in a number and that programs gave to values inside `root`.

    A text that numbers equal names leaves these to their values.
    """
    hints = (
        value.name_hint
        for op in root.walk()
        for value in (*op.results, *(a for region in op.regions for block in region.blocks for a in block.args))
    )
    return frozenset(hint.replace(".", "_") for hint in hints if hint is not None and _IS_NUMBERED.search(hint))


def value_name(text: str) -> str | None:
    """Return `text` as a name hint: characters that no name can hold become `_`, a number at the end is dropped. None
    for no text."""
    if not text:
        return None
    name = _FOREIGN.sub("_", text)
    return SSAValue.extract_valid_name(name if name[0].isalpha() or name[0] == "_" else f"v{name}") or "v"
