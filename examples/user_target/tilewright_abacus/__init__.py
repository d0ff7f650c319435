"""The target `abacus` for tilewright: the entry point of the plugin."""

from __future__ import annotations


def register() -> None:
    """Make the target, its backend and its pass known."""
    import tilewright

    from .backend import ABACUS
    from .passes import SplitFma

    tilewright.register_pass(phase=3, name="split-fma", contracts=True)(SplitFma)
    tilewright.register_backend(ABACUS)
