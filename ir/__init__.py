"""Modules of functions, under the name by which users import them: `from tilewright.ir import IRModule`."""

from ..dialects.ir_module import IRModule

__all__ = ["IRModule"]
