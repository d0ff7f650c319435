"""Classes of dimensions of te kernels that must change together, and calls of kernels whose types change."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, cast

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FunctionType,
    IndexType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    TensorType,
)
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import te
from ....dialects.index_expr import Index
from ....ir import editor as edit
from ....traversal import operations

Dimension: TypeAlias = "tuple[Hashable, int]"
"""The dimension of a tensor or the axis of a compute at a position."""


def is_static_kernel(function: func.FuncOp) -> bool:
    """Return whether a function is private, of static shape, and made of te.compute alone."""
    visibility = function.sym_visibility
    return visibility is not None and visibility.data == "private" and is_static(function)


def is_static(function: func.FuncOp) -> bool:
    """Return whether a function has static shapes and is made of te.compute alone."""
    if not function.body.blocks:
        return False
    for op in function.body.block.ops:
        if isinstance(op, te.ComputeOp):
            if not all(e.is_constant for e in op.index_list("extents")):
                return False
        elif not isinstance(op, func.ReturnOp) and any(isinstance(r.type, TensorType) for r in op.results):
            return False
    types = [*function.function_type.inputs, *function.function_type.outputs]
    return all(isinstance(t, TensorType) and DYNAMIC_INDEX not in t.get_shape() for t in types)


@dataclass
class Classes:
    """Union-find over dimensions of tensors and axes. A class that contains a forbidden dimension is not changed."""

    parent: dict[Dimension, Dimension] = field(default_factory=lambda: dict[Dimension, Dimension]())
    forbidden: set[Dimension] = field(default_factory=lambda: set[Dimension]())

    def find(self, dimension: Dimension) -> Dimension:
        self.parent.setdefault(dimension, dimension)
        while self.parent[dimension] != dimension:
            self.parent[dimension] = self.parent[self.parent[dimension]]
            dimension = self.parent[dimension]
        return dimension

    def tie(self, a: Dimension, b: Dimension) -> None:
        a, b = self.find(a), self.find(b)
        self.parent[a] = b
        if a in self.forbidden:
            self.forbidden.add(b)

    def forbid(self, dimension: Dimension) -> None:
        self.forbidden.add(self.find(dimension))

    def may_change(self, dimension: Dimension) -> bool:
        return self.find(dimension) not in self.forbidden


def replace_axes(op: Operation, axes: dict[SSAValue, Index]) -> None:
    """Replace old axes that an operation uses as plain values; an axis of extent 1 becomes 0."""
    for position, operand in enumerate(op.operands):
        if operand not in axes:
            continue
        value = axes[operand].single_value
        if value is None:
            zero = arith.ConstantOp(IntegerAttr(0, IndexType()))
            edit.insert(zero, InsertPoint.before(op))
            value = zero.result
        edit.change(op).operands[position] = value


def outlined(function: func.FuncOp, name: str) -> func.FuncOp:
    """Outline the body of a function into a private function, which it then calls."""
    kernel = function.clone()
    properties = edit.change(kernel).properties
    properties["sym_name"], properties["sym_visibility"] = StringAttr(name), StringAttr("private")
    for key in ("arg_attrs", "res_attrs"):
        properties.pop(key, None)
    block = function.body.block
    returned = cast(func.ReturnOp, block.last_op)
    call = func.CallOp(name, block.args, function.function_type.outputs.data)
    call.location = function.location
    for result, value in zip(call.res, returned.arguments, strict=True):
        edit.rename(result, value.name_hint)
    edit.insert(call, InsertPoint.before(returned))
    for position, result in enumerate(call.res):
        edit.change(returned).operands[position] = result
    for op in reversed([op for op in block.ops if op is not call and op is not returned]):
        edit.erase(op)
    edit.insert(kernel, InsertPoint.after(function))
    return kernel


def calls_by_callee(module: ModuleOp) -> dict[str, list[func.CallOp]]:
    calls: dict[str, list[func.CallOp]] = {}
    for call in operations(module):
        if isinstance(call, func.CallOp):
            calls.setdefault(call.callee.string_value(), []).append(call)
    return calls


def change_signature(
    function: func.FuncOp, types: Mapping[SSAValue, TensorType], calls: Sequence[func.CallOp]
) -> list[func.CallOp]:
    """Give the arguments of a function new types, and its calls these types and the types of its results. Returns the
    new calls."""
    block = function.body.block
    returned = cast(func.ReturnOp, block.last_op)
    for argument in block.args:
        argument._type = types[argument]  # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue]
    inputs, outputs = [a.type for a in block.args], [v.type for v in returned.arguments]
    edit.change(function).properties["function_type"] = FunctionType.from_lists(inputs, outputs)
    return [_replace_call(call, inputs, outputs) for call in calls]


def _replace_call(call: func.CallOp, inputs: Sequence[object], outputs: Sequence[object]) -> func.CallOp:
    arguments: list[SSAValue] = []
    for value, type in zip(call.arguments, inputs, strict=True):
        arguments.append(_reshaped(value, cast(TensorType, type), call))
    new = func.CallOp(SymbolRefAttr(call.callee.string_value()), arguments, cast(Sequence[TensorType], outputs))
    edit.insert(new, InsertPoint.before(call), of=call)
    for before, after in zip(call.res, new.res, strict=True):
        edit.rename(after, before.name_hint)
        edit.replace_uses(before, _reshaped(after, cast(TensorType, before.type), call))
    edit.erase(call)
    return new


def _reshaped(value: SSAValue, type: TensorType, before: Operation) -> SSAValue:
    if value.type == type:
        return value
    reshape = te.ReshapeOp(value, type)
    reshape.location = before.location
    edit.rename(reshape.res, value.name_hint)
    edit.insert(reshape, InsertPoint.before(before))
    return reshape.res
