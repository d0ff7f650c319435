"""Conversion of a module's functions to plain data for the runtime: launches, buffers, sizes, without IR."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from xdsl.ir import Attribute, BlockArgument, SSAValue

from ...diagnostics.locations import location_of
from ...dialects.constant_data import constant_array
from ...dialects.dtypes import numpy_dtype
from ...dialects.index_expr import FloorDiv, Index, Mod, Symbol
from ...dialects.loop import ConstantOp, ViewOp
from ...dialects.target import CudaTargetAttr
from ...hardware import BLOCK_INDEX, GRID_AXES, THREAD_INDEX
from ...runtime.buffers import Array
from ...runtime.extent import Combination, Dimension, Division, Extent
from ...runtime.kernels.layout import flat, storage_dtype
from ...runtime.kernels.program import Buffer, Entry, Launch, LaunchProgram, Shape
from ..checks import check_messages
from ..kernels import HostFunction, Kernel
from ..signature import signature_of
from .emit.kernel import CudaLanguage
from .emit.sizes import CombinedSize


def program_of(
    hosts: Sequence[HostFunction],
    language: CudaLanguage,
    names: Mapping[str, str],
    source: str,
    path: Path,
    target: CudaTargetAttr,
) -> LaunchProgram:
    """Return the functions of a module as a program. `names` are the functions in the source that kernels are."""
    constants: dict[ConstantOp, int] = {}
    entries = tuple(_Function(host, language, names, constants).entry() for host in hosts)
    arrays = tuple(_constant(op) for op in constants)
    return LaunchProgram(
        entries, source, path, target.arch, target.max_threads, arrays, check_messages(language.checks)
    )


RECORD = Buffer("record", np.dtype(np.int64))


class _Function:
    """The conversion of one function."""

    def __init__(
        self,
        host: HostFunction,
        language: CudaLanguage,
        names: Mapping[str, str],
        constants: dict[ConstantOp, int],
    ) -> None:
        self._host = host
        self._language = language
        self._names = names
        self._constants = constants
        self._signature = signature_of(host.function)
        self._first = len(host.function.body.block.args) - len(self._signature.arguments)
        self._buffers: list[Buffer] = []
        self._numbers: dict[SSAValue | None, int] = {}
        """Buffers -> their numbers; None is the record of checks."""

    def entry(self) -> Entry:
        launches = tuple(self._launch(kernel) for kernel in self._host.kernels)
        sizes = tuple((name, max(argument - self._first, 0), d) for name, (argument, d) in self._host.sizes.items())
        name = self._host.function.sym_name.data
        return Entry(name, self._signature, sizes, tuple(self._buffers), launches, self._alignments())

    def _launch(self, kernel: Kernel) -> Launch:
        parameters = tuple(p.name if p.is_size else self._number(p.buffer) for p in kernel.parameters)
        blocks, threads = (_shape(kernel.extents, space) for space in (BLOCK_INDEX, THREAD_INDEX))
        shared, location = self._language.shared_bytes[kernel.nest], location_of(kernel.nest)
        return Launch(self._names[kernel.name], kernel.name, parameters, blocks, threads, shared, location)

    def _number(self, value: SSAValue | None) -> int:
        """Return the number of a buffer; the buffers that it is taken from have lower ones."""
        if value not in self._numbers:
            buffer = RECORD if value is None else self._buffer(value)
            self._numbers[value] = len(self._buffers)
            self._buffers.append(buffer)
        return self._numbers[value]

    def _buffer(self, value: SSAValue) -> Buffer:
        type_: Any = value.type
        dtype = _dtype(type_.element_type)
        if isinstance(value, BlockArgument):
            return Buffer("argument", dtype, value.index - self._first)
        owner = value.owner
        if isinstance(owner, ConstantOp):
            number = self._constants.setdefault(owner, len(self._constants))
            return Buffer("constant", dtype, number, tuple(type_.get_shape()))
        if isinstance(owner, ViewOp):
            base = self._number(owner.buffer)
            return Buffer("view", dtype, base, tuple(type_.get_shape()), owner.byte_offset.constant)
        _, extents = self._host.temporaries[value]
        return Buffer("temporary", dtype, extents=tuple(map(dimension_of, extents)))

    def _alignments(self) -> tuple[int, ...]:
        """Return the alignment in bytes of each argument's data, which the widest access of a kernel determines."""
        found = [1] * len(self._signature.arguments)
        for kernel in self._host.kernels:
            for value, size in self._language.alignments[kernel.nest].items():
                while isinstance(value.owner, ViewOp):
                    value = value.owner.buffer
                if isinstance(value, BlockArgument) and value.block is self._host.function.body.block:
                    number = value.index - self._first
                    found[number] = max(found[number], size)
        return tuple(found)


def _dtype(element: Attribute) -> np.dtype[Any]:
    return storage_dtype(numpy_dtype(element))


def _constant(op: ConstantOp) -> Array:
    return flat(np.ascontiguousarray(constant_array(op.value)))


def _shape(extents: Mapping[str, Index], space: str) -> Shape:
    x, y, z = (dimension_of(extents.get(f"{space}.{axis}", Index.of(1))) for axis in GRID_AXES)
    return x, y, z


def dimension_of(index: Index) -> Dimension:
    """Return an index expression over named sizes as a dimension of the runtime."""
    if index.is_constant:
        return index.constant
    terms: list[tuple[str | Division | Combination, int]] = []
    for atom, coefficient in index.terms:
        if isinstance(atom, (FloorDiv, Mod)):
            kind = "floordiv" if isinstance(atom, FloorDiv) else "mod"
            terms.append((Division(kind, _extent(atom.numerator), atom.divisor), coefficient))
        elif isinstance(atom, CombinedSize):
            terms.append((Combination(atom.kind, _extent(atom.lhs), _extent(atom.rhs)), coefficient))
        else:
            assert isinstance(atom, Symbol)
            terms.append((atom.name, coefficient))
    return Extent(index.constant, tuple(terms))


def _extent(index: Index) -> Extent:
    dimension = dimension_of(index)
    return Extent(dimension) if isinstance(dimension, int) else dimension
