"""The ONNX operator `SoftCap` of the domain `com.example`; its attribute `limit` is 30 unless given."""

from __future__ import annotations

from typing import Any

import tilewright

from .operator import SoftCapOp


@tilewright.register_onnx_converter("SoftCap", domain="com.example")
def soft_cap(node: Any) -> Any:
    """Return one operation of the graph dialect for one node."""
    return node.emit(SoftCapOp, node.input(0), cap=node.attr("limit", 30.0))
