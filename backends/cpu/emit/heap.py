"""Heap allocations, and the exit of a function for failed allocations.

Each allocation has a stack slot that holds its pointer during its lifetime and null otherwise, so that one exit can
free all live allocations. LLVM promotes the slots to registers.
"""

from __future__ import annotations

from ....runtime.buffers import ALIGNMENT
from .code import Code
from .module_text import ModuleText

FAIL_LABEL = "failed"


class Heap:
    """The heap allocations of one function."""

    def __init__(self, code: Code, module: ModuleText) -> None:
        self._code = code
        self._module = module
        self._slots: list[str] = []
        self.can_fail = False
        """True if the function has a failing exit."""
        self._regions: list[list[str]] = []

    def enter(self) -> None:
        """Start a region, at whose end its allocations are freed."""
        self._regions.append([])

    def leave(self) -> None:
        for slot in reversed(self._regions.pop()):
            self._free(slot)
            self._code.line(f"store ptr null, ptr {slot}, align 8")

    def allocate(self, size: str) -> str:
        """Allocate `size` (an i64) bytes and return the pointer to them; the function is left by its failing exit where
        there are none.

        Where a size that is known at the call is below 0, the buffer has no element.
        """
        code = self._code
        slot = code.alloca("alloca ptr, align 8")
        code.allocas.append(f"  store ptr null, ptr {slot}, align 8")
        self._slots.append(slot)
        self._regions[-1].append(slot)
        word = f"i{self._module.pointer_bits}"
        self._module.declare(f"ptr @aligned_alloc({word}, {word})")
        self._module.declare("void @free(ptr)")
        # aligned_alloc wants a positive multiple of the alignment.
        least = code.define(f"call i64 @llvm.smax.i64(i64 {size}, i64 1)")
        padded = code.define(f"add i64 {least}, {ALIGNMENT - 1}")
        rounded = code.define(f"and i64 {padded}, {-ALIGNMENT}")
        if word != "i64":
            self.fail_if(code.define(f"icmp ugt i64 {rounded}, {(1 << self._module.pointer_bits) - ALIGNMENT}"))
            rounded = code.define(f"trunc i64 {rounded} to {word}")
        pointer = code.define(f"call noalias ptr @aligned_alloc({word} {ALIGNMENT}, {word} {rounded})", "heap")
        code.line(f"store ptr {pointer}, ptr {slot}, align 8")
        self.fail_if(code.define(f"icmp eq ptr {pointer}, null"))
        return pointer

    def fail_if(self, condition: str) -> None:
        """Leave the function by its failing exit where `condition`, an i1, holds."""
        self.can_fail = True
        success = self._code.label("succeeded")
        self._code.line(f"br i1 {condition}, label %{FAIL_LABEL}, label %{success}")
        self._code.start_block(success)

    def fail(self) -> None:
        """Leave the function by its failing exit."""
        self.can_fail = True
        self._code.line(f"br label %{FAIL_LABEL}")

    def failure(self) -> list[str]:
        """Return the failing exit, which frees all that lives and returns 1."""
        lines = [f"{FAIL_LABEL}:"]
        for number, slot in enumerate(self._slots):
            lines += [f"  %left{number} = load ptr, ptr {slot}, align 8", f"  call void @free(ptr %left{number})"]
        return [*lines, "  ret i32 1"]

    def _free(self, slot: str) -> None:
        pointer = self._code.define(f"load ptr, ptr {slot}, align 8")
        self._code.line(f"call void @free(ptr {pointer})")
