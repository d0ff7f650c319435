"""Modules of functions and operations of the user's, under the names by which users import them.

from tilewright.ir import IRModule
tilewright.ir.register_op_attr("tir.mylog", "TCallEffectKind", tir.CallEffectKind.Pure)

Below these names stand the editor, through which every program is changed, and the count of its rewrites.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy import exports

if TYPE_CHECKING:
    from ..dialects.ir_module import IRModule as IRModule
    from .op import register_intrin_lowering as register_intrin_lowering
    from .op import register_op_attr as register_op_attr

_EXPORTS = {
    "IRModule": "module:IRModule",
    "register_intrin_lowering": "op:register_intrin_lowering",
    "register_op_attr": "op:register_op_attr",
}
__all__ = ["IRModule", "register_intrin_lowering", "register_op_attr"]
__getattr__, __dir__ = exports(__name__, _EXPORTS)
