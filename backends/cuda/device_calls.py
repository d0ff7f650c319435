"""Calls in kernels: what stands for `loop.call_extern "name"(...)` on a device, and in the simulator.

A rule writes the statements of one call. It is asked once for each call of its name, by a `DeviceCall` that knows the
call's arguments.

```python
@register_device_call("mma_m16n8k16_f16")
def rule(call: DeviceCall) -> None:
    c, a, b = call.registers(0), call.registers(1), call.registers(2)
    call.assign(c, f"device.mma_m16n8k16_f16({call.group(a)}, {call.group(b)}, {call.group(c)})")
```
`semantics.register_extern` states the call's meaning to the interpreter, which runs it lane by lane: what a lane
writes are its own elements, what it reads may be anybody's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from ...lazy import load


class DeviceCall(Protocol):
    """A call that is being written."""

    def registers(self, position: int) -> list[str]:
        """Return the lane's registers of the tiles of a fragment that the argument at `position` touches, tile by
        tile."""
        ...

    def address(self, position: int) -> str:
        """Return `array, index`: where in shared or global memory the argument at `position` starts."""
        ...

    def run(self, position: int) -> str:
        """Return `array, index`: where the lane's registers of an argument start, as many as it has one after the
        other."""
        ...

    def swizzled_address(self, position: int, warps: int, step: int) -> str:
        """Return `array, index`: where an argument in swizzled shared memory would start, were no pieces permuted, for
        instructions that permute them by themselves. So many warps, neighbours along threadIdx.y, run it together: the
        argument of each starts `step` elements behind that of the warp before, the first one's at whole lines. Raises
        TW0667 where that is not known."""
        ...

    def value(self, position: int) -> str:
        """Return a scalar."""
        ...

    def require_alignment(self, position: int, size: int) -> None:
        """State that the argument's address is a multiple of so many bytes. Raises TW0664 where it is not."""
        ...

    def line(self, text: str) -> None:
        """Write a statement."""
        ...

    def assign(self, names: Sequence[str], value: str) -> None:
        """Assign the elements of a tuple."""
        ...

    def group(self, names: Sequence[str]) -> str:
        """Return a tuple of registers, `(a, b)`; the name itself where there is one."""
        ...


Rule = Callable[[DeviceCall], None]

_BUILTIN = ("tensor_intrinsics.calls:CALLS",)
_registered: dict[str, Rule] = {}


def register_device_call(name: str) -> Callable[[Rule], Rule]:
    """Return a decorator that registers a rule to write calls of a name; a later rule replaces an earlier one."""

    def register(rule: Rule) -> Rule:
        _registered[name] = rule
        return rule

    return register


def device_call(name: str) -> Rule | None:
    """Return the rule for calls of a name."""
    if name in _registered:
        return _registered[name]
    return next((table[name] for spec in _BUILTIN if name in (table := load(spec, __package__ or ""))), None)
