"""Removal of layouts from allocations, which affect the positions of elements and not their values."""

from __future__ import annotations

from xdsl.dialects import affine, memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, ModuleOp, NoneAttr
from xdsl.ir import SSAValue

from ...analysis.integer_set import System
from ...analysis.integer_set.calculus import Calculus, Undecided
from ...dialects.index_expr import Index, Symbol
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from .extents import shape_of
from .indices import evaluate

_BY_ELEMENT = (
    *(memref.LoadOp, memref.StoreOp, memref.DimOp, memref.DeallocOp, memref.CopyOp),
    *(affine.LoadOp, affine.StoreOp),
)
"""Operations that name elements of a buffer by their indices."""


def forget_layouts(module: ModuleOp) -> None:
    """Let allocations be in row-major order, where all that use them name elements by their indices.

    ```mlir
    %t = memref.alloc() : memref<6x9xf32, affine_map<(d0, d1) -> (d1, d0)>>
    affine.store %x, %t[%i, %j] : memref<6x9xf32, affine_map<(d0, d1) -> (d1, d0)>>
    ```
    becomes
    ```mlir
    %t = memref.alloc() : memref<6x9xf32>
    affine.store %x, %t[%i, %j] : memref<6x9xf32>
    ```
    A layout that puts two elements at one address stays.
    """
    for op in operations(module):
        if isinstance(op, (memref.AllocOp, memref.AllocaOp)) and _is_forgettable(op.memref):
            type_ = op.memref.type
            assert isinstance(type_, MemRefType)
            if not may_rewrite("layout", op, is_needed=True):
                continue
            edit.retype(op.memref, MemRefType(type_.element_type, type_.get_shape(), NoneAttr(), type_.memory_space))


def _is_forgettable(buffer: SSAValue) -> bool:
    assert isinstance(buffer.type, MemRefType)
    if isinstance(buffer.type.layout, NoneAttr):
        return False
    return all(isinstance(use.operation, _BY_ELEMENT) for use in buffer.uses) and _is_injective(buffer)


def _is_injective(buffer: SSAValue) -> bool:
    """Return whether no two elements of a buffer have one address, for any symbolic extents."""
    assert isinstance(buffer.type, MemRefType) and not isinstance(buffer.type.layout, NoneAttr)
    map_ = buffer.type.layout.get_affine_map()
    if map_.num_symbols:
        return False
    variables = [Symbol(f"element {k}") for k in range(map_.num_dims)]
    open_ = {k: Symbol(f"extent {k}") for k, n in enumerate(shape_of(buffer)) if n == DYNAMIC_INDEX}
    extents = [Index.of(open_.get(k, n)) for k, n in enumerate(shape_of(buffer))]
    dims = [Index.of(v) for v in variables]
    op = buffer.owner
    assert isinstance(op, (memref.AllocOp, memref.AllocaOp))
    addresses = [evaluate(op, result, dims) for result in map_.results]
    box = System.box({v: (0, extent) for v, extent in zip(variables, extents, strict=True)})
    try:
        return Calculus(tuple(open_.values())).function(variables, addresses, [box]).is_injective()
    except Undecided:
        return False
