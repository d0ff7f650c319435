"""The split of a function into GPU kernels and host code, shared by the OpenCL and the CUDA backend.

A nest of loops whose outermost loop is bound to threads becomes a kernel: its loops over blocks and threads become the
indices of the running thread, and sizes become parameters. All other operations of the function must be free of
effects, since the host only launches kernels. A `Language` writes the text of a kernel.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn, Protocol

from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue

from ..analysis.entries import entry_functions
from ..diagnostics import fail
from ..dialects.index_expr import Index, Symbol
from ..dialects.loop import (
    AllocOp,
    AssertOp,
    ForOp,
    StoreOp,
    ViewOp,
    byte_size,
    enclosing,
    is_of_threads,
    is_private,
)
from ..hardware import BLOCK_INDEX, GRID_AXES, THREAD_INDEX, THREAD_TAGS
from ..runtime.arguments import Argument
from ..runtime.buffers import Array

THREAD = "thread"
"""The kind of loops that are bound to blocks or threads."""
_FREE_OF_EFFECTS = ("loop.alloc", "loop.apply", "loop.bind", "loop.constant", "loop.dim", "loop.view", "func.return")


@dataclass(frozen=True)
class Parameter:
    """A parameter of a kernel: a buffer of the function, a size by its name, or the record of failed checks."""

    name: str
    buffer: SSAValue | None = None
    owner: str = ""
    """As `dialects.loop.storage.owner_of` says."""
    is_record: bool = False

    @property
    def is_size(self) -> bool:
        return self.buffer is None and not self.is_record


@dataclass(frozen=True)
class Kernel:
    """One kernel and how it is launched."""

    name: str
    text: str
    parameters: tuple[Parameter, ...]
    extents: dict[str, Index]
    """Thread tag -> number of threads, over the function's sizes."""
    nest: ForOp
    """The loops that the kernel was written from."""


@dataclass(frozen=True)
class HostFunction:
    """A function that launches kernels, in order."""

    function: func.FuncOp
    kernels: tuple[Kernel, ...]
    sizes: dict[str, tuple[int, int]]
    """Name of a size -> (argument, dimension) that has it. Strides have the dimension -1."""
    temporaries: dict[SSAValue, tuple[Attribute, tuple[Index, ...]]]
    """Buffers between kernels: element type and extents."""


class Language(Protocol):
    """The operations that a backend implements for the language of its kernels."""

    not_kernels: str
    """The error of a function that is not made of kernels."""

    def verify(self, function: func.FuncOp) -> None:
        """Raise for the first operation of a function that cannot be written."""
        ...

    def sizes(self, function: func.FuncOp) -> dict[str, tuple[int, int]]:
        """Return the parameters that are no buffers, as in `HostFunction`."""
        ...

    def temporaries(self, function: func.FuncOp) -> dict[SSAValue, tuple[Attribute, tuple[Index, ...]]]:
        """Return the buffers that a function allocates outside of its nests, as in `HostFunction`."""
        ...

    def kernel(self, function: func.FuncOp, nest: ForOp, number: int) -> Kernel:
        """Return the kernel of a nest, the function's `number`th."""
        ...


def host_functions(module: ModuleOp, language: Language) -> list[HostFunction]:
    """Return the functions of a module that callers enter. Raises TW0601 for operations that cannot be written, and the
    language's `not_kernels` error for functions that do not consist of kernels."""
    entries = entry_functions(module)
    if not entries:
        fail("TW0601", "expected a function @main with a body, but there is none", op=module)
    return [_host_function(entry, language) for entry in entries]


def _host_function(function: func.FuncOp, language: Language) -> HostFunction:
    language.verify(function)
    nests = nests_of(function)
    if not nests and not _may_do_nothing(function):
        fail(
            language.not_kernels,
            f"expected loops that are bound to threads in @{function.sym_name.data}, but there are none",
            op=function,
            help='bind them: s[B].bind(bx, te.thread_axis("blockIdx.x"))',
        )
    for op in function.body.block.ops:
        if not is_nest(op) and not is_free_of_effects(op):
            message = f"expected loops bound to threads at the outside of a kernel, but got {op.name}"
            fail(language.not_kernels, message, op=op)
    kernels = tuple(language.kernel(function, nest, number) for number, nest in enumerate(nests))
    return HostFunction(function, kernels, language.sizes(function), language.temporaries(function))


def _may_do_nothing(function: func.FuncOp) -> bool:
    """Return whether a caller may pass a buffer without elements, so that nothing is left to compute."""
    types = [argument.type for argument in function.body.block.args]
    return any(isinstance(type_, MemRefType) and byte_size(type_) == 0 for type_ in types)


def is_nest(op: Operation) -> bool:
    """Return whether an operation is a loop over blocks or threads."""
    return isinstance(op, ForOp) and op.kind.kind.data == THREAD


def nests_of(function: func.FuncOp) -> list[ForOp]:
    """Return the nests at the top level of a function's body, in order."""
    return [op for op in function.body.block.ops if isinstance(op, ForOp) and is_nest(op)]


def is_free_of_effects(op: Operation) -> bool:
    """Return whether the host may move an operation between two nests to the users of its result."""
    return op.name in _FREE_OF_EFFECTS or op.name.startswith(("arith.", "math.", "vector."))


def root_of(buffer: SSAValue) -> SSAValue:
    """Return the argument or allocation whose memory a buffer is."""
    while isinstance(view := buffer.owner, ViewOp):
        buffer = view.buffer
    return buffer


def check_threads(nest: ForOp, not_kernels: str, *, reports: bool = False) -> None:
    """Raise for a store that several threads would execute, for shared memory inside the loops over threads, and for
    assertions, unless the kernel `reports` failures.

    Raises TW0623 where several loops are bound to the same threads, because no barriers have been inserted between
    them.
    """
    tags: set[str] = set()
    for op in nest.walk():
        if isinstance(op, ForOp) and (tag := op.kind.tag.data):
            if tag in tags:
                _fail_several(op, tag)
            tags.add(tag)
    for op in nest.walk():
        _check_position(op, tags, not_kernels, reports)


def _fail_several(op: ForOp, tag: str) -> NoReturn:
    message = f"expected one loop over {tag} in a kernel, but got several"
    if tag.startswith(BLOCK_INDEX):
        remedy = "compute one of the two statements in a separate nest of loops, which becomes another kernel"
        fail("TW0623", f"{message}, and blocks do not wait for one another", op=op, help=remedy)
    fail("TW0623", f"{message}, and no barriers between them", op=op, help="run the pass insert-barriers")


def _check_position(op: Operation, tags: Collection[str], not_kernels: str, reports: bool) -> None:
    around = {parent.kind.tag.data for parent in enclosing(op, ForOp) if isinstance(parent, ForOp)}
    in_threads = any(tag.startswith(THREAD_INDEX) for tag in around)
    if isinstance(op, AllocOp) and is_of_threads(op.res.type) and in_threads:
        fail(not_kernels, "expected a shared buffer outside of the loops over threads that share it", op=op)
    if isinstance(op, AssertOp) and not reports:
        fail(not_kernels, "expected a kernel without assertions: the kernel cannot report a failure to the host", op=op)
    if not isinstance(op, StoreOp) or is_private(op.buffer.type):
        return
    if missing := sorted(set(tags) - around, key=THREAD_TAGS.index):
        fail(
            not_kernels,
            f"expected a store of a kernel inside its loop over {missing[0]}, but it is outside",
            op=op,
            help="compute the statement at the innermost loop over blocks or further in, or in a separate nest of "
            "loops",
        )


def note_extent(known: dict[str, Index], op: ForOp, bounds: Iterable[Sequence[Index]], not_kernels: str) -> None:
    """Enter the extent of a loop over blocks or threads, whose bounds are resolved, into the extents of its kernel."""
    tag = op.kind.tag.data
    lowers, uppers = bounds
    if op.iter_args:
        fail(not_kernels, "expected a loop over threads to carry no values from one iteration to the next", op=op)
    if len(lowers) != 1 or len(uppers) != 1 or not lowers[0].is_constant or lowers[0].constant:
        fail(not_kernels, f"expected the loop over {tag} to run from 0 to one extent", op=op)
    extent = uppers[0]
    if extent.values():
        fail(not_kernels, f"expected the extent of the loop over {tag} to depend on the function's sizes only", op=op)
    first = known.setdefault(tag, extent)
    if first != extent:
        fail(not_kernels, f"expected all loops over {tag} of a kernel to have extent {first}, but got {extent}", op=op)


def launch_shape(extents: Mapping[str, Index], sizes: Mapping[str, int]) -> tuple[list[int], list[int]]:
    """Return the numbers of blocks, and of threads in each, along x, y and z."""
    values = {Symbol(name): value for name, value in sizes.items()}

    def count(space: str, axis: str) -> int:
        extent = extents.get(f"{space}.{axis}")
        return 1 if extent is None else int(extent.evaluate(values))

    return [count(BLOCK_INDEX, axis) for axis in GRID_AXES], [count(THREAD_INDEX, axis) for axis in GRID_AXES]


def sizes_of_call(host: HostFunction, arguments: Sequence[Argument], arrays: Sequence[Array]) -> dict[str, int]:
    """Return the values of a function's sizes, strides among them, for the arrays of a call."""
    first = len(host.function.body.block.args) - len(arrays)
    strides = iter(
        array.strides[d] // array.itemsize
        for argument, array in zip(arguments, arrays, strict=True)
        for d, stride in enumerate(argument.strides or ())
        if stride is None
    )
    return {
        name: next(strides) if dimension < 0 else arrays[argument - first].shape[dimension]
        for name, (argument, dimension) in host.sizes.items()
    }
