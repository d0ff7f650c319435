"""Quotients that the machine has: `tw.defined` of integer divisions and remainders of `arith`.

The divisor is not 0, and not -1 where the operation is signed, so that a language's own division is what is meant.
Rules of `expand-operations` state it; the interpreter holds operations to it.
"""

from __future__ import annotations

DEFINED = "tw.defined"
