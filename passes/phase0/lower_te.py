"""Pass `lower-te`: tensor expressions become loop nests over buffers, and results destinations.

All buffers and sizes are defined at the top of a function, before the first nest, so that nests can be moved freely. A
result is written directly into its output argument, or after a reshape into a view of that argument. Only results that
no compute of the function defines (arguments, constants) are copied.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, func
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IndexType,
    MemRefType,
    ModuleOp,
    TensorType,
    UnitAttr,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...diagnostics import fail
from ...diagnostics.locations import location_of, name_of, set_missing_locations
from ...dialects import loop, te
from ...dialects.graph.types import shape_of
from ...dialects.index_expr import Index
from ...dialects.indexed_op import IndexedOp
from ...dialects.names import value_name
from ...dialects.target import target_of
from ...ir import editor as edit
from ...traversal import operations
from ..framework.base import Level, Pass
from ..framework.expression_rules import expand_definitions
from ..shared.nests.compute_nest import Environment, build_copy, build_nest
from ..shared.nests.symbolic_sizes import ResultSizes, Shape, SizeTable, row_major_strides
from ..shared.nests.te_regions import OWNERS, is_fresh, lower_branch, lower_loop


@dataclass(frozen=True)
class LowerTePass(Pass):
    """Lower te computes to loop nests over buffers, functions to destination-passing style.

    ```mlir
    func.func @f(%A: tensor<4x8xf32>) -> tensor<4xf32> {
      %s = te.compute "s" [%i to 4] reduce [%k to 8] -> tensor<4xf32> {
        %a = te.read %A[%i, %k] : tensor<4x8xf32>
        te.reduce <add> %a : f32
      }
      func.return %s : tensor<4xf32>
    }
    ```
    becomes
    ```mlir
    func.func @f(%A: memref<4x8xf32>, %s: memref<4xf32> {tw.output}) {
      loop.for %i = 0 to 4 {
        loop.for %k = 0 to 8 {
          loop.block "s" (%vi = spatial(%i) in 4, %vk = reduce(%k) in 8) {
            loop.init { loop.store %zero, %s[%vi] : memref<4xf32> }
            %a = loop.load %A[%vi, %vk] : memref<4x8xf32>
            %acc = loop.load %s[%vi] : memref<4xf32>
            %sum = arith.addf %acc, %a : f32
            loop.store %sum, %s[%vi] : memref<4xf32>
          }
        }
      }
      func.return
    }
    ```
    Needs every symbolic size to be a dimension of an argument, or computed from some. Grants one serial nest and one
    block for each compute, in order; equal named sizes are one value, bound to the buffers by `loop.bind`; every
    buffer is allocated at the top of its function. Calls of sigmoid, isnan, isinf and isfinite become their
    definitions where the target has no rule for them.

    This is where tensors are bufferized.
    """

    name = "lower-te"
    phase = 0
    levels = (Level.TE,)
    lowers_to = Level.BLOCK

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        expand_definitions(op, target_of(op))
        functions = [f for f in operations(op) if isinstance(f, func.FuncOp) and _has_tensors(f)]
        sizes = {f.sym_name.data: ResultSizes.of(f) for f in functions if f.body.blocks}
        for function in functions:
            if not function.body.blocks:
                fail("TW0501", f"expected a body of function '{function.sym_name.data}', but got none", op=function)
            _FunctionLowering(function, sizes).run()


def _has_tensors(function: func.FuncOp) -> bool:
    types = [*function.function_type.inputs, *function.function_type.outputs]
    return any(isinstance(t, TensorType) for t in types) or any(
        op.dialect_name() == "te" for op in operations(function)
    )


def _buffer_type(type: Attribute) -> Attribute:
    return loop.buffer_type(type.get_shape(), type.element_type) if isinstance(type, TensorType) else type


class _FunctionLowering:
    """Rewrites one function: definitions of buffers and sizes are inserted at `entry`, nests and calls behind them."""

    def __init__(self, function: func.FuncOp, callees: dict[str, ResultSizes]) -> None:
        self.function = function
        self.callees = callees
        self.environment = Environment()
        self.entry: list[Operation] = []
        self.statements: list[Operation] = []
        self.sizes = SizeTable(self.at_entry)
        self.targets: dict[SSAValue, SSAValue] = {}

    def run(self) -> None:
        old = self.function.body.block
        returned = list(_return_of(self.function).operands)
        new = Block(arg_types=[_buffer_type(v.type) for v in (*old.args, *returned)])
        inputs, outputs = new.args[: len(old.args)], new.args[len(old.args) :]
        for argument, buffer in zip(old.args, inputs, strict=True):
            edit.rename(buffer, argument.name_hint)
            self.environment.define(argument, buffer)
        pairs = zip(old.args, inputs, strict=True)
        self.sizes.add_arguments((a, buffer) for a, buffer in pairs if isinstance(a.type, TensorType))
        bound_later = {op.tensor for op in old.ops if isinstance(op, te.BindOp)}
        for argument, buffer in zip(old.args, inputs, strict=True):
            if argument not in bound_later:
                self.bind(buffer, self.sizes.shapes.get(argument, ()))
        for value, buffer in zip(returned, outputs, strict=True):
            edit.rename(buffer, (value.name_hint if self.assign(value, buffer) else None) or "out")
        for op in old.ops:
            self.lower(op)
        for k, (value, buffer) in enumerate(zip(returned, outputs, strict=True)):
            self.bind(buffer, self.sizes.shapes[value])
            if self.environment.values[value] is not buffer:
                shape, source = self.sizes.shapes[value], self.environment.values[value]
                self.statements.append(build_copy(f"copy_{k}", shape, source, buffer))
        self._replace_body(new)

    def _replace_body(self, block: Block) -> None:
        function = self.function
        edit.append(block, *self.entry, *self.statements, func.ReturnOp())
        if (location := location_of(function)) is not None:
            for op in block.ops:
                set_missing_locations(op, location)
        edit.replace_body(function, Region(block))
        results = function.function_type.outputs.data
        names = function.res_attrs.data if function.res_attrs is not None else [DictionaryAttr({})] * len(results)
        given = function.arg_attrs.data if function.arg_attrs is not None else None
        inputs = given or [DictionaryAttr({})] * (len(block.args) - len(results))
        outputs = [DictionaryAttr({**name.data, "tw.output": UnitAttr()}) for name in names]
        edit.change(function).arg_attrs = ArrayAttr([*inputs, *outputs])
        edit.change(function).res_attrs = None
        edit.change(function).function_type = FunctionType.from_lists([a.type for a in block.args], [])

    # Destinations

    def assign(self, value: SSAValue, buffer: SSAValue) -> bool:
        """Let the op that defines `value` write into `buffer`; False where none does or it writes elsewhere."""
        if value in self.targets:
            return False
        op = value.owner
        if isinstance(op, te.ReshapeOp) and not _is_dynamic(op.tensor.type):
            view = loop.ViewOp(buffer, 0, _memref(op.tensor.type))
            view.location = op.location
            views = self._list_of_views(op)
            views.append(view)
            if not self.assign(op.tensor, view.res):
                views.remove(view)
                edit.erase(view)
                return False
        elif not isinstance(op, OWNERS):
            return False
        elif (
            isinstance(op, te.LoopOp)
            and (k := op.res.index(value)) < len(op.inits)
            and is_fresh(op.inits[k], op.parent)
        ):
            self.assign(op.inits[k], buffer)
        self.targets[value] = buffer
        return True

    def target(self, value: SSAValue, shape: Shape) -> SSAValue:
        """Return the buffer that the op which defines `value` writes."""
        self.sizes.shapes[value] = shape
        if value not in self.targets:
            type = _memref(value.type)
            dynamic = [e for e, size in zip(shape, type.get_shape(), strict=True) if size == DYNAMIC_INDEX]
            alloc = loop.AllocOp(type, dynamic, name_hint=value.name_hint)
            alloc.location = value.owner.location if isinstance(value.owner, Operation) else alloc.location
            self.targets[value] = self.at_entry(alloc)
        self.environment.values[value] = self.targets[value]
        return self.targets[value]

    def bind(self, buffer: SSAValue, shape: Shape, at: list[Operation] | None = None) -> None:
        """State the shape of a buffer that comes from outside, where its type does not."""
        if _is_dynamic(buffer.type):
            bound = loop.BindOp(buffer, shape, row_major_strides(shape, self.at_entry))
            (self.entry if at is None else at).append(bound)

    def at_entry(self, op: Operation) -> SSAValue:
        self.entry.append(op)
        return op.results[0]

    def _list_of_views(self, op: Operation) -> list[Operation]:
        """Return the list that a view for an operation is added to: the entry, but inside a region that region's
        statements."""
        return self.entry if op.parent_op() is self.function else self.statements

    # Operations

    def lower(self, op: Operation) -> None:
        match op:
            case te.ComputeOp():
                self.statements.append(build_nest(op, self.environment, self._compute_targets(op)))
            case te.ScanOp():
                self._lower_scan(op)
            case te.ExternOp():
                self._lower_extern(op)
            case te.IfOp():
                lower_branch(self, op)
            case te.LoopOp():
                lower_loop(self, op)
            case func.CallOp():
                self._lower_call(op)
            case te.ConstantOp():
                type = _memref(op.res.type)
                constant = loop.ConstantOp(op.value, type, name_hint=op.res.name_hint)
                constant.location = op.location
                self.environment.values[op.res] = self.at_entry(constant)
                self.sizes.shapes[op.res] = tuple(Index.of(n) for n in type.get_shape())
            case te.ReshapeOp():
                self._lower_view(op, self.sizes.shape_of_reshape(op))
            case te.MatchOp():
                self._lower_match(op)
            case te.PrefixOp():
                self._lower_prefix(op)
            case te.DimOp():
                self._lower_dim(op)
            case te.BindOp():
                self.sizes.shapes[op.tensor] = tuple(self.environment.translate(op.sizes))
                self.bind(self.environment.values[op.tensor], self.sizes.shapes[op.tensor])
            case te.ApplyOp():
                self._define_size(op.res, op.index.substitute(self.environment.indices))
            case func.ReturnOp():
                pass
            case _:
                self._lower_scalar(op)

    def _lower_scan(self, op: te.ScanOp) -> None:
        """Lower a scan: the first steps are copied; a loop over the later ones holds the nests that make a step."""
        for k, (state, result, init) in enumerate(zip(op.states, op.res, op.inits, strict=True)):
            target = self.target(result, self._shape_of_update(op.updates[k]))
            self.environment.values[state] = target
            self.targets[op.updates[k]] = target
            label = f"{op.label}.v{k}" if len(op.res) > 1 else op.label
            shape, steps = self.sizes.shapes[init], self.sizes.shapes[result][0]
            rows = () if shape[0].is_constant and steps.is_constant else (steps,)
            copy = build_copy(label, shape, self.environment.values[init], target, rows)
            set_missing_locations(copy, location_of(op) or copy.location)
            self.statements.append(copy)
        hint = op.computes[0].spatial_axes[0].name_hint
        first = self.sizes.shapes[op.inits[0]][0]
        later = loop.ForOp(first, self.environment.translate([op.steps])[0], name_hint=hint)
        later.location = op.location
        for compute in op.computes:
            targets = self._compute_targets(compute)
            edit.append(later.body.block, build_nest(compute, self.environment, targets, [later]))
        self.statements.append(later)

    def _lower_extern(self, op: te.ExternOp) -> None:
        """Lower an extern operation: its statement stands in a block without iteration variables, or is a nest around a
        separate block."""
        values = dict(self.environment.values)
        for buffer, tensor in zip(op.input_buffers, op.inputs, strict=True):
            values[buffer] = self.environment.values[tensor]
        for buffer, result, shape in zip(op.output_buffers, op.res, op.shapes, strict=True):
            values[buffer] = self.target(result, tuple(self.environment.translate(shape)))
        copies = [each.clone(values) for each in op.body.block.ops]
        if not any(isinstance(each, loop.BlockOp) for each in operations(op)):
            block = loop.BlockOp(op.label, [], [], [])
            edit.append(block.body.block, *copies)
            copies = [block]
        for copy in copies:
            for each in operations(copy):
                if isinstance(each, IndexedOp):
                    each.substitute_indices(self.environment.indices)
            set_missing_locations(copy, location_of(op) or copy.location)
        self.statements += copies

    def _shape_of_update(self, update: SSAValue) -> Shape:
        compute = update.owner
        assert isinstance(compute, te.ComputeOp)
        return tuple(self.environment.translate(compute.spatial_extents))

    def _compute_targets(self, op: te.ComputeOp) -> list[SSAValue]:
        shape = tuple(self.environment.translate(op.spatial_extents))
        return [self.target(result, shape) for result in op.res]

    def _lower_dim(self, op: te.DimOp) -> None:
        dimension = op.dimension.value.data
        self._define_size(op.res, self.sizes.shapes[op.tensor][dimension])
        value = self.environment.values.get(op.res)
        if value is not None and isinstance(value.owner, loop.DimOp) and shape_of(op.tensor)[dimension] is None:
            edit.rename(value, op.res.name_hint or value.name_hint)

    def _define_size(self, value: SSAValue, size: Index) -> None:
        """Let `value` be `size`; it becomes an operation only for those that take it as a plain operand."""
        self.environment.indices[value] = size
        single = size.single_value
        if single is not None:
            self.environment.values[value] = single
        elif any(not isinstance(use.operation, loop.IndexedOp) for use in value.uses):
            self.environment.values[value] = self.at_entry(loop.ApplyOp(size))

    def _lower_call(self, op: func.CallOp) -> None:
        arguments = [self.environment.values[v] for v in op.operands]
        targets: list[SSAValue] = []
        for k, result in enumerate(op.results):
            if not isinstance(result.type, TensorType):
                fail("TW0501", f"expected calls to return tensors, but got {result.type}", op=op)
            shape = self.sizes.shape_of_call(op, k, self.callees.get(op.callee.string_value()))
            targets.append(self.target(result, shape))
        call = func.CallOp(op.callee, [*arguments, *targets], [])
        edit.change(call).attributes |= op.attributes
        call.location = op.location
        self.statements.append(call)

    def _lower_match(self, op: te.MatchOp) -> None:
        """Lower a match to a view of the stated sizes, and a check at the function's entry that they are those of the
        operand."""
        stated = self.sizes.shape_of_type(op.res.type, op)
        for axis, (have, want) in enumerate(zip(self.sizes.shapes[op.tensor], stated, strict=True)):
            if have != want:
                check = loop.AssertOp([have - want, want - have], *op.complaint(axis, have, want))
                check.location = op.location
                self.entry.append(check)
        self._lower_view(op, stated)

    def _lower_view(self, op: te.ReshapeOp | te.MatchOp, shape: Shape) -> None:
        self.sizes.shapes[op.res] = shape
        if op.res not in self.targets:
            source = self.environment.values[op.tensor]
            view = loop.ViewOp(source, 0, _memref(op.res.type), name_hint=op.res.name_hint)
            view.location = op.location
            views = self._list_of_views(op)
            views.append(view)
            self.targets[op.res] = view.res
            self.bind(view.res, shape, views)
        self.environment.values[op.res] = self.targets[op.res]

    def _lower_prefix(self, op: te.PrefixOp) -> None:
        """Lower a prefix to a view whose first size is the count.

        The statements so far join the function's entry: later views and sizes, which are made at its end, may use the
        count.
        """
        (name, *_) = shape_of(op.res.type)
        if op.parent_op() is not self.function or not isinstance(name, str):
            fail("TW0501", "expected a size that is data outside of branches and loops, and with a name", op=op)
        whole = self.sizes.shapes[op.tensor]
        load = loop.LoadOp(self.environment.values[op.count], [0])
        count = arith.IndexCastOp(load.res, IndexType())
        zero, most = loop.ApplyOp(Index.of(0)), loop.ApplyOp(whole[0])
        limited = arith.MinSIOp(count.result, most.res)
        size = arith.MaxSIOp(limited.result, zero.res)
        edit.rename(size.result, value_name(name))
        self.entry += [*self.statements, load, count, zero, most, limited, size]
        self.statements.clear()
        self.sizes.named[name] = Index.of(size.result)
        shape = self.sizes.shapes[op.res] = (Index.of(size.result), *whole[1:])
        view = loop.ViewOp(self.environment.values[op.tensor], 0, _memref(op.res.type), name_hint=op.res.name_hint)
        self.environment.values[op.res] = self.targets[op.res] = self.at_entry(view)
        self.bind(view.res, shape)

    def _lower_scalar(self, op: Operation) -> None:
        tensors = [v for v in (*op.operands, *op.results) if isinstance(v.type, TensorType)]
        if tensors or op.regions:
            what = f"on {name_of(tensors[0])}" if tensors else "with a region"
            fail("TW0501", f"expected te operations in function '{self._name}', but got {op.name} {what}", op=op)
        new = op.clone(dict(self.environment.values))
        self.entry.append(new)
        for old_result, result in zip(op.results, new.results, strict=True):
            self.environment.values[old_result] = result
            if isinstance(result.type, IndexType):
                self.environment.indices[old_result] = Index.of(result)

    @property
    def _name(self) -> str:
        return self.function.sym_name.data


def _return_of(function: func.FuncOp) -> func.ReturnOp:
    last = function.body.block.last_op
    if len(function.body.blocks) != 1 or not isinstance(last, func.ReturnOp):
        fail("TW0501", f"expected function '{function.sym_name.data}' to have one block that returns", op=function)
    return last


def _memref(type: Attribute) -> MemRefType:
    result = _buffer_type(type)
    assert isinstance(result, MemRefType)
    return result


def _is_dynamic(type: Attribute) -> bool:
    return isinstance(type, (TensorType, MemRefType)) and DYNAMIC_INDEX in type.get_shape()
