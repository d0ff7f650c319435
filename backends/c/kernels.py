"""Thread-bound loops as kernels of OpenCL C.

Buffers of scope shared are `__local` arrays. `backends.kernels` splits functions into kernels.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue

from ...diagnostics import fail
from ...dialects.index_expr import Index
from ...dialects.loop import GLOBAL, LOCAL, REGISTER, SERIAL, SHARED, UNROLLED, AllocOp, ConstantOp, ForOp, StoreOp
from ...dialects.names import numbered_names
from ...traversal import operations
from ..kernels import THREAD, HostFunction, Kernel, Parameter, check_threads, host_functions, is_nest, root_of
from ..written.buffers import dense
from ..written.c_names import OPENCL_RESERVED
from ..written.fresh_names import Names
from .buffers import Buffer
from .control import NOT_KERNELS
from .function import FunctionWriter
from .legality import verify_function
from .opencl_text import kernel_text
from .program import add_argument, foreign_words
from .storage import is_written_out
from .types import storage_type

_KINDS = (SERIAL.kind.data, UNROLLED.kind.data, THREAD)


class OpenClLanguage:
    """OpenCL C as a `Language` of `backends.kernels`."""

    not_kernels = NOT_KERNELS

    def __init__(self, module: ModuleOp) -> None:
        functions = [op for op in module.ops if isinstance(op, func.FuncOp)]
        self._reserved = OPENCL_RESERVED.and_also(foreign_words(functions))
        self._kernel_names = Names(self._reserved)

    def verify(self, function: func.FuncOp) -> None:
        """Raise TW0601 for the first operation that cannot be written."""
        verify_function(function, _KINDS, (GLOBAL, LOCAL, REGISTER, SHARED))

    def sizes(self, function: func.FuncOp) -> dict[str, tuple[int, int]]:
        """Return the parameters that are no buffers, and which argument has each."""
        return _sizes(self._writer(function), function)

    def temporaries(self, function: func.FuncOp) -> dict[SSAValue, tuple[Attribute, tuple[Index, ...]]]:
        """Return the buffers that a function allocates outside of its nests."""
        writer = self._writer(function)
        _add_arguments(writer, function)
        return {
            op.res: (op.res.type.element_type, tuple(map(writer.index.resolve, op.shape)))
            for op in _run_outside(writer, function, None)
            if isinstance(op, AllocOp)
        }

    def kernel(self, function: func.FuncOp, nest: ForOp, number: int) -> Kernel:
        """Return the kernel of a nest."""
        name = self._kernel_names.fresh(f"{function.sym_name.data}_kernel" + (f"_{number}" if number else ""))
        return _kernel(self._writer(function), function, nest, name)

    def _writer(self, function: func.FuncOp) -> FunctionWriter:
        writer = FunctionWriter(self._reserved)
        writer.names.give(numbered_names(function))
        return writer


def opencl_functions(module: ModuleOp) -> list[HostFunction]:
    """Return the functions of a module for OpenCL. Raises TW0601 for operations that cannot be written in C, TW0621 for
    functions that do not consist of kernels."""
    return host_functions(module, OpenClLanguage(module))


def _sizes(writer: FunctionWriter, function: func.FuncOp) -> dict[str, tuple[int, int]]:
    sizes: dict[str, tuple[int, int]] = {}
    for argument in function.body.block.args:
        texts = add_argument(writer, argument)
        if not isinstance(argument.type, MemRefType):
            sizes[texts[0].split()[-1]] = (argument.index, -1)
            continue
        open_ = [d for d, n in enumerate(argument.type.get_shape()) if n < 0]
        sizes |= {t.split()[-1]: (argument.index, d) for t, d in zip(texts[1:], open_, strict=True)}
    return sizes


def _add_arguments(
    writer: FunctionWriter, function: func.FuncOp, nest: ForOp | None = None
) -> list[tuple[str, Parameter]]:
    """Add the function's arguments as parameters of a kernel; the writer knows them from here on."""
    declared: list[tuple[str, Parameter]] = []
    around = function if nest is None else nest
    writer.written = frozenset(root_of(op.buffer) for op in operations(around) if isinstance(op, StoreOp))
    writer.has_disjoint_arguments = True
    for argument in function.body.block.args:
        texts = add_argument(writer, argument, restrict=True, space="__global ")
        is_buffer = isinstance(argument.type, MemRefType)
        for text in texts:
            name = text.split()[-1].lstrip("*")
            declared.append((text, Parameter(name, argument if is_buffer and text is texts[0] else None)))
    return declared


def _run_outside(writer: FunctionWriter, function: func.FuncOp, nest: ForOp | None) -> Iterator[Operation]:
    """Write the operations before a nest, and yield the allocations among them."""
    for op in function.body.block.ops:
        if op is nest:
            return
        if isinstance(op, AllocOp):
            yield op
            name = writer.names.fresh(op.res.name_hint, "buffer")
            layout = dense(op.res.type, [writer.index.resolve(e) for e in op.dynamic_sizes], writer.index)
            buffer = Buffer(op.res.type, name, *layout, op.res, space="__global ")
            buffer.is_constant = op.res not in writer.written
            writer.add_buffer(op.res, buffer)
        elif not is_nest(op):
            if isinstance(op, ConstantOp) and not is_written_out(op):
                fail(NOT_KERNELS, "expected large constants of an OpenCL program as inputs of its function", op=op)
            writer.write(op)


def _kernel(writer: FunctionWriter, function: func.FuncOp, nest: ForOp, name: str) -> Kernel:
    declared = _add_arguments(writer, function, nest)
    for op in _run_outside(writer, function, nest):
        assert isinstance(op, AllocOp)
    for op in function.body.block.ops:
        if isinstance(op, AllocOp) and (buffer := writer.known_buffer(op.res)) is not None:
            qualifier = "__global const" if buffer.is_constant else "__global"
            text = f"{qualifier} {storage_type(op.res.type.element_type)} *restrict {buffer.name}"
            declared.append((text, Parameter(buffer.name, op.res)))
    writer.thread_extents = {}
    check_threads(nest, NOT_KERNELS)
    writer.write(nest)
    if writer.heap.is_used:
        fail(
            NOT_KERNELS,
            "expected the buffers inside a kernel to have constant extents and the scope shared or local",
            op=nest,
        )
    body = "\n".join(writer.lines.lines)
    used = [(t, p) for t, p in declared if re.search(rf"\b{re.escape(p.name)}\b", body)]
    used.sort(key=lambda pair: pair[1].buffer is None)
    text = kernel_text(name, [t for t, _ in used], body)
    return Kernel(name, text, tuple(p for _, p in used), dict(writer.thread_extents), nest)
