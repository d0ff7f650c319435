"""Modules at loop level as emitters take them: what ends the pipeline of a target, for programs written by hand."""

from __future__ import annotations

from tilewright.dialects.target import TARGET_ATTRIBUTE
from tilewright.driver.lowering import legalize
from tilewright.driver.targets import Target
from xdsl.dialects.builtin import ModuleOp


def legal(module: ModuleOp, target: str = "cpu") -> ModuleOp:
    """Legalize the module in place: its operations are those of the target, and its buffers have memory."""
    module.attributes.setdefault(TARGET_ATTRIBUTE, Target(target).attribute())
    return legalize(module)
