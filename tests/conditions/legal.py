"""Modules at loop level as emitters take them: what ends the pipeline of a target, for programs written by hand."""

from __future__ import annotations

from tilewright.dialects import context
from tilewright.dialects.target import TARGET_ATTRIBUTE
from tilewright.driver.targets import Target
from tilewright.passes.manager import PassManager
from tilewright.passes.registry import parse_pipeline
from xdsl.dialects.builtin import ModuleOp


def legal(module: ModuleOp, target: str = "cpu") -> ModuleOp:
    """The module, in place, with operations that the target has and buffers that have places."""
    if target != "cpu":
        module.attributes.setdefault(TARGET_ATTRIBUTE, Target(target).attribute())
    PassManager(parse_pipeline(f"expand-operations{{target={target}}},place-allocations")).run(context(), module)
    return module
