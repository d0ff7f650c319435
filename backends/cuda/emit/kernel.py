"""One nest of thread-bound loops as the source of one kernel."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import prod

from xdsl.dialects import func
from xdsl.dialects.builtin import IndexType, MemRefType, ModuleOp
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from ....analysis.shared_memory import buffers_of_one_block, bytes_in_shared_memory, shared_buffers, shared_layout
from ....diagnostics import fail
from ....diagnostics.locations import name_of
from ....dialects.index_expr import Index, Symbol
from ....dialects.loop import (
    AllocOp,
    BindOp,
    CallExternOp,
    ConstantOp,
    ForOp,
    ViewOp,
    byte_size,
    is_of_threads,
    scope_of,
)
from ....dialects.loop.memory_spaces import memory_space_of
from ....dialects.loop.storage import owner_of
from ....dialects.names import numbered_names
from ....hardware import SWIZZLE_PERIOD_BYTES
from ...kernels import HostFunction, Kernel, Parameter, check_threads, host_functions, is_nest
from ...written.buffers import dense
from ...written.extents import layout_of_argument
from ...written.fresh_names import Names
from ...written.types import storage_bytes
from ..operations.table import WARPGROUP_PRODUCTS
from ..source import RESERVED
from .buffers import Buffer
from .control import NOT_KERNELS
from .function import KernelWriter
from .legality import verify_function
from .sizes import size_of
from .types import storage_type

LEAST_ALIGNMENT = 8
"""Bytes, of those that numba-cuda takes."""


class CudaLanguage:
    """Kernels in Python, the `Language` of `backends.kernels`. Records the properties of each kernel that launches
    need.

    `checks` are the numbers of the assertions.
    """

    not_kernels = NOT_KERNELS

    def __init__(self, checks: Mapping[Operation, int]) -> None:
        self.checks = checks
        self._kernel_names = Names(RESERVED)
        self.alignments: dict[ForOp, dict[SSAValue, int]] = {}
        """Nests -> the buffers that their kernels access in vectors -> the bytes that those have to be aligned to."""
        self.written: dict[ForOp, frozenset[SSAValue]] = {}
        """Nests -> the roots of the buffers that their kernels store to."""
        self.shared_bytes: dict[ForOp, int] = {}
        """Nests -> the bytes of their kernels' shared buffers."""

    def verify(self, function: func.FuncOp) -> None:
        """Raise TW0601 for the first operation that cannot be written, TW0630 for a loop without threads."""
        verify_function(function)

    def sizes(self, function: func.FuncOp) -> dict[str, tuple[int, int]]:
        """Return the parameters that are no buffers, and which argument has each."""
        writer, sizes = KernelWriter(), dict[str, tuple[int, int]]()
        writer.names.give(numbered_names(function))
        for argument in function.body.block.args:
            sizes |= {name: (argument.index, d) for name, d in _add_argument(writer, argument)}
        return sizes

    def temporaries(self, function: func.FuncOp) -> dict[SSAValue, tuple[Attribute, tuple[Index, ...]]]:
        """Return the buffers that a function allocates outside of its nests, but for those that are the one block's of
        a nest. Raises TW0631 for another one that threads of a block share."""
        in_block = {op for nest in function.body.block.ops if is_nest(nest) for op in buffers_of_one_block(nest)}
        for op in function.body.block.ops:
            if isinstance(op, AllocOp) and is_of_threads(op.res.type) and op not in in_block:
                fail(
                    "TW0631",
                    f"expected {scope_of(op.res.type)} buffer {name_of(op.res)} inside the loops over the blocks that "
                    "have it each",
                    op=op,
                    help="bind loops to blockIdx around those bound to threadIdx, and compute the stage inside",
                )
        writer = KernelWriter()
        writer.names.give(numbered_names(function))
        _write_outside(writer, function, set(function.body.block.ops) - in_block)
        return {
            op.res: (op.res.type.element_type, tuple(size_of(e, writer.index) for e in op.shape))
            for op in function.body.block.ops
            if isinstance(op, AllocOp) and op not in in_block
        }

    def kernel(self, function: func.FuncOp, nest: ForOp, number: int) -> Kernel:
        """Return the kernel of a nest."""
        writer = KernelWriter()
        writer.names.give(numbered_names(function))
        check_threads(nest, NOT_KERNELS, reports=True)
        writer.fences_shared = any(
            isinstance(op, CallExternOp) and op.callee in WARPGROUP_PRODUCTS for op in nest.walk()
        )
        in_block = buffers_of_one_block(nest)
        shared = shared_buffers(nest)
        parameters = _write_outside(writer, function, _needed(nest) - set(in_block))
        writer.checks, writer.record = self.checks, writer.names.fresh("failed", "failed")
        parameters.append(Parameter(writer.record, is_record=True))
        for op in in_block:
            writer.write(op)
        outside = writer.lines.lines
        writer.lines.lines = []
        writer.write(nest)
        writer.lines.lines = [*outside, *_shared_lines(writer), *writer.lines.lines]
        body = "\n".join(writer.lines.lines)
        used = [p for p in parameters if re.search(rf"(?<![.\w]){re.escape(p.name)}\b", body)]
        used.sort(key=lambda p: p.is_size)
        name = self._kernel_names.fresh(f"{function.sym_name.data}_kernel{number}")
        self.alignments[nest], self.written[nest] = writer.alignments, frozenset(writer.written)
        self.shared_bytes[nest] = _shared_bytes(shared)
        text = f"def {name}({', '.join(map(_parameter_text, used))}):\n{body}"
        return Kernel(name, text, tuple(used), dict(writer.thread_extents), nest)


def cuda_functions(module: ModuleOp, language: CudaLanguage) -> list[HostFunction]:
    """Return the functions of a module for CUDA. Raises TW0601 for what cannot be written, TW0630 for what is not made
    of kernels."""
    return host_functions(module, language)


def _needed(nest: ForOp) -> set[Operation]:
    """Return the operations outside of a nest that it needs the results of, and the sizes that are stated for its
    buffers."""
    needed: set[Operation] = set()
    waiting = [v for op in nest.walk() for v in op.operands]
    seen: set[SSAValue] = set()
    while waiting:
        value = waiting.pop()
        if value in seen:
            continue
        seen.add(value)
        ops: list[Operation] = [use.operation for use in value.uses if isinstance(use.operation, BindOp)]
        if isinstance(value.owner, Operation) and not nest.is_ancestor(value.owner):
            ops.append(value.owner)
        for op in ops:
            needed.add(op)
            waiting += op.operands
    return needed


def _write_outside(writer: KernelWriter, function: func.FuncOp, needed: set[Operation]) -> list[Parameter]:
    """Write what a kernel needs of what stands outside of it; the parameters that it may have."""
    parameters: list[Parameter] = []
    for argument in function.body.block.args:
        names = [name for name, _ in _add_argument(writer, argument)]
        if isinstance(argument.type, MemRefType):
            parameters.append(Parameter(writer.buffer(argument).name, argument))
        parameters += map(Parameter, names)
    for op in function.body.block.ops:
        if op not in needed or is_nest(op):
            continue
        if isinstance(op, (AllocOp, ConstantOp)) or (isinstance(op, ViewOp) and not _is_same_memory(writer, op)):
            parameters.append(_add_array(writer, op))
        else:
            writer.write(op)
    return parameters


def _is_same_memory(writer: KernelWriter, view: ViewOp) -> bool:
    """Return whether a view has all elements of its buffer, in another shape. A view of a part is a separate array: a
    kernel that writes another part gets only the part that it accesses."""
    offset, base = writer.index.resolve(view.byte_offset), writer.buffer(view.buffer).type
    same_elements = base.element_type == view.res.type.element_type and byte_size(base) == byte_size(view.res.type)
    return same_elements and offset.is_constant and not offset.constant


def _add_array(writer: KernelWriter, op: AllocOp | ConstantOp | ViewOp) -> Parameter:
    """Add a buffer that the host makes, as an array of its own."""
    if isinstance(op, ViewOp) and not writer.index.resolve(op.byte_offset).is_constant:
        fail("TW0601", "expected a view outside of the kernels to have a constant offset", op=op)
    dynamic = [writer.index.resolve(e) for e in op.dynamic_sizes] if isinstance(op, AllocOp) else []
    name = writer.names.fresh(op.res.name_hint, "buffer")
    writer.add_buffer(op.res, Buffer(op.res.type, name, *dense(op.res.type, dynamic, writer.index), op.res))
    return Parameter(name, op.res, owner_of(op))


def _parameter_text(parameter: Parameter) -> str:
    """Return the text of a parameter, with the owner of its elements if that is one thread or block: `T: "thread"`."""
    return f'{parameter.name}: "{parameter.owner}"' if parameter.owner else parameter.name


def _add_argument(writer: KernelWriter, argument: BlockArgument) -> list[tuple[str, int]]:
    """Make an argument known; the names of its sizes and their dimensions, that of an index -1."""
    name = writer.names.fresh(argument.name_hint, f"argument{argument.index}")
    if not isinstance(argument.type, MemRefType):
        if not isinstance(argument.type, IndexType):
            fail("TW0601", f"expected arguments to be buffers, but got {argument.type}", op=argument.block.parent_op())
        writer.define_index(argument, Index.of(Symbol(name)))
        return [(name, -1)]
    sizes, layout = layout_of_argument(writer, argument, name)
    writer.add_buffer(argument, Buffer(argument.type, name, *layout, argument))
    return [(size, d) for d, size in sizes.items()]


# Shared memory


def _shared_bytes(buffers: Sequence[AllocOp]) -> int:
    """Return the bytes of the shared buffers of a kernel: up to the last one's end, where they say where they lie."""
    ends = [memory.start + bytes_in_shared_memory(op) for op in buffers if (memory := memory_space_of(op)) is not None]
    return max(ends) if ends else shared_layout(buffers)[1]


def _shared_lines(writer: KernelWriter) -> list[str]:
    """Return the declarations of the shared buffers. Arrays without a size are all the memory that the launch gives."""
    lines: dict[str, None] = {}
    for root, buffer in writer.shared.items():
        element, count = storage_type(buffer.type.element_type), max(prod(buffer.type.get_shape()), 1)
        if buffer.swizzle is not None:
            whole = SWIZZLE_PERIOD_BYTES // storage_bytes(buffer.type.element_type)
            count = -(-count // whole) * whole
        count = 0 if isinstance(root.owner, AllocOp) and memory_space_of(root.owner) is not None else count
        alignment = max(writer.alignments.get(root, 0), LEAST_ALIGNMENT)
        aligned = f", alignment={alignment}" if count and root in writer.alignments else ""
        lines[f"    {buffer.name} = cuda.shared.array({count}, {element}{aligned})"] = None
    return list(lines)
