"""Modules inside of classic topi, as programs import from them: operators and schedules are found there, and each other
name can be imported, while each use of it is refused (TW0251).

    from tilewright.topi.nn.conv2d import _get_workload      # tests name more than they use
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from ... import topi
from ...topi.refusals import Refused
from ..target import Target
from . import targets

_REASON = "it is inside of classic topi, whose templates have workloads and configurations"
_HELP = "build the operator without: default schedules need neither"


class Internal(ModuleType):
    """A module of topi. Where an operator has its name, it is that operator too: one hides the other otherwise."""

    def __init__(self, name: str, operator: Callable[..., Any] | None = None, **known: Any) -> None:
        super().__init__(f"{__name__}.{name}", f"What programs import from topi.{name}.")
        self.short_name = name
        if operator is not None:
            known["__wrapped__"] = operator
        vars(self).update(known)

    def __call__(self, *given: Any, **named: Any) -> Any:
        return self.__wrapped__(*given, **named)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module {self.short_name!r} has no attribute {name!r}")
        module = self.short_name.partition(".")[0]
        found = getattr(topi.nn if module == "nn" else getattr(targets, module), name, None)
        return found or Refused(f"topi.{self.short_name}", name, _REASON, _HELP)


def _is_aarch64_arm() -> bool:
    """Return whether the current target is an Arm processor of 64 bits."""
    target = Target.current()
    return target is not None and "aarch64" in str(target)


arm_cpu_conv2d_gemm = Internal("arm_cpu.conv2d_gemm", is_aarch64_arm=_is_aarch64_arm)
cuda_depthwise_conv2d = Internal("cuda.depthwise_conv2d")
generic_conv2d = Internal("generic.conv2d", topi.nn.conv2d)
nn_conv2d = Internal("nn.conv2d", topi.nn.conv2d)
nn_depthwise_conv2d = Internal("nn.depthwise_conv2d")
x86_conv2d_avx_common = Internal("x86.conv2d_avx_common")
x86_depthwise_conv2d = Internal("x86.depthwise_conv2d")
