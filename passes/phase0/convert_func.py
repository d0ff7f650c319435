"""Pass `convert-func`: conversion of upstream functions to functions that write buffers."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, memref, ub
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IndexType,
    IntegerType,
    MemRefType,
    ModuleOp,
    UnitAttr,
    i64,
)
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import loop
from ...dialects.index_expr import Index
from ...dialects.upstream.undefined import UPSTREAM
from ...dialects.vector_arith import IndexCastUIOp
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass
from ..shared.nests.symbolic_sizes import row_major_strides
from ..upstream.control import buffer_type, check_carried, emitter, load_of
from ..upstream.extents import extents_of, shape_of
from ..upstream.functions import check_buffer_type, is_scalar, on_tensors, output_names, return_of, row_major
from ..upstream.refusal import refuse_form
from ..upstream.sizes import SizeClasses


@dataclass(frozen=True)
class ConvertFuncPass(Pass):
    """Give upstream functions buffers for scalar arguments and results, and bind the sizes of dynamic memrefs.

    ```mlir
    func.func @f(%A: memref<?xf32>, %s: f32) -> f32 {
      …
      func.return %r : f32
    }
    ```
    becomes
    ```mlir
    func.func @f(%A: memref<?xf32>, %s: memref<f32>, %out: memref<f32> {tw.output}) {
      %n = loop.dim %A, 0 : memref<?xf32>
      loop.bind %A shape [%n] strides [1] : memref<?xf32>
      %s_1 = memref.load %s[] : memref<f32>
      …
      memref.store %r, %out[] : memref<f32>
      func.return
    }
    ```
    A returned memref that the function allocates becomes the output itself. Functions on tensors are left to
    `convert-tensor`. Needs functions of one block and row-major arguments. Grants functions without results; dimensions
    that operations of a body demand to be equal are one value.
    """

    name = "convert-func"
    phase = 0
    levels = (Level.UPSTREAM,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for each in operations(op):
            if each.dialect_name() == "graph":
                refuse_form(
                    each,
                    "expected upstream MLIR without operations of graph in one module",
                    help="lower the graph first, in a separate module: --pass lower-graph",
                )
        functions = {f.sym_name.data: f for f in op.ops if isinstance(f, FuncOp) and f.body.blocks}
        for function in functions.values():
            convert_scalars(function)
        converted = {name for name, function in functions.items() if _wants_buffers(function)}
        for name in list(converted):
            if not may_rewrite("convert the arguments of", functions[name], is_needed=True):
                converted.remove(name)
        for call in [each for each in operations(op) if isinstance(each, CallOp)]:
            if call.callee.root_reference.data in converted:
                _convert_call(call)
        for name in converted:
            _convert(functions[name])


def _wants_buffers(function: FuncOp) -> bool:
    """Return whether a function on buffers and scalars is still to be converted."""
    last = return_of(function)
    if on_tensors(function):
        return False
    types: list[Attribute] = [*function.function_type.inputs, *function.function_type.outputs]
    for type_ in types:
        if isinstance(type_, MemRefType):
            check_buffer_type(function, type_)
        elif not is_scalar(type_):
            refuse_form(function, f"expected memrefs, tensors, numbers and indices as arguments, but got {type_}")
    block = function.body.block
    bound = {op.buffer for op in block.ops if isinstance(op, loop.BindOp)}
    dynamic = [a for a in block.args if isinstance(a.type, MemRefType) and DYNAMIC_INDEX in a.type.get_shape()]
    scalars = any(not isinstance(a.type, MemRefType) for a in block.args)
    strided = any(isinstance(a.type, MemRefType) and row_major(a.type) != a.type for a in block.args)
    return bool(last.operands) or scalars or strided or any(a not in bound for a in dynamic)


def _convert(function: FuncOp) -> None:
    block = function.body.block
    entry = _Entry(block)
    for argument in list(block.args):
        if not isinstance(argument.type, MemRefType):
            _take_from_buffer(argument, entry)
        elif (type_ := row_major(argument.type)) != argument.type:
            edit.retype(argument, type_)
    _bind_sizes(function, entry)
    count = len(block.args)
    _give_buffers(function)
    attributes = list(function.arg_attrs.data) if function.arg_attrs is not None else [DictionaryAttr({})] * count
    names = output_names([argument.name_hint for argument in block.args[count:]])
    outputs = [DictionaryAttr({**name.data, "tw.output": UnitAttr()}) for name in names]
    edit.change(function).arg_attrs = ArrayAttr([*attributes, *outputs])
    edit.change(function).res_attrs = None
    edit.change(function).function_type = FunctionType.from_lists([a.type for a in block.args], [])


class _Entry:
    """Puts operations at the beginning of a function, in order."""

    def __init__(self, block: Block) -> None:
        self._point = InsertPoint.at_start(block)

    def emit(self, op: Operation) -> SSAValue:
        edit.insert(op, self._point, of=self._point.block.parent_op())
        return op.results[0] if op.results else self._point.block.args[0]


def _take_from_buffer(argument: SSAValue, entry: _Entry) -> None:
    type_ = argument.type
    uses = list(argument.uses)
    buffer = edit.retype(argument, MemRefType(type_, []))
    value = entry.emit(memref.LoadOp.get(buffer, []))
    edit.rename(value, buffer.name_hint)
    for use in uses:
        edit.change(use.operation).operands[use.index] = value


def _bind_sizes(function: FuncOp, entry: _Entry) -> None:
    """State the extents of each dynamic argument; those that have to be equal are one value."""
    classes = SizeClasses(function)
    known: dict[object, Index] = {}
    block = function.body.block
    done = {op.buffer for op in block.ops if isinstance(op, loop.BindOp)}
    buffers = [a for a in block.args if isinstance(a.type, MemRefType) and DYNAMIC_INDEX in shape_of(a)]
    shapes: list[tuple[SSAValue, list[Index]]] = []
    for buffer in buffers:
        shape: list[Index] = []
        for d in range(len(shape_of(buffer))):
            number, dimension = classes.number(buffer, d), classes.find(buffer, d)
            if number is not None:
                shape.append(Index.of(number))
                continue
            if dimension not in known:
                hint = f"{buffer.name_hint or f'arg{buffer.index}'}_dim{d}"  # pyright: ignore
                known[dimension] = Index.of(entry.emit(loop.DimOp(buffer, d, name_hint=hint)))
            shape.append(known[dimension])
        shapes.append((buffer, shape))
    for buffer, shape in shapes:
        if buffer not in done:
            entry.emit(loop.BindOp(buffer, shape, row_major_strides(shape, entry.emit)))


def _give_buffers(function: FuncOp) -> None:
    """Give the function an argument for each result, which it writes."""
    block, last = function.body.block, return_of(function)
    for value in list(last.operands):
        is_buffer = isinstance(value.type, MemRefType)
        type_ = row_major(value.type) if isinstance(value.type, MemRefType) else MemRefType(value.type, [])
        output = edit.insert_argument(block, type_, len(block.args))
        edit.rename(output, value.name_hint or "out")
        if not is_buffer:
            edit.insert(memref.StoreOp.get(value, output, []), InsertPoint.before(last), of=last)
        elif _is_allocated_in(value, block):
            _fill_output(value, output)
        else:
            _bind_output(value, output, InsertPoint.before(last), last)
            edit.insert(memref.CopyOp(value, output), InsertPoint.before(last), of=last)
        edit.change(last).operands = list(last.operands)[1:]


def _is_allocated_in(value: SSAValue, block: Block) -> bool:
    return isinstance(value.owner, memref.AllocOp) and value.owner.parent is block


def _fill_output(value: SSAValue, output: SSAValue) -> None:
    """Replace a memref that the function allocates and returns by the output."""
    alloc = value.owner
    assert isinstance(alloc, Operation)
    _bind_output(value, output, InsertPoint.before(alloc), alloc)
    edit.replace_uses(value, output)
    edit.erase(alloc)


def _bind_output(value: SSAValue, output: SSAValue, point: InsertPoint, user: Operation) -> None:
    if DYNAMIC_INDEX not in shape_of(output):
        return

    def emit(op: Operation) -> SSAValue:
        edit.insert(op, point, of=user)
        return op.results[0]

    shape = extents_of(value, user)
    strides = row_major_strides(shape, emit)
    edit.insert(loop.BindOp(output, shape, strides), point, of=user)


def _convert_call(call: CallOp) -> None:
    """Pass scalars and results in buffers."""
    before, after = InsertPoint.before(call), InsertPoint.after(call)
    operands: list[SSAValue] = []
    for value in call.arguments:
        if isinstance(value.type, MemRefType):
            operands.append(value)
            continue
        buffer = memref.AllocOp.get(value.type, shape=[])
        edit.insert([buffer, memref.StoreOp.get(value, buffer.memref, [])], before, of=call)
        operands.append(buffer.memref)
    for result in list(call.res):
        type_ = result.type if isinstance(result.type, MemRefType) else MemRefType(result.type, [])
        if DYNAMIC_INDEX in type_.get_shape():
            refuse_form(
                call,
                f"expected calls to return memrefs of static sizes, but got {type_}",
                help="pass a buffer for the result as an argument: mlir-opt --buffer-results-to-out-params",
            )
        buffer = memref.AllocOp.get(type_.element_type, shape=type_.get_shape())
        edit.insert(buffer, before, of=call)
        operands.append(buffer.memref)
        value: SSAValue = buffer.memref
        if not isinstance(result.type, MemRefType):
            load = memref.LoadOp.get(buffer.memref, [])
            edit.insert(load, after, of=call)
            value = load.res
        edit.replace_uses(result, value)
    new = CallOp(call.callee, operands, [])
    edit.replace(call, new, [None] * len(call.res))


def convert_scalars(function: FuncOp) -> None:
    """Convert poison and casts of unsigned indices in a function. Raises TilewrightError TW0571."""
    for op in [op for op in operations(function) if isinstance(op, (ub.PoisonOp, IndexCastUIOp))]:
        if may_rewrite("convert", op, is_needed=True):
            edit.replace(op, [], [_poison(op) if isinstance(op, ub.PoisonOp) else _unsigned(op)])


def _poison(op: ub.PoisonOp) -> SSAValue:
    """Load the content of a buffer that nobody writes: a value that must not be used."""
    check_carried(op, op.result)
    emit = emitter(InsertPoint.before(op), op)
    value = load_of(emit(loop.AllocOp(buffer_type(op.result.type))), op.result.type, emit)
    assert isinstance(value.owner, loop.LoadOp)
    edit.change(value.owner).attributes[UPSTREAM] = UnitAttr()
    return value


def _unsigned(op: IndexCastUIOp) -> SSAValue:
    """Return the same bits where an index becomes an integer, an extension without sign where an integer becomes an
    index."""
    emit = emitter(InsertPoint.before(op), op)
    type_, source = op.result.type, op.input
    integer = source.type if isinstance(type_, IndexType) else type_
    if not isinstance(integer, IntegerType) or integer.width.data > 64:
        refuse_form(op, f"expected an integer of at most 64 bits, but got {integer}")
    if isinstance(type_, IndexType) and integer.width.data < 64:
        source = emit(arith.ExtUIOp(source, i64))
    return emit(arith.IndexCastOp(source, type_))
