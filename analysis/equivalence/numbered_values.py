"""Value numbering of the expressions that programs compute at fixed sizes, modulo the equations of an algebra."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from xdsl.ir import Operation

from ..polyhedral.expression_trees import Apply, apply, flags_of, may_overflow, without_flags
from .algebra import Algebra, Axiom
from .head_rewriting import FUSED, SELECT

UNDEFINED = "undefined"
POISON = "poison"
SHOWN = 6
"""The depth to which an expression is printed."""


class NumberedNode(NamedTuple):
    """One expression."""

    head: tuple[object, ...]
    """An operation with its properties, or something from outside."""
    operands: tuple[int, ...] = ()
    counts: tuple[int, ...] = ()
    """The multiplicity of each operand, where the operands are the terms of a reduction in any order."""
    text: str = ""


class NumberedValues:
    """Numbers for expressions. Two expressions that the algebra makes equal have one number."""

    def __init__(self, algebra: Algebra) -> None:
        self.algebra = algebra
        self.nodes: list[NumberedNode] = []
        self.ops: list[Operation | None] = []
        """The operation that computed each value first."""
        self._numbers: dict[tuple[object, ...], int] = {}
        self._plain: dict[int, int] = {}
        """Of a value that is computed with flags, the same without: one of those that it may be."""
        self._matches: dict[tuple[int, int], bool] = {}

    def leaf(self, text: str, *what: object) -> int:
        """Return the number of a value that no operation computes: a constant, an index, an element from outside, an
        undefined one."""
        return self._number(NumberedNode(what, text=text), None)

    @property
    def undefined(self) -> int:
        return self.leaf(UNDEFINED, UNDEFINED)

    @property
    def poison(self) -> int:
        """A value by which those computed from it are poison too."""
        return self.leaf(POISON, POISON)

    def apply(self, e: Apply, operands: Sequence[int], op: Operation | None) -> int:
        """Return the number of an operation on values."""
        number = self._apply(e, operands, op)
        simple, parts = without_flags(e), [self._plain.get(operand, operand) for operand in operands]
        if number not in self._plain and (simple is not e or parts != list(operands)):
            self._plain[number] = self._apply(simple, parts, op)
        return number

    def _apply(self, e: Apply, operands: Sequence[int], op: Operation | None) -> int:
        if e.name.startswith(("arith.", "math.")):
            decisive = operands[:1] if e.name == SELECT else operands
            if self.poison in decisive:
                return self.poison
        if e.name == FUSED and self.algebra.contracts:
            product = self._apply(apply("arith.mulf", e.properties, e.type, e.operands[:2]), operands[:2], op)
            return self._apply(apply("arith.addf", e.properties, e.type, e.operands[1:]), (product, operands[2]), op)
        if not flags_of(e) and (simpler := self._by_axioms(e, operands)) is not None:
            return simpler
        if e.name == SELECT:
            operands = [operands[0], *(self._in_branch(operands, which) for which in (1, 2))]
        head = (e.name, e.properties, e.type)
        text = " ".join((e.name.partition(".")[2] or e.name, *sorted(flags_of(e))))
        if self.algebra.reorders(e.name) and not may_overflow(e):
            return self._terms(e, NumberedNode(head, text=text), operands, op)
        if self.algebra.commutes(e.name):
            operands = sorted(operands)
        return self._number(NumberedNode(head, tuple(operands), text=text), op)

    def _in_branch(self, operands: Sequence[int], which: int) -> int:
        """Return the value of a branch, in which choices by the same condition are made."""
        value = operands[which]
        while self.nodes[value].head[0] == SELECT and self.nodes[value].operands[0] == operands[0]:
            value = self.nodes[value].operands[which]
        return value

    def _by_axioms(self, e: Apply, operands: Sequence[int]) -> int | None:
        """Return the number that an axiom gives an operation with an operand that is 0; None where no axiom applies."""
        zeros = [k for k, number in enumerate(operands) if self.nodes[number].head == ("constant", e.type, 0)]
        if not zeros:
            return None
        if e.name == "arith.addf" and self.algebra.holds(Axiom.ADD_ZERO):
            return operands[1 - zeros[0]]
        if e.name == "arith.mulf" and self.algebra.holds(Axiom.MULTIPLY_ZERO):
            return operands[zeros[0]]
        return None

    def _terms(self, e: Apply, node: NumberedNode, operands: Sequence[int], op: Operation | None) -> int:
        """Return the number of a chain of one operation by its terms, identities left out."""
        counts: Counter[int] = Counter()
        for number in operands:
            inner = self.nodes[number]
            if inner.head == node.head and inner.counts:
                counts.update(dict(zip(inner.operands, inner.counts, strict=True)))
            elif flags_of(e) or not self._is_identity(e, inner):
                counts[number] += 1
        if counts.total() < 2:
            return next(iter(counts), operands[0])
        terms = sorted(counts)
        return self._number(node._replace(operands=tuple(terms), counts=tuple(counts[t] for t in terms)), op)

    def _is_identity(self, e: Apply, node: NumberedNode) -> bool:
        kind, *what = node.head
        return kind == "constant" and what[0] == e.type and self.algebra.is_identity(e.name, e.type, int(str(what[1])))

    def _number(self, node: NumberedNode, op: Operation | None) -> int:
        key = (node.head, node.operands, node.counts)  # names differ between programs
        if key not in self._numbers:
            self._numbers[key] = len(self.nodes)
            self.nodes.append(node)
            self.ops.append(op)
        return self._numbers[key]

    # Comparison and display

    def matches(self, before: int, after: int) -> bool:
        """Return whether `after` is one of the values that `before` may have: undefined parts may be anything, and
        flags may be dropped."""
        if before == after:
            return True
        key = (before, after)
        if key not in self._matches:
            plain = self._plain.get(before, before)
            found = self._find_match(self.nodes[before], self.nodes[after])
            self._matches[key] = found or (plain != before and self.matches(plain, after))
        return self._matches[key]

    def _find_match(self, before: NumberedNode, after: NumberedNode) -> bool:
        if before.head in ((UNDEFINED,), (POISON,)):
            return True
        if before.head != after.head or len(before.operands) != len(after.operands) or before.counts != after.counts:
            return False
        pairs = list(zip(before.operands, after.operands, strict=True))
        if all(self.matches(a, b) for a, b in pairs):
            return bool(pairs)
        exchanged = zip(before.operands, after.operands[::-1], strict=True)
        return (
            len(pairs) == 2 and self.algebra.commutes(str(before.head[0])) and all(self.matches(*p) for p in exchanged)
        )

    def is_undefined(self, number: int) -> bool:
        """Return whether a value is undefined or computed from an undefined value."""
        pending, seen = [number], {number}
        while pending:
            node = self.nodes[pending.pop()]
            if node.head in ((UNDEFINED,), (POISON,)):
                return True
            fresh = [n for n in node.operands if n not in seen]
            seen.update(fresh)
            pending += fresh
        return False

    def difference(self, before: int, after: int) -> tuple[int, int]:
        """Return the innermost parts of two values in which alone these differ."""
        while True:
            one, other = self.nodes[before], self.nodes[after]
            if one.head != other.head or len(one.operands) != len(other.operands) or one.counts != other.counts:
                return before, after
            parts = [p for p in zip(one.operands, other.operands, strict=True) if not self.matches(*p)]
            if len(parts) != 1:
                return before, after
            before, after = parts[0]

    def text(self, number: int, depth: int = SHOWN) -> str:
        """Return a value as a reader sees it, innermost parts left out."""
        node = self.nodes[number]
        if not node.operands:
            return node.text
        if depth == 0:
            return f"{node.text}(…)"
        counts = node.counts or (1,) * len(node.operands)
        parts = [
            self.text(n, depth - 1) + (f" x {count}" if count > 1 else "")
            for n, count in zip(node.operands[:SHOWN], counts, strict=False)
        ]
        more = len(node.operands) - SHOWN
        return f"{node.text}({', '.join(parts)}{f', and {more} more' if more > 0 else ''})"
