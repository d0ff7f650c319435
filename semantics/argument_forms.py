"""Arguments that were tensors, or memrefs of dynamic strides, in the source file of a program.

A function on tensors returns new tensors. After bufferization, it may write a result into the buffer of an argument,
whose final contents are then not a result. So a proof about two such functions assumes that the program after works on
copies of its arguments. Memrefs of dynamic strides are assumed to be row-major. A proof states both assumptions.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import DenseArrayBase, MemRefType, ModuleOp, StridedLayoutAttr, TensorType, UnitAttr, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ..dialects import loop
from ..dialects.index_expr import Index
from ..ir import editor as edit

TENSORS = "tw.tensors"
"""The positions of arguments that were tensors, as an attribute of a function."""
STRIDED = "tw.strided"
"""Marks a function that had arguments with a layout of strides."""

OVERWRITTEN = "arguments that are tensors before may be overwritten after, and a returned memref is the returned tensor"
ROW_MAJOR = "arguments are in row-major order"


@dataclass(frozen=True)
class Forms:
    """The forms of a function's arguments in its file."""

    tensors: tuple[int, ...]
    """The positions of tensors."""
    is_strided: bool
    """True where an argument has a layout of strides."""


def forms_of(module: ModuleOp) -> dict[str, Forms]:
    """Return the forms of the arguments of each function of a module that is not converted yet."""
    found: dict[str, Forms] = {}
    for op in module.ops:
        if isinstance(op, FuncOp):
            types = op.function_type.inputs.data
            tensors = tuple(k for k, type_ in enumerate(types) if isinstance(type_, TensorType))
            strided = any(isinstance(t, MemRefType) and isinstance(t.layout, StridedLayoutAttr) for t in types)
            found[op.sym_name.data] = Forms(tensors, strided)
    return found


def mark_forms(module: ModuleOp, forms: dict[str, Forms]) -> None:
    """Mark functions whose arguments conversions have turned into row-major buffers."""
    for op in module.ops:
        if not isinstance(op, FuncOp) or (known := forms.get(op.sym_name.data)) is None:
            continue
        if known.tensors:
            edit.change(op).attributes[TENSORS] = DenseArrayBase.from_list(i64, known.tensors)
        if known.is_strided:
            edit.change(op).attributes[STRIDED] = UnitAttr()


def assumptions_about(before: FuncOp, after: FuncOp) -> tuple[str, ...]:
    """Return the assumptions of a proof about two functions with marks."""
    overwritten = TENSORS in before.attributes and TENSORS not in after.attributes
    strided = STRIDED in before.attributes or STRIDED in after.attributes
    return (*((OVERWRITTEN,) if overwritten else ()), *((ROW_MAJOR,) if strided else ()))


def on_copies(before: FuncOp, after: FuncOp) -> FuncOp:
    """Return `after`, or a copy of it that leaves the buffers of tensors of `before` as they are."""
    marked = before.attributes.get(TENSORS)
    if not isinstance(marked, DenseArrayBase):
        return after
    positions = [int(n) for n in marked.get_values()]  # pyright: ignore[reportArgumentType]
    written = [k for k in positions if k < len(after.args) and _is_written(after.args[k])]
    if not written:
        return after
    private = after.clone()
    for k in written:
        _copy(private, private.body.block.args[k])
    return private


def _is_written(buffer: SSAValue) -> bool:
    """Return if something but reads uses a value that is a buffer."""
    if not isinstance(buffer.type, MemRefType):
        return False
    return any(not isinstance(use.operation, (loop.LoadOp, loop.DimOp, loop.BindOp)) for use in buffer.uses)


def _copy(function: FuncOp, buffer: SSAValue) -> None:
    """Let a function use a copy of an argument, made at its beginning."""
    binds = [use.operation for use in buffer.uses if isinstance(use.operation, loop.BindOp)]
    block = function.body.block
    indexed = InsertPoint.after(binds[0]) if binds else InsertPoint.at_start(block)

    def emit(op: Operation, point: InsertPoint) -> SSAValue:
        edit.insert(op, point, of=function)
        return op.results[0]

    type_ = buffer.type
    assert isinstance(type_, MemRefType)
    shape = [Index.of(n) for n in type_.get_shape()]
    if binds:
        shape = list(binds[0].index_list("shape"))
    dynamic = [e for e, n in zip(shape, type_.get_shape(), strict=True) if n < 0]
    made = loop.AllocOp(type_, dynamic, buffer.name_hint)
    edit.insert(made, indexed, of=function)
    kept = (loop.DimOp, loop.BindOp)
    edit.replace_uses(buffer, made.res, lambda use: not isinstance(use.operation, kept))
    point, indices = InsertPoint.after(made), list[SSAValue]()
    for extent in shape:
        each = loop.ForOp(0, extent, name_hint="i")
        edit.insert(each, point, of=function)
        point = InsertPoint.at_end(each.body.block)
        indices.append(each.induction_variable)
    value = emit(loop.LoadOp(buffer, indices), point)
    edit.insert(loop.StoreOp(value, made.res, indices), point, of=function)
