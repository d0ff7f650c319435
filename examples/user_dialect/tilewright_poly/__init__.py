"""Polynomials for tilewright: the entry point of the plugin."""

from __future__ import annotations


def register() -> None:
    """Make the dialect `poly` and its passes known."""
    import tilewright

    from .dialect import POLY, EvalOp, horner
    from .passes import LowerPoly, TrimPoly

    # The changes of arithmetic that a pass may make are stated, so that validation allows it and nothing else.
    tilewright.register_pass(phase=0, name="trim-poly", axioms=["multiply-zero", "add-zero"])(TrimPoly)
    tilewright.register_pass(phase=0, name="lower-poly")(LowerPoly)
    tilewright.register_dialect(POLY, references={EvalOp: horner}, lowering="lower-poly")
