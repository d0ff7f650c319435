"""Rewrites of arithmetic that a proof may use beyond the equality of equal trees.

Operations are functions about which nothing is known, so equal trees give equal bits, NaN and signed zeros included.
Beyond that, always:

    a op b == b op a                    for the operations of COMMUTATIVE
    (a op b) op c == a op (b op c)      for those of EXACTLY_ASSOCIATIVE: integers, maximum, minimum

and where a step declares it:

    contracts       fma(a, b, c) == a * b + c, with the order of the sums kept
    reassociates    (a op b) op c == a op (b op c) for those of ROUNDED_ASSOCIATIVE, and x op identity == x
    an axiom        the equation that is its value

The payload of a NaN is no part of a value: commuted operands may keep another one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, Float64Type, IntegerType
from xdsl.ir import Attribute

EXACTLY_ASSOCIATIVE = frozenset(
    {
        "arith.addi",
        "arith.muli",
        "arith.andi",
        "arith.ori",
        "arith.xori",
        "arith.maxsi",
        "arith.minsi",
        "arith.maxui",
        "arith.minui",
        "arith.maximumf",
        "arith.minimumf",
    }
)
"""Commutative operations whose terms give the same bits in any order."""

ROUNDED_ASSOCIATIVE = frozenset({"arith.addf", "arith.mulf", "arith.maxnumf", "arith.minnumf"})
"""Commutative operations whose terms give nearly the same value in any order, or another sign of a zero."""

COMMUTATIVE = EXACTLY_ASSOCIATIVE | ROUNDED_ASSOCIATIVE
"""Operations of two operands that commute."""


_IDENTITIES: dict[str, str] = {
    "arith.addf": "zero",
    "arith.mulf": "one",
    "arith.maximumf": "least",
    "arith.maxnumf": "least",
    "arith.minimumf": "greatest",
    "arith.minnumf": "greatest",
    "arith.addi": "zero",
    "arith.muli": "one",
    "arith.andi": "ones",
    "arith.ori": "zero",
    "arith.xori": "zero",
    "arith.maxsi": "least",
    "arith.minsi": "greatest",
    "arith.maxui": "zero",
    "arith.minui": "ones",
}
"""The identity of each operation, as the name of a constant."""

_FLOATS: dict[type[Attribute], tuple[int, int]] = {
    Float16Type: (5, 10),
    BFloat16Type: (8, 7),
    Float32Type: (8, 23),
    Float64Type: (11, 52),
}
"""The bits of exponent and of fraction."""


class Axiom(Enum):
    """An equation that holds for most numbers, and that a step has to declare."""

    ADD_ZERO = "x + 0 = x"
    """Wrong for x = -0.0 where the zero is +0.0."""
    MULTIPLY_ZERO = "0 * x = 0"
    """Wrong for infinities and NaN, and for the sign of the zero."""
    EXPAND_INTRINSIC = "f(x) = the operations that a rule writes for f(x)"
    """No proof applies it: what a step that declares it made stays unproved unless nothing was expanded."""

    @property
    def label(self) -> str:
        """The name that passes and command lines call it by: `add-zero`."""
        return self.name.lower().replace("_", "-")

    @staticmethod
    def labelled(label: str) -> Axiom | None:
        """Return the axiom of that label; None where there is none."""
        return next((axiom for axiom in Axiom if axiom.label == label), None)


@dataclass(frozen=True)
class Algebra:
    """The rewrites of arithmetic that a step may use."""

    contracts: bool = False
    """True if a product and a sum may become a fused multiply-add, or the reverse."""
    reassociates: bool = False
    """True if the terms of floating-point reductions may change order."""
    axioms: frozenset[Axiom] = frozenset()

    def __or__(self, other: Algebra) -> Algebra:
        """Return the algebra of two steps in a row."""
        return Algebra(
            self.contracts or other.contracts, self.reassociates or other.reassociates, self.axioms | other.axioms
        )

    def commutes(self, name: str) -> bool:
        """Return whether the two operands of an operation may be swapped."""
        return name in COMMUTATIVE

    def reorders(self, name: str) -> bool:
        """Return whether a chain of this operation is determined by the multiset of its terms."""
        return name in EXACTLY_ASSOCIATIVE or (self.reassociates and name in ROUNDED_ASSOCIATIVE)

    def is_identity(self, name: str, type: Attribute, bits: int) -> bool:
        """Return whether a constant of a type is the identity of an operation whose terms may change order."""
        which = _IDENTITIES.get(name)
        return which is not None and self.reorders(name) and bits in _bits_of(which, type)

    def holds(self, axiom: Axiom) -> bool:
        return axiom in self.axioms


EXACT = Algebra()
"""Equal bits: order and form of all arithmetic kept."""


def _bits_of(which: str, type: Attribute) -> tuple[int, ...]:
    if isinstance(type, IntegerType):
        half, ones = 1 << (type.width.data - 1), (1 << type.width.data) - 1
        return ({"zero": 0, "one": 1, "least": half, "greatest": half - 1, "ones": ones}[which],)
    if (form := _FLOATS.get(type.__class__)) is None:
        return ()
    exponent, fraction = form
    sign, infinity = 1 << (exponent + fraction), ((1 << exponent) - 1) << fraction
    one = ((1 << (exponent - 1)) - 1) << fraction
    return {"zero": (0, sign), "one": (one,), "least": (sign | infinity,), "greatest": (infinity,)}[which]
