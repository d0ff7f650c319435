"""Modules of functions and operations of the user's, under the names by which users import them.

from tilewright.ir import IRModule
tilewright.ir.register_op_attr("tir.mylog", "TCallEffectKind", tir.CallEffectKind.Pure)
"""

from ..dialects.ir_module import IRModule
from .op import register_intrin_lowering, register_op_attr

__all__ = ["IRModule", "register_intrin_lowering", "register_op_attr"]
