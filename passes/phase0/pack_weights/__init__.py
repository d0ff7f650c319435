"""Pass `pack-weights`: constant weights are laid out in the order in which products of few rows sum them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, f32, f64, i32
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ....diagnostics.remarks import remark
from ....dialects import graph
from ....dialects.constant_data import has_data
from ....dialects.dtypes import dtype_name, numpy_dtype
from ....dialects.target import CpuTargetAttr, target_of
from ....ir import editor as edit
from ....ir.rewrites import may_rewrite
from ....operators.linear import packed_columns
from ....operators.record import WIDE
from ....operators.recurrent import in_blocks
from ....schedule.decisions import decide
from ....schedule.rules.packed_rows import MOST_VECTORS
from ....traversal import operations
from ...framework.base import Level, Pass
from ...framework.tuning_records import decides_by_records
from ...shared.axes.split_dimensions import SHORTEST_ROW
from ...shared.channel_scaling import derived
from ...shared.operator_key import operator_key
from ..block_channels import NARROWEST
from .products_of_bytes import Constant, Weights, constant_of, pack, product_of_bytes, rows_of

MOST_ROWS = 160
"""The most rows of results. With more, panels that are packed for each call cost little beside the product, whose
operands come from nearer caches then."""

_WORD_BITS = 32

LEAST_ROWS = 2
"""The fewest: a single one is a sum of rows of weights as they are."""


@dataclass(frozen=True)
class PackWeightsPass(Pass):
    """Pack constant weights of products of few rows into blocks of columns, a vector or two wide, at compile time.

    ```mlir
    %y = graph.matmul %a, %w : tensor<32x768xf32>
    ```
    becomes, where vectors have sixteen elements and `%w` is a constant,
    ```mlir
    %y = graph.packed_matmul %a, %packed : tensor<32x768xf32>
    ```
    with weights of 48 x 768 x 16. With few rows, weights in row-major order are read from more pages than the TLB
    holds, and packing them in each call takes as long as the product. The number of rows may be symbolic. `graph.dense`
    becomes the same, followed by an addition of its bias. The recurrent weights of a layer, by which each step is
    multiplied, are packed in the same way into blocks of a vector or half a vector.

    Among floats, float32 and float64 are packed, because their products are summed in vectors of results, and narrow
    floats with sums in float32, whose weights stay narrow. Bytes, including bytes that are widened to i32 minus a zero
    point, are packed as words of four terms for any number of rows, if the target has instructions for such words:
    ```mlir
    %v = graph.words %a : tensor<32x192xi32>
    %y = graph.packed_matmul %v, %packed words "u8s8" : tensor<32x768xi32>
    ```
    Zero points are terms of sums that are added (`passes/phase0/pack_weights/products_of_bytes.py`).

    Needs constants to be folded, and a module with `tw.target`.
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
        packed: _Packed = {}
        for product in [n for n in operations(op) if isinstance(n, (graph.MatmulOp, graph.DenseOp))]:
            _rewrite(product, target.core, packed)
        for layer in [n for n in operations(op) if isinstance(n, (graph.RnnOp, graph.GruOp, graph.LstmOp))]:
            _pack_recurrent(layer, target.core)


_Packing: TypeAlias = tuple[Constant, bool, int, bool | None]
"""Weights, whether their transpose is packed, the columns in a block, and of bytes the sign of those of rows."""
_Packed: TypeAlias = dict[_Packing, "SSAValue | Weights"]


def _rewrite(op: graph.MatmulOp | graph.DenseOp, target: CpuTargetAttr, packed: _Packed) -> None:
    weight = op.weight if isinstance(op, graph.DenseOp) else op.b
    is_of_bytes = graph.element_of(op.y) == i32
    constant = constant_of(weight) if is_of_bytes else _constant_of_floats(op, weight)
    if constant is None:
        return
    size = _size_for_words(op, target) if is_of_bytes else _decided_size(op, target)
    if isinstance(size, str):
        remark("TW0767", f"the weights of {op.name} are not packed: {size}", op=op)
        return
    if not may_rewrite("pack weights of", op):
        return
    product = (_of_bytes if is_of_bytes else _of_floats)(op, constant, size, target, packed)
    if isinstance(product, str):
        remark("TW0767", f"the weights of {op.name} are not packed: {product}", op=op)
        return
    rows = _product(graph.shape_of(op.y)[:-1])
    remark(
        "TW0766",
        f"{op.name} of {'any number of' if rows is None else rows} rows reads weights in blocks of {size} columns",
        op=op,
        kind="passed",
    )
    if isinstance(op, graph.DenseOp) and op.bias is not None:
        product.append(graph.AddOp.of(product[-1].results[0], op.bias))
    edit.replace(op, product)
    _erase_unused(weight)
    if constant.source.parent is None:
        for known in [each for each in packed if each[0].source is constant.source]:
            del packed[known]


def _constant_of_floats(op: graph.MatmulOp | graph.DenseOp, weight: SSAValue) -> Constant | None:
    source = weight.owner
    if not isinstance(source, graph.ConstantOp) or not has_data(source.value) or len(graph.shape_of(weight)) != 2:
        return None
    is_packed = graph.element_of(weight) in (f32, f64) or _widens_in_registers(op, weight)
    return Constant(source) if is_packed else None


def _erase_unused(value: SSAValue) -> None:
    """Erase a constant without uses and its operators: its data is freed before the next weights are packed."""
    op = value.owner
    if isinstance(op, graph.GraphOp) and not any(result.uses for result in op.results):
        operands = list(op.operands)
        edit.erase(op)
        for operand in operands:
            _erase_unused(operand)


def _of_floats(
    op: graph.MatmulOp | graph.DenseOp, constant: Constant, size: int, target: CpuTargetAttr, packed: _Packed
) -> list[graph.GraphOp]:
    """Return the product by weights that are packed, or were before."""
    key = (constant, _is_transposed(op), size, None)
    if key not in packed:
        packed[key] = _packed(constant.source, _is_transposed(op), size)
    weights = packed[key]
    assert isinstance(weights, SSAValue)
    out_dtype = None if op.out_dtype is None else dtype_name(op.out_dtype)
    return [graph.PackedMatmulOp.of(op.operands[0], weights, out_dtype=out_dtype)]


def _of_bytes(
    op: graph.MatmulOp | graph.DenseOp, constant: Constant, size: int, target: CpuTargetAttr, packed: _Packed
) -> list[graph.GraphOp] | str:
    """Return the product by words of bytes, or the reason against it."""
    rows = rows_of(op.operands[0])
    assert rows is not None
    key = (constant, _is_transposed(op), size, rows.is_signed)
    if key not in packed:
        found = pack(constant, _is_transposed(op), size, rows, target)
        if isinstance(found, str):
            return found
        packed[key] = found
    weights = packed[key]
    assert isinstance(weights, Weights)
    return product_of_bytes(rows, weights, constant.source)


def _is_transposed(op: graph.MatmulOp | graph.DenseOp) -> bool:
    return isinstance(op, graph.DenseOp) or op.transpose_b is not None


def _size_for_words(op: graph.MatmulOp | graph.DenseOp, target: CpuTargetAttr) -> int | str:
    """Return the columns of a block of words, or the reason why there is none; the decision 0 means none."""
    if rows_of(op.operands[0]) is None:
        return "its rows are no bytes, less one zero point each"
    if isinstance(op, graph.MatmulOp) and op.transpose_a is not None:
        return "its rows do not lie one after the other"
    if not target.multiplies_bytes:
        return "the target has no instruction for sums of products of bytes"
    size = max(target.lanes(_WORD_BITS), SHORTEST_ROW)
    if not decide("pack_weights", (0, size), size, block=operator_key(op)):
        return "that is decided otherwise"
    return size


def _widens_in_registers(op: graph.MatmulOp | graph.DenseOp, weight: SSAValue) -> bool:
    """Return whether a product multiplies float32 by narrow floats and sums in float32."""
    narrow = dtype_name(graph.element_of(weight))
    is_wide = graph.element_of(op.operands[0]) == f32 == op.out_dtype
    return is_wide and WIDE.of(narrow) != narrow


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
    """Return the lanes of a vector and half of them, as far as the units of a gate fill one of them."""
    return [n for n in (lanes, lanes // 2) if NARROWEST <= n <= units]


def _decided_size(op: graph.MatmulOp | graph.DenseOp, target: CpuTargetAttr) -> int | str:
    """Return the columns of a block, or the reason why there are none; the decision 0 means none."""
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
    is_summed_otherwise = op.out_dtype is not None and op.out_dtype != graph.element_of(op.operands[0])
    if is_summed_otherwise or (isinstance(op, graph.MatmulOp) and op.transpose_a is not None):
        return "its rows do not lie one after the other in its operand's type"
    *_, columns = graph.shape_of(op.y)
    assert isinstance(columns, int), "those of a constant"
    lanes = target.lanes(numpy_dtype(graph.element_of(op.y)).itemsize * 8)
    size = max(lanes, SHORTEST_ROW)
    if size > MOST_VECTORS * lanes:
        return f"vectors of {lanes} elements are too short"
    return f"its {columns} columns are no blocks of {size}" if columns % size else size


def _product(sizes: Sequence[graph.Dim]) -> int | None:
    """Return the product of sizes; None where one of them is symbolic."""
    known = [n for n in sizes if isinstance(n, int)]
    return prod(known) if len(known) == len(sizes) else None


def _packed(source: graph.ConstantOp, is_transposed: bool, size: int) -> SSAValue:
    """Insert a constant of the weights in blocks of `size` columns behind that of the weights."""
    constant = derived(packed_columns(source.array.T if is_transposed else source.array, size), source)
    edit.insert(constant, InsertPoint.after(source))
    return constant.y
