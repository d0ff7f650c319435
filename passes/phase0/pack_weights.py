"""pack-weights: products of few rows read constant weights in the order in which they are summed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, f32, f64
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ...diagnostics.remarks import remark
from ...dialects import graph
from ...dialects.constant_data import has_data
from ...dialects.dtypes import numpy_dtype
from ...dialects.target import CpuTargetAttr, target_of
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...operators.linear import packed_columns
from ...operators.recurrent import in_blocks
from ...schedule.decisions import decide
from ...schedule.rules.packed_rows import MOST_VECTORS
from ...traversal import operations
from ..axes.split_dimensions import SHORTEST_ROW
from ..base import Level, Pass
from ..channel_scaling import derived
from ..operator_key import operator_key
from ..tuned import decides_by_records
from .block_channels import NARROWEST

MOST_ROWS = 160
"""The most rows of results. With more, panels that are packed for each call cost little beside the product, whose
operands come from nearer caches then."""

LEAST_ROWS = 2
"""The fewest: a single one is a sum of rows of weights as they are."""


@dataclass(frozen=True)
class PackWeightsPass(Pass):
    """Put the columns of weights that few rows are multiplied by into blocks of a vector or two, while compiling.

    ```mlir
    %y = graph.matmul %a, %w : tensor<32x768xf32>
    ```
    becomes, where vectors have sixteen elements and `%w` is a constant,
    ```mlir
    %y = graph.packed_matmul %a, %packed : tensor<32x768xf32>
    ```
    with weights of 48 x 768 x 16. For few rows, weights that lie row by row are read from more pages than the processor
    knows the addresses of, and a call's own copy of them takes as long as the product. How many rows there are may be
    known only when the program is called. Only float32 and float64, whose products are summed in vectors of results.
    `graph.dense` becomes the same, and an addition of its bias. Recurrent weights of a layer, which each step is
    multiplied by, are put into blocks of a vector or half of one in the same way. Needs constants to be folded, and a
    module with `tw.target`.
    """

    name = "pack-weights"
    phase = 0
    levels = (Level.GRAPH,)
    opt_level = 2
    asks_target = True

    @decides_by_records
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = target_of(op)
        if target is None or target.core is None:
            return
        packed: dict[_Packing, SSAValue] = {}
        for product in [n for n in operations(op) if isinstance(n, (graph.MatmulOp, graph.DenseOp))]:
            _rewrite(product, target.core, packed)
        for layer in [n for n in operations(op) if isinstance(n, (graph.RnnOp, graph.GruOp, graph.LstmOp))]:
            _pack_recurrent(layer, target.core)


_Packing: TypeAlias = tuple[graph.ConstantOp, bool, int]
"""A constant, whether its transpose is packed, and the columns in a block."""


def _rewrite(op: graph.MatmulOp | graph.DenseOp, target: CpuTargetAttr, packed: dict[_Packing, SSAValue]) -> None:
    weight = op.weight if isinstance(op, graph.DenseOp) else op.b
    source = weight.owner
    if not isinstance(source, graph.ConstantOp) or not has_data(source.value) or len(graph.shape_of(weight)) != 2:
        return
    if graph.element_of(weight) not in (f32, f64):
        return
    size = _decided_size(op, target)
    if isinstance(size, str):
        remark("TW0767", f"the weights of {op.name} are not packed: {size}", op=op)
        return
    if not may_rewrite("pack weights of", op):
        return
    rows = _product(graph.shape_of(op.y)[:-1])
    remark(
        "TW0766",
        f"{op.name} of {'any number of' if rows is None else rows} rows reads weights in blocks of {size} columns",
        op=op,
        kind="passed",
    )
    is_transposed = isinstance(op, graph.DenseOp) or op.transpose_b is not None
    key = (source, is_transposed, size)
    if key not in packed:
        packed[key] = _packed(source, is_transposed, size)
    new = graph.PackedMatmulOp.of(op.operands[0], packed[key])
    new.location = op.location
    if isinstance(op, graph.DenseOp) and op.bias is not None:
        edit.insert(new, InsertPoint.before(op))
        new = graph.AddOp.of(new.y, op.bias)
        new.location = op.location
    edit.replace(op, new)
    if not source.y.uses:
        for known in [each for each in packed if each[0] is source]:
            del packed[known]
        edit.erase(source)  # its data goes before the next weights are packed


def _pack_recurrent(op: graph.RnnOp | graph.GruOp | graph.LstmOp, target: CpuTargetAttr) -> None:
    """Put the rows of recurrent weights, the columns that a state is multiplied by, into blocks."""
    source, element = op.recurrent.owner, graph.element_of(op.recurrent)
    if not isinstance(source, graph.ConstantOp) or not has_data(source.value) or element not in (f32, f64):
        return
    shape = graph.static_shape(op.recurrent)
    if shape is None or len(shape) != 2:
        return
    sizes = _recurrent_sizes(shape[1], target.lanes(numpy_dtype(element).itemsize * 8))
    size = decide("pack_weights", (0, *sizes), next(iter(sizes), 0), block=operator_key(op), changes_sums=True)
    if size == 0:
        reason = "that is decided otherwise" if sizes else f"its {shape[1]} units fill no vector"
        remark("TW0767", f"the weights of {op.name} are not packed: {reason}", op=op)
        return
    if not may_rewrite("pack weights of", op):
        return
    remark("TW0766", f"{op.name} reads recurrent weights in blocks of {size} units", op=op, kind="passed")
    constant = derived(in_blocks(source.array, size), source)
    edit.insert(constant, InsertPoint.after(source))
    edit.change(op).operands[1] = constant.y
    if not source.y.uses:
        edit.erase(source)


def _recurrent_sizes(units: int, lanes: int) -> list[int]:
    """A vector and half of one, as far as the units of a gate fill one of them."""
    return [n for n in (lanes, lanes // 2) if NARROWEST <= n <= units]


def _decided_size(op: graph.MatmulOp | graph.DenseOp, target: CpuTargetAttr) -> int | str:
    """Return the columns of a block, or why there are none; 0 as a decision stands for none."""
    size = _block_size(op, target)
    if isinstance(size, str):
        return size
    count = _product(graph.shape_of(op.y)[:-1])
    pays = count is None or LEAST_ROWS <= count <= MOST_ROWS
    if decide("pack_weights", (0, size), size if pays else 0, block=operator_key(op), changes_sums=True):
        return size
    return f"it has {count} rows, not {LEAST_ROWS} to {MOST_ROWS}" if not pays else "that is decided otherwise"


def _block_size(op: graph.MatmulOp | graph.DenseOp, target: CpuTargetAttr) -> int | str:
    """Return the columns of a block, or why there can be none."""
    if op.out_dtype is not None or (isinstance(op, graph.MatmulOp) and op.transpose_a is not None):
        return "its rows do not lie one after the other in its operand's type"
    *_, columns = graph.shape_of(op.y)
    assert isinstance(columns, int), "those of a constant"
    lanes = target.lanes(numpy_dtype(graph.element_of(op.y)).itemsize * 8)
    size = max(lanes, SHORTEST_ROW)
    if size > MOST_VECTORS * lanes:
        return f"vectors of {lanes} elements are too short"
    return f"its {columns} columns are no blocks of {size}" if columns % size else size


def _product(sizes: Sequence[graph.Dim]) -> int | None:
    """None where one of them is symbolic."""
    known = [n for n in sizes if isinstance(n, int)]
    return prod(known) if len(known) == len(sizes) else None


def _packed(source: graph.ConstantOp, is_transposed: bool, size: int) -> SSAValue:
    """The weights in blocks of `size` columns, as a constant behind theirs."""
    constant = derived(packed_columns(source.array.T if is_transposed else source.array, size), source)
    edit.insert(constant, InsertPoint.after(source))
    return constant.y
