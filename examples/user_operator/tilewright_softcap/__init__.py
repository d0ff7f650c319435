"""A bounded activation for tilewright: the entry point of the plugin."""

from __future__ import annotations


def register() -> None:
    """Make the operator `soft_cap` and its ONNX converter known."""
    from . import converter as converter
    from . import operator as operator
