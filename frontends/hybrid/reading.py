"""Translation of a hybrid script for given arguments: to loops on buffers, with the shapes of its results."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from xdsl.builder import Builder
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ...diagnostics.verification import verify
from ...dialects import loop
from ...dialects.dtypes import dtype_name
from ...dialects.index_expr import Index
from ...dialects.names import script_name
from ...passes.shared.barriers.shared_memory import separate_in_shared_memory
from ...te.dtypes import dtype_info
from ...te.expr import Binary, Const, Expr, Var
from ...te.shapes import Size
from ...te.tensor import Tensor
from ..tvmscript import arithmetic, statements
from ..tvmscript.functions import run_helper
from ..tvmscript.script_values import BufferValue, Language, Special, Value, kind_of
from ..tvmscript.source import source_of
from ..tvmscript.state import BAD_ARGUMENT, UNSUPPORTED, State
from .sizes import size_of
from .statements import Variables, assign, augmented, for_loop, results
from .vocabulary import LANGUAGE, allocate, declared

NAME = "hybrid script"


@dataclass
class Reading:
    """A translated script: the arguments of `function` are a buffer for each input, then one for each result."""

    inputs: list[Tensor]
    results: list[tuple[tuple[Size, ...], str]]
    function: FuncOp

    def emit(self, builder: Builder, *buffers: SSAValue) -> None:
        """Insert the statements on buffers."""
        block = self.function.body.block
        values: dict[SSAValue, SSAValue] = dict(zip(block.args, buffers, strict=True))
        for op in block.ops:
            if not isinstance(op, ReturnOp):
                builder.insert(op.clone(values))


def read(function: FunctionType, arguments: Sequence[Any]) -> Reading:
    """Read the loops of a script. Raises TilewrightError TW0310 to TW0314 at its lines."""
    return _Reader(function).read(arguments)


class _Reader:
    """Reads one call of a script."""

    def __init__(self, function: FunctionType) -> None:
        self.source = source_of(function)
        self.variables = Variables()
        self.inputs: dict[Tensor, BufferValue] = {}
        self.outputs: dict[SSAValue, tuple[Index, ...]] = {}
        self.returned: list[SSAValue] | None = None
        self.sizes: dict[SSAValue, Size] = {}
        self.known: dict[Var, Index] = {}
        self.block = Block()
        self.state = State(self.source, self.block, self._language())
        self.state.run_helper = run_helper

    def _language(self) -> Language:
        names = {**LANGUAGE, "output_tensor": Special("output_tensor", self._output)}
        readers: dict[type[ast.stmt], Callable[[Any, Any], None]] = {
            ast.Assign: lambda s, node: assign(s, node, self.variables),
            ast.AugAssign: augmented,
            ast.For: for_loop,
            ast.Return: self._return,
        }
        return Language(NAME, names, readers)

    def read(self, arguments: Sequence[Any]) -> Reading:
        s = self.state
        node = next((n for n in self.source.tree.body if isinstance(n, ast.FunctionDef)), None)
        if node is None:
            self.source.fail(UNSUPPORTED, "expected a function", self.source.tree)
        with s.at(node):
            self._bind_arguments(node, arguments)
            statements.run(s, node.body)
            if self.returned is None:
                s.fail(BAD_ARGUMENT, f"expected '{node.name}' to return what it computes", help="return the tensors")
            for buffer in self.outputs:
                if buffer not in self.returned:
                    s.fail(BAD_ARGUMENT, f"expected '{node.name}' to return its result '{buffer.name_hint}'")
            return self._finish(node, self.returned)

    # Arguments

    def _bind_arguments(self, node: ast.FunctionDef, arguments: Sequence[Any]) -> None:
        s = self.state
        parameters = node.args.args
        others = (node.args.vararg, node.args.kwarg, node.args.kwonlyargs, node.args.posonlyargs, node.args.defaults)
        if any(others) or len(parameters) != len(arguments):
            message = f"expected {len(parameters)} arguments of '{node.name}', but got {len(arguments)}"
            s.fail(BAD_ARGUMENT, "expected plain parameters of a script" if any(others) else message, node)
        for parameter, argument in zip(parameters, arguments, strict=True):
            self._find_tensors(argument, parameter.arg)
        self._read_sizes()
        for parameter, argument in zip(parameters, arguments, strict=True):
            with s.at(parameter):
                s.scopes[0].names[parameter.arg] = self._value(argument)

    def _find_tensors(self, argument: Any, name: str) -> None:
        if isinstance(argument, (list, tuple)):
            for k, each in enumerate(argument):  # pyright: ignore
                self._find_tensors(each, f"{name}{k}")
        elif isinstance(argument, Tensor) and argument not in self.inputs:
            sizes = [n if isinstance(n, int) else -1 for n in argument.shape]
            type = loop.buffer_type(sizes, dtype_info(argument.dtype).ir)
            value = self.block.insert_arg(type, len(self.block.args))
            value.name_hint = script_name(name)
            self.inputs[argument] = BufferValue(value, (), name=name)

    def _read_sizes(self) -> None:
        """Let extents that are no numbers be read off the buffers; a variable is read where it stands alone."""
        pairs = [(t, d, n) for t in self.inputs for d, n in enumerate(t.shape)]
        found: dict[tuple[Tensor, int], Index] = {}
        for tensor, dimension, size in pairs:
            if isinstance(size, int):
                found[tensor, dimension] = Index.of(size)
            elif isinstance(size, Var) and size in self.known:
                found[tensor, dimension] = self.known[size]
            else:
                hint = script_name(size.name) if isinstance(size, Var) else None
                extent = self.state.add(loop.DimOp(self.inputs[tensor].value, dimension, hint)).res
                found[tensor, dimension] = Index.of(extent)
                self.sizes[extent] = size
                if isinstance(size, Var):
                    self.known[size] = Index.of(extent)
        for tensor, buffer in self.inputs.items():
            shape = tuple(found[tensor, d] for d in range(tensor.ndim))
            self.inputs[tensor] = BufferValue(buffer.value, shape, name=buffer.name)

    def _value(self, argument: Any) -> Value:
        """Return an argument of the call as a value of the script."""
        s = self.state
        match argument:
            case Tensor():
                return self.inputs[argument]
            case Const(value=value, dtype=dtype):
                plain = ("bool", "int32", "int64", "index", "float32")
                return value if dtype in plain else arithmetic.constant(s, value, dtype)
            case Var() if argument in self.known:
                return self.known[argument]
            case Binary(op="add" | "sub" | "mul" | "floordiv" | "floormod") if argument.dtype in ("index", "int64"):
                return arithmetic.binary(s, argument.op, self._value(argument.lhs), self._value(argument.rhs))
            case Var():
                return s.fail(
                    BAD_ARGUMENT,
                    f"expected a tensor with a dimension of size '{argument.name}' among the arguments, but got none",
                    help="pass a number to a script as a tensor of one element",
                )
            case Expr():
                return s.fail(BAD_ARGUMENT, f"expected tensors, sizes and constants as arguments, but got `{argument}`")
            case list() | tuple():
                values = [self._value(each) for each in argument]  # pyright: ignore
                return values if isinstance(argument, list) else tuple(values)
            case bool() | int() | float() | str() | None:
                return argument
            case _ if hasattr(argument, "tolist"):
                return argument.tolist()
            case _:
                return s.fail(BAD_ARGUMENT, f"expected tensors, sizes and constants as arguments, but got {argument!r}")

    # Results

    def _output(self, s: State, node: ast.Call) -> Value:
        """Read `output_tensor(shape, dtype)`: a result; in a script that another one calls, a buffer."""
        if s.depth:
            return allocate(s, node)
        if len(s.scopes) != s.depth_of_scopes:
            s.fail(UNSUPPORTED, "expected output_tensor outside of loops and branches", node)
        shape, element, scope = declared(s, node, "output_tensor")
        if scope != loop.GLOBAL:
            s.fail(BAD_ARGUMENT, f"expected a result in global memory, but got the scope '{scope}'", node)
        for extent in shape:
            self._size(s, extent, node)
        type = loop.buffer_type([e.constant if e.is_constant else -1 for e in shape], element)
        value = self.block.insert_arg(type, len(self.block.args))
        self.outputs[value] = shape
        return BufferValue(value, shape)

    def _return(self, s: State, node: ast.Return) -> None:
        if s.depth:
            statements.run_default(s, node)
            return
        if len(s.scopes) != s.depth_of_scopes:
            s.fail(UNSUPPORTED, "expected a return at the end of the script, outside of loops and branches", node)
        found = results(s, node)
        self.returned = []
        for value in found:
            if not isinstance(value, BufferValue) or value.value not in self.outputs or value.value in self.returned:
                what = "a result twice" if isinstance(value, BufferValue) and value.value in self.returned else ""
                s.fail(
                    BAD_ARGUMENT,
                    f"expected a result of output_tensor, but got {what or kind_of(value)}",
                    node,
                    help="return the names of results, each once",
                )
            self.returned.append(value.value)
        s.returning = [None]

    def _size(self, s: State, extent: Index, node: ast.AST) -> Size:
        """Return an extent of a result as te writes it."""
        found = size_of(extent, self.sizes)
        if found is None:
            s.fail(BAD_ARGUMENT, "expected a shape of numbers and sizes of arguments", node)
        return found

    # The function

    def _finish(self, node: ast.FunctionDef, returned: Sequence[SSAValue]) -> Reading:
        s = self.state
        block = self.block
        self._copy_changed()
        for op in list(block.ops):
            if isinstance(op, loop.DimOp) and not op.res.uses:
                op.detach()
                op.erase()
        shapes = [(tuple(self._size(s, e, node) for e in self.outputs[v]), _dtype(v)) for v in returned]
        ordered = Block(arg_types=[b.value.type for b in self.inputs.values()] + [v.type for v in returned])
        for new, old in zip(ordered.args, [*(b.value for b in self.inputs.values()), *returned], strict=True):
            new.name_hint = old.name_hint
            old.replace_all_uses_with(new)
        for op in list(block.ops):
            op.detach()
            ordered.add_op(op)
        ordered.add_op(ReturnOp())
        function = FuncOp(node.name, ([a.type for a in ordered.args], []), Region(ordered))
        module = ModuleOp([function])
        verify(module)
        separate_in_shared_memory([function])
        function.detach()
        return Reading(list(self.inputs), shapes, function)

    def _copy_changed(self) -> None:
        """Let a script that stores to an argument do so in a copy of it: tensors do not change."""
        for buffer in self.inputs.values():
            uses = [use for use in buffer.value.uses if not isinstance(use.operation, loop.DimOp)]
            if not any(isinstance(use.operation, loop.StoreOp) for use in uses):
                continue
            assert isinstance(buffer.value, BlockArgument)
            sizes = [e for e in buffer.shape if not e.is_constant]
            copy = loop.AllocOp(loop.buffer_type(buffer.type.get_shape(), buffer.element), sizes)
            for use in uses:
                use.operation.operands[use.index] = copy.res
            dims = [op for op in self.block.ops if isinstance(op, loop.DimOp)]
            point = InsertPoint.after(dims[-1]) if dims else InsertPoint.at_start(self.block)
            builder = Builder(point)
            builder.insert(copy)
            _insert_copy(builder, buffer, copy.res)


def _insert_copy(builder: Builder, source: BufferValue, target: SSAValue) -> None:
    """Insert loops that copy a buffer."""
    indices: list[Index] = []
    inner = builder
    for extent in source.shape:
        nest = loop.ForOp((Index.of(0),), (extent,), kind=loop.SERIAL)
        inner.insert(nest)
        indices.append(Index.of(nest.induction_variable))
        inner = Builder(InsertPoint.at_end(nest.body.block))
    value = inner.insert(loop.LoadOp(source.value, tuple(indices))).res
    inner.insert(loop.StoreOp(value, target, tuple(indices)))


def _dtype(buffer: SSAValue) -> str:
    assert isinstance(buffer.type, MemRefType)
    return dtype_name(buffer.type.element_type)
