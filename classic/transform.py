"""Contexts and sequences of passes: `with tilewright.transform.PassContext(opt_level=3): …`."""

from ..passes.framework.base import Pass
from ..passes.framework.context import PassContext
from ..passes.framework.custom import pattern_pass
from ..passes.framework.manager import PassManager
from ..passes.framework.registry import register_pass, unregister_pass
from ..tir.sequences import CallablePass, Sequential

__all__ = [
    "CallablePass",
    "Pass",
    "PassContext",
    "PassManager",
    "Sequential",
    "pattern_pass",
    "register_pass",
    "unregister_pass",
]
