"""Passes that are also functions of modules, and sequences of passes as one pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ..diagnostics.expectations import coded, expect_type
from ..dialects import context
from ..dialects.ir_module import IRModule
from ..passes.framework.base import Pass, level_of
from ..passes.framework.context import PassLike, as_pass
from ..passes.framework.custom import pass_name
from ..passes.framework.manager import PassManager
from ..passes.pipeline import with_conversions


class CallablePass(Pass):
    """A pass that is also a function of modules: a call with a module returns a copy on which the pass has run."""

    def __call__(self, mod: IRModule | ModuleOp) -> IRModule:
        """Run the pass on a copy of the module, behind the conversions to the level that it works on."""
        op = (mod.op if isinstance(mod, IRModule) else mod).clone()
        PassManager(with_conversions([self], level_of(op))).run(context(), op)
        return IRModule(op)


class Sequential(CallablePass):
    """A sequence of passes as one pass: `Sequential([tir.transform.Simplify(), "unroll", my_pass])(module)`."""

    name = "sequential"
    phase = 0

    @coded
    def __init__(
        self, passes: Sequence[PassLike] = (), opt_level: int = 0, name: str = "sequential", required: Any = None
    ) -> None:
        """Make a sequence: `passes` have the forms that `PassContext(add_lower_pass=...)` takes; `opt_level` is that of
        the whole."""
        expect_type("passes", passes, list, tuple)
        expect_type("name", name, str)
        object.__setattr__(self, "passes", tuple(as_pass(each) for each in passes))
        object.__setattr__(self, "opt_level", opt_level)
        object.__setattr__(self, "name", pass_name(name.replace("-", "_")))

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        passes = self.passes  # pyright: ignore[reportAttributeAccessIssue]
        PassManager(with_conversions(passes, level_of(op))).run(ctx, op)
