"""The base class of instruments, which observe the passes of a manager.

Instruments nest: the first one in the list is called first before a pass and last after it. Instruments write to
standard error or to a given stream, never to standard output, which has the IR.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ClassVar

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

if TYPE_CHECKING:
    from ..context import PassContext


class Instrument:
    """Base class: does nothing."""

    needs_verified: ClassVar[bool] = False
    """True if `after_verification` has to be called after every pass, independent of the setting `verify_each`."""

    def enter_context(self, context: PassContext) -> None:
        """Act when a `with` enters the context that holds the instrument."""

    def exit_context(self, context: PassContext) -> None:
        """Act when the `with` ends, also by an exception."""

    def should_run(self, pass_: ModulePass, module: ModuleOp) -> bool:
        """Return whether `pass_` may run. Called before `before_pass`, but not for conversions and required passes."""
        return True

    def before_run(self, module: ModuleOp) -> None:
        """Act before the first of a manager's passes. Passes may run other managers, so runs nest."""

    def after_run(self, module: ModuleOp) -> None:
        """Act after the last of a manager's passes, also where one failed."""

    def before_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        """Act before `pass_` runs."""

    def after_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        """Act after `pass_` ran, before the module is verified: a broken module can be printed."""

    def after_verification(self, pass_: ModulePass, module: ModuleOp) -> None:
        """Act after `pass_` ran, where the module was verified after it."""

    def after_failure(self, pass_: ModulePass, module: ModuleOp, error: Exception) -> None:
        """Act when `pass_` raised `error`, left invalid IR, or an instrument found something wrong after it."""

    def after_build(self, module: ModuleOp, sources: Mapping[str, Callable[[], str]]) -> None:
        """Act after code was made of `module`, which went through passes. `sources` write its texts by kind: "llvm"
        and "asm", or "c", or "cl"."""
