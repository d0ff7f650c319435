"""The text of one LLVM function while it is being written.

Regions of the loop IR become *scopes*, one list of lines each. Pure computations on addresses and masks are
written into the outermost scope where their operands are known, once: a scope's lines end, while an inner
region is being written, right before the branch into that region.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_UNSAFE = re.compile(r"[^A-Za-z0-9_]")


class Scope:
    """Lines of a region, and the names of the pure expressions in it."""

    __slots__ = ("lines", "memo")

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.memo: dict[str, str] = {}


class Code:
    """Lines, names and the current position. Operands are strings: a name (`%v.1`) or a literal."""

    def __init__(self) -> None:
        self.scopes: list[Scope] = [Scope()]
        self.allocas: list[str] = []
        self.block = "entry"
        """The label of the LLVM block being written."""
        self.suffix = ""
        """The suffix of every instruction: its debug location, or nothing."""
        self._depths: dict[str, int] = {}
        self._count = 0

    @property
    def depth(self) -> int:
        return len(self.scopes) - 1

    def fresh(self, hint: str = "v") -> str:
        """Return a name for a value defined in the current scope. The dot distinguishes it from arguments and
        labels."""
        self._count += 1
        name = f"%{_UNSAFE.sub('_', hint)}.{self._count}"
        self._depths[name] = self.depth
        return name

    def label(self, hint: str) -> str:
        self._count += 1
        return f"{hint}{self._count}"

    def depth_of(self, operand: str) -> int:
        """Return the depth of the scope that defines `operand`; 0 for literals and arguments."""
        return min(self._depths.get(operand, 0), self.depth)

    def line(self, text: str) -> None:
        self.scopes[-1].lines.append(f"  {text}{self.suffix}")

    def define(self, expression: str, hint: str = "v") -> str:
        """Write an instruction here; its result."""
        name = self.fresh(hint)
        self.scopes[-1].lines.append(f"  {name} = {expression}{self.suffix}")
        return name

    def pure(self, expression: str, operands: Iterable[str]) -> str:
        """Return the result of an instruction without effect, written once, as far out as its operands allow."""
        depth = max(map(self.depth_of, operands), default=0)
        scope = self.scopes[depth]
        name = scope.memo.get(expression)
        if name is None:
            name = self.fresh("x")
            self._depths[name] = depth
            scope.memo[expression] = name
            scope.lines.append(f"  {name} = {expression}{self.suffix}")
        return name

    def alloca(self, expression: str) -> str:
        """Return a stack slot, which lives as long as the function."""
        name = self.fresh("slot")
        self._depths[name] = 0
        self.allocas.append(f"  {name} = {expression}")
        return name

    def start_block(self, label: str) -> None:
        self.scopes[-1].lines.append(f"{label}:")
        self.block = label

    def push(self) -> None:
        self.scopes.append(Scope())

    def pop(self) -> list[str]:
        return self.scopes.pop().lines

    def text(self) -> list[str]:
        """Return the lines of the whole body, once every inner scope is closed."""
        assert len(self.scopes) == 1
        return ["entry:", *self.allocas, *self.scopes[0].lines]
