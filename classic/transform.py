"""What steers passes, and sequences of them: `with tilewright.transform.PassContext(opt_level=3): …`."""

from ..passes.base import Pass
from ..passes.context import PassContext
from ..passes.custom import pattern_pass
from ..passes.manager import PassManager
from ..passes.registry import register_pass, unregister_pass
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
