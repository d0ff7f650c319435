"""Names of Python for what the IR names: unique in a function, and no word of the language."""

from __future__ import annotations

import keyword
import re

_UNSAFE = re.compile(r"[^A-Za-z0-9_]")

RESERVED = frozenset({
    *keyword.kwlist, *keyword.softkwlist,
    "math", "cuda", "device", "range", "min", "max", "abs", "round", "float", "int", "bool", "boolean",
    "float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
})  # fmt: skip
"""Words of Python and names that kernels use."""


def python_name(text: str) -> str:
    """The text with what no name of Python may hold replaced; ASCII, as device code has it."""
    name = _UNSAFE.sub("_", text)
    return f"v{name}" if name[:1].isdigit() or name.startswith("_") else name


class Names:
    """The names of one function: numba gives a name one type, so none is used twice."""

    def __init__(self) -> None:
        self._taken: set[str] = set(RESERVED)

    def fresh(self, hint: str | None, fallback: str = "v") -> str:
        """An unused name like `hint`."""
        base = python_name(hint or fallback)
        name, count = base, 0
        while name in self._taken:
            count += 1
            name = f"{base}_{count}"
        self._taken.add(name)
        return name
