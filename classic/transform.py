"""What steers passes: `with tilewright.transform.PassContext(opt_level=3): …`."""

from ..passes.base import Pass
from ..passes.context import PassContext
from ..passes.custom import pattern_pass
from ..passes.manager import PassManager
from ..passes.registry import register_pass, unregister_pass

__all__ = ["Pass", "PassContext", "PassManager", "pattern_pass", "register_pass", "unregister_pass"]
