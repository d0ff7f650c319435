"""Pass `assign-memory-spaces`: registers, stack, thread memory, arena or heap for each buffer."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ....analysis.aliases import callees_first
from ....analysis.entries import entry_functions
from ....dialects.loop.memory_spaces import (
    ARENA_BYTES,
    MEMORY_SPACE,
    THREAD_BYTES,
    MemorySpaceAttr,
    bytes_attribute,
    bytes_of,
)
from ....dialects.target import target_of
from ....ir import editor as edit
from ....ir.rewrites import may_rewrite
from ...framework.base import Level, Pass
from .storage_plan import Storage, storage_in


@dataclass(frozen=True)
class AssignMemorySpacesPass(Pass):
    """State the memory space of each buffer: registers, the stack, a thread's memory, the call's arena or the heap.

    ```mlir
    func.func @main(...) {
      loop.for %i = 0 to 64 kind parallel {
        %tile = loop.alloc : memref<64x1024xf32, "local">
        %sum = loop.alloc : memref<4x8xf32, "register">
        ...
    // becomes
    func.func @main(...) attributes {tw.thread_bytes = 262144} {
      loop.for %i = 0 to 64 kind parallel {
        %tile = loop.alloc attributes {tw.place = #loop.place<thread 0>} : memref<64x1024xf32, "local">
        %sum = loop.alloc attributes {tw.place = #loop.place<register 8>} : memref<4x8xf32, "register">
    ```
    Small buffers of scope local are on the stack. Buffers of constant size in the body of an entry are in the arena,
    memory that the caller provides. Iterations of a parallel loop run concurrently, so larger buffers inside are in
    memory of the thread, which calls pass on. A buffer is on the heap if the target gives threads no memory, or if its
    size is known only at the call. The interpreter uses arenas and memory of threads as stated, and checks accesses to
    registers. Kernels that a host launches are left alone: their scopes determine the memory.

    Needs: loop level. No later pass adds or moves a buffer.
    Grants: emitters decide nothing about memory.
    """

    name = "assign-memory-spaces"
    phase = 3
    levels = (Level.LOOP,)
    asks_target = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = target_of(op)
        if target is not None and target.launches_kernels:
            return
        entries = {function.sym_name.data for function in entry_functions(op)}
        thread_bytes: dict[str, int] = {}
        for function in callees_first(op):
            name = function.sym_name.data
            has_thread_memory = target is None or target.gives_threads_memory
            storage = storage_in(function, thread_bytes, is_entry=name in entries, has_thread_memory=has_thread_memory)
            thread_bytes[name] = storage.thread_bytes
            _state(function, storage)


def _state(function: FuncOp, storage: Storage) -> None:
    """State the memory spaces that are not stated yet."""
    for op, assigned in storage.of.items():
        if op.attributes.get(MEMORY_SPACE) != assigned and may_rewrite("assign memory space", op):
            _set_storage(op, assigned)
    for name, size in ((THREAD_BYTES, storage.thread_bytes), (ARENA_BYTES, storage.arena_bytes)):
        if bytes_of(function, name) != size:
            edit.change(function).attributes[name] = bytes_attribute(size)


def _set_storage(op: Operation, assigned: MemorySpaceAttr) -> None:
    edit.change(op).attributes[MEMORY_SPACE] = assigned
