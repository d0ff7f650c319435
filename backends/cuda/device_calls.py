"""Rules for external calls in kernels: the statements for `loop.call_extern` on a device and in the simulator.

A rule writes the statements of one call. It is called once for each call of its name, with a `DeviceCall` that has the
arguments of that call.

```python
@register_device_call("mma_m16n8k16_f16")
def rule(call: DeviceCall) -> None:
    c, a, b = call.registers(0), call.registers(1), call.registers(2)
    call.assign(c, f"device.mma_m16n8k16_f16({call.group(a)}, {call.group(b)}, {call.group(c)})")
```
`semantics.register_extern` defines the call for the interpreter, which runs it lane by lane. A lane may write only
the elements that belong to it, and may read the elements of any lane.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from ...lazy import load


class DeviceCall(Protocol):
    """A `loop.call_extern` that a rule writes: its arguments, and methods that add statements."""

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
        """Return `array, index`: the start of an argument in swizzled shared memory, before the swizzle, for
        instructions that apply the swizzle themselves. `warps` warps, neighbours along threadIdx.y, run the instruction
        together: the argument of each starts `step` elements after that of the previous warp, and the first one at a
        whole line. Raises TW0667 where that cannot be proved."""
        ...

    def value(self, position: int) -> str:
        """Return a scalar."""
        ...

    def require_alignment(self, position: int, size: int) -> None:
        """State that the argument's address is a multiple of `size` bytes. Raises TW0664 where it is not."""
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
