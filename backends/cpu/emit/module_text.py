"""The text of one LLVM module: its functions, and the declarations, helpers and metadata that they share."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ....dialects.target import CpuTargetAttr
from ...line_table import LineTable
from .debug_info import DebugInfo

_PLAIN = re.compile(r"[A-Za-z0-9_.$-]+")
_ZERO = "@tw.zero"
_METADATA = "!0 = !{}\n!1 = !{i64 64}\n!2 = !{i32 1}"
"""!0 marks invariant loads, !1 pointers that are aligned to 64 bytes, !2 non-temporal stores."""


def symbol(name: str) -> str:
    """Return the LLVM name of a function of the IR. The prefix distinguishes it from the C library's names."""
    return foreign_symbol(f"tw.{name}")


def foreign_symbol(name: str) -> str:
    """Return the LLVM name of a function that is known to the linker as `name`."""
    if _PLAIN.fullmatch(name):
        return f"@{name}"
    return '@"' + "".join(c if c.isprintable() and c not in '"\\' and c.isascii() else _escape(c) for c in name) + '"'


def linker_name(name: str) -> str:
    """Return the name under which the linker knows `symbol(name)`."""
    return f"tw.{name}"


class ModuleText:
    """The functions of a module, with the declarations and helpers that they refer to."""

    def __init__(self, target: CpuTargetAttr, lines: LineTable | None = None) -> None:
        self.pointer_bits = target.pointer_bits
        self.pointer_bytes = target.pointer_bits // 8
        self.debug_info = None if lines is None else DebugInfo(lines)
        self._declarations: dict[str, None] = {}
        self._helpers: dict[str, None] = {}
        self._functions: list[str] = []
        features = ",".join(f"+{feature.data}" for feature in target.features)
        self._attributes = (
            f'attributes #0 = {{ nounwind "target-features"="{features}" '
            f'"prefer-vector-width"="{target.vector_bits}" }}'
        )

    def declare(self, signature: str) -> str:
        """Declare an external function, given as `float @expf(float)`; its symbol."""
        self._declarations[f"declare {signature} #0"] = None
        return signature[signature.index("@") : signature.index("(")]

    def add_helper(self, definition: str) -> None:
        """Define a function that other functions call, once."""
        self._helpers[definition] = None

    def add_function(self, lines: Sequence[str]) -> None:
        self._functions.append("\n".join(lines))

    def zero(self) -> str:
        """Return readable memory of an element's size that holds zeros."""
        self._helpers[f"{_ZERO} = private unnamed_addr constant i64 0, align 8"] = None
        return _ZERO

    def text(self) -> str:
        parts = [*self._declarations, *self._helpers, *self._functions, self._attributes, _METADATA]
        if self.debug_info is not None:
            parts.append(self.debug_info.text())
        return "\n\n".join(parts) + "\n"


def _escape(character: str) -> str:
    return "".join(f"\\{byte:02X}" for byte in character.encode())
