"""Thread-bound loops as kernels of OpenCL C.

A nest of loops whose outermost one is bound to threads becomes a kernel: its loops over blocks and threads become the
group's and the item's numbers, buffers of scope shared `__local` ones, and sizes parameters. Everything else a function
does between its nests must be free of effects, since the host only launches.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue

from ...diagnostics import fail
from ...dialects.index_expr import Index, Symbol
from ...dialects.loop import (
    GLOBAL,
    LOCAL,
    REGISTER,
    SERIAL,
    SHARED,
    UNROLLED,
    AllocOp,
    AssertOp,
    ConstantOp,
    ForOp,
    StoreOp,
    enclosing,
    scope_of,
)
from ...dialects.loop.kinds import THREAD_TAGS
from ...traversal import operations
from ..signature import entry_functions
from .buffers import Buffer, row_major, shape_of
from .dispatch import write
from .function import FunctionWriter
from .legality import verify_function
from .names import Names
from .opencl_text import kernel_text
from .program import add_argument, root_of
from .storage import is_written_out
from .threads import THREAD
from .types import storage_type

_KINDS = (SERIAL.kind.data, UNROLLED.kind.data, THREAD)
_FREE_OF_EFFECTS = ("loop.alloc", "loop.apply", "loop.bind", "loop.constant", "loop.dim", "loop.view", "func.return")


@dataclass(frozen=True)
class Parameter:
    """An argument of a kernel: a buffer of the function, or a size by its name."""

    name: str
    buffer: SSAValue | None = None


@dataclass(frozen=True)
class Kernel:
    """One kernel and how it is launched."""

    name: str
    text: str
    parameters: tuple[Parameter, ...]
    extents: dict[str, Index]
    """Thread tag -> number of threads, over the function's sizes."""


@dataclass(frozen=True)
class HostFunction:
    """A function that launches kernels, in order."""

    function: func.FuncOp
    kernels: tuple[Kernel, ...]
    sizes: dict[str, tuple[int, int]]
    """Name of a size -> (argument, dimension) that has it. Strides have the dimension -1."""
    temporaries: dict[SSAValue, tuple[Attribute, tuple[Index, ...]]]
    """Buffers between kernels: element type and extents."""


def host_functions(module: ModuleOp) -> list[HostFunction]:
    """The functions of a module for OpenCL. Raises TW0601 for what cannot be written in C, TW0621 for what is not made
    of kernels."""
    entries = entry_functions(module)
    if not entries:
        fail("TW0601", "expected a function @main with a body, but there is none", op=module)
    return [_host_function(entry) for entry in entries]


def _host_function(function: func.FuncOp) -> HostFunction:
    verify_function(function, _KINDS, (GLOBAL, LOCAL, REGISTER, SHARED))
    nests = [op for op in function.body.block.ops if isinstance(op, ForOp) and is_nest(op)]
    if not nests:
        fail(
            "TW0621",
            f"expected loops that are bound to threads in @{function.sym_name.data}, but there are none",
            op=function,
            help='bind them: s[B].bind(bx, te.thread_axis("blockIdx.x"))',
        )
    for op in function.body.block.ops:
        if not is_nest(op) and op.name not in _FREE_OF_EFFECTS and not op.name.startswith(("arith.", "math.")):
            fail("TW0621", f"expected loops bound to threads at the outside of a kernel, but got {op.name}", op=op)
    kernels = tuple(_kernel(function, nest, number) for number, nest in enumerate(nests))
    writer = _writer(function, [])
    temporaries: dict[SSAValue, tuple[Attribute, tuple[Index, ...]]] = {
        op.res: (op.res.type.element_type, tuple(map(writer.index.resolve, op.shape)))
        for op in _run_outside(writer, function, None)
        if isinstance(op, AllocOp)
    }
    return HostFunction(function, kernels, _sizes(function), temporaries)


def is_nest(op: Operation) -> bool:
    """Whether an operation is a loop over threads."""
    return isinstance(op, ForOp) and op.kind.kind.data == THREAD


def _sizes(function: func.FuncOp) -> dict[str, tuple[int, int]]:
    writer = FunctionWriter(Names())
    sizes: dict[str, tuple[int, int]] = {}
    for argument in function.body.block.args:
        texts = add_argument(writer, argument)
        if not isinstance(argument.type, MemRefType):
            sizes[texts[0].split()[-1]] = (argument.index, -1)
            continue
        open_ = [d for d, n in enumerate(argument.type.get_shape()) if n < 0]
        sizes |= {t.split()[-1]: (argument.index, d) for t, d in zip(texts[1:], open_, strict=True)}
    return sizes


def _writer(function: func.FuncOp, declared: list[tuple[str, Parameter]], nest: ForOp | None = None) -> FunctionWriter:
    """A writer that knows the function's arguments; `declared` receives them as parameters."""
    writer = FunctionWriter(Names())
    around = function if nest is None else nest
    writer.written = frozenset(root_of(op.buffer) for op in operations(around) if isinstance(op, StoreOp))
    writer.apart = True
    for argument in function.body.block.args:
        texts = add_argument(writer, argument, restrict=True, space="__global ")
        is_buffer = isinstance(argument.type, MemRefType)
        for text in texts:
            name = text.split()[-1].lstrip("*")
            declared.append((text, Parameter(name, argument if is_buffer and text is texts[0] else None)))
    return writer


def _run_outside(writer: FunctionWriter, function: func.FuncOp, nest: ForOp | None) -> Iterator[Operation]:
    """Write what stands before a nest, and give its allocations."""
    for op in function.body.block.ops:
        if op is nest:
            return
        if isinstance(op, AllocOp):
            yield op
            name = writer.names.fresh(op.res.name_hint, "buffer")
            extents = shape_of(op.res.type, [writer.index.resolve(e) for e in op.dynamic_sizes])
            strides = row_major(op.res.type, extents, writer.index)
            buffer = Buffer(op.res.type, name, extents, strides, op.res, space="__global ")
            buffer.is_constant = op.res not in writer.written
            writer.add_buffer(op.res, buffer)
        elif not is_nest(op):
            if isinstance(op, ConstantOp) and not is_written_out(op):
                fail("TW0621", "expected large constants of an OpenCL program as inputs of its function", op=op)
            write(writer, op)


def _kernel(function: func.FuncOp, nest: ForOp, number: int) -> Kernel:
    declared: list[tuple[str, Parameter]] = []
    writer = _writer(function, declared, nest)
    for op in _run_outside(writer, function, nest):
        assert isinstance(op, AllocOp)
    for op in function.body.block.ops:
        if isinstance(op, AllocOp) and (buffer := writer.known_buffer(op.res)) is not None:
            qualifier = "__global const" if buffer.is_constant else "__global"
            text = f"{qualifier} {storage_type(op.res.type.element_type)} *restrict {buffer.name}"
            declared.append((text, Parameter(buffer.name, op.res)))
    writer.thread_extents = {}
    _check_threads(nest)
    write(writer, nest)
    if writer.heap.is_used:
        fail("TW0621", "expected the buffers inside a kernel to have fixed sizes and a scope of their own", op=nest)
    body = "\n".join(writer.lines.lines)
    used = [(t, p) for t, p in declared if re.search(rf"\b{re.escape(p.name)}\b", body)]
    used.sort(key=lambda pair: pair[1].buffer is None)
    name = f"{function.sym_name.data}_kernel" + (f"_{number}" if number else "")
    text = kernel_text(name, [t for t, _ in used], body)
    return Kernel(name, text, tuple(p for _, p in used), dict(writer.thread_extents))


def _check_threads(nest: ForOp) -> None:
    """Raise TW0621 for a store that several threads would do, and for shared memory that each thread would have.

    Raises TW0623 where a block's threads are several loops: nobody has looked where they wait for one another.
    """
    tags: set[str] = set()
    for op in nest.walk():
        if isinstance(op, ForOp) and (tag := op.kind.tag.data):
            if tag in tags:
                message = f"expected one loop over {tag} in a kernel, but got several, and no barriers between them"
                fail("TW0623", message, op=op, help="run the pass insert-barriers")
            tags.add(tag)
    for op in nest.walk():
        around = {parent.kind.tag.data for parent in enclosing(op, ForOp) if isinstance(parent, ForOp)}
        if (
            isinstance(op, AllocOp)
            and scope_of(op.res.type) == SHARED
            and any(t.startswith("threadIdx") for t in around)
        ):
            fail("TW0621", "expected a shared buffer outside of the loops over threads that share it", op=op)
        if isinstance(op, AssertOp):
            fail("TW0621", "expected a kernel without assertions: the host is not told of one that fails", op=op)
        if not isinstance(op, StoreOp) or scope_of(op.buffer.type) in (LOCAL, REGISTER):
            continue
        if missing := sorted(tags - around, key=THREAD_TAGS.index):
            fail("TW0621", f"expected a store of a kernel inside its loop over {missing[0]}, but it is outside", op=op)


def launch_sizes(extents: dict[str, Index], sizes: dict[str, int]) -> tuple[list[int], list[int]]:
    """The numbers of items in all, and in a group, along x, y and z."""
    values = {Symbol(name): value for name, value in sizes.items()}

    def count(space: str, axis: str) -> int:
        extent = extents.get(f"{space}.{axis}")
        return 1 if extent is None else int(extent.evaluate(values))

    groups = [count("threadIdx", axis) for axis in "xyz"]
    return [count("blockIdx", axis) * n for axis, n in zip("xyz", groups, strict=True)], groups
