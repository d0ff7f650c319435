"""Pass `convert-tensor`: conversion of upstream functions on tensors to tensor expressions."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, FunctionType, MemRefType, ModuleOp, TensorType
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint

from ...dialects.graph.types import make_type
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import INPUT_DIALECTS, Level, Pass
from ..upstream.extents import shape_of
from ..upstream.functions import on_tensors, output_names, return_of
from ..upstream.refusal import refuse_form
from ..upstream.sizes import SizeClasses
from ..upstream.tensor_operations import TensorOperations
from ..upstream.tensor_values import BUFFERIZE, TensorValues


@dataclass(frozen=True)
class ConvertTensorPass(Pass):
    """Lower functions on tensors to te: one compute for each result of linalg, tensor and elementwise arith.

    ```mlir
    %e = tensor.empty() : tensor<4x6xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
    %c = linalg.matmul ins(%A, %B : tensor<4x8xf32>, tensor<8x6xf32>) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
    ```
    becomes
    ```mlir
    %c = te.compute "matmul" [%i0 to 4, %i1 to 6] reduce [%i2 to 8] -> tensor<4x6xf32> {
      %a = te.read %A[%i0, %i2] : tensor<4x8xf32>
      %b = te.read %B[%i2, %i1] : tensor<8x6xf32>
      %p = arith.mulf %a, %b : f32
      te.reduce <add> %p : f32
    }
    ```
    The initial value of a reduction is the identity of the combiner if the output is filled with it, otherwise the
    element that the output holds. Scalar arguments and results become tensors of rank 0. Needs reductions that combine
    the output with one term, and functions without loops around tensors. Grants te functions; sizes that operations of
    the body demand to be equal have one name in the types of arguments.
    """

    name = "convert-tensor"
    phase = 0
    levels = (Level.UPSTREAM,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = [f for f in op.ops if isinstance(f, FuncOp) and f.body.blocks and _is_wanted(f)]
        called = {each.callee.root_reference.data for each in operations(op) if isinstance(each, CallOp)}
        for function in functions:
            if may_rewrite("convert", function, is_needed=True):
                _Conversion(function, is_called=function.sym_name.data in called).run()


def _is_wanted(function: FuncOp) -> bool:
    """Return whether a function is on tensors and contains upstream operations."""
    if not on_tensors(function):
        return False
    for op in operations(function):
        if any(isinstance(value.type, MemRefType) for value in (*op.operands, *op.results)):
            refuse_form(op, "expected a function on tensors or on memrefs, but got both", help=BUFFERIZE)
    upstream = [op for op in operations(function) if op is not function and _is_upstream(op)]
    if upstream and (ours := [op for op in operations(function) if op.dialect_name() == "te"]):
        refuse_form(
            upstream[0],
            f"expected {ours[0].name} and upstream MLIR in separate functions, but got {upstream[0].name} beside it",
            help="write the operation as te.compute, or the other ones in linalg",
        )
    return bool(upstream)


def _is_upstream(op: Operation) -> bool:
    is_elementwise = op.dialect_name() in ("arith", "math") and isinstance(op.results[0].type, TensorType)
    return is_elementwise or op.dialect_name() in INPUT_DIALECTS


class _Conversion:
    """Converts one function. New operations are inserted before the operations that they replace, which are erased at
    the end."""

    def __init__(self, function: FuncOp, *, is_called: bool) -> None:
        self.function = function
        self.is_called = is_called

    def run(self) -> None:
        last = return_of(self.function)
        block = self.function.body.block
        self._retype_arguments()
        values = TensorValues(self.function, SizeClasses(self.function))
        values.tensors.update((argument, argument) for argument in block.args)
        old = [op for op in block.ops if op is not last]
        convert = TensorOperations(values)
        for op in old:
            convert.convert(op)
        results = [convert.returned(value, last) for value in last.operands]
        edit.insert(ReturnOp(*results), InsertPoint.before(last), of=last)
        edit.erase(last)
        for op in reversed(block.ops):
            if not isinstance(op, (ReturnOp, CallOp)) and not any(result.uses for result in op.results):
                edit.erase(op)
        if self.function.res_attrs is None:
            edit.change(self.function).res_attrs = ArrayAttr(output_names([value.name_hint for value in results]))
        types = [[argument.type for argument in block.args], [value.type for value in results]]
        edit.change(self.function).function_type = FunctionType.from_lists(*types)

    def _retype_arguments(self) -> None:
        """Name the sizes of arguments, equal ones alike; scalars become tensors of rank 0."""
        classes, names = SizeClasses(self.function), dict[object, str]()
        block = self.function.body.block
        types: list[TensorType] = []
        for argument in block.args:
            type_ = argument.type
            if not isinstance(type_, TensorType):
                types.append(TensorType(type_, []))
                continue
            sizes: list[int | str] = []
            for d in range(len(shape_of(argument))):
                number = classes.number(argument, d)
                name = f"arg{argument.index}_dim{d}"
                sizes.append(names.setdefault(classes.find(argument, d), name) if number is None else number)
            types.append(type_ if self.is_called else make_type(sizes, type_.element_type))
        for argument, type_ in zip(list(block.args), types, strict=True):
            if argument.type != type_:
                edit.retype(argument, type_)
