"""Kernels of matrix products: tensor intrinsics that compute a tile of results out of packed operands.

A kernel adds the products of a number of terms to tiles of `rows` x `columns` results, which follow one another in
memory. Its operands are packed so that the kernel reads each contiguously, in steps of four bytes:

    left   [tile][chunk of terms][row][term within the chunk]    a chunk of a row is 64 bytes
    right  [group of terms][column][term within the group]       a group of a column is 4 bytes

A kernel is a tensor intrinsic, declared as any other. The rule in `rules/packed_product.py` selects, among the
registered kernels that the target can execute, the kernel with the fewest cycles, including padding. Targets without
such a kernel use the other rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..dialects.dtypes import numpy_dtype
from ..dialects.target import CpuTargetAttr
from ..lazy import load
from ..te.dtypes import dtype_info
from .tensor_intrinsics import TensorIntrin

if TYPE_CHECKING:
    import numpy as np

CHUNK_BYTES, GROUP_BYTES = 64, 4


@dataclass(frozen=True)
class ProductKernel:
    """A family of tensor intrinsics, one for each number of terms and of rows of results."""

    name: str
    features: tuple[str, ...]
    """LLVM's names of the instruction sets that it takes."""
    operands: tuple[tuple[str, str], ...]
    """The pairs of element types whose products it sums; narrower ones are widened where they are packed."""
    left: str
    right: str
    """The element types of the packed operands."""
    result: str
    rows: int
    columns: int
    speed: float
    """Multiply-adds a cycle of one core, as its instructions allow; kernels are compared by this."""
    declare: Callable[[ProductKernel, int, int], TensorIntrin]
    """The intrinsic for a number of rows, of tiles that share the right operand, and one of terms, of whole chunks."""
    interleave: Callable[[ProductKernel, str], TensorIntrin] | None = None
    """An intrinsic that packs a group of the right operand, whose rows are of the given element type."""
    left_offset: int = 0
    """The amount by which the elements of the packed left operand are too large, which the kernel subtracts: half of an
    unsigned type's range where operands are signed, otherwise 0."""
    partial_rows: bool = False
    """True where the last tile may have fewer rows; the packed left operand has all rows, with any values in the
    others."""

    @property
    def chunk(self) -> int:
        """Terms in a chunk of the left operand; the number of terms is a multiple of this."""
        return CHUNK_BYTES * 8 // dtype_info(self.left).bits

    @property
    def row_unit(self) -> int:
        """The number of rows is a multiple of this."""
        return 1 if self.partial_rows else self.rows

    @property
    def group(self) -> int:
        """Terms in a group of the right operand."""
        return GROUP_BYTES * 8 // dtype_info(self.right).bits

    def pack_right(self, matrix: np.ndarray) -> np.ndarray:
        """Return a matrix, of terms by columns, as the kernel reads it, with zeros around; for weights that do not
        change."""
        import numpy as np

        terms, columns = (
            -(-n // unit) * unit for n, unit in zip(matrix.shape, (self.chunk, self.columns), strict=True)
        )
        padded = np.zeros((terms, columns), numpy_dtype(self.right))
        padded[: matrix.shape[0], : matrix.shape[1]] = matrix
        tiles = padded.reshape(terms // self.group, self.group, columns // self.columns, self.columns)
        return np.ascontiguousarray(tiles.transpose(2, 0, 3, 1))

    def runs_on(self, target: CpuTargetAttr) -> bool:
        return target.kind == "cpu" and all(map(target.has, self.features))


_builtin: list[tuple[str, str]] = []
_registered: dict[str, ProductKernel] = {}


def register_builtin_kernels(spec: str, package: str) -> None:
    """Make the kernels of a backend known by a string: "module:SEQUENCE", the module relative to `package`."""
    _builtin.append((package, spec))


def register_product_kernel(kernel: ProductKernel) -> None:
    """Make a kernel known to the rule; a later one of the same name replaces an earlier one."""
    _registered[kernel.name] = kernel


def unregister_product_kernel(name: str) -> None:
    """Forget a kernel that was registered; those of the compiler stay."""
    _registered.pop(name, None)


def has_registered_kernels() -> bool:
    """Return whether users have registered kernels."""
    return bool(_registered)


def product_kernels() -> Sequence[ProductKernel]:
    """Return the compiler's kernels, and those that were registered."""
    builtin = (kernel for package, spec in _builtin for kernel in load(spec, package))
    return (*builtin, *_registered.values())


def fitting_kernels(operands: tuple[str, str], result: str, target: CpuTargetAttr) -> Sequence[ProductKernel]:
    """Return the kernels that a target runs for these types, from the one with the most multiply-adds a cycle on."""
    fitting = [
        kernel
        for kernel in product_kernels()
        if operands in kernel.operands and kernel.result == result and kernel.runs_on(target)
    ]
    return sorted(fitting, key=lambda kernel: kernel.speed, reverse=True)
