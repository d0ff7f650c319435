"""`from tilewright.ir.module import IRModule`."""

from ..dialects.ir_module import IRModule

__all__ = ["IRModule"]
