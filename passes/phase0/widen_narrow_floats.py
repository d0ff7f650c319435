"""Pass `widen-narrow-floats`: convolutions and products of float16 and bfloat16 are computed in float32."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isnan, prod
from typing import Any

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType, f32
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import VerifyException

from ...diagnostics.remarks import remark
from ...dialects import graph
from ...dialects.constant_data import has_data
from ...dialects.dtypes import dtype_name, has_dtype, numpy_dtype
from ...dialects.graph.structure import unfused_blocks
from ...dialects.target import CpuTargetAttr, target_of
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...operators import OPERATORS
from ...operators.record import WIDE, FusionKind
from ...schedule.decisions import decide
from ...schedule.product_kernels import fitting_kernels
from ..framework.base import Level, Pass
from ..framework.tuning_records import decides_by_records
from ..shared.channel_scaling import derived
from ..shared.operator_key import operator_key

MOST_NARROW_ROWS = 8
"""The most rows of a product that reads its weights as they are: reading them takes longer than widening them does."""

_WIDE = "float32"
"""The type that narrow floats are widened to."""

_CONVOLUTIONS = ("conv2d", "conv3d", "conv1d_transpose", "conv2d_transpose", "conv3d_transpose")

_SELECTS = frozenset(
    ("abs", "adaptive_max_pool", "ceil", "clip", "dropout", "floor", "identity", "match_shape", "max_pool2d")
    + ("max_pool3d", "maximum", "minimum", "neg", "reduce_max", "reduce_min", "relu", "round", "sign", "trilu", "where")
)
"""Operators whose results are operands' elements, their negatives or whole numbers: nothing of them is rounded."""

_COMPARES = frozenset(("argmax", "argmin", "max_places2d"))
"""Operators whose results are no floats, and whose records name no function of elements."""


@dataclass(frozen=True)
class WidenNarrowFloatsPass(Pass):
    """Compute convolutions, and products of more than 8 rows, of narrow floats in float32, and round their results.

    ```mlir
    %c = graph.conv2d %x, %w padding [1, 1, 1, 1] : tensor<1x64x56x56xf16>
    %r = graph.relu %c : tensor<1x64x56x56xf16>
    ```
    becomes, where `%w` is a constant of float16 and `%wide` the same numbers as float32,
    ```mlir
    %wide_x = graph.cast %x to f32 : tensor<1x64x56x56xf32>
    %c = graph.conv2d %wide_x, %wide padding [1, 1, 1, 1] : tensor<1x64x56x56xf32>
    %half = graph.cast %c to f16 : tensor<1x64x56x56xf16>
    %rounded = graph.cast %half to f32 : tensor<1x64x56x56xf32>
    %wide_r = graph.relu %rounded : tensor<1x64x56x56xf32>
    %r = graph.cast %wide_r to f16 : tensor<1x64x56x56xf16>
    ```
    Sums of narrow floats are float32 without the pass, too. With it, the operators are those of float32: passes fold
    batch normalisation into their weights, pack these, put channels into blocks and transform tiles. The pair of casts
    rounds a result to the type of the model; the kernel that computes the result contains it. Operators that read a
    widened value are computed in float32 likewise and rounded once, so that a network has conversions of images at its
    edges only. Operators that select among elements, such as `graph.relu`, need no rounding. Batch normalisation of a
    layer with constant weights reads its sums before they are rounded, because it becomes a part of these weights.

    A product of up to 8 rows is bound by the reads of its weights, which are half as large as narrow floats. So the
    product reads narrow weights and widens them in registers: `graph.matmul %wide_x, %w out_dtype f32`, rounded. A
    symbolic number of rows counts as 1. A product whose fastest kernel on the target reads narrow floats, as those of
    AMX read bfloat16, stays.
    Needs types, and a module with `tw.target` of a CPU.
    """

    name = "widen-narrow-floats"
    phase = 0
    levels = (Level.GRAPH,)
    opt_level = 2
    asks_target = True
    reassociates = True

    @decides_by_records
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = target_of(op)
        if target is None or target.core is None:
            return
        for block in unfused_blocks(op):
            _Widening(target.core, block).run()


@dataclass
class _Widening:
    """The operators of one block, from the first to the last."""

    target: CpuTargetAttr
    block: Block
    exact: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """Narrow result of a replaced operator -> its value in float32 before it is rounded."""
    wide: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """Narrow value -> the same numbers as float32."""
    replaced: dict[Operation, None] = field(default_factory=dict[Operation, None])
    constants: set[SSAValue] = field(default_factory=set[SSAValue])
    """Results of replaced operators that depend on constants alone."""

    def run(self) -> None:
        for op in list(self.block.ops):
            if isinstance(op, graph.GraphOp) and any(_is_narrow(value.type) for value in op.operands):
                self._visit(op)
        for op in self.replaced:
            for result in op.results:
                self._narrow_again(result)
        for op in reversed(self.replaced):
            edit.erase(op)
        for value in self.wide:
            if isinstance(value.owner, graph.ConstantOp) and not value.uses:
                edit.erase(value.owner)

    def _visit(self, op: graph.GraphOp) -> None:
        """Replace an operator that is to be computed in float32, or that reads the result of one."""
        if _sums_products(op):
            if not self._is_widened(op):
                self._widen_in_registers(op)
                return
            if not may_rewrite("widen", op):
                return
            remark("TW0791", f"{op.name} of {_narrow_type(op)} is computed in {_WIDE}", op=op, kind="passed")
        elif not self._follows(op) or not may_rewrite("widen", op):
            return
        self._replace(op)

    def _is_widened(self, op: graph.GraphOp) -> bool:
        """Return whether a convolution or a product is computed in float32."""
        is_product = isinstance(op, (graph.MatmulOp, graph.DenseOp))
        reason = _reason_for_narrow(op, self.target) if is_product else None
        if decide("widen", (False, True), reason is None, block=operator_key(op), changes_sums=True):
            return True
        remark("TW0792", f"{op.name} is not computed in {_WIDE}: {reason or 'that is decided otherwise'}", op=op)
        return False

    def _widen_in_registers(self, op: graph.GraphOp) -> None:
        """Let a product of few rows read narrow weights that are constant, and sum in float32.

        Its result is narrow: an operator that reads it, as the concatenation of a cache, stays narrow.
        """
        if not isinstance(op, (graph.MatmulOp, graph.DenseOp)) or not _reads_few_rows(op, self.target):
            return
        x, weight, *bias = op.operands
        if not may_rewrite("sum in float32", op):
            return
        values: dict[str, Any] = {**op.values, "out_dtype": _WIDE}
        new = type(op).of(self._wide(x), weight, *map(self._wide, bias), **values)
        edit.insert(new, InsertPoint.before(op), of=op)
        edit.replace(op, graph.CastOp.of(new.y, to=_element_name(op.y)))

    def _follows(self, op: graph.GraphOp) -> bool:
        """Return whether an operator reads values that are computed in float32, and is to be computed in float32 as
        well."""
        is_read = any(value in self.exact and value not in self.constants for value in op.operands)
        return is_read and _is_rounded_once(op) and _takes_float32(op)

    def _replace(self, op: graph.GraphOp) -> None:
        """Compute `op` in float32; its narrow results are rounded where they are read."""
        if isinstance(op, graph.CastOp) and dtype_name(op.to) == _WIDE:
            edit.replace_uses(op.y, self._wide(op.x))
        else:
            new = _with_operands(op, [self._operand(op, value) for value in op.operands])
            edit.insert(new, InsertPoint.before(op), of=op)
            for old, result in zip(op.results, new.results, strict=True):
                edit.rename(result, old.name_hint)
                if result.type == old.type:
                    edit.replace_uses(old, result)
                else:
                    self.exact[old] = result
        self.replaced[op] = None  # behind those that compute its operands

    def _operand(self, op: graph.GraphOp, value: SSAValue) -> SSAValue:
        if not _is_narrow(value.type):
            return value
        if isinstance(op, graph.MatchShapeOp) and value is not op.operands[0]:
            return self.wide.get(value, value)  # its sizes are read, and no element
        if value in self.exact and _folds_into(op, value):
            return self.exact[value]
        return self._wide(value)

    def _wide(self, value: SSAValue) -> SSAValue:
        """Return the numbers of a narrow value as float32."""
        if value not in self.wide:
            self.wide[value] = self._widened(value)
        return self.wide[value]

    def _widened(self, value: SSAValue) -> SSAValue:
        source = value.owner
        if isinstance(source, graph.ConstantOp) and has_data(source.value):
            constant = derived(source.array, source, np.dtype(_WIDE))
            edit.insert(constant, InsertPoint.after(source))
            return constant.y
        if value not in self.exact and source.parent is self.block and _is_of_constants(value):
            assert isinstance(source, graph.GraphOp)
            self._replace(source)
            self.constants.update(source.results)
        if (exact := self.exact.get(value)) is None:
            return _cast(value, _WIDE)
        assert isinstance(source, graph.GraphOp)
        return exact if _selects(source) else _cast(_cast(exact, _element_name(value)), _WIDE)

    def _narrow_again(self, value: SSAValue) -> None:
        """Let those that read the narrow value, and are not replaced, have it rounded from float32."""
        uses = [use for use in value.uses if use.operation not in self.replaced]
        if uses:
            narrow = _cast(self.wide.get(value) or self.exact[value], _element_name(value))
            edit.replace_uses(value, narrow, lambda use: use.operation not in self.replaced)


def _cast(value: SSAValue, to: str) -> SSAValue:
    """Insert a conversion right behind the definition of `value`."""
    new, owner = graph.CastOp.of(value, to=to), value.owner
    if isinstance(owner, Block):
        edit.insert(new, InsertPoint.at_start(owner))
    else:
        edit.insert(new, InsertPoint.after(owner), of=owner)
    edit.rename(new.y, value.name_hint)
    return new.y


# Operators


def _reason_for_narrow(op: graph.MatmulOp | graph.DenseOp, target: CpuTargetAttr) -> str | None:
    """Return why a product reads narrow floats as they are; None where it does not."""
    if _has_instruction(op, target):
        return f"the target has an instruction for products of {_narrow_type(op)}"
    rows = _least_rows(op)
    return None if rows > MOST_NARROW_ROWS else f"it may have {rows} rows, not more than {MOST_NARROW_ROWS}"


def _has_instruction(op: graph.MatmulOp | graph.DenseOp, target: CpuTargetAttr) -> bool:
    """Return whether the fastest kernel for a product reads narrow floats."""
    left, right = (_element_name(value) for value in op.operands[:2])
    fastest = next(iter(fitting_kernels((left, right), WIDE.of(_element_name(op.y)), target)), None)
    return fastest is not None and fastest.left == left


def _reads_few_rows(op: graph.MatmulOp | graph.DenseOp, target: CpuTargetAttr) -> bool:
    """Return whether a product multiplies constant weights by more rows than one, or by any number of them."""
    _, weight, *bias = op.operands
    if op.out_dtype is not None or len(graph.shape_of(weight)) != 2 or not all(map(_is_known, (weight, *bias))):
        return False
    is_one = graph.is_static(graph.shape_of(op.y)) and _least_rows(op) == 1
    return not is_one and not _has_instruction(op, target)


def _least_rows(op: graph.MatmulOp | graph.DenseOp) -> int:
    """Return the fewest rows of results that share a matrix on the right."""
    *outer, rows, _ = graph.shape_of(op.y)
    is_shared = isinstance(op, graph.DenseOp) or len(graph.shape_of(op.b)) == 2
    return prod(size if isinstance(size, int) else 1 for size in ((*outer, rows) if is_shared else (rows,)))


def _sums_products(op: graph.GraphOp) -> bool:
    """Return whether an operator is a convolution or a product of matrices."""
    return isinstance(op, (graph.MatmulOp, graph.DenseOp)) or op.name.removeprefix("graph.") in _CONVOLUTIONS


def _is_rounded_once(op: graph.GraphOp) -> bool:
    """Return whether an operator of another kind computes the same in float32, but for one rounding of its result."""
    name = op.name.removeprefix("graph.")
    if name not in OPERATORS or _sums_products(op):
        return False
    record = OPERATORS[name]
    is_rounded = record.accumulator is not None or record.scalar is not None
    return is_rounded or record.kind is FusionKind.INJECTIVE or name in _SELECTS | _COMPARES


def _selects(op: graph.GraphOp) -> bool:
    """Return whether each element of the results is one of the operands', or another number of their type."""
    name = op.name.removeprefix("graph.")
    record, dtype = OPERATORS[name], numpy_dtype(_narrow_type(op))
    if name not in _SELECTS and not (record.kind is FusionKind.INJECTIVE and record.accumulator is None):
        return False
    numbers = (value for value in op.values.values() if isinstance(value, float))
    return all(float(dtype.type(number)) == number or isnan(number) for number in numbers)


def _folds_into(op: graph.GraphOp, value: SSAValue) -> bool:
    """Return whether `op` is batch normalisation that becomes a part of the weights of the layer that computes
    `value`."""
    layer = value.owner
    if not isinstance(op, graph.BatchNormOp) or value is not op.x or not value.has_one_use():
        return False
    if not isinstance(layer, (graph.Conv2dOp, graph.DenseOp)):
        return False
    parameters = (*op.operands[1:], *layer.operands[1:])
    return all(_has_data(parameter) for parameter in parameters)


def _has_data(value: SSAValue) -> bool:
    return isinstance(value.owner, graph.ConstantOp) and has_data(value.owner.value)


def _is_known(value: SSAValue) -> bool:
    return _has_data(value) or _is_of_constants(value)


def _is_of_constants(value: SSAValue) -> bool:
    """Return whether a value is computed from constants alone, by operators that compute the same in float32."""
    source = value.owner
    if not isinstance(source, graph.GraphOp) or not source.operands or not _is_rounded_once(source):
        return False
    return all(map(_is_known, source.operands))


def _takes_float32(op: graph.GraphOp) -> bool:
    """Return whether an operator accepts operands of float32 instead of narrow ones."""
    types = [graph.make_type(graph.shape_of(v), f32) if _is_narrow(v.type) else v.type for v in op.operands]
    stand_ins = Block(arg_types=types)
    try:
        edit.erase(_with_operands(op, stand_ins.args))
    except VerifyException:
        return False
    return True


def _with_operands(op: graph.GraphOp, operands: Sequence[SSAValue]) -> graph.GraphOp:
    """Return the operator on other operands, with the types of results that follow. Raises VerifyException for bad
    types."""
    new = op.create(operands=operands, properties=op.properties, attributes=op.attributes, result_types=op.result_types)
    try:
        types = new.infer_types()
    except VerifyException:
        edit.erase(new)
        raise
    for result, type_ in zip(list(new.results), types, strict=True):
        edit.retype(result, type_)
    return new


# Types


def _is_narrow(type_: Attribute) -> bool:
    if not isinstance(type_, TensorType) or not has_dtype(type_.element_type):
        return False
    return WIDE.of(dtype_name(type_.element_type)) != dtype_name(type_.element_type)


def _element_name(value: SSAValue) -> str:
    return dtype_name(graph.element_of(value))


def _narrow_type(op: graph.GraphOp) -> str:
    """Return the narrow type that an operator reads."""
    return next(_element_name(value) for value in op.operands if _is_narrow(value.type))
